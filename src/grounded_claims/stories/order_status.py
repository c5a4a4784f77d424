"""The story of a verdict of `order-status` (docs/contract.md, O1 to O3)."""

from __future__ import annotations

from collections.abc import Mapping

from ..contracts.base import CITATION_EXISTS, STRICT_JSON, Verdict
from ..contracts.order_status import ANSWERED, MAX_EVIDENCE, MAX_STRING, UNKNOWN, Answer, Fact, Request
from ..strict_json import Malformed, Value
from .order_rules import RULES, Registry, Told, asked, counting, facts_that_count
from .shape import misshapen, wrong_members, wrong_string
from .story import HELD, QUOTED, WANTED, Broken, Mark, Source, kind, listed, named, quoted
from .teller import Teller


class OrderStatusTeller(Teller):
    """Tells one answer or refusal, and the facts it cites."""

    def broken_shape(self, value: Value) -> Broken | None:
        """Return the first clause of O1 that a JSON value breaks."""
        if not isinstance(value, dict):
            expected = f"an object with the members {listed([quoted(name) for name in Answer._fields])}"
            return misshapen("O1.1", (), what="The answer", found=kind(value), expected=expected)
        if wrong := wrong_members(value, Answer._fields, (), clause="O1.1", what="The answer"):
            return wrong
        status = value["status"]
        if status not in (ANSWERED, UNKNOWN):
            expected = f"{quoted(ANSWERED)} or {quoted(UNKNOWN)}"
            return misshapen("O1.2", ("status",), what='"status"', found=kind(status), expected=expected)
        for name in ("order_id", "answer"):
            wrong = wrong_string(
                value[name],
                (name,),
                clause="O1.3",
                what=quoted(name),
                limit=MAX_STRING,
                empty=True,
                nullable=name == "answer",
            )
            if wrong:
                return wrong
        return _evidence_shape(value["evidence"])

    def broken_rule(self, verdict: Verdict, value: Value, request: Request, registry: Registry) -> Broken:
        """Return the clause of O2 or O3 that decided."""
        return RULES[verdict.status](Told(answer=answer_of(value), request=request, registry=registry))

    def passed(self, layer: str, value: Value | Malformed, request: Request) -> str:
        """Say in a sentence why a layer passes."""
        answer = answer_of(value)
        refused = answer.status == UNKNOWN
        if layer == STRICT_JSON:
            return f"The text is one well-formed {'refusal' if refused else 'answer'}."
        if layer == CITATION_EXISTS:
            if not answer.evidence:
                return "The refusal cites nothing, so there is nothing to look for."
            cited = listed([named(key) for key in answer.evidence])
            return f"Every fact that is cited was supplied: {cited}."
        if refused:
            return f"The refusal is right: {counting(request)}."
        said = quoted(answer.answer or "")
        return f"The answer {said} is the one value that the facts hold for {asked(request)}."

    def sources(
        self, verdict: Verdict, value: Value, request: Request, registry: Registry
    ) -> tuple[Source, ...]:
        """Return the facts cited, then those supplied that speak of the order and field asked for."""
        if not verdict.strict_json:
            return ()
        answer = answer_of(value)
        about = [key for key, fact in request.supplied.items() if _speaks(fact, request)]
        shown = [key for key in dict.fromkeys((*answer.evidence, *about)) if key in registry]
        told = Told(answer=answer, request=request, registry=registry)
        deciding = told.deciding(verdict.status)
        wanted = facts_that_count(request) if len(request.values) == 1 else {}
        return tuple(
            Source(
                id=key,
                about=_about(registry[key]),
                text=registry[key].text,
                marks=_marks(
                    registry[key],
                    role=QUOTED if key in answer.evidence else WANTED if key in wanted else HELD,
                    deciding=key in deciding,
                ),
                cited=key in answer.evidence,
                supplied=key in request.supplied,
                deciding=key in deciding,
            )
            for key in shown
        )

    def request_members(self, request: Request) -> Mapping[str, Value]:
        """Return a request as plain members."""
        return {
            "order_id": request.order_id,
            "field": request.field,
            "revision": request.revision,
            "supplied": list(request.supplied),
        }

    def exercises(self, value: Value | Malformed, request: Request, registry: Registry) -> tuple[str, str]:
        """Suggest another real fact as the evidence, then another answer; or, for a refusal, to answer."""
        answer = answer_of(value)
        if answer.status == UNKNOWN:
            return (
                "Keep the refusal, and cite one of the facts in its evidence.",
                f"Answer instead: the status {quoted(ANSWERED)}, a guess as the answer, a fact as evidence.",
            )
        facts = [key for key in request.supplied if key not in answer.evidence]
        values = [fact.value for fact in registry.values() if fact.value not in (None, answer.answer)]
        fact = f", such as {quoted(facts[0])}" if facts else ""
        other = f", such as {quoted(values[0] or '')}" if values else ""
        return (
            f"Change only the evidence {quoted(answer.evidence[0])}, to another real fact{fact}.",
            f"Change only the answer {quoted(answer.answer or '')}, to another one{other}.",
        )


def answer_of(value: Value | Malformed) -> Answer:
    """Return the answer of a value that has the shape O1."""
    members = value if isinstance(value, dict) else {}
    evidence, answer = members.get("evidence"), members.get("answer")
    return Answer(
        status=str(members.get("status")),
        order_id=str(members.get("order_id")),
        answer=answer if isinstance(answer, str) else None,
        evidence=tuple(str(item) for item in evidence) if isinstance(evidence, list) else (),
    )


def _evidence_shape(evidence: Value) -> Broken | None:
    if not isinstance(evidence, list):
        expected = f"an array of at most {MAX_EVIDENCE} fact ids"
        return misshapen("O1.4", ("evidence",), what='"evidence"', found=kind(evidence), expected=expected)
    if len(evidence) > MAX_EVIDENCE:
        return Broken(
            clause="O1.4",
            sentence=f"There are {len(evidence)} fact ids; at most {MAX_EVIDENCE} are taken.",
            found=f"{len(evidence)} fact ids",
            expected=f"at most {MAX_EVIDENCE} fact ids",
            path=("evidence", MAX_EVIDENCE),
            mend=("Take fact ids out, from the marked place on.",),
        )
    strings = (
        wrong_string(
            item, ("evidence", index), clause="O1.4", what=f"evidence[{index}]", limit=MAX_STRING, empty=True
        )
        for index, item in enumerate(evidence)
    )
    return next(filter(None, strings), None)


def _speaks(fact: Fact, request: Request) -> bool:
    return (fact.order_id, fact.field) == (request.order_id, request.field)


def _about(fact: Fact) -> tuple[tuple[str, str], ...]:
    return (
        ("order", fact.order_id),
        ("field", fact.field),
        ("revision", "none" if fact.revision is None else fact.revision),
        ("value", "none" if fact.value is None else fact.value),
    )


def _marks(fact: Fact, *, role: str, deciding: bool) -> tuple[Mark, ...]:
    """Mark the first place of a fact's value; a null value has none."""
    if fact.value is None:
        return ()
    start = fact.text.find(fact.value)
    return (Mark(start=start, end=start + len(fact.value), role=role, deciding=deciding),)
