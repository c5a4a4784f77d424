"""Plain values against closed shapes, every fault collected.

The readers of suites and requests take values made of strings, integers, booleans, null, lists and mappings,
whether they came from YAML or from JSON. A `Checker` notes each fault with its path and returns an empty
value in its place, so that reading goes on and all faults are reported together; what was built is of use
only when `checker.faults` is empty.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from .errors import Fault, Path

SLUG: Final = re.compile(r"[a-z0-9-]+")
FIELD: Final = re.compile(r"[a-z][a-z0-9_]*")

#: Words that a suggestion is looked for among: comparing takes longer than anything else of a fault.
MAX_COMPARED: Final = 200

#: Stands for a member that `Checker.closed` has already reported as missing.
ABSENT: Final = object()


def kind(value: object) -> str:
    """Name the kind of a plain value, as a user would."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, int):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {shown(value)}"
    return "a list" if isinstance(value, Sequence) else "a mapping"


def shown(text: str, limit: int = 60) -> str:
    """Quote a text for a message, cut to a readable length."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def nearest(word: str, words: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the nearest of the words, or nothing."""
    near = nearest_word(word, words)
    return "" if near is None else f"; did you mean {near!r}?"


def nearest_word(word: str, words: Iterable[str]) -> str | None:
    """Return the nearest of the words, if one is near; of very many words, none."""
    import difflib  # only a fault needs it

    candidates = list(islice(words, MAX_COMPARED + 1))
    if len(candidates) > MAX_COMPARED:
        return None
    folded = {known.casefold(): known for known in candidates}
    near = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else None


def listed(words: Iterable[str]) -> str:
    """List words for a message: `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


class Checker:
    """Reads plain values and collects what is wrong with them."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, path: Path, message: str) -> None:
        """Note one fault."""
        self.faults.append(Fault(path=path, message=message))

    def mapping(self, value: object, path: Path, *, what: str = "a mapping") -> Mapping[str, Any]:
        """Return a mapping with at least one member, or note a fault and return an empty one."""
        if value is ABSENT:
            return {}
        if not isinstance(value, Mapping):
            self.fault(path, f"{kind(value)} stands where {what} belongs")
            return {}
        if not value:
            self.fault(path, f"is empty; {what} with at least one member belongs here")
        return value

    def closed(
        self, value: object, path: Path, *, required: Sequence[str], optional: Sequence[str] = ()
    ) -> Mapping[str, Any]:
        """Return a mapping with exactly these members; a missing one is noted and comes back as `ABSENT`."""
        known = (*required, *optional)
        members: dict[str, Any] = dict.fromkeys(known, ABSENT)
        if value is ABSENT:
            return members
        if not isinstance(value, Mapping):
            self.fault(path, f"{kind(value)} stands where a mapping with {listed(known)} belongs")
            return members
        for key in value:
            if key not in known:
                self.fault(
                    (*path, key), f"is not known here{nearest(key, known) or f'; known: {listed(known)}'}"
                )
        for key in required:
            if key not in value:
                self.fault(path, f"{key!r} is missing; nothing is defaulted, so write it down")
        members.update((key, value[key]) for key in known if key in value)
        return members

    def items(self, value: object, path: Path, *, what: str, empty: bool = False) -> Sequence[Any]:
        """Return a list, by default of at least one item."""
        if value is ABSENT:
            return ()
        if isinstance(value, str) or not isinstance(value, Sequence):
            self.fault(path, f"{kind(value)} stands where a list of {what} belongs")
            return ()
        if not value and not empty:
            self.fault(path, f"is empty; at least one of the {what} belongs here")
        return value

    def text(self, value: object, path: Path, *, empty: bool = False, one_line: bool = False) -> str:
        """Return a string, by default not empty."""
        if value is ABSENT:
            return ""
        if not isinstance(value, str):
            mend = f'; put it in quotation marks: "{_spelling(value)}"' if isinstance(value, int) else ""
            mend = '; for the word itself write "null" in quotation marks' if value is None else mend
            self.fault(path, f"{kind(value)} stands where text belongs{mend}")
            return ""
        if not value and not empty:
            self.fault(path, "is an empty text; say something here")
        if one_line and ("\n" in value or "\r" in value):
            self.fault(path, f"{shown(value)} holds a line break; a value is one line")
        return value

    def nullable(self, value: object, path: Path, *, one_line: bool = False) -> str | None:
        """Return a string that is not empty, or null."""
        return None if value is None else self.text(value, path, one_line=one_line)

    def name(self, value: object, path: Path, *, pattern: re.Pattern[str], what: str) -> str:
        """Return a string that the whole pattern matches."""
        text = self.text(value, path)
        if text and not pattern.fullmatch(text):
            self.fault(path, f"{shown(text)} is not {what}: it must match {pattern.pattern}")
            return ""
        return text

    def choice(self, value: object, path: Path, *, among: Collection[str], what: str) -> str:
        """Return one of the given words."""
        text = self.text(value, path)
        if text and text not in among:
            known = f"; known: {listed(among)}" if 0 < len(among) <= 20 else ""
            self.fault(path, f"{shown(text)} is not {what}{nearest(text, among) or known}")
            return ""
        return text

    def choices(
        self, value: object, path: Path, *, among: Collection[str], what: str, empty: bool = False
    ) -> tuple[str, ...]:
        """Return a list of given words, none of them twice."""
        chosen: list[str] = []
        for index, item in enumerate(self.items(value, path, what=what, empty=empty)):
            word = self.choice(item, (*path, index), among=among, what=f"one of the {what}")
            if word and word in chosen:
                self.fault((*path, index), f"{shown(word)} stands here twice; take one out")
            chosen.append(word)
        return tuple(chosen)

    def count(self, value: object, path: Path) -> int:
        """Return an integer that is not negative."""
        if value is ABSENT:
            return 0
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(path, f"{kind(value)} stands where a whole number belongs, without quotation marks")
            return 0
        if value < 0:
            self.fault(path, f"{value} is negative; a count belongs here")
        return value


def _spelling(value: int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
