"""A space of candidates: all that can be built from a closed vocabulary, and how many they are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from ..contracts.base import Verdict

#: The malformed token: a number, where every contract asks for a string.
TOKEN: Final = "0"  # noqa: S105  # no password


class Point(NamedTuple):
    """A well-formed candidate: its verdict, whether it is right by the plain rule, its length, its parts."""

    verdict: Verdict
    right: bool
    length: int
    parts: Any


class Space(ABC):
    """Every candidate from one vocabulary for one request, in a fixed order.

    A candidate with the malformed token in any place is malformed, whatever else is in it; so these are
    counted, and the well-formed ones are judged one by one.
    """

    #: The rule, in words, that `Point.right` states without the contract; and what is counted up to `most`.
    rule: str
    counted: str

    @property
    @abstractmethod
    def vocabulary(self) -> str:
        """Say what the vocabulary holds."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Count the candidates, the malformed ones included."""

    @property
    @abstractmethod
    def well_formed(self) -> int:
        """Count the well-formed candidates."""

    @abstractmethod
    def points(self) -> Iterator[Point]:
        """Judge each well-formed candidate."""

    @abstractmethod
    def text(self, parts: Any) -> str:
        """Write the candidate that consists of these parts."""

    @abstractmethod
    def smallest_malformed(self) -> str | None:
        """Return the smallest candidate with the malformed token, by length, then by code points."""


def absent(known: set[str], what: str) -> str:
    """Make up a word that is not among the known ones."""
    word = f"no-such-{what}"
    while word in known:
        word += "-x"
    return word


def distinct(words: Iterator[str]) -> list[str]:
    """Return words without repeats, in their order."""
    return list(dict.fromkeys(words))
