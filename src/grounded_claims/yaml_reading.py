"""One pass over the events of a YAML text (docs/contract.md, F1.1 and F1.3 to F1.8).

PyYAML's own parser in pure Python yields the events: libyaml takes other texts. They are followed without
recursion, and nesting is counted before it is followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from .errors import Fault, Path
from .shapes import shown
from .yaml_errors import syntax_error
from .yaml_words import no_colon, plain

MAX_DEPTH: Final = 8

_MAPPING: Final = "a mapping belongs here ('key: value' lines)"
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_EXPLICIT_KEY: Final = "'? ' keys are not taken; write 'key: value'"
_COMMENT: Final = re.compile("#[^\n]*")


class Stop(Exception):
    """Reading ends here; a fault says why."""


class _Events(Reader, Scanner, Parser):
    """PyYAML's event parser without its composer and constructor."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def __iter__(self) -> Iterator[yaml.Event]:
        while self.check_event():
            yield cast("yaml.Event", self.get_event())  # type: ignore[no-untyped-call]


def _start(event: yaml.Event) -> yaml.Mark:
    return cast("yaml.Mark", event.start_mark)


def _end(event: yaml.Event) -> yaml.Mark:
    return cast("yaml.Mark", event.end_mark)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a scalar stands, in characters; of a block without the line that opens it.

    `plain` tells a plain scalar that is a value; keys are none.
    """

    start: int
    end: int
    plain: bool
    path: Path


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet; `key` is the key that waits for its value."""

    value: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None
    repeated: bool = False

    @property
    def next(self) -> Path:
        """The path of the next value."""
        if isinstance(self.value, list):
            return (*self.path, len(self.value))
        return self.path if self.key is None else (*self.path, self.key)


@dataclass(frozen=True, slots=True)
class _Spread:
    """A text that runs on over lines, and the fault that was noted for it."""

    fault: Fault
    last: int
    quoted: bool


