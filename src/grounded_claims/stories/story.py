"""The story of one verdict, as data. Every string is raw: who shows a story escapes it.

A story knows no contract. Places are counted in characters (code points), from 0; lines and columns from 1.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ..contracts.base import Verdict
from ..strict_json import Number, Value
from ..tables import counted

Path = tuple[str | int, ...]

#: Why a piece of a source is marked: the candidate cites it; it would be accepted; it stands there besides.
QUOTED: Final = "quoted"
WANTED: Final = "wanted"
HELD: Final = "held"

CHANGED: Final = "changed"
ADDED: Final = "added"
REMOVED: Final = "removed"

MAX_QUOTED: Final = 160
_WORD: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,63}(?<![.:])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What one layer said. `decided` is true for the one layer that settled the verdict.

    `clause` is the clause that decided. `found` and `expected` are what stood there and what belonged there,
    for a layer that rejects; both are empty for one that passes or is not reached.
    """

    layer: str
    passed: bool
    decided: bool
    clause: str | None
    sentence: str
    found: str = ""
    expected: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A piece of a source's text: its first character, the one after its last, and why it is marked."""

    start: int
    end: int
    role: str
    deciding: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of a source's text under the same marks: what `Source.runs` cuts a text into."""

    text: str
    quoted: bool
    wanted: bool
    held: bool
    deciding: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document or fact that the verdict turns on. `about` holds its members apart from the text."""

    id: str
    about: tuple[tuple[str, str], ...]
    text: str
    marks: tuple[Mark, ...]
    cited: bool
    supplied: bool
    deciding: bool

    def runs(self) -> tuple[Run, ...]:
        """Cut the text where marks begin or end (they may overlap); joined, the runs are the text."""
        edges = {0, len(self.text)} | {edge for mark in self.marks for edge in (mark.start, mark.end)}
        cuts = sorted(edges)
        runs = []
        for start, end in pairwise(cuts):
            over = [mark for mark in self.marks if mark.start <= start and end <= mark.end]
            runs.append(
                Run(
                    text=self.text[start:end],
                    quoted=any(mark.role == QUOTED for mark in over),
                    wanted=any(mark.role == WANTED for mark in over),
                    held=any(mark.role == HELD for mark in over),
                    deciding=any(mark.deciding for mark in over),
                )
            )
        return tuple(runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedAt:
    """Where a malformed text shows its fault. Lines end at LF.

    `excerpt` is the line, cut around the caret where it is too long (`cut_before`, `cut_after`); `caret` is a
    place in the excerpt, one past its end where the text ends too early.
    """

    reason: str
    line: int
    column: int
    excerpt: str
    caret: int
    cut_before: bool
    cut_after: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One difference from the pair. `kind` is `changed`, `added` or `removed`; the spellings are JSON.

    `path` is the place in this candidate or, for what was removed, in the pair: `claims[0].value`.
    """

    kind: str
    path: str
    pair: str
    here: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """The smallest run in which two texts differ: at `start` stands `here` where the pair has `pair`."""

    start: int
    pair: str
    here: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What separates a candidate from its pair, by members, or by text where one of the two is not JSON.

    Nothing in any of the three: the same answer to the same request. `requests` are the differences of the
    request: the same text may be right for another.
    """

    changes: tuple[Change, ...] = ()
    text: TextChange | None = None
    requests: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One verdict, told.

    `steps` has one step for each layer, in order. `request` holds its members, in order. `place` is the
    deciding piece of the candidate, (start, end), where there is one. `mend` says what to change, a sentence
    each. `fooled` are the layers that pass although the contract rejects. Without a pair there is no
    `difference`.
    """

    verdict: Verdict
    candidate: str
    request: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    sources: tuple[Source, ...]
    place: tuple[int, int] | None
    mend: tuple[str, ...]
    fooled: tuple[str, ...]
    malformed: MalformedAt | None
    difference: Difference | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A clause that a candidate breaks: what was found and expected, what mends it, and where it shows."""

    clause: str | None
    sentence: str
    found: str = ""
    expected: str = ""
    path: Path | None = ()
    mend: tuple[str, ...] = ()


def quoted(text: str, limit: int = MAX_QUOTED) -> str:
    """Put a text in quotation marks as JSON does, cut to a readable length."""
    if len(text) <= limit:
        return json.dumps(text, ensure_ascii=False)
    return f"{json.dumps(text[:limit], ensure_ascii=False)}... ({len(text)} characters)"


def named(text: str) -> str:
    """Write an id or another short word as it is, or in quotation marks where its ends would not be plain."""
    return text if _WORD.fullmatch(text) else quoted(text)


def spelt(value: Value) -> str:
    """Spell a JSON value, compactly."""
    if isinstance(value, Number):
        return value.literal
    if isinstance(value, list):
        return f"[{','.join(spelt(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{spelt(name)}:{spelt(item)}' for name, item in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)


def kind(value: Value) -> str:
    """Name a JSON value, as a person would."""
    if isinstance(value, Number):
        return f"the number {value.literal if len(value.literal) <= 40 else value.literal[:40] + '...'}"
    if isinstance(value, str):
        return f"the string {quoted(value)}"
    if isinstance(value, list):
        return f"an array of {counted(len(value), 'element')}"
    if isinstance(value, dict):
        return f"an object of {counted(len(value), 'member')}"
    return "null" if value is None else f"the word {str(value).lower()}"


def listed(words: list[str] | tuple[str, ...], last: str = "and") -> str:
    """List words: `a, b and c`; `nothing` for none."""
    if not words:
        return "nothing"
    *most, end = words
    return f"{', '.join(most)} {last} {end}" if most else end
