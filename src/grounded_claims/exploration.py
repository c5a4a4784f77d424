"""A whole space of candidates, judged and counted. Pure: the same figures everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .contracts.base import ACCEPT, INVALID_JSON, AnyContract, Verdict
from .spaces import Point, Space

#: How many well-formed candidates are judged at most.
CAP: Final = 5_000_000
_TICK: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A status: how many candidates have it, their verdict, and the smallest of them."""

    status: str
    count: int
    verdict: Verdict
    smallest: str

    def fools(self, layer: str) -> bool:
        """Tell whether a layer passes what the contract rejects."""
        return self.status != ACCEPT and self.verdict.passes(layer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exploration:
    """A space, counted. `found` is in the contract's order; a status that no candidate has is not in it.

    `right` counts the candidates that are right by the space's plain rule; `exceptions` counts those that are
    accepted and not right, or right and not accepted, and `exception` is one of them.
    """

    size: int
    found: Mapping[str, Found]
    right: int
    exceptions: int
    exception: str | None

    def fooled(self, layer: str) -> int:
        """Count the candidates that fool a layer."""
        return sum(found.count for found in self.found.values() if found.fools(layer))


def explore(
    space: Space, contract: AnyContract, request: Any, *, tick: Callable[[int], None] | None = None
) -> Exploration:
    """Judge a space; `tick` is told now and then how many candidates are done."""
    counts: Counter[str] = Counter()
    best: dict[str, tuple[int, str]] = {}
    right = exceptions = 0
    exception: str | None = None
    for done, point in enumerate(space.points()):
        status = point.verdict.status
        counts[status] += 1
        if status not in best or point.length <= best[status][0]:
            _keep_smaller(best, status, point, space)
        if point.right or status == ACCEPT:
            right += point.right
            if point.right != (status == ACCEPT):
                exceptions += 1
                exception = exception or space.text(point.parts)
        if tick is not None and done % _TICK == 0:
            tick(done)
    smallest = {status: text for status, (_, text) in best.items()}
    malformed = space.smallest_malformed()
    if malformed is not None:
        counts[INVALID_JSON] = space.size - space.well_formed
        smallest[INVALID_JSON] = malformed
    found = {
        status: _found(status, counts[status], contract.judge(smallest[status], request), smallest[status])
        for status in contract.statuses
        if counts[status]
    }
    return Exploration(size=space.size, found=found, right=right, exceptions=exceptions, exception=exception)


def _keep_smaller(best: dict[str, tuple[int, str]], status: str, point: Point, space: Space) -> None:
    text = space.text(point.parts)
    best[status] = min(best.get(status, (len(text), text)), (len(text), text))


def _found(status: str, count: int, verdict: Verdict, smallest: str) -> Found:
    """Judge the smallest candidate from its text, too: what is shown has been judged as it stands."""
    if verdict.status != status:
        raise ValueError(f"{smallest!r} was counted as {status} and is judged {verdict.status}")
    return Found(status=status, count=count, verdict=verdict, smallest=smallest)
