"""fixtures/*.schema.json and the loader, held to each other.

Each mutation breaks one clause of F2 to F5 that a schema can express; both must refuse it. What a schema
cannot see is listed too: there the schema must accept what the loader refuses, so that the list stays true.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from small_suite import FILES, ORDERS, write

from grounded_claims.contracts import CONTRACTS
from grounded_claims.errors import SuiteError
from grounded_claims.strict_yaml import load
from grounded_claims.suite import load_suite

FIXTURES = Path(__file__).parent.parent / "fixtures"
SUITE, REGISTRY, CASES = "suite.yaml", "registry.yaml", "cases.yaml"
SCHEMAS = {
    name: json.loads((FIXTURES / name.replace(".yaml", ".schema.json")).read_text("utf-8")) for name in FILES
}
VALIDATORS = {name: Draft202012Validator(schema) for name, schema in SCHEMAS.items()}

CLAIMS = {name: load(text.encode()).value for name, text in FILES.items()}
STATUS = {name: load(text.encode()).value for name, text in ORDERS.items()}
CLAIMS[SUITE]["pinned_totals"] = {"cases": 2, "strict_json": 2, "citation_exists": 2, "full_contract": 1}

GONE = object()
DOCUMENT, FACT = ("documents", 0), ("facts", 0)
TIMEOUT, ORDER = ("requests", "timeout"), ("requests", "status")
RIGHT, WRONG = ("cases", 0), ("cases", 1)
WRONG_KINDS = (5, True, None, [], {})


Suite = dict[str, Any]
#: The suite, the file, the path within it, and what stands there instead.
Mutation = tuple[Suite, str, tuple[str | int, ...], Any]


def kinds(base: Suite, name: str, path: tuple[str | int, ...], *, null: bool = False) -> Iterator[Mutation]:
    """Yield a mutation for every kind of value that is no text, and the empty text."""
    for value in (*WRONG_KINDS, ""):
        if not (null and value is None):
            yield base, name, path, value


def suite_mutations() -> Iterator[Mutation]:
    """Break F2."""
    for key in ("suite", "contract", "title"):
        yield from kinds(CLAIMS, SUITE, (key,))
    for name in ("My-suite", "my_suite", "my suite", "my-suite\n", "süite"):
        yield CLAIMS, SUITE, ("suite",), name
    yield CLAIMS, SUITE, ("contract",), "config"
    for key in ("suite", "contract", "title", "groups"):
        yield CLAIMS, SUITE, (key,), GONE
    yield CLAIMS, SUITE, ("version",), 1
    for value in ("2", -1, None, True, []):
        yield CLAIMS, SUITE, ("pinned_totals", "cases"), value
    yield CLAIMS, SUITE, ("pinned_totals", "full_contract"), GONE
    yield CLAIMS, SUITE, ("pinned_totals", "labels"), 2
    yield CLAIMS, SUITE, ("pinned_totals",), None
    for value in ([], {}, None, "value"):
        yield CLAIMS, SUITE, ("groups",), value
    yield CLAIMS, SUITE, ("groups", "Value"), {"description": "a", "effect": "b"}
    yield CLAIMS, SUITE, ("groups", "value"), "a"
    for key in ("description", "effect"):
        yield from kinds(CLAIMS, SUITE, ("groups", "value", key))
        yield CLAIMS, SUITE, ("groups", "value", key), GONE
    yield CLAIMS, SUITE, ("groups", "value", "harm"), "a"


def document_mutations() -> Iterator[Mutation]:
    """Break F3."""
    for value in ([], {}, None, "prod-v2"):
        yield CLAIMS, REGISTRY, ("documents",), value
    yield CLAIMS, REGISTRY, ("documents",), GONE
    yield CLAIMS, REGISTRY, ("version",), 1
    yield CLAIMS, REGISTRY, DOCUMENT, "prod-v2"
    for key in ("id", "service", "environment", "revision", "text"):
        yield from kinds(CLAIMS, REGISTRY, (*DOCUMENT, key))
        yield CLAIMS, REGISTRY, (*DOCUMENT, key), GONE
    yield CLAIMS, REGISTRY, (*DOCUMENT, "title"), "a"
    for value in ([], {}, None, "a=b"):
        yield CLAIMS, REGISTRY, (*DOCUMENT, "facts"), value
    yield CLAIMS, REGISTRY, (*DOCUMENT, "facts"), GONE
    for field in ("Retry", "retry-enabled", "2nd", "_a", "retry_enabled\n", ""):
        yield CLAIMS, REGISTRY, (*DOCUMENT, "facts", field), "false"
    yield from kinds(CLAIMS, REGISTRY, (*DOCUMENT, "facts", "retry_enabled"))
    for value in ("a\n", "\na", "a\rb"):
        yield CLAIMS, REGISTRY, (*DOCUMENT, "facts", "retry_enabled"), value


def fact_mutations() -> Iterator[Mutation]:
    """Break F4."""
    for value in ([], {}, None, "F1"):
        yield STATUS, REGISTRY, ("facts",), value
    yield STATUS, REGISTRY, ("facts",), GONE
    yield STATUS, REGISTRY, FACT, "F1"
    for key in ("id", "order_id", "field", "text"):
        yield from kinds(STATUS, REGISTRY, (*FACT, key))
    for key in ("revision", "value"):
        yield from kinds(STATUS, REGISTRY, (*FACT, key), null=True)
    for key in ("id", "order_id", "field", "revision", "value", "text"):
        yield STATUS, REGISTRY, (*FACT, key), GONE
    yield STATUS, REGISTRY, (*FACT, "source"), "a"
    for field in ("Status", "order status", "status\n"):
        yield STATUS, REGISTRY, (*FACT, "field"), field
    for value in ("shipped\n", "ship\rped"):
        yield STATUS, REGISTRY, (*FACT, "value"), value


def request_mutations(base: Suite, request: tuple[str, str]) -> Iterator[Mutation]:
    """Break F5.1 to F5.4, as far as the contracts agree."""
    for key in ("requests", "cases"):
        for value in ([], {}, None, "a", GONE):
            yield base, CASES, (key,), value
    yield base, CASES, ("version",), 1
    yield base, CASES, ("requests", "A b"), base[CASES]["requests"][request[1]]
    yield base, CASES, request, "a"
    yield base, CASES, (*request, "clock"), "a"
    for value in (None, "F1", {}):
        yield base, CASES, (*request, "supplied"), value
    for key in base[CASES]["requests"][request[1]]:
        yield base, CASES, (*request, key), GONE
    for value in WRONG_KINDS:
        yield base, CASES, (*request, "supplied"), [value]


def case_mutations(base: Suite) -> Iterator[Mutation]:
    """Break F5.5 to F5.8."""
    yield base, CASES, RIGHT, "a"
    for value in WRONG_KINDS:
        yield base, CASES, (*RIGHT, "candidate"), value
    for key in ("id", "group", "note", "request", "expected"):
        yield from kinds(base, CASES, (*RIGHT, key))
    for key in ("id", "group", "note", "request", "candidate", "expected"):
        yield base, CASES, (*RIGHT, key), GONE
    yield base, CASES, (*RIGHT, "comment"), "a"
    for case_id in ("Right", "right ", "right\n"):
        yield base, CASES, (*RIGHT, "id"), case_id
    for status in ("ACCPET", "accept", "pass"):
        yield base, CASES, (*RIGHT, "expected"), status
    yield base, CASES, (*RIGHT, "pair"), "right"
    yield base, CASES, (*WRONG, "pair"), GONE
    yield from kinds(base, CASES, (*WRONG, "pair"))
    for value in ({}, [], None, "pass", {"layer": "pass"}, {"strict_json": "yes"}, {"strict_json": True}):
        yield base, CASES, (*WRONG, "prediction"), value
    later = base[CASES]["cases"][1]["expected"]
    yield base, CASES, (*WRONG, "prediction"), {"citation_exists": later}
    yield base, CASES, (*WRONG, "prediction"), {"full_contract": "ACCEPT"}


def contract_mutations() -> Iterator[Mutation]:
    """Break what only one of the contracts asks (F5.3, F5.4, F5.6)."""
    yield CLAIMS, CASES, (*WRONG, "expected"), "ANSWER_MISMATCH"
    yield STATUS, CASES, (*WRONG, "expected"), "VALUE_MISMATCH"
    for key in ("service", "environment", "revision"):
        yield from kinds(CLAIMS, CASES, (*TIMEOUT, key))
    for value in ([], {}, None, "read_timeout_ms", ["read_timeout_ms"] * 2, [5], [""]):
        yield CLAIMS, CASES, (*TIMEOUT, "fields"), value
    yield CLAIMS, CASES, (*TIMEOUT, "supplied"), ["prod-v2"] * 2
    yield STATUS, CASES, (*ORDER, "supplied"), ["F1"] * 2
    yield from kinds(STATUS, CASES, (*ORDER, "order_id"))
    yield from kinds(STATUS, CASES, (*ORDER, "field"))
    yield STATUS, CASES, (*ORDER, "field"), "Status"
    yield from kinds(STATUS, CASES, (*ORDER, "revision"), null=True)


def mutations() -> Iterator[Mutation]:
    """Yield everything that is broken."""
    yield from suite_mutations()
    yield from document_mutations()
    yield from fact_mutations()
    for base, request in ((CLAIMS, TIMEOUT), (STATUS, ORDER)):
        yield from request_mutations(base, request)
        yield from case_mutations(base)
    yield from contract_mutations()


#: What only the loader sees: base, file, path, what stands there instead, and part of what the loader says.
ONLY_THE_LOADER = {
    "a document id twice": (CLAIMS, REGISTRY, ("documents", 1, "id"), "prod-v2", "documents[1].id"),
    "a fact without its line": (
        CLAIMS,
        REGISTRY,
        (*DOCUMENT, "facts", "retry_enabled"),
        "true",
        "documents[0].facts.retry_enabled",
    ),
    "a fact id twice": (STATUS, REGISTRY, ("facts", 1, "id"), "F1", "facts[1].id"),
    "a value that its text does not hold": (STATUS, REGISTRY, (*FACT, "value"), "lost", "facts[0].text"),
    "a field of no document": (CLAIMS, CASES, (*TIMEOUT, "fields"), ["size"], "requests.timeout.fields[0]"),
    "a document that does not exist": (
        CLAIMS,
        CASES,
        (*TIMEOUT, "supplied"),
        ["prod-v3"],
        "requests.timeout.supplied[0]",
    ),
    "a fact that does not exist": (
        STATUS,
        CASES,
        (*ORDER, "supplied"),
        ["F9"],
        "requests.status.supplied[0]",
    ),
    "a case id twice": (CLAIMS, CASES, (*WRONG, "id"), "right", "cases[1].id"),
    "a group that does not exist": (CLAIMS, CASES, (*WRONG, "group"), "other", "cases[1].group"),
    "a request that does not exist": (CLAIMS, CASES, (*WRONG, "request"), "other", "cases[1].request"),
    "a pair that does not exist": (CLAIMS, CASES, (*WRONG, "pair"), "other", "cases[1].pair"),
    "a pair that is a reject": (CLAIMS, CASES, (*WRONG, "pair"), "wrong-value", "cases[1].pair"),
    "the registry of the other contract": (CLAIMS, SUITE, ("contract",), "order-status", "facts"),
}

#: What both take: base, file, path, and what stands there instead.
ACCEPTED = {
    "no pinned totals": (CLAIMS, SUITE, ("pinned_totals",), GONE),
    "an unused group": (CLAIMS, SUITE, ("groups", "0-spare"), {"description": "a", "effect": "b"}),
    "a text of several lines": (CLAIMS, SUITE, ("title",), "a\nb"),
    "nothing supplied": (CLAIMS, CASES, (*TIMEOUT, "supplied"), []),
    "an empty candidate": (CLAIMS, CASES, (*RIGHT, "candidate"), ""),
    "no prediction": (CLAIMS, CASES, (*WRONG, "prediction"), GONE),
    "a prediction for an accepted case": (CLAIMS, CASES, (*RIGHT, "prediction"), {"full_contract": "pass"}),
    "a prediction by an earlier status": (
        CLAIMS,
        CASES,
        (*WRONG, "prediction"),
        {"full_contract": "NO_CITATION"},
    ),
    "a revision for a fact": (STATUS, REGISTRY, (*FACT, "revision"), "r1"),
    "a null value": (STATUS, REGISTRY, (*FACT, "value"), None),
    "a revision asked for": (STATUS, CASES, (*ORDER, "revision"), "r1"),
    "a field that no fact has": (STATUS, CASES, (*ORDER, "field"), "colour"),
}


def mutated(base: dict[str, Any], name: str, path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """Return the plain values of a suite's files with one place changed."""
    files = copy.deepcopy(base)
    *parents, last = path
    place = files[name]
    for part in parents:
        place = place[part]
    if value is GONE:
        del place[last]
    else:
        place[last] = copy.deepcopy(value)
    return files


