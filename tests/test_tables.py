"""Results to text: the published table, and cells that cannot break it or steer a terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grounded_claims import load_suite
from grounded_claims.errors import GroundedClaimsError
from grounded_claims.runner import run_suite
from grounded_claims.tables import (
    baseline_sentence,
    case_table,
    labels_sentence,
    layer_table,
    outcome_table,
    prediction_table,
    printable,
    table,
)

ROOT = Path(__file__).parent.parent
CONFIG = load_suite(ROOT / "fixtures" / "config-claims")
ORDER = load_suite(ROOT / "fixtures" / "order-status")

PUBLISHED = [
    ["Layer", "Passed", "What it still cannot rule out"],
    ["Strict JSON", "17 / 22", "a wrong claim in a well-formed answer"],
    [
        "Citation exists",
        "13 / 22",
        "an old revision, another environment, an unrelated quotation, a missing field",
    ],
    ["Full contract", "3 / 22", "a registry that is itself wrong, out of date or not for this reader"],
]


def cells(text: str) -> list[list[str]]:
    """Return the cells of a github table, without the rule under its head."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()]
    return [row for row in rows if set("".join(row)) - set(":-")]


def test_the_published_table() -> None:
    assert cells(layer_table(run_suite(CONFIG))) == PUBLISHED


def test_the_table_of_order_status() -> None:
    rows = cells(layer_table(run_suite(ORDER)))
    assert [row[:2] for row in rows] == [
        ["Layer", "Passed"],
        ["Strict JSON", "8 / 8"],
        ["Citation exists", "7 / 8"],
        ["Full contract", "4 / 8"],
    ]


def test_counts_are_aligned_to_the_right() -> None:
    """tabulate strips leading blanks, so ` 3 / 22` would slip to the left."""
    lines = layer_table(run_suite(CONFIG)).splitlines()
    assert {line.index("/ 22") for line in lines[2:]} == {lines[2].index("/ 22")}
    plain = layer_table(run_suite(CONFIG), style="plain").splitlines()
    assert {line.index("/ 22") for line in plain[2:]} == {plain[2].index("/ 22")}


def test_the_plain_table_has_no_markup() -> None:
    text = layer_table(run_suite(CONFIG), style="plain")
    assert "|" not in text
    assert text.splitlines()[2].split("  ")[0] == "Strict JSON"


def test_outcomes_are_counted_apart() -> None:
    assert cells(outcome_table(run_suite(ORDER))) == [
        ["Outcome", "Cases"],
        ["grounded", "1"],
        ["honest refusal", "3"],
        ["needless refusal", "1"],
        ["ungrounded", "3"],
        ["malformed", "0"],
    ]


def test_every_case_has_a_row_and_no_cell_is_blank() -> None:
    """bug-log E09."""
    rows = cells(case_table(run_suite(ORDER)))
    assert len(rows) == 9
    assert rows[0] == [
        *("Case", "Group", "Label", "Verdict", "Strict JSON", "Citation exists", "Full contract", "Outcome")
    ]
    assert rows[6] == [
        *("needless-refusal", "needless-refusal", "NEEDLESS_REFUSAL", "NEEDLESS_REFUSAL"),
        *("pass", "pass", "reject", "needless refusal"),
    ]
    assert all(cell for row in rows for cell in row)


def test_predictions_and_what_was_observed() -> None:
    cases = [
        replace(CONFIG.cases[0], prediction={"strict_json": "pass", "full_contract": "INCOMPLETE"}),
        replace(CONFIG.cases[3], prediction={"full_contract": "reject"}),
        CONFIG.cases[4],
    ]
    results = run_suite(replace(CONFIG, cases=tuple(cases), frozen=False))
    rows = cells(prediction_table(results))
    assert rows[1:4] == [
        ["correct-two-facts", "strict_json", "pass", "pass", "hit"],
        ["correct-two-facts", "full_contract", "INCOMPLETE", "pass", "miss"],
        ["wrong-value", "full_contract", "reject", "VALUE_MISMATCH", "hit"],
    ]
    assert [[cell for cell in row if cell] for row in rows[4:]] == [
        ["all", "strict_json", "1 of 1 hit"],
        ["all", "full_contract", "1 of 2 hit"],
    ]


SENTENCES = {
    "the frozen suite": (CONFIG, "22 of 22 verdicts equal their frozen labels", "10 violations pass"),
    "one violation": (
        replace(CONFIG, cases=(CONFIG.case("old-revision"),)),
        "1 of 1 verdicts equals its frozen label",
        "1 violation passes",
    ),
    "an exercise": (
        replace(CONFIG, frozen=False),
        "22 of 22 verdicts equal their labels",
        "10 of 19 candidates that the contract rejects pass",
    ),
    "a right answer made wrong, with its label left": (
        replace(CONFIG, cases=(replace(CONFIG.case("old-revision"), expected="ACCEPT"),), frozen=False),
        "0 of 1 verdicts equal their labels",
        "1 of 1 candidates that the contract rejects passes",
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_the_sentences_about_labels_and_the_baseline(name: str) -> None:
    suite, labels, baseline = SENTENCES[name]
    results = run_suite(suite)
    assert labels_sentence(results) == labels
    assert baseline_sentence(results) == f"{baseline} the citation baseline"


def test_nothing_fools_where_nothing_is_rejected() -> None:
    results = run_suite(replace(CONFIG, cases=CONFIG.cases[:1], frozen=False))
    assert baseline_sentence(results) == "The contract rejects no candidate"


def test_a_table_without_rows_is_refused() -> None:
    with pytest.raises(GroundedClaimsError, match=r"^a table without rows shows nothing$"):
        table([], headers=["A"])


CELLS = {
    "a number stays as it is written": ("3.10", "3.10"),
    "a number with a leading zero": ("007", "007"),
    "an exponent": ("1e5", "1e5"),
    "a bar": ("a|b", r"a\|b"),
    "a line feed": ("a\nb", r"a\nb"),
    "a carriage return": ("a\rb", r"a\rb"),
    "an escape sequence": ("\x1b[31mred", r"\x1b[31mred"),
    "a C1 control": ("a\x9bb", r"a\x9bb"),
    "a right-to-left override": ("a\u202eb", r"a\u202eb"),
    "a zero-width space": ("a\u200bb", r"a\u200bb"),
    "a lone surrogate": ("a\ud800b", r"a\ud800b"),
    "an accent": ("é", "é"),
    "an emoji": ("\U0001f600", "\U0001f600"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_is_shown_as_it_is_and_breaks_nothing(name: str) -> None:
    text, shown = CELLS[name]
    lines = table([[text, "x"]], headers=["A", "B"]).splitlines()
    assert len(lines) == 3
    assert lines[2].removeprefix("| ").rpartition(" | ")[0].rstrip() == shown


def test_printable_leaves_text_alone() -> None:
    assert printable("a é 中 \U0001f600 “x”") == "a é 中 \U0001f600 “x”"
    assert printable("\t\0") == r"\t\x00"
