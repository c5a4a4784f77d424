"""Which check of docs/contract.md must notice a change of a member of manifest.json or results.json.

Two questions about each member: which values its schema lets pass (A2), and which check recomputes it.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable, Mapping

from .good_runs import MANIFEST, RESULTS
from .json_text import Path, document

#: The check that a document is strict JSON, matches its schema, and is in the bytes of R2.
FORM = {MANIFEST: ("A2.1", "A2.2", "A2.3"), RESULTS: ("A2.4", "A2.5", "A2.6")}
NOBODY = ""  # nothing in the directory contradicts another value: --expect alone notices
LAYERS = ("strict_json", "citation_exists", "full_contract")


def is_digest(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_count(value: object) -> bool:
    """Any integer by the schemas; the auditor takes those of at most 18 digits, and no count has more."""
    return type(value) is int and 0 <= value < 10**18


def is_name(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[a-z0-9-]{1,200}", value) is not None


def is_short(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= 200


def is_bool(value: object) -> bool:
    return type(value) is bool


def is_commit(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", value) is not None


def is_time(value: object) -> bool:
    """Any second that exists, leap seconds apart."""
    like = re.sub("0", "[0-9]", "0000-00-00T00:00:00Z")
    if not isinstance(value, str) or re.fullmatch(like, value) is None:
        return False
    try:
        dt.datetime.fromisoformat(value.removesuffix("Z"))
    except ValueError:
        return False
    return True


def is_claim(value: object) -> bool:
    return value is None or (type(value) is int and 0 <= value <= 7)


def is_accepted(value: object) -> bool:
    return isinstance(value, dict) and all(
        re.fullmatch("[a-z][a-z0-9_]*", name) and (each is None or isinstance(each, str))
        for name, each in value.items()
    )


def is_hits(value: object) -> bool:
    return value is None or (isinstance(value, dict) and set(value) == set(LAYERS))


def one_of(*words: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in words


def nothing(_: object) -> bool:
    return False


CONFIG = (
    "INVALID_JSON NO_CITATION DUPLICATE_CLAIM UNREQUESTED_FIELD SCOPE_MISMATCH STALE_REVISION VALUE_MISMATCH "
    "QUOTE_NOT_SUPPORTING INCOMPLETE ACCEPT"
).split()
ORDER = (
    "INVALID_JSON INVENTED_EVIDENCE NO_EVIDENCE ORDER_MISMATCH MALFORMED_REFUSAL NEEDLESS_REFUSAL "
    "REPEATED_EVIDENCE CONFLICTING_FACTS NO_SUPPORTING_FACT EVIDENCE_OUT_OF_SCOPE STALE_EVIDENCE "
    "ANSWER_MISMATCH ACCEPT"
).split()
STATUSES = {"config-claims": CONFIG, "order-status": ORDER}
OUTCOMES = {
    "config-claims": ("grounded", "ungrounded", "malformed"),
    "order-status": ("grounded", "honest_refusal", "needless_refusal", "ungrounded", "malformed"),
}
is_status = one_of(*CONFIG, *ORDER)
is_outcome = one_of(*OUTCOMES["order-status"])

#: Path (with * for any step) → what its schema lets pass, and what recomputes it.
Rule = tuple[Callable[[object], bool], str]
RULES: Mapping[str, Mapping[str, Rule]] = {
    MANIFEST: {
        "program.version": (is_short, NOBODY),
        "suite.name": (is_name, "A3.6"),
        "suite.contract": (one_of("config-claims", "order-status"), "A3.6"),
        "suite.digest": (is_digest, "A3.5"),
        "suite.frozen": (is_bool, "A4.1"),
        "suite.cases": (lambda value: is_count(value) and value != 0, "A3.6"),
        "created": (is_time, NOBODY),
        "git.commit": (is_commit, NOBODY),
        "git.dirty": (is_bool, NOBODY),
        "environment.python": (is_short, NOBODY),
        "environment.implementation": (is_short, NOBODY),
        "environment.platform": (is_short, NOBODY),
        "environment.packages.*": (is_short, NOBODY),
        "sources.*": (is_digest, "A5.2"),
        "inputs.*": (is_digest, "A3.3"),
        "outputs.*": (is_digest, "A3.4"),
    },
    RESULTS: {
        "suite.name": (is_name, "A3.6"),
        "suite.contract": (one_of("config-claims", "order-status"), "A3.6"),
        "suite.digest": (is_digest, "A3.5"),
        "totals.cases": (lambda value: is_count(value) and value != 0, "A8.1"),
        "totals.strict_json": (is_count, "A8.1"),
        "totals.citation_exists": (is_count, "A8.1"),
        "totals.full_contract": (is_count, "A8.1"),
        "totals.labels_matched": (is_count, "A8.1"),
        "totals.baseline_false_accepts": (is_count, "A8.1"),
        "totals.outcomes.*": (is_count, "A8.1"),
        "totals.predictions": (is_hits, "A8.1"),
        "totals.predictions.*.made": (is_count, "A8.1"),
        "totals.predictions.*.hit": (is_count, "A8.1"),
        "cases.*.id": (is_name, "A6.2"),
        "cases.*.expected": (is_status, "A6.3"),
        "cases.*.status": (is_status, "A7.1"),
        "cases.*.strict_json": (is_bool, "A7.2"),
        "cases.*.citation_exists": (is_bool, "A7.2"),
        "cases.*.full_contract": (is_bool, "A7.2"),
        "cases.*.outcome": (is_outcome, "A7.3"),
        "cases.*.claim": (is_claim, "A7.4"),
        "cases.*.accepted": (is_accepted, "A7.5"),
        "cases.*.accepted.*": (lambda value: value is None or isinstance(value, str), "A7.5"),
        "cases.*.prediction": (lambda value: value is None, "A6.4"),
        "cases.*.prediction.*": (one_of("pass", "reject", *CONFIG[:-1], *ORDER[:-1]), "A6.4"),
    },
}


def rule_of(name: str, path: Path) -> Rule:
    """Return the rule of a path of a document; what no rule names may have no other value at all."""
    for pattern, rule in RULES[name].items():
        parts = pattern.split(".")
        if len(parts) == len(path) and all(
            part in ("*", step) for part, step in zip(parts, path, strict=True)
        ):
            return rule
    return nothing, NOBODY


def caught_by(name: str, path: Path, value: object) -> str:
    """Return the check that must notice this other value at this path, or NOBODY."""
    allowed, check = rule_of(name, path)
    return check if allowed(value) else FORM[name][1]


def form(name: str) -> str:
    """Return the checks of form, one of which must notice what is no such document."""
    return "|".join(FORM[name])


def is_written_so(data: bytes) -> bool:
    """Say whether bytes are JSON in the layout of R2, whatever they say."""
    try:
        return document(json.loads(data)) == data
    except (ValueError, RecursionError):
        return False
