"""JSON text in the form of R2, written by hand: where each member stands, and members that stand twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]
UNSET = object()


@dataclass(frozen=True, slots=True)
class Span:
    """Which bytes are the value of a path, or the name of a member."""

    start: int
    end: int
    path: Path
    is_name: bool


class Writer:
    """Writes a value, noting the spans of names and of values that are no collections.

    `twice` is the path of a member that is written a second time, with the value `again` and its name spelt
    as `spelt`, where they are given.
    """

    def __init__(self, value: Any, *, twice: Path | None = None, again: Any = UNSET, spelt: str = "") -> None:
        self.twice, self.again, self.spelt = twice, again, spelt
        self.parts: list[str] = []
        self.at = 0
        self.spans: list[Span] = []
        self.write(value, (), 0)
        self.put("\n")

    @property
    def text(self) -> str:
        return "".join(self.parts)

    def put(self, text: str, path: Path | None = None, *, is_name: bool = False) -> None:
        start, self.at = self.at, self.at + len(text.encode())
        self.parts.append(text)
        if path is not None:
            self.spans.append(Span(start, self.at, path, is_name))

    def write(self, value: Any, path: Path, depth: int) -> None:
        if not isinstance(value, (dict, list)) or not value:
            self.put(json.dumps(value, ensure_ascii=False), path)
            return
        signs = "{}" if isinstance(value, dict) else "[]"
        self.put(signs[0])
        for number, (step, each) in enumerate(self.members(value, path)):
            self.put(("," if number else "") + "\n" + "  " * (depth + 1))
            name = step[1] if isinstance(step, tuple) else step
            if isinstance(name, str):
                spelling = step[0] if isinstance(step, tuple) else json.dumps(name, ensure_ascii=False)
                self.put(spelling, (*path, name), is_name=True)
                self.put(": ")
            self.write(each, (*path, name), depth + 1)
        self.put("\n" + "  " * depth + signs[1])

    def members(self, value: Any, path: Path) -> Iterator[tuple[Any, Any]]:
        for step, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield step, each
            if self.twice == (*path, step):
                spelling = self.spelt or json.dumps(step, ensure_ascii=False)
                yield (spelling, step), each if self.again is UNSET else self.again


def paths(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every path below a value, with what is there."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        yield (*path, step), each
        yield from paths(each, (*path, step))


def at(value: Any, path: Path) -> Any:
    """Return what is at a path."""
    for step in path:
        value = value[step]
    return value


def dotted(path: Path) -> str:
    """Write a path as people do."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def document(value: Any) -> bytes:
    """Write the bytes of R2."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "surrogatepass")
