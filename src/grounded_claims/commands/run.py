"""Run a suite: judge every case, write the run directory, print the table."""

from __future__ import annotations

import argparse
import json
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .. import __version__, places
from ..command_line import EXIT_CODES, complete, new_path, notice
from ..errors import EXIT_DIFFERS, EXIT_OK, UsageError
from ..provenance import gather
from ..run_directory import RESULTS, Written, digest, refuse_existing, write_run
from ..runner import CaseResult, Results, run_suite
from ..suite import Suite, find_suite, known_suites, load_suite
from ..tables import (
    TABLE_FORMATS,
    baseline_sentence,
    case_table,
    counted,
    labels_sentence,
    layer_table,
    outcome_table,
    prediction_table,
    printable,
)

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


#: The options that do not take the next word.
_FLAGS: Final = ("--list", "--strict", "--cases")


def misplaced(words: Sequence[str]) -> str | None:
    """Say what a word is likely to mean that belongs to no option: the name of a suite."""
    if {"-h", "--help", "--version"} & set(words):
        return None
    for before, word in zip(("", *words), words):
        if not word.startswith("-") and (before in _FLAGS or not before.startswith("-")):
            option = f"--suite {shlex.quote(word)}"
            return f"unrecognized arguments: {word}; a suite is named by an option: {option}"
    return None


def run(arguments: argparse.Namespace) -> int:
    """Carry out run.py."""
    if arguments.list:
        return _list()
    root = places.checkout()
    if root is None:
        raise UsageError("a run records its sources, so it needs the checkout: call its run.py")
    out = new_path(arguments.out, kind="folder")
    refuse_existing(out)
    suite = load_suite(find_suite(arguments.suite))
    for name in suite.ignored:
        notice(f"not part of the suite, and not copied: {printable(name)}")
    results = run_suite(suite)
    provenance = gather(root, environ=os.environ)
    archived = _archived(root, suite)  # beforehand: a run that is to be the archive is no proof of itself
    written = write_run(out, results=results, provenance=provenance)
    complete(f"the run itself is complete, in {out}")
    report = _Report(results=results, written=written, archive=_compared(archived, suite, written), out=out)
    if arguments.format == "json":
        print(json.dumps(report.document(), indent=2))  # in ASCII, which no console can spoil
    else:
        print("\n".join(report.lines(style=arguments.format, cases=arguments.cases)))
        if arguments.strict and any(report.missed()):
            print(report.strictly())
    return EXIT_DIFFERS if report.differs(strict=arguments.strict) else EXIT_OK


def _list() -> int:
    for name in known_suites():
        suite = load_suite(find_suite(name))
        about = f"{_counted(suite)}, contract {suite.contract.name}"
        print(f"{name}: {about}: {printable(suite.title)}")
    return EXIT_OK


def _counted(suite: Suite) -> str:
    return counted(len(suite.cases), f"{'frozen' if suite.frozen else 'exercise'} case")


def _archived(root: Path, suite: Suite) -> bytes:
    """Read the results of the one archived run of that suite; nothing where there is none."""
    try:
        return (root / "evidence" / suite.name / RESULTS).read_bytes()
    except OSError:
        return b""


def _compared(archived: bytes, suite: Suite, written: Written) -> str:
    """Compare with the archived results, where they are of the same suite digest."""
    if f'"digest": "{suite.digest}"'.encode() not in archived:
        return NO_ARCHIVE
    return SAME if digest(archived) == written.results_digest else DIFFERENT


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    results: Results
    written: Written
    archive: str
    out: Path

    def differs(self, *, strict: bool) -> bool:
        """Tell whether the exit code is 1."""
        results = self.results
        return (
            self.archive == DIFFERENT
            or bool(results.differing_totals())
            or bool(self.missed()[1] and results.suite.frozen)
            or (strict and any(self.missed()))
        )

    def missed(self) -> tuple[int, int]:
        """Count the predictions and the labels that are missed."""
        cases = self.results.cases
        return (
            sum(not hit for result in cases for hit in result.hits().values()),
            sum(not result.label_matched for result in cases),
        )

    def strictly(self) -> str:
        """Say what `--strict` makes of the misses."""
        counts = zip(self.missed(), ("prediction", "label"), strict=True)
        missed = [f"{counted(number, what)} missed" for number, what in counts if number]
        return f"--strict: {', '.join(missed)}, so the exit code is 1"

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
        results = self.results
        yield f"{labels_sentence(results)}. {baseline_sentence(results)}."
        for result in results.cases:
            if not result.label_matched:
                case = result.case
                yield f"  case {case.id}: label {case.expected}, verdict {result.verdict.status}"
            if not results.suite.frozen and not (result.label_matched and all(result.hits().values())):
                yield from self._why(result)
        for name, (pinned, found) in results.differing_totals().items():
            yield f"  total {name}: pinned {pinned}, counted {found}"

    def _why(self, result: CaseResult) -> Iterator[str]:
        """Say where a text is malformed, and which command tells the whole story."""
        from ..stories import tell  # only a surprise needs it

        suite, case = self.results.suite, result.case
        request = suite.requests[case.request]
        at = tell(suite.contract, case.candidate, request, registry=suite.registry).malformed
        if at is not None:
            reason = printable(at.reason.rstrip("."))
            yield f"  case {case.id}: candidate, line {at.line}, column {at.column}: {reason}"
        yield f"  Why: {self._next_command('explain')} {case.id}"

    def _comparison(self) -> str:
        archive = f"evidence/{self.results.suite.name}"
        if self.archive == SAME:
            return f"the same bytes as {archive}"
        if self.archive == DIFFERENT:
            return f"NOT the bytes of {archive}/{RESULTS}, which is of the same suite digest"
        return "no archived run of this suite digest to compare with"

    def _next_command(self, command: str) -> str:
        return f"{places.program()} {command} {shlex.quote(str(self.out))}"
