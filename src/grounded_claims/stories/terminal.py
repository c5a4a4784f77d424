"""A story as lines of plain text: wrapped to a width, marks as underlines, control characters visible."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..contracts.base import ACCEPT
from .json_text import common_ends
from .story import (
    ADDED,
    HELD,
    QUOTED,
    REMOVED,
    WANTED,
    Change,
    Difference,
    MalformedAt,
    Source,
    Story,
    listed,
)

MIN_WIDTH: Final = 30
MAX_SHOWN: Final = 240  # characters of what differs
MAX_LINES: Final = 24  # of a candidate; of a longer one, those about the deciding piece

#: Underlines, the strongest first; where marks overlap, the strongest shows.
DECIDES, CITED, WOULD_DO, HOLDS = "^", "-", "~", "."
_LEGEND: Final = {
    DECIDES: "decides",
    CITED: "cited besides",
    WOULD_DO: "would be accepted",
    HOLDS: "held besides",
}
_SIGNS: Final = {QUOTED: CITED, WANTED: WOULD_DO, HELD: HOLDS}


#: The database of the running Python is not asked: a line breaks at the same place on every one of them.
_WIDE: Final = re.compile(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f900-\U0001faff\U00020000-\U0003fffd]"
)
_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3000\ud800-\uf8ff\ufeff\ufff9-\ufffb\U000e0000-\U0010ffff]"
)


def columns(text: str) -> int:
    """Count the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return len(text) + len(_WIDE.findall(text)) - sum(map(bool, map(unicodedata.ucd_3_2_0.combining, text)))


def visible(text: str) -> str:
    """Show control and format characters, and every white space but the plain one, as escapes."""
    return _UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def wrapped(text: str, *, width: int, first: str = "", rest: str = "") -> Iterator[str]:
    """Wrap a sentence at its spaces; a word that is too long is broken. Control characters become visible.

    Beside `first` and `rest`, which begin the lines, there is always room for ten columns.
    """
    room = max(width - columns(first), 10)
    room_below = max(width - columns(rest), 10)
    lines = [""]
    for word in visible(text).split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if columns(joined) <= (room_below if len(lines) > 1 else room):
            lines[-1] = joined
            continue
        parts = list(_broken_word(word, min(room, room_below)))
        lines[-1:] = [lines[-1], *parts] if lines[-1] else parts
    for number, line in enumerate(lines):
        yield f"{rest if number else first}{line}"


def _broken_word(word: str, room: int) -> Iterator[str]:
    if len(word) * 2 <= room:
        yield word
        return
    part, used = "", 0
    for char in word:
        wide = columns(char)
        if part and used + wide > room:
            yield part
            part, used = "", 0
        part += char
        used += wide
    yield part


def story_lines(
    story: Story, *, width: int, title: str, layers: Mapping[str, str], pair: str | None = None
) -> Iterator[str]:
    """Give a story line by line. `layers` maps the layers to their titles, `pair` is the id of the pair."""
    width = max(width, MIN_WIDTH)
    verdict = story.verdict
    yield from wrapped(f"{title}: {verdict.status} ({verdict.outcome.replace('_', ' ')})", width=width)
    yield ""
    if story.request:
        asked = "; ".join(f"{name} {member}" for name, member in story.request)
        yield from wrapped(asked, width=width, first="The request: ", rest="  ")
        yield ""
    yield from _candidate(story, width)
    yield ""
    yield from _layers(story, layers, width)
    for source in story.sources:
        yield ""
        yield from _source(source, width)
    if story.difference is not None and pair is not None:
        yield ""
        yield from _difference(story.difference, pair, width)
    yield ""
    yield from _ending(story, width)


