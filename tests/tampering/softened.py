"""Softened suites: an input is changed so that the run looks better, and everything is made to agree with it.

The rule: who says that such a suite is frozen is caught by the pins (A4.1). Who says that it is not has made an
exercise, and an honest one where its results are those of its inputs: it passes, and the last line says "not a
published suite". Results that are still those of the suite as it was are caught by what recomputes them.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .good_runs import INPUT_PATHS, RESULTS, Files, GoodRun, Lab, sealed
from .mutation import Mutation, Outcome

CASES, REGISTRY, SUITE = "cases.yaml", "registry.yaml", "suite.yaml"


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of one file, and what notices results that are still those of the suite as it was."""

    name: str
    run: str
    file: str
    old: str
    new: str
    stale: str  # or nothing, where the results stay the same


VALUE = '"value":"2000","doc":"prod-v2"'
EDITS = (
    Edit("a candidate mended", "config-claims", CASES, VALUE, '"value":"5000","doc":"prod-v2"', "A7.1"),
    Edit("a label made ACCEPT", "config-claims", CASES, "    expected: VALUE_MISMATCH\n    pair: correct-two-facts\n", "    expected: ACCEPT\n", "A6.3"),
    Edit("a label made what it is not", "config-claims", CASES, "expected: QUOTE_NOT_SUPPORTING", "expected: VALUE_MISMATCH", "A6.3"),
    Edit("a document made the wanted one", "config-claims", REGISTRY, "    revision: v1\n", "    revision: v2\n", "A7.1"),
    Edit("a document of the other environment", "config-claims", REGISTRY, "    environment: dev\n", "    environment: prod\n", "A7.1"),
    Edit("a request of the old revision", "config-claims", CASES, "    revision: v2\n", "    revision: v1\n", "A7.1"),
    Edit("a request that asks for less", "config-claims", CASES, "fields: [read_timeout_ms, retry_enabled]", "fields: [read_timeout_ms]", "A7.1"),
    Edit("a request with fewer documents", "config-claims", CASES, "supplied: [prod-v2, prod-v1, dev-v2]", "supplied: [prod-v2]", "A7.1"),
    Edit("a case renamed", "config-claims", CASES, "id: wrong-unit", "id: right-unit", "A6.2"),
    Edit("a note", "config-claims", CASES, "note: The plain answer.", "note: The answer.", ""),
    Edit("a comment", "config-claims", CASES, "# The 22 cases", "# The twenty-two cases", ""),
    Edit("a title", "config-claims", SUITE, "title: 'Settings", "title: 'The settings", ""),
    Edit("a pinned total", "config-claims", SUITE, "full_contract: 3", "full_contract: 13", ""),
    Edit("a blank line", "config-claims", CASES, "\ncases:\n", "\n\ncases:\n", ""),
    Edit("another name", "config-claims", SUITE, "suite: config-claims", "suite: config-claims-2", "A3.6"),
    Edit("an order's answer mended", "order-status", CASES, '"answer":"delivered"', '"answer":"shipped"', "A7.1"),
    Edit("a contradiction taken out", "order-status", CASES, "supplied: [F1, F2, F3, F4]", "supplied: [F1, F2, F3]", "A7.1"),
    Edit("a fact made known", "order-status", REGISTRY, "value: null\n    text: No day", "value: 'day'\n    text: No day", "A7.1"),
    Edit("a fact of another order", "order-status", REGISTRY, "order_id: DEMO-105", "order_id: DEMO-104", "A7.1"),
    Edit("a needless refusal called right", "order-status", CASES, "    expected: NEEDLESS_REFUSAL\n    pair: conflict\n", "    expected: ACCEPT\n", "A6.3"),
    Edit("a small candidate mended", "tiny", CASES, '"value":"9"', '"value":"10"', "A7.1"),
    Edit("a small label", "tiny", CASES, "expected: INVALID_JSON", "expected: NO_CITATION", "A6.3"),
    Edit("a prediction made a hit", "exercise", CASES, "citation_exists: reject", "citation_exists: pass", "A6.4 A8.1"),
    Edit("a prediction taken away", "exercise", CASES, "    prediction: {full_contract: NO_CITATION}\n", "", "A6.4 A8.1"),
    Edit("a wrong label mended", "exercise", CASES, "    expected: VALUE_MISMATCH\n    pair: accepted\n  - id: foreseen", "    expected: ACCEPT\n  - id: foreseen", "A6.3 A8.1"),
    Edit("a fact made the claimed one", "order-exercise", REGISTRY, "revision: r1, value: packed, text: It is packed.", "revision: r2, value: shipped, text: It had shipped.", "A7.1"),
)  # fmt: skip


def softened(lab: Lab) -> Iterator[Mutation]:
    """Soften each suite by one edit, in four ways."""
    for edit in EDITS:
        run = lab.runs[edit.run]
        changed = edited(run.files, edit)
        inputs = {path.removeprefix("inputs/"): changed[path] for path in INPUT_PATHS}
        yield softening(run, f"{edit.name}, said to be frozen", lab.run_of(inputs, frozen=True), "A4.1")
        honest = lab.run_of(inputs, frozen=False)
        yield softening(run, f"{edit.name}, said to be an exercise", honest, "", "exercise")
        if edit.stale:
            stale = {path: changed[path] for path in INPUT_PATHS}
            files = sealed(run, stale)
            yield softening(run, f"{edit.name}, results as they were", files, edit.stale)
            exercise = sealed(GoodRun(name=run.name, files=honest), {RESULTS: files[RESULTS]})
            yield softening(run, f"{edit.name}, results as they were, an exercise", exercise, edit.stale)


def edited(files: Files, edit: Edit) -> Files:
    """Make an edit, which must apply."""
    path = f"inputs/{edit.file}"
    assert edit.old.encode() in files[path], edit
    return {**files, path: files[path].replace(edit.old.encode(), edit.new.encode(), 1)}


def softening(run: GoodRun, name: str, files: Files, caught_by: str, outcome: Outcome = "defect") -> Mutation:
    return Mutation(
        family="suite softened",
        name=name,
        run=run,
        caught_by=caught_by,
        files={path: data for path, data in files.items() if data != run.files[path]},
        sums_agree=True,
        outcome=outcome,
    )
