"""What the tests of the workshop's commands share: calling a command, and making runs to look at."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grounded_claims import Suite, load_suite, places
from grounded_claims.__main__ import main
from grounded_claims.contracts.base import Verdict
from grounded_claims.provenance import gather
from grounded_claims.run_directory import write_run
from grounded_claims.runner import run_suite

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"


@dataclass(frozen=True)
class Printed:
    """The exit code of a command, and what it printed."""

    code: int
    out: str
    err: str


class Caller:
    """Calls commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Printed:
        code = main([str(argument) for argument in arguments])
        out, err = self._capsys.readouterr()
        return Printed(code, out, err)


def make_run(out: Path, suite: Suite | Path | str, *, verdicts: Mapping[str, Verdict] | None = None) -> Path:
    """Write a run directory; `verdicts` are recorded in place of the true ones, by case id."""
    if not isinstance(suite, Suite):
        suite = load_suite(FIXTURES / suite)
    results = run_suite(suite)
    cases = tuple(
        replace(result, verdict=(verdicts or {}).get(result.case.id, result.verdict))
        for result in results.cases
    )
    root = places.checkout()
    assert root is not None
    write_run(out, results=replace(results, cases=cases), provenance=gather(root, environ=os.environ))
    return out


def copy_suite(name: str, folder: Path, *edits: tuple[str, str], file: str = "cases.yaml") -> Path:
    """Copy a suite, and change its first occurrence of each of some texts."""
    folder.mkdir(parents=True)
    for path in (FIXTURES / name).iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    text = (folder / file).read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / file).write_bytes(text.encode())
    return folder
