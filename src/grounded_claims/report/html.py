"""HTML from values. A plain string is always text, and is escaped; only `Markup` is taken as it is.

Candidates and documents are hostile. Characters that cannot be seen, or that steer what is seen (controls,
bidirectional controls, odd spaces, tags), are shown by their code: the set is fixed here, since the tables of
`unicodedata` differ between versions of Python, and the page must not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | Iterable["Child"] | None

#: How long a word within a line may be that is never broken at its end: it fits on the smallest phone.
WHOLE: Final = 24

VOID: Final = frozenset({"br", "link", "meta", "wbr"})

_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_SPECIAL: Final = re.compile(
    "[&<>\"'\x00-\x1f\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f"
    "\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\uffff\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U0001fffe\U0001ffff"
    "\U000e0000-\U0010ffff]"
)


def text(value: str, *, lines: bool = False) -> Markup:
    """Escape a text; with `lines`, line feeds stay as they are."""
    return Markup(_SPECIAL.sub(_with_lines if lines else _shown, value))


def _shown(match: re.Match[str]) -> str:
    char = match[0]
    return _ESCAPES.get(char) or f'<span class="code-point">U+{ord(char):04X}</span>'


def _with_lines(match: re.Match[str]) -> str:
    return "\n" if match[0] == "\n" else _shown(match)


def attribute(value: str) -> str:
    """Escape the value of an attribute; a character that cannot be seen becomes its code."""
    return _SPECIAL.sub(lambda match: _ESCAPES.get(match[0]) or f"U+{ord(match[0]):04X}", value)


def el(name: str, /, *children: Child, **attributes: str | bool | None) -> Markup:
    """Write an element. `class_` is `class`, `aria_label` is `aria-label`; None and False leave one out."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{attribute(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def join(children: Child) -> Markup:
    """Write children one after the other; a plain string is escaped."""
    if children is None:
        return Markup("")
    if isinstance(children, Markup):
        return children
    if isinstance(children, str):
        return text(children)
    return Markup("".join(join(child) for child in children))


def status_word(word: str) -> Markup:
    """Write a status, which may break after each underscore."""
    return el("code", Markup(text(word).replace("_", "_<wbr>")), class_="status")


def inline(value: str) -> Markup:
    """Write a piece of somebody's text within a line; its direction stays its own."""
    whole = len(value) <= WHOLE and not any(char.isspace() for char in value)
    return el("code", value, class_="raw whole" if whole else "raw", translate="no")


def hidden(words: str) -> Markup:
    """Write what a screen reader says and nobody sees or copies."""
    return el("span", words, class_="said")
