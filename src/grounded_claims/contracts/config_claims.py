"""The contract `config-claims`: settings, each claimed with a quotation (docs/contract.md, C1 to C4).

layer 1  INVALID_JSON     strict JSON (J) of the closed shape (C1)
layer 2  NO_CITATION      there is a claim, and every claim's quotation is in a supplied document (C2)
layer 3  claims in order, and for each the first of
         DUPLICATE_CLAIM, UNREQUESTED_FIELD, SCOPE_MISMATCH, STALE_REVISION, VALUE_MISMATCH,
         QUOTE_NOT_SUPPORTING (C3.1 to C3.6); then INCOMPLETE (C3.7), else ACCEPT (C3.8)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final, NamedTuple

from ..errors import Path
from ..shapes import FIELD, Checker
from ..strict_json import Malformed, Value, is_longer, parse
from .base import CITATION_EXISTS, FULL_CONTRACT, INVALID_JSON, STRICT_JSON, Contract, Layer, Verdict

MAX_CLAIMS: Final = 8
MAX_STRING: Final = 2048  # UTF-16 code units, unescaped


class Claim(NamedTuple):
    """One assertion of a candidate."""

    field: str
    value: str
    doc: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A source. `facts` maps a field to its value; `text` is data and never an instruction."""

    id: str
    service: str
    environment: str
    revision: str
    facts: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a candidate answers: the fields asked for, the scope and revision, the documents supplied."""

    service: str
    environment: str
    revision: str
    fields: tuple[str, ...]
    supplied: Mapping[str, Document]


Registry = Mapping[str, Document]


class ConfigClaims(Contract[Registry, Request]):
    """Judges a list of claims, each with the document and the quotation that support it."""

    name: ClassVar[str] = "config-claims"
    layers = (
        Layer(
            name=STRICT_JSON,
            title="Strict JSON",
            leaves="a wrong claim in a well-formed answer",
            rejects=(INVALID_JSON,),
        ),
        Layer(
            name=CITATION_EXISTS,
            title="Citation exists",
            leaves="an old revision, another environment, an unrelated quotation, a missing field",
            rejects=("NO_CITATION",),
        ),
        Layer(
            name=FULL_CONTRACT,
            title="Full contract",
            leaves="a registry that is itself wrong, out of date or not for this reader",
            rejects=(
                "DUPLICATE_CLAIM",
                "UNREQUESTED_FIELD",
                "SCOPE_MISMATCH",
                "STALE_REVISION",
                "VALUE_MISMATCH",
                "QUOTE_NOT_SUPPORTING",
                "INCOMPLETE",
            ),
        ),
    )
    request_type = Request
    outcomes = ("grounded", "ungrounded", "malformed")

    def judge(self, candidate: str, request: Request) -> Verdict:
        """Decide on one candidate, layer by layer."""
        claims = read_claims(candidate)
        return _MALFORMED if isinstance(claims, Malformed) else self.decide(claims, request)

    def decide(self, claims: Sequence[Claim], request: Request) -> Verdict:
        """Decide on the claims of a candidate that passes layer 1."""
        if not claims:
            return _REJECTIONS["NO_CITATION", None]  # C2.1
        for index, claim in enumerate(claims):
            document = request.supplied.get(claim.doc)  # C2.2
            if document is None or claim.quote not in document.text:  # C2.3
                return _REJECTIONS["NO_CITATION", index]  # C2.4
        accepted: dict[str, str | None] = {}
        for index, claim in enumerate(claims):
            status = _broken(claim, request=request, earlier=accepted)
            if status is not None:
                return _REJECTIONS[status, index]
            accepted[claim.field] = claim.value
        if len(accepted) < len(request.fields):
            return _REJECTIONS["INCOMPLETE", None]  # C3.7
        return self.acceptance(accepted, outcome="grounded")  # C3.8

    def read_registry(self, value: object, checker: Checker) -> Registry:
        """Build the documents by id (F3)."""
        root = checker.closed(value, (), required=("documents",))
        documents: dict[str, Document] = {}
        for index, item in enumerate(checker.items(root["documents"], ("documents",), what="documents")):
            path: Path = ("documents", index)
            document = _read_document(item, checker, path)
            if document.id in documents:
                checker.fault(
                    (*path, "id"),
                    f"{document.id!r} is the id of an earlier document; give one of the two another id",
                )
            if document.id:
                documents[document.id] = document
        return MappingProxyType(documents)

    def read_request(self, value: object, registry: Registry, checker: Checker, path: Path) -> Request:
        """Build a request, bound to the documents it supplies (F5.3)."""
        members = checker.closed(
            value, path, required=("service", "environment", "revision", "fields", "supplied")
        )
        fields = checker.choices(
            members["fields"],
            (*path, "fields"),
            among=_KnownFields(registry),
            what="fields that the registry has a fact of",
        )
        supplied = checker.choices(
            members["supplied"],
            (*path, "supplied"),
            among=registry,
            what="document ids of the registry",
            empty=True,
        )
        return Request(
            service=checker.text(members["service"], (*path, "service")),
            environment=checker.text(members["environment"], (*path, "environment")),
            revision=checker.text(members["revision"], (*path, "revision")),
            fields=fields,
            supplied=MappingProxyType({key: registry[key] for key in supplied if key}),
        )


class _KnownFields(Collection[str]):
    """The fields that some document has a fact of: looked up at once, and listed only for a message."""

    def __init__(self, registry: Registry) -> None:
        self._documents = registry.values()

    def __contains__(self, field: object) -> bool:
        return any(field in document.facts for document in self._documents)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({field for document in self._documents for field in document.facts}))

    def __len__(self) -> int:
        return len(list(iter(self)))


def read_claims(candidate: str) -> tuple[Claim, ...] | Malformed:
    """Read a candidate by J and C1: its claims, or why it is not an answer of the closed shape."""
    value = parse(candidate)
    if isinstance(value, Malformed):
        return value
    if not isinstance(value, dict) or value.keys() != {"claims"}:
        return Malformed("the value is not an object with the one member 'claims'", 0)  # C1.1
    items = value["claims"]
    if not isinstance(items, list):
        return Malformed("'claims' is not an array", 0)  # C1.2
    if len(items) > MAX_CLAIMS:
        return Malformed(f"there are {len(items)} claims; at most {MAX_CLAIMS} are taken", 0)  # C1.2
    claims: list[Claim] = []
    for index, item in enumerate(items):
        claim = _read_claim(item, index)
        if isinstance(claim, Malformed):
            return claim
        claims.append(claim)
    return tuple(claims)


_CLAIM_MEMBERS: Final = frozenset(Claim._fields)


def _read_claim(item: Value, index: int) -> Claim | Malformed:
    if not isinstance(item, dict) or item.keys() != _CLAIM_MEMBERS:  # C1.3
        wanted = ", ".join(Claim._fields)
        return Malformed(f"claims[{index}] is not an object with exactly the members {wanted}", 0)
    for name, text in item.items():  # C1.4
        if not isinstance(text, str):
            return Malformed(f"claims[{index}].{name} is not a string", 0)
        if not text:
            return Malformed(f"claims[{index}].{name} is empty", 0)
        if is_longer(text, MAX_STRING):
            return Malformed(f"claims[{index}].{name} is longer than {MAX_STRING} UTF-16 code units", 0)
    return Claim(**item)  # type: ignore[arg-type]  # the loop has seen that each is a string


def _broken(claim: Claim, *, request: Request, earlier: Mapping[str, object]) -> str | None:
    """Return the status of the first clause of C3.1 to C3.6 that a claim breaks, or None."""
    document = request.supplied[claim.doc]
    if claim.field in earlier:
        return "DUPLICATE_CLAIM"  # C3.1
    if claim.field not in request.fields:
        return "UNREQUESTED_FIELD"  # C3.2
    if document.service != request.service or document.environment != request.environment:
        return "SCOPE_MISMATCH"  # C3.3
    if document.revision != request.revision:
        return "STALE_REVISION"  # C3.4, C3.10
    if document.facts.get(claim.field) != claim.value:
        return "VALUE_MISMATCH"  # C3.5
    if claim.quote != f"{claim.field}={claim.value}":
        return "QUOTE_NOT_SUPPORTING"  # C3.6
    return None


def _read_document(item: object, checker: Checker, path: Path) -> Document:
    members = checker.closed(
        item, path, required=("id", "service", "environment", "revision", "facts", "text")
    )
    texts = {key: checker.text(members[key], (*path, key)) for key in members if key != "facts"}
    facts: dict[str, str] = {}
    facts_path = (*path, "facts")
    for key, value in checker.mapping(
        members["facts"], facts_path, what="a mapping of fields to values"
    ).items():
        field = checker.name(key, (*facts_path, key), pattern=FIELD, what="the name of a field")
        facts[field] = checker.text(value, (*facts_path, key), one_line=True)
        line = f"{field}={facts[field]}"
        if field and facts[field] and texts["text"] and line not in texts["text"].split("\n"):  # F3.4
            checker.fault(
                (*facts_path, key),
                f"{line!r} is not a line of this document's text; add the line to the text, or mend the fact",
            )
    return Document(
        id=texts["id"],
        service=texts["service"],
        environment=texts["environment"],
        revision=texts["revision"],
        facts=MappingProxyType(facts),
        text=texts["text"],
    )


def _rejections(contract: ConfigClaims) -> dict[tuple[str, int | None], Verdict]:
    """Make every rejecting verdict once: there are few of them, and many candidates share one."""
    return {
        (status, claim): contract.rejection(
            status, outcome="malformed" if status == INVALID_JSON else "ungrounded", claim=claim
        )
        for status in contract.statuses[:-1]
        for claim in (None, *range(MAX_CLAIMS))
    }


_REJECTIONS: Final = _rejections(ConfigClaims())
_MALFORMED: Final = _REJECTIONS[INVALID_JSON, None]
