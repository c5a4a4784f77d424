"""A sample of what `python tests/exhaustive_order_status.py` compares in full."""

from __future__ import annotations

import pytest
from exhaustive_order_status import CANDIDATES, REVISION, compare, main, worlds

from grounded_claims.contracts.base import Verdict
from grounded_claims.contracts.order_status import OrderStatus, Request

#: Prime to the number of worlds, so that every candidate is in the sample, each in other worlds.
EVERY = 61


class EagerToRefuse(OrderStatus):
    """Broken: a refusal is always right."""

    def judge(self, candidate: str, request: Request) -> Verdict:
        verdict = super().judge(candidate, request)
        needless = verdict.status == "NEEDLESS_REFUSAL"
        return self.acceptance({request.field: None}, outcome="honest_refusal") if needless else verdict


class BlindToRevisions(OrderStatus):
    """Broken: a fact of another revision than the pinned one may be cited."""

    def judge(self, candidate: str, request: Request) -> Verdict:
        verdict = super().judge(candidate, request)
        stale = verdict.status == "STALE_EVIDENCE"
        return self.acceptance({request.field: "shipped"}, outcome="grounded") if stale else verdict


class ShortSighted(OrderStatus):
    """Broken: says the wrong reason for what it rightly rejects."""

    def judge(self, candidate: str, request: Request) -> Verdict:
        verdict = super().judge(candidate, request)
        unsupported = verdict.status == "NO_SUPPORTING_FACT"
        return self.rejection("ANSWER_MISMATCH", outcome="ungrounded") if unsupported else verdict


def test_the_full_set_is_large_enough() -> None:
    assert len(CANDIDATES) * sum(1 for _ in worlds()) == 1_392_640
    assert sum(world.request["revision"] == REVISION for world in worlds()) == 512


def test_runner_auditor_and_the_plain_rule_agree_on_a_sample() -> None:
    done = compare(OrderStatus(), every=EVERY)
    assert done.first == {}
    assert done.combinations == 22_834
    assert all(done.statuses[status] for status in OrderStatus().statuses if status != "INVALID_JSON")


@pytest.mark.parametrize("broken", [EagerToRefuse, BlindToRevisions])
def test_a_contract_that_accepts_too_much_is_caught(broken: type[OrderStatus]) -> None:
    done = compare(broken(), every=307)
    assert done.unlike.keys() == {"accept or reject", "verdicts of runner and auditor"}


def test_a_contract_that_rejects_for_the_wrong_reason_is_caught() -> None:
    done = compare(ShortSighted(), every=307)
    assert done.unlike.keys() == {"verdicts of runner and auditor"}


def test_the_command_prints_counts_and_differences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--every", "1009"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("1390 combinations of 1360 candidates and 1024 worlds, ")
    assert lines[-2:] == ["accept or reject: 0 differences", "verdicts of runner and auditor: 0 differences"]
    assert sum(int(line.split()[1]) for line in lines[1:-2]) == 1390
