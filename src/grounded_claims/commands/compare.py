"""Compare the verdicts of two run directories, case by case."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from ..comparison import Comparison, Matched, compare
from ..contracts.base import LAYERS, Verdict
from ..errors import EXIT_DIFFERS, EXIT_OK, UsageError
from ..opening import is_run, open_results
from ..runner import Results
from ..stories.story import listed
from ..tables import TABLE_FORMATS, counted, printable, table

HELP: Final = "compare two run directories: which cases changed their verdict, and at which layer"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of compare."""
    for name, metavar in (("before", "A"), ("after", "B")):
        parser.add_argument(
            name, metavar=metavar, help="a run directory (or a suite or its folder, which is judged now)"
        )
    parser.add_argument(
        "--format",
        choices=tuple(TABLE_FORMATS),
        default="github",
        help="how to print (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print what differs; the exit code is 1 where anything does."""
    before, after = open_results(arguments.before), open_results(arguments.after)
    contracts = [results.suite.contract.name for results in (before, after)]
    if contracts[0] != contracts[1]:
        raise UsageError(
            f"A is judged by the contract {contracts[0]} and B by {contracts[1]}: they cannot be compared"
        )
    found = compare(before, after)
    lines = [
        *_head("A", arguments.before, before),
        *_head("B", arguments.after, after),
        "",
        *_summary(found, before, after),
        *_tables(found, before, after, style=arguments.format),
        *_alone(found),
    ]
    print("\n".join(lines))
    return EXIT_DIFFERS if found.differs else EXIT_OK


def _head(letter: str, place: str, results: Results) -> Iterator[str]:
    suite = results.suite
    what = "run directory" if is_run(place) else "suite judged now"
    yield printable(f"{letter}: {place} ({what}): {suite.name}, {counted(len(suite.cases), 'case')}")
    yield f"   suite sha256 {suite.digest}"


def _summary(found: Comparison, before: Results, after: Results) -> Iterator[str]:
    both = len(found.cases)
    if before.suite.digest == after.suite.digest:
        yield f"The same suite. {len(found.changed)} of {both} verdicts differ."
    else:
        yield f"Two suites, compared by case id. {len(found.changed)} of {both} verdicts differ."
    titles = {layer.name: layer.title for layer in before.suite.contract.layers}
    counts = ", ".join(f"{titles[layer]} {found.changed_at(layer)}" for layer in LAYERS)
    yield f"Changed at a layer: {counts}."
    for what, cases in (
        ("candidate", [case.before.case.id for case in found.cases if not case.same_candidate]),
        (
            "request (or what it supplies)",
            [case.before.case.id for case in found.cases if not case.same_request],
        ),
    ):
        if cases:
            yield f"Another {what}: {listed(cases)}."


def _tables(found: Comparison, before: Results, after: Results, *, style: str) -> Iterator[str]:
    titles = [layer.title for layer in before.suite.contract.layers]
    if found.cases:
        yield ""
        yield table(
            [_row(case) for case in found.cases], headers=["Case", "", *titles, "Verdict"], style=style
        )
    totals = [results.totals()["outcomes"] for results in (before, after)]
    yield ""
    yield table(
        [[name.replace("_", " "), *(str(counts[name]) for counts in totals)] for name in totals[0]],
        headers=["Outcome", "A", "B"],
        style=style,
        right=[1, 2],
    )


def _row(case: Matched) -> list[str]:
    before, after = case.before.verdict, case.after.verdict
    layers = [_arrow(_pass(before, layer), _pass(after, layer)) for layer in LAYERS]
    return [
        case.before.case.id,
        "changed" if case.changed else "same",
        *layers,
        _arrow(_said(before, full=case.changed), _said(after, full=case.changed)),
    ]


def _pass(verdict: Verdict, layer: str) -> str:
    return "pass" if verdict.passes(layer) else "reject"


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"


def _said(verdict: Verdict, *, full: bool) -> str:
    """Name a status and, where the verdict changed, all that may have changed with the same status."""
    parts = [] if verdict.claim is None else [f"claim {verdict.claim}"]
    parts += [f"{field}={'null' if value is None else value}" for field, value in verdict.accepted.items()]
    return f"{verdict.status} ({', '.join(parts)})" if full and parts else verdict.status


def _alone(found: Comparison) -> Iterator[str]:
    for letter, cases in (("A", found.only_before), ("B", found.only_after)):
        if cases:
            yield ""
            yield f"Only in {letter}: {listed(cases)}."
