"""Predictions: inputs fixed before the run, shown beside what was observed, never a failure by themselves."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from workshop import ROOT, copy_suite

from grounded_claims import Suite, SuiteError, load_suite
from grounded_claims.__main__ import run_command
from grounded_claims.runner import run_suite

LAYERS = ("strict_json", "citation_exists", "full_contract")
LABEL = "    expected: VALUE_MISMATCH\n"
CASE = "wrong-value"


def predicting(folder: Path, *lines: str) -> Path:
    """Copy config-claims, and let its case wrong-value make a prediction."""
    prediction = "".join(f"      {line}\n" for line in lines)
    return copy_suite("config-claims", folder, (LABEL, f"{LABEL}    prediction:\n{prediction}"))


def hits(suite: Suite) -> dict[str, bool]:
    return dict(next(result for result in run_suite(suite).cases if result.case.id == CASE).hits())


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["strict_json: pass"], [True]),
        (["strict_json: reject"], [False]),
        (["strict_json: INVALID_JSON"], [False]),
        (["citation_exists: pass", "full_contract: reject"], [True, True]),
        (["full_contract: VALUE_MISMATCH"], [True]),
        (["full_contract: STALE_REVISION"], [False]),
        (["full_contract: NO_CITATION"], [False]),
        (["full_contract: pass"], [False]),
        (["citation_exists: NO_CITATION", "full_contract: VALUE_MISMATCH"], [False, True]),
        (["full_contract: reject", "strict_json: pass"], [True, True]),
    ],
    ids=lambda value: " ".join(map(str, value)),
)  # fmt: skip
def test_a_prediction_hits_or_misses(tmp_path: Path, lines: list[str], expected: list[bool]) -> None:
    assert list(hits(load_suite(predicting(tmp_path / "mine", *lines))).values()) == expected


FAULTS = {
    "no such layer": (
        ["citation_exist: pass"],
        "'citation_exists'",
    ),
    "no such word": (["full_contract: fail"], "'fail' is not a prediction for this layer"),
    "a status of a later layer": (
        ["citation_exists: VALUE_MISMATCH"],
        "'VALUE_MISMATCH' is no status by which this layer or one before it rejects; write pass or reject",
    ),
    "ACCEPT": (
        ["full_contract: ACCEPT"],
        "'ACCEPT' is no status by which this layer or one before it rejects; write pass",
    ),
    "a boolean": (["strict_json: true"], "the boolean true stands where text belongs"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_prediction_names_its_line(tmp_path: Path, name: str) -> None:
    lines, message = FAULTS[name]
    folder = predicting(tmp_path / "mine", *lines)
    with pytest.raises(SuiteError) as caught:
        load_suite(folder)
    (fault,) = caught.value.faults
    at = (folder / "cases.yaml").read_text(encoding="utf-8").split("\n").index(f"      {lines[0]}") + 1
    assert str(fault).startswith(f"{folder / 'cases.yaml'}:{at}: cases[3].prediction.")
    assert message in str(fault)


def run(folder: Path, out: Path, *options: str) -> int:
    return run_command("run", ["--suite", str(folder), "--out", str(out), *options], program="run.py")


TABLE = """\
| Case        | Layer           | Predicted      | Observed       |            |
|-------------|-----------------|----------------|----------------|------------|
| wrong-value | strict_json     | pass           | pass           | hit        |
| wrong-value | citation_exists | reject         | pass           | miss       |
| wrong-value | full_contract   | VALUE_MISMATCH | VALUE_MISMATCH | hit        |
| all         | strict_json     |                |                | 1 of 1 hit |
| all         | citation_exists |                |                | 0 of 1 hit |
| all         | full_contract   |                |                | 1 of 1 hit |
"""
MIXED = ("strict_json: pass", "citation_exists: reject", "full_contract: VALUE_MISMATCH")


def test_a_run_shows_predicted_observed_and_totals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(predicting(tmp_path / "mine", *MIXED), tmp_path / "out") == 0
    assert TABLE in capsys.readouterr().out
    results = json.loads((tmp_path / "out" / "results.json").read_bytes())
    assert results["totals"]["predictions"] == {
        "strict_json": {"made": 1, "hit": 1},
        "citation_exists": {"made": 1, "hit": 0},
        "full_contract": {"made": 1, "hit": 1},
    }
    case = next(case for case in results["cases"] if case["id"] == CASE)
    assert list(case["prediction"].items()) == [tuple(line.split(": ")) for line in MIXED]
    assert (case["expected"], case["status"]) == ("VALUE_MISMATCH", "VALUE_MISMATCH")


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--strict",), 1)])
def test_a_miss_is_no_failure_unless_strict(tmp_path: Path, options: Iterable[str], code: int) -> None:
    assert run(predicting(tmp_path / "mine", *MIXED), tmp_path / "out", *options) == code


def test_hits_alone_are_strict_enough(tmp_path: Path) -> None:
    folder = predicting(tmp_path / "mine", "full_contract: reject")
    assert run(folder, tmp_path / "out", "--strict") == 0


def test_predictions_are_inputs_copied_and_hashed(tmp_path: Path) -> None:
    folder = predicting(tmp_path / "mine", *MIXED)
    assert run(folder, tmp_path / "out") == 0
    data = (folder / "cases.yaml").read_bytes()
    assert (tmp_path / "out" / "inputs" / "cases.yaml").read_bytes() == data
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert manifest["inputs"]["inputs/cases.yaml"] == hashlib.sha256(data).hexdigest()
    assert manifest["suite"]["frozen"] is False


def test_other_predictions_are_another_suite(tmp_path: Path) -> None:
    """What was predicted is part of the digest: it cannot be changed afterwards unseen."""
    first = load_suite(predicting(tmp_path / "a", "full_contract: reject"))
    second = load_suite(predicting(tmp_path / "b", "full_contract: pass"))
    assert first.digest != second.digest


def audit(run_directory: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "audit.py"), str(run_directory), "--format", "json"]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_auditor_recomputes_hits_and_misses(tmp_path: Path) -> None:
    """A run that counts its miss as a hit, with every digest made to fit, does not pass."""
    assert run(predicting(tmp_path / "mine", *MIXED), tmp_path / "out") == 0
    assert audit(tmp_path / "out").returncode == 0
    results = tmp_path / "out" / "results.json"
    document = json.loads(results.read_bytes())
    document["totals"]["predictions"]["citation_exists"]["hit"] = 1
    results.write_bytes((json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode())
    manifest = tmp_path / "out" / "manifest.json"
    described = json.loads(manifest.read_bytes())
    described["outputs"]["results.json"] = hashlib.sha256(results.read_bytes()).hexdigest()
    manifest.write_bytes((json.dumps(described, ensure_ascii=False, indent=2) + "\n").encode())
    paths = [
        "inputs/cases.yaml",
        "inputs/registry.yaml",
        "inputs/suite.yaml",
        "manifest.json",
        "results.json",
    ]
    sums = "".join(
        f"{hashlib.sha256((tmp_path / 'out' / path).read_bytes()).hexdigest()}  {path}\n" for path in paths
    )
    (tmp_path / "out" / "SHA256SUMS").write_bytes(sums.encode())
    done = audit(tmp_path / "out")
    assert done.returncode == 1
    assert "prediction" in done.stdout