def loader_says(folder: Path, files: dict[str, Any]) -> str:
    """Return the faults of a suite of these values; JSON is the YAML that it is written in."""
    texts = {name: json.dumps(value, ensure_ascii=False).encode() for name, value in files.items()}
    try:
        load_suite(write(folder, texts), pins={})
    except SuiteError as error:
        return str(error)
    return ""


def test_the_schemas_are_schemas_and_closed() -> None:
    def objects(node: Any) -> Iterator[dict[str, Any]]:
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            yield from objects(child)
        if isinstance(node, dict) and node.get("type") == "object":
            yield node

    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)
        found = list(objects(schema))
        assert found
        for node in found:
            assert "additionalProperties" in node
            assert node["description"]
            for name, member in node.get("properties", {}).items():
                assert "description" in member, name
        assert "$ref" not in json.dumps(schema).replace(
            '"$ref": "#/', ""
        )  # nothing is fetched from elsewhere


def test_the_schemas_know_the_contracts() -> None:
    assert SCHEMAS[SUITE]["properties"]["contract"]["enum"] == list(CONTRACTS)
    for name, contract in CONTRACTS.items():
        case = SCHEMAS[CASES]["$defs"][f"{name}-case"]["properties"]
        assert case["expected"]["enum"] == list(contract.statuses)
        rejects: list[str] = []
        for layer in contract.layers:
            rejects += layer.rejects
            assert case["prediction"]["properties"][layer.name]["enum"] == ["pass", "reject", *rejects]


