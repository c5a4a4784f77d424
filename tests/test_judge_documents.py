"""What docs/scale.md says: its handler runs, and a gate is shared by threads."""

from __future__ import annotations

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grounded_claims import Gate, load_suite

ROOT = Path(__file__).resolve().parent.parent
SCALE = (ROOT / "docs" / "scale.md").read_text("utf-8")


@pytest.fixture
def handle(monkeypatch):
    (code,) = re.findall(r"^```python\n(.*?)^```$", SCALE, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(code, names)
    return names["handle"]


def test_the_handler_returns_the_accepted_mapping_and_nothing_else(handle):
    for case in load_suite(ROOT / "fixtures" / "config-claims").cases:
        code, body = handle(case.request, case.candidate)
        if case.expected == "ACCEPT":
            assert (code, json.loads(body)["read_timeout_ms"]) == (200, "5000")
        else:
            assert (code, json.loads(body)) == (422, {"status": case.expected})
    assert handle("nobody", "{}") == (404, '{"error": "no such request"}')


def test_every_option_of_the_command_is_explained_or_in_help():
    assert set(re.findall(r"--[a-z-]+", SCALE)) >= {"--suite", "--out", "--workers", "--summary", "--engine"}


@pytest.mark.parametrize("name", ["config-claims", "order-status"])
def test_a_gate_is_shared_by_threads(name):
    suite = load_suite(ROOT / "fixtures" / name)
    gate = Gate(suite)
    start = threading.Barrier(8)

    def judge_all(_):
        start.wait()
        return [
            [gate.judge(case.candidate, suite.requests[case.request]) for case in suite.cases]
            for _ in range(60)
        ]

    with ThreadPoolExecutor(8) as threads:
        found = [verdicts for rounds in threads.map(judge_all, range(8)) for verdicts in rounds]
    assert len(found) == 480
    assert all(verdicts == found[0] for verdicts in found)
    assert [verdict.status for verdict in found[0]] == [case.expected for case in suite.cases]
