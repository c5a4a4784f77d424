"""How long one call of `gate.judge` takes, in the middle and at the end of the distribution.

    python benchmarks/latency.py [CALLS]

Every case of a frozen suite is judged in turn by one `Gate`, as a service would. Garbage collection stays on.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from grounded_claims import Gate, load_suite  # noqa: E402


def main(arguments: list[str]) -> int:
    calls = int(arguments[0]) if arguments else 100_000
    print(f"load {os.getloadavg()[0]:.1f} (1 minute)")
    for name in ("config-claims", "order-status"):
        suite = load_suite(ROOT / "fixtures" / name)
        gate = Gate(suite)
        asked = [(case.candidate, suite.requests[case.request]) for case in suite.cases]
        taken = []
        for number in range(calls):
            candidate, request = asked[number % len(asked)]
            start = time.perf_counter_ns()
            gate.judge(candidate, request)
            taken.append(time.perf_counter_ns() - start)
        taken.sort()
        p50, p99, p999 = (taken[int(calls * part)] / 1000 for part in (0.5, 0.99, 0.999))
        rate = calls / sum(taken) * 1e9
        print(f"{name}: p50 {p50:.1f} µs, p99 {p99:.1f} µs, p99.9 {p999:.1f} µs, {rate:,.0f} calls a second")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
