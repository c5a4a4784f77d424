"""The schema that `prompt --schema` prints, and layer 1: they differ only where docs/prompts.md says so.

What a schema accepts is asked of a text as an application would: read by `json.loads`, then validated.
Layer 1 accepts a text of the set below exactly if the schema accepts it and no documented difference applies.
"""

from __future__ import annotations

import functools
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grounded_claims.contracts import CONTRACTS
from grounded_claims.contracts.config_claims import read_claims
from grounded_claims.contracts.order_status import read_answer
from grounded_claims.prompts import PROMPTS
from grounded_claims.strict_json import Malformed

ROOT = Path(__file__).parents[1]
SUBSET = {"type", "properties", "required", "additionalProperties", "enum", "anyOf", "items"}
READERS: dict[str, Callable[[str], object]] = {"config-claims": read_claims, "order-status": read_answer}

SURROGATE = re.compile("[\ud800-\udfff]")
ASTRAL = "\U0001f4e6"
TEXTS: list[Any] = ["a", "", "x" * 2048, "x" * 2049, ASTRAL * 1024, ASTRAL * 1024 + "x", "\ud800", "é"]
OTHERS: list[Any] = [None, True, 0, 1.5, [], {}, ["a"], {"a": "b"}]


def order_values() -> Iterator[object]:
    """Make values of the order-status shape and beside it."""
    statuses = ["answered", "unknown", "Answered", "", None, True, ["answered"]]
    lists: list[Any] = [
        [],
        ["a"],
        ["a"] * 8,
        ["a"] * 9,
        ["a", 1],
        [None],
        [["a"]],
        *([text] for text in TEXTS),
    ]
    for status, order, answer, evidence in itertools.chain(
        itertools.product(statuses, TEXTS, TEXTS[:3], lists),
        itertools.product(statuses[:2], TEXTS + OTHERS, TEXTS + OTHERS, lists[:2]),
        itertools.product(statuses[:2], TEXTS[:1], TEXTS[:1], OTHERS + TEXTS[:2]),
    ):
        yield {"status": status, "order_id": order, "answer": answer, "evidence": evidence}
    yield from OTHERS
    yield [{"status": "unknown", "order_id": "a", "answer": None, "evidence": []}]


def config_values() -> Iterator[object]:
    """Make values of the config-claims shape and beside it."""
    good = {"field": "a", "value": "b", "doc": "c", "quote": "a=b"}
    for count in range(10):
        yield {"claims": [good] * count}
    for name, value in itertools.product(good, TEXTS + OTHERS):
        for before, after in itertools.product(range(3), repeat=2):
            yield {"claims": [good] * before + [good | {name: value}] + [good] * after}
    for first, second in itertools.product(TEXTS, repeat=2):
        yield {"claims": [good | {"field": first, "quote": second}, good | {"doc": second, "value": first}]}
    for name in good:
        yield {"claims": [{key: value for key, value in good.items() if key != name}]}
    for value in OTHERS:
        yield from (value, {"claims": value}, {"claims": [good, value]}, {"claims": [good], "more": value})


def plain(value: object) -> str:
    return json.dumps(value)


def unescaped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def reordered(value: object) -> str:
    return json.dumps(dict(reversed(value.items())) if isinstance(value, dict) else value, indent=1)


def with_more(value: object) -> str:
    return json.dumps(value | {"action": "refund"} if isinstance(value, dict) else [value])


def with_less(value: object) -> str:
    return json.dumps(dict(list(value.items())[1:]) if isinstance(value, dict) else value)


def doubled(value: object) -> str:
    text = json.dumps(value)
    return text if not isinstance(value, dict) or not value else f"{{{text[1:-1]}, {text[1:-1]}}}"


def doubled_by_escape(value: object) -> str:
    name = next(iter(value), "") if isinstance(value, dict) else ""
    return f'{{"\\u{ord(name[0]):04x}{name[1:]}": NaN, {json.dumps(value)[1:]}' if name else json.dumps(value)


def padded(size: int) -> Callable[[object], str]:
    return lambda value: json.dumps(value).ljust(size)


def between(before: str, after: str) -> Callable[[object], str]:
    return lambda value: before + json.dumps(value) + after


