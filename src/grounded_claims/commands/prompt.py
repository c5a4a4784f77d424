"""Print a ready prompt for a request, or the JSON Schema of a candidate (docs/prompts.md)."""

from __future__ import annotations

import argparse
import json
from typing import Final

from ..errors import EXIT_OK, UsageError
from ..prompts import PROMPTS
from ..prompts.base import Prompt
from ..shapes import listed, nearest
from ..suite import Suite, find_suite, load_suite

HELP: Final = "print a ready prompt for a request, or the JSON Schema of a candidate"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of prompt."""
    parser.add_argument(
        "--suite", metavar="NAME|FOLDER", required=True, help="a suite of fixtures/, else a folder"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--case", metavar="ID", help="print the prompt for the request of this case")
    which.add_argument("--request", metavar="NAME", help="print the prompt for this request")
    parser.add_argument(
        "--schema",
        action="store_true",
        help="print the JSON Schema of a candidate instead, the same for every request",
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry out prompt."""
    suite = load_suite(find_suite(arguments.suite))
    prompt = prompt_of(suite)
    name = arguments.request if arguments.case is None else suite.case(arguments.case).request
    if name is not None and name not in suite.requests:
        hint = nearest(name, suite.requests) or f"; known: {listed(suite.requests)}"
        raise UsageError(f"the suite {suite.name!r} has no request {name!r}{hint}")
    if arguments.schema:
        print(json.dumps(prompt.schema, indent=2))
    elif name is None:
        raise UsageError("name what to ask for, with --case or --request, or print the --schema")
    else:
        print(prompt.text(suite.requests[name]), end="")
    return EXIT_OK


def prompt_of(suite: Suite) -> Prompt:
    """Return the prompt of a suite's contract; a contract without one is a UsageError."""
    contract = suite.contract.name
    if contract not in PROMPTS:
        raise UsageError(f"there is no prompt for the contract {contract!r}, only for {listed(PROMPTS)}")
    return PROMPTS[contract]
