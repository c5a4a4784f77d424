"""What every contract offers, and the verdict it gives. Pure: no I/O, no clock, no environment.

The suite loader, the runner, the run directory and the tables work through `Contract` alone; none of them
knows which contract it serves. docs/new-contract.md walks through adding one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, TypeVar

from ..errors import Path
from ..shapes import Checker

STRICT_JSON: Final = "strict_json"
CITATION_EXISTS: Final = "citation_exists"
FULL_CONTRACT: Final = "full_contract"
LAYERS: Final = (STRICT_JSON, CITATION_EXISTS, FULL_CONTRACT)

ACCEPT: Final = "ACCEPT"
INVALID_JSON: Final = "INVALID_JSON"

NOTHING: Final[Mapping[str, str | None]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The decision on one candidate.

    `claim` is the index of the deciding claim, from 0, or None where none decides. `accepted` is read-only
    and empty unless `status` is ACCEPT; an application uses it and nothing else of the candidate.
    """

    status: str
    outcome: str
    strict_json: bool
    citation_exists: bool
    full_contract: bool
    claim: int | None = None
    accepted: Mapping[str, str | None] = field(default_factory=lambda: NOTHING)

    def passes(self, layer: str) -> bool:
        """Tell whether a layer passes."""
        return bool(getattr(self, layer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One checker, as a table shows it, and the statuses by which it rejects, in order of precedence."""

    name: str
    title: str
    leaves: str
    rejects: tuple[str, ...]


Registry = TypeVar("Registry")
Request = TypeVar("Request")


class Contract(ABC, Generic[Registry, Request]):
    """A set of rules for one kind of answer, over its own kinds of registry and request."""

    name: ClassVar[str]
    layers: ClassVar[tuple[Layer, Layer, Layer]]
    outcomes: ClassVar[tuple[str, ...]]
    #: What `read_request` returns and `judge` takes. A gate refuses anything else before it judges.
    request_type: ClassVar[type]

    @property
    def statuses(self) -> tuple[str, ...]:
        """Every status, in order of precedence, ACCEPT last."""
        return (*(status for layer in self.layers for status in layer.rejects), ACCEPT)

    @abstractmethod
    def read_registry(self, value: object, checker: Checker) -> Registry:
        """Build the registry from the plain value of `registry.yaml`; faults go to the checker."""

    @abstractmethod
    def read_request(self, value: object, registry: Registry, checker: Checker, path: Path) -> Request:
        """Build a request, bound to the documents or facts supplied; faults go to the checker."""

    @abstractmethod
    def judge(self, candidate: str, request: Request) -> Verdict:
        """Decide on one candidate. Never raises on a candidate, whatever text it is."""

    def rejection(self, status: str, *, outcome: str, claim: int | None = None) -> Verdict:
        """Return the verdict of a rejecting status: which layers passed follows from the status (V1)."""
        strict, citation, _ = self.layers
        by_strict, by_citation = status in strict.rejects, status in citation.rejects
        return Verdict(
            status=status,
            outcome=outcome,
            strict_json=not by_strict,
            citation_exists=not (by_strict or by_citation),
            full_contract=False,
            claim=claim,
        )

    @staticmethod
    def acceptance(accepted: Mapping[str, str | None], *, outcome: str) -> Verdict:
        """Return the verdict ACCEPT, with its mapping sorted by code point and made read-only."""
        return Verdict(
            status=ACCEPT,
            outcome=outcome,
            strict_json=True,
            citation_exists=True,
            full_contract=True,
            accepted=MappingProxyType(dict(sorted(accepted.items()))),
        )


AnyContract = Contract[Any, Any]
