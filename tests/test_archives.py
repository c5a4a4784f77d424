"""The vectors for auditors: they are what the script builds, and this auditor is held to them."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import build_archives
import jsonschema
import pytest
from build_archives import ARCHIVES, ODD, ROOT, VECTORS

import audit

INDEX: dict[str, Any] = json.loads((ARCHIVES / "vectors.json").read_bytes())
ROWS: list[dict[str, Any]] = INDEX["vectors"]
CHECKOUT = audit.read_checkout(str(ROOT))
OPTIONS = argparse.Namespace(expect=None, without_sources=True)
MOST_BYTES = 1_500_000
#: What plain files cannot show: a path that is none, links, unreadable files, --expect, sources, own pins.
ELSEWHERE = {"A1.1", "A1.3", "A1.4", "A3.7", "A5.2", "A8.2"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["format", "vectors"],
    "properties": {
        "format": {"const": 1},
        "vectors": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "must", "check", "why"],
                "properties": {
                    "name": {"type": "string", "pattern": r"\A[a-z0-9-]{1,60}\Z"},
                    "must": {"enum": ["pass", "fail"]},
                    "check": {"type": ["string", "null"], "pattern": r"\AA[1-8]\.[1-9]\Z"},
                    "why": {"type": "string", "pattern": r"\A.{5,200}\.\Z"},
                },
            },
        },
    },
}


def audited(path: Path) -> tuple[int, set[str]]:
    report = audit.audit(str(path), CHECKOUT, OPTIONS, [])
    return report.exit_code(), {
        each.ident
        for each in report.checks.values()
        if each.state == audit.FAILED and not each.said.startswith("not made")
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_vector(row: dict[str, Any]) -> None:
    code, failed = audited(ARCHIVES / row["name"])
    if row["must"] == "pass":
        assert (code, failed, row["check"]) == (0, set(), None)
    else:
        assert (code, row["check"] in failed) == (1, True), failed


@pytest.mark.parametrize("name", ODD)
def test_what_git_cannot_hold(name: str, tmp_path: Path) -> None:
    make, check, _ = ODD[name]
    place = tmp_path / "archives" / "run"
    shutil.copytree(ARCHIVES / "good-config-claims", place)
    make(place / "results.json")
    code, failed = audited(place)
    assert (code, check in failed) == (1, True), failed


def test_the_index_is_of_a_closed_form() -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(INDEX)
    assert all((row["must"] == "fail") == (row["check"] is not None) for row in ROWS)
    names = [row["name"] for row in ROWS]
    assert len(names) == len(set(names))
    assert sorted(names) == sorted(path.name for path in ARCHIVES.iterdir() if path.is_dir())


def test_more_must_fail_than_must_pass_and_every_check_is_there() -> None:
    failing = [row["check"] for row in ROWS if row["must"] == "fail"]
    assert len(failing) > len(ROWS) - len(failing) >= 8
    assert set(failing) == set(audit.CHECKS) - ELSEWHERE


def test_the_readme_has_a_line_for_each() -> None:
    text = (ARCHIVES / "README.md").read_text("utf-8")
    lines = re.findall(r"^\| `([a-z0-9-]+)` \| (pass|fail) \| (A[0-9.]+)? ?\| (.+) \|$", text, re.MULTILINE)
    assert [(name, must, check or None, why) for name, must, check, why in lines] == [
        (row["name"], row["must"], row["check"], row["why"]) for row in ROWS
    ]


def test_they_are_what_the_script_builds(tmp_path: Path) -> None:
    built = tmp_path / "archives"
    command = [sys.executable, str(Path(build_archives.__file__)), str(built)]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    there, made = ({path.relative_to(top): path for path in top.rglob("*")} for top in (ARCHIVES, built))
    assert there.keys() == made.keys()
    for name, path in there.items():
        assert path.is_dir() or path.read_bytes() == made[name].read_bytes(), name
    assert sum(path.stat().st_size for path in there.values() if path.is_file()) < MOST_BYTES
    again = subprocess.run([*command[:2], str(tmp_path)], capture_output=True, text=True, check=False)
    assert (again.returncode, "holds no vectors" in again.stderr) == (1, True)


def test_a_shelf_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    """A line each, then the counts; the worst of all is the exit code."""
    paths = [str(ARCHIVES / row["name"]) for row in ROWS]
    assert audit.main(["--without-sources", *paths], str(ROOT)) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    passing = sum(row["must"] == "pass" for row in ROWS)
    counts = re.findall(r"\b(\d+) (PASS|FAIL|could not)\b", last)
    assert last.startswith(f"{len(ROWS)} directories: ")
    assert counts == [(str(passing), "PASS"), (str(len(ROWS) - passing), "FAIL"), ("0", "could not")]
    assert [line.split("  ")[0] for line in lines] == paths
    words = [line.split("  ")[1].partition(":")[0].lower() for line in lines]
    assert words == [row["must"] for row in ROWS]


def test_no_defect_is_another_one() -> None:
    """No two vectors are the same directory."""
    assert len({tuple(sorted(each.files.items())) for each in VECTORS}) == len(VECTORS)
