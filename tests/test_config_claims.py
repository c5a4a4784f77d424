"""Clauses C1 to C4, and F3 and F5.3, of the contract `config-claims`.

Every row is the base answer with one named defect; the whole verdict is asserted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import pytest
from candidates import CONFIG_REGISTRY, CONFIG_REQUESTS, EMOJI, LONG, REMARK

from grounded_claims.contracts.base import Verdict
from grounded_claims.contracts.config_claims import ConfigClaims, Request, read_claims
from grounded_claims.shapes import Checker
from grounded_claims.strict_json import Malformed, units

CONTRACT = ConfigClaims()
Claim = dict[str, Any]


def claim(field: str, value: str, doc: str = "right", *, quote: str | None = None) -> Claim:
    return {"field": field, "value": value, "doc": doc, "quote": quote or f"{field}={value}"}


TIMEOUT = claim("timeout", "5000")
RETRY = claim("retry", "false")
BASE = (TIMEOUT, RETRY)
ACCEPTED = {"retry": "false", "timeout": "5000"}


def request(members: Mapping[str, Any] = CONFIG_REQUESTS["both"], **changes: Any) -> Request:
    checker = Checker()
    registry = CONTRACT.read_registry(CONFIG_REGISTRY, checker)
    built = CONTRACT.read_request({**members, **changes}, registry, checker, ())
    assert checker.faults == []
    return built


def answer(*claims: Any) -> str:
    return json.dumps({"claims": list(claims)}, ensure_ascii=False)


def judge(candidate: str, **changes: Any) -> Verdict:
    return CONTRACT.judge(candidate, request(**changes))


def rejected(status: str, claim: int | None = None) -> Verdict:
    """Return the verdict of a rejecting status, as V1 and C4.1 have it."""
    return Verdict(
        status=status,
        outcome="malformed" if status == "INVALID_JSON" else "ungrounded",
        strict_json=status != "INVALID_JSON",
        citation_exists=status not in ("INVALID_JSON", "NO_CITATION"),
        full_contract=False,
        claim=claim,
        accepted={},
    )


def accepted(mapping: Mapping[str, str | None]) -> Verdict:
    return Verdict(
        status="ACCEPT",
        outcome="grounded",
        strict_json=True,
        citation_exists=True,
        full_contract=True,
        claim=None,
        accepted=mapping,
    )


def test_the_base_is_accepted() -> None:
    assert judge(answer(*BASE)) == accepted(ACCEPTED)


def test_the_statuses_and_outcomes_are_those_of_the_contract() -> None:
    """C2 to C4: names and precedence."""
    assert CONTRACT.statuses == (
        *("INVALID_JSON", "NO_CITATION", "DUPLICATE_CLAIM", "UNREQUESTED_FIELD", "SCOPE_MISMATCH"),
        *("STALE_REVISION", "VALUE_MISMATCH", "QUOTE_NOT_SUPPORTING", "INCOMPLETE", "ACCEPT"),
    )
    assert [layer.rejects for layer in CONTRACT.layers] == [
        CONTRACT.statuses[:1],
        CONTRACT.statuses[1:2],
        CONTRACT.statuses[2:-1],
    ]
    assert CONTRACT.outcomes == ("grounded", "ungrounded", "malformed")


# C1: the shape

NO_OBJECT = "the value is not an object with the one member 'claims'"
NO_CLAIM = "claims[1] is not an object with exactly the members field, value, doc, quote"

MISSHAPEN: dict[str, tuple[str, str]] = {
    "C1.1 an array": ("[]", NO_OBJECT),
    "C1.1 null": ("null", NO_OBJECT),
    "C1.1 a string": ('"claims"', NO_OBJECT),
    "C1.1 the claims alone": (json.dumps(BASE), NO_OBJECT),
    "C1.1 an empty object": ("{}", NO_OBJECT),
    "C1.1 a member more": (json.dumps({"claims": BASE, "note": ""}), NO_OBJECT),
    "C1.1 a name in capitals": (json.dumps({"Claims": BASE}), NO_OBJECT),
    "C1.2 null for claims": ('{"claims":null}', "'claims' is not an array"),
    "C1.2 one claim without its array": (json.dumps({"claims": TIMEOUT}), "'claims' is not an array"),
    "C1.2 a string for claims": ('{"claims":""}', "'claims' is not an array"),
    "C1.2 nine claims": (answer(*[TIMEOUT] * 9), "there are 9 claims; at most 8 are taken"),
    "C1.3 null for a claim": (answer(TIMEOUT, None), NO_CLAIM),
    "C1.3 a string for a claim": (answer(TIMEOUT, "retry=false"), NO_CLAIM),
    "C1.3 an array for a claim": (answer(TIMEOUT, list(RETRY.values())), NO_CLAIM),
    "C1.3 an empty claim": (answer(TIMEOUT, {}), NO_CLAIM),
    "C1.3 a claim without its document": (
        answer(TIMEOUT, {name: RETRY[name] for name in ("field", "value", "quote")}),
        NO_CLAIM,
    ),
    "C1.3 a claim without its quote": (
        answer(TIMEOUT, {name: RETRY[name] for name in ("field", "value", "doc")}),
        NO_CLAIM,
    ),
    "C1.3 a fifth member": (answer(TIMEOUT, {**RETRY, "extra": "x"}), NO_CLAIM),
    "C1.3 a member in capitals": (
        answer(TIMEOUT, {"field": "retry", "value": "false", "doc": "right", "Quote": "retry=false"}),
        NO_CLAIM,
    ),
    "C1.4 a number": (answer(TIMEOUT, {**RETRY, "value": 5000}), "claims[1].value is not a string"),
    "C1.4 a number with a point": (
        answer(TIMEOUT, {**RETRY, "value": 5000.0}),
        "claims[1].value is not a string",
    ),
    "C1.4 a number with an exponent": (
        answer({**TIMEOUT, "value": 0}).replace("0", "5e3", 1),
        "claims[0].value is not a string",
    ),
    "C1.4 a boolean": (answer(TIMEOUT, {**RETRY, "value": False}), "claims[1].value is not a string"),
    "C1.4 null": (answer(TIMEOUT, {**RETRY, "quote": None}), "claims[1].quote is not a string"),
    "C1.4 an array": (answer({**TIMEOUT, "value": [5000]}, RETRY), "claims[0].value is not a string"),
    "C1.4 an object": (answer({**TIMEOUT, "doc": {}}, RETRY), "claims[0].doc is not a string"),
    **{
        f"C1.4 an empty {name}": (answer(TIMEOUT, {**RETRY, name: ""}), f"claims[1].{name} is empty")
        for name in RETRY
    },
    **{
        f"C1.4 a {name} of 2049 units": (
            answer(TIMEOUT, {**RETRY, name: "x" * 2049}),
            f"claims[1].{name} is longer than 2048 UTF-16 code units",
        )
        for name in RETRY
    },
    **{
        f"C1.4 a {name} of 1025 characters, 2050 units": (
            answer(TIMEOUT, {**RETRY, name: EMOJI * 1025}),
            f"claims[1].{name} is longer than 2048 UTF-16 code units",
        )
        for name in RETRY
    },
}


@pytest.mark.parametrize("name", MISSHAPEN)
def test_c1_another_shape_is_invalid(name: str) -> None:
    candidate, reason = MISSHAPEN[name]
    assert read_claims(candidate) == Malformed(reason, 0)
    assert judge(candidate) == rejected("INVALID_JSON")
    json.loads(candidate)  # so it is the shape that decides: the standard reader takes each of them


def test_c1_what_is_not_strict_json_keeps_its_reason() -> None:
    assert read_claims('{"claims":[],"claims":[]}') == Malformed(
        "the member 'claims' stands twice in one object", 13
    )
    assert judge('{"claims":[],"claims":[]}') == rejected("INVALID_JSON")


@pytest.mark.parametrize("first", ["5000", "9999"])
def test_j5_a_value_twice_is_invalid_whichever_comes_first(first: str) -> None:
    """bug-log J01."""
    second = {"5000": "9999", "9999": "5000"}[first]
    text = answer(*BASE).replace('"value": "5000"', f'"value": "{first}", "value": "{second}"')
    assert judge(text) == rejected("INVALID_JSON")


def test_c1_3_the_members_may_stand_in_any_order() -> None:
    turned = [dict(reversed(each.items())) for each in BASE]
    assert judge(answer(*turned)) == accepted(ACCEPTED)


def test_c1_2_eight_claims_are_well_formed_and_nine_are_not() -> None:
    assert judge(answer(*[TIMEOUT] * 8)) == rejected("DUPLICATE_CLAIM", 1)
    assert judge(answer(*[TIMEOUT] * 9)) == rejected("INVALID_JSON")


EDGES: dict[str, tuple[str, str, bool]] = {
    "one unit": ("x", "x", True),
    "2047 units": ("x" * 2047, "x" * 2047, True),
    "2048 units": ("x" * 2048, "x" * 2048, True),
    "2049 units": ("x" * 2049, "x" * 2049, False),
    "1024 emoji": (EMOJI * 1024, EMOJI * 1024, True),
    "1025 emoji": (EMOJI * 1025, EMOJI * 1025, False),
    "1023 emoji and two letters": (EMOJI * 1023 + "xx", EMOJI * 1023 + "xx", True),
    "1023 emoji and three letters": (EMOJI * 1023 + "xxx", EMOJI * 1023 + "xxx", False),
    "U+FFFF counts one": ("\uffff" * 2048, "\uffff" * 2048, True),
    "1300 escapes": (r"\u0041" * 1300, "A" * 1300, True),
    "682 pairs of escapes": (r"\ud83d\ude00" * 600, EMOJI * 600, True),
    "escapes that write 2049 units": (r"\n" * 2049, "\n" * 2049, False),
}


@pytest.mark.parametrize("name", EDGES)
def test_c1_4_a_string_is_at_most_2048_units_unescaped(name: str) -> None:
    written, text, within = EDGES[name]
    assert (1 <= units(text) <= 2048) is within
    candidate = '{"claims":[{"field":"' + written + '","value":"5000","doc":"right","quote":"timeout=5000"}]}'
    # Well formed, it fails on the first clause that such a field breaks.
    assert judge(candidate) == (rejected("UNREQUESTED_FIELD", 0) if within else rejected("INVALID_JSON"))


@pytest.mark.parametrize(("size", "within"), [(8191, True), (8192, True), (8193, False)])
@pytest.mark.parametrize("emoji", [0, 1, 300])
def test_j1_the_whole_answer_is_at_most_8192_units(*, size: int, within: bool, emoji: int) -> None:
    """bug-log J08: 8193 units are too many also where they are fewer code points."""
    text = answer(TIMEOUT, {**RETRY, "quote": EMOJI * emoji + "retry=false"})
    text += " " * (size - units(text))
    assert units(text) == size
    judged = rejected("INVALID_JSON") if not within else accepted(ACCEPTED) if not emoji else None
    assert judge(text) == (judged or rejected("NO_CITATION", 1))


def test_c1_2_an_empty_array_is_well_formed() -> None:
    assert read_claims('{"claims":[]}') == ()
    assert judge('{"claims":[]}') == rejected("NO_CITATION")  # C2.1: no claim decides


# C2: the citation baseline

UNCITED: dict[str, tuple[list[Claim], dict[str, Any], int]] = {
    "C2.2 a document that does not exist": ([TIMEOUT, {**RETRY, "doc": "nowhere"}], {}, 1),
    "C2.2 a document of the registry that was not supplied": ([TIMEOUT, {**RETRY, "doc": "hidden"}], {}, 1),
    "C2.2 no document was supplied": ([TIMEOUT, RETRY], {"supplied": []}, 0),
    "C2.2 only another document was supplied": ([TIMEOUT, RETRY], {"supplied": ["twin"]}, 0),
    "C2.2 the id in capitals": ([TIMEOUT, {**RETRY, "doc": "Right"}], {}, 1),
    "C2.2 the id with a space": ([TIMEOUT, {**RETRY, "doc": "right "}], {}, 1),
    "C2.3 one digit of the quote is another": ([TIMEOUT, {**RETRY, "quote": "retry=falze"}], {}, 1),
    "C2.3 the quote in capitals": ([TIMEOUT, {**RETRY, "quote": "Retry=false"}], {}, 1),
    "C2.3 a no-break space": ([{**TIMEOUT, "quote": "timeout=5000\u00a0"}, RETRY], {}, 0),
    "C2.3 a space after": ([{**TIMEOUT, "quote": "timeout=5000 "}, RETRY], {}, 0),
    "C2.3 two spaces for one": ([{**TIMEOUT, "quote": REMARK.replace(" ", "  ", 1)}, RETRY], {}, 0),
    "C2.3 a no-break space for a space": (
        [{**TIMEOUT, "quote": REMARK.replace(" ", "\u00a0", 1)}, RETRY],
        {},
        0,
    ),
    "C2.3 a tab for a space": ([{**TIMEOUT, "quote": REMARK.replace(" ", "\t", 1)}, RETRY], {}, 0),
    "C2.3 a line feed too many": ([{**TIMEOUT, "quote": f"{REMARK}\n\n"}, RETRY], {}, 0),
    "C2.3 a carriage return before the line feed": (
        [{**TIMEOUT, "quote": "timeout=5000\r\nretry=false"}, RETRY],
        {},
        0,
    ),
    "C2.3 a zero-width space within": ([{**TIMEOUT, "quote": "timeout=\u200b5000"}, RETRY], {}, 0),
    "C2.3 a letter and its accent apart": ([{**TIMEOUT, "quote": "e\u0301 "}, RETRY], {}, 0),
    "C2.3 the quote of another document": ([TIMEOUT, {**RETRY, "doc": "bare", "quote": "y" * 9}], {}, 1),
    "C2.3 a full-width equals sign": ([TIMEOUT, {**RETRY, "quote": "retry\uff1dfalse"}], {}, 1),
    "C2.4 two claims break it": ([TIMEOUT, {**RETRY, "doc": "a"}, {**RETRY, "doc": "b"}], {}, 1),
    "C2.4 the quote of the first, the document of the second": (
        [{**TIMEOUT, "quote": "?"}, {**RETRY, "doc": "nowhere"}],
        {},
        0,
    ),
}


@pytest.mark.parametrize("name", UNCITED)
def test_c2_no_citation(name: str) -> None:
    claims, changes, deciding = UNCITED[name]
    verdict = judge(answer(*claims), **changes)
    assert verdict == rejected("NO_CITATION", deciding)
    assert verdict.strict_json  # the weaker layer takes it


def test_c2_the_baseline_is_naive() -> None:
    """bug-log E02: what spans lines, or is one letter, occurs in the text; the full contract sees more."""
    for quote in (
        "timeout=5000\nretry=false",
        "=",
        " ",
        "\n",
        "t",
        "timeout",
        "timeout=500",
        LONG,
        EMOJI,
        "é ",
    ):
        verdict = judge(answer({**TIMEOUT, "quote": quote}, RETRY))
        assert verdict == rejected("QUOTE_NOT_SUPPORTING", 0)
        assert verdict.citation_exists


# C3: the full contract

BROKEN: dict[str, tuple[list[Claim], dict[str, Any], str, int | None]] = {
    "C3.1 the same claim twice": ([TIMEOUT, TIMEOUT, RETRY], {}, "DUPLICATE_CLAIM", 1),
    "C3.1 the same field from another document": (
        [TIMEOUT, RETRY, claim("timeout", "5000", "twin")],
        {},
        "DUPLICATE_CLAIM",
        2,
    ),
    "C3.1 the same field with another value": (
        [TIMEOUT, RETRY, claim("timeout", "9")],
        {},
        "DUPLICATE_CLAIM",
        2,
    ),
    "C3.2 a field that nobody asked for": ([*BASE, claim("extra", "1")], {}, "UNREQUESTED_FIELD", 2),
    "C3.2 a field that was not asked for this time": (
        [*BASE],
        {"fields": ["timeout"]},
        "UNREQUESTED_FIELD",
        1,
    ),
    "C3.2 the field in capitals": ([{**TIMEOUT, "field": "Timeout"}, RETRY], {}, "UNREQUESTED_FIELD", 0),
    "C3.2 a space after the field": ([{**TIMEOUT, "field": "timeout "}, RETRY], {}, "UNREQUESTED_FIELD", 0),
    "C3.3 another environment": ([TIMEOUT, {**RETRY, "doc": "dev"}], {}, "SCOPE_MISMATCH", 1),
    "C3.3 another service": ([TIMEOUT, {**RETRY, "doc": "billing"}], {}, "SCOPE_MISMATCH", 1),
    "C3.3 the request is in another environment": ([*BASE], {"environment": "Prod"}, "SCOPE_MISMATCH", 0),
    "C3.3 the request is of another service": ([*BASE], {"service": "payment"}, "SCOPE_MISMATCH", 0),
    "C3.4 an older revision": ([TIMEOUT, {**RETRY, "doc": "old"}], {}, "STALE_REVISION", 1),
    "C3.4 a newer revision than the request's": ([*BASE], {"revision": "v1"}, "STALE_REVISION", 0),
    "C3.4 a revision is a text": ([*BASE], {"revision": "v2.0"}, "STALE_REVISION", 0),
    "C3.5 another value": ([claim("timeout", "9"), RETRY], {}, "VALUE_MISMATCH", 0),
    "C3.5 another spelling of the value": ([{**TIMEOUT, "value": "5000.0"}, RETRY], {}, "VALUE_MISMATCH", 0),
    "C3.5 a unit beside the value": ([{**TIMEOUT, "value": "5000ms"}, RETRY], {}, "VALUE_MISMATCH", 0),
    "C3.5 the value negated": ([{**TIMEOUT, "value": "-5000"}, RETRY], {}, "VALUE_MISMATCH", 0),
    "C3.5 a space after the value": ([{**TIMEOUT, "value": "5000 "}, RETRY], {}, "VALUE_MISMATCH", 0),
    "C3.5 the value in capitals": ([TIMEOUT, {**RETRY, "value": "False"}], {}, "VALUE_MISMATCH", 1),
    "C3.5 the value of the other field": (
        [claim("timeout", "false", quote="retry=false"), RETRY],
        {},
        "VALUE_MISMATCH",
        0,
    ),
    "C3.5 the document has no such fact": ([TIMEOUT, {**RETRY, "doc": "bare"}], {}, "VALUE_MISMATCH", 1),
    "C3.6 the line of the other field": (
        [{**TIMEOUT, "quote": "retry=false"}, RETRY],
        {},
        "QUOTE_NOT_SUPPORTING",
        0,
    ),
    "C3.6 the sentence that gives orders": (
        [{**TIMEOUT, "quote": REMARK}, RETRY],
        {},
        "QUOTE_NOT_SUPPORTING",
        0,
    ),
    "C3.6 the line and its line feed": (
        [{**TIMEOUT, "quote": "timeout=5000\n"}, RETRY],
        {},
        "QUOTE_NOT_SUPPORTING",
        0,
    ),
    "C3.6 the line that follows too": (
        [{**TIMEOUT, "quote": "timeout=5000\nretry=false"}, RETRY],
        {},
        "QUOTE_NOT_SUPPORTING",
        0,
    ),
    "C3.6 the line without its last digit": (
        [{**TIMEOUT, "quote": "timeout=500"}, RETRY],
        {},
        "QUOTE_NOT_SUPPORTING",
        0,
    ),
    "C3.6 the value alone": ([{**TIMEOUT, "quote": "5000"}, RETRY], {}, "QUOTE_NOT_SUPPORTING", 0),
    "C3.7 the last field is missing": ([TIMEOUT], {}, "INCOMPLETE", None),
    "C3.7 the first field is missing": ([RETRY], {}, "INCOMPLETE", None),
    "C3.7 a third field was asked for": (
        [*BASE],
        {"fields": ["retry", "extra", "timeout"]},
        "INCOMPLETE",
        None,
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_c3_one_defect_is_one_status(name: str) -> None:
    claims, changes, status, deciding = BROKEN[name]
    verdict = judge(answer(*claims), **changes)
    assert verdict == rejected(status, deciding)
    assert verdict.strict_json  # both of the weaker layers take it
    assert verdict.citation_exists


ACCEPTED_TOO: dict[str, tuple[list[Claim], dict[str, Any], dict[str, str]]] = {
    "the claims in another order": ([RETRY, TIMEOUT], {}, ACCEPTED),
    "claims from two documents": ([TIMEOUT, {**RETRY, "doc": "twin"}], {}, ACCEPTED),
    "one field of one": ([TIMEOUT], {"fields": ["timeout"]}, {"timeout": "5000"}),
    "a document that is supplied, among others of another scope": (
        [*BASE],
        {"supplied": ["dev", "right"]},
        ACCEPTED,
    ),
    "the old revision where the request asks for it": (
        [{**TIMEOUT, "doc": "old"}, {**RETRY, "doc": "old"}],
        {"revision": "v1"},
        ACCEPTED,
    ),
    "a value of 2040 units": (
        [claim("timeout", "y" * 2040, "long")],
        {"fields": ["timeout"]},
        {"timeout": "y" * 2040},
    ),
    "a value of 2042 units in 1021 characters": (
        [claim("retry", EMOJI * 1021, "long")],
        {"fields": ["retry"]},
        {"retry": EMOJI * 1021},
    ),
}


@pytest.mark.parametrize("name", ACCEPTED_TOO)
def test_c3_8_whatever_breaks_no_clause_is_accepted(name: str) -> None:
    claims, changes, mapping = ACCEPTED_TOO[name]
    assert judge(answer(*claims), **changes) == accepted(mapping)


def test_c3_8_the_mapping_is_sorted_by_code_point_and_read_only() -> None:
    verdict = judge(
        answer(claim("timeout", "5000"), claim("extra", "1"), claim("retry", "false")),
        fields=["timeout", "retry", "extra"],
    )
    assert list(verdict.accepted.items()) == [("extra", "1"), ("retry", "false"), ("timeout", "5000")]
    with pytest.raises(TypeError, match="does not support item assignment"):
        verdict.accepted["timeout"] = "9"  # type: ignore[index]


def test_c3_9_the_mapping_of_a_rejection_is_read_only_too() -> None:
    with pytest.raises(TypeError, match="does not support item assignment"):
        judge("").accepted["timeout"] = "9"  # type: ignore[index]


# Precedence


def defective(defects: Iterable[str]) -> tuple[str, Request]:
    """Return an answer whose second claim (or whole) has the given defects and no others, and its request."""
    defects = set(defects)
    field, value = "retry", "false"
    if "DUPLICATE_CLAIM" in defects:
        field, value = "timeout", "5000"
    if "UNREQUESTED_FIELD" in defects:
        field, value = "extra", "1"
    if "VALUE_MISMATCH" in defects:
        value = "9"
    environment = "dev" if "SCOPE_MISMATCH" in defects else ""
    revision = "old" if "STALE_REVISION" in defects else ""
    doc = "-".join(part for part in (revision, environment) if part) or "right"
    quote = REMARK if "QUOTE_NOT_SUPPORTING" in defects else f"{field}={value}"
    if "NO_CITATION" in defects:
        doc = "nowhere"
    second = claim(field, value, doc, quote=quote)
    rest = [] if field == "retry" else [RETRY]
    value_of_all = {"claims": [TIMEOUT, second, *rest]}
    text = json.dumps({**value_of_all, **({"note": ""} if "INVALID_JSON" in defects else {})})
    fields = ["timeout", "retry"]
    return text, request(fields=[*fields, "spare"] if "INCOMPLETE" in defects else fields)


ORDER = CONTRACT.statuses[:-1]


def subsets() -> Iterable[tuple[str, ...]]:
    """Yield each set of defects that one answer can have.

    A claim whose field repeats an earlier one cannot be unrequested as well, for the earlier claim would have
    been so and would have decided.
    """
    for size in range(1, len(ORDER) + 1):
        for defects in combinations(ORDER, size):
            if not {"DUPLICATE_CLAIM", "UNREQUESTED_FIELD"} <= set(defects):
                yield defects


def test_precedence_of_every_set_of_defects() -> None:
    """C3: the first broken clause decides, whatever else is broken; C2 and C1 come before."""
    judged = {}
    for defects in subsets():
        text, asked = defective(defects)
        judged[defects] = CONTRACT.judge(text, asked)
    expected = {
        defects: rejected(defects[0], None if defects[0] in ("INVALID_JSON", "INCOMPLETE") else 1)
        for defects in subsets()
    }
    assert judged == expected
    assert len(judged) == 2**9 - 2**7 - 1


def test_precedence_a_repeated_field_that_was_never_requested() -> None:
    extra = claim("extra", "1")
    assert judge(answer(extra, extra)) == rejected("UNREQUESTED_FIELD", 0)


@pytest.mark.parametrize("later", ORDER[2:-1])
@pytest.mark.parametrize("earlier", ORDER[3:-1])
def test_precedence_claim_0_comes_before_claim_1(earlier: str, later: str) -> None:
    """C3: all clauses are applied to claim 0 before any is applied to claim 1."""
    first = {
        "UNREQUESTED_FIELD": claim("extra", "1"),
        "SCOPE_MISMATCH": {**TIMEOUT, "doc": "dev"},
        "STALE_REVISION": {**TIMEOUT, "doc": "old"},
        "VALUE_MISMATCH": claim("timeout", "9"),
        "QUOTE_NOT_SUPPORTING": {**TIMEOUT, "quote": REMARK},
    }[earlier]
    second = json.loads(defective([later])[0])["claims"][1]
    assert judge(answer(first, second, RETRY)) == rejected(earlier, 0)


def test_precedence_a_missing_citation_anywhere_comes_before_the_full_contract() -> None:
    last = {**RETRY, "quote": "retry=falze"}
    assert judge(answer(claim("extra", "1"), TIMEOUT, last)) == rejected("NO_CITATION", 2)


@pytest.mark.parametrize("deciding", range(8))
def test_the_deciding_claim_may_be_any_of_eight(deciding: int) -> None:
    claims = [claim("timeout", "5000")] + [claim("extra", "1", quote="extra=1")] * 7
    fields = ["timeout"]
    if deciding:
        claims[deciding:] = [claim("retry", "false")] * (8 - deciding)
        claims[1:deciding] = [claim("timeout", "5000")] * (deciding - 1)
        expected = rejected("UNREQUESTED_FIELD" if deciding == 1 else "DUPLICATE_CLAIM", 1)
    else:
        claims[0] = claim("timeout", "9")
        expected = rejected("VALUE_MISMATCH", 0)
    assert judge(answer(*claims), fields=fields) == expected
    cited = [TIMEOUT] * deciding + [{**TIMEOUT, "doc": "nowhere"}] * (8 - deciding)
    assert judge(answer(*cited), fields=fields) == rejected("NO_CITATION", deciding)


# bug-log E

E01 = "timeout=50001\ntimeout=5000.5"


@pytest.mark.parametrize("value", ["5000", "5000.5", "5000ms", "-5000", "50001"])
def test_e01_a_longer_number_is_another_value(value: str) -> None:
    """The document says 50001, and `timeout=5000` is a part of that: only the full contract sees it."""
    registry = {
        "documents": [{**CONFIG_REGISTRY["documents"][0], "facts": {"timeout": "50001"}, "text": E01}]
    }
    checker = Checker()
    documents = CONTRACT.read_registry(registry, checker)
    members = {**CONFIG_REQUESTS["one"], "supplied": ["right"]}
    asked = CONTRACT.read_request(members, documents, checker, ())
    assert checker.faults == []
    verdict = CONTRACT.judge(answer(claim("timeout", value, quote="timeout=5000")), asked)
    if value == "50001":
        assert verdict == rejected("QUOTE_NOT_SUPPORTING", 0)
    else:
        assert verdict == rejected("VALUE_MISMATCH", 0)
    assert CONTRACT.judge(answer(claim("timeout", "50001")), asked) == accepted({"timeout": "50001"})


@pytest.mark.parametrize("quote", ["", None])
def test_e02_an_empty_or_missing_quote_is_no_quote(quote: str | None) -> None:
    assert judge(answer({**TIMEOUT, "quote": quote}, RETRY)) == rejected("INVALID_JSON")


# F3, F5.3: the registry and the request

DOCUMENT = {
    "id": "d",
    "service": "s",
    "environment": "e",
    "revision": "r",
    "facts": {"f": "v"},
    "text": "f=v",
}


def without(members: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in members.items() if key != name}


def registry_faults(value: object) -> list[str]:
    checker = Checker()
    CONTRACT.read_registry(value, checker)
    return [str(fault) for fault in checker.faults]


NO_TEXT = "stands where text belongs"
NO_LINE = "is not a line of this document's text; add the line to the text, or mend the fact"
DOCUMENT_MEMBERS = "id, service, environment, revision, facts or text"

REGISTRY_FAULTS: dict[str, tuple[object, list[str]]] = {
    "F3.1 a list": ([DOCUMENT], ["a list stands where a mapping with documents belongs"]),
    "F3.1 no documents": ({}, ["'documents' is missing; nothing is defaulted, so write it down"]),
    "F3.1 an empty list": (
        {"documents": []},
        ["documents: is empty; at least one of the documents belongs here"],
    ),
    "F3.1 null": ({"documents": None}, ["documents: null stands where a list of documents belongs"]),
    "F3.1 a mapping": (
        {"documents": {"d": DOCUMENT}},
        ["documents: a mapping stands where a list of documents belongs"],
    ),
    "F3.1 a second member": (
        {"documents": [DOCUMENT], "facts": []},
        ["facts: is not known here; known: documents"],
    ),
    "F3.1 a misspelt member": (
        {"document": [DOCUMENT]},
        [
            "document: is not known here; did you mean 'documents'?",
            "'documents' is missing; nothing is defaulted, so write it down",
        ],
    ),
    "F3.1 a document that is text": (
        {"documents": ["d"]},
        [f"documents[0]: the text 'd' stands where a mapping with {DOCUMENT_MEMBERS} belongs"],
    ),
    **{
        f"F3.1 no {name}": (
            {"documents": [without(DOCUMENT, name)]},
            [f"documents[0]: {name!r} is missing; nothing is defaulted, so write it down"],
        )
        for name in DOCUMENT
    },
    "F3.1 a member more": (
        {"documents": [{**DOCUMENT, "Revision": "r"}]},
        ["documents[0].Revision: is not known here; did you mean 'revision'?"],
    ),
    **{
        f"F3.2 an empty {name}": (
            {"documents": [{**DOCUMENT, name: ""}]},
            [f"documents[0].{name}: is an empty text; say something here"],
        )
        for name in DOCUMENT
        if name != "facts"
    },
    "F3.2 a number": (
        {"documents": [{**DOCUMENT, "revision": 2}]},
        ['documents[0].revision: the number 2 stands where text belongs; put it in quotation marks: "2"'],
    ),
    "F3.2 a boolean": (
        {"documents": [{**DOCUMENT, "service": True}]},
        [f'documents[0].service: the boolean true {NO_TEXT}; put it in quotation marks: "true"'],
    ),
    "F3.2 null": (
        {"documents": [{**DOCUMENT, "environment": None}]},
        [f'documents[0].environment: null {NO_TEXT}; for the word itself write "null" in quotation marks'],
    ),
    "F3.2 an id twice": (
        {"documents": [DOCUMENT, DOCUMENT]},
        ["documents[1].id: 'd' is the id of an earlier document; give one of the two another id"],
    ),
    "F3.3 no facts": (
        {"documents": [{**DOCUMENT, "facts": {}}]},
        ["documents[0].facts: is empty; a mapping of fields to values with at least one member belongs here"],
    ),
    "F3.3 a list of facts": (
        {"documents": [{**DOCUMENT, "facts": ["f=v"]}]},
        ["documents[0].facts: a list stands where a mapping of fields to values belongs"],
    ),
    "F3.3 a field in capitals": (
        {"documents": [{**DOCUMENT, "facts": {"F": "v"}}]},
        ["documents[0].facts.F: 'F' is not the name of a field: it must match [a-z][a-z0-9_]*"],
    ),
    "F3.3 a field that begins with a digit": (
        {"documents": [{**DOCUMENT, "facts": {"1f": "v"}}]},
        ["documents[0].facts.1f: '1f' is not the name of a field: it must match [a-z][a-z0-9_]*"],
    ),
    "F3.3 a field with a line feed after it": (
        {"documents": [{**DOCUMENT, "facts": {"f\n": "v"}}]},
        ["documents[0].facts.'f\\n': 'f\\n' is not the name of a field: it must match [a-z][a-z0-9_]*"],
    ),
    "F3.3 a value that is a number": (
        {"documents": [{**DOCUMENT, "facts": {"f": 5000}, "text": "f=5000"}]},
        [f'documents[0].facts.f: the number 5000 {NO_TEXT}; put it in quotation marks: "5000"'],
    ),
    "F3.3 an empty value": (
        {"documents": [{**DOCUMENT, "facts": {"f": ""}}]},
        ["documents[0].facts.f: is an empty text; say something here"],
    ),
    "F3.3 a value of two lines": (
        {"documents": [{**DOCUMENT, "facts": {"f": "v\nw"}, "text": "f=v\nw"}]},
        [
            "documents[0].facts.f: 'v\\nw' holds a line break; a value is one line",
            f"documents[0].facts.f: 'f=v\\nw' {NO_LINE}",
        ],
    ),
    "F3.3 a value that ends in CR": (
        {"documents": [{**DOCUMENT, "facts": {"f": "v\r"}, "text": "f=v\r"}]},
        ["documents[0].facts.f: 'v\\r' holds a line break; a value is one line"],
    ),
    **{
        f"F3.4 the fact is {name}": (
            {"documents": [{**DOCUMENT, "text": text}]},
            [f"documents[0].facts.f: 'f=v' {NO_LINE}"],
        )
        for name, text in {
            "the start of a line": "f=v1",
            "the end of a line": "if=v",
            "indented": " f=v",
            "a line that ends at CR": "f=v\r\n",
            "a line that ends at U+2028": "f=v\u2028f=w",
            "a line that ends at form feed": "f=v\x0cf=w",
        }.items()
    },
    "all faults together": (
        {"documents": [{**DOCUMENT, "id": 1, "facts": {"f": "w"}}, without(DOCUMENT, "text")], "title": "x"},
        [
            "title: is not known here; known: documents",
            'documents[0].id: the number 1 stands where text belongs; put it in quotation marks: "1"',
            f"documents[0].facts.f: 'f=w' {NO_LINE}",
            "documents[1]: 'text' is missing; nothing is defaulted, so write it down",
        ],
    ),
}


@pytest.mark.parametrize("name", REGISTRY_FAULTS)
def test_f3_every_fault_of_a_registry_is_named(name: str) -> None:
    value, messages = REGISTRY_FAULTS[name]
    assert registry_faults(value) == messages


@pytest.mark.parametrize("text", ["f=v", "a\nf=v\nb", "f=v\n", "\n\nf=v", "f=w\nf=v"])
def test_f3_4_a_fact_that_is_a_line_is_in_order(text: str) -> None:
    assert registry_faults({"documents": [{**DOCUMENT, "text": text}]}) == []


REQUEST = CONFIG_REQUESTS["both"]
UNKNOWN_FIELD = "is not one of the fields that the registry has a fact of"
UNKNOWN_DOCUMENT = "is not one of the document ids of the registry"
ALL_DOCUMENTS = "right, twin, bare, long, dev, billing, old, new, old-dev or hidden"

REQUEST_FAULTS: dict[str, tuple[object, list[str]]] = {
    "F5.3 a list": (
        [],
        ["r: a list stands where a mapping with service, environment, revision, fields or supplied belongs"],
    ),
    **{
        f"F5.3 no {name}": (
            without(REQUEST, name),
            [f"r: {name!r} is missing; nothing is defaulted, so write it down"],
        )
        for name in REQUEST
    },
    "F5.3 a member more": (
        {**REQUEST, "order_id": "A"},
        ["r.order_id: is not known here; known: service, environment, revision, fields or supplied"],
    ),
    **{
        f"F5.3 an empty {name}": ({**REQUEST, name: ""}, [f"r.{name}: is an empty text; say something here"])
        for name in ("service", "environment", "revision")
    },
    "F5.3 a revision that is null": (
        {**REQUEST, "revision": None},
        ['r.revision: null stands where text belongs; for the word itself write "null" in quotation marks'],
    ),
    "F5.3 no fields": (
        {**REQUEST, "fields": []},
        ["r.fields: is empty; at least one of the fields that the registry has a fact of belongs here"],
    ),
    "F5.3 one field without its list": (
        {**REQUEST, "fields": "timeout"},
        [
            (
                "r.fields: the text 'timeout' stands where a list of "
                "fields that the registry has a fact of belongs"
            )
        ],
    ),
    "F5.3 a field twice": (
        {**REQUEST, "fields": ["retry", "timeout", "retry"]},
        ["r.fields[2]: 'retry' stands here twice; take one out"],
    ),
    "F5.3 a field of no document": (
        {**REQUEST, "fields": ["retri"]},
        [f"r.fields[0]: 'retri' {UNKNOWN_FIELD}; did you mean 'retry'?"],
    ),
    "F5.3 a field like no other": (
        {**REQUEST, "fields": ["zzz"]},
        [f"r.fields[0]: 'zzz' {UNKNOWN_FIELD}; known: extra, retry, spare or timeout"],
    ),
    "F5.3 a document twice": (
        {**REQUEST, "supplied": ["old", "old"]},
        ["r.supplied[1]: 'old' stands here twice; take one out"],
    ),
    "F5.3 a document that does not exist": (
        {**REQUEST, "supplied": ["zzz", "Right"]},
        [
            f"r.supplied[0]: 'zzz' {UNKNOWN_DOCUMENT}; known: {ALL_DOCUMENTS}",
            f"r.supplied[1]: 'Right' {UNKNOWN_DOCUMENT}; did you mean 'right'?",
        ],
    ),
    "F5.3 supplied is null": (
        {**REQUEST, "supplied": None},
        ["r.supplied: null stands where a list of document ids of the registry belongs"],
    ),
}


@pytest.mark.parametrize("name", REQUEST_FAULTS)
def test_f5_3_every_fault_of_a_request_is_named(name: str) -> None:
    value, messages = REQUEST_FAULTS[name]
    checker = Checker()
    registry = CONTRACT.read_registry(CONFIG_REGISTRY, checker)
    CONTRACT.read_request(value, registry, checker, ("r",))
    assert sorted(str(fault) for fault in checker.faults) == sorted(messages)
