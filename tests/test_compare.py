"""Comparisons: what changed, at which layer, side by side; and what cannot be compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from workshop import FIXTURES, Caller, copy_suite, make_run

from grounded_claims import Gate, load_suite
from grounded_claims.comparison import changes, compare
from grounded_claims.run_directory import digest
from grounded_claims.runner import run_suite

ORDER = load_suite(FIXTURES / "order-status")
DIGEST = ORDER.digest


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Caller:
    return Caller(capsys)


def test_the_same_run_twice(call: Caller, tmp_path: Path) -> None:
    first, second = (make_run(tmp_path / name, "order-status") for name in "ab")
    printed = call("compare", first, second)
    assert (printed.code, printed.err) == (0, "")
    assert printed.out.splitlines()[:9] == [
        f"A: {first} (run directory): order-status, 8 cases",
        f"   suite sha256 {DIGEST}",
        f"B: {second} (run directory): order-status, 8 cases",
        f"   suite sha256 {DIGEST}",
        "",
        "The same suite. 0 of 8 verdicts differ.",
        "Changed at a layer: Strict JSON 0, Citation exists 0, Full contract 0.",
        "",
        (
            "| Case                 |      | Strict JSON   | Citation exists   | Full contract   "
            "| Verdict               |"
        ),
    ]


CHANGED = """\
Two suites, compared by case id. 2 of 6 verdicts differ.
Changed at a layer: Strict JSON 1, Citation exists 1, Full contract 2.
Another candidate: grounded and missing-order.

Case                           Strict JSON     Citation exists    Full contract    Verdict
--------------------  -------  --------------  -----------------  ---------------  ------------------------------------------
grounded              changed  pass            pass               pass -> reject   ACCEPT (status=shipped) -> ANSWER_MISMATCH
missing-order         changed  pass -> reject  pass -> reject     pass -> reject   ACCEPT (status=null) -> INVALID_JSON
wrong-order-citation  same     pass            pass               reject           EVIDENCE_OUT_OF_SCOPE
needless-refusal      same     pass            pass               reject           NEEDLESS_REFUSAL
missing-date          same     pass            pass               pass             ACCEPT
conflict              same     pass            pass               pass             ACCEPT

Outcome             A    B
----------------  ---  ---
grounded            1    0
honest refusal      3    2
needless refusal    1    1
ungrounded          3    4
malformed           0    1

Only in A: invented-answer and invented-citation.

