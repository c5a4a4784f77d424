"""What a contract adds to the telling, and the fallback for a contract that adds nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..contracts.base import CITATION_EXISTS, FULL_CONTRACT, STRICT_JSON, Verdict
from ..strict_json import Malformed, Value
from .story import Broken, Source

_PASSED = {
    STRICT_JSON: "The text is one well-formed answer of the closed shape.",
    CITATION_EXISTS: "Everything that is cited is really among what was supplied.",
    FULL_CONTRACT: "Everything that is cited supports what is claimed, and nothing is missing.",
}


# ruff: noqa: ARG002  # what a teller of its own needs, the fallback leaves unused


class Teller:
    """Tells what needs to know the contract. This one knows none, and names the status alone.

    A contract of its own kind derives from it; `stories.TELLERS` says which serves which.
    """

    def broken_shape(self, value: Value) -> Broken | None:
        """Return the first clause of the shape that a JSON value breaks, if the shape is known here."""
        return None

    def broken_rule(
        self, verdict: Verdict, value: Value, request: Any, registry: Mapping[str, Any]
    ) -> Broken:
        """Return the clause by which layer 2 or 3 rejects a well-formed candidate."""
        return Broken(
            clause=None, sentence=f"The contract rejects it: {verdict.status}.", found=verdict.status
        )

    def passed(self, layer: str, value: Value | Malformed, request: Any) -> str:
        """Say in a sentence why a layer passes."""
        return _PASSED[layer]

    def sources(
        self, verdict: Verdict, value: Value, request: Any, registry: Mapping[str, Any]
    ) -> tuple[Source, ...]:
        """Return the documents or facts that the verdict turns on, their texts marked."""
        return ()

    def request_members(self, request: Any) -> Mapping[str, Value]:
        """Return a request as plain members, so that two can be compared."""
        return {}

    def exercises(
        self, value: Value | Malformed, request: Any, registry: Mapping[str, Any]
    ) -> tuple[str, str]:
        """Suggest two small changes of an accepted candidate, of which each breaks another rule."""
        return (
            "Change only one citation, to something else that is really there.",
            "Change only one value that is claimed.",
        )
