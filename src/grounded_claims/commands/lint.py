"""Check the files of suites, and name every fault."""

from __future__ import annotations

import argparse
from typing import Final

from ..command_line import notice
from ..errors import EXIT_NOT_DONE, EXIT_OK, GroundedClaimsError
from ..suite import Suite, find_suite, load_suite
from ..tables import counted

HELP: Final = "check the files of a suite, and name every fault"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of lint."""
    parser.add_argument(
        "folders",
        metavar="FOLDER",
        nargs="+",
        help="a folder with the files of a suite, or a name of fixtures/",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each fault, or one for a suite without any."""
    code = EXIT_OK
    for folder in arguments.folders:
        try:
            suite = load_suite(find_suite(folder))
        except GroundedClaimsError as error:
            print(error)
            code = EXIT_NOT_DONE
        else:
            for name in suite.ignored:
                notice(f"{folder}: not part of the suite: {name}")
            print(_summary(folder, suite))
    return code


def _summary(folder: str, suite: Suite) -> str:
    counts = ", ".join(
        counted(count, noun)
        for count, noun in (
            (len(suite.cases), "case"),
            (len(suite.requests), "request"),
            (len(suite.groups), "group"),
        )
    )
    kind = "frozen" if suite.frozen else "exercise"
    return f"{folder}: {counts}, {kind}, suite sha256 {suite.digest}: no fault"