@pytest.mark.parametrize(
    "folder", sorted(path.parent for path in FIXTURES.glob("*/suite.yaml")), ids=lambda path: path.name
)
def test_the_suites_match_the_schemas(folder: Path) -> None:
    for name, validator in VALIDATORS.items():
        assert [
            error.message for error in validator.iter_errors(load((folder / name).read_bytes()).value)
        ] == []


def test_both_refuse_every_mutation(tmp_path: Path) -> None:
    rows = list(mutations())
    disagreements = []
    for number, (base, name, path, value) in enumerate(rows):
        files = mutated(base, name, path, value)
        says = loader_says(tmp_path / str(number), files)
        if VALIDATORS[name].is_valid(files[name]) or f"{number}/{name}" not in says:
            disagreements.append((name, path, value, says))
    assert disagreements == []
    assert len(rows) > 300


@pytest.mark.parametrize("what", ONLY_THE_LOADER)
def test_what_only_the_loader_sees(what: str, tmp_path: Path) -> None:
    base, name, path, value, says = ONLY_THE_LOADER[what]
    files = mutated(base, name, path, value)
    assert VALIDATORS[name].is_valid(files[name])
    assert says in loader_says(tmp_path / "suite", files)


@pytest.mark.parametrize("what", ACCEPTED)
def test_both_take_what_the_clauses_allow(what: str, tmp_path: Path) -> None:
    base, name, path, value = ACCEPTED[what]
    files = mutated(base, name, path, value)
    assert [error.message for error in VALIDATORS[name].iter_errors(files[name])] == []
    assert loader_says(tmp_path / "suite", files) == ""
