"""What YAML makes of a plain scalar, and what a syntax error means to the person who wrote the file.

`plain` decides F1.6. `syntax_error` turns PyYAML's report into a line, what was found there, and the likely mend:
each diagnosis below looks at the source itself, since the parser often notices a mistake lines after it was made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import yaml
from yaml.resolver import Resolver

from .shapes import shown

_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,17}")
_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_RESOLVERS: Final = Resolver.yaml_implicit_resolvers
_READABLE: Final = 60
_YES_NO: Final = {"y": "true", "Y": "true", "n": "false", "N": "false"}

#: Characters that an input method or a word processor puts where YAML wants a plain one.
LOOK_ALIKES: Final = {
    "“": ("a curly quotation mark", '"'),
    "”": ("a curly quotation mark", '"'),
    "‘": ("a curly quotation mark", "'"),
    "’": ("a curly quotation mark", "'"),
    "「": ("a corner bracket", "'"),
    "」": ("a corner bracket", "'"),
    "＂": ("a full-width quotation mark", '"'),
    "＇": ("a full-width quotation mark", "'"),
    "：": ("a full-width colon", ":"),
    "，": ("a full-width comma", ","),
    "、": ("an ideographic comma", ","),
    "［": ("a full-width bracket", "["),
    "］": ("a full-width bracket", "]"),
    "【": ("a full-width bracket", "["),
    "】": ("a full-width bracket", "]"),
    "｛": ("a full-width brace", "{"),
    "｝": ("a full-width brace", "}"),
    "－": ("a full-width hyphen", "-"),
    "–": ("a dash", "-"),
    "—": ("a dash", "-"),
    "\u2212": ("a minus sign", "-"),
    "＿": ("a full-width underscore", "_"),
    "＝": ("a full-width equals sign", "="),
    "＃": ("a full-width number sign", "#"),
    "\u3000": ("a full-width space", " "),
    "\u00a0": ("a no-break space", " "),
}


def look_alike(text: str) -> str:
    """Say which character of a text was probably meant to be another, or nothing."""
    for character in text:
        if character in LOOK_ALIKES:
            name, plainly = LOOK_ALIKES[character]
            return f"{character!r} is {name}; type {plainly!r}"
    return ""


def plain(text: str, *, key: bool = False) -> tuple[bool | int | str | None, str | None]:
    """Read a plain scalar by F1.6: its value and, where YAML would silently change it, a message."""
    value, message = _plain(text)
    if key and message is None and not isinstance(value, str):
        message = f'{text} is no text to YAML, and a key is; put it in quotation marks: "{text}"'  # F1.4
    return (text if key else value), message


def _plain(text: str) -> tuple[bool | int | str | None, str | None]:
    if text in _WORDS:
        return _WORDS[text], None
    tags = [tag for tag, pattern in _RESOLVERS.get(text[:1], ()) if pattern.match(text)]
    if not tags and text not in _YES_NO:
        return text, None
    if _INTEGER.fullmatch(text):
        return int(text), None
    return text, _changed(text, tags[0].rpartition(":")[2] if tags else "bool")


def _changed(text: str, tag: str) -> str:
    """Say what YAML makes of a plain scalar, and how to write it as a text."""
    quoted = f'put it in quotation marks: "{text}"'
    if not text:
        return 'nothing stands here; write the value, or null for none, or "" for an empty text'
    if tag == "null":
        return f"{text} is null to YAML; write null for none; if the text is meant, {quoted}"
    if tag == "bool":
        meant = _YES_NO.get(text) or str(yaml.safe_load(text)).lower()
        return f"{text} is the boolean {meant} to YAML; {quoted}"
    if tag in ("int", "float"):
        return f"{shown(text)[1:-1]} is {_number(text)} to YAML; put it in quotation marks" + (
            f': "{text}"' if len(text) <= _READABLE else ""
        )
    what = {"timestamp": "a date", "merge": "a merge key"}.get(tag, "a special word")
    return f"{text} is {what} to YAML; {quoted}"


def _number(text: str) -> str:
    if re.fullmatch(r"[-+]?[1-9][0-9]{18,}", text):
        return "a number of more than 18 digits"
    try:
        return f"the number {yaml.safe_load(text)}" if len(text) <= _READABLE else "a number"
    except ValueError:  # 0x_ passes for a number until somebody converts it
        return "a number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """A syntax error: the lines of the file, and where the parser gave up (lines and columns from 0)."""

    lines: Sequence[str]
    line: int
    column: int
    problem: str
    context: str
    opened: int
    """The line at which the construct began that the parser was reading."""

    @property
    def source(self) -> str:
        """The line of the problem."""
        return self.lines[self.line] if self.line < len(self.lines) else ""

    @property
    def before(self) -> str:
        """The part of the line before the problem."""
        return self.source[: self.column]

    @property
    def rest(self) -> str:
        """The part of the line from the problem on."""
        return self.source[self.column :]

    def previous(self) -> int | None:
        """The nearest line above that is neither blank nor a comment."""
        for line in range(min(self.line, len(self.lines)) - 1, -1, -1):
            if self.lines[line].strip() and not self.lines[line].lstrip().startswith("#"):
                return line
        return None


Diagnosis = tuple[int, str]

_KEY: Final = re.compile(r"\s*(?:- +)*[^\s:'\"]+\s*")
_OPENS_QUOTE: Final = re.compile(r"\s*(?:- +)*(?:[^\s:'\"]+:\s+)?(['\"])")
_LOOK_BACK: Final = 60


def syntax_error(text: str, error: yaml.YAMLError) -> Diagnosis:
    """Return the line (from 1) of a syntax error and a message that says what to mend."""
    trouble = _trouble(text, error)
    for diagnose in _DIAGNOSES:
        found = diagnose(trouble)
        if found is not None:
            return found[0] + 1, found[1]
    detail = trouble.problem.replace("<", "").replace(">", "") or "the text is not YAML"
    return trouble.line + 1, (
        f"YAML cannot be read from here on ({detail}); look for a quotation mark, a colon or an indentation "
        "that is wrong in this line or the one above"
    )


def _trouble(text: str, error: yaml.YAMLError) -> Trouble:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    context = getattr(error, "context_mark", None) or mark
    lines = text.split("\n")
    line = 0 if mark is None else mark.line
    column = 0 if mark is None else mark.column
    if line >= len(lines) or (line == len(lines) - 1 and not lines[line]):
        line = max(len(text.rstrip().split("\n")) - 1, 0)
        column = len(lines[line])
    return Trouble(
        lines=lines,
        line=line,
        column=column,
        problem=getattr(error, "problem", None) or "",
        context=getattr(error, "context", None) or "",
        opened=line if context is None else min(context.line, line),
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
    if "escape" in at.problem:
        return None
    if "quoted scalar" in at.context and "end of stream" in at.problem:
        mark = _unclosed(at.lines[at.opened]) or "'"
        return at.opened, f"the quotation mark {mark} opened in this line is never closed; put {mark} at the end"
    for line in range(at.line, max(at.line - _LOOK_BACK, -1), -1):
        mark = _unclosed(at.lines[line])
        if mark:
            return line, f"the quotation mark {mark} is opened and not closed in this line; put {mark} at its end"
    return None


def _after_quote(at: Trouble) -> Diagnosis | None:
    if "but found '<scalar>'" not in at.problem and "but got '<scalar>'" not in at.problem:
        return None
    last = at.before.rstrip()[-1:]
    if last not in ("'", '"') or not last:
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
        return at.line, (
            "more stands after the closing brace; a text such as a JSON candidate stands in single quotation marks: "
            "'{…}'"
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
    if previous is None:
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


def no_colon(line: str) -> str:
    """Say what is wrong with a line that should read `key: value`."""
    source = line.strip()
    squeezed = re.match(r"([A-Za-z0-9_-]+):(\S.*)", source)
    if "：" in source and not re.search(r":(\s|$)", source):
        return f"{look_alike('：')} and a space"
    if squeezed:
        mend = f"{squeezed[1]}: {squeezed[2]}"
        return f"{shown(source)} lacks the space after the colon; write {shown(mend)}"
    return f"{shown(source)} has no colon; a line here reads 'key: value', and a text of several lines is a | block"


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


def _marks(at: Trouble) -> Diagnosis | None:
    for sign, reason in (
        ("sequence entries", "a list item begins on a line of its own, below its key: put '- ' on the next line"),
        ("mapping keys", "'? ' keys are not taken; put the text in quotation marks"),
        ("tag handle", "tags (!) are not taken; put the text in quotation marks, or take the ! out"),
        ("a tag", "tags (!) are not taken; put the text in quotation marks, or take the ! out"),
        ("alias", "aliases (*) are not taken; put the text in quotation marks, or write the value out"),
        ("an anchor", "anchors (&) are not taken; put the text in quotation marks, or take the & out"),
        ("directive", "directives (%) are not taken; take the line out"),
        ("<document start>", "directives (%) and text before '---' are not taken; take the line out"),
        ("block scalar", "after | only -, + or nothing may stand; begin the text on the next line"),
        ("chomping", "after | only -, + or nothing may stand; begin the text on the next line"),
    ):
        if sign in at.problem or sign in at.context:
            return at.line, reason
    return None


def _indentation(at: Trouble) -> Diagnosis | None:
    if "expected <block end>" not in at.problem and "did not find expected" not in at.problem:
        return None
    if "found ','" in at.problem:
        return at.line, "a comma stands after a value; take it out, lines need none"
    if at.rest.startswith(":"):
        return at.line, "a colon stands here without a key before it; write the key, or take the colon out"
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
    if found[1] == "<stream end>":
        return at.line, "the file ends within a bracket that is opened and never closed"
    return at.line, f"{found[1]!r} stands where a value belongs; put the text in quotation marks, or take it out"


_DIAGNOSES: Final[tuple[Callable[[Trouble], Diagnosis | None], ...]] = (
    _tab,
    _after_quote,
    _escape,
    _curly_quote,
    _missing_quote,
    _marks,
    _flow,
    _json_value,
    _colon,
    _no_colon,
    _first_character,
    _indentation,
    _node,
)
