"""Audit a shelf of archives with one command: how time and memory grow with their number.

usage: shelf.py [ARCHIVES]

Audits 1 and then ARCHIVES (1000 unless given) copies of a run of the published suite in a process each, and
prints ratios: they compare machines of any speed. Most of the time of one audit is that of starting Python.

exit code: 0 printed · 1 an audit did not pass · 2 not a number
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Runs the command and says, as its last line, the most memory that it held, in KiB.
MEASURED = """
import resource, runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@dataclass(frozen=True)
class Shelf:
    """What auditing so many archives took."""

    archives: int
    seconds: float
    kibibytes: int
    verdicts: str


def audit(folders: list[str]) -> Shelf:
    """Audit the folders with one command."""
    command = [sys.executable, "-c", MEASURED, str(ROOT / "audit.py"), *folders]
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    *_, verdicts, memory = done.stdout.splitlines()
    return Shelf(
        len(folders), seconds, int(memory), verdicts if done.returncode == 0 else done.stdout + done.stderr
    )


def fill(folder: Path, count: int) -> list[str]:
    """Make a run of the published suite, and copies of it."""
    command = [sys.executable, str(ROOT / "run.py"), "--suite", "config-claims", "--out", "run"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    for number in range(count):
        shutil.copytree(folder / "run", folder / f"archive-{number:06}")
    return [str(folder / f"archive-{number:06}") for number in range(count)]


def measure(count: int) -> tuple[Shelf, Shelf]:
    """Audit one archive, and then all."""
    with tempfile.TemporaryDirectory() as folder:
        folders = fill(Path(folder), count)
        audit(folders[:1])  # what is read from disk once is not measured
        return audit(folders[:1]), audit(folders)


def lines(one: Shelf, many: Shelf) -> list[str]:
    """Say it."""
    count = many.archives
    return [
        f"{count} archives: {many.verdicts}",
        f"time: {many.seconds / one.seconds:.0f} times that of one archive in a process of its own",
        f"an archive: {many.seconds / count * 1000:.0f} ms of {many.seconds:.1f} s",
        f"memory: {many.kibibytes / one.kibibytes:.2f} times that of one ({many.kibibytes / 1024:.0f} MiB)",
    ]


def main(arguments: list[str]) -> int:
    count = arguments[0] if arguments else "1000"
    if len(arguments) > 1 or not count.isascii() or not count.isdigit() or int(count) < 2:
        print("usage: shelf.py [ARCHIVES]", file=sys.stderr)
        return 2
    one, many = measure(int(count))
    print(*lines(one, many), sep="\n")
    return 0 if " 0 FAIL, 0 could not" in many.verdicts else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
