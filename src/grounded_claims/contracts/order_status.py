"""The contract `order-status`: one field of one order, answered or refused (docs/contract.md, O1 to O4).

    layer 1  INVALID_JSON      strict JSON (J) of the closed shape (O1)
    layer 2  INVENTED_EVIDENCE, NO_EVIDENCE (O2)
    layer 3  ORDER_MISMATCH (O3.1);
             for a refusal MALFORMED_REFUSAL, NEEDLESS_REFUSAL (O3.2, O3.3); for an
             answer REPEATED_EVIDENCE, CONFLICTING_FACTS, NO_SUPPORTING_FACT, EVIDENCE_OUT_OF_SCOPE,
             STALE_EVIDENCE, ANSWER_MISMATCH (O3.4 to O3.9); else ACCEPT (O3.10)

A refusal is right exactly when the supplied facts hold no single value for that order and field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final, NamedTuple

from ..errors import Path
from ..shapes import FIELD, Checker
from ..strict_json import Malformed, Value, is_longer, parse
from .base import ACCEPT, CITATION_EXISTS, FULL_CONTRACT, INVALID_JSON, STRICT_JSON, Contract, Layer, Verdict

MAX_EVIDENCE: Final = 8
MAX_STRING: Final = 2048  # UTF-16 code units, unescaped
ANSWERED: Final = "answered"
UNKNOWN: Final = "unknown"


class Answer(NamedTuple):
    """A candidate of the closed shape."""

    status: str
    order_id: str
    answer: str | None
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One record of the registry. A null value says that the record is silent; `text` is data."""

    id: str
    order_id: str
    field: str
    revision: str | None
    value: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a candidate answers: a field of an order, from the facts supplied, in a revision or (null) in any.

    `values` are the distinct values of the facts that count: supplied, of this order and field, not null, and
    of the request's revision where it names one.
    """

    order_id: str
    field: str
    revision: str | None
    supplied: Mapping[str, Fact]
    values: frozenset[str]


Registry = Mapping[str, Fact]


class OrderStatus(Contract[Registry, Request]):
    """Judges one answer or refusal, and the facts it cites."""

    name: ClassVar[str] = "order-status"
    layers = (
        Layer(
            name=STRICT_JSON,
            title="Strict JSON",
            leaves="an invented fact id in a well-formed answer",
            rejects=(INVALID_JSON,),
        ),
        Layer(
            name=CITATION_EXISTS,
            title="Citation exists",
            leaves="a fact of another order, a value no fact holds, a needless refusal, a contradiction",
            rejects=("INVENTED_EVIDENCE", "NO_EVIDENCE"),
        ),
        Layer(
            name=FULL_CONTRACT,
            title="Full contract",
            leaves="facts that are themselves wrong, out of date or not for this reader",
            rejects=(
                "ORDER_MISMATCH",
                "MALFORMED_REFUSAL",
                "NEEDLESS_REFUSAL",
                "REPEATED_EVIDENCE",
                "CONFLICTING_FACTS",
                "NO_SUPPORTING_FACT",
                "EVIDENCE_OUT_OF_SCOPE",
                "STALE_EVIDENCE",
                "ANSWER_MISMATCH",
            ),
        ),
    )
    request_type = Request
    outcomes = ("grounded", "honest_refusal", "needless_refusal", "ungrounded", "malformed")

    def judge(self, candidate: str, request: Request) -> Verdict:
        """Decide on one candidate, layer by layer."""
        answer = read_answer(candidate)
        return _MALFORMED if isinstance(answer, Malformed) else self.decide(answer, request)

    def decide(self, answer: Answer, request: Request) -> Verdict:
        """Decide on a candidate that passes layer 1."""
        refused = answer.status == UNKNOWN
        status = _baseline(answer, request) or (
            _refusal(answer, request) if refused else _answer(answer, request)
        )
        if status != ACCEPT:
            return _REJECTIONS[status, refused]
        return self.acceptance(
            {request.field: answer.answer}, outcome="honest_refusal" if refused else "grounded"
        )  # O3.10

    def read_registry(self, value: object, checker: Checker) -> Registry:
        """Build the facts by id (F4)."""
        root = checker.closed(value, (), required=("facts",))
        facts: dict[str, Fact] = {}
        for index, item in enumerate(checker.items(root["facts"], ("facts",), what="facts")):
            path: Path = ("facts", index)
            fact = _read_fact(item, checker, path)
            if fact.id in facts:
                checker.fault(
                    (*path, "id"), f"{fact.id!r} is the id of an earlier fact; give one of the two another id"
                )
            if fact.id:
                facts[fact.id] = fact
        return MappingProxyType(facts)

    def read_request(self, value: object, registry: Registry, checker: Checker, path: Path) -> Request:
        """Build a request, bound to the facts it supplies (F5.4)."""
        members = checker.closed(value, path, required=("order_id", "field", "revision", "supplied"))
        order_id = checker.text(members["order_id"], (*path, "order_id"))
        field = checker.name(members["field"], (*path, "field"), pattern=FIELD, what="the name of a field")
        revision = checker.nullable(members["revision"], (*path, "revision"))
        ids = checker.choices(
            members["supplied"],
            (*path, "supplied"),
            among=registry,
            what="fact ids of the registry",
            empty=True,
        )
        supplied = {key: registry[key] for key in ids if key}
        return Request(
            order_id=order_id,
            field=field,
            revision=revision,
            supplied=MappingProxyType(supplied),
            values=frozenset(
                fact.value
                for fact in supplied.values()
                if (fact.order_id, fact.field) == (order_id, field)
                and fact.value is not None
                and revision in (None, fact.revision)
            ),
        )


def read_answer(candidate: str) -> Answer | Malformed:
    """Read a candidate by J and O1: an answer or refusal, or why it is neither."""
    value = parse(candidate)
    if isinstance(value, Malformed):
        return value
    if not isinstance(value, dict) or value.keys() != _ANSWER_MEMBERS:  # O1.1
        return Malformed(
            f"the value is not an object with exactly the members {', '.join(Answer._fields)}", 0
        )
    status, order_id, answer, evidence = (value[name] for name in Answer._fields)
    if status not in (ANSWERED, UNKNOWN):  # O1.2
        return Malformed(f"'status' is neither {ANSWERED!r} nor {UNKNOWN!r}", 0)
    if not isinstance(order_id, str) or is_longer(order_id, MAX_STRING):  # O1.3
        return Malformed(f"'order_id' is not a string of at most {MAX_STRING} UTF-16 code units", 0)
    if answer is not None and (not isinstance(answer, str) or is_longer(answer, MAX_STRING)):  # O1.3
        return Malformed(
            f"'answer' is neither null nor a string of at most {MAX_STRING} UTF-16 code units", 0
        )
    ids = _read_evidence(evidence)
    return ids if isinstance(ids, Malformed) else Answer(str(status), order_id, answer, ids)


_ANSWER_MEMBERS: Final = frozenset(Answer._fields)


def _read_evidence(evidence: Value) -> tuple[str, ...] | Malformed:
    if not isinstance(evidence, list) or len(evidence) > MAX_EVIDENCE:  # O1.4
        return Malformed(f"'evidence' is not an array of at most {MAX_EVIDENCE} fact ids", 0)
    ids: list[str] = []
    for index, item in enumerate(evidence):
        if not isinstance(item, str) or is_longer(item, MAX_STRING):
            return Malformed(
                f"evidence[{index}] is not a string of at most {MAX_STRING} UTF-16 code units", 0
            )
        ids.append(item)
    return tuple(ids)


def _baseline(answer: Answer, request: Request) -> str | None:
    """Return the status by which layer 2 rejects, or None."""
    if any(cited not in request.supplied for cited in answer.evidence):
        return "INVENTED_EVIDENCE"  # O2.1
    if answer.status == ANSWERED and not answer.evidence:
        return "NO_EVIDENCE"  # O2.2
    return None


def _refusal(answer: Answer, request: Request) -> str:
    if answer.order_id != request.order_id:
        return "ORDER_MISMATCH"  # O3.1
    if answer.answer is not None or answer.evidence:
        return "MALFORMED_REFUSAL"  # O3.2
    return "NEEDLESS_REFUSAL" if len(request.values) == 1 else ACCEPT  # O3.3


def _answer(answer: Answer, request: Request) -> str:
    cited = [request.supplied[key] for key in answer.evidence]
    scope = (request.order_id, request.field)
    if answer.order_id != request.order_id:
        return "ORDER_MISMATCH"  # O3.1
    if len(set(answer.evidence)) < len(answer.evidence):
        return "REPEATED_EVIDENCE"  # O3.4
    if len(request.values) > 1:
        return "CONFLICTING_FACTS"  # O3.5
    if not request.values:
        return "NO_SUPPORTING_FACT"  # O3.6
    if any((fact.order_id, fact.field) != scope or fact.value is None for fact in cited):
        return "EVIDENCE_OUT_OF_SCOPE"  # O3.7
    if request.revision is not None and any(fact.revision != request.revision for fact in cited):
        return "STALE_EVIDENCE"  # O3.8
    return ACCEPT if answer.answer in request.values else "ANSWER_MISMATCH"  # O3.9


def _read_fact(item: object, checker: Checker, path: Path) -> Fact:
    members = checker.closed(item, path, required=("id", "order_id", "field", "revision", "value", "text"))
    value = checker.nullable(members["value"], (*path, "value"), one_line=True)
    text = checker.text(members["text"], (*path, "text"))
    if value and text and value not in text:  # F4.3
        checker.fault((*path, "text"), f"does not contain the value {value!r}; mend the text or the value")
    return Fact(
        id=checker.text(members["id"], (*path, "id")),
        order_id=checker.text(members["order_id"], (*path, "order_id")),
        field=checker.name(members["field"], (*path, "field"), pattern=FIELD, what="the name of a field"),
        revision=checker.nullable(members["revision"], (*path, "revision")),
        value=value,
        text=text,
    )


def _outcome(status: str, *, refused: bool) -> str:
    """Name the outcome of a rejecting status (O4.1)."""
    if status == "NEEDLESS_REFUSAL":
        return "needless_refusal"
    return "malformed" if refused or status == INVALID_JSON else "ungrounded"


def _rejections(contract: OrderStatus) -> dict[tuple[str, bool], Verdict]:
    """Make every rejecting verdict once, by status and by whether the candidate refused."""
    return {
        (status, refused): contract.rejection(status, outcome=_outcome(status, refused=refused))
        for status in contract.statuses[:-1]
        for refused in (False, True)
    }


_REJECTIONS: Final = _rejections(OrderStatus())
_MALFORMED: Final = _REJECTIONS[INVALID_JSON, False]
