"""Run a suite: judge every case, write the run directory, print the table."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .. import __version__, places
from ..command_line import EXIT_CODES, notice
from ..errors import EXIT_DIFFERS, EXIT_OK, UsageError
from ..provenance import gather
from ..run_directory import RESULTS, Written, digest, refuse_existing, write_run
from ..runner import Results, run_suite
from ..suite import Suite, find_suite, known_suites, load_suite
from ..tables import TABLE_FORMATS, case_table, layer_table, outcome_table, prediction_table, printable

HELP: Final = "judge every case of a suite, write a run directory, print the table"
DEFAULT_SUITE: Final = "config-claims"
SAME, DIFFERENT, NO_ARCHIVE = "same", "different", "none"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of run.py."""
    parser.epilog = EXIT_CODES
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", metavar="DIR", help="the run directory to make; it must not exist")
    what.add_argument("--list", action="store_true", help="list the suites of fixtures/ and end")
    what.add_argument("--version", action="version", version=f"grounded-claims {__version__}")
    parser.add_argument(
        "--suite",
        metavar="NAME|FOLDER",
        default=DEFAULT_SUITE,
        help="a suite of fixtures/, else a folder (default: %(default)s)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit 1 where a label or a prediction of an exercise is missed, too",
    )
    parser.add_argument("--cases", action="store_true", help="print a row for each case, too")
    parser.add_argument(
        "--format",
        choices=(*TABLE_FORMATS, "json"),
        default="github",
        help="how to print (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry out run.py."""
    if arguments.list:
        return _list()
    root = places.checkout()
    if root is None:
        raise UsageError("a run records its sources, so it needs the checkout: call its run.py")
    out = Path(arguments.out)
    refuse_existing(out)
    suite = load_suite(find_suite(arguments.suite))
    for name in suite.ignored:
        notice(f"not part of the suite, and not copied: {printable(name)}")
    results = run_suite(suite)
    provenance = gather(root, environ=os.environ)
    written = write_run(out, results=results, provenance=provenance)
    report = _Report(
        results=results, written=written, archive=_archived(root, suite, written), out=out, root=root
    )
    if arguments.format == "json":
        print(json.dumps(report.document(), indent=2))  # in ASCII, which no console can spoil
    else:
        print("\n".join(report.lines(style=arguments.format, cases=arguments.cases)))
    return EXIT_DIFFERS if report.differs(strict=arguments.strict) else EXIT_OK


def _list() -> int:
    for name in known_suites():
        suite = load_suite(find_suite(name))
        about = f"{_counted(suite)}, contract {suite.contract.name}"
        print(f"{name}: {about}: {printable(suite.title)}")
    return EXIT_OK


def _counted(suite: Suite) -> str:
    kind = "frozen" if suite.frozen else "exercise"
    return f"{len(suite.cases)} {kind} case{'' if len(suite.cases) == 1 else 's'}"


def _archived(root: Path, suite: Suite, written: Written) -> str:
    """Compare with the one archived run of that suite, where that is of the same suite digest."""
    try:
        archived = (root / "evidence" / suite.name / RESULTS).read_bytes()
    except OSError:
        return NO_ARCHIVE
    if f'"digest": "{suite.digest}"'.encode() not in archived:
        return NO_ARCHIVE
    return SAME if digest(archived) == written.results_digest else DIFFERENT


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    results: Results
    written: Written
    archive: str
    out: Path
    root: Path

    def differs(self, *, strict: bool) -> bool:
        """Tell whether the exit code is 1."""
        results = self.results
        missed = [result for result in results.cases if not result.label_matched]
        mispredicted = [result for result in results.cases if not all(result.hits().values())]
        return (
            self.archive == DIFFERENT
            or bool(results.differing_totals())
            or bool(missed and (results.suite.frozen or strict))
            or bool(mispredicted and strict)
        )

    def document(self) -> dict[str, Any]:
        """Return what `--format json` prints."""
        document = self.results.document()
        return {
            "out": str(self.out),
            "frozen": self.results.suite.frozen,
            "results_digest": self.written.results_digest,
            "run_digest": self.written.run_digest,
            "archived_results": self.archive,
            "suite": document["suite"],
            "totals": document["totals"],
            "cases": document["cases"],
        }

    def lines(self, *, style: str, cases: bool) -> Iterator[str]:
        """Give what is printed, line by line."""
        results, suite = self.results, self.results.suite
        yield f"{suite.name}: {_counted(suite)}, suite sha256 {suite.digest}"
        yield ""
        yield layer_table(results, style=style)
        yield ""
        if len(suite.contract.outcomes) > 3:
            yield outcome_table(results, style=style)
            yield ""
        if cases:
            yield case_table(results, style=style)
            yield ""
        if results.totals()["predictions"] is not None:
            yield prediction_table(results, style=style)
            yield ""
        yield from self._agreement()
        yield f"results.json sha256 {self.written.results_digest}   {self._comparison()}"
        yield f"run digest   sha256 {self.written.run_digest}"
        yield f"Next: {self._next_command('audit')}"
        yield f"Look: {self._next_command('report')} --out {shlex.quote(f'{self.out}.html')}"

    def _agreement(self) -> Iterator[str]:
        results, suite = self.results, self.results.suite
        totals = results.totals()
        labels = "frozen labels" if suite.frozen else "labels"
        yield (
            f"{totals['labels_matched']} of {totals['cases']} verdicts equal their {labels}. "
            f"{totals['baseline_false_accepts']} violations pass the citation baseline."
        )
        for result in results.cases:
            if not result.label_matched:
                case = result.case
                yield f"  case {case.id}: label {case.expected}, verdict {result.verdict.status}"
        for name, (pinned, counted) in results.differing_totals().items():
            yield f"  total {name}: pinned {pinned}, counted {counted}"

    def _comparison(self) -> str:
        archive = f"evidence/{self.results.suite.name}"
        if self.archive == SAME:
            return f"the same bytes as {archive}"
        if self.archive == DIFFERENT:
            return f"NOT the bytes of {archive}/{RESULTS}, which is of the same suite digest"
        return "no archived run of this suite digest to compare with"

    def _next_command(self, command: str) -> str:
        bootstrap = os.path.relpath(self.root / "bootstrap.py")
        return f"python3 {shlex.quote(bootstrap)} {command} {shlex.quote(str(self.out))}"
