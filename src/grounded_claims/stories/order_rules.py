"""The rules of O2 and O3 of `order-status`, each told for the candidate that broke it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ..contracts.order_status import UNKNOWN, Answer, Fact, Request
from .shape import near_miss
from .story import Broken, Path, listed, named, quoted

Registry = Mapping[str, Fact]


def asked(request: Request) -> str:
    """Name what is asked for: `the status of DEMO-104`."""
    revision = "" if request.revision is None else f", revision {named(request.revision)}"
    return f"the {named(request.field)} of {named(request.order_id)}{revision}"


def facts_that_count(request: Request) -> dict[str, Fact]:
    """Return the supplied facts of the order, field and revision asked for whose value is not null, by id."""
    return {
        key: fact
        for key, fact in request.supplied.items()
        if (fact.order_id, fact.field) == (request.order_id, request.field)
        and fact.value is not None
        and request.revision in (None, fact.revision)
    }


def counting(request: Request) -> str:
    """Say what the facts that count hold."""
    facts = facts_that_count(request)
    if not facts:
        return f"the facts supplied hold no value for {asked(request)}"
    said = listed([f"{named(key)} says {quoted(fact.value or '')}" for key, fact in facts.items()])
    if len(request.values) > 1:
        return f"the facts supplied contradict each other on {asked(request)}: {said}"
    return f"the facts supplied settle {asked(request)}: {said}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A candidate of the closed shape, and what it is judged by."""

    answer: Answer
    request: Request
    registry: Registry

    def cited(self) -> Iterator[tuple[int, str, Fact]]:
        """Give the cited facts, each with its index and id, of an answer that cites no other (O2.1)."""
        return ((index, key, self.request.supplied[key]) for index, key in enumerate(self.answer.evidence))

    def out_of_scope(self) -> Iterator[tuple[int, str, Fact]]:
        """Give the cited facts of another order or field, and those without a value (O3.7)."""
        scope = (self.request.order_id, self.request.field)
        return (at for at in self.cited() if (at[2].order_id, at[2].field) != scope or at[2].value is None)

    def stale(self) -> Iterator[tuple[int, str, Fact]]:
        """Give the cited facts of another revision than the request's (O3.8)."""
        return (at for at in self.cited() if at[2].revision != self.request.revision)

    def repeated(self) -> int:
        """Return the index of the first id that is cited a second time."""
        evidence = self.answer.evidence
        return next(index for index, key in enumerate(evidence) if key in evidence[:index])

    def deciding(self, status: str) -> frozenset[str]:
        """Return the ids of the facts that a decision turns on."""
        if status == "INVENTED_EVIDENCE":
            return frozenset((self.answer.evidence[_invented_at(self)],))
        if status == "REPEATED_EVIDENCE":
            return frozenset((self.answer.evidence[self.repeated()],))
        if status == "EVIDENCE_OUT_OF_SCOPE":
            return frozenset((next(self.out_of_scope())[1],))
        if status == "STALE_EVIDENCE":
            return frozenset((next(self.stale())[1],))
        if status in ("NEEDLESS_REFUSAL", "CONFLICTING_FACTS", "ANSWER_MISMATCH"):
            return frozenset(facts_that_count(self.request))
        return frozenset()

    def right_answer(self) -> str:
        """Say what would be accepted for this request."""
        facts = facts_that_count(self.request)
        if len(self.request.values) == 1:
            value = next(iter(self.request.values))
            return f"Answer {quoted(value)} and cite {listed([named(key) for key in facts], 'or')}."
        why = "two facts contradict each other" if facts else "no fact holds a value"
        return f"Refuse, with the status {quoted(UNKNOWN)}, the answer null and no evidence: {why}."


def _invented_at(told: Told) -> int:
    evidence = told.answer.evidence
    return next(index for index, key in enumerate(evidence) if key not in told.request.supplied)


def _broken(
    told: Told, clause: str, path: Path, sentence: str, *, found: str, expected: str, mend: str = ""
) -> Broken:
    return Broken(
        clause=clause,
        sentence=sentence,
        found=found,
        expected=expected,
        path=path,
        mend=(mend or told.right_answer(),),
    )


def _invented(told: Told) -> Broken:
    index = _invented_at(told)
    key = told.answer.evidence[index]
    if key in told.registry:
        why = "the registry has it, but it was not supplied for this request"
    else:
        why = "there is no such fact in the registry" + _twin(key, told)
    supplied = listed([named(known) for known in told.request.supplied], "or")
    return _broken(
        told,
        "O2.1",
        ("evidence", index),
        f"evidence[{index}] is {quoted(key)}: {why}.",
        found=key,
        expected=f"one of the facts supplied: {supplied}",
    )


def _twin(key: str, told: Told) -> str:
    twin = next((known for known in told.request.supplied if near_miss(key, equal=known)), None)
    return "" if twin is None else f", though {quoted(twin)} looks much like it"


