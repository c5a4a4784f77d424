"""Deliberately broken contracts: the frozen suites, or the rows of the clause tests, catch each of them.

A broken contract is the real one with one small piece of its source replaced. What is asserted is *which*
cases and rows notice, so that a case which no longer attacks what it says is noticed too.
"""

from __future__ import annotations

import itertools
import sys
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import test_config_claims as config
import test_order_status as order
from candidates import CONFIG_REQUESTS, ORDER_REQUESTS, REGISTRIES

from grounded_claims import load_suite
from grounded_claims.contracts import CONTRACTS
from grounded_claims.contracts.base import AnyContract
from grounded_claims.runner import run_suite
from grounded_claims.shapes import Checker

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "grounded_claims"
CLASSES = {"config_claims": "ConfigClaims", "order_status": "OrderStatus"}
COUNT = itertools.count()

#: what is broken: (file, old, new, cases of the frozen suite that notice, a row that notices or None)
Broken = tuple[str, str, str, tuple[str, ...], "str | None"]

BROKEN: dict[str, Broken] = {
    # config-claims
    "the last of doubled names wins": (
        "strict_json",
        "if len(members) != len(pairs):",
        "if False:",
        ("duplicate-json-key",),
        None,
    ),
    "what follows the value is not looked at": (
        "strict_json",
        "_DECODER.decode(text)",
        "_DECODER.raw_decode(text)[0]",
        ("trailing-json",),
        None,
    ),
    "other members are let pass": (
        "config_claims",
        'value.keys() != {"claims"}',
        '"claims" not in value',
        ("free-text-bypass",),
        "C1.1 a member more",
    ),
    "an empty list is judged like any other": (
        "config_claims",
        "if not claims:",
        "if False:",
        ("empty",),
        None,
    ),
    "a quotation is not looked for": (
        "config_claims",
        "document is None or claim.quote not in document.text",
        "document is None",
        ("invented-quote",),
        "C2.3 one digit of the quote is another",
    ),
    "white space in a quotation is folded": (
        "config_claims",
        "claim.quote not in document.text",
        '" ".join(claim.quote.split()) not in document.text',
        (),
        "C2.3 a no-break space for a space",
    ),
    "one field may be claimed twice": (
        "config_claims",
        "if claim.field in earlier:",
        "if False:",
        ("duplicate-claim",),
        "C3.1 the same claim twice",
    ),
    "any field may be claimed": (
        "config_claims",
        "if claim.field not in request.fields:",
        "if False:",
        ("unrequested-field",),
        "C3.2 a field that nobody asked for",
    ),
    "the service is not compared": (
        "config_claims",
        "document.service != request.service or ",
        "",
        ("other-service",),
        "C3.3 another service",
    ),
    "the environment is not compared": (
        "config_claims",
        " or document.environment != request.environment",
        "",
        ("other-environment",),
        "C3.3 another environment",
    ),
    "the revision is not compared": (
        "config_claims",
        "if document.revision != request.revision:",
        "if False:",
        ("old-revision",),
        "C3.4 an older revision",
    ),
    "an older revision will do if it sorts before": (
        "config_claims",
        "if document.revision != request.revision:",
        "if document.revision > request.revision:",
        ("old-revision",),
        "C3.4 an older revision",
    ),
    "the value is not compared": (
        "config_claims",
        "if document.facts.get(claim.field) != claim.value:",
        "if claim.field not in document.facts:",
        ("wrong-unit", "wrong-value"),
        "C3.5 another value",
    ),
    "the value is compared without spaces": (
        "config_claims",
        "document.facts.get(claim.field) != claim.value",
        "document.facts.get(claim.field) != claim.value.strip()",
        (),
        "C3.5 a space after the value",
    ),
    "the quotation is not compared": (
        "config_claims",
        'if claim.quote != f"{claim.field}={claim.value}":',
        "if False:",
        ("injection-as-quote", "real-but-unrelated-quote"),
        "C3.6 the line of the other field",
    ),
    "the quotation need only contain the line": (
        "config_claims",
        'claim.quote != f"{claim.field}={claim.value}"',
        'f"{claim.field}={claim.value}" not in claim.quote',
        (),
        "C3.6 the line that follows too",
    ),
    "half an answer is an answer": (
        "config_claims",
        "if len(accepted) < len(request.fields):",
        "if False:",
        ("omitted-field",),
        "C3.7 the last field is missing",
    ),
    "nine claims are taken": (
        "config_claims",
        "MAX_CLAIMS: Final = 8",
        "MAX_CLAIMS: Final = 9",
        (),
        "C1.2 nine claims",
    ),
    "a string may be one unit longer": (
        "config_claims",
        "MAX_STRING: Final = 2048",
        "MAX_STRING: Final = 2049",
        (),
        "C1.4 a value of 2049 units",
    ),
    "strings are counted in characters": (
        "config_claims",
        "is_longer(text, MAX_STRING)",
        "len(text) > MAX_STRING",
        (),
        "C1.4 a value of 1025 characters, 2050 units",
    ),
    "an empty string is a string": (
        "config_claims",
        "if not text:",
        "if False:",
        (),
        "C1.4 an empty quote",
    ),
    "the value comes before the scope": (
        "config_claims",
        "    if document.service != request.service",
        (
            '    if document.facts.get(claim.field) != claim.value:\n        return "VALUE_MISMATCH"\n'
            "    if document.service != request.service"
        ),
        (),
        "SCOPE_MISMATCH, VALUE_MISMATCH",
    ),
    # order-status
    "every refusal is right": (
        "order_status",
        "len(request.values) == 1 else",
        "False else",
        ("needless-refusal",),
        "O3.3 the facts do settle it",
    ),
    "facts that contradict each other settle a question": (
        "order_status",
        "len(request.values) == 1 else",
        "request.values else",
        ("conflict",),
        "a refusal where two facts contradict each other",
    ),
    "a fact without a value is a value": (
        "order_status",
        "                and fact.value is not None\n",
        "",
        ("missing-date",),
        "a refusal where no value is recorded",
    ),
    "a refusal may come with a guess": (
        "order_status",
        "if answer.answer is not None or answer.evidence:",
        "if answer.evidence:",
        (),
        "O3.2 a refusal with a guess beside it",
    ),
    "evidence of any order will do": (
        "order_status",
        "if any((fact.order_id, fact.field) != scope or fact.value is None for fact in cited):",
        "if False:",
        ("wrong-order-citation",),
        "O3.7 a fact of another order",
    ),
    "evidence of any field will do": (
        "order_status",
        "(fact.order_id, fact.field) != scope",
        "fact.order_id != scope[0]",
        (),
        "O3.7 a fact of another field",
    ),
    "the answer is not compared": (
        "order_status",
        "return ACCEPT if answer.answer in request.values else",
        "return ACCEPT if True else",
        ("invented-answer",),
        "O3.9 another value",
    ),
    "the first of two values wins": (
        "order_status",
        "if len(request.values) > 1:",
        "if False:",
        (),
        "O3.5 two values",
    ),
    "one fact may be cited twice": (
        "order_status",
        "if len(set(answer.evidence)) < len(answer.evidence):",
        "if False:",
        (),
        "O3.4 an id twice",
    ),
    "stale evidence is evidence": (
        "order_status",
        "if request.revision is not None and any(",
        "if False and any(",
        (),
        "O3.8 a fact of an older revision",
    ),
    "stale facts count": (
        "order_status",
        "and revision in (None, fact.revision)",
        "and True",
        (),
        "O3.6 no value of this revision",
    ),
    "an answer without evidence passes the baseline": (
        "order_status",
        "if answer.status == ANSWERED and not answer.evidence:",
        "if False:",
        (),
        "O2.2 an answer without evidence",
    ),
}