def _candidate(story: Story, width: int) -> Iterator[str]:
    if story.malformed is not None:
        yield from _malformed(story.malformed, width)
        return
    yield "The candidate"
    place = story.place or (0, 0)
    signs = [DECIDES if place[0] <= at < place[1] else " " for at in range(len(story.candidate))]
    lines = list(_marked(story.candidate, signs, width, indent="  "))
    if len(lines) > MAX_LINES:  # show the lines about the deciding piece
        under = [DECIDES in line and not line.strip(f" {DECIDES}") for line in lines]
        marked = under.index(True) if True in under else 0
        first = max(0, min(marked - MAX_LINES // 2, len(lines) - MAX_LINES))
        left_out = (first, len(lines) - first - MAX_LINES)
        before, after = ([f"  ({count} lines left out)"] if count else [] for count in left_out)
        lines = [*before, *lines[first : first + MAX_LINES], *after]
    yield from lines


def _malformed(at: MalformedAt, width: int) -> Iterator[str]:
    yield f"The candidate, line {at.line}, column {at.column}"
    before = ("..." if at.cut_before else "") + visible(at.excerpt[: at.caret])
    after = visible(at.excerpt[at.caret :]) + ("..." if at.cut_after else "")
    room = width - 2
    while columns(before) > room - max(1, min(10, columns(after))):  # some of what follows stays in sight
        before = "..." + before[4:] if before.startswith("...") else "..." + before[3:]
    while columns(before + after) > room and len(after) > 4:
        after = after[:-4] + "..."
    yield f"  {before}{after}".rstrip()
    yield f"  {' ' * columns(before)}^"


def _layers(story: Story, layers: Mapping[str, str], width: int) -> Iterator[str]:
    label = max(columns(title) for title in layers.values())
    rest = " " * (label + 10)
    for step in story.steps:
        word = "passes" if step.passed else "rejects"
        clause = f" [{step.clause}]" if step.clause else ""
        first = f"{layers[step.layer]:{label}}  {word:8}"
        yield from wrapped(step.sentence + clause, width=width, first=first, rest=rest)
        if step.found or step.expected:
            yield from wrapped(
                _cut(step.found), width=width, first=f"{rest}found     ", rest=f"{rest}          "
            )
            yield from wrapped(
                _cut(step.expected), width=width, first=f"{rest}expected  ", rest=f"{rest}          "
            )


def _source(source: Source, width: int) -> Iterator[str]:
    about = ", ".join(f"{name} {value}" for name, value in source.about)
    how = [] if source.supplied else ["not supplied"]
    how += [] if source.cited else ["not cited"]
    notes = f" ({', '.join(how)})" if how else ""
    yield from wrapped(f"{source.id}: {about}{notes}", width=width, rest="  ")
    signs = _source_signs(source)
    start = 0
    for line in source.text.split("\n"):
        end = start + len(line)
        yield from _marked(line, signs[start:end], width, indent="  | ", under="    ")
        start = end + 1
    shown = [sign for sign in _LEGEND if sign in signs]
    if shown:
        yield from wrapped("; ".join(f"{sign} {_LEGEND[sign]}" for sign in shown), width=width, first="    ")


def _source_signs(source: Source) -> list[str]:
    strength = (*_LEGEND, " ")
    signs = [" "] * len(source.text)
    for mark in source.marks:
        sign = DECIDES if mark.deciding and mark.role != WANTED else _SIGNS[mark.role]
        for at in range(mark.start, mark.end):
            signs[at] = min(sign, signs[at], key=strength.index)
    return signs


def _marked(
    text: str, signs: Sequence[str], width: int, *, indent: str, under: str | None = None
) -> Iterator[str]:
    """Break a text into lines of a width, each with its underline below it, where it has one."""
    room = width - columns(indent)
    line, below = "", ""
    under = indent if under is None else under
    for char, sign in zip(text, signs, strict=True):
        shown = visible(char)
        wide = columns(shown)
        if line and len(below) + wide > room:
            yield from _with_underline(indent + line, under + below)
            line, below = "", ""
        line += shown
        below += sign * wide
    yield from _with_underline(indent + line, under + below)


def _with_underline(line: str, below: str) -> Iterator[str]:
    yield line
    if below.strip():
        yield below.rstrip()


def _difference(difference: Difference, pair: str, width: int) -> Iterator[str]:
    changes = [*(("", change) for change in difference.changes)]
    changes += [("request ", change) for change in difference.requests]
    if difference.text is None and not changes:
        yield from wrapped(f"Beside its pair, {pair}: no difference.", width=width)
        return
    yield from wrapped(f"Beside its pair, {pair}:", width=width)
    if difference.text is not None:
        yield from wrapped(
            f"at character {difference.text.start + 1}: {_two(difference.text.pair, difference.text.here)}",
            width=width,
            first="  ",
            rest="    ",
        )
    for what, change in changes:
        yield from wrapped(f"{what}{_change(change)}", width=width, first="  ", rest="    ")


def _change(change: Change) -> str:
    if change.kind == ADDED:
        return f"{change.path} is added: {_cut(change.here)}"
    if change.kind == REMOVED:
        return f"{change.path} is taken out: {_cut(change.pair)}"
    start, end = common_ends(change.pair, change.here)
    longer = max(len(change.pair), len(change.here))
    one = " (one character)" if longer - start - end == 1 else ""
    return f"{change.path or 'the value'} is {_cut(change.here)}; the pair has {_cut(change.pair)}{one}"


def _two(pair: str, here: str) -> str:
    if not pair:
        return f"added {_cut(here)}"
    return f"taken out {_cut(pair)}" if not here else f"{_cut(here)} stands where the pair has {_cut(pair)}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}... ({len(text)} characters)"


def _ending(story: Story, width: int) -> Iterator[str]:
    if story.verdict.status == ACCEPT:
        said = ", ".join(
            f"{field}={'null' if value is None else value}" for field, value in story.verdict.accepted.items()
        )
        yield from wrapped(f"Accepted: {said}", width=width, rest="  ")
        return
    for sentence in story.mend:
        yield from wrapped(f"To mend it: {sentence}", width=width, rest="  ")
    if story.fooled:
        passes = "passes" if len(story.fooled) == 1 else "pass"
        fooled = f"Fooled: {listed(story.fooled)} {passes}, although the contract rejects."
        yield from wrapped(fooled, width=width, rest="  ")
    else:
        yield "No layer is fooled."
