"""The rules of C2 and C3 of `config-claims`, each told for the claim that broke it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ..contracts.config_claims import Claim, Document, Request
from .shape import near_miss
from .story import Broken, listed, named, quoted

Registry = Mapping[str, Document]


def scope(scoped: Document | Request) -> str:
    return f"{named(scoped.service)} in {named(scoped.environment)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The deciding claim, and what it is judged by."""

    claims: tuple[Claim, ...]
    index: int
    request: Request
    registry: Registry

    @property
    def claim(self) -> Claim:
        return self.claims[self.index]

    @property
    def name(self) -> str:
        return f"claims[{self.index}]"

    @property
    def document(self) -> Document:
        return self.request.supplied[self.claim.doc]

    def broken(
        self, clause: str, member: str, sentence: str, *, found: str, expected: str, mend: str
    ) -> Broken:
        path = ("claims", self.index, member) if member else ("claims", self.index)
        return Broken(
            clause=clause, sentence=sentence, found=found, expected=expected, path=path, mend=(mend,)
        )

    def right_citation(self) -> str:
        """Say which supplied document states the field for this request."""
        field = self.claim.field
        if field not in self.request.fields:
            return f"Take {self.name} out: the request does not ask for {quoted(field)}."
        for document in self.request.supplied.values():
            right = (document.service, document.environment, document.revision) == (
                self.request.service,
                self.request.environment,
                self.request.revision,
            )
            if right and field in document.facts:
                value = document.facts[field]
                line = quoted(f"{field}={value}")
                return f"Cite {named(document.id)}, with the value {quoted(value)} and the quotation {line}."
        return (
            f"Take {self.name} out: no supplied document about {scope(self.request)}, revision "
            f"{named(self.request.revision)}, states {quoted(field)}."
        )


def no_claims(request: Request) -> Broken:
    return Broken(
        clause="C2.1",
        sentence="The answer makes no claim, so it cites nothing.",
        found="no claim",
        expected=f"a claim for each of {listed(request.fields)}",
        path=("claims",),
        mend=(f"Claim {listed(request.fields)}, each with a document and its line.",),
    )


def incomplete(claims: tuple[Claim, ...], request: Request) -> Broken:
    claimed = {claim.field for claim in claims}
    missing = [field for field in request.fields if field not in claimed]
    return Broken(
        clause="C3.7",
        sentence=f"Each claim holds, and none of them answers {listed(missing)}, which the request asks for.",
        found=f"claims for {listed(sorted(claimed))}",
        expected=f"a claim for each of {listed(request.fields)}",
        path=None,
        mend=(f"Add a claim for {listed(missing)}, with its document and line.",),
    )


def _no_citation(told: Told) -> Broken:
    claim, supplied = told.claim, listed([named(doc) for doc in told.request.supplied], "or")
    if claim.doc not in told.request.supplied:
        known = "the registry has it, but it was not supplied for this request"
        return told.broken(
            "C2.2",
            "doc",
            f"{told.name} cites {quoted(claim.doc)}: "
            + (known if claim.doc in told.registry else "there is no such document in the registry")
            + ".",
            found=claim.doc,
            expected=f"one of the documents supplied: {supplied}",
            mend=told.right_citation(),
        )
    hint = near_miss(claim.quote, within=told.document.text)
    return told.broken(
        "C2.3",
        "quote",
        f"{told.name} quotes {quoted(claim.quote)}, and no such text stands in {named(claim.doc)}.{hint}",
        found=claim.quote,
        expected=f"text that stands in {named(claim.doc)}, character for character",
        mend=told.right_citation(),
    )


def _duplicate(told: Told) -> Broken:
    first = next(index for index, claim in enumerate(told.claims) if claim.field == told.claim.field)
    return told.broken(
        "C3.1",
        "field",
        f"{told.name} claims {quoted(told.claim.field)}, which claims[{first}] has claimed already.",
        found=f"a second claim for {named(told.claim.field)}",
        expected="one claim for each field",
        mend=f"Take {told.name} out, even where the two say the same.",
    )


def _unrequested(told: Told) -> Broken:
    return told.broken(
        "C3.2",
        "field",
        f"{told.name} claims {quoted(told.claim.field)}; the request asks only for "
        f"{listed(told.request.fields)}.",
        found=told.claim.field,
        expected=listed(told.request.fields, "or"),
        mend=f"Take {told.name} out.",
    )


def _scope_mismatch(told: Told) -> Broken:
    return told.broken(
        "C3.3",
        "doc",
        f"{told.name} cites {named(told.claim.doc)}, which is about {scope(told.document)}; "
        f"the request is about {scope(told.request)}.",
        found=scope(told.document),
        expected=scope(told.request),
        mend=told.right_citation(),
    )


def _stale(told: Told) -> Broken:
    return told.broken(
        "C3.4",
        "doc",
        f"{told.name} cites {named(told.claim.doc)}, which is revision {named(told.document.revision)}; "
        f"the request says that revision {named(told.request.revision)} is current.",
        found=told.document.revision,
        expected=told.request.revision,
        mend=told.right_citation(),
    )


def _value_mismatch(told: Told) -> Broken:
    claim, value = told.claim, told.document.facts.get(told.claim.field)
    if value is None:
        return told.broken(
            "C3.5",
            "field",
            f"{told.name} claims {quoted(claim.field)}, and {named(claim.doc)} states no such fact.",
            found=claim.field,
            expected=f"a fact of {named(claim.doc)}: {listed(list(told.document.facts), 'or')}",
            mend=told.right_citation(),
        )
    return told.broken(
        "C3.5",
        "value",
        f"{told.name} says that {named(claim.field)} is {quoted(claim.value)}; "
        f"{named(claim.doc)} states {quoted(value)}." + near_miss(claim.value, equal=value),
        found=claim.value,
        expected=value,
        mend=f"Write the value {quoted(value)}.",
    )


def _not_supporting(told: Told) -> Broken:
    claim, line = told.claim, f"{told.claim.field}={told.claim.value}"
    return told.broken(
        "C3.6",
        "quote",
        f"{told.name} quotes {quoted(claim.quote)}. That stands in {named(claim.doc)}, "
        f"but it is not the line that states {named(claim.field)}.",
        found=claim.quote,
        expected=line,
        mend=f"Write the quotation {quoted(line)}.",
    )


RULES: Final[Mapping[str, Callable[[Told], Broken]]] = {
    "NO_CITATION": _no_citation,
    "DUPLICATE_CLAIM": _duplicate,
    "UNREQUESTED_FIELD": _unrequested,
    "SCOPE_MISMATCH": _scope_mismatch,
    "STALE_REVISION": _stale,
    "VALUE_MISMATCH": _value_mismatch,
    "QUOTE_NOT_SUPPORTING": _not_supporting,
}
