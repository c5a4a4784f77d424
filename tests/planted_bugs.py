"""Small faults, each put into the package alone, and who notices. test_planted_bugs.py makes a run with each.

A row is (file, old text, new text, notices). The old text stands in the file exactly once: a row that no
longer fits fails, so that the list cannot rot. The notices:

    labels        a recorded status is unlike its label, in a frozen suite or in a small suite of the tests
    boundary      a verdict on one of the boundary cases below is unlike the one written there
    comparison    a verdict on a generated candidate is unlike that of the auditor's own judge
    A7.1, …       the audit of such a run fails this check
    no run        the run ends with a fault of the program, or good files are refused

A fault of the loader (SUITE_BUGS) comes with a suite that is none: the loader takes it, a run is made of it, and
the audit of that run fails A6.1.

Nothing may be noticed by the comparison alone: what only it finds becomes a boundary case.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from candidates import CONFIG_REQUESTS, EMOJI, ORDER_REQUESTS

Bug = tuple[str, str, str, str]

JSON: Final = "strict_json.py"
CONFIG: Final = "contracts/config_claims.py"
ORDER: Final = "contracts/order_status.py"
BASE: Final = "contracts/base.py"

# Boundary cases: request, candidate, status, deciding claim. Registries and requests are those of candidates.py;
# here are two more requests.

MORE_REQUESTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "config-claims": {"of an older revision": {**CONFIG_REQUESTS["both"], "revision": "v1"}},
    "order-status": {"of an older revision": {**ORDER_REQUESTS["settled"], "revision": "r1"}},
}


def claim(field: str, value: str, doc: str = "right", quote: str | None = None) -> dict[str, Any]:
    return {"field": field, "value": value, "doc": doc, "quote": quote or f"{field}={value}"}


def claims(*items: Any) -> str:
    return json.dumps({"claims": items}, ensure_ascii=False)


def order(status: str, answer: Any, *evidence: Any, order_id: Any = "A") -> str:
    value = {"status": status, "order_id": order_id, "answer": answer, "evidence": list(evidence)}
    return json.dumps(value, ensure_ascii=False)


T, R = claim("timeout", "5000"), claim("retry", "false")
GOOD: Final = claims(T, R)
INVALID: Final = ("INVALID_JSON", None)
OK: Final = ("ACCEPT", None)


def padded(text: str, size: int) -> str:
    return text + " " * (size - len(text))


def field(written: str) -> str:
    """Write a claim whose field is this, as it stands between quotation marks."""
    return '{"claims":[{"field":"' + written + '","value":"1","doc":"right","quote":"timeout=5000"}]}'


UNASKED: Final = ("UNREQUESTED_FIELD", 0)

Boundary = Mapping[str, tuple[str, str, tuple[str, "int | None"]]]
CONFIG_CASES: Final[Boundary] = {
    "the base": ("both", GOOD, OK),
    "8192 units": ("both", padded(GOOD, 8192), OK),
    "8193 units": ("both", padded(GOOD, 8193), INVALID),
    "8193 units in 8192 characters": ("both", padded(claims(T, {**R, "quote": EMOJI}), 8192), INVALID),
    "8192 units with U+FFFF": ("both", padded(claims(T, {**R, "quote": "\uffff"}), 8192), ("NO_CITATION", 1)),
    "every escape": ("both", field(r"\"\\\/\b\f\n\r\t\u00e9\u00E9"), UNASKED),
    "a name in escapes": ("both", GOOD.replace('"claims"', r'"\u0063laims"'), OK),
    "a pair of escapes": ("both", field(r"\ud83d\ude00\uDBFF\uDFFF"), UNASKED),
    "a high surrogate escaped": ("both", field(r"\ud83d"), INVALID),
    "a low surrogate escaped": ("both", field(r"\ude00"), INVALID),
    "a surrogate in the text": ("both", field("\ud800"), INVALID),
    "an unknown escape": ("both", field(r"\'"), INVALID),
    "a control character": ("both", field("\x1f"), INVALID),
    "a name twice, in escapes": ("both", GOOD[:-1] + r',"\u0063laims":[]}', INVALID),
    "a name twice, with one value": ("both", claims(T).replace('"value": "5000"', '"value": "5000", "value": "5000"'), INVALID),
    "a second value": ("both", GOOD + " {}", INVALID),
    "a no-break space before": ("both", "\xa0" + GOOD, INVALID),
    "a byte order mark": ("both", "\ufeff" + GOOD, INVALID),
    "NaN": ("both", claims({**T, "value": float("nan")}, R), INVALID),
    "a number for a value": ("both", claims({**T, "value": 5000}, R), INVALID),
    "deep": ("both", "[" * 4096 + "]" * 4096, INVALID),
    "a member more": ("both", GOOD[:-1] + ',"note":""}', INVALID),
    "a fifth member": ("both", claims(T, {**R, "note": ""}), INVALID),
    "eight claims": ("one", claims(*[T] * 8), ("DUPLICATE_CLAIM", 1)),
    "nine claims": ("one", claims(*[T] * 9), INVALID),
    "no claim": ("both", claims(), ("NO_CITATION", None)),
    "an empty string": ("both", claims(T, {**R, "quote": ""}), INVALID),
    "2048 units": ("both", field("x" * 2048), UNASKED),
    "2049 units": ("both", field("x" * 2049), INVALID),
    "2050 units in 1025 characters": ("both", field(EMOJI * 1025), INVALID),
    "a document not supplied": ("both", claims(T, {**R, "doc": "hidden"}), ("NO_CITATION", 1)),
    "the quotation of another document": ("both", claims(T, claim("retry", "false", "right", "spare=0")), ("NO_CITATION", 1)),
    "a space more in the quotation": ("both", claims({**T, "quote": "timeout=5000 "}, R), ("NO_CITATION", 0)),
    "a field twice, with another value": ("both", claims(T, claim("timeout", "9")), ("DUPLICATE_CLAIM", 1)),
    "a field twice that nobody asked for": ("one", claims(R, R), ("UNREQUESTED_FIELD", 0)),
    "a field twice, the second of another scope": ("both", claims(T, {**T, "doc": "dev"}), ("DUPLICATE_CLAIM", 1)),
    "a field nobody asked for, of another scope": ("one", claims(T, {**R, "doc": "dev"}), ("UNREQUESTED_FIELD", 1)),
    "another service": ("both", claims({**T, "doc": "billing"}, R), ("SCOPE_MISMATCH", 0)),
    "another environment": ("both", claims(T, {**R, "doc": "dev"}), ("SCOPE_MISMATCH", 1)),
    "another environment and revision": ("both", claims({**T, "doc": "old-dev"}, R), ("SCOPE_MISMATCH", 0)),
    "an older revision": ("both", claims({**T, "doc": "old"}, R), ("STALE_REVISION", 0)),
    "a newer revision": ("of an older revision", GOOD, ("STALE_REVISION", 0)),
    "an older revision, another value": ("both", claims(claim("timeout", "9", "old"), R), ("STALE_REVISION", 0)),
    "another value": ("both", claims(claim("timeout", "9"), R), ("VALUE_MISMATCH", 0)),
    "a part of the value": ("both", claims(claim("timeout", "500"), R), ("VALUE_MISMATCH", 0)),
    "another value, another line": ("both", claims(claim("timeout", "9", "right", "retry=false"), R), ("VALUE_MISMATCH", 0)),
    "a fact that the document does not have": ("one", claims(claim("timeout", "5000", "bare", "timeout=5000")), ("VALUE_MISMATCH", 0)),
    "the line of another field": ("both", claims({**T, "quote": "retry=false"}, R), ("QUOTE_NOT_SUPPORTING", 0)),
    "two lines": ("both", claims({**T, "quote": "timeout=5000\nretry=false"}, R), ("QUOTE_NOT_SUPPORTING", 0)),
    "one field of two": ("both", claims(T), ("INCOMPLETE", None)),
    "the other order": ("both", claims(R, T), OK),
}  # fmt: skip

ORDER_CASES: Final[Boundary] = {
    "the base": ("settled", order("answered", "shipped", "F1"), OK),
    "a refusal": ("silent", order("unknown", None), OK),
    "a refusal where facts contradict each other": ("contradicted", order("unknown", None), OK),
    "NaN for null": ("silent", order("unknown", float("nan")), INVALID),
    "a number for an answer": ("settled", order("answered", 5, "F1"), INVALID),
    "another word for the status": ("settled", order("Answered", "shipped", "F1"), INVALID),
    "2048 units": ("settled", order("answered", "x" * 2048, "F1"), ("ANSWER_MISMATCH", None)),
    "2049 units": ("settled", order("answered", "x" * 2049, "F1"), INVALID),
    "an order of 2049 units": ("settled", order("answered", "shipped", "F1", order_id="A" * 2049), INVALID),
    "an id of 2050 units in 1025 characters": ("settled", order("answered", "shipped", EMOJI * 1025), INVALID),
    "eight ids": ("settled", order("answered", "shipped", *["F1"] * 8), ("REPEATED_EVIDENCE", None)),
    "nine ids": ("settled", order("answered", "shipped", *["F1"] * 9), INVALID),
    "the second id is invented": ("settled", order("answered", "shipped", "F1", "F99"), ("INVENTED_EVIDENCE", None)),
    "an id that was not supplied": ("settled", order("answered", "shipped", "hidden"), ("INVENTED_EVIDENCE", None)),
    "a refusal with an invented id": ("silent", order("unknown", None, "F99"), ("INVENTED_EVIDENCE", None)),
    "no evidence": ("settled", order("answered", "shipped"), ("NO_EVIDENCE", None)),
    "another order": ("settled", order("answered", "shipped", "F1", order_id="B"), ("ORDER_MISMATCH", None)),
    "a refusal for another order": ("silent", order("unknown", None, order_id="B"), ("ORDER_MISMATCH", None)),
    "another order, an id twice": ("settled", order("answered", "shipped", "F1", "F1", order_id="B"), ("ORDER_MISMATCH", None)),
    "a guess beside a refusal": ("silent", order("unknown", "shipped"), ("MALFORMED_REFUSAL", None)),
    "evidence beside a refusal": ("silent", order("unknown", None, "F3"), ("MALFORMED_REFUSAL", None)),
    "a guess beside a needless refusal": ("settled", order("unknown", "shipped"), ("MALFORMED_REFUSAL", None)),
    "a needless refusal": ("settled", order("unknown", None), ("NEEDLESS_REFUSAL", None)),
    "an id twice": ("settled", order("answered", "shipped", "F1", "F1"), ("REPEATED_EVIDENCE", None)),
    "an id twice, two values": ("contradicted", order("answered", "shipped", "F1", "F1"), ("REPEATED_EVIDENCE", None)),
    "two values": ("contradicted", order("answered", "shipped", "F1"), ("CONFLICTING_FACTS", None)),
    "two values over time": ("contradicted-over-time", order("answered", "shipped", "F1"), ("CONFLICTING_FACTS", None)),
    "no value": ("silent", order("answered", "shipped", "F5"), ("NO_SUPPORTING_FACT", None)),
    "the second fact of another order": ("settled", order("answered", "shipped", "F1", "F7"), ("EVIDENCE_OUT_OF_SCOPE", None)),
    "a fact of another field": ("settled", order("answered", "shipped", "F6"), ("EVIDENCE_OUT_OF_SCOPE", None)),
    "a fact that says nothing": ("settled", order("answered", "shipped", "F3"), ("EVIDENCE_OUT_OF_SCOPE", None)),
    "stale, of another order": ("settled", order("answered", "shipped", "F4", "F7"), ("EVIDENCE_OUT_OF_SCOPE", None)),
    "the second fact is stale": ("settled", order("answered", "shipped", "F1", "F4"), ("STALE_EVIDENCE", None)),
    "a fact of no revision": ("settled", order("answered", "shipped", "F5"), ("STALE_EVIDENCE", None)),
    "a fact of a newer revision": ("of an older revision", order("answered", "packed", "F4", "F1"), ("STALE_EVIDENCE", None)),
    "any revision": ("any-revision", order("answered", "shipped", "F5"), OK),
    "another answer": ("settled", order("answered", "packed", "F1"), ("ANSWER_MISMATCH", None)),
    "no answer": ("settled", order("answered", None, "F1"), ("ANSWER_MISMATCH", None)),
    "another case": ("settled", order("answered", "Shipped", "F1"), ("ANSWER_MISMATCH", None)),
    "a value of 2048 units": ("long", order("answered", "z" * 2048, "F9"), OK),
}  # fmt: skip

BOUNDARY: Final[Mapping[str, Boundary]] = {"config-claims": CONFIG_CASES, "order-status": ORDER_CASES}

#: file, old text, new text; then the small suite, and the edit of it (file, old, new) that the loader must refuse.
SuiteBug = tuple[str, str, str, str, str, str, str]

BUGS: Final[Mapping[str, Bug]] = {
    # The strict reader
    "a candidate may be one unit longer": (JSON, "MAX_UNITS: Final = 8192", "MAX_UNITS: Final = 8193", "boundary, comparison"),
    "a candidate must be one unit shorter": (JSON, "MAX_UNITS: Final = 8192", "MAX_UNITS: Final = 8191", "boundary, comparison"),
    "the candidate is counted in characters": (JSON, "is_longer(text, max_units):", "len(text) > max_units:", "boundary"),
    "texts are counted in characters": (JSON, "len(text) > limit // 2 and units(text) > limit", "len(text) > limit", "boundary, comparison"),
    "U+FFFF counts two": (JSON, '"\\uffff".__lt__', '"\\uffff".__le__', "boundary"),
    "a surrogate may stand in the text": (JSON, "if not text.isascii() and (lone :=", "if False and (lone :=", "boundary, comparison"),
    "nesting ends one level too early": (JSON, "MAX_DEPTH: Final = 16", "MAX_DEPTH: Final = 2", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.4, A7.5, A8.1"),
    "no escape is looked at": (JSON, "if end < len(text):", "if False:", "boundary, comparison"),
    "the last low surrogates are no pairs": (JSON, "[c-fC-F][0-9a-fA-F]{2}", "[c-eC-E][0-9a-fA-F]{2}", "boundary"),
    "an unpaired surrogate is a plain escape": (JSON, "(?![dD][89a-fA-F])", "", "boundary, comparison"),
    "escapes have small letters only": (JSON, "[0-9a-fA-F]{4}\"", "[0-9a-f]{4}\"", "boundary, comparison"),
    "a slash is not escaped": (JSON, r"""["\\/bfnrt]""", r"""["\\bfnrt]""", "boundary"),
    "the last of doubled names wins": (JSON, "if len(members) != len(pairs):", "if False:", "boundary, comparison, labels, A7.1, A7.2, A7.3, A8.1"),
    "names may be doubled where the values agree": (JSON, "!= len(pairs):", "!= len(set(map(repr, pairs))):", "boundary, comparison, labels, A7.1, A7.2, A7.3, A8.1"),
    "NaN is null": (JSON, "raise _RefusedError  # J3: NaN, Infinity, -Infinity", "return None", "boundary"),
    "what follows the value is not looked at": (JSON, "_DECODER.decode(text)", "_DECODER.raw_decode(text)[0]", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "any white space may stand around": (JSON, "_DECODER.decode(text)", "_DECODER.decode(text.strip())", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.4, A8.1"),
    "a byte order mark is skipped": (JSON, "_DECODER.decode(text)", '_DECODER.decode(text.lstrip("\\ufeff"))', "boundary, comparison"),
    "control characters may stand in strings": (JSON, "json.JSONDecoder(", "json.JSONDecoder(strict=False, ", "boundary, comparison"),
    "a number is a text": (JSON, "return Number(literal)", "return literal", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    # config-claims
    "a member more": (CONFIG, 'value.keys() != {"claims"}', '"claims" not in value', "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "seven claims": (CONFIG, "MAX_CLAIMS: Final = 8", "MAX_CLAIMS: Final = 7", "boundary, comparison"),
    "nine claims": (CONFIG, "len(items) > MAX_CLAIMS", "len(items) > MAX_CLAIMS + 1", "boundary, comparison"),
    "a string may be one unit longer": (CONFIG, "is_longer(text, MAX_STRING):", "is_longer(text, MAX_STRING + 1):", "boundary, comparison"),
    "a string must be one unit shorter": (CONFIG, "is_longer(text, MAX_STRING):", "is_longer(text, MAX_STRING - 1):", "boundary, comparison"),
    "a string is counted in characters": (CONFIG, "is_longer(text, MAX_STRING):", "len(text) > MAX_STRING:", "boundary, comparison"),
    "an empty string": (CONFIG, "if not text:", "if False:", "boundary, comparison"),
    "a fifth member": (CONFIG, "item.keys() != _CLAIM_MEMBERS:", "not item.keys() >= _CLAIM_MEMBERS:", "comparison, no run"),
    "no claim is enough": (CONFIG, "if not claims:", "if False:", "boundary, comparison, labels, A7.1, A7.2, A8.1"),
    "the baseline looks at the first claim only": (CONFIG, "if document is None or claim.quote not in document.text:", "if index == 0 and (document is None or claim.quote not in document.text):", "boundary, comparison, no run"),
    "a quotation from any document": (CONFIG, "claim.quote not in document.text:", "not any(claim.quote in each.text for each in request.supplied.values()):", "boundary, comparison"),
    "a quotation is trimmed": (CONFIG, "claim.quote not in document.text:", "claim.quote.strip() not in document.text:", "boundary, comparison, labels, A7.1, A7.2, A8.1"),
    "the deciding claim of the baseline is always the first": (CONFIG, '_REJECTIONS["NO_CITATION", index]', '_REJECTIONS["NO_CITATION", 0]', "boundary, comparison, A7.4"),
    "no claim decides": (CONFIG, "_REJECTIONS[status, index]", "_REJECTIONS[status, None]", "boundary, comparison, A7.4"),
    "the full contract looks at no claim": (CONFIG, "status = _broken(claim, request=request, earlier=accepted)", "status = None", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.4, A7.5, A8.1"),
    "the quotation is what is accepted": (CONFIG, "accepted[claim.field] = claim.value", "accepted[claim.field] = claim.quote", "comparison, A7.5"),
    "a field twice, if the values agree": (CONFIG, "if claim.field in earlier:", "if earlier.get(claim.field) == claim.value:", "boundary, comparison"),
    "C3.2 after C3.3": (CONFIG, "if claim.field not in request.fields:", "if claim.field not in request.fields and (document.service, document.environment) == (request.service, request.environment):", "boundary, comparison"),
    "C3.3 after C3.4": (CONFIG, " or document.environment != request.environment:", " or (document.environment != request.environment and document.revision == request.revision):", "boundary, comparison"),
    "service or environment will do": (CONFIG, "document.service != request.service or", "document.service != request.service and", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.4, A7.5, A8.1"),
    "the environment is not compared": (CONFIG, " or document.environment != request.environment", "", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.4, A7.5, A8.1"),
    "a newer revision will do": (CONFIG, "document.revision != request.revision", "document.revision < request.revision", "boundary, comparison"),
    "an older revision will do": (CONFIG, "document.revision != request.revision", "document.revision > request.revision", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.4, A7.5, A8.1"),
    "C3.4 after C3.5": (CONFIG, "if document.revision != request.revision:", "if document.revision != request.revision and document.facts.get(claim.field) == claim.value:", "boundary, comparison"),
    "a part of the value will do": (CONFIG, "document.facts.get(claim.field) != claim.value", 'claim.value not in document.facts.get(claim.field, "")', "boundary"),
    "a fact that is not there supports anything": (CONFIG, "document.facts.get(claim.field) != claim.value", "document.facts.get(claim.field, claim.value) != claim.value", "boundary, comparison"),
    "C3.5 after C3.6": (CONFIG, "if document.facts.get(claim.field) != claim.value:", 'if document.facts.get(claim.field) != claim.value and claim.quote == f"{claim.field}={claim.value}":', "boundary, comparison, labels, A7.1, A8.1"),
    "the quotation need only begin so": (CONFIG, 'claim.quote != f"{claim.field}={claim.value}"', 'not claim.quote.startswith(f"{claim.field}={claim.value}")', "boundary, comparison"),
    "the quotation need only hold the value": (CONFIG, 'claim.quote != f"{claim.field}={claim.value}"', "claim.value not in claim.quote", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.4, A7.5, A8.1"),
    "one field is enough": (CONFIG, "if len(accepted) < len(request.fields):", "if not accepted:", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "the first claim decides that a field is missing": (CONFIG, '_REJECTIONS["INCOMPLETE", None]', '_REJECTIONS["INCOMPLETE", 0]', "boundary, comparison, A7.4"),
    "what is malformed counts as ungrounded": (CONFIG, '"malformed" if status == INVALID_JSON else "ungrounded"', '"ungrounded"', "comparison, A7.3, A8.1"),
    "every document counts as supplied": (CONFIG, "{key: registry[key] for key in supplied if key}", "dict(registry)", "boundary, comparison, labels, A7.1, A7.2, A8.1"),
    # Both contracts
    "the first layer reuses the second's answer": (BASE, "strict_json=not by_strict,", "strict_json=not (by_strict or by_citation),", "comparison, A7.2, A8.1"),
    "the second layer forgets the first": (BASE, "citation_exists=not (by_strict or by_citation)", "citation_exists=not by_citation", "comparison, A7.2, A8.1"),
    "the third layer reuses the second's answer": (BASE, "full_contract=False,", "full_contract=not (by_strict or by_citation),", "comparison, A7.2, A8.1"),
    "an accepted answer fails the baseline": (BASE, "            citation_exists=True,\n", "            citation_exists=False,\n", "comparison, A7.2, A8.1"),
    "the accepted mapping is in the candidate's order": (BASE, "dict(sorted(accepted.items()))", "dict(accepted)", "comparison, A2.6"),
    # order-status
    "seven ids": (ORDER, "MAX_EVIDENCE: Final = 8", "MAX_EVIDENCE: Final = 7", "boundary, comparison"),
    "nine ids": (ORDER, "MAX_EVIDENCE: Final = 8", "MAX_EVIDENCE: Final = 9", "boundary, comparison"),
    "an answer must be one unit shorter": (ORDER, "is_longer(answer, MAX_STRING)", "is_longer(answer, MAX_STRING - 1)", "boundary, comparison"),
    "an answer may be one unit longer": (ORDER, "MAX_STRING: Final = 2048", "MAX_STRING: Final = 2049", "boundary, comparison"),
    "an answer of any length": (ORDER, "not isinstance(answer, str) or is_longer(answer, MAX_STRING)", "not isinstance(answer, str)", "boundary, comparison"),
    "any status": (ORDER, "if status not in (ANSWERED, UNKNOWN):", "if not isinstance(status, str):", "boundary, comparison"),
    "the first id only is looked up": (ORDER, "for cited in answer.evidence):", "for cited in answer.evidence[:1]):", "boundary, comparison, no run"),
    "a refusal may cite what does not exist": (ORDER, "if any(cited not in", "if answer.status == ANSWERED and any(cited not in", "boundary, comparison, labels, A7.1, A7.2, A8.1"),
    "a refusal needs evidence": (ORDER, "if answer.status == ANSWERED and not answer.evidence:", "if not answer.evidence:", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "an answer needs no evidence": (ORDER, "if answer.status == ANSWERED and not answer.evidence:", "if False:", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "a refusal for any order": (ORDER, "def _refusal(answer: Answer, request: Request) -> str:\n    if answer.order_id != request.order_id:", "def _refusal(answer: Answer, request: Request) -> str:\n    if False:", "boundary, comparison, labels, A7.1, A7.3, A8.1"),
    "a refusal may come with a guess": (ORDER, "if answer.answer is not None or answer.evidence:", "if answer.evidence:", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "O3.2 after O3.3": (ORDER, "if answer.answer is not None or answer.evidence:", "if len(request.values) != 1 and (answer.answer is not None or answer.evidence):", "boundary, comparison"),
    "every refusal is right": (ORDER, "len(request.values) == 1 else", "False else", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "no refusal is right where there are facts": (ORDER, "len(request.values) == 1 else", "request.values else", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "an id twice": (ORDER, "if len(set(answer.evidence)) < len(answer.evidence):", "if False:", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "O3.4 before O3.1": (ORDER, "    scope = (request.order_id, request.field)\n", '    scope = (request.order_id, request.field)\n    if len(set(answer.evidence)) < len(answer.evidence):\n        return "REPEATED_EVIDENCE"\n', "boundary, comparison"),
    "O3.4 after O3.5": (ORDER, "if len(set(answer.evidence)) < len(answer.evidence):", "if len(request.values) == 1 and len(set(answer.evidence)) < len(answer.evidence):", "boundary, comparison"),
    "contradictions are let pass": (ORDER, "if len(request.values) > 1:", "if False:", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "a missing value is let pass": (ORDER, "if not request.values:", "if False:", "boundary, comparison, labels, A7.1, A8.1"),
    "evidence of any order": (ORDER, "(fact.order_id, fact.field) != scope or", "fact.field != scope[1] or", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "evidence of any field": (ORDER, "(fact.order_id, fact.field) != scope or", "fact.order_id != scope[0] or", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "a silent fact is evidence": (ORDER, " or fact.value is None for fact in cited", " for fact in cited", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "O3.7 after O3.8": (ORDER, "if any((fact.order_id, fact.field) != scope or", "if all(fact.revision == request.revision for fact in cited) and any((fact.order_id, fact.field) != scope or", "boundary, comparison"),
    "the first fact only must be current": (ORDER, "any(fact.revision != request.revision for fact in cited)", "any(fact.revision != request.revision for fact in cited[:1])", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "stale facts count": (ORDER, "and revision in (None, fact.revision)", "and True", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "a request of no revision takes facts of none only": (ORDER, "and revision in (None, fact.revision)", "and revision == fact.revision", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "silent facts count": (ORDER, "                and fact.value is not None\n", "", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "facts that were not supplied count": (ORDER, "for fact in supplied.values()", "for fact in registry.values()", "boundary, comparison, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "no answer is an answer": (ORDER, "answer.answer in request.values else", "answer.answer in {None, *request.values} else", "boundary, labels, A7.1, A7.2, A7.3, A7.5, A8.1"),
    "capitals do not matter": (ORDER, "ACCEPT if answer.answer in request.values else", "ACCEPT if (answer.answer or '').casefold() in request.values else", "boundary"),
    "the status is what is accepted": (ORDER, "{request.field: answer.answer}", "{request.field: answer.status}", "comparison, A7.5"),
    "an honest refusal counts as grounded": (ORDER, '"honest_refusal" if refused else "grounded"', '"grounded"', "comparison, A7.3, A8.1"),
    "a wrong refusal counts as ungrounded": (ORDER, '"malformed" if refused or status == INVALID_JSON else "ungrounded"', '"malformed" if status == INVALID_JSON else "ungrounded"', "comparison, A7.3, A8.1"),
    "a needless refusal is malformed": (ORDER, 'if status == "NEEDLESS_REFUSAL":', "if False:", "comparison, A7.3, A8.1"),
    # The runner
    "the label follows the verdict": ("runner.py", '"expected": result.case.expected', '"expected": result.verdict.status', "A6.3"),
    "every label is matched": ("runner.py", "return self.verdict.status == self.case.expected", "return True", "A8.1"),
    "false accepts go by the verdict": ("runner.py", "self.case.expected != ACCEPT", "self.verdict.status != ACCEPT", "A8.1"),
    "false accepts are those of the first layer": ("runner.py", "self.verdict.passes(CITATION_EXISTS) and", "self.verdict.strict_json and", "A8.1"),
    "every layer has the first one's total": ("runner.py", "{layer: self.passed(layer) for layer in LAYERS}", "{layer: self.passed(LAYERS[0]) for layer in LAYERS}", "A8.1"),
    "every layer has the first one's pass": ("runner.py", "{layer: verdict.passes(layer) for layer in LAYERS}", "{layer: verdict.passes(LAYERS[0]) for layer in LAYERS}", "A7.2"),
    "the last case is left out": ("runner.py", "for case in suite.cases:", "for case in suite.cases[:-1]:", "A6.2, A8.1"),
    "a case is judged twice": ("runner.py", "for case in suite.cases:", "for case in (*suite.cases, suite.cases[0]):", "A6.2, A8.1"),
    "the cases are sorted": ("runner.py", "for case in suite.cases:", "for case in sorted(suite.cases, key=lambda case: case.id):", "A6.2"),
    "the first request is used for all": ("runner.py", "suite.requests[case.request]", "next(iter(suite.requests.values()))", "labels, A7.1, A7.2, A7.3, A7.4, A7.5, A8.1"),
    "outcomes that nobody met are left out": ("runner.py", "for outcome in self.suite.contract.outcomes}", "for outcome in self.suite.contract.outcomes if outcomes[outcome]}", "A2.5"),
    "no accepted mapping is recorded": ("runner.py", '"accepted": dict(verdict.accepted)', '"accepted": {}', "A7.5"),
    "the deciding claim is counted from one": ("runner.py", '"claim": verdict.claim', '"claim": None if verdict.claim is None else verdict.claim + 1', "A7.4"),
    "predictions are not recorded": ("runner.py", "        if prediction is None\n", "        if True\n", "A6.4"),
    "a predicted reject is always a hit": ("runner.py", "return not passes and predicted in", "return predicted in", "A8.1"),
    "a predicted status is never a hit": ("runner.py", 'predicted in ("reject", verdict.status)', 'predicted == "reject"', "A8.1"),
    "predictions are recorded from the last layer on": ("runner.py", "for layer in LAYERS if layer in prediction}", "for layer in LAYERS[::-1] if layer in prediction}", "A2.6"),
    "predictions are not counted": ("runner.py", "if all(result.case.prediction is None", "if True or all(result.case.prediction is None", "A8.1"),
    # The run directory
    "results are written in ASCII": ("run_directory.py", "ensure_ascii=False", "ensure_ascii=True", "A2.6"),
    "results are indented by one": ("run_directory.py", "indent=2", "indent=1", "A2.3, A2.6"),
    "no line feed ends a document": ("run_directory.py", 'indent=2) + "\\n")', "indent=2))", "A2.3, A2.6"),
    "the sums leave the manifest out": ("run_directory.py", "for path, data in sorted(files.items())).encode()", "for path, data in sorted(files.items()) if path != MANIFEST).encode()", "A3.1"),
    "the sums are not sorted": ("run_directory.py", "for path, data in sorted(files.items())).encode()", "for path, data in reversed(sorted(files.items()))).encode()", "A3.1"),
    "the sums have one space": ("run_directory.py", '{digest(data)}  {path}\\n', '{digest(data)} {path}\\n', "A3.1, A3.2"),
    "the inputs are listed by bare names": ("run_directory.py", 'f"{INPUTS}/{name}": digest(data)', "name: digest(data)", "A2.2"),
    "the digest of the results is that of the suite": ("run_directory.py", '"outputs": {RESULTS: results_digest}', '"outputs": {RESULTS: suite.digest}', "A3.4"),
    "every run is said to be frozen": ("run_directory.py", '"frozen": suite.frozen', '"frozen": True', "A4.1"),
    "no run is said to be frozen": ("run_directory.py", '"frozen": suite.frozen', '"frozen": False', "A4.1"),
    "inputs are copied with CRLF": ("run_directory.py", 'f"{INPUTS}/{name}": data for', 'f"{INPUTS}/{name}": data.replace(b"\\n", b"\\r\\n") for', "A3.3, A3.5, A4.1, A6.1"),
    "the last byte is not written": ("run_directory.py", "view = memoryview(data)", "view = memoryview(data)[:-1]", "A2.3, A2.6, A3.1, A3.2, A3.3, A3.4, A3.5, A4.1"),
    "the sums come under their unfinished name": ("run_directory.py", "        os.rename(path, target)\n", "", "A1.2"),
    "the sources are not sorted": ("run_directory.py", "dict(sorted(provenance.sources.items()))", "dict(reversed(sorted(provenance.sources.items())))", "A2.3"),
    # Where a run comes from
    "the auditor is no source": ("provenance.py", '    "audit.py",\n', "", "A5.1, A5.2"),
    "the sources are taken without their last byte": ("provenance.py", "hashlib.sha256(data).hexdigest() for path", "hashlib.sha256(data[:-1]).hexdigest() for path", "A5.2"),
    "the time is written with a space": ("provenance.py", "%Y-%m-%dT%H", "%Y-%m-%d %H", "A2.2"),
    # Reading the suite
    "a candidate is trimmed": ("cases.py", "return self.checker.text(value, path, empty=True)", "return self.checker.text(value, path, empty=True).strip()", "labels, A7.1, A7.2, A7.3, A7.4, A8.1"),
    "the suite digest is not sorted": ("suite_files.py", "for name in sorted(digests)).encode()", "for name in digests).encode()", "no run, A3.5"),
    "a suite is frozen by its name": ("suite.py", "frozen = pins.get(head.name) == digest", "frozen = head.name in pins", "A4.1"),
}  # fmt: skip

SUITE_BUGS: Final[Mapping[str, SuiteBug]] = {
    "a key twice": ("yaml_reading.py", "if top.repeated:  # F1.4", "if False:", "small-config", "cases.yaml", "    group: all\n", "    group: all\n    group: all\n"),
    "an anchor": ("yaml_reading.py", "if event.anchor is not None:", "if False:", "small-config", "suite.yaml", "title: ", "title: &a "),
    "a tag": ("yaml_reading.py", "if tag is not None:", "if False:", "small-config", "suite.yaml", "title: ", "title: !!str "),
    "a text over two lines": ("yaml_reading.py", "        self._spread = _Spread(self.faults[-1], last, bool(event.style))\n", "        self.faults.pop()\n", "small-config", "suite.yaml", "title: ", "title: Two\n  "),
    "a marker": ("yaml_reading.py", "        if event.explicit:\n", "        if False:\n", "small-config", "suite.yaml", "suite: ", "---\nsuite: "),
    "a CR": ("strict_yaml.py", '"[\\r\\x85', '"[\\x85', "small-config", "suite.yaml", "\ntitle", "\r\ntitle"),
    "a tab": ("strict_yaml.py", "    if lines:\n", "    if False:\n", "small-config", "suite.yaml", "title: ", "# a\tb\ntitle: "),
    "a comment behind a value": ("strict_yaml.py", "if span.plain and", "if False and", "small-config", "suite.yaml", "tests\n", "tests # or so\n"),
    "a number with a point": ("yaml_words.py", "if not tags and text not in _YES_NO:", "if True:", "small-config", "suite.yaml", "title: A suite for the auditor's tests", "title: 1.10"),
    "a yes": ("yaml_words.py", "if not tags and text not in _YES_NO:", "if not tags:", "small-config", "suite.yaml", "title: A suite for the auditor's tests", "title: y"),
    "an integer for a text": ("shapes.py", "        if not isinstance(value, str):\n            mend", "        if isinstance(value, int):\n            return str(value)\n        if not isinstance(value, str):\n            mend", "small-config", "suite.yaml", "title: A suite for the auditor's tests", "title: 7"),
    "a member that nobody knows": ("shapes.py", "if key not in known:", "if False:", "small-config", "suite.yaml", "title:", "note: x\ntitle:"),
    "an empty text": ("shapes.py", '        if not value and not empty:\n            self.fault(path, "is an empty text', '        if False:\n            self.fault(path, "is an empty text', "small-config", "suite.yaml", "title: A suite for the auditor's tests", "title: ''"),
    "a line break in a value": ("shapes.py", 'if one_line and ("\\n" in value or "\\r" in value):', "if False:", "small-order", "registry.yaml", "value: lost, text: It is lost.", 'value: "lo\\nst", text: "lo\\nst"'),
    "an id in capitals": ("shapes.py", "if text and not pattern.fullmatch(text):", "if False:", "small-config", "cases.yaml", "- id: twice", "- id: Twice"),
    "an id that only begins well": ("shapes.py", "pattern.fullmatch(text)", "pattern.match(text)", "small-config", "cases.yaml", "- id: twice", "- id: twice_"),
    "a negative total": ("shapes.py", "if value < 0:", "if False:", "small-frozen", "suite.yaml", "cases: 16", "cases: -16"),
    "a document supplied twice": ("shapes.py", "if word and word in chosen:", "if False:", "small-config", "cases.yaml", "supplied: [now, ", "supplied: [now, now, "),
    "an id twice": ("cases.py", "if case.id and earlier != index:  # F5.6", "if False:", "small-config", "cases.yaml", "- id: half", "- id: twice"),
    "a reject without a pair": ("cases.py", "elif case.pair is None:", "elif False:", "small-order", "cases.yaml", "expected: NO_EVIDENCE\n    pair: answered\n", "expected: NO_EVIDENCE\n"),
    "an accept with a pair": ("cases.py", "if case.pair is not None:", "if False:", "small-order", "cases.yaml", "  - id: both-cited\n", "  - id: both-cited\n    pair: answered\n"),
    "a reject for a pair": ("cases.py", 'labels.get(case.pair) not in (ACCEPT, ""):', "case.pair not in labels:", "small-order", "cases.yaml", "expected: NO_EVIDENCE\n    pair: answered\n", "expected: NO_EVIDENCE\n    pair: guess\n"),
    "a status of a later layer predicted": ("cases.py", "rejects += self.known.contract.layers[number].rejects", "rejects += self.known.contract.statuses[:-1]", "small-config", "cases.yaml", "citation_exists: reject", "citation_exists: INCOMPLETE"),
    "a prediction of nothing": ("cases.py", "if isinstance(value, Mapping) and not value:", "if False:", "small-config", "cases.yaml", "prediction: {full_contract: NO_CITATION}", "prediction: {}"),
    "a document id twice": (CONFIG, "if document.id in documents:", "if False:", "small-config", "registry.yaml", "{id: secret", "{id: old"),
    "a fact that is no line of its text": (CONFIG, 'line not in texts["text"].split("\\n")', 'line not in texts["text"]', "small-config", "registry.yaml", "text: spare=1", "text: spare=10"),
    "a value that its text does not hold": (ORDER, "if value and text and value not in text:  # F4.3", "if False:", "small-order", "registry.yaml", "text: It is lost.", "text: It is gone."),
}  # fmt: skip
