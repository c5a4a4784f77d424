"""YAML to plain values; what YAML would silently change is refused (docs/contract.md, F1).

    1. size, encoding, characters (F1.1, F1.2)
    2. PyYAML's events, one pass (F1.3 to F1.8; yaml_reading.py)
    3. tabs and comments, which the events leave out, by where the scalars stand (F1.2, F1.5)

All faults that can be found together are reported together. After a syntax error nothing more is known: then
`complete` is false, and nothing can be said about what seems to be missing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from yaml.reader import Reader

from .errors import Fault, Path
from .shapes import shown
from .yaml_reading import Reading, Stop

MAX_BYTES: Final = 64 * 1024 * 1024

_UNPRINTABLE: Final = Reader.NON_PRINTABLE  # compiled with PyYAML already, and compiling it takes long
_LINE_BREAK: Final = re.compile("[\r\x85\u2028\u2029]")
_BREAKS: Final = {"\x85": "NEL", "\u2028": "LS", "\u2029": "PS"}
_COMMENT: Final = re.compile(" +(#[^\n]*)")
_UTF8: Final = "save the file as UTF-8 without a byte order mark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a file holds. `lines` maps the path of each member and item to its line, from 1.

    The shape of `value` can be checked if `complete`. It is of use for anything else only without faults,
    since something harmless stands in the place of a faulty part.
    """

    value: Any
    lines: Mapping[Path, int]
    faults: tuple[Fault, ...]
    complete: bool

    def line(self, path: Path) -> int | None:
        """Return the line of a path, or of the nearest that encloses it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


def load(data: bytes) -> Loaded:
    """Read one file."""
    if len(data) > MAX_BYTES:  # F1.1
        return _unreadable(f"the file holds {len(data)} bytes; at most {MAX_BYTES} are taken")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _unreadable(f"the file is in UTF-16; {_UTF8}")
    try:
        text = data.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _unreadable(f"the byte 0x{data[error.start]:02x} is not UTF-8; {_UTF8}", line=line)
    text, faults = _characters(text)
    reading, complete = Reading(text), True
    try:
        reading.read()
    except Stop:
        complete = False
    faults += [*reading.faults, *_tabs(reading), *_comments(reading)]
    return Loaded(
        value=reading.value if complete else None,
        lines=reading.lines,
        faults=tuple(sorted(faults, key=lambda fault: fault.line or 0)),
        complete=complete,
    )


def _unreadable(message: str, *, line: int | None = None) -> Loaded:
    fault = Fault(path=(), message=message, line=line)
    return Loaded(value=None, lines={}, faults=(fault,), complete=False)


def _characters(text: str) -> tuple[str, list[Fault]]:
    """Note the characters that may not stand in a file (F1.1, F1.2), and put harmless ones in their place."""
    faults = []
    if text.startswith("\ufeff"):
        message = "the file begins with a byte order mark; save it as UTF-8, not as UTF-8 with BOM"
        faults.append(Fault(path=(), message=message, line=1))
        text = text[1:]
    found = Counter(_UNPRINTABLE.findall(text) + _LINE_BREAK.findall(text))
    for character, count in found.items():
        line = text.count("\n", 0, text.index(character)) + 1
        more = f" (and {count - 1} more)" if count > 1 else ""
        faults.append(Fault(path=(), message=_refused(character, more), line=line))
    if found:
        text = text.replace("\r\n" if "\n" in text else "\r", "\n")
        text = text.translate({ord(character): "\ufffd" for character in found})
    return text, faults


def _refused(character: str, more: str) -> str:
    if character == "\r":
        return f"the line ends in CR{more}; save the file with the line ending LF, not CRLF"
    name = f"the line break {_BREAKS[character]}" if character in _BREAKS else "the character"
    return f"{name} U+{ord(character):04X}{more} may not stand in a file; take it out"


def _tab_lines(reading: Reading) -> Iterator[int]:
    """Yield the lines (from 1) in which a tab stands outside scalars."""
    text, spans = reading.text, reading.spans
    starts = [span.start for span in spans]
    index, counted, line = text.find("\t"), 0, 1
    while 0 <= index < reading.reached:
        count = bisect_right(starts, index)
        if count and index < spans[count - 1].end:
            index = text.find("\t", spans[count - 1].end)
            continue
        line += text.count("\n", counted, index)
        counted = index
        yield line
        next_line = text.find("\n", index)
        index = text.find("\t", next_line) if next_line >= 0 else -1


def _tabs(reading: Reading) -> Iterator[Fault]:
    """Refuse tabs outside quoted scalars and blocks (F1.2)."""
    lines = list(_tab_lines(reading))
    if lines:
        more = f" (and in {len(lines) - 1} more lines)" if len(lines) > 1 else ""
        message = f"a tab stands here{more}, and YAML takes spaces only; replace it by spaces"
        yield Fault(path=(), message=message, line=lines[0])


def _comments(reading: Reading) -> Iterator[Fault]:
    """Refuse a comment directly behind a plain scalar: it may have cut the text short (F1.5)."""
    counted, line = 0, 1
    for span in reading.spans:
        comment = _COMMENT.match(reading.text, span.end) if span.plain and span.end > span.start else None
        if comment:
            line += reading.text.count("\n", counted, span.end)
            counted = span.end
            mend = "give it a line of its own; if it is part of the text, put the text in quotation marks"
            message = f"the comment {shown(comment[1])} stands behind a value; {mend}"
            yield Fault(path=span.path, message=message, line=line)
