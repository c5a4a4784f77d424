"""What YAML makes of a text without quotation marks (docs/contract.md, F1.6), and look-alike characters."""

from __future__ import annotations

import re
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
        return (
            "nothing stands here; write the value, or indent the lines below that belong to it; "
            'null stands for none, and "" for an empty text'
        )
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


def no_colon(line: str) -> str:
    """Say what is wrong with a line that should read `key: value`."""
    source = line.strip()
    squeezed = re.match(r"([A-Za-z0-9_-]+):(\S.*)", source)
    if "：" in source and not re.search(r":(\s|$)", source):
        return f"{look_alike('：')} and a space"
    odd = re.search("[\u00a0\u3000]", source)
    if odd:
        return look_alike(odd[0])
    if re.match(r"-[^\s-]", source):
        return f"{shown(source)} lacks the space after the hyphen; write {shown('- ' + source[1:])}"
    if squeezed:
        mend = f"{squeezed[1]}: {squeezed[2]}"
        return f"{shown(source)} lacks the space after the colon; write {shown(mend)}"
    return (
        f"{shown(source)} has no colon; a line here reads 'key: value', "
        "and a text of several lines is a | block"
    )
