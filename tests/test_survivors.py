"""Cases that mutation testing asked for: each kills a mutant that every other quick test let live."""

from __future__ import annotations

import pytest

from grounded_claims.contracts import CONTRACTS
from grounded_claims.strict_json import Malformed, parse

TOO_DEEP = "brackets nest deeper than 16"

TITLES = {
    "config-claims": [
        ("Strict JSON", "a wrong claim in a well-formed answer"),
        (
            "Citation exists",
            "an old revision, another environment, an unrelated quotation, a missing field",
        ),
        ("Full contract", "a registry that is itself wrong, out of date or not for this reader"),
    ],
    "order-status": [
        ("Strict JSON", "an invented fact id in a well-formed answer"),
        (
            "Citation exists",
            "a fact of another order, a value no fact holds, a needless refusal, a contradiction",
        ),
        ("Full contract", "facts that are themselves wrong, out of date or not for this reader"),
    ],
}


@pytest.mark.parametrize("contract", CONTRACTS)
def test_what_the_tables_say_of_a_layer(contract: str) -> None:
    layers = CONTRACTS[contract].layers
    assert [(layer.title, layer.leaves) for layer in layers] == TITLES[contract]


def test_j3_a_comma_before_a_bracket_that_another_follows() -> None:
    assert parse('{"a":[1,]}') == Malformed("a comma stands before the closing bracket", 7)


@pytest.mark.parametrize(
    ("text", "reason", "offset"),
    [
        ("[" + "x [] " * 20, "'x' stands where a value belongs", 1),
        ("[x" * 17, TOO_DEEP, 32),
        ("[[]" * 17, TOO_DEEP, 46),
    ],
    ids=["words are no brackets", "words close no brackets", "a bracket closes one"],
)
def test_j7_nesting_is_counted_by_brackets_alone(text: str, reason: str, offset: int) -> None:
    assert parse(text) == Malformed(reason, offset)
