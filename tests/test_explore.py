"""Exploring: exact counts, the smallest candidates, the plain rule over the whole space, caps and messages."""

# ruff: noqa: E501  # a line is as long as it is printed

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from workshop import FIXTURES, ROOT, Caller, copy_suite

from grounded_claims import Suite, Verdict, load_suite
from grounded_claims.commands.explore import _lines
from grounded_claims.contracts.base import ACCEPT, INVALID_JSON, LAYERS
from grounded_claims.contracts.config_claims import Claim, ConfigClaims, Request
from grounded_claims.contracts.order_status import Answer, OrderStatus
from grounded_claims.errors import UsageError
from grounded_claims.exploration import CAP, Exploration, explore
from grounded_claims.spaces import space_of
from grounded_claims.spaces.space import absent

CONFIG = load_suite(FIXTURES / "config-claims")
ORDER = load_suite(FIXTURES / "order-status")
FIELD = load_suite(FIXTURES / "order-status-field")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Caller:
    return Caller(capsys)


def explored(suite: Suite, request: str, *, most: int, contract: Any = None) -> Exploration:
    contract = contract or suite.contract
    space = space_of(contract, suite.registry, suite.requests[request], most=most)
    return explore(space, contract, suite.requests[request])


TABLE = """\
| Status               |   Candidates | Fools Strict JSON   | Fools Citation exists   |   Smallest |
|----------------------|--------------|---------------------|-------------------------|------------|
| INVALID_JSON         |    1,410,150 |                     |                         |         52 |
| NO_CITATION          |      371,125 | yes                 |                         |         13 |
| DUPLICATE_CLAIM      |          108 | yes                 | yes                     |        185 |
| UNREQUESTED_FIELD    |        8,910 | yes                 | yes                     |         97 |
| SCOPE_MISMATCH       |        5,904 | yes                 | yes                     |         97 |
| STALE_REVISION       |        5,904 | yes                 | yes                     |         98 |
| VALUE_MISMATCH       |        4,920 | yes                 | yes                     |         99 |
| QUOTE_NOT_SUPPORTING |          656 | yes                 | yes                     |        101 |
| INCOMPLETE           |            2 | yes                 | yes                     |        100 |
| ACCEPT               |            2 |                     |                         |        190 |

1,807,681 candidates: 2 accepted; 26,404 fool the citation baseline.

Accepted <=> every requested field exactly once, with the fact's own line from a supplied document of the request's service, environment and revision:
2 of 1,807,681 candidates are right by this rule, 2 are accepted, 0 exceptions.

The smallest candidate of each status, ready for a case of cases.yaml:

    request: both-fields
    candidate: '{"claims":[{"field":0,"value":0,"doc":0,"quote":0}]}'
    expected: INVALID_JSON

    request: both-fields
    candidate: '{"claims":[]}'
    expected: NO_CITATION
"""
ANNOUNCED = (
    "config-claims, request both-fields, at most 2 claims: 3 fields, 6 values, 5 documents and 7 quotations, one of "
    "each made up; and in any of their places the malformed token 0.\n"
    "1,807,681 candidates, of which 397,531 are well formed and judged one by one.\n"
)  # fmt: skip


def test_the_default_space(call: Caller) -> None:
    printed = call("explore")
    assert (printed.code, printed.err) == (0, ANNOUNCED)
    assert printed.out.startswith(TABLE)
    assert printed.out.count("    expected: ") == 10


def test_the_space_of_order_status(call: Caller) -> None:
    printed = call("explore", "--suite", "order-status", "--format", "plain")
    assert printed.code == 0
    for line in (
        (
            "No candidate for this request has CONFLICTING_FACTS or NO_SUPPORTING_FACT or STALE_EVIDENCE; another "
            "request (--request) may."
        ),
        "3,096 candidates: 1 accepted; 374 fool the citation baseline.",
        "1 of 3,096 candidates are right by this rule, 1 are accepted, 0 exceptions.",
    ):
        assert line in printed.out.splitlines()


