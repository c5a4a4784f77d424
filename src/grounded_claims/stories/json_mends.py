"""What mends a text that is not JSON: the clause that it breaks, and a sentence that says what to write.

Each mend looks at the text itself, since the reader often notices a mistake some characters after it was
made; the first that knows what happened speaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ..strict_json import MAX_UNITS, Malformed
from ..yaml_words import LOOK_ALIKES
from .story import quoted

#: How the reasons of `strict_json` begin or end, and the clause that each is a case of; any other is of J3.
_CLAUSES: Final = (
    ("is not UTF-8", "J8", "Save the text as UTF-8."),
    ("with a byte order mark", "J8", "Save the text as UTF-8 without a byte order mark."),
    ("the text is longer than", "J1", f"Shorten the text to at most {MAX_UNITS} UTF-16 code units."),
    ("a surrogate code point", "J2", "Take the surrogate out: no character of Unicode is written so."),
    ("the control character", "J4", "Write the control character as an escape, such as \\n or \\t."),
    ("an escape writes an unpaired", "J6", "Write the escape of a whole character, or both halves of it."),
    (
        "is not an escape of JSON",
        "J4",
        'Use one of the escapes of JSON: \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX.',
    ),
    ("stands twice in one object", "J5", "Keep one of the two members."),
    ("brackets nest deeper", "J7", "Take the brackets away: no answer of this contract nests so deep."),
    ("a comma stands before", "J3", "Take the comma out."),
)
#: The mends of last resort, by what the reason says.
_SIMPLY: Final = (
    ("something follows", "Keep one JSON value, and nothing before or after it."),
    ("a string is opened", "Close the string with a quotation mark."),
    ("the text ends before", "Finish the text: what was opened has to be closed."),
    ("where a colon belongs", "Write a colon between a member's name and its value."),
    (
        "where a comma or a closing bracket belongs",
        "Write a comma before the marked place, or close the bracket.",
    ),
    ("where a member name", "Write a member's name there, in double quotation marks."),
    ("where a value belongs", "Write a value before the marked place."),
    ("is not JSON", 'Write a JSON number, or put the word in quotation marks, such as "NaN".'),
)
_WORDS: Final = {
    **dict.fromkeys(("none", "null", "nil", "undefined"), "null"),
    **dict.fromkeys(("true", "yes"), "true"),
    **dict.fromkeys(("false", "no"), "false"),
}
_WORD: Final = re.compile(r"[+.]?\w[\w.\-/]*")
_STRING_BEFORE: Final = re.compile(r'"(?:[^"\\]|\\.)*"\s*\Z', re.DOTALL)
_SINGLE, _DOUBLE = "'", '"'
_QUOTES: Final = re.compile("[“”‘’「」＂＇]")


def clause_of(text: str, malformed: Malformed) -> tuple[str, str]:
    """Return the clause of J that a malformed text breaks, and what mends it."""
    for words, clause, mend in _CLAUSES:
        if words in malformed.reason:
            return clause, mend
    for look in _LOOKS:
        told = look(text, malformed)
        if told is not None:
            return "J3", told
    return "J3", next(
        (mend for words, mend in _SIMPLY if words in malformed.reason), "Take out what stands there."
    )


def _empty(text: str, _: Malformed) -> str | None:
    return None if text.strip() else "Write an answer: the text is empty, and an answer is one JSON value."


def _fence(text: str, at: Malformed) -> str | None:
    if text.startswith("```", at.offset):
        return "Take the Markdown fence (```) out, before and after: the JSON alone is the answer."
    return None


def _look_alike(text: str, at: Malformed) -> str | None:
    """A curly or full-width sign stands at the place, or within the string that ends or begins there."""
    here = text[at.offset : at.offset + 1]
    if here not in LOOK_ALIKES:
        string = _string_about(text, at)
        curly = _QUOTES.search(string)
        if curly is None:
            return None
        here = curly[0]
    name, sign = LOOK_ALIKES[here]
    return f"Type {sign.replace(_SINGLE, _DOUBLE)} for {here}, which is {name}."


def _string_about(text: str, at: Malformed) -> str:
    """Return the string that is opened at the place, or that ends just before it."""
    if at.reason.startswith("a string is opened"):
        return text[at.offset :]
    before = _STRING_BEFORE.search(text[: at.offset]) if "belongs" in at.reason else None
    return before[0] if before else ""


def _single(text: str, at: Malformed) -> str | None:
    if text.startswith("'", at.offset):
        return "Write double quotation marks: JSON knows \" alone, and no '."
    return None


def _comment(text: str, at: Malformed) -> str | None:
    if text.startswith(("//", "/*", "#"), at.offset):
        return "Take the comment out: JSON has none."
    return None


def _prose(text: str, at: Malformed) -> str | None:
    """Words stand before or after the JSON."""
    if (
        at.offset == len(text) - len(text.lstrip())
        and text[at.offset].isalpha()
        and re.search(r"[{\[]", text)
    ):
        return "Take out what stands before the JSON: the JSON alone is the answer."
    if at.reason.startswith("something follows") and text[at.offset] in "]}":
        return f"Take the {text[at.offset]} out: it closes nothing."
    return None


def _word(text: str, at: Malformed) -> str | None:
    """A bare word stands where something in quotation marks, or null, true or false, belongs."""
    word = _WORD.match(text, at.offset)
    if word is None or "belongs" not in at.reason:
        return None
    if "a value belongs" in at.reason and word[0].casefold() in _WORDS:
        return f"Write {_WORDS[word[0].casefold()]} for {word[0]}, or put a text in quotation marks."
    if "a value belongs" in at.reason or "a member name" in at.reason:
        return f"Put it in quotation marks; an opening one is missing: {quoted(word[0])}."
    if _STRING_BEFORE.search(text[: at.offset]):
        return (
            'A quotation mark " is missing before the marked place, or one is too many: look where the text '
            'that ends here begins. Within a text a quotation mark is written \\".'
        )
    return "Put the value in quotation marks, all of it."


def _comma(text: str, at: Malformed) -> str | None:
    if "a comma or a closing" in at.reason and text[at.offset] in '{["':
        return "Write a comma before the marked place."
    return None


_LOOKS: Final[tuple[Callable[[str, Malformed], str | None], ...]] = (
    _empty,
    _fence,
    _look_alike,
    _single,
    _comment,
    _prose,
    _word,
    _comma,
)
