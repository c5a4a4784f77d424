"""Runs `run.py` many times over, each in a process of its own, forked from one with everything imported.

    python tests/forking.py < jobs.json

A job is a JSON object: `arguments` of run.py, and at most one of

    step      {"at": k, "signal": n, "late": false}: the process sends itself a signal before (late: after)
              the k-th of its calls that write
    moment    {"appeared": true, "fraction": 0.3}: it is killed after a part of the time that a run takes
              (appeared: that a run takes from when its directory appears)
    limit     how many bytes any file may hold (RLIMIT_FSIZE)
    together  how many processes begin at once

What is printed is a list, for each job, of [exit code, standard error] of each process; a negative code is
the signal that ended it. Nothing of the package is patched: `step` wraps functions of `os`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

import tabulate  # noqa: F401  # what run.py imports, before anything is forked

import grounded_claims.commands.run  # noqa: F401
from grounded_claims.__main__ import run_command

CALLS = ("mkdir", "open", "write", "fsync", "rename")


def signalled(real: Callable[..., Any], step: dict[str, Any], count: list[int]) -> Callable[..., Any]:
    """Wrap a function: the k-th call sends a signal to this process."""

    def call(*arguments: Any, **named: Any) -> Any:
        count.append(1)
        if len(count) == step["at"] and not step["late"]:
            os.kill(os.getpid(), step["signal"])
        result = real(*arguments, **named)
        if len(count) == step["at"] and step["late"]:
            os.kill(os.getpid(), step["signal"])
        return result

    return call


def child(job: dict[str, Any], heard: int, ready: int) -> None:
    """Be run.py, and never return."""
    code = 3
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(heard, 2)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", closefd=False)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if "limit" in job:
            resource.setrlimit(resource.RLIMIT_FSIZE, (job["limit"], job["limit"]))
        if "step" in job:
            count: list[int] = []
            for name in CALLS:
                setattr(os, name, signalled(getattr(os, name), job["step"], count))
        os.read(ready, 1)  # until the parent closes its end
        code = run_command("run", job["arguments"], program="run.py")
        sys.stderr.flush()
    finally:
        os._exit(code)


def started(job: dict[str, Any]) -> list[tuple[int, Any]]:
    """Start the processes of a job, all at once."""
    ready, release = os.pipe()
    running = []
    for _ in range(job.get("together", 1)):
        heard = tempfile.TemporaryFile()  # noqa: SIM115  # read when the process has ended
        process = os.fork()
        if not process:
            os.close(release)
            child(job, heard.fileno(), ready)
        running.append((process, heard))
    os.close(ready)
    os.close(release)
    return running


def ended(process: int, heard: Any) -> tuple[int, str]:
    _, status = os.waitpid(process, 0)
    heard.seek(0)
    return os.waitstatus_to_exitcode(status), heard.read().decode()


def wait_for(path: Path, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while not path.exists() and time.perf_counter() < end:
        pass


def timed(job: dict[str, Any]) -> tuple[float, float]:
    """Let a run end by itself; return how long it took, and how long from when its directory appeared."""
    out = Path(tempfile.mkdtemp(), "run")
    begun = time.perf_counter()
    running = started({"arguments": [*job["arguments"], "--out", str(out)]})
    wait_for(out, 60)
    appeared = time.perf_counter()
    assert ended(*running[0])[0] == 0
    return time.perf_counter() - begun, time.perf_counter() - appeared


def done(job: dict[str, Any], times: list[tuple[float, float]]) -> list[tuple[int, str]]:
    """Carry out one job."""
    running = started(job)
    if "moment" in job:
        whole, writing = times[0]
        if job["moment"]["appeared"]:
            wait_for(Path(job["arguments"][-1]), 60)
        time.sleep(job["moment"]["fraction"] * (writing if job["moment"]["appeared"] else whole))
        os.kill(running[0][0], signal.SIGKILL)  # it is not waited for yet, so the number is still its own
    return [ended(*each) for each in running]


def main() -> int:
    jobs = json.load(sys.stdin)
    times = [timed({"arguments": jobs[0]["arguments"][:-2]})] if any("moment" in job for job in jobs) else []
    print(json.dumps([done(job, times) for job in jobs]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
