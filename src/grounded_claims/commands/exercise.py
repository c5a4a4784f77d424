"""Make a fresh exercise folder from a suite, ready for a first prediction."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import Final

from .. import places
from ..command_line import new_path
from ..errors import EXIT_OK, GroundedClaimsError, UsageError
from ..exercises import CASE_ID, Commands, exercise_files
from ..shapes import SLUG
from ..suite import Suite, find_suite, load_suite
from ..tables import printable

HELP: Final = "make a fresh exercise folder: a registry, requests, and one accepted case to change"
DEFAULT_SUITE: Final = "config-claims"


class ExerciseError(GroundedClaimsError):
    """An exercise folder that could not be written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of exercise."""
    parser.add_argument("folder", metavar="DIR", help="the folder to make; it must not exist")
    parser.add_argument(
        "--from",
        dest="source",
        metavar="SUITE",
        default=DEFAULT_SUITE,
        help="a suite of fixtures/, else a folder, to take the exercise from (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Make the folder, and say what to do next."""
    folder = new_path(arguments.folder, kind="folder")
    if os.path.lexists(folder):
        raise _exists(folder)
    source = load_suite(find_suite(arguments.source))
    name = folder.resolve().name
    commands = Commands(program=places.program(), runs=None if places.checkout() is None else free_runs())
    made = write_exercise(
        folder, exercise_files(source, folder=arguments.folder, name=name, commands=commands)
    )
    print("\n".join(_lines(source, arguments.folder, commands)))
    if made.name != name:
        print(f"In its suite.yaml the suite is called {made.name}; {_why_not(name)}.")
    return EXIT_OK


def free_runs() -> tuple[str, str]:
    """Name two run directories that are not there yet."""
    ends = chain([""], (f"-{number}" for number in count(2)))
    pairs = ((f"evidence/first{end}", f"evidence/second{end}") for end in ends)
    return next(pair for pair in pairs if not any(map(os.path.lexists, pair)))


def _why_not(name: str) -> str:
    """Say why a suite cannot be called what its folder is."""
    if SLUG.fullmatch(name):
        return f"{name} is the suite that it was made from"
    return f"only small letters, digits and hyphens can stand in such a name, so not {printable(name)}"


def write_exercise(folder: Path, files: Mapping[str, bytes]) -> Suite:
    """Write the files into a folder made for them alone, and load it; whatever fails leaves nothing."""
    made: list[Path] = []
    try:
        _make_folders(folder, made)
        for name, data in files.items():
            made.append(folder / name)
            with open(folder / name, "xb") as file:
                file.write(data)
        return load_suite(folder)
    except OSError as error:
        _remove(made)
        reason = error.strerror or error
        raise ExerciseError(f"{folder} could not be written: {reason}; nothing is left of it") from error
    except BaseException:
        _remove(made)
        raise


def _make_folders(folder: Path, made: list[Path]) -> None:
    for parent in reversed(folder.parents):
        if not parent.exists():
            with suppress(FileExistsError):
                os.mkdir(parent)
                made.append(parent)
    try:
        os.mkdir(folder)
    except FileExistsError:
        _remove(made)
        raise _exists(folder) from None
    made.append(folder)


def _remove(made: list[Path]) -> None:
    """Take away what was made, and nothing else."""
    for path in reversed(made):
        with suppress(OSError):
            if path.is_dir():
                os.rmdir(path)
            else:
                os.unlink(path)
    made.clear()


def _exists(folder: Path) -> UsageError:
    return UsageError(f"{folder} exists already, and an exercise never overwrites; name a new folder")


def _lines(source: Suite, folder: str, commands: Commands) -> Iterator[str]:
    yield (
        f"{printable(folder)}: an exercise made from the suite {source.name}, "
        f"with the accepted case {CASE_ID!r}."
    )
    file = printable(shlex.quote(os.path.join(folder, "cases.yaml")))
    yield f"Next: open {file}, which says what to do: predict, change one thing, run."
    yield from (f"  {command}" for command in commands.of(0, printable(shlex.quote(folder))))
    if commands.runs is None:
        yield "The command run needs the checkout: it records its sources. Explaining does not."
