"""A third contract, for the tests and for docs/new-contract.md: yes or no, with the clause that says so.

layer 1  INVALID_JSON    strict JSON (J); an object with exactly `answer` ("yes" or "no") and `clause`
layer 2  NO_CLAUSE       the clause is one of those supplied
layer 3  OTHER_QUESTION  the clause decides the question that was asked
         OTHER_RULING    the answer is what the clause rules; else ACCEPT
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from grounded_claims.contracts.base import (
    CITATION_EXISTS,
    FULL_CONTRACT,
    INVALID_JSON,
    STRICT_JSON,
    Contract,
    Layer,
    Verdict,
)
from grounded_claims.errors import Path
from grounded_claims.shapes import FIELD, Checker
from grounded_claims.strict_json import parse

RULINGS = ("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause of a policy: the question that it decides, and how."""

    id: str
    question: str
    ruling: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A question, and the clauses supplied for it."""

    question: str
    supplied: Mapping[str, Clause]


Registry = Mapping[str, Clause]


class PolicyAnswer(Contract[Registry, Request]):
    """Judges a yes or no, and the clause that is cited for it."""

    name: ClassVar[str] = "policy-answer"
    layers = (
        Layer(
            name=STRICT_JSON,
            title="Strict JSON",
            leaves="a clause that does not exist",
            rejects=(INVALID_JSON,),
        ),
        Layer(
            name=CITATION_EXISTS,
            title="Clause exists",
            leaves="a clause that decides something else, or the other way",
            rejects=("NO_CLAUSE",),
        ),
        Layer(
            name=FULL_CONTRACT,
            title="Full contract",
            leaves="a policy that is itself out of date",
            rejects=("OTHER_QUESTION", "OTHER_RULING"),
        ),
    )
    request_type = Request
    outcomes = ("grounded", "ungrounded", "malformed")

    def judge(self, candidate: str, request: Request) -> Verdict:
        """Decide on one candidate, layer by layer."""
        said = parse(candidate)
        if not isinstance(said, dict) or said.keys() != {"answer", "clause"}:
            return self.rejection(INVALID_JSON, outcome="malformed")
        answer, cited = said["answer"], said["clause"]
        if answer not in RULINGS or not isinstance(cited, str):
            return self.rejection(INVALID_JSON, outcome="malformed")
        clause = request.supplied.get(cited)
        if clause is None:
            return self.rejection("NO_CLAUSE", outcome="ungrounded")
        if clause.question != request.question:
            return self.rejection("OTHER_QUESTION", outcome="ungrounded")
        if clause.ruling != answer:
            return self.rejection("OTHER_RULING", outcome="ungrounded")
        return self.acceptance({request.question: clause.ruling}, outcome="grounded")

    def read_registry(self, value: object, checker: Checker) -> Registry:
        """Build the clauses by id."""
        root = checker.closed(value, (), required=("clauses",))
        clauses: dict[str, Clause] = {}
        for index, item in enumerate(checker.items(root["clauses"], ("clauses",), what="clauses")):
            path: Path = ("clauses", index)
            members = checker.closed(item, path, required=("id", "question", "ruling", "text"))
            clause = Clause(
                id=checker.text(members["id"], (*path, "id")),
                question=checker.name(
                    members["question"], (*path, "question"), pattern=FIELD, what="the name of a question"
                ),
                ruling=checker.choice(members["ruling"], (*path, "ruling"), among=RULINGS, what="a ruling"),
                text=checker.text(members["text"], (*path, "text")),
            )
            if clause.id in clauses:
                checker.fault((*path, "id"), f"{clause.id!r} is the id of an earlier clause; ids are unique")
            clauses[clause.id] = clause
        return clauses

    def read_request(self, value: object, registry: Registry, checker: Checker, path: Path) -> Request:
        """Build a request, bound to the clauses it supplies."""
        members = checker.closed(value, path, required=("question", "supplied"))
        supplied = checker.choices(
            members["supplied"],
            (*path, "supplied"),
            among=registry,
            what="clause ids of the registry",
            empty=True,
        )
        return Request(
            question=checker.text(members["question"], (*path, "question")),
            supplied={key: registry[key] for key in supplied if key},
        )


SUITE = """\
suite: returns-policy
contract: policy-answer
title: May this be sent back?
groups:
  answers:
    description: An answer with the clause that decides the question.
    effect: None.
  clauses:
    description: The clause does not exist, or decides something else.
    effect: A customer is sent away with a clause that says nothing of the kind.
"""

REGISTRY = """\
clauses:
  - id: '4.1'
    question: opened_box_returnable
    ruling: 'yes'
    text: What was opened may be sent back within 30 days.
  - id: '4.2'
    question: worn_shoes_returnable
    ruling: 'no'
    text: Shoes that were worn outside are not taken back.
"""

CASES = """\
requests:
  opened-box:
    question: opened_box_returnable
    supplied: ['4.1', '4.2']
cases:
  - id: right-clause
    group: answers
    note: Clause 4.1 decides the question.
    request: opened-box
    candidate: '{"answer":"yes","clause":"4.1"}'
    expected: ACCEPT
  - id: other-clause
    group: clauses
    note: Clause 4.2 is about shoes.
    request: opened-box
    candidate: '{"answer":"no","clause":"4.2"}'
    expected: OTHER_QUESTION
    pair: right-clause
  - id: other-ruling
    group: clauses
    note: Clause 4.1 is the right one, and says yes.
    request: opened-box
    candidate: '{"answer":"no","clause":"4.1"}'
    expected: OTHER_RULING
    pair: right-clause
  - id: invented-clause
    group: clauses
    note: There is no clause 4.3.
    request: opened-box
    candidate: '{"answer":"yes","clause":"4.3"}'
    expected: NO_CLAUSE
    pair: right-clause
  - id: yes-without-quotes
    group: clauses
    note: The answer is a boolean of another language.
    request: opened-box
    candidate: '{"answer":true,"clause":"4.1"}'
    expected: INVALID_JSON
    pair: right-clause
"""
