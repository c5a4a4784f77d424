"""What typed decoding proves of `order-status` (fast_rows.py says how).

A candidate of the closed shape holds six strings, names included, beside its answer and its evidence. The
verdict is the contract's, on the answer decoded here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec
from msgspec import DecodeError, Struct

from ..contracts.order_status import MAX_EVIDENCE, MAX_STRING, UNKNOWN, Answer, OrderStatus, Request
from ..strict_json import MAX_UNITS, is_longer
from ..suite import Suite
from .fast_rows import FastContract
from .rows import Ending

#: A text of so many characters is within every limit: each may count two units.
SHORT: Final = MAX_STRING // 2


class Candidate(Struct, forbid_unknown_fields=True, gc=False):
    """A candidate of the closed shape."""

    status: Literal["answered", "unknown"]
    order_id: str
    answer: str | None
    evidence: tuple[str, ...]


_decode: Final = msgspec.json.Decoder(Candidate).decode


@dataclass(slots=True)
class Plan:
    """A request, and the endings of its two possible acceptances: an answer, and a refusal."""

    request: Request
    accepted: dict[bool, Ending] = field(default_factory=dict)


class FastOrderStatus(FastContract):
    """Proves verdicts of `order-status`."""

    def __init__(self, suite: Suite) -> None:
        super().__init__(suite)
        self._contract = OrderStatus()

    def plan(self, request: Request) -> Plan:
        """Prepare a request."""
        return Plan(request)

    def prove(self, candidate: str, left: int, plan: Plan) -> Ending | None:
        """Return the ending of the verdict row, or None where it cannot be proved."""
        try:
            read = _decode(candidate)
        except DecodeError:
            return self.decide(candidate, left, plan.request)
        strings = (read.status, read.order_id, read.answer or "", *read.evidence)
        around = 2 * (4 + len(strings) - (read.answer is None))
        if left != around and not _marks_within(strings, candidate, left - around):
            return self.decide(candidate, left, plan.request)
        if len(read.evidence) > MAX_EVIDENCE or (len(candidate) > SHORT and not _fits(strings, candidate)):
            return self.decide(candidate, left, plan.request)
        answer = Answer(read.status, read.order_id, read.answer, read.evidence)
        verdict = self._contract.decide(answer, plan.request)
        if not verdict.full_contract:
            return self.end(verdict)
        refused = read.status == UNKNOWN
        found = plan.accepted.get(refused)
        if found is None:
            found = plan.accepted[refused] = self.end(verdict)
        return found


def _marks_within(strings: tuple[str, ...], candidate: str, within: int) -> bool:
    """Tell whether the marks that do not stand around a string are written, escaped, within the strings."""
    return within == sum(text.count('"') for text in strings) and "u0022" not in candidate


def _fits(strings: tuple[str, ...], candidate: str) -> bool:
    """Tell whether a candidate and its strings are within the limits (J1, O1.3, O1.4)."""
    return not is_longer(candidate, MAX_UNITS) and not any(is_longer(text, MAX_STRING) for text in strings)
