"""The checks that need a browser have their own command: without a browser it says so; nothing is skipped."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import run_checks

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "tests/run_browser_checks.py"


def test_without_a_browser_there_is_a_sentence_and_exit_code_2(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "CHROMIUM"}
    done = subprocess.run(
        [sys.executable, str(ROOT / COMMAND)],
        cwd=tmp_path,
        env=environment | {"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "There is no Chromium on PATH. On Debian or Ubuntu: apt-get install chromium; elsewhere name one "
        "with the variable CHROMIUM.\n"
    )


@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_help_needs_no_browser_and_installs_nothing(asked, tmp_path):
    shutil.copy(ROOT / "bootstrap.py", tmp_path)
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / COMMAND, tmp_path / "tests")
    command = [sys.executable, str(tmp_path / COMMAND), asked]
    done = subprocess.run(command, env={"PATH": ""}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"usage: python3 {COMMAND} [ARGUMENTS OF PYTEST]" in done.stdout.splitlines()
    assert not (tmp_path / ".venv").exists()


def test_the_ordinary_run_does_not_collect_what_needs_a_browser(tmp_path):
    """In a folder laid out like ours, under our settings, what stands in tests/browser is not even found."""
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    for name in ("tests/test_plain.py", "tests/browser/test_report_browser.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("def test_it(): pass\n", encoding="utf-8")
        assert name == "tests/test_plain.py" or (ROOT / name).is_file()
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert listed.stdout.splitlines()[0] == "tests/test_plain.py::test_it"
    assert "1 test collected" in listed.stdout


def test_the_other_checks_end_by_naming_the_command():
    assert f"python3 {COMMAND}" == run_checks.BROWSER_CHECKS
    assert f"python3 {COMMAND} || code=$?" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_pin_of_the_browser_checks_has_its_hashes():
    text = (ROOT / "requirements-browser.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z-]+)==[0-9.]+((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", text, re.MULTILINE)
    assert [name for name, _ in pins] == ["greenlet", "playwright"]
    assert len(re.findall("==", text)) == len(pins)
    assert "://" not in text
