"""The gate: one verdict from anywhere (V2), never an exception on a candidate, never a fault swallowed."""

from __future__ import annotations

import _thread
import os
import random
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import grounded_claims
from grounded_claims import Gate, RequestError, Suite, Verdict, load_suite
from grounded_claims.contracts.config_claims import ConfigClaims
from grounded_claims.gate import _decide_elsewhere

ROOT = Path(__file__).parent.parent
CONFIG = load_suite(ROOT / "fixtures" / "config-claims")
ORDER = load_suite(ROOT / "fixtures" / "order-status")


def right_answer(suite: Suite) -> tuple[str, Any]:
    """Return the first case's candidate, which is accepted, and its request."""
    first = suite.cases[0]
    return first.candidate, suite.requests[first.request]


ANSWER, REQUEST = right_answer(CONFIG)

ANYTHING = {
    "a right answer": ANSWER,
    "a wrong value": ANSWER.replace('"5000"', '"2000"', 1),
    "nothing": "",
    "a name twice": '{"claims":[],"claims":[]}',
    "4096 brackets": "[" * 4096 + "]" * 4096,
    "a bad escape": r'{"claims":"\ud800"}',
    "a trailing comma": ANSWER[:-1] + ",}",
    "a constant": '{"claims":NaN}',
    "too long": ANSWER + " " * 8192,
    "a member more": ANSWER[:-1] + ',"x":1}',
}


class Fault(Exception):
    """What a broken contract raises."""


def all_the_way_down(gate: Gate, candidate: str) -> list[object]:
    """Judge at each depth of the stack at which a function can still call a built-in one.

    Where lines are traced, as for their coverage, the tracer needs a frame more than that.
    """
    seen: list[object] = []

    def calls_a_builtin() -> int:
        return sys.getrecursionlimit()  # not len, which Python 3.11 calls without counting

    def calls_a_function() -> int:
        return calls_a_builtin()

    probe = calls_a_function if sys.gettrace() else calls_a_builtin

    def descend() -> None:
        probe()  # the last depth is the one where this fails
        try:
            seen.append(gate.judge(candidate, REQUEST))
        except (Fault, RecursionError) as error:
            seen.append(error)
        descend()

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    try:
        with suppress(RecursionError):
            descend()
    finally:
        sys.setrecursionlimit(limit)
    assert len(seen) > 100
    return seen


@pytest.mark.parametrize("name", ANYTHING)
def test_v2_the_verdict_is_the_same_at_every_depth_of_the_stack(name: str) -> None:
    gate = Gate(CONFIG)
    expected = gate.judge(ANYTHING[name], REQUEST)
    seen = all_the_way_down(gate, ANYTHING[name])
    assert seen == [expected] * len(seen)


