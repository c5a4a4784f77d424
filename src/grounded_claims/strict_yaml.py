"""YAML to plain values; what YAML would silently change is refused (docs/contract.md, F1).

    1. size, encoding, characters (F1.1, F1.2)
    2. PyYAML's events, in pure Python: libyaml takes other texts. Iterative, and nesting is counted before it is
       followed (F1.3 to F1.8)
    3. tabs and comments, which the events leave out, by where no scalar stands (F1.2, F1.5)

All faults that can be found together are reported together. After a syntax error nothing more is known, so that
`complete` is false and nothing can be said about what seems to be missing.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from .errors import Fault, Path
from .shapes import shown
from .yaml_words import no_colon, plain, syntax_error

MAX_BYTES: Final = 64 * 1024 * 1024
MAX_DEPTH: Final = 8

_REFUSED: Final = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_COMMENT: Final = re.compile("#[^\n]*")
_BREAKS: Final = {"\x85": "NEL", "\u2028": "LS", "\u2029": "PS"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a file holds. `lines` maps the path of each member and item to its line, from 1.

    `value` is of use for checking a shape where `complete`, and for anything else only without faults: a faulty
    part is replaced by something harmless, and `faults` holds its path.
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


class _Stop(Exception):  # noqa: N818  # not an error of the program: reading has to end here
    """Reading ends here; a fault says why."""


class _Events(Reader, Scanner, Parser):
    """PyYAML's own event parser in pure Python, without composer and constructor."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def __iter__(self) -> Iterator[yaml.Event]:
        while self.check_event():
            yield self.get_event()


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet; `key` is the key that waits for its value."""

    value: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class _Span:
    """Where the text of a scalar stands, in characters."""

    start: int
    end: int
    plain: bool
    path: Path


def load(data: bytes) -> Loaded:
    """Read one file."""
    if len(data) > MAX_BYTES:
        return _refusal(f"the file holds {len(data)} bytes; at most {MAX_BYTES} are taken")  # F1.1
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _refusal("the file is in UTF-16; save it as UTF-8 without a byte order mark")  # F1.1
    try:
        text = data.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _refusal(
            f"the byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8 without a byte order mark",
            line=line,
        )
    text, faults = _characters(text)
    reader = _Reading(text=text)
    try:
        reader.read()
    except _Stop:
        reader.complete = False
    faults += reader.faults
    faults += [*_tabs(text, reader), *_comments(text, reader)]
    return Loaded(
        value=reader.value if reader.complete else None,
        lines=reader.lines,
        faults=tuple(sorted(faults, key=lambda fault: fault.line or 0)),
        complete=reader.complete,
    )


def _refusal(message: str, *, line: int | None = None) -> Loaded:
    fault = Fault(path=(), message=message, line=line)
    return Loaded(value=None, lines={}, faults=(fault,), complete=False)


def _characters(text: str) -> tuple[str, list[Fault]]:
    """Note characters that may not stand in a file (F1.1, F1.2), each once, and put others in their place."""
    faults = []
    if text.startswith("\ufeff"):
        message = "the file begins with a byte order mark; save it as UTF-8, not as UTF-8 with BOM"
        faults.append(Fault(path=(), message=message, line=1))
        text = text[1:]
    found = Counter(_REFUSED.findall(text))
    for character, count in found.items():
        line = text.count("\n", 0, text.index(character)) + 1
        more = f" (and {count - 1} more)" if count > 1 else ""
        faults.append(Fault(path=(), message=_refused(character, more), line=line))
    if found:
        text = _REFUSED.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return text, faults


def _refused(character: str, more: str) -> str:
    if character == "\r":
        return f"the line ends in CR{more}; save the file with the line ending LF instead of CRLF"
    name = f"the line break {_BREAKS[character]}" if character in _BREAKS else "the character"
    return f"{name} U+{ord(character):04X}{more} may not stand in a file; take it out"


@dataclass(slots=True)
class _Reading:
    """One pass over the events of a text."""

    text: str
    value: Any = None
    complete: bool = True
    faults: list[Fault] = field(default_factory=list)
    lines: dict[Path, int] = field(default_factory=dict)
    spans: list[_Span] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    spread: list[tuple[Fault, int, bool]] = field(default_factory=list)
    reached: int = 0
    documents: int = 0

    def fault(self, line: int, message: str, path: Path = ()) -> None:
        """Note a fault at a line (from 0)."""
        self.faults.append(Fault(path=path, message=message, line=line + 1))

    def read(self) -> None:
        """Follow the events to the end of the first document."""
        events = _Events(self.text)
        try:
            for event in events:
                self._event(event)
                self.reached = max(self.reached, event.end_mark.index)
        except yaml.YAMLError as error:
            self._syntax(error)
        except (ValueError, OverflowError):  # PyYAML hands "\UFFFFFFFF" to chr() as it is
            self.fault(events.line, "this \\U escape names no character; write the character itself", self._here())
            raise _Stop from None
        if self.documents == 0:
            self.fault(0, "the file is empty; a mapping belongs here ('key: value' lines)")  # F1.1
            raise _Stop
        self.reached = len(self.text)

    def _syntax(self, error: yaml.YAMLError) -> None:
        """Note a syntax error; where it comes of a text that ran on to its line, note one fault and not two."""
        line, message = syntax_error(self.text, error)
        fault, last, quoted = self.spread[-1] if self.spread else (None, 0, False)
        if fault is not None and quoted and line == last + 1:
            raise _Stop from None
        if fault is not None and line in (fault.line, last + 1):
            self.faults.remove(fault)
        self.fault(line - 1, message)
        raise _Stop from None

    def _event(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.NodeEvent):
            self._node(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self.fault(event.start_mark.line, "a second document begins here; a file holds one")  # F1.3
                raise _Stop
            if event.version or event.tags:
                self.fault(event.start_mark.line, "directives (%) are not taken; take the line out")  # F1.3
            if event.explicit:
                self.fault(event.end_mark.line, "the marker '---' is not taken; take the line out")  # F1.3
        elif isinstance(event, yaml.DocumentEndEvent) and event.explicit:
            self.fault(event.start_mark.line, "the marker '...' is not taken; take the line out")  # F1.3

    def _here(self) -> Path:
        """Return the path of the next node."""
        if not self.open:
            return ()
        top = self.open[-1]
        if isinstance(top.value, list):
            return (*top.path, len(top.value))
        return top.path if top.key is None else (*top.path, top.key)

    def _node(self, event: yaml.NodeEvent) -> None:
        line = event.start_mark.line
        top = self.open[-1] if self.open else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            self._key(event, top)
            return
        path = self._here()
        self.lines.setdefault(path, line + 1)
        self._marks(event, path)
        if isinstance(event, yaml.ScalarEvent):
            self._put(self._scalar(event, path))
        elif isinstance(event, yaml.AliasEvent):
            self._put(None)
        else:
            self._collection(event, path)

    def _marks(self, event: yaml.NodeEvent, path: Path) -> None:
        """Refuse anchors, aliases and tags (F1.3)."""
        line = event.start_mark.line
        if isinstance(event, yaml.AliasEvent):
            self.fault(line, f"the alias *{event.anchor} is not taken; write the value out, or quote the text", path)
            return
        if event.anchor is not None:
            self.fault(line, f"the anchor &{event.anchor} is not taken; take it out, or quote the text", path)
        tag = getattr(event, "tag", None)
        if tag is not None:
            short = tag.replace("tag:yaml.org,2002:", "!!")
            self.fault(line, f"the tag {short} is not taken; take it out, or quote the text", path)

    def _collection(self, event: yaml.NodeEvent, path: Path) -> None:
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        if len(self.open) == MAX_DEPTH:
            self.fault(event.start_mark.line, f"collections nest more than {MAX_DEPTH} deep here", path)  # F1.8
            raise _Stop
        if not self.open and isinstance(value, list):
            self.fault(event.start_mark.line, "the file is a list; a mapping belongs here ('key: value' lines)")
            raise _Stop  # F1.1
        self._put(value)
        self.open.append(_Open(value, path))

    def _put(self, value: object) -> None:
        if not self.open:
            self.value = value
            return
        top = self.open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is not None:
            if not top.repeated:
                top.value[top.key] = value
            top.key = None

    def _key(self, event: yaml.NodeEvent, top: _Open) -> None:
        line = event.start_mark.line
        gap = self.text[self.reached : event.start_mark.index]
        if "?" in gap and "?" in _COMMENT.sub("", gap):
            self.fault(line, "'? ' keys are not taken; write 'key: value'", top.path)  # F1.3
        self._marks(event, top.path)
        if isinstance(event, yaml.AliasEvent):
            top.key = f"*{event.anchor}"
            return
        if not isinstance(event, yaml.ScalarEvent):
            self.fault(line, "a list or a mapping stands as a key; a key is a text", top.path)  # F1.4
            raise _Stop
        key: str = event.value
        path = (*top.path, key)
        self._scalar(event, path, key=True)
        top.key = key
        top.repeated = key in top.value
        if top.repeated:  # F1.4
            self.fault(line, f"stands here twice, first in line {self.lines[path]}; keep one of the two", path)
        self.lines.setdefault(path, line + 1)

    def _scalar(self, event: yaml.ScalarEvent, path: Path, *, key: bool = False) -> bool | int | str | None:
        text: str = event.value
        first, last = event.start_mark, event.end_mark
        style = event.style or ""
        start = self.text.find("\n", first.index) if style in ("|", ">") else first.index
        self.spans.append(_Span(start, last.index, not style, path))
        if not self.open:
            self.fault(first.line, no_colon(self.text[first.index :].partition("\n")[0]))  # F1.1
            raise _Stop
        if style == ">":  # F1.5
            self.fault(first.line, "a > block joins its lines; write | to keep them as they are", path)
        elif style != "|" and last.line > first.line:
            self._spread(event, path)
        if style:
            if _SURROGATE.search(text):  # F1.7
                self.fault(first.line, "an escape names a surrogate; write the character itself, or \\U and 8 digits", path)
            return text
        value, message = plain(text, key=key)
        if message is not None:  # F1.6
            self.fault(first.line, message, path)
        return value

    def _spread(self, event: yaml.ScalarEvent, path: Path) -> None:
        """Refuse a plain or quoted scalar over several lines (F1.5)."""
        first, last = event.start_mark.line, event.end_mark.line
        where = f"the text begun here goes on to line {last + 1}"
        if event.style:
            mend = f"is a quotation mark {event.style} missing at the end of this line? A text of several lines is a | block"
        else:
            mend = "indent the next line like its neighbours if it is not part of it; a text of several lines is a | block"
        self.fault(first, f"{where}; {mend}", path)
        self.spread.append((self.faults[-1], last, bool(event.style)))


def _outside(text: str, reading: _Reading, mark: str) -> Iterator[tuple[int, int, int]]:
    """Yield where a character first stands outside scalars in a line.

    Each comes with its line (from 1), and with how many scalars begin before it.
    """
    starts = [span.start for span in reading.spans]
    index, counted, line = text.find(mark), 0, 1
    while 0 <= index < reading.reached:
        count = bisect_right(starts, index)
        if count and index < reading.spans[count - 1].end:
            index = text.find(mark, reading.spans[count - 1].end)
            continue
        line += text.count("\n", counted, index)
        counted = index
        yield index, line, count
        next_line = text.find("\n", index)
        index = text.find(mark, next_line) if next_line >= 0 else -1


def _tabs(text: str, reading: _Reading) -> list[Fault]:
    """Refuse tabs outside quoted scalars and blocks (F1.2)."""
    lines = [line for _, line, _ in _outside(text, reading, "\t")]
    if not lines:
        return []
    more = f" (and in {len(lines) - 1} more lines)" if len(lines) > 1 else ""
    message = f"a tab stands here{more}, and YAML takes spaces only; replace it by spaces"
    return [Fault(path=(), message=message, line=lines[0])]


def _comments(text: str, reading: _Reading) -> Iterator[Fault]:
    """Refuse a comment after a plain scalar on its line: it may have cut the text short (F1.5)."""
    for index, line, count in _outside(text, reading, "#"):
        line_start = text.rfind("\n", 0, index) + 1
        for span in reversed(reading.spans[:count]):
            if span.end < line_start:
                break
            if span.plain:
                comment = shown(text[index:].partition("\n")[0])
                message = (
                    f"{comment} is cut off as a comment; give it a line of its own, or, if it is part of the text, "
                    "put the text in quotation marks"
                )
                yield Fault(path=span.path, message=message, line=line)
                break
