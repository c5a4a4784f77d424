"""What a YAML syntax error means to the person who wrote the file.

`syntax_error` turns PyYAML's report into a line, what was found there, and the likely mend. Each diagnosis
looks at the source itself, since the parser often notices a mistake lines after it was made; the first that
knows what happened speaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import yaml

from .shapes import shown
from .yaml_trouble import Trouble, locate
from .yaml_words import LOOK_ALIKES, no_colon

Diagnosis = tuple[int, str]

_KEY: Final = re.compile(r"\s*(?:- +)*[^\s:'\"]+\s*")
_OPENS_QUOTE: Final = re.compile(r"\s*(?:- +)*(?:[^\s:'\"]+:\s+)?(['\"])")
_ENDS_QUOTED: Final = re.compile(r"\s*(?:- +)*[^\s:'\"]+:\s+([^\s'\"|>].*)(['\"])\s*")
_LOOK_BACK: Final = 60


def syntax_error(text: str, error: yaml.YAMLError) -> Diagnosis:
    """Return the line (from 1) of a syntax error and a message that says what to mend."""
    trouble = locate(text, error)
    for diagnose in _DIAGNOSES:
        found = diagnose(trouble)
        if found is not None:
            return found[0] + 1, found[1]
    detail = trouble.problem.replace("<", "").replace(">", "") or "the text is not YAML"
    return trouble.line + 1, (
        f"YAML cannot be read from here on ({detail}); look for a quotation mark, a colon or an indentation "
        "that is wrong in this line or the one above"
    )


def _unclosed(line: str) -> str | None:
    """Return the quotation mark that a line opens its value with and does not close."""
    opening = _OPENS_QUOTE.match(line)
    if not opening:
        return None
    mark, rest = opening[1], line[opening.end() :]
    rest = rest.replace("''", "") if mark == "'" else re.sub(r"\\.", "", rest)
    return None if mark in rest else mark


def _tab(at: Trouble) -> Diagnosis | None:
    if at.rest.startswith("\t") and "cannot start any token" in at.problem:
        return at.line, "a tab stands here, and YAML takes spaces only; replace it by spaces"
    return None


def _missing_quote(at: Trouble) -> Diagnosis | None:
    if "quoted scalar" in at.context:  # it ran on to the end, or to a marker
        told = _unopened(at.lines[at.opened])
        if told:
            return at.opened, told
        return at.opened, _unclosed_message(_unclosed(at.lines[at.opened]) or "'")
    for line in range(at.line, max(at.line - _LOOK_BACK, -1), -1):
        mark = _unclosed(at.lines[line])
        if mark:
            return line, _unclosed_message(mark)
    return None


def _unclosed_message(mark: str) -> str:
    return f"the quotation mark {mark} is opened and not closed in this line; put {mark} at its end"


def _unopened(line: str) -> str | None:
    """Say that a line closes its value with a quotation mark, and does not open it with one."""
    value = _ENDS_QUOTED.match(line)
    if not value or value[1].count(value[2]) % 2:
        return None
    mark, begins = value[2], value[1][0]
    return (
        f"the quotation mark {mark} at the end of this line is not opened in it; put {mark} before "
        f"{begins!r} too, where the text begins"
    )


def _after_quote(at: Trouble) -> Diagnosis | None:
    if "but found '<scalar>'" not in at.problem:
        return None
    last = at.before.rstrip()[-1:]
    if last not in ("'", '"'):
        return None
    if at.before != at.before.rstrip():
        return at.line, (
            f"{shown(at.rest.strip())} stands after the closing quotation mark; "
            "put the whole text inside the quotation marks"
        )
    if last == "'":
        return at.line, (
            f"the text ends at the second ' and {shown(at.rest)} is left over; "
            "within single quotation marks an apostrophe is written twice: ''"
        )
    return at.line, (
        f'the text ends at the second " and {shown(at.rest)} is left over; '
        "put the whole text in single quotation marks instead: '…'"
    )


def _odd_space(at: Trouble) -> Diagnosis | None:
    """A full-width or no-break space indents nothing."""
    for line in (at.previous(), at.line):
        if line is not None and at.lines[line].lstrip(" ")[:1] in ("\u00a0", "\u3000"):
            odd = at.lines[line].lstrip(" ")[0]
            return line, f"{odd!r} is {LOOK_ALIKES[odd][0]}; indent the line by plain spaces"
    return None


def _curly_quote(at: Trouble) -> Diagnosis | None:
    """A curly quotation mark quotes nothing."""
    for line in (at.opened, at.line):
        value = re.match(r"\s*(?:- +)*[^\s:]+:\s+([“”‘’「＂＇])", at.lines[line])
        if value:
            name = LOOK_ALIKES[value[1]][0]
            return line, f"{value[1]!r} is {name}; only a straight one (' or \") quotes a text"
    return None


def _flow(at: Trouble) -> Diagnosis | None:
    if not at.context.startswith("while parsing a flow") or at.opened >= len(at.lines):
        return None
    opening = at.lines[at.opened]
    if "found ','" in at.problem:
        return at.line, "a comma stands where a value belongs; write the value, or take the comma out"
    if at.rest.startswith(":") and not at.before.strip(" {[,")[-1:].isalnum():
        return at.line, _NO_KEY
    if re.search(r':\s+[{\[]\s*"', opening):
        return at.opened, (
            "braces and brackets are YAML structure here; a text such as a JSON candidate stands in single "
            "quotation marks: '{…}'"
        )
    wanted = re.search(r"expected ',' or '(.)'", at.problem)
    if wanted and at.line == at.opened and at.rest:
        return at.line, f"a comma is missing before {shown(at.rest)}"
    opened = re.search(r"[{\[](?!.*[{\[])", opening)
    closing = wanted[1] if wanted else "}" if opened and opened[0] == "{" else "]"
    return at.opened, f"the bracket opened in this line is never closed; put {closing!r} at its end"


def _json_value(at: Trouble) -> Diagnosis | None:
    if re.match(r"\s*(?:- +)*[^\s:]+:\s+[{\[]\s*\"", at.source) and at.column > 0:
        return at.line, _unopened(at.source) or (
            "more stands after the closing brace; a text such as a JSON candidate stands in single quotation "
            "marks: '{…}'"
        )
    return None


def _colon(at: Trouble) -> Diagnosis | None:
    if "mapping values are not allowed" not in at.problem:
        return None
    if not _KEY.fullmatch(at.before):
        return at.line, (
            "': ' stands inside a text without quotation marks, as if it began another value; "
            "put the text in quotation marks"
        )
    previous = at.previous()
    if previous is None:  # pragma: no cover  # a key in the first line begins a mapping, and is no error
        return None
    above = at.lines[previous].strip()
    if not re.search(r":(\s|$)", above):
        return previous, no_colon(above)
    return at.line, (
        "this line is indented further than the one above, which has a value already; "
        "give it the same indentation as its neighbours"
    )


def _no_colon(at: Trouble) -> Diagnosis | None:
    if "could not find expected ':'" not in at.problem:
        return None
    return at.opened, no_colon(at.lines[at.opened])


def _first_character(at: Trouble) -> Diagnosis | None:
    if "cannot start any token" not in at.problem:
        return None
    mark = at.rest[:1]
    return at.line, f"a text without quotation marks cannot begin with {mark!r}; put it in quotation marks"


def _escape(at: Trouble) -> Diagnosis | None:
    if "unknown escape" not in at.problem and "hexadecimal" not in at.problem:
        return None
    return at.line, (
        "within double quotation marks \\ begins an escape, and this one is unknown; "
        "put the text in single quotation marks, where \\ is itself"
    )


_SIGNS: Final = (
    ("sequence entries", "a list item begins on a line of its own, below its key; put '- ' on the next line"),
    ("mapping keys", "'? ' keys are not taken; put the text in quotation marks"),
    ("tag handle", "tags (!) are not taken; put the text in quotation marks, or take the ! out"),
    ("a tag", "tags (!) are not taken; put the text in quotation marks, or take the ! out"),
    ("alias", "aliases (*) are not taken; put the text in quotation marks, or write the value out"),
    ("an anchor", "anchors (&) are not taken; put the text in quotation marks, or take the & out"),
    ("directive", "directives (%) are not taken; take the line out"),
    ("block scalar", "after | only - or + may stand; begin the text on the next line"),
)


def _sign(at: Trouble) -> Diagnosis | None:
    for sign, reason in _SIGNS:
        if sign in at.problem or sign in at.context:
            return at.line, reason
    return None


_NO_KEY: Final = "a colon stands here without a key before it; write the key, or take the colon out"


def _indentation(at: Trouble) -> Diagnosis | None:
    if "expected <block end>" not in at.problem and "expected '<document start>'" not in at.problem:
        return None
    for line in range(at.line + 1):
        if at.lines[line].startswith("%"):
            return line, "directives (%) are not taken; take the line out"
    if "found ','" in at.problem:
        return at.line, "a comma stands after a value; take it out, lines need none"
    if re.match(r"\s*-[^\s-]", at.source):
        return at.line, no_colon(at.source)
    if at.rest.startswith("- "):
        return at.line, (
            "this list item does not stand below those above; give each item its hyphen, "
            "and all hyphens the same indentation"
        )
    if at.rest.startswith(":"):
        return at.line, _NO_KEY
    if at.before.strip(" -"):
        return at.line, f"{shown(at.rest)} stands after the value; put the whole text in quotation marks"
    indent = len(at.source) - len(at.source.lstrip(" "))
    spaces = "1 space" if indent == 1 else f"{indent} spaces"
    return at.line, (
        f"this line is indented by {spaces}, which fits none of the lines above; "
        "give it the same indentation as its neighbours"
    )


def _node(at: Trouble) -> Diagnosis | None:
    found = re.search(r"expected the node content, but found '(.+)'", at.problem)
    if not found:
        return None
    if found[1].startswith("<document"):
        return at.line, "the markers '---' and '...' are not taken; take the line out"
    mend = "put the text in quotation marks, or take it out"
    return at.line, f"{found[1]!r} stands where a value belongs; {mend}"


_DIAGNOSES: Final[tuple[Callable[[Trouble], Diagnosis | None], ...]] = (
    _tab,
    _after_quote,
    _escape,
    _odd_space,
    _curly_quote,
    _missing_quote,
    _sign,
    _flow,
    _json_value,
    _colon,
    _no_colon,
    _first_character,
    _indentation,
    _node,
)
