"""Plain values to YAML that the strict loader reads back as they were (docs/contract.md, F1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_BARE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_WORDS: Final = frozenset("y n yes no on off true false null nan inf".split())
#: What YAML does not take, and what would not be seen or would steer a terminal: written as an escape.
_ESCAPED: Final = re.compile(
    "[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    "|[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def scalar(value: str | int | None) -> str:
    """Write a scalar: bare where nothing can be mistaken, else in quotation marks."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if _BARE.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return single_quoted(value)


def single_quoted(text: str) -> str:
    """Write a text in single quotation marks or, where a character forbids that, in double ones."""
    if not _ESCAPED.search(text):
        return "'" + text.replace("'", "''") + "'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _ESCAPED.sub(lambda match: f"\\U{ord(match[0]):08x}", escaped) + '"'


def block(value: Mapping[str, Any], *, indent: int) -> Iterator[str]:
    """Write a mapping, a line for each member; lists of scalars stand within their line."""
    for name, member in value.items():
        head = f"{' ' * indent}{scalar(name)}:"
        if isinstance(member, Mapping):
            yield head
            yield from block(member, indent=indent + 2)
        elif isinstance(member, list):
            yield f"{head} [{', '.join(scalar(item) for item in member)}]"
        else:
            yield f"{head} {scalar(member)}"