Only in B: made-up and renamed.
"""  # noqa: E501  # a table is as wide as it is


def test_changed_cases_come_first(call: Caller, tmp_path: Path) -> None:
    folder = copy_suite(
        "order-status",
        tmp_path / "mine",
        ('"answer":"shipped"', '"answer":"sent"'),
        ('{"status":"unknown","order_id":"DEMO-999"', '"status":"unknown","order_id":"DEMO-999"'),
        ("id: invented-answer", "id: made-up"),
        ("id: invented-citation", "id: renamed"),
    )
    before = make_run(tmp_path / "before", "order-status")
    after = make_run(tmp_path / "after", load_suite(folder))
    printed = call("compare", before, after, "--format", "plain")
    assert printed.code == 1
    assert printed.out.split("\n\n", 1)[1] == CHANGED
    assert call("compare", before, folder, "--format", "plain").out.split("\n\n", 1)[1] == CHANGED


def test_other_versions_of_one_suite(call: Caller, tmp_path: Path) -> None:
    """Where the suite is the same, the program has changed: whatever differs in a verdict counts."""
    suite = load_suite(FIXTURES / "config-claims")
    case = suite.case("wrong-value")
    verdict = Gate(suite).judge(case.candidate, suite.requests[case.request])
    first = make_run(tmp_path / "a", suite)
    second = make_run(tmp_path / "b", suite, verdicts={case.id: replace(verdict, claim=1)})
    printed = call("compare", first, second)
    assert printed.code == 1
    assert "The same suite. 1 of 22 verdicts differ.\n" in printed.out
    assert "| VALUE_MISMATCH (claim 0) -> VALUE_MISMATCH (claim 1) |\n" in printed.out


def test_a_changed_document_is_another_request(tmp_path: Path) -> None:
    folder = copy_suite(
        "order-status",
        tmp_path / "mine",
        ("value: shipped", "value: counts"),
        file="registry.yaml",
    )
    found = compare(run_suite(ORDER), run_suite(load_suite(folder)))
    other = [case.before.case.id for case in found.cases if not case.same_request]
    assert [case.before.case.id for case in found.changed] == ["grounded"]
    assert len(other) == 8
    assert all(case.same_candidate for case in found.cases)


def test_what_differs_between_two_verdicts_is_named() -> None:
    gate = Gate(ORDER)
    verdicts = [
        gate.judge(case.candidate, ORDER.requests[case.request])
        for case in (ORDER.case("grounded"), ORDER.case("invented-citation"))
    ]
    assert changes(verdicts[0], verdicts[0]) == ()
    assert changes(*verdicts) == ("status", "outcome", "citation_exists", "full_contract", "accepted")


def edited(path: Path, name: str, old: bytes, new: bytes) -> None:
    data = (path / name).read_bytes()
    assert old in data
    (path / name).write_bytes(data.replace(old, new, 1))


DAMAGED = {
    "edited results": (
        lambda run: edited(run, "results.json", b'"claim": null', b'"claim": 0'),
        "{run}: the SHA-256 of results.json is not the one in SHA256SUMS",
    ),
    "no sums": (
        lambda run: (run / "SHA256SUMS").unlink(),
        "{run} holds no SHA256SUMS: it is no run directory, or one that was not finished",
    ),
    "no results": (
        lambda run: (run / "results.json").unlink(),
        "{run}/results.json is missing; without it the run directory is damaged",
    ),
    "something besides": (
        lambda run: (run / "notes.txt").touch(),
        "{run}/notes.txt is no part of a run directory; take it out",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("first", [True, False])
def test_a_damaged_run_is_an_error(call: Caller, tmp_path: Path, name: str, first: bool) -> None:
    damage, message = DAMAGED[name]
    run = make_run(tmp_path / "run", "order-status")
    damage(run)
    printed = call("compare", *([run, "order-status"] if first else ["order-status", run]))
    assert (printed.code, printed.out, printed.err) == (2, "", f"{message.format(run=run)}\n")


def test_results_that_are_not_strict_json_are_an_error(call: Caller, tmp_path: Path) -> None:
    """With sums that fit, so that the reading itself has to notice."""
    run = make_run(tmp_path / "run", "order-status")
    edited(run, "results.json", b'"format": 1', b'"format": 1, "format": 1')
    results = (run / "results.json").read_bytes()
    sums = (run / "SHA256SUMS").read_text().splitlines()
    sums = [f"{digest(results)}  results.json" if line.endswith("results.json") else line for line in sums]
    (run / "SHA256SUMS").write_text("".join(f"{line}\n" for line in sums), newline="\n")
    printed = call("compare", run, "order-status")
    assert (printed.code, printed.err) == (
        2,
        f"{run}/results.json:2: the member 'format' stands twice in one object\n",
    )


USAGE = {
    "two contracts": (
        ["config-claims", "order-status"],
        "A is judged by the contract config-claims and B by order-status: they cannot be compared",
    ),
    "nothing there": (
        ["order-status", "no-such-folder"],
        (
            "'no-such-folder' is neither a run directory, nor the name of a suite, nor a folder; "
            "known suites: config-claims, order-status, "
            "order-status-field"
        ),
    ),
}


@pytest.mark.parametrize("name", USAGE)
def test_what_cannot_be_compared(call: Caller, name: str) -> None:
    arguments, message = USAGE[name]
    printed = call("compare", *arguments)
    assert (printed.code, printed.out, printed.err) == (2, "", f"{message}\n")


def test_a_suite_beside_a_result_is_a_suite(call: Caller, tmp_path: Path) -> None:
    folder = copy_suite("order-status", tmp_path / "mine")
    (folder / "results.json").touch()
    assert call("compare", folder, "order-status").code == 0


def test_suites_without_a_case_in_common(call: Caller, tmp_path: Path) -> None:
    folder = copy_suite("order-status", tmp_path / "mine")
    cases = (folder / "cases.yaml").read_text(encoding="utf-8")
    for case in ORDER.cases:
        cases = cases.replace(f"id: {case.id}\n", f"id: my-{case.id}\n")
        cases = cases.replace(f"pair: {case.id}\n", f"pair: my-{case.id}\n")
    (folder / "cases.yaml").write_bytes(cases.encode())
    printed = call("compare", "order-status", folder)
    assert (printed.code, "| Case" in printed.out) == (1, False)
    assert "Two suites, compared by case id. 0 of 0 verdicts differ.\n" in printed.out
    assert "Only in A: grounded, wrong-order-citation," in printed.out
