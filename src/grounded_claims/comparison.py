"""Two sets of verdicts, case by case. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from .contracts.base import LAYERS, Verdict
from .runner import CaseResult, Results


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """One case in both, by its id. The texts or requests may differ where the suites do."""

    before: CaseResult
    after: CaseResult
    same_candidate: bool
    same_request: bool

    @property
    def changed(self) -> bool:
        """Tell whether anything in the verdict differs."""
        return self.before.verdict != self.after.verdict

    def changed_at(self, layer: str) -> bool:
        """Tell whether a layer passes in one and not in the other."""
        return self.before.verdict.passes(layer) != self.after.verdict.passes(layer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The cases in both, first those whose verdict changed; and the ids of cases in one alone."""

    cases: tuple[Matched, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @property
    def changed(self) -> tuple[Matched, ...]:
        """Return the cases whose verdict changed."""
        return tuple(case for case in self.cases if case.changed)

    @property
    def differs(self) -> bool:
        """Tell whether anything differs: a verdict, or which cases there are."""
        return bool(self.changed or self.only_before or self.only_after)

    def changed_at(self, layer: str) -> int:
        """Count the cases that a layer passes in one and not in the other."""
        return sum(case.changed_at(layer) for case in self.cases)


def compare(before: Results, after: Results) -> Comparison:
    """Hold two sets of verdicts against each other, by case id."""
    there = {result.case.id: result for result in after.cases}
    matched = [
        Matched(
            before=result,
            after=there[result.case.id],
            same_candidate=result.case.candidate == there[result.case.id].case.candidate,
            same_request=_request(before, result) == _request(after, there[result.case.id]),
        )
        for result in before.cases
        if result.case.id in there
    ]
    here = {result.case.id for result in before.cases}
    return Comparison(
        cases=tuple(sorted(matched, key=lambda case: not case.changed)),
        only_before=tuple(result.case.id for result in before.cases if result.case.id not in there),
        only_after=tuple(case_id for case_id in there if case_id not in here),
    )


def _request(results: Results, result: CaseResult) -> object:
    return results.suite.requests[result.case.request]


def changes(before: Verdict, after: Verdict) -> tuple[str, ...]:
    """Name what differs between two verdicts, in the words of `results.json`."""
    names = ("status", "outcome", *LAYERS, "claim", "accepted")
    return tuple(name for name in names if getattr(before, name) != getattr(after, name))