@dataclass(slots=True)
class Reading:
    """The plain value of a text, with its faults, the line of each path, and the spans of its scalars.

    `reached` is how far the events went, in characters.
    """

    text: str
    value: Any = None
    faults: list[Fault] = field(default_factory=list)
    lines: dict[Path, int] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    reached: int = 0
    _open: list[_Open] = field(default_factory=list)
    _spread: _Spread | None = None
    _documents: int = 0

    def read(self) -> None:
        """Follow the events; raise Stop where what comes after cannot be known."""
        events = _Events(self.text)
        try:
            for event in events:
                self._event(event)
                self.reached = max(self.reached, _end(event).index)
        except yaml.YAMLError as error:
            self._syntax(error)
        except (ValueError, OverflowError):  # PyYAML hands "\UFFFFFFFF" to chr() as it is
            path = self._open[-1].next if self._open else ()
            self._fault(events.line, "this \\U escape names no character; write the character itself", path)
            raise Stop from None
        if self._documents == 0:
            self._fault(0, f"the file is empty; {_MAPPING}")  # F1.1
            raise Stop
        self.reached = len(self.text)

    def _fault(self, line: int, message: str, path: Path = ()) -> None:
        """Note a fault at a line (from 0)."""
        self.faults.append(Fault(path=path, message=message, line=line + 1))

    def _syntax(self, error: yaml.YAMLError) -> None:
        """Note a syntax error; if it comes of a text that ran on to its line, note one fault and not two."""
        line, message = syntax_error(self.text, error)
        spread = self._spread
        if spread is not None and line in (spread.fault.line, spread.last + 1):
            if spread.quoted:
                raise Stop from None
            self.faults.remove(spread.fault)
        self._fault(line - 1, message)
        raise Stop from None

    def _event(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.NodeEvent):
            self._node(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()
        elif isinstance(event, yaml.DocumentStartEvent):
            self._document(event)
        elif isinstance(event, yaml.DocumentEndEvent) and event.explicit:
            self._fault(_start(event).line, "the marker '...' is not taken; take the line out")  # F1.3

    def _document(self, event: yaml.DocumentStartEvent) -> None:
        """Refuse directives, markers and a second document (F1.3)."""
        self._documents += 1
        if self._documents > 1:
            self._fault(
                _start(event).line,
                "a second document begins here; a file holds one, so take the line '---' out",
            )
            raise Stop
        if event.version or event.tags:
            self._fault(_start(event).line, "directives (%) are not taken; take the line out")
        if event.explicit:
            self._fault(_end(event).line, "the marker '---' is not taken; take the line out")

    def _node(self, event: yaml.NodeEvent) -> None:
        top = self._open[-1] if self._open else None
        if top is not None and isinstance(top.value, dict) and top.key is None:
            self._key(event, top)
            return
        path = () if top is None else top.next
        self.lines.setdefault(path, _start(event).line + 1)
        self._marks(event, path)
        if isinstance(event, yaml.ScalarEvent):
            self._put(self._scalar(event, path))
        elif isinstance(event, yaml.AliasEvent):
            self._put(None)
        else:
            self._collection(event, path)

    def _marks(self, event: yaml.NodeEvent, path: Path) -> None:
        """Refuse anchors, aliases and tags (F1.3)."""
        line, tag = _start(event).line, getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent):
            mend = "write the value out, or put the text in quotation marks"
            self._fault(line, f"the alias *{event.anchor} is not taken; {mend}", path)
            return
        mend = "take it out, or put the text in quotation marks"
        if event.anchor is not None:
            self._fault(line, f"the anchor &{event.anchor} is not taken; {mend}", path)
        if tag is not None:
            short = tag.replace("tag:yaml.org,2002:", "!!")
            self._fault(line, f"the tag {shown(short)} is not taken; {mend}", path)

    def _collection(self, event: yaml.NodeEvent, path: Path) -> None:
        line = _start(event).line
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        if len(self._open) == MAX_DEPTH:  # F1.8
            self._fault(line, f"collections nest more than {MAX_DEPTH} deep here; take a level out", path)
            raise Stop
        if self.text[_start(event).index : _end(event).index] == "?":  # F1.3, of a pair within a flow list
            self._fault(line, _EXPLICIT_KEY, path)
        if not self._open and isinstance(value, list):  # F1.1
            self._fault(line, f"the file is a list; {_MAPPING}")
            raise Stop
        self._put(value)
        self._open.append(_Open(value, path))

    def _put(self, value: object) -> None:
        if not self._open:
            self.value = value
            return
        top = self._open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
            return
        if top.key is not None and not top.repeated:
            top.value[top.key] = value
        top.key = None

    def _key(self, event: yaml.NodeEvent, top: _Open) -> None:
        mark = _start(event)
        gap = self.text[self.reached : mark.index]
        if "?" in gap and "?" in _COMMENT.sub("", gap):
            self._fault(mark.line, _EXPLICIT_KEY, top.path)  # F1.3
        self._marks(event, top.path)
        if isinstance(event, yaml.AliasEvent):
            top.key = f"*{event.anchor}"
            return
        if not isinstance(event, yaml.ScalarEvent):
            message = "a list or a mapping stands as a key; a key is a text, in quotation marks if need be"
            self._fault(mark.line, message, top.path)  # F1.4
            raise Stop
        key: str = event.value
        path = (*top.path, key)
        self._scalar(event, path, key=True)
        top.key, top.repeated = key, key in top.value
        if top.repeated:  # F1.4
            message = f"stands here twice, first in line {self.lines[path]}; keep one of the two"
            self._fault(mark.line, message, path)
        self.lines.setdefault(path, mark.line + 1)

    def _scalar(self, event: yaml.ScalarEvent, path: Path, *, key: bool = False) -> bool | int | str | None:
        text: str = event.value
        first, last, style = _start(event), _end(event), event.style or ""
        start = self.text.find("\n", first.index) if style in ("|", ">") else first.index
        self.spans.append(Span(start, last.index, not style and not key, path))
        if not self._open:  # F1.1
            line = self.text[first.index :].partition("\n")[0]
            self._fault(first.line, f"the file is one text; {_MAPPING}" if style else no_colon(line))
            raise Stop
        if style == ">":  # F1.5
            self._fault(first.line, "a > block joins its lines; write | to keep them as they are", path)
        elif style != "|" and last.line > first.line:
            self._runs_on(event, path)
        if style:
            if style == '"' and _SURROGATE.search(text):  # F1.7
                self._fault(first.line, "an escape names a surrogate; write the character itself", path)
            return text
        value, message = plain(text, key=key)
        if message is not None:  # F1.6
            self._fault(first.line, message, path)
        return value

    def _runs_on(self, event: yaml.ScalarEvent, path: Path) -> None:
        """Refuse a plain or quoted scalar over several lines (F1.5)."""
        first, last = _start(event).line, _end(event).line
        block = "a text of several lines is a | block"
        if event.style:
            mend = f"put the quotation mark {event.style} that is missing at the end of this line; {block}"
        elif event.value.startswith("-"):
            mend = "put a space after the hyphen of each list item"
        else:
            mend = f"{block}; if the next line is not part of it, give it the indentation of its neighbours"
        self._fault(first, f"the text begun here runs on to line {last + 1}; {mend}", path)
        self._spread = _Spread(self.faults[-1], last, bool(event.style))
