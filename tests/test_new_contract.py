"""A third contract goes through suite, runner, run directory and tables, none of which knows any contract."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
from pathlib import Path

import policy_answer
import pytest
from policy_answer import CASES, REGISTRY, SUITE, PolicyAnswer

from grounded_claims import Gate
from grounded_claims.commands.prompt import prompt_of
from grounded_claims.contracts import CONTRACTS
from grounded_claims.errors import RequestError, SuiteError, UsageError
from grounded_claims.provenance import Provenance
from grounded_claims.run_directory import write_run
from grounded_claims.runner import run_suite
from grounded_claims.suite import Suite, load_suite
from grounded_claims.tables import case_table, layer_table, outcome_table

ROOT = Path(__file__).parents[1]
THIRD = PolicyAnswer()
WITH_THIRD = {**CONTRACTS, THIRD.name: THIRD}
PROVENANCE = Provenance(
    created="2026-01-01T00:00:00Z", git={"unavailable": "a test"}, environment={}, sources={}
)
#: The modules that serve every contract; `contracts/` says all that differs.
SEAM = ("suite", "cases", "gate", "runner", "run_directory", "tables")


def write(folder: Path, *, registry: str = REGISTRY, cases: str = CASES) -> Path:
    folder.mkdir()
    for name, text in (("suite.yaml", SUITE), ("registry.yaml", registry), ("cases.yaml", cases)):
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load_suite(write(tmp_path / "returns-policy"), contracts=WITH_THIRD)


def test_the_suite_loads_and_every_verdict_equals_its_label(suite: Suite) -> None:
    results = run_suite(suite)
    assert [(result.case.id, result.verdict.status) for result in results.cases] == [
        ("right-clause", "ACCEPT"),
        ("other-clause", "OTHER_QUESTION"),
        ("other-ruling", "OTHER_RULING"),
        ("invented-clause", "NO_CLAUSE"),
        ("yes-without-quotes", "INVALID_JSON"),
    ]
    assert results.totals() == {
        "cases": 5,
        "strict_json": 4,
        "citation_exists": 3,
        "full_contract": 1,
        "labels_matched": 5,
        "baseline_false_accepts": 2,
        "outcomes": {"grounded": 1, "ungrounded": 3, "malformed": 1},
        "predictions": None,
    }


def test_the_run_directory_is_whole(suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "run"
    results = run_suite(suite)
    written = write_run(out, results=results, provenance=PROVENANCE)
    assert (out / "results.json").read_bytes() == (
        json.dumps(results.document(), ensure_ascii=False, indent=2) + "\n"
    ).encode()
    for line in (out / "SHA256SUMS").read_text().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    assert hashlib.sha256((out / "SHA256SUMS").read_bytes()).hexdigest() == written.run_digest
    assert json.loads((out / "results.json").read_bytes())["suite"] == {
        "name": "returns-policy",
        "contract": "policy-answer",
        "digest": suite.digest,
    }
    assert json.loads((out / "results.json").read_bytes())["cases"][0]["accepted"] == {
        "opened_box_returnable": "yes"
    }


def test_the_tables_are_in_its_words(suite: Suite) -> None:
    results = run_suite(suite)
    assert layer_table(results).splitlines() == [
        "| Layer         |   Passed | What it still cannot rule out                          |",
        "|---------------|----------|--------------------------------------------------------|",
        "| Strict JSON   |    4 / 5 | a clause that does not exist                           |",
        "| Clause exists |    3 / 5 | a clause that decides something else, or the other way |",
        "| Full contract |    1 / 5 | a policy that is itself out of date                    |",
    ]
    assert outcome_table(results).splitlines()[2:] == [
        "| grounded   |       1 |",
        "| ungrounded |       3 |",
        "| malformed  |       1 |",
    ]
    assert case_table(results, style="plain").splitlines()[4].split() == [
        *("other-ruling", "clauses", "OTHER_RULING", "OTHER_RULING", "pass", "pass", "reject", "ungrounded")
    ]


def test_the_gate_takes_requests_of_its_own(suite: Suite) -> None:
    gate = Gate(suite)
    request = gate.request({"question": "worn_shoes_returnable", "supplied": ["4.2"]})
    verdict = gate.judge('{"answer":"no","clause":"4.2"}', request)
    assert dict(verdict.accepted) == {"worn_shoes_returnable": "no"}
    with pytest.raises(RequestError) as caught:
        gate.request({"question": "worn_shoes_returnable", "supplied": ["4.22"]})
    assert str(caught.value) == (
        "supplied[0]: '4.22' is not one of the clause ids of the registry; did you mean '4.2'?"
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "registry.yaml",
            "ruling: 'yes'",
            "ruling: 'yess'",
            "registry.yaml:4: clauses[0].ruling: 'yess' is not a ruling; did you mean 'yes'?",
        ),
        (
            "cases.yaml",
            "expected: OTHER_RULING",
            "expected: OTHER_RULNIG",
            "cases.yaml:24: cases[2].expected: 'OTHER_RULNIG' is not a status; did you mean 'OTHER_RULING'?",
        ),
    ],
)
def test_faults_name_file_line_and_mend(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    folder = write(tmp_path / "suite")
    text = (folder / file).read_text("utf-8")
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new), "utf-8")
    with pytest.raises(SuiteError) as caught:
        load_suite(folder, contracts=WITH_THIRD)
    assert str(caught.value) == f"{folder}{os.sep}{message}"


def test_without_it_the_contract_is_not_known(tmp_path: Path) -> None:
    folder = write(tmp_path / "suite")
    with pytest.raises(SuiteError) as caught:
        load_suite(folder)
    assert str(caught.value) == (
        f"{folder}{os.sep}suite.yaml:2: contract: 'policy-answer' is not a contract; "
        "known: config-claims or order-status"
    )


def test_the_prompt_command_says_that_it_has_none(suite: Suite) -> None:
    with pytest.raises(UsageError) as caught:
        prompt_of(suite)
    assert str(caught.value) == (
        "there is no prompt for the contract 'policy-answer', only for config-claims or order-status"
    )


@pytest.mark.parametrize("module", SEAM)
def test_the_seam_names_no_contract_and_none_of_its_words(module: str) -> None:
    tree = ast.parse((ROOT / "src" / "grounded_claims" / f"{module}.py").read_text("utf-8"))
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)} | {
        name for node in ast.walk(tree) for name in (getattr(node, "id", ""), getattr(node, "attr", ""))
    }
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    own = {
        word
        for contract in CONTRACTS.values()
        for word in (contract.name, type(contract).__name__, *contract.statuses[1:-1], *contract.outcomes)
    }
    assert own & words == set()
    assert imported & {f"contracts.{name.replace('-', '_')}" for name in CONTRACTS} == set()


def test_what_the_page_shows_of_the_contract_is_what_runs_here(suite: Suite) -> None:
    page = (ROOT / "docs" / "new-contract.md").read_text("utf-8")
    source = Path(policy_answer.__file__).read_text("utf-8")
    shown = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(shown) == 3
    assert [block for block in shown if block not in source] == []
    yaml = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert yaml == [REGISTRY, CASES[: CASES.index("  - id: other-ruling")]]
    assert layer_table(run_suite(suite)) in page
