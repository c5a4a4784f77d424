"""The cases of a suite: candidate, request, label, and why each exists (docs/contract.md, F5.5 to F5.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from .contracts.base import ACCEPT, LAYERS, AnyContract
from .errors import Path
from .shapes import ABSENT, SLUG, Checker, nearest, shown

PASS: Final = "pass"  # noqa: S105  # a layer passes; no password
REJECT: Final = "reject"
ID: Final = "(small letters, digits and hyphens)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A candidate, the name of its request, and its label; `prediction` is in the layers' order."""

    id: str
    group: str
    note: str
    request: str
    candidate: str
    expected: str
    pair: str | None = None
    prediction: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a case can name; None where the file that would say so does not load."""

    contract: AnyContract | None
    groups: Mapping[str, Any] | None
    requests: Mapping[str, Any] | None


def read_cases(
    value: object, checker: Checker, *, known: Known, line: Callable[[Path], int | None]
) -> tuple[Case, ...]:
    """Read the list of cases, and hold them against each other."""
    items = checker.items(value, ("cases",), what="cases")
    cases = [_Reader(checker, ("cases", index), known).read(item) for index, item in enumerate(items)]
    labels = {case.id: case.expected for case in reversed(cases)}
    first: dict[str, int] = {}
    for index, case in enumerate(cases):
        path = ("cases", index)
        earlier = first.setdefault(case.id, index)
        if case.id and earlier != index:  # F5.6
            where = f"cases[{earlier}] in line {line(('cases', earlier, 'id'))}"
            checker.fault((*path, "id"), f"{case.id!r} is the id of {where} too; ids are unique")
        _check_pair(case, labels, checker, path)
    return tuple(cases)


_NO_PAIR: Final = (
    "no case here is labelled ACCEPT, so there is none to name; a label says what is right for the candidate "
    "as first written: leave it, and put what you expect under prediction"
)


def _check_pair(case: Case, labels: Mapping[str, str], checker: Checker, path: Path) -> None:
    """Hold a pair against the labels (F5.7)."""
    if not case.expected:
        return
    if case.expected == ACCEPT:
        if case.pair is not None:
            checker.fault((*path, "pair"), "stands in a case whose label is ACCEPT; only a reject has a pair")
    elif case.pair is None:
        mend = (
            "name the accepted case that this reject differs from" if ACCEPT in labels.values() else _NO_PAIR
        )
        checker.fault(path, f"'pair' is missing; {mend}")
    elif case.pair and labels.get(case.pair) not in (ACCEPT, ""):  # "": that label is a fault already
        what = "is a reject itself" if case.pair in labels else "is not a case"
        near = nearest(case.pair, [other for other, label in labels.items() if label == ACCEPT])
        message = f"{shown(case.pair)} {what}; a pair is a case whose label is ACCEPT{near}"
        checker.fault((*path, "pair"), message)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one case."""

    checker: Checker
    path: Path
    known: Known

    def read(self, value: object) -> Case:
        """Read the members (F5.5, F5.6)."""
        members = self.checker.closed(
            value,
            self.path,
            required=("id", "group", "note", "request", "candidate", "expected"),
            optional=("pair", "prediction"),
        )
        checker, path = self.checker, self.path
        statuses = None if self.known.contract is None else self.known.contract.statuses
        return Case(
            id=checker.name(members["id"], (*path, "id"), pattern=SLUG, what=f"the id of a case {ID}"),
            group=self._among(members["group"], "group", self.known.groups, "a group of this suite"),
            note=checker.text(members["note"], (*path, "note")),
            request=self._among(
                members["request"], "request", self.known.requests, "a request of this suite"
            ),
            candidate=self._candidate(members["candidate"]),
            expected=self._among(members["expected"], "expected", statuses, "a status"),
            pair=None if members["pair"] is ABSENT else checker.text(members["pair"], (*path, "pair")),
            prediction=self._prediction(members["prediction"]),
        )

    def _among(self, value: object, key: str, words: Iterable[str] | None, what: str) -> str:
        path = (*self.path, key)
        if words is None:  # the file that would say which words there are does not load
            return self.checker.text(value, path)
        return self.checker.choice(value, path, among=tuple(words), what=what)

    def _candidate(self, value: object) -> str:
        path = (*self.path, "candidate")
        if isinstance(value, Mapping | list):
            found = "YAML structure stands where the raw text of a candidate belongs"
            self.checker.fault(path, f"{found}; put it in single quotation marks: '…'")
            return ""
        return self.checker.text(value, path, empty=True)

    def _prediction(self, value: object) -> Mapping[str, str] | None:
        """Read what is expected of the layers (F5.8)."""
        if value is ABSENT:
            return None
        path = (*self.path, "prediction")
        if isinstance(value, Mapping) and not value:
            self.checker.fault(path, "is empty; predict at least one layer, or take it out")
        members = self.checker.closed(value, path, required=(), optional=LAYERS)
        predicted: dict[str, str] = {}
        rejects: list[str] = []
        for number, layer in enumerate(LAYERS):
            if self.known.contract is not None:
                rejects += self.known.contract.layers[number].rejects
            if members[layer] is not ABSENT:
                predicted[layer] = self._predicted(members[layer], (*path, layer), rejects)
        return MappingProxyType(predicted)

    def _predicted(self, value: object, path: Path, rejects: Sequence[str]) -> str:
        contract = self.known.contract
        if contract is None:
            return self.checker.text(value, path)
        if isinstance(value, str) and value in contract.statuses and value not in rejects:
            mend = PASS if value == ACCEPT else f"{PASS} or {REJECT}"
            found = f"{shown(value)} is no status by which this layer or one before it rejects"
            self.checker.fault(path, f"{found}; write {mend}")
            return ""
        return self.checker.choice(
            value, path, among=(PASS, REJECT, *rejects), what="a prediction for this layer"
        )
