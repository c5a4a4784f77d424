"""Bit rot: every byte of every file flipped in turn, and every file cut at every length.

Both once as a disk does it, and once by a forger who redoes every digest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from .good_runs import INPUT_PATHS, MANIFEST, PATHS, RESULTS, SUMS, GoodRun, Lab
from .json_text import Span, Writer, at
from .mutation import Mutation, resealed
from .rules import FORM, NOBODY, caught_by, form, is_written_so

#: Which bits are flipped: the lowest (another letter, another digit), the case of letters, out of ASCII.
MASKS = (0x01, 0x20, 0x80)
DAMAGED = {MANIFEST: "A3.2", RESULTS: "A3.2 A3.4", **dict.fromkeys(INPUT_PATHS, "A3.2 A3.3")}


def flips(lab: Lab, stride: int = 1) -> Iterator[Mutation]:
    """Flip one byte; no digest is redone."""
    run = lab.runs["tiny"]
    for path in PATHS:
        good = run.files[path]
        for position in range(0, len(good), stride):
            for mask in MASKS:
                data = flipped(good, position, mask)
                check = DAMAGED[path] if path != SUMS else sums_check(good, data, position)
                yield Mutation(
                    family="byte flipped",
                    name=f"{path} byte {position} ^ {mask:#04x}",
                    run=run,
                    caught_by=check,
                    files={path: data},
                )


def flipped(good: bytes, position: int, mask: int) -> bytes:
    return good[:position] + bytes([good[position] ^ mask]) + good[position + 1 :]


def sums_check(good: bytes, data: bytes, position: int) -> str:
    """A digit that stays one makes another digest; everything else breaks the form of R8."""
    column = position - (good.rfind(b"\n", 0, position) + 1)
    return "A3.2" if column < 64 and data[position : position + 1] in b"0123456789abcdef" else "A3.1"


def cuts(lab: Lab, stride: int = 1) -> Iterator[Mutation]:
    """Cut one file short; no digest is redone."""
    run = lab.runs["tiny"]
    for path in PATHS:
        good = run.files[path]
        for length in range(0, len(good), stride):
            check = "A3.1" if path == SUMS else DAMAGED[path]
            yield Mutation(
                family="cut short",
                name=f"{path} at {length}",
                run=run,
                caught_by=check,
                files={path: good[:length]},
            )


def sealed_flips(lab: Lab, stride: int = 1) -> Iterator[Mutation]:
    """Flip one byte, and redo every digest."""
    run = lab.runs["tiny"]
    for path in INPUT_PATHS:  # the manifest goes on to say that the suite is frozen
        for position in range(0, len(run.files[path]), stride):
            changed = {path: flipped(run.files[path], position, MASKS[0])}
            yield resealed("byte flipped, sealed", f"{path} byte {position}", run, "A4.1", changed)
    for path in (MANIFEST, RESULTS):
        written = Writer(json.loads(run.files[path]))
        assert written.text.encode() == run.files[path]
        for position in range(0, len(run.files[path]), stride):
            data = flipped(run.files[path], position, MASKS[0])
            check = meaning(run, path, data, position, written.spans)
            yield resealed(
                "byte flipped, sealed",
                f"{path} byte {position}",
                run,
                check,
                {path: data},
                "expect" if check == NOBODY else "defect",
            )


def meaning(run: GoodRun, path: str, data: bytes, position: int, spans: list[Span]) -> str:
    """Return the check that must notice a changed byte of a document whose digest was redone."""
    if not is_written_so(data):
        return form(path)
    here = [span for span in spans if span.start <= position < span.end]
    if not here:
        return form(path)
    span, value = here[0], json.loads(data)
    if not span.is_name:
        return caught_by(path, span.path, at(value, span.path))
    parent = span.path[:-1]
    if path == MANIFEST and parent == ("environment", "packages"):
        names = list(at(value, parent))
        if not all(re.fullmatch("[A-Za-z0-9._-]+", name) for name in names):
            return FORM[path][1]
        return NOBODY if names == sorted(names) else FORM[path][2]
    if path == MANIFEST and parent == ("sources",):
        return "A5.2|A2.2"
    return "A7.5|A2.5" if parent[-1:] == ("accepted",) else FORM[path][1]


def sealed_cuts(lab: Lab, stride: int = 1) -> Iterator[Mutation]:
    """Cut one file short, and redo every digest."""
    run = lab.runs["tiny"]
    for path in (*INPUT_PATHS, MANIFEST, RESULTS):
        good = run.files[path]
        for length in range(0, len(good), stride):
            check = "A4.1"
            if path in FORM:  # without the last line feed alone it is still JSON
                check = FORM[path][2 if length == len(good) - 1 else 0]
            yield resealed("cut short, sealed", f"{path} at {length}", run, check, {path: good[:length]})
