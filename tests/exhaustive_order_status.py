"""Hold three statements of order-status against each other: every candidate of closed sets, in every world.

    python tests/exhaustive_order_status.py [--every N]

The three are the contract of the runner, the judge of audit.py, and `allowed` below, the rule in a few plain
lines. A world is a request and what each of three facts says; a candidate is one of two statuses, of two
orders, of four answers and of every list of up to three ids out of the three facts and an invented one.
Accept or reject must be the same in all three; runner and auditor must give the same whole verdict, too.

exit code: 0 no difference; 1 differences, the first of them printed; 2 wrong usage
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1] / name) for name in ("", "src")]

import audit
from grounded_claims.contracts.base import Verdict
from grounded_claims.contracts.order_status import OrderStatus
from grounded_claims.shapes import Checker

ORDER, TWIN, FIELD, REVISION = "AB-1", "ab-1", "status", "r2"
IDS = ("F1", "F2", "F3")
INVENTED = "F9"

#: What a fact can be: order, field, revision, value, and whether it was supplied.
KINDS = {
    "says shipped": (ORDER, FIELD, REVISION, "shipped", True),
    "says cancelled": (ORDER, FIELD, REVISION, "cancelled", True),
    "is silent": (ORDER, FIELD, REVISION, None, True),
    "is of another order": (TWIN, FIELD, REVISION, "shipped", True),
    "is of another field": (ORDER, "carrier", REVISION, "shipped", True),
    "is older, says shipped": (ORDER, FIELD, "r1", "shipped", True),
    "is of no revision, says cancelled": (ORDER, FIELD, None, "cancelled", True),
    "says shipped, was not supplied": (ORDER, FIELD, REVISION, "shipped", False),
}
MEMBERS = ("id", "order_id", "field", "revision", "value", "text")

STATUSES = ("answered", "unknown")
ORDERS = (ORDER, TWIN)
ANSWERS = (None, "shipped", "cancelled", "Shipped")
CITED = [list(ids) for length in range(4) for ids in product((*IDS, INVENTED), repeat=length)]
CANDIDATES: list[dict[str, Any]] = [
    {"status": status, "order_id": order, "answer": answer, "evidence": evidence}
    for status, order, answer, evidence in product(STATUSES, ORDERS, ANSWERS, CITED)
]
TEXTS = [json.dumps(candidate) for candidate in CANDIDATES]


@dataclass(frozen=True)
class World:
    """A request and a registry, as plain values."""

    request: Mapping[str, Any]
    registry: Mapping[str, Any]


def worlds() -> Iterator[World]:
    """Make every world: each of the facts of each kind, the revision pinned or not."""
    for kinds in product(KINDS.values(), repeat=len(IDS)):
        facts = [
            dict(zip(MEMBERS, (key, *kind[:4], f"the record holds {kind[3]}"), strict=True))
            for key, kind in zip(IDS, kinds, strict=True)
        ]
        supplied = [key for key, kind in zip(IDS, kinds, strict=True) if kind[4]]
        for revision in (REVISION, None):
            request = {"order_id": ORDER, "field": FIELD, "revision": revision, "supplied": supplied}
            yield World(request=request, registry={"facts": facts})


def allowed(candidate: Mapping[str, Any], world: World) -> bool:
    """Say whether a candidate may be used, as the seed describes it; what is pinned by revision comes first.

    Look up what the supplied records state about this very order and field; a record that states nothing does
    not count, and neither does one of a revision that the trusted request has not asked for. Where exactly
    one value is stated, the answer is that value, with one or more of the records that state it, each named
    once. Everywhere else the answer is that it is not known, with nothing beside it. And the order named is
    always the one that was asked about.
    """
    request = world.request
    stating = {
        record["id"]: record["value"]
        for record in world.registry["facts"]
        if record["id"] in request["supplied"]
        and record["order_id"] == request["order_id"]
        and record["field"] == request["field"]
        and (request["revision"] is None or record["revision"] == request["revision"])
        and record["value"] is not None
    }
    named = candidate["evidence"]
    settled = len(set(stating.values())) == 1
    if candidate["order_id"] != request["order_id"]:
        return False
    if not settled or candidate["status"] == "unknown":
        refusal = candidate["status"] == "unknown" and candidate["answer"] is None and named == []
        return refusal and not settled
    once = all(named.count(key) == 1 for key in named)
    return named != [] and once and all((key, candidate["answer"]) in stating.items() for key in named)


def as_plain(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict of the runner in the form of the auditor's."""
    return {
        "status": verdict.status,
        "strict_json": verdict.strict_json,
        "citation_exists": verdict.citation_exists,
        "full_contract": verdict.full_contract,
        "outcome": verdict.outcome,
        "claim": verdict.claim,
        "accepted": dict(verdict.accepted),
    }


@dataclass
class Comparison:
    """What was compared, and what differed."""

    worlds: int = 0
    combinations: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    unlike: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def differ(self, what: str, *, world: World, text: str, said: object) -> None:
        """Note a difference; the first of its kind is kept in full."""
        self.unlike[what] += 1
        self.first.setdefault(what, f"{json.dumps(world.request)}\n  {world.registry}\n  {text}\n  {said}")


def compare(contract: OrderStatus, *, every: int = 1) -> Comparison:
    """Compare every candidate in every world, or every Nth of them all, spread over both."""
    done = Comparison()
    for number, world in enumerate(worlds()):
        checker = Checker()
        registry = contract.read_registry(world.registry, checker)
        request = contract.read_request(world.request, registry, checker, ())
        if checker.faults:
            raise ValueError(f"the world does not load: {checker.faults}")
        done.worlds += 1
        for index in range(number % every, len(CANDIDATES), every):
            text = TEXTS[index]
            runner = as_plain(contract.judge(text, request))
            auditor = audit.judge("order-status", world.registry, world.request, text)
            rule = allowed(CANDIDATES[index], world)
            done.combinations += 1
            done.statuses[runner["status"]] += 1
            accepted = (runner["full_contract"], auditor["full_contract"], rule)
            if len(set(accepted)) > 1:
                done.differ("accept or reject", world=world, text=text, said=accepted)
            if runner != auditor:
                done.differ("verdicts of runner and auditor", world=world, text=text, said=(runner, auditor))
    return done


def report(done: Comparison, *, seconds: float) -> Iterator[str]:
    """Say what was compared and what differed."""
    candidates = f"{len(CANDIDATES)} candidates" if done.combinations > len(CANDIDATES) else "candidates"
    yield f"{done.combinations} combinations of {candidates} and {done.worlds} worlds, {seconds:.0f} s"
    for status in OrderStatus().statuses:
        yield f"  {status:<22} {done.statuses[status]:>9}"
    for what in ("accept or reject", "verdicts of runner and auditor"):
        yield f"{what}: {done.unlike[what]} differences"
    yield from done.first.values()


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, and say by the exit code whether anything differed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--every", metavar="N", type=int, default=1, help="take every Nth candidate")
    every = parser.parse_args(arguments).every
    if every < 1:
        parser.error("--every takes a number from 1")
    started = time.perf_counter()
    done = compare(OrderStatus(), every=every)
    print("\n".join(report(done, seconds=time.perf_counter() - started)))
    return 1 if done.unlike or not done.combinations else 0


if __name__ == "__main__":
    sys.exit(main())