# The counts are exact: each candidate of small spaces is judged from its text, the malformed ones too


def config_texts(suite: Suite, most: int) -> Iterator[str]:
    """Write a space of config-claims in another way than the program does."""
    documents = list(suite.registry.values())
    words = [
        [*dict.fromkeys(field for document in documents for field in document.facts), "no_such_field"],
        [*dict.fromkeys(value for document in documents for value in document.facts.values()), "no-such-value"],
        [*suite.registry, "no-such-document"],
        [*dict.fromkeys(line for document in documents for line in document.text.split("\n") if line), "no-such-line"],
    ]  # fmt: skip
    members = [[*map(json.dumps, choice), "0"] for choice in words]
    claims = ['{{"field":{},"value":{},"doc":{},"quote":{}}}'.format(*chosen) for chosen in product(*members)]
    for count in range(most + 1):
        for chosen in product(claims, repeat=count):
            yield '{{"claims":[{}]}}'.format(",".join(chosen))


def order_texts(suite: Suite, request: Any, most: int) -> Iterator[str]:
    """Write a space of order-status in another way than the program does."""
    facts = list(suite.registry.values())
    orders = [request.order_id, *(fact.order_id for fact in facts), "no-such-order"]
    answers = [None, *(fact.value for fact in facts), "no-such-value"]
    ids = [*suite.registry, "no-such-fact"]
    words = [
        [*map(json.dumps, dict.fromkeys(choice)), "0"]
        for choice in (["answered", "unknown"], orders, answers, ids)
    ]
    for count in range(most + 1):
        for status, order, answer, *evidence in product(*words[:3], *[words[3]] * count):
            listed = ",".join(evidence)
            yield f'{{"status":{status},"order_id":{order},"answer":{answer},"evidence":[{listed}]}}'


def judged(suite: Suite, request: Any, texts: Iterator[str]) -> tuple[Counter[str], dict[str, str]]:
    counts: Counter[str] = Counter()
    smallest: dict[str, str] = {}
    for text in texts:
        status = suite.contract.judge(text, request).status
        counts[status] += 1
        best = smallest.setdefault(status, text)
        smallest[status] = min(best, text, key=lambda one: (len(one), one))
    return counts, smallest


def tiny(folder: Path) -> Suite:
    """Return config-claims with two documents of one fact each, so that two claims are few enough to write out."""
    copy_suite("config-claims", folder)
    document = (
        "  - id: {id}\n    service: payments\n    environment: prod\n    revision: {revision}\n"
        "    facts: {{read_timeout_ms: '{value}', retry_enabled: 'no'}}\n"
        '    text: "read_timeout_ms={value}\\nretry_enabled=no"\n'
    )
    registry = "documents:\n" + "".join(
        document.format(id=name, revision=revision, value=value)
        for name, revision, value in (("prod-v2", "v2", "5"), ("prod-v1", "v1", "4"))
    )
    registry = registry.replace("    facts: {", "    facts:\n      ").replace("', retry", "'\n      retry")
    registry = registry.replace("'no'}", "'no'")
    (folder / "registry.yaml").write_bytes(registry.encode())
    cases = (folder / "cases.yaml").read_text(encoding="utf-8")
    cases = cases.replace("[prod-v2, prod-v1, dev-v2, billing-v2]", "[prod-v1]")
    (folder / "cases.yaml").write_bytes(
        cases.replace("[prod-v2, prod-v1, dev-v2]", "[prod-v2, prod-v1]").encode()
    )
    return load_suite(folder)


