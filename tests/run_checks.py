"""Every check that needs no browser; `python3 bootstrap.py test` runs this in the environment that it made.

usage: run_checks.py [ARGUMENTS OF PYTEST]

Without arguments each step below runs, also after one that failed, and a table at the end says how each
went. With arguments only pytest runs, from the root of the checkout: `-k name`, `tests/test_x.py`.

exit code: 0 all passed · 1 something failed, or there was nothing to check · 2 pytest could not be called
like that · 3 a fault of pytest itself · 130 on Ctrl-C
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = "fixtures/frozen.sha256"
BROWSER_CHECKS = "python3 tests/run_browser_checks.py"
#: pytest's own exit codes to ours; 5 says that no test was collected.
PYTEST_CODES = {0: 0, 1: 1, 2: 130, 3: 3, 4: 2, 5: 1}
#: Settings of a user's own that would change what runs.
FOREIGN = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "COVERAGE_PROCESS_START")


def main(arguments: Sequence[str]) -> int:
    # In the background of a script Ctrl-C is ignored, and would be by what the tests send it to, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if arguments:
        return PYTEST_CODES.get(module("pytest", *arguments), 3)
    failed = []
    rows = []
    for name, step in STEPS.items():
        print(f"\n== {name} ==", flush=True)
        started = time.perf_counter()
        passed = step()
        seconds = time.perf_counter() - started
        print(f"== {name}: {'passed' if passed else 'FAILED'} in {seconds:.1f} s ==", flush=True)
        rows.append(f"{name:<14}  {'passed' if passed else 'FAILED'}  {seconds:8.1f}")
        failed += [] if passed else [name]
    print("\nstep            result   seconds", *rows, sep="\n")
    print(f"\nFAILED: {', '.join(failed)}" if failed else f"\nAll {len(rows)} steps passed.")
    print(f"The checks that need a browser have a command of their own: {BROWSER_CHECKS}", flush=True)
    return 1 if failed else 0


def module(*arguments: str, **more: str) -> int:
    """Run `python -m …` at the root, and return its exit code."""
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, env=environment | more).returncode


def lint() -> bool:
    return module("ruff", "check", ".") == 0


def layout() -> bool:
    return module("ruff", "format", "--check", ".") == 0


def types() -> bool:
    return module("mypy", "--strict") == 0


def frozen() -> bool:
    """Do what `sha256sum -c` does, on systems without it too; pins that name no file pass nothing."""
    lines = (ROOT / PINS).read_text("ascii").splitlines() if (ROOT / PINS).is_file() else []
    agree = [agrees(line) for line in lines]
    print(f"{sum(agree)} of {len(agree)} pinned files agree with {PINS}")
    return bool(agree) and all(agree)


def agrees(line: str) -> bool:
    parts = re.fullmatch(r"([0-9a-f]{64}) [ *](.+)", line)
    path = ROOT / parts[2] if parts else None
    agree = bool(
        parts and path and path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == parts[1]
    )
    print(f"{parts[2] if parts else line}: {'OK' if agree else 'FAILED'}")
    return agree


def measured_pytest() -> bool:
    """Run pytest, on several cores and measured; then show the branch coverage."""
    with tempfile.TemporaryDirectory() as folder:
        data = {"COVERAGE_FILE": str(Path(folder, "coverage"))}
        run = ("run", "-m", "pytest", "-n", "auto", "--maxprocesses", "4")
        passed = module("coverage", *run, **data) == 0
        combined = module("coverage", "combine", "-q", **data) == 0
        return (module("coverage", "report", **data) == 0) and combined and passed


def archives() -> bool:
    """Audit the archived runs, as anybody can."""
    folders = archived()
    if not folders:
        print("There is no archived run to audit.")
        return False
    return subprocess.run([sys.executable, "audit.py", *folders], cwd=ROOT).returncode == 0


def archived() -> list[str]:
    """Name the run directories that are part of the repository: .gitignore lets no other in."""
    kept = re.findall(r"^!(evidence/[a-z0-9-]+)/$", (ROOT / ".gitignore").read_text("utf-8"), re.MULTILINE)
    return [folder for folder in kept if (ROOT / folder).is_dir()]


STEPS: dict[str, Callable[[], bool]] = {
    "ruff check": lint,
    "ruff format": layout,
    "mypy --strict": types,
    "frozen suites": frozen,
    "pytest": measured_pytest,
    "archived runs": archives,
}


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
