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
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from .cases import ID, Case, Known, read_cases
from .contracts import CONTRACTS
from .contracts.base import LAYERS, AnyContract
from .errors import Fault, SuiteError, UsageError
from .shapes import ABSENT, SLUG, Checker, listed, nearest
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


#: Ids that a message lists where none is near.
MAX_LISTED: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Why some cases exist, and what goes wrong in an application that accepts them."""

    description: str
    effect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A set of cases with its registry.

    `files` are the bytes that were read, by file name; `ignored` names whatever else lies in the folder.
    """

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
        known = [case.id for case in self.cases]
        few = f"; known: {listed(known)}" if 0 < len(known) <= MAX_LISTED else ""
        raise UsageError(f"the suite {self.name!r} has no case {case_id!r}{nearest(case_id, known) or few}")


def load_suite(
    folder: str | Path,
    *,
    pins: Mapping[str, str] | None = None,
    contracts: Mapping[str, AnyContract] = CONTRACTS,
) -> Suite:
    """Load a suite from a folder; `find_suite` knows the folders of the project's own suites by name.

    `pins` maps the names of frozen suites to their digests; by default they are those of this checkout. Every
    fault that can be found is in the SuiteError.
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
            f"{copy_advice(name)}"
        )
    yield Fault(path=(), message=message, file=str(folder))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """What suite.yaml says; None for what it does not say."""

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
        """Return all faults with file and line: by file, in each those of YAML first, then by line."""
        for name in FILES:
            loaded = self._loaded[name]
            file = str(self._folder / name)
            for fault in loaded.faults:
                yield fault.at(file, fault.line)
            known = {fault.path for fault in loaded.faults if fault.path}  # what YAML got wrong is said once
            found = [
                _hinted(fault, loaded).at(file, loaded.line(fault.path))
                for fault in self._checkers[name].faults
                if fault.path not in known
            ]
            yield from sorted(found, key=lambda fault: fault.line or 0)

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
            name=checker.name(root["suite"], ("suite",), pattern=SLUG, what=f"the name of a suite {ID}"),
            title=checker.text(root["title"], ("title",)),
            contract=self._contracts.get(contract),
            groups=self._groups(root["groups"], checker),
            pinned_totals=self._totals(root["pinned_totals"], checker),
        )

    def _groups(self, value: object, checker: Checker) -> Mapping[str, Group] | None:
        groups: dict[str, Group] = {}
        for name, item in checker.mapping(value, ("groups",), what="a mapping of groups").items():
            path = ("groups", name)
            checker.name(name, path, pattern=SLUG, what=f"the id of a group {ID}")
            members = checker.closed(item, path, required=("description", "effect"))
            groups[name] = Group(
                description=checker.text(members["description"], (*path, "description")),
                effect=checker.text(members["effect"], (*path, "effect")),
            )
        return groups if isinstance(value, Mapping) else None

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
        if not isinstance(root["requests"], Mapping):
            checker.mapping(root["requests"], ("requests",), what="a mapping of requests")
            return None
        requests: dict[str, Any] = {}
        for name, item in checker.mapping(
            root["requests"], ("requests",), what="a mapping of requests"
        ).items():
            path = ("requests", name)
            checker.name(name, path, pattern=SLUG, what=f"the name of a request {ID}")
            known = registry is not None and not self._ids_doubled()  # of no contract there is no registry
            requests[name] = contract.read_request(item, registry, checker, path) if known else None  # type: ignore[union-attr]
        return requests

    def _ids_doubled(self) -> bool:
        """Tell whether an id of the registry stands for two: what supplies either cannot be judged yet."""
        return any("is the id of an earlier" in fault.message for fault in self._checkers[REGISTRY].faults)

    def read_cases(self, head: _Head, requests: Mapping[str, Any] | None) -> Sequence[Case]:
        """Read the cases (F5.5 to F5.8)."""
        loaded = self._loaded[CASES]
        if not isinstance(loaded.value, Mapping) or "cases" not in loaded.value:
            return ()
        known = Known(contract=head.contract, groups=head.groups, requests=requests)
        return read_cases(loaded.value["cases"], self._checkers[CASES], known=known, line=loaded.line)

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


def _hinted(fault: Fault, loaded: Loaded) -> Fault:
    """Add to a fault which character was probably meant to be another, in the text or in its key."""
    value = _at(loaded.value, fault.path)
    if isinstance(value, str) and value.startswith("-") and "a list of" in fault.message:
        return replace(fault, message=f"{fault.message}; put a space after the hyphen of each list item")
    texts = (value, *fault.path[-1:])
    hint = next((hint for text in texts if isinstance(text, str) and (hint := look_alike(text))), "")
    return replace(fault, message=f"{fault.message}; {hint}") if hint else fault


def _at(value: Any, path: Sequence[str | int]) -> object:
    """Return what stands at a path, or None."""
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value