def assert_exact(suite: Suite, request: str, *, most: int, texts: Iterator[str]) -> None:
    counts, smallest = judged(suite, suite.requests[request], texts)
    found = explored(suite, request, most=most)
    assert found.size == counts.total()
    assert {status: one.count for status, one in found.found.items()} == counts
    assert {status: one.smallest for status, one in found.found.items()} == smallest
    assert (found.exceptions, found.exception, found.right) == (0, None, counts[ACCEPT])
    fooled = sum(one.count for one in found.found.values() if one.verdict.citation_exists) - counts[ACCEPT]
    assert found.fooled("citation_exists") == fooled


@pytest.mark.parametrize("most", [0, 1])
@pytest.mark.parametrize("request_name", CONFIG.requests)
def test_config_claims_are_counted_exactly(request_name: str, most: int) -> None:
    assert_exact(CONFIG, request_name, most=most, texts=config_texts(CONFIG, most))


def test_two_claims_are_counted_exactly(tmp_path: Path) -> None:
    suite = tiny(tmp_path / "tiny")
    assert_exact(suite, "both-fields", most=2, texts=config_texts(suite, 2))


@pytest.mark.parametrize("most", [0, 1, 2])
@pytest.mark.parametrize("request_name", ORDER.requests)
def test_order_status_is_counted_exactly(request_name: str, most: int) -> None:
    texts = order_texts(ORDER, ORDER.requests[request_name], most)
    assert_exact(ORDER, request_name, most=most, texts=texts)


def test_the_rule_holds_for_every_request() -> None:
    """In all requests of all three suites: accepted exactly where the plain rule says so."""
    for suite, most in ((CONFIG, 1), (ORDER, 2), (FIELD, 1)):
        for name in suite.requests:
            found = explored(suite, name, most=most)
            assert (found.exceptions, found.exception) == (0, None), name
            accepted = found.found[ACCEPT].count if ACCEPT in found.found else 0
            assert found.right == accepted


# A broken contract is an exception to the rule


class ForgetsRevisions(ConfigClaims):
    """Accepts what STALE_REVISION should reject."""

    def decide(self, claims: Sequence[Claim], request: Request) -> Verdict:
        verdict = super().decide(claims, request)
        if verdict.status != "STALE_REVISION":
            return verdict
        return self.acceptance({claim.field: claim.value for claim in claims}, outcome="grounded")


class RefusesToBeTold(OrderStatus):
    """Rejects every answer that cites two facts."""

    def decide(self, answer: Answer, request: Any) -> Verdict:
        verdict = super().decide(answer, request)
        if verdict.status == ACCEPT and len(answer.evidence) > 1:
            return self.rejection("ANSWER_MISMATCH", outcome="ungrounded")
        return verdict


def test_what_is_accepted_and_not_right_is_an_exception() -> None:
    found = explored(CONFIG, "timeout-only", most=1, contract=ForgetsRevisions())
    assert (found.right, found.exceptions > 0) == (1, True)
    assert found.exception is not None
    assert '"doc":"prod-v1"' in found.exception


def test_what_is_right_and_not_accepted_is_an_exception() -> None:
    found = explored(FIELD, "status-of-330", most=2, contract=RefusesToBeTold())
    assert found.exceptions == 2
    assert found.exception is not None


class SaysOtherwise(ConfigClaims):
    """Decides on the same candidate differently when it reads it as a text."""

    def judge(self, candidate: str, request: Request) -> Verdict:
        return self.rejection("INCOMPLETE", outcome="ungrounded")


def test_what_is_shown_is_judged_as_it_stands() -> None:
    with pytest.raises(ValueError, match=r"was counted as .* and is judged INCOMPLETE"):
        explored(CONFIG, "timeout-only", most=1, contract=SaysOtherwise())


# One example

