"""Text to a JSON value, or one reason with its offset. Knows no contract.

Implements clauses J1 to J7 of docs/contract.md on top of the standard `json` module, which on its own takes
`NaN`, keeps the last of doubled names, lets unpaired surrogates through, and shows the interpreter's limits.
The order of work:

1. the length in UTF-16 code units (J1), and surrogates standing in the text (J2);
2. nesting, counted before anything recurses (J7);
3. every escape (J4) and every surrogate it writes (J6), which makes the reader with and without the C
   accelerator take the same texts;
4. `json` itself, with hooks that refuse constants and doubled names (J3, J5) and keep numbers as they are
   written, so that no digit limit and no infinity is met.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NoReturn, TypeAlias

MAX_UNITS: Final = 8192
MAX_DEPTH: Final = 16

Value: TypeAlias = "str | Number | bool | list[Value] | dict[str, Value] | None"


@dataclass(frozen=True, slots=True)
class Number:
    """A JSON number, as it is written."""

    literal: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """Why a text is not strict JSON, and the code point in it that shows it, from 0."""

    reason: str
    offset: int


class _RefusedError(Exception):
    """Raised by the hooks, inside this module alone."""


class _OtherDigitsError(Exception):
    """Raised in the same way, on a number that goes on with digits other than 0 to 9."""


def units(text: str) -> int:
    """Count UTF-16 code units: a character beyond U+FFFF counts two."""
    return len(text) if text.isascii() else len(text) + sum(map("\uffff".__lt__, text))


def is_longer(text: str, limit: int) -> bool:
    """Tell whether a text has more than so many UTF-16 code units."""
    return len(text) > limit or (len(text) > limit // 2 and units(text) > limit)


def parse(text: str, *, max_units: int | None = MAX_UNITS, max_depth: int = MAX_DEPTH) -> Value | Malformed:
    """Read a text as exactly one JSON value by RFC 8259 and RFC 7493."""
    if max_units is not None and is_longer(text, max_units):  # J1
        return Malformed(f"the text is longer than {max_units} UTF-16 code units", _cut(text, max_units))
    if not text.isascii() and (lone := _SURROGATE.search(text)):  # J2
        return Malformed("a surrogate code point stands in the text", lone.start())
    if text.count("[") + text.count("{") > max_depth:  # J7
        offset = _too_deep(text, max_depth)
        if offset is not None:
            return Malformed(f"brackets nest deeper than {max_depth}", offset)
    if "\\" in text:  # J4, J6
        end = _GOOD_ESCAPES.match(text).end()  # type: ignore[union-attr]  # it matches the empty text
        if end < len(text):
            return _bad_escape(text, end)
    try:
        value: Value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return _syntax(text, error)
    except _RefusedError:
        return _refused(text)
    except _OtherDigitsError:
        return _syntax(text, _after_number(text))
    return value


# Hooks


def _members(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    members = dict(pairs)
    if len(members) != len(pairs):  # J5
        raise _RefusedError
    return members


def _number(literal: str) -> Number:
    if not literal.isascii():  # the reader without the accelerator takes any Unicode digit
        raise _OtherDigitsError
    return Number(literal)


def _constant(_: str) -> NoReturn:
    raise _RefusedError  # J3: NaN, Infinity, -Infinity


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_number, parse_float=_number, parse_constant=_constant
)

# What is looked for before and after

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_HIGH: Final = r"u[dD][89abAB][0-9a-fA-F]{2}"
_LOW: Final = r"u[dD][c-fC-F][0-9a-fA-F]{2}"
_PLAIN: Final = r"u(?![dD][89a-fA-F])[0-9a-fA-F]{4}"
_GOOD_ESCAPES: Final = re.compile(rf'(?:[^\\]+|\\(?:["\\/bfnrt]|{_PLAIN}|{_HIGH}\\{_LOW}))*')
_LONE_ESCAPE: Final = re.compile(rf"\\(?:{_HIGH}|{_LOW})")
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}:,]|[^\s"\[\]{}:,]+', re.DOTALL)
_CONSTANT: Final = re.compile(r"NaN|-?Infinity")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_SPACE: Final = " \t\n\r"
_COLON: Final = re.compile(r"[ \t\n\r]*:")
#: How messages of `json` begin: about what follows a value within a container, and after the whole text.
_AFTER_VALUE: Final = "Expecting ','"
_AFTER_ALL: Final = "Extra data"


def _cut(text: str, limit: int) -> int:
    """Return the offset of the first character that does not fit."""
    counts = accumulate(1 if char <= "\uffff" else 2 for char in text)
    return next(offset for offset, counted in enumerate(counts) if counted > limit)


def _too_deep(text: str, limit: int) -> int | None:
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in "[{":
            depth += 1
            if depth > limit:
                return token.start()
        elif token[0] in "]}":
            depth -= 1
    return None


def _bad_escape(text: str, offset: int) -> Malformed:
    if _LONE_ESCAPE.match(text, offset):
        return Malformed("an escape writes an unpaired surrogate", offset)
    word = text[offset : offset + 2]
    mend = ": four hexadecimal digits belong after it" if word == "\\u" else ""
    return Malformed(f"{word!r} is not an escape of JSON{mend}", offset)


def _refused(text: str) -> Malformed:
    """Say what a hook refused, and find where it stands: the hooks are not told.

    Up to there the text is right, so that a string before a colon is a name.
    """
    names: list[set[str]] = []

    def fault(token: re.Match[str]) -> Malformed | None:
        word = token[0]
        if word in ("[", "{"):
            names.append(set())
        elif word in ("]", "}"):
            names.pop()
        elif word.startswith('"') and _COLON.match(text, token.end()):
            name = json.loads(word)
            if name in names[-1]:
                return Malformed(f"the member {name!r} stands twice in one object", token.start())
            names[-1].add(name)
        elif _CONSTANT.match(word):
            return Malformed(f"{word} is not JSON", token.start())
        return None

    return next(found for token in _TOKEN.finditer(text) if (found := fault(token)))


def _after_number(text: str) -> json.JSONDecodeError:
    """Return what the accelerator raises: to it, a number ends before the first digit that is not ASCII."""
    tokens = list(_TOKEN.finditer(text))
    words = [token[0] for token in tokens]
    at = next(at for at, word in enumerate(words) if not word.isascii() and not word.startswith('"'))
    end = tokens[at].end() - len(_NUMBER.sub("", words[at], count=1))
    return json.JSONDecodeError(_AFTER_VALUE if at else _AFTER_ALL, text, end)  # a bracket comes first


def _syntax(text: str, error: json.JSONDecodeError) -> Malformed:
    """Reword what `json` says, the same for every version of Python."""
    if error.msg.startswith(("Unterminated string", "Invalid \\")):  # the second where an escape is last
        return Malformed("a string is opened and never closed", list(_TOKEN.finditer(text))[-1].start())
    if error.msg.startswith("Invalid control character"):
        offset = error.pos - (text[error.pos - 1] < " ")  # the reader without the accelerator is one further
        char = ord(text[offset])
        return Malformed(f"the control character U+{char:04X} stands unescaped in a string", offset)
    offset = error.pos
    rest = text[offset:].lstrip(_SPACE)
    offset = len(text) - len(rest)
    before = text[:offset].rstrip(_SPACE)
    if rest[:1] == "," and rest[1:].lstrip(_SPACE)[:1] in ("]", "}"):
        return Malformed("a comma stands before the closing bracket", offset)
    if before.endswith(",") and rest[:1] in ("]", "}"):
        return Malformed("a comma stands before the closing bracket", len(before) - 1)
    if error.msg.startswith(_AFTER_ALL):
        return Malformed("something follows the JSON value", offset)
    if not rest:
        return Malformed("the text ends before the JSON value does", len(text))
    wanted = next((what for start, what in _WANTED if error.msg.startswith(start)), "something else")
    return Malformed(f"{rest[0]!r} stands where {wanted} belongs", offset)


_WANTED: Final = (
    ("Expecting value", "a value"),
    ("Expecting property name", "a member name in double quotation marks"),
    ("Expecting ':'", "a colon"),
    (_AFTER_VALUE, "a comma or a closing bracket"),
)
