"""Results to text, for a terminal or a page."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from .contracts.base import CITATION_EXISTS, LAYERS
from .errors import GroundedClaimsError
from .runner import Results

#: `--format` to the name that tabulate has for it.
TABLE_FORMATS: Final = {"github": "github", "plain": "simple"}


def printable(text: str) -> str:
    """Show control and format characters as escapes: what comes from a file must not steer a terminal."""
    return "".join(
        char if unicodedata.category(char)[0] != "C" else char.encode("unicode_escape").decode()
        for char in text
    )


def table(
    rows: Sequence[Sequence[str]], *, headers: Sequence[str], style: str = "github", right: Sequence[int] = ()
) -> str:
    """Lay out rows of text; the columns of `right` are aligned to the right."""
    from tabulate import tabulate

    if not rows:
        raise GroundedClaimsError("a table without rows shows nothing")
    cells = [
        [printable(cell).replace("|", "\\|") if style == "github" else printable(cell) for cell in row]
        for row in rows
    ]
    align = ["right" if column in right else "left" for column in range(len(headers))]
    return tabulate(
        cells, headers=headers, tablefmt=TABLE_FORMATS[style], disable_numparse=True, colalign=align
    )


def layer_table(results: Results, *, style: str = "github") -> str:
    """Show how many cases pass each layer, and what the layer leaves: the published table."""
    of = len(results.cases)
    width = len(str(of))
    rows = [
        [layer.title, f"{results.passed(layer.name):>{width}} / {of}", layer.leaves]
        for layer in results.suite.contract.layers
    ]
    return table(rows, headers=["Layer", "Passed", "What it still cannot rule out"], style=style, right=[1])


def labels_sentence(results: Results) -> str:
    """Say how many verdicts equal their labels; without the full stop."""
    matched, of = results.totals()["labels_matched"], len(results.cases)
    frozen = "frozen " if results.suite.frozen else ""
    equal = f"equals its {frozen}label" if matched == 1 else f"equal their {frozen}labels"
    return f"{matched} of {of} verdicts {equal}"


def baseline_sentence(results: Results) -> str:
    """Say how many candidates fool the citation baseline; without the full stop.

    In a frozen suite the label says which candidate is a violation (R4). In an exercise the label is that of
    the candidate as it was before somebody changed it, so the contract says it.
    """
    if results.suite.frozen:
        violations = results.totals()["baseline_false_accepts"]
        return f"{violations} violation{_passes(violations)} the citation baseline"
    rejected = [result.verdict for result in results.cases if not result.verdict.full_contract]
    if not rejected:
        return "The contract rejects no candidate"
    fooled = sum(verdict.passes(CITATION_EXISTS) for verdict in rejected)
    passes = "passes" if fooled == 1 else "pass"
    return f"{fooled} of {len(rejected)} candidates that the contract rejects {passes} the citation baseline"


def _passes(number: int) -> str:
    return " passes" if number == 1 else "s pass"


def outcome_table(results: Results, *, style: str = "github") -> str:
    """Show how many verdicts are of each kind; they are never added into one figure."""
    outcomes = results.totals()["outcomes"]
    rows = [[name.replace("_", " "), str(count)] for name, count in outcomes.items()]
    return table(rows, headers=["Outcome", "Cases"], style=style, right=[1])


def case_table(results: Results, *, style: str = "github") -> str:
    """Show every case: its label, its verdict, and what each layer said."""
    rows = [
        [
            result.case.id,
            result.case.group,
            result.case.expected,
            result.verdict.status,
            *("pass" if result.verdict.passes(layer) else "reject" for layer in LAYERS),
            result.verdict.outcome.replace("_", " "),
        ]
        for result in results.cases
    ]
    titles = [layer.title for layer in results.suite.contract.layers]
    return table(rows, headers=["Case", "Group", "Label", "Verdict", *titles, "Outcome"], style=style)


def prediction_table(results: Results, *, style: str = "github") -> str:
    """Show each prediction, what was observed, and whether it was a hit; then the totals for each layer."""
    rows = [
        [
            result.case.id,
            layer,
            predicted,
            _observed(result.verdict.passes(layer), result.verdict.status),
            _hit(hit),
        ]
        for result in results.cases
        for (layer, hit), predicted in zip(
            result.hits().items(), (result.case.prediction or {}).values(), strict=True
        )
    ]
    totals = results.totals()["predictions"]
    rows += [
        ["all", layer, "", "", f"{made['hit']} of {made['made']} hit"]
        for layer, made in totals.items()
        if made["made"]
    ]
    return table(rows, headers=["Case", "Layer", "Predicted", "Observed", ""], style=style)


def _observed(passes: bool, status: str) -> str:
    return "pass" if passes else status


def _hit(hit: bool) -> str:
    return "hit" if hit else "miss"


def counted(number: int, noun: str) -> str:
    """Count a noun: `1 claim`, `2 claims`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
