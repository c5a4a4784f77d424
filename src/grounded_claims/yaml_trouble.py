"""Where a YAML syntax error stands in its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import yaml


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


def locate(text: str, error: yaml.YAMLError) -> Trouble:
    """Return a syntax error with its source; one at the end of the file moves to the last line with text."""
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