def _no_evidence(told: Told) -> Broken:
    return _broken(
        told,
        "O2.2",
        ("evidence",),
        "The candidate answers and cites no fact.",
        found="an answer without evidence",
        expected="an answer that cites at least one fact",
    )


def _order_mismatch(told: Told) -> Broken:
    found, expected = told.answer.order_id, told.request.order_id
    return _broken(
        told,
        "O3.1",
        ("order_id",),
        f"The candidate speaks of the order {quoted(found)}; the request asks about {quoted(expected)}."
        + near_miss(found, equal=expected),
        found=found,
        expected=expected,
        mend=f"Write the order {quoted(expected)}.",
    )


def _malformed_refusal(told: Told) -> Broken:
    answer = told.answer
    if answer.answer is not None:
        path: Path = ("answer",)
        found = f"the answer {quoted(answer.answer)}"
    else:
        path = ("evidence",)
        found = f"the evidence {listed([named(key) for key in answer.evidence])}"
    return _broken(
        told,
        "O3.2",
        path,
        f"The candidate says that it does not know, and gives {found} all the same.",
        found=found,
        expected="a refusal with the answer null and no evidence",
        mend=f"{_NULL} {told.right_answer()}" if answer.answer == "null" else "",
    )


_NULL: Final = '"null" in quotation marks is a text; write null without them.'


def _needless_refusal(told: Told) -> Broken:
    return _broken(
        told,
        "O3.3",
        ("status",),
        f"The candidate refuses, and {counting(told.request)}.",
        found="a refusal",
        expected=f"the answer {quoted(next(iter(told.request.values)))}",
    )


def _repeated(told: Told) -> Broken:
    index = told.repeated()
    key = told.answer.evidence[index]
    return _broken(
        told,
        "O3.4",
        ("evidence", index),
        f"evidence[{index}] cites {named(key)}, which evidence[{told.answer.evidence.index(key)}] has "
        "cited already.",
        found=f"{named(key)} cited twice",
        expected="each fact cited once",
        mend=f"Take evidence[{index}] out.",
    )


def _conflicting(told: Told) -> Broken:
    return _broken(
        told,
        "O3.5",
        ("status",),
        f"The candidate answers, and {counting(told.request)}. Which one holds is for a person to settle.",
        found=f"the values {listed([quoted(value) for value in sorted(told.request.values)])}",
        expected="at most one value",
    )


def _no_support(told: Told) -> Broken:
    return _broken(
        told,
        "O3.6",
        ("status",),
        f"The candidate answers, and {counting(told.request)}.",
        found="no value",
        expected="one value",
    )


def _out_of_scope(told: Told) -> Broken:
    index, key, fact = next(told.out_of_scope())
    request = told.request
    if fact.order_id != request.order_id:
        found = f"about the order {named(fact.order_id)}"
    elif fact.field != request.field:
        found = f"about the field {named(fact.field)}"
    else:
        found = "silent: its value is null"
    return _broken(
        told,
        "O3.7",
        ("evidence", index),
        f"evidence[{index}] cites {named(key)}, which is {found}; the request asks for {asked(request)}.",
        found=found,
        expected=f"a fact that holds a value for {asked(request)}",
    )


def _stale(told: Told) -> Broken:
    index, key, fact = next(told.stale())
    found = "of no revision" if fact.revision is None else f"of revision {named(fact.revision)}"
    expected = f"of revision {named(told.request.revision or '')}"
    return _broken(
        told,
        "O3.8",
        ("evidence", index),
        f"evidence[{index}] cites {named(key)}, which is {found}; the request pins facts {expected}.",
        found=found,
        expected=expected,
    )


def _answer_mismatch(told: Told) -> Broken:
    value, answer = next(iter(told.request.values)), told.answer.answer
    said = "null" if answer is None else quoted(answer)
    return _broken(
        told,
        "O3.9",
        ("answer",),
        f"The answer is {said}; {counting(told.request)}." + near_miss(answer or "", equal=value),
        found=said if answer is None else answer,
        expected=value,
        mend=f"Write the answer {quoted(value)}.",
    )


RULES: Final[Mapping[str, Callable[[Told], Broken]]] = {
    "INVENTED_EVIDENCE": _invented,
    "NO_EVIDENCE": _no_evidence,
    "ORDER_MISMATCH": _order_mismatch,
    "MALFORMED_REFUSAL": _malformed_refusal,
    "NEEDLESS_REFUSAL": _needless_refusal,
    "REPEATED_EVIDENCE": _repeated,
    "CONFLICTING_FACTS": _conflicting,
    "NO_SUPPORTING_FACT": _no_support,
    "EVIDENCE_OUT_OF_SCOPE": _out_of_scope,
    "STALE_EVIDENCE": _stale,
    "ANSWER_MISMATCH": _answer_mismatch,
}
