"""The space of `order-status`: every answer and refusal from the registry's orders, values and fact ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import product

from ..contracts.order_status import ANSWERED, UNKNOWN, Answer, Fact, OrderStatus, Request
from .space import TOKEN, Point, Space, absent, distinct


class OrderStatusSpace(Space):
    """Every candidate with at most so many fact ids in its evidence."""

    rule = (
        "the right order, and either the one value that the facts hold, with at least one fact that states "
        "it, no other fact and none twice; or a bare refusal where the facts hold no single value"
    )
    counted = "fact ids"

    def __init__(
        self, contract: OrderStatus, registry: Mapping[str, Fact], request: Request, *, most: int
    ) -> None:
        self._contract, self._request, self._most = contract, request, most
        facts = registry.values()
        orders = distinct(order for order in (request.order_id, *(fact.order_id for fact in facts)))
        values = distinct(fact.value for fact in facts if fact.value is not None)
        self._orders = [*orders, absent(set(orders), "order")]
        self._answers = [None, *values, absent(set(values), "value")]
        self._ids = [*registry, absent(set(registry), "fact")]
        self._stating = self._facts_that_state()

    def _facts_that_state(self) -> dict[str, set[str]]:
        """Return, for each value, the supplied facts that state it for this request, by the plain rule."""
        request = self._request
        stating: dict[str, set[str]] = {}
        for key, fact in request.supplied.items():
            speaks = fact.order_id == request.order_id and fact.field == request.field
            current = request.revision is None or request.revision == fact.revision
            if speaks and current and fact.value is not None:
                stating.setdefault(fact.value, set()).add(key)
        return stating

    @property
    def vocabulary(self) -> str:
        """Say what the vocabulary holds."""
        return (
            f"2 statuses; {len(self._orders)} orders, {len(self._answers)} answers (null among them) and "
            f"{len(self._ids)} fact ids, one of each made up; and in any of their places the malformed token "
            f"{TOKEN}"
        )

    @property
    def size(self) -> int:
        """Count the candidates, the malformed ones included."""
        return 3 * (len(self._orders) + 1) * (len(self._answers) + 1) * self._lists(len(self._ids) + 1)

    @property
    def well_formed(self) -> int:
        """Count the well-formed candidates."""
        return 2 * len(self._orders) * len(self._answers) * self._lists(len(self._ids))

    def _lists(self, ids: int) -> int:
        return sum(ids**count for count in range(self._most + 1))

    def points(self) -> Iterator[Point]:
        """Judge each well-formed candidate."""
        decide, request = self._contract.decide, self._request
        heads = [
            (status, order, answer, len(_text(_spelt(status), _spelt(order), _spelt(answer), [])))
            for status, order, answer in product((ANSWERED, UNKNOWN), self._orders, self._answers)
        ]
        for count in range(self._most + 1):
            for evidence in product(self._ids, repeat=count):
                length = sum(len(_spelt(key)) for key in evidence) + max(count - 1, 0)
                for status, order, answer, head in heads:
                    candidate = Answer(status, order, answer, evidence)
                    yield Point(decide(candidate, request), self._right(candidate), head + length, candidate)

    def _right(self, candidate: Answer) -> bool:
        """Hold a candidate against the plain rule, which asks nothing of the contract."""
        if candidate.order_id != self._request.order_id:
            return False
        settled = len(self._stating) == 1
        if candidate.status == UNKNOWN:
            return not settled and candidate.answer is None and not candidate.evidence
        cited = set(candidate.evidence)
        return (
            settled
            and candidate.answer in self._stating
            and 0 < len(cited) == len(candidate.evidence)
            and cited <= self._stating[candidate.answer]
        )

    def text(self, parts: Answer) -> str:
        """Write the candidate of some parts."""
        evidence = [_spelt(key) for key in parts.evidence]
        return _text(_spelt(parts.status), _spelt(parts.order_id), _spelt(parts.answer), evidence)

    def smallest_malformed(self) -> str | None:
        """Return the smallest malformed candidate: with one fact id at most, for another makes it longer."""
        words: tuple[list[str], list[str], list[str]] = (
            [TOKEN, *map(_spelt, (ANSWERED, UNKNOWN))],
            [TOKEN, *map(_spelt, self._orders)],
            [TOKEN, *map(_spelt, self._answers)],
        )
        evidence: list[list[str]] = [[], [TOKEN]] if self._most else [[]]
        texts = (
            _text(*head, ids)
            for head, ids in product(product(*words), evidence)
            if TOKEN in head or TOKEN in ids
        )
        return min(texts, key=lambda text: (len(text), text))


def _text(status: str, order: str, answer: str, evidence: list[str]) -> str:
    ids = ",".join(evidence)
    return f'{{"status":{status},"order_id":{order},"answer":{answer},"evidence":[{ids}]}}'


def _spelt(word: str | None) -> str:
    return json.dumps(word, ensure_ascii=False)
