"""A suite to its results: what is counted, in what order, in which bytes (R2 to R5, F5.8)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema
import pytest

from grounded_claims import Suite, Verdict, load_suite
from grounded_claims.contracts.base import ACCEPT, INVALID_JSON, LAYERS
from grounded_claims.contracts.config_claims import ConfigClaims
from grounded_claims.errors import EXIT_FAULT, JudgingError
from grounded_claims.run_directory import serialise
from grounded_claims.runner import Results, run_suite

ROOT = Path(__file__).parent.parent
SUITES = {name: load_suite(ROOT / "fixtures" / name) for name in ("config-claims", "order-status")}
CONFIG = SUITES["config-claims"]
SCHEMA = json.loads((ROOT / "results.schema.json").read_text(encoding="utf-8"))

#: The published table, and ours of order-status: every total of the two frozen suites.
TOTALS = {
    "config-claims": {
        "cases": 22,
        "strict_json": 17,
        "citation_exists": 13,
        "full_contract": 3,
        "labels_matched": 22,
        "baseline_false_accepts": 10,
        "outcomes": {"grounded": 3, "ungrounded": 14, "malformed": 5},
        "predictions": None,
    },
    "order-status": {
        "cases": 8,
        "strict_json": 8,
        "citation_exists": 7,
        "full_contract": 4,
        "labels_matched": 8,
        "baseline_false_accepts": 3,
        "outcomes": {
            "grounded": 1,
            "honest_refusal": 3,
            "needless_refusal": 1,
            "ungrounded": 3,
            "malformed": 0,
        },
        "predictions": None,
    },
}


@pytest.mark.parametrize("name", SUITES)
def test_r4_the_totals_of_the_frozen_suites(name: str) -> None:
    results = run_suite(SUITES[name])
    assert results.totals() == TOTALS[name]
    assert results.differing_totals() == {}
    assert list(results.totals()["outcomes"]) == list(SUITES[name].contract.outcomes)


@pytest.mark.parametrize("name", SUITES)
def test_every_frozen_verdict_equals_its_label(name: str) -> None:
    results = run_suite(SUITES[name])
    assert [result.verdict.status for result in results.cases] == [
        result.case.expected for result in results.cases
    ]


@pytest.mark.parametrize("name", SUITES)
def test_r2_the_document_is_by_the_schema_with_its_members_in_order(name: str) -> None:
    document = run_suite(SUITES[name]).document()
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(document, SCHEMA, jsonschema.Draft202012Validator)
    _in_order(document, SCHEMA)
    assert json.loads(serialise(document)) == document


def _in_order(value: Any, schema: Mapping[str, Any]) -> None:
    """Assert that each object has its members in the order of its schema's `required` list."""
    if isinstance(value, dict) and "required" in schema:
        assert list(value) == schema["required"]
        for name, member in value.items():
            _in_order(member, schema["properties"][name])
    if isinstance(value, list):
        for item in value:
            _in_order(item, schema["items"])


def test_r2_the_bytes_of_a_document() -> None:
    written = serialise({"b": {"é": [1, None, True]}, "a": "\U0001f600\u2028"}).decode()
    assert written.splitlines(keepends=True) == [
        "{\n",
        '  "b": {\n',
        '    "é": [\n',
        "      1,\n",
        "      null,\n",
        "      true\n",
        "    ]\n",
        "  },\n",
        '  "a": "\U0001f600\u2028',
        '"\n',
        "}\n",
    ]


def test_r5_the_entries_of_an_accept_and_a_reject() -> None:
    first, *_, last = run_suite(CONFIG).document()["cases"]
    assert first == {
        "id": "correct-two-facts",
        "expected": "ACCEPT",
        "status": "ACCEPT",
        "strict_json": True,
        "citation_exists": True,
        "full_contract": True,
        "outcome": "grounded",
        "claim": None,
        "accepted": {"read_timeout_ms": "5000", "retry_enabled": "false"},
        "prediction": None,
    }
    assert last == {
        "id": "unknown-member",
        "expected": "INVALID_JSON",
        "status": "INVALID_JSON",
        "strict_json": False,
        "citation_exists": False,
        "full_contract": False,
        "outcome": "malformed",
        "claim": None,
        "accepted": {},
        "prediction": None,
    }


def test_r5_the_cases_stand_in_the_order_of_the_suite() -> None:
    turned = replace(CONFIG, cases=CONFIG.cases[::-1])
    ids = [entry["id"] for entry in run_suite(turned).document()["cases"]]
    assert ids == [case.id for case in reversed(CONFIG.cases)]


# Labels, pinned totals, predictions


def only(case_id: str, **changes: Any) -> Suite:
    """Return an exercise of one frozen case, changed."""
    return replace(CONFIG, cases=(replace(CONFIG.case(case_id), **changes),), frozen=False)


def test_r4_a_label_that_is_missed_is_counted_as_such() -> None:
    results = run_suite(only("wrong-value", expected="STALE_REVISION"))
    assert results.cases[0].label_matched is False
    assert results.totals()["labels_matched"] == 0
    assert results.totals()["baseline_false_accepts"] == 1


@pytest.mark.parametrize(
    ("case_id", "expected", "counted"),
    [
        ("wrong-value", "VALUE_MISMATCH", 1),  # the baseline passes it, the label rejects it
        ("wrong-value", ACCEPT, 0),  # by its label it is no violation
        ("correct-two-facts", "INCOMPLETE", 1),  # by its label it is one
        ("invented-doc", "NO_CITATION", 0),  # the baseline rejects it
        ("trailing-json", INVALID_JSON, 0),
    ],
)
def test_r4_baseline_false_accepts_go_by_the_label(case_id: str, expected: str, counted: int) -> None:
    assert run_suite(only(case_id, expected=expected)).totals()["baseline_false_accepts"] == counted


