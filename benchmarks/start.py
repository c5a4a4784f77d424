"""The two ratios of CPU time that the program promises: a whole run, and one judgement.

    python benchmarks/start.py [REPEAT]

1. the whole process of run.py on the 22 frozen cases, against importing its packages alone: at most 1.1
2. `judge` for each candidate of the suite, against bare `json.loads` of the same text: at most 8
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from grounded_claims import Gate, load_suite  # noqa: E402

RUN_LIMIT = 1.1
JUDGE_LIMIT = 8.0


def main(arguments: list[str]) -> int:
    repeat = int(arguments[0]) if arguments else 9
    print(f"load {os.getloadavg()[0]:.1f} (1 minute)")
    run, imports = whole_runs(repeat)
    print(f"run.py {run:.3f} s CPU, its packages {imports:.3f} s: {run / imports:.2f}, at most {RUN_LIMIT}")
    judge, loads = judgements(repeat)
    print(f"judge {judge:.2f} µs, json.loads {loads:.2f} µs: {judge / loads:.1f}, at most {JUDGE_LIMIT}")
    return 0 if run / imports <= RUN_LIMIT and judge / loads <= JUDGE_LIMIT else 1


def whole_runs(repeat: int) -> tuple[float, float]:
    """Return the CPU seconds of a run and of the imports, the best of some, taken in turn."""
    runs, imports = [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(repeat):
            runs.append(cpu([str(ROOT / "run.py"), "--out", str(Path(folder, str(number)))]))
            imports.append(cpu(["-c", "import yaml, jsonschema, tabulate"]))
    return min(runs), min(imports)


def cpu(arguments: list[str]) -> float:
    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return used() - before


def judgements(repeat: int) -> tuple[float, float]:
    """Return the microseconds of a judgement and of `json.loads`, for the candidates that are JSON."""
    suite = load_suite(ROOT / "fixtures" / "config-claims")
    gate = Gate(suite)
    cases = [
        (case.candidate, suite.requests[case.request]) for case in suite.cases if is_json(case.candidate)
    ]
    judge = best(repeat, lambda: [gate.judge(text, request) for text, request in cases])
    loads = best(repeat, lambda: [json.loads(text) for text, _ in cases])
    return judge / len(cases), loads / len(cases)


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def best(repeat: int, work: Callable[[], object], times: int = 200) -> float:
    found = []
    for _ in range(repeat):
        start = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - start) / times * 1e6)
    return min(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
