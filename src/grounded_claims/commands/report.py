"""Make one page of a run directory, to look at."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from .. import places
from ..command_line import new_path
from ..errors import EXIT_DIFFERS, EXIT_OK, UsageError
from ..recorded_run import read_run
from ..report import differing, render
from ..run_directory import digest
from ..tables import counted
from ..whole_file import refuse_existing, whole_file

HELP = "make one self-contained, accessible page of a run directory"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", metavar="RUN", help="a run directory")
    parser.add_argument("--out", metavar="FILE", required=True, help="the page to make; it must not exist")


def run(arguments: argparse.Namespace) -> int:
    """Read the run directory, write the page, say what it is."""
    folder, out = Path(arguments.run), new_path(arguments.out)
    refuse_existing(out)
    if folder.resolve() in out.resolve().parents:
        raise UsageError(
            f"{out} lies in the run directory, which holds its own files alone; name another place"
        )
    recorded = read_run(folder)
    page = render(recorded)
    with whole_file(out) as write:
        write(page)
    cases = differing(recorded)
    print(f"{out}: {counted(len(recorded.suite.cases), 'case')} of {recorded.suite.name}, {len(page)} bytes")
    print(f"page       sha256 {digest(page)}")
    print(f"run digest sha256 {recorded.run_digest}")
    for case in cases:
        print(f"  case {case}: today's gate gives another verdict than the recorded one")
    audit = "python3 bootstrap.py" if places.checkout() is None else places.program()
    where = ", in a checkout" if places.checkout() is None else ""
    print(f"Not audited. Next{where}: {audit} audit {shlex.quote(str(folder))}")
    return EXIT_DIFFERS if cases else EXIT_OK
