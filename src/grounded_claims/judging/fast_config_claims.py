"""What typed decoding proves of `config-claims` (fast_rows.py says how).

A candidate of the closed shape with n claims holds 1 + 8n strings, names included. The marks that those do
not account for must stand, escaped, within its strings. Where that cannot be shown, or where anything else is
out of the ordinary (more than eight claims, an empty string), the row goes to the reference.

The verdict is the contract's, on the claims decoded here. It depends on them and the request alone, so a few
accepted answers to a request are kept with what is written of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, cast

import msgspec
from msgspec import DecodeError, Struct

from ..contracts.config_claims import MAX_CLAIMS, MAX_STRING, ConfigClaims, Request
from ..contracts.config_claims import Claim as ContractClaim
from ..strict_json import MAX_UNITS, is_longer
from ..suite import Suite
from .fast_rows import FastContract
from .rows import Ending

#: A text of so many characters is within every limit: each may count two units.
SHORT: Final = MAX_STRING // 2
#: A candidate of so many characters is within its limit, too.
SHORT_CANDIDATE: Final = MAX_UNITS // 2
KEPT: Final = 4096  # accepted answers, of short candidates


class Claim(Struct, forbid_unknown_fields=True, frozen=True, gc=False):
    """One assertion of a candidate."""

    field: str
    value: str
    doc: str
    quote: str


class Candidate(Struct, forbid_unknown_fields=True, gc=False):
    """A candidate of the closed shape."""

    claims: tuple[Claim, ...]


class PlainRequest(Struct, forbid_unknown_fields=True, gc=False):
    """A request of the closed shape."""

    service: str
    environment: str
    revision: str
    fields: list[str]
    supplied: list[str]


_decode: Final = msgspec.json.Decoder(Candidate).decode
_decode_request: Final = msgspec.json.Decoder(PlainRequest).decode


@dataclass(slots=True)
class Plan:
    """A request, and the endings of some accepted answers to it."""

    request: Request
    accepted: dict[tuple[Claim, ...], Ending] = field(default_factory=dict)


class FastConfigClaims(FastContract):
    """Proves verdicts of `config-claims`."""

    def __init__(self, suite: Suite) -> None:
        super().__init__(suite)
        self._contract = ConfigClaims()
        self._kept: list[dict[tuple[Claim, ...], Ending]] = []
        self._known = frozenset(field for document in self.registry.values() for field in document.facts)

    def read_request(self, text: bytes) -> Request | None:
        """Build the request of a JSON text by F5.3, or return None."""
        try:
            asked = _decode_request(text)
        except DecodeError:
            return None
        fields, supplied = asked.fields, asked.supplied
        if text.count(b'"') != 2 * (5 + 3 + len(fields) + len(supplied)):
            return None
        if not (asked.service and asked.environment and asked.revision and fields):
            return None
        documents = {key: self.registry.get(key) for key in supplied}
        if len(documents) < len(supplied) or None in documents.values():
            return None
        if len(set(fields)) < len(fields) or not self._known.issuperset(fields):
            return None
        return Request(
            service=asked.service,
            environment=asked.environment,
            revision=asked.revision,
            fields=tuple(fields),
            supplied=documents,
        )

    def plan(self, request: Request) -> Plan:
        """Prepare a request."""
        return Plan(request)

    def prove(self, candidate: str, left: int, plan: Plan) -> Ending | None:
        """Return the ending of the verdict row, or None where it cannot be proved."""
        try:
            claims = _decode(candidate).claims
        except DecodeError:
            return self.decide(candidate, left, plan.request)
        plain = left == 2 + 16 * len(claims)
        if plain:
            kept = plan.accepted.get(claims)
            if kept is not None and len(candidate) <= SHORT_CANDIDATE:
                return kept
        elif not _marks_within(claims, candidate, left):
            return self.decide(candidate, left, plan.request)
        if len(claims) > MAX_CLAIMS or (len(candidate) > SHORT and not _fits(claims, candidate)):  # C1.2
            return self.decide(candidate, left, plan.request)
        for claim in claims:
            if not (claim.field and claim.value and claim.doc and claim.quote):  # C1.4
                return self.decide(candidate, left, plan.request)
        verdict = self._contract.decide(cast("Sequence[ContractClaim]", claims), plan.request)
        end = self.end(verdict)
        if verdict.full_contract and plain and len(candidate) <= SHORT_CANDIDATE:
            self._keep(plan, claims, end)
        return end

    def _keep(self, plan: Plan, claims: tuple[Claim, ...], end: Ending) -> None:
        """Keep what is written of an accepted answer; where enough are kept, all of them go first."""
        if len(self._kept) == KEPT:
            for accepted in self._kept:
                accepted.clear()
            self._kept.clear()
        plan.accepted[claims] = end
        self._kept.append(plan.accepted)


def _marks_within(claims: Sequence[Claim], candidate: str, left: int) -> bool:
    """Tell whether all marks beyond those around the strings are written, escaped, within the strings."""
    within = sum(
        claim.field.count('"') + claim.value.count('"') + claim.doc.count('"') + claim.quote.count('"')
        for claim in claims
    )
    return left == 2 + 16 * len(claims) + within and "u0022" not in candidate


def _fits(claims: Sequence[Claim], candidate: str) -> bool:
    """Tell whether a candidate and its strings are within the limits (J1, C1.4)."""
    return not is_longer(candidate, MAX_UNITS) and not any(
        is_longer(text, MAX_STRING)
        for claim in claims
        for text in (claim.field, claim.value, claim.doc, claim.quote)
    )
