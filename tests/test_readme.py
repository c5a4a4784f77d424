"""README.md says what is so: its commands are run, and what they print is compared with what it shows.

A ```console block holds commands behind `$ ` and what they print on standard output. In a shown line `…`
stands for anything; a line that is `…` alone stands for any number of lines.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from planted_bugs import BUGS, SUITE_BUGS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

#: What `python3 bootstrap.py` hands over to, so that a test installs nothing (see tests/test_bootstrap.py).
HANDED_OVER = {"run": ["run.py"], "audit": ["audit.py"]}

Session = list[tuple[str, list[str]]]


def sessions(text: str) -> list[Session]:
    """Return, for each console block, its commands with the lines shown below each."""
    found: list[Session] = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        session: Session = []
        for line in block.splitlines():
            if line.startswith("$ "):
                session.append((line[2:], []))
            else:
                session[-1][1].append(line)
        found.append(session)
    return found


def command_line(command: str) -> list[str]:
    """Return what to execute for a command of the README."""
    words = shlex.split(command, comments=True)
    if words[:2] == ["python3", "bootstrap.py"]:
        return [sys.executable, *HANDED_OVER.get(words[2], ["-m", "grounded_claims", words[2]]), *words[3:]]
    if words[0] == "python":
        return [sys.executable, *words[1:]]
    return words


def matches(shown: list[str], printed: list[str]) -> bool:
    """Compare what is shown with what was printed."""
    pattern = "".join(
        r"(?:.*\n)*" if line == "…" else ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
        for line in shown
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout, to run the commands in."""
    copy = tmp_path_factory.mktemp("readme") / "grounded claims"
    kept = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", "MY-RUN", "mutants")
    shutil.copytree(ROOT, copy, ignore=kept)
    return copy


def ran(session: Session) -> Session:
    """Leave out the commands that a test cannot run in a test: the tests themselves."""
    return [(command, shown) for command, shown in session if command != "python3 bootstrap.py test"]


@pytest.mark.parametrize("session", [s for s in sessions(README) if ran(s)], ids=lambda s: s[0][0])
def test_console_blocks_show_what_is_printed(session: Session, checkout: Path) -> None:
    for command, shown in ran(session):
        done = subprocess.run(
            command_line(command),
            cwd=checkout,
            env={"PYTHONPATH": str(checkout / "src"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        printed = done.stdout.splitlines()
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        assert not shown or matches(shown, printed), "\n".join([command, *printed, "--- shown:", *shown])


def test_the_two_commands_are_shown() -> None:
    commands = [command for session in sessions(README) for command, _ in session]
    assert commands[:2] == [
        "python3 bootstrap.py run --out evidence/MY-RUN",
        "python3 bootstrap.py audit evidence/MY-RUN",
    ]
    assert "python3 bootstrap.py test" in commands


def test_the_claims_name_the_digests_of_the_archived_runs() -> None:
    named = re.findall(
        r"run (?:--suite (\S+) )?--out DIR` \| `results.json` ([0-9a-f]{8})…([0-9a-f]{4}) ", README
    )
    archived = [
        hashlib.sha256(
            (ROOT / "evidence" / (suite or "config-claims") / "results.json").read_bytes()
        ).hexdigest()
        for suite, _, _ in named
    ]
    assert [(start, end) for _, start, end in named] == [(each[:8], each[-4:]) for each in archived]
    assert [suite for suite, _, _ in named] == ["", "order-status", "order-status-field"]


def test_the_run_digest_is_that_of_the_archived_run() -> None:
    named = re.findall(r"audit (evidence/[a-z-]+) --expect ([0-9a-f]{64})`", README)
    archived = [
        (folder, hashlib.sha256((ROOT / folder / "SHA256SUMS").read_bytes()).hexdigest())
        for folder, _ in named
    ]
    assert named == archived
    assert len(named) == 1


def test_the_planted_faults_are_as_many_as_it_says() -> None:
    assert re.findall(r"(\d+) planted faults", README) == [str(len(BUGS) + len(SUITE_BUGS))]


def test_the_mutants_are_as_many_as_were_printed() -> None:
    printed = (ROOT / "docs" / "mutants.md").read_text(encoding="utf-8")
    counts = re.findall(r"^(\d+) of (\d+) mutants killed", printed, re.MULTILINE)
    killed, tried = (sum(int(count[at]) for count in counts) for at in (0, 1))
    assert re.findall(r"([\d,]+) of ([\d,]+) mutants", README) == [(f"{killed:,}", f"{tried:,}")]


def test_readme_is_short() -> None:
    assert len(README.splitlines()) < 200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_a_difference_is_noticed() -> None:
    assert matches(["a …", "…", "z"], ["a 1", "x", "y", "z"])
    assert not matches(["17 / 22"], ["16 / 22"])
    assert not matches(["a"], ["a", "b"])
