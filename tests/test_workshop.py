"""docs/workshop.md says what is so: its edits are made, its commands are run, their output is compared."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from workshop import ROOT

PAGE = ROOT / "docs" / "workshop.md"
CODES = {"compare": 1}


def blocks() -> list[tuple[str, str]]:
    """Return the kind and the text of each block of the page."""
    return re.findall(r"^```(\w+)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def edit(path: Path, diff: str) -> None:
    """Replace what stands behind each `-` by what stands behind the `+` below it."""
    text = path.read_text(encoding="utf-8")
    lines = diff.splitlines()
    for old, new in zip(lines[::2], lines[1::2], strict=True):
        assert (old[0], new[0]) == ("-", "+")
        assert text.count(old[1:]) == 1, old
        text = text.replace(old[1:], new[1:])
    path.write_bytes(text.encode())


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the page as `bootstrap.py` would hand it over, in a folder."""
    python = f"'{sys.executable}'"
    command = command.replace("python3 bootstrap.py run", f"{python} '{ROOT / 'run.py'}'")
    command = command.replace("python3 bootstrap.py", f"{python} -m grounded_claims")
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def matches(shown: list[str], printed: str) -> bool:
    """Compare: `…` stands for anything in a line, and alone for any number of lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line == "…" else ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
        for line in shown
    )
    return re.fullmatch(pattern, printed) is not None


def test_the_page_is_what_happens(tmp_path: Path) -> None:
    commands = []
    for kind, text in blocks():
        if kind == "diff":
            edit(tmp_path / "my-exercise" / "cases.yaml", text)
            continue
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, *shown = part.splitlines()
            done = run(command, tmp_path)
            name = command.split("bootstrap.py ")[1].split()[0]
            commands.append(name)
            assert done.returncode == CODES.get(name, 0), (command, done.stdout, done.stderr)
            assert matches(shown, done.stdout), f"{command}\n{done.stdout}"
    assert set(commands) == {"exercise", "run", "explain", "compare", "explore"}


def test_the_page_is_one_page() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) < 200
