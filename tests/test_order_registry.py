"""A registry of facts: what is technically wrong is a suite error, and what is contradictory is data (F4)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grounded_claims.errors import SuiteError
from grounded_claims.runner import run_suite
from grounded_claims.suite import load_suite

SUITE = """\
suite: my-orders
contract: order-status
title: Two facts
groups:
  refusals:
    description: The two facts contradict each other.
    effect: None.
"""
REGISTRY = """\
facts:
  - id: F1
    order_id: AB-1
    field: status
    revision: null
    value: shipped
    text: AB-1 is shipped.
  - id: F2
    order_id: AB-1
    field: status
    revision: null
    value: cancelled
    text: AB-1 is cancelled.
"""
CASES = """\
requests:
  status:
    order_id: AB-1
    field: status
    revision: null
    supplied: [F1, F2]
cases:
  - id: refused
    group: refusals
    note: Which of the two holds is for a person to settle.
    request: status
    candidate: '{"status":"unknown","order_id":"AB-1","answer":null,"evidence":[]}'
    expected: ACCEPT
"""

#: What is wrong; the text replaced in registry.yaml, and what by; the file and line, key, and mend named.
FAULTS = {
    "one id twice": (
        "id: F2",
        "id: F1",
        [
            (
                "registry.yaml:8",
                "facts[1].id",
                "'F1' is the id of an earlier fact; give one of the two another id",
            ),
        ],
    ),
    "a text that does not contain its value": (
        "AB-1 is shipped.",
        "AB-1 is on its way.",
        [
            (
                "registry.yaml:7",
                "facts[0].text",
                "does not contain the value 'shipped'; mend the text or the value",
            )
        ],
    ),
    "a text that contains its value in other letters": (
        "AB-1 is shipped.",
        "AB-1 is Shipped.",
        [
            (
                "registry.yaml:7",
                "facts[0].text",
                "does not contain the value 'shipped'; mend the text or the value",
            )
        ],
    ),
    "a value that is empty": (
        "value: shipped",
        "value: ''",
        [("registry.yaml:6", "facts[0].value", "is an empty text; say something here")],
    ),
    "a value of two lines": (
        "value: shipped",
        'value: "shipped\\n"',
        [
            ("registry.yaml:6", "facts[0].value", "'shipped\\n' holds a line break; a value is one line"),
            (
                "registry.yaml:7",
                "facts[0].text",
                "does not contain the value 'shipped\\n'; mend the text or the value",
            ),
        ],
    ),
    "a value that is a number": (
        "value: shipped",
        "value: 104",
        [
            (
                "registry.yaml:6",
                "facts[0].value",
                'the number 104 stands where text belongs; put it in quotation marks: "104"',
            ),
        ],
    ),
    "a value that is a boolean": (
        "value: shipped",
        "value: true",
        [
            (
                "registry.yaml:6",
                "facts[0].value",
                'the boolean true stands where text belongs; put it in quotation marks: "true"',
            ),
        ],
    ),
    "a value that is left out": (
        "    value: shipped\n",
        "",
        [("registry.yaml:2", "facts[0]", "'value' is missing; nothing is defaulted, so write it down")],
    ),
    "a member that is not known": (
        "value: shipped",
        "value: shipped\n    vaule: shipped",
        [("registry.yaml:7", "facts[0].vaule", "is not known here; did you mean 'value'?")],
    ),
    "a text that is empty": (
        "text: AB-1 is shipped.",
        "text: ''",
        [("registry.yaml:7", "facts[0].text", "is an empty text; say something here")],
    ),
    "an order that is null": (
        "order_id: AB-1\n    field: status\n    revision: null\n    value: shipped",
        "order_id: null\n    field: status\n    revision: null\n    value: shipped",
        [
            (
                "registry.yaml:3",
                "facts[0].order_id",
                'null stands where text belongs; for the word itself write "null" in quotation marks',
            ),
        ],
    ),
    "a field with a capital": (
        "field: status\n    revision: null\n    value: shipped",
        "field: Status\n    revision: null\n    value: shipped",
        [
            (
                "registry.yaml:4",
                "facts[0].field",
                "'Status' is not the name of a field: it must match [a-z][a-z0-9_]*",
            ),
        ],
    ),
    "a revision that is a number": (
        "revision: null\n    value: shipped",
        "revision: 42\n    value: shipped",
        [
            (
                "registry.yaml:5",
                "facts[0].revision",
                'the number 42 stands where text belongs; put it in quotation marks: "42"',
            ),
        ],
    ),
    "an id that a request no longer finds": (
        "id: F2",
        "id: f2",
        [
            (
                "cases.yaml:6",
                "requests.status.supplied[1]",
                "'F2' is not one of the fact ids of the registry; did you mean 'f2'?",
            ),
        ],
    ),
    "no fact at all": (
        REGISTRY,
        "facts: []\n",
        [
            ("registry.yaml:1", "facts", "is empty; at least one of the facts belongs here"),
            (
                "cases.yaml:6",
                "requests.status.supplied[0]",
                "'F1' is not one of the fact ids of the registry",
            ),
            (
                "cases.yaml:6",
                "requests.status.supplied[1]",
                "'F2' is not one of the fact ids of the registry",
            ),
        ],
    ),
}


def write(folder: Path, registry: str) -> Path:
    folder.mkdir()
    for name, text in (("suite.yaml", SUITE), ("registry.yaml", registry), ("cases.yaml", CASES)):
        (folder / name).write_text(text, "utf-8", newline="\n")
    return folder


@pytest.mark.parametrize("what", FAULTS)
def test_a_technical_contradiction_is_a_suite_error(tmp_path: Path, what: str) -> None:
    old, new, said = FAULTS[what]
    assert REGISTRY.count(old) == 1
    folder = write(tmp_path / "suite", REGISTRY.replace(old, new))
    with pytest.raises(SuiteError) as caught:
        load_suite(folder)
    assert str(caught.value).replace(f"{folder}{os.sep}", "").splitlines() == [
        ": ".join(parts) for parts in said
    ]


def test_facts_that_contradict_each_other_are_data(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "suite", REGISTRY))
    (result,) = run_suite(suite).cases
    assert suite.requests["status"].values == {"shipped", "cancelled"}
    assert (result.verdict.status, result.verdict.outcome) == ("ACCEPT", "honest_refusal")


@pytest.mark.parametrize("value", ["cancelled", "null"])
def test_a_second_opinion_or_a_silent_record_is_no_fault(tmp_path: Path, value: str) -> None:
    registry = REGISTRY.replace("value: shipped", f"value: {value}").replace("is shipped", "is cancelled")
    assert load_suite(write(tmp_path / "suite", registry)).requests["status"].values == {"cancelled"}
