"""A stream of rows to a stream of verdict rows, in constant memory: chunk by chunk, here or by workers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from ..errors import EXIT_FAULT, GroundedClaimsError
from ..suite import Suite
from ..whole_file import Write
from .judges import judge_chunk, make_judge
from .lines import Chunk, Input, chunks
from .tally import Tally
from .workers import Judged, Workers

BEGINNING: Final = 4096  # bytes
#: How an input begins that may be one JSON text, over many lines.
_ONE_TEXT: Final = re.compile(rb"\s*(?:(?P<list>\[)|\{[ \t\r]*\n)")
_LINES: Final = (
    "no row so far is one: this may be a JSON text over many lines, and one JSON object to a line is "
    "expected, as 'jq -c {} FILE' writes them"
)


class RowsLostError(GroundedClaimsError):
    """Fewer or more rows were written than read: a fault of the program."""

    exit_code = EXIT_FAULT


def judge_stream(
    suite: Suite,
    source: Input,
    write: Write,
    *,
    workers: int = 1,
    reference: bool = False,
    on_chunk: Callable[[int, int], object] = lambda _rows, _position: None,
    say: Callable[[str], object] = lambda _: None,
) -> Tally:
    """Judge everything that a source holds, and return what was counted."""
    read, beginning = 0, b""

    def block(size: int) -> bytes:
        nonlocal beginning
        data = source.read(size)
        beginning = beginning or data[:BEGINNING]
        return data

    def counted() -> Iterator[Chunk]:
        nonlocal read
        for chunk in chunks(block):
            read += chunk.lines
            yield chunk

    total = Tally()
    rows = 0
    for data, tally in _judged(suite, counted(), workers=workers, reference=reference):
        write(data)
        if not rows and tally.errors == tally.rows and (over_lines := _ONE_TEXT.match(beginning)):
            say(_LINES.format("'.[]'" if over_lines["list"] else "."))
        total.merge(tally)
        rows += data.count(b"\n")
        on_chunk(rows, source.position())
    if not read == rows == total.rows:
        raise RowsLostError(
            f"{read} rows were read, {total.rows} judged and {rows} written; please report it"
        )
    return total


def _judged(suite: Suite, source: Iterable[Chunk], *, workers: int, reference: bool) -> Iterator[Judged]:
    if workers == 1:
        judge = make_judge(suite, reference=reference)
        for chunk in source:
            yield judge_chunk(judge, chunk)
    else:
        with Workers(suite, count=workers, reference=reference) as pool:
            yield from pool.judge(source)