PINNED = {"cases": 22, "strict_json": 17, "citation_exists": 13, "full_contract": 3}


@pytest.mark.parametrize("name", PINNED)
def test_a8_2_each_pinned_total_is_compared(name: str) -> None:
    suite = replace(CONFIG, pinned_totals={**PINNED, name: 1})
    assert run_suite(suite).differing_totals() == {name: (1, PINNED[name])}


def test_f2_3_pinned_totals_apply_to_frozen_suites_only() -> None:
    pinned = dict.fromkeys(PINNED, 0)
    assert run_suite(replace(CONFIG, pinned_totals=pinned, frozen=False)).differing_totals() == {}
    assert run_suite(replace(CONFIG, pinned_totals=None)).differing_totals() == {}


# case, layer, prediction, hit
PREDICTIONS = [
    ("correct-two-facts", "strict_json", "pass", True),
    ("correct-two-facts", "strict_json", "reject", False),
    ("correct-two-facts", "full_contract", "pass", True),
    ("correct-two-facts", "full_contract", "reject", False),
    ("correct-two-facts", "full_contract", "VALUE_MISMATCH", False),
    ("wrong-value", "citation_exists", "pass", True),
    ("wrong-value", "citation_exists", "reject", False),
    ("wrong-value", "full_contract", "pass", False),
    ("wrong-value", "full_contract", "reject", True),
    ("wrong-value", "full_contract", "VALUE_MISMATCH", True),
    ("wrong-value", "full_contract", "STALE_REVISION", False),
    ("invented-doc", "strict_json", "pass", True),
    ("invented-doc", "citation_exists", "NO_CITATION", True),
    ("invented-doc", "citation_exists", "INVALID_JSON", False),
    ("invented-doc", "full_contract", "NO_CITATION", True),
    ("invented-doc", "full_contract", "reject", True),
    ("trailing-json", "strict_json", "INVALID_JSON", True),
    ("trailing-json", "strict_json", "pass", False),
    ("trailing-json", "full_contract", "INVALID_JSON", True),
    ("trailing-json", "full_contract", "NO_CITATION", False),
]


@pytest.mark.parametrize(("case_id", "layer", "predicted", "hit"), PREDICTIONS)
def test_f5_8_when_a_prediction_is_a_hit(*, case_id: str, layer: str, predicted: str, hit: bool) -> None:
    results = run_suite(only(case_id, prediction={layer: predicted}))
    assert results.cases[0].hits() == {layer: hit}
    assert results.totals()["predictions"] == {
        name: {"made": int(name == layer), "hit": int(hit and name == layer)} for name in LAYERS
    }


def test_r4_predictions_are_counted_by_layer_over_all_cases() -> None:
    predictions: list[dict[str, str] | None] = [
        {"full_contract": "pass", "strict_json": "pass"},
        None,
        {"full_contract": "reject"},
    ]
    cases = [
        replace(case, prediction=made and MappingProxyType(made))
        for case, made in zip(CONFIG.cases[:3], predictions, strict=True)
    ]
    results = run_suite(replace(CONFIG, cases=tuple(cases), frozen=False))
    assert results.totals()["predictions"] == {
        "strict_json": {"made": 1, "hit": 1},
        "citation_exists": {"made": 0, "hit": 0},
        "full_contract": {"made": 2, "hit": 1},
    }
    document = results.document()
    jsonschema.validate(document, SCHEMA, jsonschema.Draft202012Validator)
    # R5: the layers in their order, whatever the order of the prediction
    assert [entry["prediction"] and list(entry["prediction"].items()) for entry in document["cases"]] == [
        [("strict_json", "pass"), ("full_contract", "pass")],
        None,
        [("full_contract", "reject")],
    ]


# A failure of the judging itself (bug-log E06)


class FailsOn(ConfigClaims):
    """A contract that cannot judge one candidate."""

    def __init__(self, candidate: str, fault: BaseException) -> None:
        self.candidate = candidate
        self.fault = fault

    def judge(self, candidate: str, request: Any) -> Verdict:
        if candidate == self.candidate:
            raise self.fault
        return super().judge(candidate, request)


def failing(fault: BaseException) -> Suite:
    case = CONFIG.case("old-revision")
    return replace(CONFIG, contract=FailsOn(case.candidate, fault))


@pytest.mark.parametrize(
    "fault", [ValueError("broken"), RecursionError("broken"), MemoryError("broken"), KeyError("broken")]
)
def test_e06_a_fault_in_judging_names_the_case_and_is_no_rejection(fault: Exception) -> None:
    with pytest.raises(JudgingError) as raised:
        run_suite(failing(fault))
    assert str(raised.value) == (
        f"case 'old-revision': the judging itself failed: {type(fault).__name__}: {fault}"
    )
    assert (raised.value.case, raised.value.exit_code) == ("old-revision", EXIT_FAULT)
    assert raised.value.__cause__ is fault


def test_an_interrupt_while_judging_stays_one() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_suite(failing(KeyboardInterrupt()))


def test_passed_counts_one_layer() -> None:
    results: Results = run_suite(CONFIG)
    assert [results.passed(layer) for layer in LAYERS] == [17, 13, 3]
