"""Runs that are killed, starved or raced, and directories that change under the auditor (bug-log M12, M13).

    python tests/test_crashes.py --full

does more of the same, and fills real small disks where this system lets it mount them. Failures of single
calls are in test_run_directory.py. Every run is run.py in a process of its own; see forking.py.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]  # for the command; pytest has them already

from audit_fixtures import CONFIG, run_of, write  # noqa: E402

import audit  # noqa: E402

FORKING = Path(__file__).with_name("forking.py")
ABSENT, UNFINISHED, COMPLETE = "absent", "unfinished", "complete"
Ended = list[list[Any]]  # exit code and standard error of each process


def runs(place: Path, jobs: Sequence[dict[str, Any]]) -> list[tuple[str, Ended]]:
    """Carry out jobs, each in a folder of its own; return what is left of each run, and how it ended."""
    outs = [place / f"{number}" / "run" for number in range(len(jobs))]
    for out in outs:
        out.parent.mkdir()
        (out.parent / "beside").write_text("kept", encoding="utf-8")
    before = surroundings()
    given = [{**job, "arguments": ["--out", str(out)]} for job, out in zip(jobs, outs, strict=True)]
    finished = subprocess.run(
        [sys.executable, str(FORKING)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert finished.stderr == ""
    assert surroundings() == before
    return list(zip(left_of(outs), json.loads(finished.stdout), strict=True))


def surroundings() -> dict[str, bytes]:
    """Return the files of the checkout that a run reads or could write."""
    files = [path for name in ("fixtures", "evidence") for path in (ROOT / name).rglob("*")]
    return {str(path): path.read_bytes() for path in files if path.is_file()}


def left_of(outs: Sequence[Path]) -> list[str]:
    """Say what is left of each run: of the two that may be there, only by what the auditor says."""
    printed, complained = io.StringIO(), io.StringIO()
    words = [*map(str, outs), "--format", "json", "--without-sources"]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
        audit.main(words, str(ROOT))
    assert complained.getvalue() == ""
    return [
        left(out, found)
        for out, found in zip(outs, json.loads(printed.getvalue())["directories"], strict=True)
    ]


def left(out: Path, audited: dict[str, Any]) -> str:
    assert (out.parent / "beside").read_text(encoding="utf-8") == "kept"
    assert sorted(each.name for each in out.parent.iterdir()) in (["beside"], ["beside", "run"])
    said = [finding for check in audited["checks"] for finding in check["findings"]]
    if not os.path.lexists(out):
        assert (audited["exit_code"], said) == (2, ["there is nothing at this path"])
        return ABSENT
    if not (out / "SHA256SUMS").exists():
        assert audited["exit_code"] == 1
        assert "no SHA256SUMS: an unfinished run, or no run directory" in said
        return UNFINISHED
    assert (audited["exit_code"], said) == (0, [])
    return COMPLETE


# Killed


def moments(count: int, *, seed: int) -> list[dict[str, Any]]:
    """Make moments: half of them anywhere in a run, half of them from when its directory is there."""
    dice = random.Random(seed)
    return [{"moment": {"appeared": bool(number % 2), "fraction": dice.random()}} for number in range(count)]


def test_m12_killed_at_random_moments(tmp_path: Path) -> None:
    left = runs(tmp_path, moments(50, seed=1))
    assert {state for state, _ in left} <= {ABSENT, UNFINISHED, COMPLETE}
    assert {code for _, [[code, _]] in left} <= {0, -signal.SIGKILL}


def by_step(place: Path, number: int, *, late: bool) -> list[tuple[str, int, str]]:
    """Send a signal at each call that writes, in runs of their own, until a run has ended before it."""
    steps = [{"step": {"at": at, "signal": number, "late": late}} for at in range(1, 45)]
    return [(state, code, said) for state, [[code, said]] in runs(place, steps)]


@pytest.mark.parametrize(("number", "late"), [(signal.SIGKILL, False), (signal.SIGTERM, True)])
def test_m12_killed_at_each_step(*, number: int, late: bool, tmp_path: Path) -> None:
    ended = [(state, code) for state, code, _ in by_step(tmp_path, number, late=late)]
    # First nothing is there, then something unfinished, then all of it; and never anything else.
    seen = [(ABSENT, -number), (UNFINISHED, -number), (COMPLETE, -number), (COMPLETE, 0)]
    assert list(dict.fromkeys(ended)) == seen
    assert ended == sorted(ended, key=seen.index)
    assert Counter(ended)[UNFINISHED, -number] >= 24


def test_m12_interrupted_before_each_step(tmp_path: Path) -> None:
    """What was made is taken away, and the user is told."""
    ended = by_step(tmp_path, signal.SIGINT, late=False)
    seen = [(ABSENT, 130, "interrupted\n"), (COMPLETE, 0, "")]
    assert list(dict.fromkeys(ended)) == seen
    assert ended == sorted(ended, key=seen.index)


def test_m12_interrupted_after_each_step(tmp_path: Path) -> None:
    """What was made a moment ago and not noted yet may stay; then there are no sums."""
    ended = by_step(tmp_path, signal.SIGINT, late=True)
    assert set(ended) <= {
        *((state, 130, "interrupted\n") for state in (ABSENT, UNFINISHED)),
        (COMPLETE, 0, ""),
    }


# Starved: the system lets no file grow beyond a limit, so that a write takes some bytes, and the next fails


def sizes(folder: Path) -> list[int]:
    """Return the size of each file of a run."""
    [(state, _)] = runs(folder, [{}])
    assert state == COMPLETE
    return sorted({path.stat().st_size for path in (folder / "0/run").rglob("*") if path.is_file()})


def test_m12_files_that_cannot_grow(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "small").mkdir()
    found = sizes(tmp_path / "whole")
    limits = sorted({300, *found, *(size - 1 for size in found)})
    for limit, (state, [[code, said]]) in zip(
        limits, runs(tmp_path / "small", [{"limit": limit} for limit in limits]), strict=True
    ):
        if limit >= max(found):
            assert (state, code, said) == (COMPLETE, 0, "")
        else:
            assert (state, code) == (ABSENT, 2)
            assert said.endswith("/run could not be written: File too large; nothing is left of it\n")


# Raced


@pytest.mark.parametrize("again", range(3))
def test_m13_of_sixteen_at_once_one_wins(again: int, tmp_path: Path) -> None:
    [(state, ended)] = runs(tmp_path, [{"together": 16}])
    assert state == COMPLETE
    out = tmp_path / "0/run"
    lost = f"{out} exists already, and a run never overwrites; name a new directory with --out\n"
    assert sorted(ended) == [[0, ""], *[[2, lost]] * 15]


# A directory that changes while it is read. The auditor is told nothing: an audit hook of the interpreter
# changes the files at the moment when the auditor opens one of them.

CHANGING = """
import contextlib, io, json, os, shutil, sys
from pathlib import Path
sys.path[:0] = sys.argv[1:3]
import audit
folder, states = Path(sys.argv[3]), [Path(each) for each in sys.argv[4:6]]
armed = {"at": 0, "change": None}
paths = {path.name: folder / path.relative_to(states[0]) for path in states[0].rglob("*") if path.is_file()}

