"""A stream of rows to a stream of verdict rows, in constant memory: chunk by chunk, here or by workers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..errors import EXIT_FAULT, GroundedClaimsError
from ..suite import Suite
from .judges import judge_chunk, make_judge
from .lines import Chunk, Input, chunks
from .tally import Tally
from .whole_file import Write
from .workers import Judged, Workers


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
) -> Tally:
    """Judge everything that a source holds, and return what was counted."""
    read = 0

    def counted() -> Iterator[Chunk]:
        nonlocal read
        for chunk in chunks(source.read):
            read += chunk.lines
            yield chunk

    total = Tally()
    rows = 0
    for data, tally in _judged(suite, counted(), workers=workers, reference=reference):
        write(data)
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
