"""A suite to its results. Pure: no clock, path, environment or printing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .contracts.base import ACCEPT, CITATION_EXISTS, LAYERS, Verdict
from .errors import JudgingError
from .gate import Gate
from .suite import Case, Suite

RESULTS_FORMAT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A case and the verdict on it."""

    case: Case
    verdict: Verdict

    @property
    def label_matched(self) -> bool:
        """Tell whether the status is the label."""
        return self.verdict.status == self.case.expected

    @property
    def fools_baseline(self) -> bool:
        """Tell whether the citation baseline passes what the label rejects."""
        return self.verdict.passes(CITATION_EXISTS) and self.case.expected != ACCEPT

    def hits(self) -> Mapping[str, bool]:
        """Tell, for each layer with a prediction, whether it was a hit (F5.8)."""
        return {
            layer: _hit(self.verdict, layer=layer, predicted=predicted)
            for layer, predicted in (self.case.prediction or {}).items()
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The verdicts of one run, in the order of the suite."""

    suite: Suite
    cases: tuple[CaseResult, ...]

    def passed(self, layer: str) -> int:
        """Count the cases that pass a layer."""
        return sum(result.verdict.passes(layer) for result in self.cases)

    def totals(self) -> dict[str, Any]:
        """Count everything that `results.json` counts (R4)."""
        outcomes = Counter(result.verdict.outcome for result in self.cases)
        return {
            "cases": len(self.cases),
            **{layer: self.passed(layer) for layer in LAYERS},
            "labels_matched": sum(result.label_matched for result in self.cases),
            "baseline_false_accepts": sum(result.fools_baseline for result in self.cases),
            "outcomes": {outcome: outcomes[outcome] for outcome in self.suite.contract.outcomes},
            "predictions": self._predictions(),
        }

    def document(self) -> dict[str, Any]:
        """Return the content of `results.json`: the same for the same suite, everywhere (R3)."""
        return {
            "format": RESULTS_FORMAT,
            "suite": {
                "name": self.suite.name,
                "contract": self.suite.contract.name,
                "digest": self.suite.digest,
            },
            "totals": self.totals(),
            "cases": [_entry(result) for result in self.cases],
        }

    def differing_totals(self) -> dict[str, tuple[int, int]]:
        """Return, for a frozen suite, each pinned total that is not met: name to (pinned, counted)."""
        if not self.suite.frozen or self.suite.pinned_totals is None:
            return {}
        totals = self.totals()
        return {
            name: (pinned, totals[name])
            for name, pinned in self.suite.pinned_totals.items()
            if totals[name] != pinned
        }

    def _predictions(self) -> dict[str, dict[str, int]] | None:
        if all(result.case.prediction is None for result in self.cases):
            return None
        hits = [result.hits() for result in self.cases]
        return {
            layer: {
                "made": sum(layer in made for made in hits),
                "hit": sum(made.get(layer, False) for made in hits),
            }
            for layer in LAYERS
        }


def run_suite(suite: Suite) -> Results:
    """Judge every case; a failure of the judging itself names the case, and there is no partial table."""
    gate = Gate(suite)
    results: list[CaseResult] = []
    for case in suite.cases:
        try:
            verdict = gate.judge(case.candidate, suite.requests[case.request])
        except Exception as error:
            raise JudgingError(case.id, error) from error
        results.append(CaseResult(case=case, verdict=verdict))
    return Results(suite=suite, cases=tuple(results))


def _hit(verdict: Verdict, *, layer: str, predicted: str) -> bool:
    passes = verdict.passes(layer)
    if predicted == "pass":
        return passes
    return not passes and predicted in ("reject", verdict.status)


def _entry(result: CaseResult) -> dict[str, Any]:
    verdict = result.verdict
    prediction = result.case.prediction
    return {
        "id": result.case.id,
        "expected": result.case.expected,
        "status": verdict.status,
        **{layer: verdict.passes(layer) for layer in LAYERS},
        "outcome": verdict.outcome,
        "claim": verdict.claim,
        "accepted": dict(verdict.accepted),
        "prediction": None
        if prediction is None
        else {layer: prediction[layer] for layer in LAYERS if layer in prediction},
    }
