"""Tamper with good run directories, and see that the auditor notices each mutation, by the check that should.

usage: tamper.py [--full] [FAMILY ...]

Without --full one mutation of many is taken, as the tests do. A line for each family says how many mutations
there were; the last lines name the slowest, the one that needed most memory, and how many were missed.

exit code: 0 none was missed; 1 some were, and each is named; 2 no such family
"""

# ruff: noqa: E402  (the modules of the tests and of the project are found from here)
from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / each) for each in ("tests", "src", ".")]

from tampering.engine import Bench, Seen, fast_folder, remembered_suites
from tampering.families import FAMILIES, mutations
from tampering.good_runs import make_lab
from tampering.mutation import Mutation

USAGE = "usage: tamper.py [--full] [FAMILY ...]"


@dataclass
class Summary:
    """What is remembered of many audits; the audits themselves are not."""

    families: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    sums_agree: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    missed: list[Seen] = field(default_factory=list)
    slowest: Seen | None = None
    largest: Seen | None = None

    def add(self, seen: Seen) -> None:
        mutation = seen.mutation
        self.families[mutation.family] += 1
        self.outcomes[mutation.outcome] += 1
        self.sums_agree[mutation.family] += mutation.sums_agree
        self.seconds[mutation.family] += seen.seconds  # type: ignore[assignment]
        self.missed += [seen] if seen.missed else []
        if self.slowest is None or seen.seconds > self.slowest.seconds:
            self.slowest = seen
        if self.largest is None or seen.peak > self.largest.peak:
            self.largest = seen

    def lines(self) -> Iterable[str]:
        """Say it."""
        yield f"{'family':<24}{'mutations':>10}{'sums agree':>12}{'seconds':>9}"
        for family, count in self.families.items():
            yield f"{family:<24}{count:>10}{self.sums_agree[family]:>12}{self.seconds[family]:>9.1f}"
        total = sum(self.families.values())
        yield f"{'all':<24}{total:>10}{sum(self.sums_agree.values()):>12}{sum(self.seconds.values()):>9.1f}"
        yield f"noticed by the audit itself, by the check that should: {self.outcomes['defect']}"
        yield f"rewritten so that --expect alone can notice, and it does: {self.outcomes['expect']}"
        yield f"another honest exercise, and called not a published suite: {self.outcomes['exercise']}"
        if self.slowest and self.largest:
            yield f"slowest: {self.slowest.seconds:.2f} s, {shown(self.slowest.mutation)}"
            yield f"largest in memory: {self.largest.peak / 1024:.0f} MiB, {shown(self.largest.mutation)}"
        yield f"missed: {len(self.missed)}"


def shown(mutation: Mutation) -> str:
    return ascii(mutation.title)[1:-1][:120]


def tamper(*, full: bool, families: Sequence[str] = ()) -> Summary:
    """Try the mutations, or those of some families."""
    summary = Summary()
    with fast_folder() as folder, remembered_suites():
        lab = make_lab(folder / "checkout")
        bench = Bench(folder, lab)
        for mutation in mutations(lab, full=full, only=families):
            summary.add(bench.try_one(mutation))
    return summary


def main(arguments: Sequence[str]) -> int:
    if "-h" in arguments or "--help" in arguments:
        print(__doc__ or USAGE, "families:", *(f"  {family.name}" for family in FAMILIES), sep="\n")
        return 0
    full, families = "--full" in arguments, [each for each in arguments if each != "--full"]
    unknown = [each for each in families if each not in {family.name for family in FAMILIES}]
    if unknown:
        print(f"no such family: {', '.join(unknown)}; {USAGE}", file=sys.stderr)
        return 2
    started = time.perf_counter()
    summary = tamper(full=full, families=families)
    for seen in summary.missed:
        print(f"MISSED {shown(seen.mutation)}: {seen.missed}", file=sys.stderr)
    print(*summary.lines(), f"in {time.perf_counter() - started:.0f} s", sep="\n")
    return 1 if summary.missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
