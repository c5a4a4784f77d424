"""Where things stand in a JSON text, and how two texts differ."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final

from .story import MalformedAt, Path, TextChange

Span = tuple[int, int]

MAX_EXCERPT: Final = 72
AFTER_CARET: Final = 28  # how much of a cut excerpt stands behind the caret
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}:,]|[^ \t\n\r"\[\]{}:,]+', re.DOTALL)


@dataclass(slots=True)
class _Open:
    """An object or array whose end has not come yet; a member's place begins at its name."""

    path: Path
    start: int
    is_object: bool
    items: int = 0
    name: str | None = None
    name_start: int = 0

    def place(self, start: int) -> tuple[Path, int]:
        """Return the path of the value that starts here, and where its place begins."""
        if self.is_object:
            name, self.name = self.name or "", None
            return (*self.path, name), self.name_start
        self.items += 1
        return (*self.path, self.items - 1), start


def member_places(text: str) -> dict[Path, Span]:
    """Find every value of a text that is strict JSON, by its path."""
    places: dict[Path, Span] = {}
    stack: list[_Open] = []
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word in "]}":
            closed = stack.pop()
            places[closed.path] = (closed.start, token.end())
        elif word in ",:":
            continue
        elif stack and stack[-1].is_object and stack[-1].name is None:
            stack[-1].name, stack[-1].name_start = json.loads(word), token.start()
        else:
            path, start = stack[-1].place(token.start()) if stack else ((), token.start())
            if word in "[{":
                stack.append(_Open(path=path, start=start, is_object=word == "{"))
            else:
                places[path] = (start, token.end())
    return places


def malformed_at(text: str, reason: str, offset: int) -> MalformedAt:
    """Point at a character of a text, or at its end."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : len(text) if end < 0 else end]
    caret = offset - start
    cut_before = cut_after = False
    if len(line) > MAX_EXCERPT:
        first = max(0, min(caret + AFTER_CARET, len(line)) - MAX_EXCERPT)
        cut_before, cut_after = first > 0, first + MAX_EXCERPT < len(line)
        line, caret = line[first : first + MAX_EXCERPT], caret - first
    return MalformedAt(
        reason=reason,
        line=text.count("\n", 0, offset) + 1,
        column=offset - start + 1,
        excerpt=line,
        caret=caret,
        cut_before=cut_before,
        cut_after=cut_after,
    )


def text_change(pair: str, here: str) -> TextChange:
    """Return the smallest run in which two texts differ: by tokens, so that white space does not count, or as
    they stand, whichever is shorter."""
    return min(
        (_change(pair, here, *_spans(pair, here, by_token=by_token)) for by_token in (True, False)),
        key=lambda change: len(change.pair) + len(change.here),
    )


def common_ends(first: str, second: str) -> tuple[int, int]:
    """Return how many characters two texts share at the start and, apart from these, at the end."""
    return _common(list(first), list(second))


def _common(first: list[str], second: list[str]) -> tuple[int, int]:
    most = min(len(first), len(second))
    start = 0
    while start < most and first[start] == second[start]:
        start += 1
    end = 0
    while end < most - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return start, end


def _spans(pair: str, here: str, *, by_token: bool) -> tuple[Span, Span]:
    pattern = _TOKEN if by_token else _CHARACTER
    tokens = [list(pattern.finditer(text)) for text in (pair, here)]
    start, end = _common(*([token[0] for token in found] for found in tokens))
    return _span(tokens[0], start, end, len(pair)), _span(tokens[1], start, end, len(here))


_CHARACTER: Final = re.compile(".", re.DOTALL)


def _span(tokens: list[re.Match[str]], start: int, end: int, length: int) -> Span:
    """Return the characters from a token on, up to the last `end` tokens."""
    stop = len(tokens) - end
    if start < stop:
        return tokens[start].start(), tokens[stop - 1].end()
    place = tokens[start - 1].end() if 0 < start <= len(tokens) else length if start else 0
    return place, place


def _change(pair: str, here: str, pair_span: Span, here_span: Span) -> TextChange:
    return TextChange(start=here_span[0], pair=pair[slice(*pair_span)], here=here[slice(*here_span)])