def test_v2_the_verdict_is_the_same_in_every_thread() -> None:
    gate = Gate(CONFIG)
    expected = [gate.judge(candidate, REQUEST) for candidate in ANYTHING.values()]
    seen: list[list[Verdict]] = []

    def judge_often() -> None:
        for _ in range(20):
            seen.append([gate.judge(candidate, REQUEST) for candidate in ANYTHING.values()])

    threads = [threading.Thread(target=judge_often) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [expected] * 160


JUDGE_ALL = """
import sys
if sys.argv[1]:
    sys.modules[sys.argv[1]] = None
    for name in ("json", "json.decoder", "json.scanner", "json.encoder"):
        sys.modules.pop(name, None)
from grounded_claims import Gate, load_suite
for folder in sys.argv[2:]:
    suite = load_suite(folder)
    gate = Gate(suite)
    for case in suite.cases:
        print(gate.judge(case.candidate, suite.requests[case.request]))
"""


@pytest.mark.parametrize(
    ("options", "environ", "blocked"),
    [
        (["-O"], {}, ""),
        (["-OO"], {}, ""),
        (["-X", "utf8=0"], {"LC_ALL": "C"}, ""),
        ([], {"PYTHONINTMAXSTRDIGITS": "640"}, ""),
        ([], {"PYTHONHASHSEED": "1"}, ""),
        (["-X", "dev"], {}, ""),
        ([], {}, "_json"),
    ],
    ids=[
        *("-O", "-OO", "no UTF-8 mode", "640 digits", "another hash seed", "development mode"),
        "no accelerator",
    ],
)
def test_v2_the_verdicts_are_the_same_in_every_interpreter(
    options: list[str], environ: dict[str, str], blocked: str
) -> None:
    folders = [str(ROOT / "fixtures" / suite.name) for suite in (CONFIG, ORDER)]
    done = subprocess.run(
        [sys.executable, *options, "-c", JUDGE_ALL, blocked, *folders],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    expected = [
        str(Gate(suite).judge(case.candidate, suite.requests[case.request]))
        for suite in (CONFIG, ORDER)
        for case in suite.cases
    ]
    assert (done.returncode, done.stderr, done.stdout.splitlines()) == (0, "", expected)


# A fault of the contract is no verdict


class Raising(ConfigClaims):
    """A contract whose judging fails."""

    def __init__(self, fault: BaseException) -> None:
        self.fault = fault

    def judge(self, candidate: str, request: Any) -> Verdict:
        raise self.fault


@pytest.mark.parametrize(
    "fault", [Fault("broken"), KeyboardInterrupt(), RecursionError("too deep"), MemoryError()]
)
def test_a_fault_of_the_contract_travels_out_as_itself(fault: BaseException) -> None:
    gate = Gate(replace(CONFIG, contract=Raising(fault)))
    with pytest.raises(type(fault)) as raised:
        gate.judge(ANSWER, REQUEST)
    assert raised.value is fault


class RaisingBelow(ConfigClaims):
    """A contract that needs some of the stack, and then fails."""

    def judge(self, candidate: str, request: Any) -> Verdict:
        raise Fault(_use_stack(50))


def _use_stack(depth: int) -> str:
    return _use_stack(depth - 1) if depth else "broken"


def test_a_fault_travels_out_as_itself_from_every_depth() -> None:
    gate = Gate(replace(CONFIG, contract=RaisingBelow()))
    seen = all_the_way_down(gate, ANSWER)
    assert [repr(error) for error in seen] == ["Fault('broken')"] * len(seen)


def test_what_is_decided_in_the_other_thread_is_handed_over() -> None:
    """The gate's own thread, called as a function here: a verdict or what was raised, and the signal."""
    fault = Fault("broken")
    right = Gate(CONFIG).judge(ANSWER, REQUEST)
    for contract, expected in ((CONFIG.contract, [right]), (Raising(fault), [fault])):
        answer: list[Verdict | BaseException] = []
        done = _thread.allocate_lock()
        done.acquire()
        _decide_elsewhere(contract.judge, ANSWER, REQUEST, answer, done)
        assert (answer, done.locked()) == (expected, False)


# Requests


def test_a_request_is_built_from_plain_members() -> None:
    members = {
        "service": "payments",
        "environment": "prod",
        "revision": "v2",
        "fields": ["read_timeout_ms", "retry_enabled"],
        "supplied": ["prod-v2"],
    }
    gate = Gate(CONFIG)
    assert gate.judge(ANSWER, gate.request(members)) == gate.judge(ANSWER, REQUEST)
    assert gate.judge(ANSWER, gate.request(members)).status == "ACCEPT"


def test_a_request_with_faults_names_them_all() -> None:
    members: Mapping[str, object] = {
        "service": "",
        "environment": 1,
        "fields": ["retry_enable", "retry_enabled", "retry_enabled"],
        "supplied": ["prod-v9"],
        "scope": "x",
    }
    with pytest.raises(RequestError) as raised:
        Gate(CONFIG).request(members)
    assert sorted(str(raised.value).splitlines()) == [
        "'revision' is missing; nothing is defaulted, so write it down",
        'environment: the number 1 stands where text belongs; put it in quotation marks: "1"',
        (
            "fields[0]: 'retry_enable' is not one of the fields that the registry has a fact of; "
            "did you mean 'retry_enabled'?"
        ),
        "fields[2]: 'retry_enabled' stands here twice; take one out",
        "scope: is not known here; known: service, environment, revision, fields or supplied",
        "service: is an empty text; say something here",
        "supplied[0]: 'prod-v9' is not one of the document ids of the registry; did you mean 'prod-v2'?",
    ]
    assert len(raised.value.faults) == 7


# What is no candidate and no request

MISTAKES = {
    "the name of a request": (
        ANSWER,
        "both-fields",
        (
            "a request is suite.requests[name] or gate.request(members), of the contract config-claims; "
            "found the text 'both-fields'"
        ),
    ),
    "no request, and a candidate that is malformed anyway": (
        "{}",
        None,
        (
            "a request is suite.requests[name] or gate.request(members), of the contract config-claims; "
            "found null"
        ),
    ),
    "the members of a request": (
        ANSWER,
        {"fields": ["a"]},
        (
            "a request is suite.requests[name] or gate.request(members), of the contract config-claims; "
            "found an object of builtins.dict"
        ),
    ),
    "a request of another contract": (
        ANSWER,
        right_answer(ORDER)[1],
        (
            "a request is suite.requests[name] or gate.request(members), of the contract config-claims; "
            "found an object of grounded_claims.contracts.order_status.Request"
        ),
    ),
    "bytes": (b"{}", REQUEST, "a candidate is the raw text, a str; found an object of builtins.bytes"),
    "None": (None, REQUEST, "a candidate is the raw text, a str; found null"),
    "what json.loads returns": (
        {},
        REQUEST,
        "a candidate is the raw text, a str; found an object of builtins.dict",
    ),
}


@pytest.mark.parametrize(("candidate", "request_", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_of_the_caller_is_no_verdict(candidate: Any, request_: Any, message: str) -> None:
    with pytest.raises(TypeError) as raised:
        Gate(CONFIG).judge(candidate, request_)
    assert str(raised.value) == message


# Any text at all

PIECES = (
    *map(chr, (*range(0x80), 0x85, 0xA0, 0x2028, 0xFEFF, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF)),
    *map(chr, range(0xD7F0, 0xE010)),
    *(f"\\{chr(code)}" for code in range(0x80)),
    *(f"\\u{code:04x}" for code in (0, 0x22, 0x5C, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFFFF)),
    *(r"\ud83d\ude00", "null", "true", "NaN", "Infinity", "1e999", "9" * 5000, '{"claims":[', "]}", '":"'),
)


def any_text(dice: random.Random) -> str:
    """Return a text of no meaning, or one that stands in a string of a right answer."""
    text = "".join(dice.choices(PIECES, k=dice.randrange(120)))
    if dice.random() < 0.5:
        at = dice.choice([place for place, char in enumerate(ANSWER) if char == '"'])
        return ANSWER[: at + 1] + text + ANSWER[at + 1 :]
    return text


@pytest.mark.parametrize("suite", [CONFIG, ORDER], ids=lambda suite: suite.name)
def test_no_text_raises(suite: Suite) -> None:
    """Some 100,000 code points and more; each verdict is whole, and the monotone kind (V1)."""
    gate = Gate(suite)
    _, request = right_answer(suite)
    dice = random.Random(0)
    texts = [any_text(dice) for _ in range(2000)]
    assert sum(map(len, texts)) > 100_000
    for text in texts:
        verdict = gate.judge(text, request)
        assert verdict.strict_json >= verdict.citation_exists >= verdict.full_contract
        assert verdict.full_contract == (verdict.status == "ACCEPT") == bool(verdict.accepted)


def test_a_long_text_is_refused_before_it_is_read() -> None:
    text = "".join(random.Random(1).choices(PIECES, k=100_000))
    assert Gate(CONFIG).judge(text, REQUEST).status == "INVALID_JSON"


# The public names


def test_every_public_name_is_there_and_no_other() -> None:
    assert sorted(grounded_claims.__all__) == grounded_claims.__all__
    assert [getattr(grounded_claims, name) for name in grounded_claims.__all__].count(None) == 0
    with pytest.raises(AttributeError, match=r"^module 'grounded_claims' has no attribute 'judge'$"):
        _ = grounded_claims.judge  # type: ignore[attr-defined]


def test_the_package_imports_only_what_is_used() -> None:
    """Importing the package alone must not cost what only some commands need."""
    heavy = ("yaml", "jsonschema", "tabulate", "subprocess", "grounded_claims.suite")
    script = (
        "import sys; before = set(sys.modules); import grounded_claims; "
        f"print(*({set(heavy)!r} & (set(sys.modules) - before)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "\n"
