"""A folder of three files to a `Suite`, or every fault of all three (docs/contract.md, F).

    1. read the files, once each; what was read is what is hashed, judged and copied
    2. YAML to plain values (F1)
    3. suite.yaml: name, contract, groups, pinned totals (F2)
    4. registry.yaml and the requests of cases.yaml, by the contract (F3, F4, F5.3, F5.4)
    5. the cases (F5)
    6. frozen or not, and what a frozen suite owes besides (F6)

No contract is known by name here: `Contract` says all there is to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from .contracts import CONTRACTS
from .contracts.base import ACCEPT, LAYERS, AnyContract
from .errors import Fault, SuiteError, UsageError
from .errors import Path as KeyPath
from .shapes import ABSENT, SLUG, Checker, nearest, shown
from .strict_yaml import Loaded, load
from .suite_files import (
    CASES,
    FILES,
    REGISTRY,
    SUITE,
    copy_advice,
    edited_frozen,
    find_suite,
    known_suites,
    only_line_endings,
    read_files,
    read_pins,
    suite_digest,
)
from .yaml_words import look_alike

__all__ = [
    "FILES",
    "PASS",
    "REJECT",
    "Case",
    "Group",
    "Suite",
    "copy_advice",
    "find_suite",
    "known_suites",
    "load_suite",
    "read_pins",
    "suite_digest",
]

PASS: Final = "pass"
REJECT: Final = "reject"

_ID: Final = "(small letters, digits and hyphens)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Why some cases exist, and what goes wrong in an application that accepts them."""

    description: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A candidate, the name of its request, and its label. `prediction` has its layers in the layers' order."""

    id: str
    group: str
    note: str
    request: str
    candidate: str
    expected: str
    pair: str | None = None
    prediction: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A set of cases with its registry. `files` are the bytes that were read; `ignored` is what else lay there."""

    name: str
    title: str
    contract: AnyContract
    groups: Mapping[str, Group]
    registry: Any
    requests: Mapping[str, Any]
    cases: tuple[Case, ...]
    pinned_totals: Mapping[str, int] | None
    files: Mapping[str, bytes]
    digest: str
    frozen: bool
    folder: str
    ignored: tuple[str, ...] = ()

    def case(self, case_id: str) -> Case:
        """Return the case of an id."""
        for case in self.cases:
            if case.id == case_id:
                return case
        near = nearest(case_id, [case.id for case in self.cases])
        raise UsageError(f"the suite {self.name!r} has no case {case_id!r}{near}")


def load_suite(
    folder: str | Path,
    *,
    pins: Mapping[str, str] | None = None,
    contracts: Mapping[str, AnyContract] = CONTRACTS,
) -> Suite:
    """Load a suite from a folder.

    `pins` maps the names of frozen suites to their digests; by default they are those of this checkout. Raises
    SuiteError with every fault that can be found.
    """
    place = Path(folder)
    pins = read_pins() if pins is None else pins
    read = read_files(place)
    loader = _Loader(place, {name: load(read.files[name]) for name in FILES}, contracts=contracts)
    head = loader.read_head()
    registry = loader.read_registry(head.contract)
    requests = loader.read_requests(head.contract, registry)
    cases = loader.read_cases(head, requests)
    digest = suite_digest(read.files)
    frozen = pins.get(head.name) == digest
    if frozen:
        loader.check_frozen(head, requests, cases)
    faults = [*_edited(place, read.files, digest=digest, pins=pins), *loader.faults()]
    if faults or head.contract is None:
        raise SuiteError(faults)
    return Suite(
        name=head.name,
        title=head.title,
        contract=head.contract,
        groups=MappingProxyType(dict(head.groups or {})),
        registry=registry,
        requests=MappingProxyType(dict(requests or {})),
        cases=tuple(cases),
        pinned_totals=head.pinned_totals,
        files=read.files,
        digest=digest,
        frozen=frozen,
        folder=str(folder),
        ignored=read.ignored,
    )


def _edited(
    folder: Path, files: Mapping[str, bytes], *, digest: str, pins: Mapping[str, str]
) -> Iterable[Fault]:
    """Refuse an edited frozen suite inside `fixtures/`."""
    name = edited_frozen(folder, digest=digest, pins=pins)
    if name is None:
        return
    if only_line_endings(files, pinned=pins[name]):
        message = (
            f"the files of the frozen suite {name!r} differ from the published ones by line endings alone; "
            f"restore them (git checkout -- fixtures/{name}), with LF"
        )
    else:
        message = (
            f"the frozen suite {name!r} has been edited, and a frozen suite never changes; "
            f"restore it (git checkout -- fixtures/{name}). To try something out, {copy_advice(name)}"
        )
    yield Fault(path=(), message=message, file=str(folder))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """What suite.yaml says; None for what it does not say well enough to hold anything against it."""

    name: str
    title: str
    contract: AnyContract | None
    groups: Mapping[str, Group] | None
    pinned_totals: Mapping[str, int] | None


class _Loader:
    """Reads the plain values of the three files, with a checker for each."""

    def __init__(
        self, folder: Path, loaded: Mapping[str, Loaded], *, contracts: Mapping[str, AnyContract]
    ) -> None:
        self._folder = folder
        self._loaded = loaded
        self._contracts = contracts
        self._checkers = {name: Checker() for name in FILES}

    def faults(self) -> Iterable[Fault]:
        """Return all faults with file and line, in the order of files and lines."""
        for name in FILES:
            loaded = self._loaded[name]
            yaml_paths = {fault.path for fault in loaded.faults if fault.path}
            found = list(loaded.faults)
            for fault in self._checkers[name].faults:
                if fault.path not in yaml_paths:  # what YAML got wrong is reported once
                    found.append(_hinted(fault, loaded).at(name, loaded.line(fault.path)))
            for fault in sorted(found, key=lambda fault: fault.line or 0):
                yield fault.at(str(self._folder / name), fault.line)

    def read_head(self) -> _Head:
        """Read suite.yaml (F2)."""
        loaded, checker = self._loaded[SUITE], self._checkers[SUITE]
        if not loaded.complete:
            return _Head(name="", title="", contract=None, groups=None, pinned_totals=None)
        root = checker.closed(
            loaded.value, (), required=("suite", "contract", "title", "groups"), optional=("pinned_totals",)
        )
        contract = checker.choice(root["contract"], ("contract",), among=self._contracts, what="a contract")
        return _Head(
            name=checker.name(root["suite"], ("suite",), pattern=SLUG, what=f"the name of a suite {_ID}"),
            title=checker.text(root["title"], ("title",)),
            contract=self._contracts.get(contract),
            groups=self._groups(root["groups"], checker),
            pinned_totals=self._totals(root["pinned_totals"], checker),
        )

    def _groups(self, value: object, checker: Checker) -> Mapping[str, Group]:
        groups: dict[str, Group] = {}
        for name, item in checker.mapping(value, ("groups",), what="a mapping of groups").items():
            path = ("groups", name)
            checker.name(name, path, pattern=SLUG, what=f"the id of a group {_ID}")
            members = checker.closed(item, path, required=("description", "effect"))
            groups[name] = Group(**{key: checker.text(members[key], (*path, key)) for key in members})
        return groups

    def _totals(self, value: object, checker: Checker) -> Mapping[str, int] | None:
        if value is ABSENT:
            return None
        path = ("pinned_totals",)
        members = checker.closed(value, path, required=("cases", *LAYERS))
        return MappingProxyType({key: checker.count(members[key], (*path, key)) for key in members})

    def read_registry(self, contract: AnyContract | None) -> Any:
        """Read registry.yaml by the contract; None where either is not known."""
        loaded = self._loaded[REGISTRY]
        if contract is None or not loaded.complete:
            return None
        return contract.read_registry(loaded.value, self._checkers[REGISTRY])

    def read_requests(self, contract: AnyContract | None, registry: Any) -> Mapping[str, Any] | None:
        """Read the requests of cases.yaml by the contract; None where they are not known."""
        loaded, checker = self._loaded[CASES], self._checkers[CASES]
        if not loaded.complete:
            return None
        root = checker.closed(loaded.value, (), required=("requests", "cases"))
        if root["requests"] is ABSENT:
            return None
        requests: dict[str, Any] = {}
        for name, item in checker.mapping(root["requests"], ("requests",), what="a mapping of requests").items():
            path = ("requests", name)
            checker.name(name, path, pattern=SLUG, what=f"the name of a request {_ID}")
            known = contract is not None and registry is not None
            requests[name] = contract.read_request(item, registry, checker, path) if known else None  # type: ignore[union-attr]
        return requests

    def read_cases(self, head: _Head, requests: Mapping[str, Any] | None) -> Sequence[Case]:
        """Read the cases (F5)."""
        loaded, checker = self._loaded[CASES], self._checkers[CASES]
        if not loaded.complete or not isinstance(loaded.value, Mapping) or "cases" not in loaded.value:
            return ()
        items = checker.items(loaded.value["cases"], ("cases",), what="cases")
        cases = [_CaseReader(checker, ("cases", index), head, requests).read(item) for index, item in enumerate(items)]
        self._unique(cases)
        self._pairs(cases)
        return cases

    def _unique(self, cases: Sequence[Case]) -> None:
        first: dict[str, int] = {}
        for index, case in enumerate(cases):
            earlier = first.setdefault(case.id, index)
            if case.id and earlier != index:
                line = self._loaded[CASES].line(("cases", earlier, "id"))
                self._checkers[CASES].fault(
                    ("cases", index, "id"), f"{case.id!r} is the id of cases[{earlier}] too, in line {line}; ids are unique"
                )

    def _pairs(self, cases: Sequence[Case]) -> None:
        """Hold each pair against the labels (F5.7)."""
        accepted = [case.id for case in cases if case.expected == ACCEPT]
        checker = self._checkers[CASES]
        for index, case in enumerate(cases):
            path = ("cases", index)
            if not case.expected:
                continue
            if case.expected == ACCEPT:
                if case.pair is not None:
                    checker.fault((*path, "pair"), "stands in a case whose label is ACCEPT; only a reject has a pair")
            elif case.pair is None:
                checker.fault(path, "'pair' is missing; name the accepted case that this reject differs from")
            elif case.pair and case.pair not in accepted:
                near = nearest(case.pair, accepted)
                known = any(other.id == case.pair for other in cases)
                what = "is a reject itself" if known else "is not a case"
                checker.fault((*path, "pair"), f"{shown(case.pair)} {what}; a pair is a case whose label is ACCEPT{near}")

    def check_frozen(self, head: _Head, requests: Mapping[str, Any] | None, cases: Sequence[Case]) -> None:
        """Check what only a frozen suite owes (F2.3, F2.4, F5.2, F5.8)."""
        suite, checker = self._checkers[SUITE], self._checkers[CASES]
        if head.pinned_totals is None:
            suite.fault((), "'pinned_totals' is missing; a frozen suite states them")
        for name in head.groups or ():
            if all(case.group != name for case in cases):
                suite.fault(("groups", name), "no case is in this group; a frozen suite uses each")
        for name in requests or ():
            if all(case.request != name for case in cases):
                checker.fault(("requests", name), "no case has this request; a frozen suite uses each")
        for index, case in enumerate(cases):
            if case.prediction is not None:
                checker.fault(("cases", index, "prediction"), "a frozen suite makes no predictions")


@dataclass(frozen=True, slots=True)
class _CaseReader:
    """Reads one case."""

    checker: Checker
    path: KeyPath
    head: _Head
    requests: Mapping[str, Any] | None

    def read(self, value: object) -> Case:
        """Read the members (F5.5, F5.6)."""
        members = self.checker.closed(
            value,
            self.path,
            required=("id", "group", "note", "request", "candidate", "expected"),
            optional=("pair", "prediction"),
        )
        checker, path, contract = self.checker, self.path, self.head.contract
        return Case(
            id=checker.name(members["id"], (*path, "id"), pattern=SLUG, what=f"the id of a case {_ID}"),
            group=self._among(members["group"], "group", self.head.groups, "a group of this suite"),
            note=checker.text(members["note"], (*path, "note")),
            request=self._among(members["request"], "request", self.requests, "a request of this suite"),
            candidate=self._candidate(members["candidate"]),
            expected=self._among(members["expected"], "expected", contract and contract.statuses, "a status"),
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
            self.checker.fault(
                path,
                "YAML structure stands where the raw text of a candidate belongs; put it in single quotation marks: '…'",
            )
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
            if self.head.contract is not None:
                rejects += self.head.contract.layers[number].rejects
            if members[layer] is not ABSENT:
                predicted[layer] = self._predicted(members[layer], (*path, layer), rejects)
        return MappingProxyType(predicted)

    def _predicted(self, value: object, path: KeyPath, rejects: Sequence[str]) -> str:
        contract = self.head.contract
        if contract is None:
            return self.checker.text(value, path)
        if isinstance(value, str) and value in contract.statuses and value not in rejects:
            mend = f"{PASS} is" if value == ACCEPT else f"{PASS} or {REJECT} is"
            self.checker.fault(
                path, f"{shown(value)} is not a status by which this layer or one before it rejects; {mend} meant here"
            )
            return ""
        return self.checker.choice(value, path, among=(PASS, REJECT, *rejects), what="a prediction for this layer")


def _hinted(fault: Fault, loaded: Loaded) -> Fault:
    """Add to a fault which character was probably meant to be another."""
    value = loaded.value
    for part in fault.path:
        inside = isinstance(value, Mapping) and part in value or isinstance(value, list) and isinstance(part, int)
        value = value[part] if inside else None
    hint = look_alike(value) if isinstance(value, str) else ""
    if not hint and fault.path and isinstance(fault.path[-1], str):
        hint = look_alike(fault.path[-1])
    return Fault(path=fault.path, message=f"{fault.message}; {hint}") if hint else fault