def hook(event, arguments):
    path = paths.get(os.path.basename(str(arguments[0]))) if event == "open" else None
    if path and armed["at"]:  # it may be opened relative to its folder
        armed["at"] -= 1
        if not armed["at"]:
            armed["change"](path)

def put(state):
    for path in sorted(state.rglob("*")):
        if path.is_file():
            target = folder / path.relative_to(state)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())

def link(path):
    path.unlink()
    path.symlink_to(states[0] / path.relative_to(folder))

def fifo(path):
    path.unlink()
    os.mkfifo(path)

def directory(path):
    path.unlink()
    path.mkdir()

def audited(at, change):
    shutil.rmtree(folder, ignore_errors=True)
    put(states[0])
    armed.update(at=at, change=change)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = audit.main([str(folder), "--format", "json", "--without-sources"])
    reached = not armed["at"]
    armed["at"] = 0
    found = json.loads(printed.getvalue())["directories"][0]
    return [reached, code, found["run_digest"]]

sys.addaudithook(hook)
put(states[0])
print(json.dumps({
    "states": [audited(at, lambda _: put(states[1])) for at in range(1, 8)],
    "kinds": [audited(at, change) for at in range(1, 7) for change in (link, fifo, directory, Path.unlink)],
}))
"""


def changing(place: Path, first: Path, second: Path) -> dict[str, list[list[Any]]]:
    words = [str(ROOT), str(ROOT / "src"), str(place / "changing"), str(first), str(second)]
    finished = subprocess.run(
        [sys.executable, "-c", CHANGING, *words], capture_output=True, text=True, check=False, timeout=120
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    found: dict[str, list[list[Any]]] = json.loads(finished.stdout)
    return found


def good_and_forged(place: Path) -> tuple[Path, Path]:
    """Make two directories: one right, one with another note, a false count, and every digest redone."""
    good, forged = place / "good", place / "forged"
    for folder in (good, forged):
        write(run_of(CONFIG, ROOT).sealed(), folder)
    run = run_of(CONFIG, ROOT)
    run.results["totals"]["labels_matched"] += 1
    run.inputs = {name: data + b"# A note.\n" for name, data in run.inputs.items()}
    run.manifest["created"] = "2026-11-30T12:00:01Z"
    write(run.sealed(), forged)
    return good, forged


def run_digest(folder: Path) -> str:
    return audit.sha256((folder / "SHA256SUMS").read_bytes())


def test_the_verdict_is_about_the_bytes_that_were_read(tmp_path: Path) -> None:
    """Six files are read. The change comes before the first, between two, or after the last."""
    good, forged = good_and_forged(tmp_path)
    right, wrong = run_digest(good), run_digest(forged)
    worsened = changing(tmp_path, good, forged)["states"]
    assert worsened == [[True, 1, wrong], *[[True, 1, right]] * 5, [False, 0, right]]
    improved = changing(tmp_path, forged, good)["states"]
    assert improved == [[True, 0, right], *[[True, 1, wrong]] * 5, [False, 1, wrong]]


def test_a_file_that_becomes_something_else_while_it_is_opened(tmp_path: Path) -> None:
    """A link to the very same bytes, a pipe, a folder, or nothing: in the place of any of the six."""
    good, forged = good_and_forged(tmp_path)
    kinds = changing(tmp_path, good, forged)["kinds"]
    assert [(reached, code) for reached, code, _ in kinds] == [(True, 1)] * 24


# The command


def small_disks(place: Path) -> str:
    """Run on disks of 4 to 64 KiB, where they can be mounted, and say what was left."""
    left: Counter[str] = Counter()
    for size in range(4, 65, 4):
        disk = place / f"disk-{size}"
        disk.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "none", str(disk)]
        mounted = subprocess.run(words, capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            return f"no disk could be mounted: {mounted.stderr.strip()}"
        try:
            [(state, [[code, said]])] = runs(disk, [{}])
            assert (state, code) in ((ABSENT, 2), (COMPLETE, 0)), (size, state, code, said)
            assert code == 0 or "No space left on device; nothing is left of it" in said
            left[state] += 1
        finally:
            subprocess.run(["umount", str(disk)], check=True)
    return f"full disks of 4 to 64 KiB: {dict(left)}"


def main() -> int:
    """Kill, fill and race more often than the tests do, and count what is left."""
    parser = argparse.ArgumentParser(description="Kill runs, fill disks, and race for one directory.")
    parser.add_argument("--full", action="store_true", required=True, help="500 kills, 20 races")
    parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("killed", "disks", "raced"):
            Path(folder, name).mkdir()
        left = Counter(state for state, _ in runs(Path(folder, "killed"), moments(500, seed=2)))
        print(f"killed at 500 random moments: {dict(left)}")
        print(small_disks(Path(folder, "disks")))
        for state, ended in runs(Path(folder, "raced"), [{"together": 16}] * 20):
            assert (state, sorted(code for code, _ in ended)) == (COMPLETE, [0, *[2] * 15])
        print("20 races of 16 for one directory: one winner each, its directory intact")
    return 0


if __name__ == "__main__":
    sys.exit(main())