EXAMPLES = {
    "a status that fools a layer": (
        ["--status", "STALE_REVISION", "--fools", "citation_exists"],
        0,
        (
            "Of 1,807,681 candidates for the request both-fields, 5,904: each has the status STALE_REVISION and fools "
            "citation_exists. The smallest:\n"
            "    request: both-fields\n"
            '    candidate: \'{"claims":[{"field":"retry_enabled","value":"2000","doc":"prod-v1",'
            '"quote":"retry_enabled=true"}]}\'\n'
            "    expected: STALE_REVISION\n"
        ),
    ),
    "a layer that is fooled": (
        ["--fools", "strict_json", "--claims", "1"],
        0,
        (
            "Of 1,345 candidates for the request both-fields, 631: each fools strict_json. The smallest:\n"
            "    request: both-fields\n"
            "    candidate: '{\"claims\":[]}'\n"
            "    expected: NO_CITATION\n"
        ),
    ),
    "another request has it": (
        ["--suite", "order-status", "--status", "NO_SUPPORTING_FACT"],
        0,
        (
            "Of 3,870 candidates for the request status-of-999, 45: each has the status NO_SUPPORTING_FACT. "
            "The smallest:\n"
            "    request: status-of-999\n"
            '    candidate: \'{"status":"answered","order_id":"DEMO-999","answer":null,"evidence":["F1"]}\'\n'
            "    expected: NO_SUPPORTING_FACT\n"
        ),
    ),
    "none": (
        ["--claims", "0", "--request", "timeout-only", "--status", "ACCEPT"],
        1,
        "None of 1 candidates for timeout-only has the status ACCEPT.\n",
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_found(call: Caller, name: str) -> None:
    arguments, code, text = EXAMPLES[name]
    printed = call("explore", *arguments)
    assert (printed.code, printed.out) == (code, text)


def test_what_is_found_can_be_pasted_into_a_case(call: Caller, tmp_path: Path) -> None:
    found = call("explore", "--suite", "order-status").out
    members = [block for block in found.split("\n\n") if "    expected: " in block]
    folder = copy_suite("order-status", tmp_path / "mine")
    cases = folder / "cases.yaml"
    text = cases.read_text(encoding="utf-8")
    for number, block in enumerate(members):
        pair = "" if "expected: ACCEPT" in block else "    pair: grounded\n"
        text += f"\n  - id: found-{number}\n    group: answer\n    note: Found.\n{block.rstrip()}\n{pair}"
    cases.write_bytes(text.encode())
    suite = load_suite(folder)
    assert len(suite.cases) == 8 + 10
    for case in suite.cases:
        assert suite.contract.judge(case.candidate, suite.requests[case.request]).status == case.expected


# Limits, words, and where progress is shown

USAGE = {
    "too large": (
        ["--claims", "3"],
        (
            "config-claims, request both-fields, at most 3 claims: 3 fields, 6 values, 5 documents and 7 quotations, "
            "one of each made up; and in any of their places the malformed token 0.\n"
            "2,429,523,265 candidates, of which 250,444,531 are well formed and judged one by one.\n"
            "250,444,531 candidates would have to be judged, and at most 5,000,000 are; take --claims 2, or make an "
            "exercise and take documents or facts out of its registry\n"
        ),
    ),
    "no such request": (
        ["--request", "both-field"],
        "the suite 'config-claims' has no request 'both-field'; did you mean 'both-fields'?\n",
    ),
    "no such status": (
        ["--status", "STALE_REVISON"],
        "'STALE_REVISON' is not a status of config-claims; did you mean 'STALE_REVISION'?\n",
    ),
    "an accepted candidate that fools": (
        ["--status", "ACCEPT", "--fools", "strict_json"],
        (
            "what has the status ACCEPT fools no layer: to fool is to pass one and be rejected; "
            "leave out --status or --fools\n"
        ),
    ),
    "a layer that rejects with this status": (
        ["--status", "NO_CITATION", "--fools", "citation_exists"],
        (
            "NO_CITATION is how citation_exists itself, or an earlier layer, rejects, so it never fools it; "
            "leave out --status or --fools\n"
        ),
    ),
    "a layer after the one that rejects": (
        ["--status", "INVALID_JSON", "--fools", "citation_exists"],
        (
            "INVALID_JSON is how citation_exists itself, or an earlier layer, rejects, so it never fools it; "
            "leave out --status or --fools\n"
        ),
    ),
    "two claims in one": (
        ["--status", "DUPLICATE_CLAIM", "--claims", "1"],
        "the status DUPLICATE_CLAIM takes a candidate of 2 at least; take --claims 2\n",
    ),
    "a status of the other contract": (
        ["--suite", "order-status", "--status", "QUX"],
        f"'QUX' is not a status of order-status; known: {', '.join(ORDER.contract.statuses[:-1])} or ACCEPT\n",
    ),
}


@pytest.mark.parametrize("name", USAGE)
def test_what_cannot_be_explored_is_said(call: Caller, name: str) -> None:
    arguments, message = USAGE[name]
    printed = call("explore", *arguments)
    assert (printed.code, printed.out, printed.err) == (2, "", message)


def test_one_claim_is_written_as_one(call: Caller) -> None:
    assert ", at most 1 claim: " in call("explore", "--claims", "1").err
    assert ", at most 1 fact id: " in call("explore", "--suite", "order-status", "--claims", "1").err


@pytest.mark.parametrize("claims", ["-1", "9", "two"])
def test_a_number_of_claims_that_no_candidate_has(call: Caller, claims: str) -> None:
    printed = call("explore", "--claims", claims)
    assert (printed.code, "argument --claims: invalid" in printed.err) == (2, True)


def test_the_cap_is_on_what_is_judged() -> None:
    assert CAP == 5_000_000
    space = space_of(CONFIG.contract, CONFIG.registry, CONFIG.requests["both-fields"], most=2)
    assert (space.size, space.well_formed) == (1_807_681, 397_531)


class Terminal(io.StringIO):
    """Standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_progress_bar_on_a_terminal_alone(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "#" not in call("explore", "--suite", "order-status").err
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    call("explore", "--suite", "order-status")
    shown = terminal.getvalue()
    assert shown.endswith(f"\r[{'.' * 40}]   0%\r{' ' * 48}\r")


def test_a_made_up_word_is_never_a_real_one() -> None:
    assert absent({"a"}, "value") == "no-such-value"
    assert absent({"no-such-value", "no-such-value-x"}, "value") == "no-such-value-x-x"


class Unknown(ConfigClaims):
    """A contract without a vocabulary."""

    name = "unknown"


def test_a_contract_without_a_vocabulary() -> None:
    with pytest.raises(UsageError) as caught:
        space_of(Unknown(), CONFIG.registry, CONFIG.requests["both-fields"], most=1)
    assert str(caught.value) == (
        "the contract unknown has no vocabulary to explore; config-claims and order-status have"
    )


def test_the_figures_are_the_same_in_every_process() -> None:
    command = [sys.executable, "-m", "grounded_claims", "explore", "--suite", "order-status"]
    printed = {
        subprocess.run(
            command,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "src")},
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(printed) == 1


def test_layers_that_can_be_fooled() -> None:
    found = explored(CONFIG, "timeout-only", most=1)
    assert [found.fooled(layer) for layer in LAYERS] == [
        found.size - found.found[INVALID_JSON].count - found.found[ACCEPT].count,
        found.fooled("citation_exists"),
        0,
    ]


def test_an_exception_is_shown() -> None:
    found = explored(CONFIG, "timeout-only", most=1, contract=ForgetsRevisions())
    space = space_of(CONFIG.contract, CONFIG.registry, CONFIG.requests["timeout-only"], most=1)
    lines = list(_lines(found, space, CONFIG, "timeout-only", style="github"))
    at = next(number for number, line in enumerate(lines) if line.startswith("Accepted <=>"))
    accepted = found.found[ACCEPT].count
    assert lines[at + 1] == (
        f"1 of 1,345 candidates are right by this rule, {accepted} are accepted, {accepted - 1} exceptions."
    )
    assert lines[at + 2] == f"One exception: '{found.exception}'"