def load_source(file: Path, *, package: str, old: str = "", new: str = "") -> types.ModuleType:
    """Make a module of a file, in which one piece of text is replaced."""
    text = file.read_text(encoding="utf-8")
    if old:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file.name}"
        text = text.replace(old, new)
    module = types.ModuleType(f"{package}.broken_{next(COUNT)}")
    module.__package__ = package
    sys.modules[module.__name__] = module  # where dataclasses look
    try:
        exec(compile(text, str(file), "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]
    return module


def break_contract(broken: Broken) -> AnyContract:
    """Return the contract with one piece of source replaced, its own or that of the JSON reader."""
    name, old, new, *_ = broken
    if name == "strict_json":
        reader = load_source(PACKAGE / "strict_json.py", package="grounded_claims", old=old, new=new)
        module = load_source(PACKAGE / "contracts/config_claims.py", package="grounded_claims.contracts")
        module.__dict__.update(parse=reader.parse, Malformed=reader.Malformed)
        name = "config_claims"
    else:
        file = PACKAGE / "contracts" / f"{name}.py"
        module = load_source(file, package="grounded_claims.contracts", old=old, new=new)
    contract: AnyContract = getattr(module, CLASSES[name])()
    return contract


def rows(contract: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield the rows of a contract's clause tests: name, candidate, request."""
    if contract == "config-claims":
        base = CONFIG_REQUESTS["both"]
        for name, (text, _) in config.MISSHAPEN.items():
            yield name, text, base
        for name, (claims, changes, *_) in [*config.UNCITED.items(), *config.BROKEN.items()]:
            yield name, config.answer(*claims), {**base, **changes}
        for defects in config.subsets():
            text, asked = config.defective(defects)
            yield ", ".join(defects), text, {**base, "fields": list(asked.fields)}
        return
    for name, (value, _) in order.MISSHAPEN.items():
        yield name, order.json.dumps(value), ORDER_REQUESTS["settled"]
    for name, (answer, asked, *_) in [*order.REJECTED.items(), *order.ACCEPTED_TOO.items()]:
        yield name, order.json.dumps(answer), ORDER_REQUESTS[asked]
    yield "a refusal where no value is recorded", order.json.dumps(order.REFUSAL), ORDER_REQUESTS["silent"]


def statuses(rules: AnyContract, contract: str) -> dict[str, str]:
    """Return the status of each row, by the given rules."""
    checker = Checker()
    registry = rules.read_registry(REGISTRIES[contract], checker)
    judged = {
        name: rules.judge(text, rules.read_request(members, registry, checker, ())).status
        for name, text, members in rows(contract)
    }
    assert checker.faults == []
    return judged


RIGHT = {contract: statuses(rules, contract) for contract, rules in CONTRACTS.items()}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_contract_is_caught(name: str) -> None:
    *_, cases, row = BROKEN[name]
    rules = break_contract(BROKEN[name])
    suite = load_suite(ROOT / "fixtures" / rules.name, contracts={rules.name: rules})
    results = run_suite(suite)
    missed = sorted(result.case.id for result in results.cases if not result.label_matched)
    assert missed == sorted(cases)
    found = statuses(rules, rules.name)
    noticed = {each for each, status in found.items() if status != RIGHT[rules.name][each]}
    assert row is None or row in noticed
    assert cases or noticed


@pytest.mark.parametrize("name", ["config_claims", "order_status"])
def test_the_contract_itself_is_not_caught(name: str) -> None:
    """The same way of loading, with nothing replaced."""
    rules = break_contract((name, "", "", (), None))
    suite = load_suite(ROOT / "fixtures" / rules.name, contracts={rules.name: rules})
    assert [result.case.id for result in run_suite(suite).cases if not result.label_matched] == []
    assert statuses(rules, rules.name) == RIGHT[rules.name]
