"""The story of a verdict of `config-claims` (docs/contract.md, C1 to C3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..contracts.base import CITATION_EXISTS, STRICT_JSON, Verdict
from ..contracts.config_claims import MAX_CLAIMS, MAX_STRING, Claim, Document, Request
from ..strict_json import Malformed, Value
from ..tables import counted
from .config_rules import RULES, Registry, Told, incomplete, no_claims, scope
from .shape import misshapen, wrong_members, wrong_string
from .story import QUOTED, WANTED, Broken, Mark, Source, kind, listed, named, quoted
from .teller import Teller


class ConfigClaimsTeller(Teller):
    """Tells a list of claims, each with its document and quotation."""

    def broken_shape(self, value: Value) -> Broken | None:
        """Return the first clause of C1 that a JSON value breaks."""
        if not isinstance(value, dict):
            expected = 'an object with the one member "claims"'
            return misshapen("C1.1", (), what="The answer", found=kind(value), expected=expected)
        if wrong := wrong_members(value, ("claims",), (), clause="C1.1", what="The answer"):
            return wrong
        claims = value["claims"]
        if not isinstance(claims, list):
            return misshapen(
                "C1.2", ("claims",), what='"claims"', found=kind(claims), expected="an array of claims"
            )
        if len(claims) > MAX_CLAIMS:
            return Broken(
                clause="C1.2",
                sentence=f"There are {len(claims)} claims; at most {MAX_CLAIMS} are taken.",
                found=counted(len(claims), "claim"),
                expected=f"at most {MAX_CLAIMS} claims",
                path=("claims", MAX_CLAIMS),
                mend=("Take claims out, from the marked place on.",),
            )
        return next(filter(None, (_claim_shape(item, index) for index, item in enumerate(claims))), None)

    def broken_rule(self, verdict: Verdict, value: Value, request: Request, registry: Registry) -> Broken:
        """Return the clause of C2 or C3 that decided."""
        claims = claims_of(value)
        if verdict.claim is None:
            return incomplete(claims, request) if claims else no_claims(request)
        told = Told(claims=claims, index=verdict.claim, request=request, registry=registry)
        return RULES[verdict.status](told)

    def passed(self, layer: str, value: Value | Malformed, request: Request) -> str:
        """Say in a sentence why a layer passes."""
        claims = claims_of(value)
        if layer == STRICT_JSON:
            return f"The text is one well-formed answer with {counted(len(claims), 'claim')}."
        if layer == CITATION_EXISTS:
            many = f"Each of the {len(claims)} quotations" if len(claims) > 1 else "The quotation"
            return f"{many} really stands in the document it cites, and that document was supplied."
        return (
            f"Every field asked for is claimed once ({listed(request.fields)}), each with the line that "
            f"states it, from a document about {scope(request)}, revision {named(request.revision)}."
        )

    def sources(
        self, verdict: Verdict, value: Value, request: Request, registry: Registry
    ) -> tuple[Source, ...]:
        """Return the documents cited, each with its quotations marked."""
        if not verdict.strict_json:
            return ()
        claims = claims_of(value)
        deciding = None if verdict.claim is None else claims[verdict.claim]
        cited = dict.fromkeys(claim.doc for claim in claims if claim.doc in registry)
        return tuple(
            Source(
                id=doc,
                about=_about(registry[doc]),
                text=registry[doc].text,
                marks=tuple(_marks(registry[doc], claims, deciding, verdict.status)),
                cited=True,
                supplied=doc in request.supplied,
                deciding=deciding is not None and doc == deciding.doc,
            )
            for doc in cited
        )

    def request_members(self, request: Request) -> Mapping[str, Value]:
        """Return a request as plain members."""
        return {
            "service": request.service,
            "environment": request.environment,
            "revision": request.revision,
            "fields": list(request.fields),
            "supplied": list(request.supplied),
        }

    def exercises(
        self,
        value: Value | Malformed,
        request: Request,  # noqa: ARG002  # another contract's suggestions depend on it
        registry: Registry,
    ) -> tuple[str, str]:
        """Suggest another real line as the quotation, then another value."""
        claim = claims_of(value)[0]
        lines = [line for line in registry[claim.doc].text.split("\n") if line not in ("", claim.quote)]
        others = [
            document.facts[claim.field] for document in registry.values() if claim.field in document.facts
        ]
        values = [other for other in others if other != claim.value]
        line = f", such as {quoted(lines[0])}" if lines else ""
        other = f", such as {quoted(values[0])}" if values else ""
        return (
            f"In claims[0] change only the quotation {quoted(claim.quote)}, to another real line{line}.",
            f"In claims[0] change only the value {quoted(claim.value)}, to another one{other}.",
        )


def claims_of(value: Value | Malformed) -> tuple[Claim, ...]:
    """Return the claims of a value that has the shape C1."""
    items = value["claims"] if isinstance(value, dict) else None
    if not isinstance(items, list):
        return ()
    return tuple(
        Claim(*(str(item[name]) for name in Claim._fields)) for item in items if isinstance(item, dict)
    )


def _claim_shape(item: Value, index: int) -> Broken | None:
    what, path = f"claims[{index}]", ("claims", index)
    if not isinstance(item, dict):
        expected = f"an object with the members {listed([quoted(name) for name in Claim._fields])}"
        return misshapen("C1.3", path, what=what, found=kind(item), expected=expected)
    wrong = wrong_members(item, Claim._fields, path, clause="C1.3", what=what)
    strings = (
        wrong_string(text, (*path, name), clause="C1.4", what=f"{what}.{name}", limit=MAX_STRING, empty=False)
        for name, text in item.items()
    )
    return wrong or next(filter(None, strings), None)


def _about(document: Document) -> tuple[tuple[str, str], ...]:
    return (
        ("service", document.service),
        ("environment", document.environment),
        ("revision", document.revision),
    )


#: The statuses by which the cited document is the right one, and another line or value of it is wanted.
_SAME_DOCUMENT: Final = ("NO_CITATION", "VALUE_MISMATCH", "QUOTE_NOT_SUPPORTING")


def _marks(
    document: Document, claims: tuple[Claim, ...], deciding: Claim | None, status: str
) -> Iterator[Mark]:
    """Mark the first place of each quotation, and the line that the deciding claim should have quoted."""
    for claim in claims:
        start = document.text.find(claim.quote)
        if claim.doc == document.id and start >= 0:
            yield Mark(start=start, end=start + len(claim.quote), role=QUOTED, deciding=claim is deciding)
    if deciding is None or deciding.doc != document.id or status not in _SAME_DOCUMENT:
        return
    if deciding.field in document.facts:
        line = f"{deciding.field}={document.facts[deciding.field]}"
        start = f"\n{document.text}\n".find(f"\n{line}\n")
        yield Mark(start=start, end=start + len(line), role=WANTED, deciding=True)
