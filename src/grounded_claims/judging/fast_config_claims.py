"""What typed decoding proves of `config-claims` (fast_rows.py says how).

A candidate of the closed shape with n claims holds 1 + 8n strings, names included. The marks that those do
not account for must stand, escaped, within its strings. Where that cannot be shown, or where anything else is
out of the ordinary (more than eight claims, an empty string), the row goes to the reference.

Acceptance is decided by looking each claim up among those of the request that break no clause of their own:
`field`, `value`, `doc` and `quote` are just those of a fact in scope. What is left is that no field comes
twice (C3.1) and none is missing (C3.7). Every other verdict is the contract's, on the claims decoded here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Final, cast

import msgspec
from msgspec import DecodeError, Struct

from ..contracts.config_claims import MAX_CLAIMS, MAX_STRING, ConfigClaims, Request
from ..contracts.config_claims import Claim as ContractClaim
from ..strict_json import MAX_UNITS, units
from ..suite import Suite
from .fast_rows import FastContract
from .rows import Ending, ending, json_text

#: A text of so many characters is within every limit: each may count two units.
SHORT: Final = MAX_STRING // 2


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


class Plan:
    """A request, and from its second use on a table of the claims that break no clause of their own.

    `find` looks a claim up: its field, and its member of the accepted mapping as JSON text; KeyError for any
    other claim. `in_order` puts such members in the order of their fields.
    """

    __slots__ = ("asked", "find", "in_order", "request", "uses")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.asked = len(request.fields)
        self.uses = 0
        nothing: dict[Claim, tuple[str, bytes]] = {}
        self.find = nothing.__getitem__
        self.in_order: Callable[[dict[str, bytes]], Iterable[bytes]] = (
            operator.itemgetter(*sorted(request.fields)) if self.asked > 1 else dict.values
        )

    def used(self) -> None:
        """Make the table at the second use: many requests are met only once."""
        self.uses += 1
        if self.uses == 2 and self.asked <= MAX_CLAIMS:
            self.find = _acceptable(self.request).__getitem__


class FastConfigClaims(FastContract):
    """Proves verdicts of `config-claims`."""

    def __init__(self, suite: Suite) -> None:
        super().__init__(suite)
        self._contract = ConfigClaims()
        self._known = frozenset(field for document in self.registry.values() for field in document.facts)
        text, self._kind = ending(self._contract.acceptance({}, outcome="grounded"))
        self._accepted = text[:-3] + b"%b" + text[-3:]

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
        count = len(claims)
        if left == 2 + 16 * count and (
            len(candidate) <= MAX_UNITS // 2 or units(candidate) <= MAX_UNITS
        ):  # J1
            try:
                members = dict(map(plan.find, claims))
            except KeyError:
                plan.used()
            else:
                if len(members) == count == plan.asked:  # C3.1, C3.7, C3.8
                    return self._accepted % b",".join(plan.in_order(members)), self._kind
        elif left != 2 + 16 * count and not _marks_within(claims, candidate, left):
            return self.decide(candidate, left, plan.request)
        if count > MAX_CLAIMS or (len(candidate) > SHORT and not _fits(claims, candidate)):  # C1.2
            return self.decide(candidate, left, plan.request)
        for claim in claims:
            if not (claim.field and claim.value and claim.doc and claim.quote):  # C1.4
                return self.decide(candidate, left, plan.request)
        return self.end(self._contract.decide(cast("Sequence[ContractClaim]", claims), plan.request))


def _marks_within(claims: Sequence[Claim], candidate: str, left: int) -> bool:
    """Tell whether all marks beyond those around the strings are written, escaped, within the strings."""
    within = sum(
        claim.field.count('"') + claim.value.count('"') + claim.doc.count('"') + claim.quote.count('"')
        for claim in claims
    )
    return left == 2 + 16 * len(claims) + within and "u0022" not in candidate


def _fits(claims: Sequence[Claim], candidate: str) -> bool:
    """Tell whether a candidate and its strings are within the limits (J1, C1.4)."""
    return units(candidate) <= MAX_UNITS and all(
        len(text) <= SHORT or units(text) <= MAX_STRING
        for claim in claims
        for text in (claim.field, claim.value, claim.doc, claim.quote)
    )


def _acceptable(request: Request) -> dict[Claim, tuple[str, bytes]]:
    """List the claims that break no clause but, perhaps, C3.1: each with its field and its JSON member."""
    scope = request.service, request.environment, request.revision
    claims: dict[Claim, tuple[str, bytes]] = {}
    for key, document in request.supplied.items():
        if (document.service, document.environment, document.revision) != scope:  # C3.3, C3.4
            continue
        for field in request.fields:  # C3.2
            value = document.facts.get(field)  # C3.5
            quote = f"{field}={value}"  # C3.6
            texts = field, value or "", key, quote
            if value and quote in document.text and max(map(units, texts)) <= MAX_STRING:  # C2.3, C1.4
                claims[Claim(field, value, key, quote)] = field, json_text({field: value})[1:-1]
    return claims
