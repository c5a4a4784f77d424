"""A shelf of archives: a line each, then the counts; memory stays flat, and no audit hangs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BENCHMARK = ROOT / "benchmarks" / "shelf.py"
#: On any machine, however busy: it guards against a hang.
HANG_SECONDS = 300


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARK), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG_SECONDS)


def test_a_small_shelf() -> None:
    done = run("20")
    assert (done.returncode, done.stderr) == (0, "")
    first, *_, last = done.stdout.splitlines()
    assert first == "20 archives: 20 directories: 20 PASS, 0 FAIL, 0 could not"
    memory = float(last.split()[1])
    assert memory < 1.5, last


def test_usage() -> None:
    for argument in ("x", "1", "-3", "\u0662"):
        done = run(argument)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", "usage: shelf.py [ARCHIVES]\n")
