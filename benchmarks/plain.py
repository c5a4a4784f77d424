"""The yardstick of gate.py: the judging loop as one would write it first, with `json` and nothing clever.

Every check of the contract is made and a verdict row written for every row. It is what an engineer has before
looking for speed, so it is kept plain: a row is read, its candidate is read, the rules are applied in order.
"""

from __future__ import annotations

import json
from typing import Any

FIELDS = {"field", "value", "doc", "quote"}


def judge_file(source: Any, target: Any, *, documents: dict[str, Any], requests: dict[str, Any]) -> int:
    """Judge a file of rows into a file of verdict rows, and return how many there were."""
    number = 0
    for number, line in enumerate(source, 1):
        try:
            row = read_json(line.decode())
            request = row["request"]
            if isinstance(request, str):
                request = requests[request]
            status, claim, accepted = judge(row["candidate"], request, documents)
        except (ValueError, KeyError, TypeError) as error:
            target.write(json.dumps({"line": number, "id": None, "error": str(error)}).encode() + b"\n")
            continue
        verdict = {
            "line": number,
            "id": row.get("id"),
            "status": status,
            "strict_json": status != "INVALID_JSON",
            "citation_exists": status not in ("INVALID_JSON", "NO_CITATION"),
            "full_contract": status == "ACCEPT",
            "outcome": {"ACCEPT": "grounded", "INVALID_JSON": "malformed"}.get(status, "ungrounded"),
            "claim": claim,
            "accepted": accepted,
        }
        target.write(json.dumps(verdict, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return number


def judge(candidate: str, request: Any, documents: Any) -> tuple[str, int | None, dict[str, str]]:
    """Apply layers 1, 2 and 3 in order."""
    try:
        claims = read_claims(candidate)
    except (ValueError, RecursionError):
        return "INVALID_JSON", None, {}
    if not claims:
        return "NO_CITATION", None, {}
    for index, claim in enumerate(claims):
        if claim["doc"] not in request["supplied"] or claim["doc"] not in documents:
            return "NO_CITATION", index, {}
        if claim["quote"] not in documents[claim["doc"]]["text"]:
            return "NO_CITATION", index, {}
    accepted: dict[str, str] = {}
    for index, claim in enumerate(claims):
        status = broken(claim, request, documents[claim["doc"]], accepted)
        if status:
            return status, index, {}
        accepted[claim["field"]] = claim["value"]
    for field in request["fields"]:
        if field not in accepted:
            return "INCOMPLETE", None, {}
    return "ACCEPT", None, dict(sorted(accepted.items()))


def broken(claim: Any, request: Any, document: Any, accepted: dict[str, str]) -> str | None:
    """Return the first rule of layer 3 that a claim breaks."""
    if claim["field"] in accepted:
        return "DUPLICATE_CLAIM"
    if claim["field"] not in request["fields"]:
        return "UNREQUESTED_FIELD"
    if (document["service"], document["environment"]) != (request["service"], request["environment"]):
        return "SCOPE_MISMATCH"
    if document["revision"] != request["revision"]:
        return "STALE_REVISION"
    if document["facts"].get(claim["field"]) != claim["value"]:
        return "VALUE_MISMATCH"
    if claim["quote"] != claim["field"] + "=" + claim["value"]:
        return "QUOTE_NOT_SUPPORTING"
    return None


def read_claims(candidate: str) -> list[dict[str, str]]:
    """Read a candidate of the closed shape, or raise ValueError."""
    if units(candidate) > 8192:
        raise ValueError("too long")
    value = read_json(candidate)
    if not isinstance(value, dict) or set(value) != {"claims"} or not isinstance(value["claims"], list):
        raise ValueError("not the shape of an answer")
    if len(value["claims"]) > 8:
        raise ValueError("too many claims")
    for claim in value["claims"]:
        if not isinstance(claim, dict) or set(claim) != FIELDS:
            raise ValueError("not the shape of a claim")
        for text in claim.values():
            if not isinstance(text, str) or not 1 <= units(text) <= 2048:
                raise ValueError("not a string of the right length")
    return value["claims"]


def units(text: str) -> int:
    """Count UTF-16 code units; a surrogate that stands alone cannot be encoded, and raises ValueError."""
    return len(text.encode("utf-16-le")) // 2


def read_json(text: str) -> Any:
    """Read one JSON value, without doubled names and without NaN."""
    return json.loads(text, object_pairs_hook=members, parse_constant=constant)


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a doubled name")
    return value


def constant(name: str) -> Any:
    raise ValueError(name)
