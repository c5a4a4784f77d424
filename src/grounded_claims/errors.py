"""What can go wrong that is not a verdict: the suite, the request, the run directory, the command line.

A rejected candidate is a result and never an exception. Each error here knows its exit code (README.md lists
them); whatever else is raised is a fault of the program, exit code 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

EXIT_OK = 0
EXIT_DIFFERS = 1
EXIT_NOT_DONE = 2
EXIT_FAULT = 3
EXIT_INTERRUPTED = 130

Path = tuple[str | int, ...]


def path_text(path: Path) -> str:
    """Write a path as a reader would: `cases[7].expected`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            name = part if part.isprintable() else repr(part)
            text += f".{name}" if text else name
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with an input: where, and what was found, expected, and mends it."""

    path: Path
    message: str
    file: str | None = None
    line: int | None = None

    def at(self, file: str, line: int | None) -> Fault:
        """Return the same fault, with the file and line it stands in."""
        return replace(self, file=file, line=line)

    def __str__(self) -> str:
        place = "" if self.file is None else self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (place, path_text(self.path), self.message) if part)


class GroundedClaimsError(Exception):
    """What was asked for could not be done; the message is for the user."""

    exit_code = EXIT_NOT_DONE


class UsageError(GroundedClaimsError):
    """The command line asks for something that is not there."""


class FaultsError(GroundedClaimsError):
    """An input with faults; all of them are listed, one to a line."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class SuiteError(FaultsError):
    """A suite that does not load."""


class RequestError(FaultsError):
    """A request that does not fit the registry."""


class RunDirectoryError(GroundedClaimsError):
    """A run directory that could not be written or read."""


class JudgingError(GroundedClaimsError):
    """The program itself failed while judging; never counted as a rejection."""

    exit_code = EXIT_FAULT

    def __init__(self, case: str, cause: BaseException) -> None:
        self.case = case
        super().__init__(f"case {case!r}: the judging itself failed: {type(cause).__name__}: {cause}")