WRITERS: list[Callable[[object], str]] = [
    *(plain, unescaped, reordered, with_more, with_less, doubled, doubled_by_escape),
    *(padded(8191), padded(8192), padded(8193)),
    *(
        between(*around)
        for around in ((" \t\r\n", "\n"), ("\ufeff", ""), ("\xa0", ""), ("```json\n", "\n```"))
    ),
    *(between(*around) for around in (("", ","), ("", "{}"), ("// a\n", ""), ("[", "]"), ("", " thank you"))),
]
VALUES = {"config-claims": config_values, "order-status": order_values}


def candidates(contract: str) -> Iterator[str]:
    values = list(VALUES[contract]())
    yield from map(plain, values)
    for value, writer in itertools.product(values[:: max(1, len(values) // 80)], WRITERS):
        yield writer(value)


class Doubled(Exception):
    """A name stands twice in one object."""


def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise Doubled
    return dict(pairs)


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from strings(item)


def lists(value: object) -> Iterator[list[object]]:
    if isinstance(value, list):
        yield value
    for item in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        yield from lists(item)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def repeats_a_name(text: str) -> bool:
    try:
        json.loads(text, object_pairs_hook=once)
    except Doubled:
        return True
    return False


#: What docs/prompts.md lists: the contract, the text and its value to whether the difference applies.
DIFFERENCES: dict[str, Callable[[str, str, object], bool]] = {
    "a text of more than 8192 UTF-16 code units": lambda _, text, value: units(text) > 8192,
    "a name that stands twice in one object": lambda _, text, value: repeats_a_name(text),
    "an unpaired surrogate": lambda _, text, value: any(map(SURROGATE.search, strings(value))),
    "a string of more than 2048 UTF-16 code units": lambda _, text, value: any(
        units(each) > 2048 for each in strings(value)
    ),
    "an array of more than eight items": lambda _, text, value: any(len(each) > 8 for each in lists(value)),
    "an empty string": lambda contract, text, value: contract == "config-claims" and "" in strings(value),
}
SAID = ("both accept", "only the schema accepts", "both refuse")


def accepted_by_schema(validator: Draft202012Validator, text: str) -> tuple[bool, object]:
    try:
        value = json.loads(text)
    except ValueError:
        return False, None
    return validator.is_valid(value), value


@functools.cache
def compare(contract: str) -> tuple[Counter[str], list[str]]:
    """Count the texts by what the two say of them, and collect those that no difference explains."""
    validator = Draft202012Validator(PROMPTS[contract].schema)
    counts: Counter[str] = Counter()
    unexplained = []
    for text in candidates(contract):
        by_schema, value = accepted_by_schema(validator, text)
        by_layer = not isinstance(READERS[contract](text), Malformed)
        reasons = [
            name for name, applies in DIFFERENCES.items() if by_schema and applies(contract, text, value)
        ]
        if by_layer != (by_schema and not reasons):
            unexplained.append(text)
        counts[SAID[0 if by_layer else 1 if by_schema else 2]] += 1
        if len(reasons) == 1:
            counts.update(reasons)
    return counts, unexplained


@pytest.mark.parametrize("contract", CONTRACTS)
def test_schema_and_layer_1_differ_only_where_documented(contract: str) -> None:
    counts, unexplained = compare(contract)
    assert unexplained == []
    assert all(counts[said] >= 100 for said in SAID), counts


@pytest.mark.parametrize("contract", CONTRACTS)
def test_each_documented_difference_is_alone_to_blame_for_a_text(contract: str) -> None:
    counts, _ = compare(contract)
    assert counts.keys() - set(SAID) == {
        difference
        for difference in DIFFERENCES
        if difference != "an empty string" or contract == "config-claims"
    }


def test_the_page_lists_the_differences() -> None:
    page = (ROOT / "docs" / "prompts.md").read_text("utf-8")
    table = page.partition("| what the text holds |")[2].partition("\n\n")[0]
    assert [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()[2:]] == list(DIFFERENCES)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_schema_keeps_to_the_subset(contract: str) -> None:
    found: set[str] = set()

    def walk(schema: dict[str, Any]) -> None:
        found.update(schema)
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False
            assert schema["required"] == list(schema["properties"])
        for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
            walk(inner)
        if "items" in schema:
            walk(schema["items"])

    schema = PROMPTS[contract].schema
    Draft202012Validator.check_schema(schema)
    walk(dict(schema))
    assert found <= SUBSET


def test_every_contract_has_a_prompt() -> None:
    assert list(PROMPTS) == list(CONTRACTS)
