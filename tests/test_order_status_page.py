"""docs/order-status.md shows what the commands print, and the code on it runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from exhaustive_order_status import CANDIDATES, worlds

import grounded_claims

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "order-status.md").read_text("utf-8")
BLOCKS = [
    block.split("\n", 1) for block in re.findall(r"^```\n\$ (.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
]
#: Takes a minute. Its figures are held against the sets it goes through; test_exhaustive.py runs a sample.
LONG = "python tests/exhaustive_order_status.py"


def printed(command: str, out: Path) -> str:
    words = [sys.executable, *shlex.split(command)[1:]]
    done = subprocess.run(
        [str(out) if word == "DIR" else word for word in words],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()


@pytest.mark.parametrize(("command", "shown"), [block for block in BLOCKS if block[0] != LONG])
def test_a_command_prints_what_the_page_shows(tmp_path: Path, command: str, shown: str) -> None:
    real = printed(command, tmp_path / "run")
    place = 0
    for part in filter(None, (part.strip("\n") for part in shown.split("…\n"))):
        place = real.index(part, place) + len(part)


def test_the_long_command_went_through_what_the_page_says() -> None:
    (shown,) = (shown for command, shown in BLOCKS if command == LONG)
    count = sum(1 for _ in worlds())
    assert shown.startswith(
        f"{len(CANDIDATES) * count} combinations of {len(CANDIDATES)} candidates and {count} worlds, "
    )


def test_there_is_a_block_for_each_command() -> None:
    assert [shlex.split(command)[1:3] for command, _ in BLOCKS] == [
        ["run.py", "--suite"],
        ["run.py", "--suite"],
        ["-m", "grounded_claims"],
        ["tests/exhaustive_order_status.py"],
    ]


def test_the_code_gives_the_accepted_mapping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert dict(names["verdict"].accepted) == {"status": None}


def test_every_status_is_on_the_page() -> None:
    statuses = grounded_claims.load_suite(ROOT / "fixtures" / "order-status").contract.statuses
    missing = {status for status in statuses if f"`{status}`" not in PAGE}
    assert missing == {"ORDER_MISMATCH", "REPEATED_EVIDENCE", "ACCEPT"}
