"""Telling of shapes: the members and the strings that both contracts ask for; and texts that look alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ..strict_json import Number, Value, units
from .story import Broken, Path, kind, listed, quoted, spelt


def misshapen(clause: str, path: Path, *, what: str, found: str, expected: str) -> Broken:
    """Tell that one thing stands where another belongs."""
    return Broken(
        clause=clause,
        sentence=f"{what} is {found}; {expected} belongs there.",
        found=found,
        expected=expected,
        path=path,
        mend=(f"Write {expected} at the marked place.",),
    )


def wrong_members(
    value: Mapping[str, Value], wanted: tuple[str, ...], path: Path, *, clause: str, what: str
) -> Broken | None:
    """Tell the first member that does not belong, or that is missing."""
    names = listed([quoted(name) for name in wanted])
    members = f"exactly the {'member' if len(wanted) == 1 else 'members'} {names}"
    for name in value:
        if name not in wanted:
            return Broken(
                clause=clause,
                sentence=f"{what} has a member {quoted(name)}, which does not belong there.",
                found=f"the member {quoted(name)}",
                expected=members,
                path=(*path, name),
                mend=(_rename(name, value, wanted) or f"Take the member {quoted(name)} out.",),
            )
    for name in wanted:
        if name not in value:
            return Broken(
                clause=clause,
                sentence=f"{what} has no member {quoted(name)}.",
                found=f"only {listed([quoted(name) for name in value])}" if value else "no member",
                expected=members,
                path=path,
                mend=(f"Write the member {quoted(name)}.",),
            )
    return None


def _rename(name: str, value: Mapping[str, Value], wanted: tuple[str, ...]) -> str | None:
    """Say which missing member a member that does not belong was probably meant to be."""
    from difflib import get_close_matches  # only a fault needs it

    missing = [other for other in wanted if other not in value]
    folded = name.casefold()
    for other in missing:
        near = get_close_matches(folded, (other,), cutoff=0.6)
        if near or folded.startswith(other) or (folded and other.startswith(folded)):
            return f"Rename the member {quoted(name)} to {quoted(other)}, which is missing."
    if len(missing) == 1 and len(value) == len(wanted):
        return f"Take the member {quoted(name)} out, or rename it to {quoted(missing[0])}, which is missing."
    return None


def wrong_string(
    value: Value, path: Path, *, clause: str, what: str, limit: int, empty: bool, nullable: bool = False
) -> Broken | None:
    """Tell what is wrong with a value that has to be a string of at most so many units."""
    expected = f"{'null or ' if nullable else ''}a string of {0 if empty else 1} to {limit} UTF-16 code units"
    if value is None and nullable:
        return None
    if not isinstance(value, str):
        wrong = misshapen(clause, path, what=what, found=kind(value), expected=expected)
        if isinstance(value, Number | bool):
            wrong = replace(wrong, mend=(f"Put it in quotation marks: {quoted(spelt(value))}.",))
        return wrong
    if not value and not empty:
        return misshapen(clause, path, what=what, found="an empty string", expected=expected)
    if units(value) > limit:
        found = f"a string of {units(value)} units"
        return misshapen(clause, path, what=what, found=found, expected=expected)
    return None


#: The one version of the character database that every Python has, so that stories are the same on all.
_UCD: Final = unicodedata.ucd_3_2_0
_UNSEEN: Final = ("Cc", "Cf", "Zs", "Zl", "Zp")
_FOLDS: Final[tuple[tuple[str, Callable[[str], str]], ...]] = (
    ("white space at its ends", str.strip),
    ("white space", lambda text: "".join(text.split())),
    ("capital and small letters", str.casefold),
    ("look-alike forms of characters", lambda text: _UCD.normalize("NFKC", text)),
    (
        "characters that cannot be seen",
        lambda text: "".join(char for char in text if char == " " or _UCD.category(char) not in _UNSEEN),
    ),
)


def near_miss(text: str, *, within: str | None = None, equal: str | None = None) -> str:
    """Say that a text differs only in a way that is easy to overlook, or say nothing."""
    for name, fold in _FOLDS:
        folded = fold(text)
        if folded and (
            (within is not None and folded in fold(within)) or (equal is not None and folded == fold(equal))
        ):
            return f" The two differ in {name} alone, and that is enough: nothing is trimmed or converted."
    return ""
