"""Clauses O1 to O4, and F4 and F5.4, of the contract `order-status`.

Every row is the base answer, or the base refusal, with one named defect; the whole verdict is asserted. The
rule of the second seed, restated, is held against the contract over every answer of small closed sets.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any

import pytest
from candidates import EMOJI, ORDER_REGISTRY, ORDER_REQUESTS, fact

from grounded_claims.contracts.base import Verdict
from grounded_claims.contracts.order_status import OrderStatus, Request, read_answer
from grounded_claims.shapes import Checker
from grounded_claims.strict_json import Malformed, units

CONTRACT = OrderStatus()
ANSWER = {"status": "answered", "order_id": "A", "answer": "shipped", "evidence": ["F1"]}
REFUSAL = {"status": "unknown", "order_id": "A", "answer": None, "evidence": []}


def request(name: str = "settled", **changes: Any) -> Request:
    checker = Checker()
    registry = CONTRACT.read_registry(ORDER_REGISTRY, checker)
    built = CONTRACT.read_request({**ORDER_REQUESTS[name], **changes}, registry, checker, ())
    assert checker.faults == []
    return built


def judge(answer: object, name: str = "settled", **changes: Any) -> Verdict:
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return CONTRACT.judge(text, request(name, **changes))


def rejected(status: str, outcome: str = "ungrounded") -> Verdict:
    """Return the verdict of a rejecting status, as V1 has it; O3.11: no claim decides."""
    by_citation = status in ("INVENTED_EVIDENCE", "NO_EVIDENCE")
    return Verdict(
        status=status,
        outcome=outcome,
        strict_json=status != "INVALID_JSON",
        citation_exists=status != "INVALID_JSON" and not by_citation,
        full_contract=False,
        claim=None,
        accepted={},
    )


INVALID = rejected("INVALID_JSON", "malformed")


def accepted(mapping: Mapping[str, str | None], outcome: str = "grounded") -> Verdict:
    return Verdict(
        status="ACCEPT",
        outcome=outcome,
        strict_json=True,
        citation_exists=True,
        full_contract=True,
        claim=None,
        accepted=mapping,
    )


def test_the_base_answer_and_the_base_refusal_are_accepted() -> None:
    """O3.10."""
    assert judge(ANSWER) == accepted({"status": "shipped"})
    assert judge(REFUSAL, "silent") == accepted({"status": None}, "honest_refusal")


def test_the_statuses_and_outcomes_are_those_of_the_contract() -> None:
    """O2 to O4: names and precedence."""
    assert [layer.rejects for layer in CONTRACT.layers] == [
        ("INVALID_JSON",),
        ("INVENTED_EVIDENCE", "NO_EVIDENCE"),
        (
            *("ORDER_MISMATCH", "MALFORMED_REFUSAL", "NEEDLESS_REFUSAL", "REPEATED_EVIDENCE"),
            *("CONFLICTING_FACTS", "NO_SUPPORTING_FACT", "EVIDENCE_OUT_OF_SCOPE", "STALE_EVIDENCE"),
            "ANSWER_MISMATCH",
        ),
    ]
    assert CONTRACT.outcomes == ("grounded", "honest_refusal", "needless_refusal", "ungrounded", "malformed")


# O1: the shape

MEMBERS = "the value is not an object with exactly the members status, order_id, answer, evidence"
STATUS = "'status' is neither 'answered' nor 'unknown'"
ORDER_ID = "'order_id' is not a string of at most 2048 UTF-16 code units"
SAID = "'answer' is neither null nor a string of at most 2048 UTF-16 code units"
EVIDENCE = "'evidence' is not an array of at most 8 fact ids"
FIRST = "evidence[0] is not a string of at most 2048 UTF-16 code units"
SECOND = "evidence[1] is not a string of at most 2048 UTF-16 code units"

MISSHAPEN: dict[str, tuple[object, str]] = {
    "O1.1 an array": ([ANSWER], MEMBERS),
    "O1.1 null": (None, MEMBERS),
    "O1.1 a string": ("shipped", MEMBERS),
    "O1.1 an empty object": ({}, MEMBERS),
    **{f"O1.1 no {name}": ({key: ANSWER[key] for key in ANSWER if key != name}, MEMBERS) for name in ANSWER},
    "O1.1 a member more": ({**ANSWER, "note": ""}, MEMBERS),
    "O1.1 a member in capitals": (
        {"Status": "answered", "order_id": "A", "answer": "shipped", "evidence": ["F1"]},
        MEMBERS,
    ),
    "O1.2 another word": ({**ANSWER, "status": "maybe"}, STATUS),
    "O1.2 in capitals": ({**ANSWER, "status": "Answered"}, STATUS),
    "O1.2 empty": ({**ANSWER, "status": ""}, STATUS),
    "O1.2 null": ({**ANSWER, "status": None}, STATUS),
    "O1.2 a boolean": ({**ANSWER, "status": True}, STATUS),
    "O1.2 an array": ({**ANSWER, "status": ["answered"]}, STATUS),
    "O1.2 an object": ({**ANSWER, "status": {"answered": ""}}, STATUS),
    "O1.3 an order that is a number": ({**ANSWER, "order_id": 104}, ORDER_ID),
    "O1.3 an order that is null": ({**ANSWER, "order_id": None}, ORDER_ID),
    "O1.3 an order of 2049 units": ({**ANSWER, "order_id": "A" * 2049}, ORDER_ID),
    "O1.3 an order of 2050 units in 1025 characters": ({**ANSWER, "order_id": EMOJI * 1025}, ORDER_ID),
    "O1.3 an answer that is a number": ({**ANSWER, "answer": 1}, SAID),
    "O1.3 an answer that is a boolean": ({**ANSWER, "answer": False}, SAID),
    "O1.3 an answer that is an array": ({**ANSWER, "answer": ["shipped"]}, SAID),
    "O1.3 an answer of 2049 units": ({**ANSWER, "answer": "s" * 2049}, SAID),
    "O1.3 an answer of 2050 units in 1025 characters": ({**ANSWER, "answer": EMOJI * 1025}, SAID),
    "O1.4 evidence that is null": ({**ANSWER, "evidence": None}, EVIDENCE),
    "O1.4 evidence that is a string": ({**ANSWER, "evidence": "F1"}, EVIDENCE),
    "O1.4 evidence that is an object": ({**ANSWER, "evidence": {"F1": ""}}, EVIDENCE),
    "O1.4 nine ids": ({**ANSWER, "evidence": ["F1"] * 9}, EVIDENCE),
    "O1.4 an id that is a number": ({**ANSWER, "evidence": ["F1", 1]}, SECOND),
    "O1.4 an id that is null": ({**ANSWER, "evidence": [None]}, FIRST),
    "O1.4 an id that is an array": ({**ANSWER, "evidence": [["F1"]]}, FIRST),
    "O1.4 an id of 2049 units": ({**ANSWER, "evidence": ["F1", "F" * 2049]}, SECOND),
    "O1.4 an id of 2050 units in 1025 characters": ({**ANSWER, "evidence": [EMOJI * 1025]}, FIRST),
}


@pytest.mark.parametrize("name", MISSHAPEN)
def test_o1_another_shape_is_invalid(name: str) -> None:
    """The standard reader takes each of them, so it is the shape that decides."""
    value, reason = MISSHAPEN[name]
    text = json.dumps(value, ensure_ascii=False)
    assert read_answer(text) == Malformed(reason, 0)
    assert judge(text) == INVALID


def test_o1_what_is_not_strict_json_keeps_its_reason() -> None:
    text = json.dumps(ANSWER)[:-1] + ', "status": "unknown"}'
    assert read_answer(text) == Malformed("the member 'status' stands twice in one object", 81)
    assert judge(text) == INVALID


def test_o1_1_the_members_may_stand_in_any_order() -> None:
    for order in permutations(ANSWER):
        assert judge({name: ANSWER[name] for name in order}) == accepted({"status": "shipped"})


LONG = "z" * 2048

AT_THE_EDGE: dict[str, tuple[dict[str, Any], Verdict]] = {
    "O1.3 an empty order": ({**ANSWER, "order_id": ""}, rejected("ORDER_MISMATCH")),
    "O1.3 an order of 2048 units": ({**ANSWER, "order_id": "A" * 2048}, rejected("ORDER_MISMATCH")),
    "O1.3 an order of 1024 emoji": ({**ANSWER, "order_id": EMOJI * 1024}, rejected("ORDER_MISMATCH")),
    "O1.3 an empty answer": ({**ANSWER, "answer": ""}, rejected("ANSWER_MISMATCH")),
    "O1.3 an answer of 2048 units": ({**ANSWER, "answer": LONG}, rejected("ANSWER_MISMATCH")),
    "O1.3 an answer of 1024 emoji": ({**ANSWER, "answer": EMOJI * 1024}, rejected("ANSWER_MISMATCH")),
    "O1.3 an answer that is null": ({**ANSWER, "answer": None}, rejected("ANSWER_MISMATCH")),
    "O1.4 no evidence": ({**ANSWER, "evidence": []}, rejected("NO_EVIDENCE")),
    "O1.4 eight ids": ({**ANSWER, "evidence": ["F1"] * 8}, rejected("REPEATED_EVIDENCE")),
    "O1.4 an empty id": ({**ANSWER, "evidence": [""]}, rejected("INVENTED_EVIDENCE")),
    "O1.4 an id of 2048 units": ({**ANSWER, "evidence": ["F" * 2048]}, rejected("INVENTED_EVIDENCE")),
    "O1.4 an id of 1024 emoji": ({**ANSWER, "evidence": [EMOJI * 1024]}, rejected("INVENTED_EVIDENCE")),
}


@pytest.mark.parametrize("name", AT_THE_EDGE)
def test_o1_at_the_edge_a_string_is_well_formed(name: str) -> None:
    value, verdict = AT_THE_EDGE[name]
    assert judge(value) == verdict


def test_o1_3_an_answer_of_2048_units_is_accepted_whole() -> None:
    answer = {**ANSWER, "answer": LONG, "evidence": ["F9"]}
    assert judge(answer, "long") == accepted({"note": LONG})


@pytest.mark.parametrize(("size", "within"), [(8191, True), (8192, True), (8193, False)])
def test_j1_the_whole_answer_is_at_most_8192_units(*, size: int, within: bool) -> None:
    text = json.dumps(ANSWER)
    text += "\n" * (size - units(text))
    assert judge(text) == (accepted({"status": "shipped"}) if within else INVALID)


# O2 and O3: one defect each

REJECTED: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "O2.1 an id that does not exist": (
        {**ANSWER, "evidence": ["F1", "F99"]},
        "settled",
        "INVENTED_EVIDENCE",
        "ungrounded",
    ),
    "O2.1 a fact of the registry that was not supplied": (
        {**ANSWER, "evidence": ["hidden"]},
        "settled",
        "INVENTED_EVIDENCE",
        "ungrounded",
    ),
    "O2.1 the id in small letters": (
        {**ANSWER, "evidence": ["f1"]},
        "settled",
        "INVENTED_EVIDENCE",
        "ungrounded",
    ),
    "O2.1 a space after the id": (
        {**ANSWER, "evidence": ["F1 "]},
        "settled",
        "INVENTED_EVIDENCE",
        "ungrounded",
    ),
    "O2.1 nothing was supplied": (ANSWER, "nothing-supplied", "INVENTED_EVIDENCE", "ungrounded"),
    "O2.1 in a refusal too": (
        {**REFUSAL, "evidence": ["F99"]},
        "silent",
        "INVENTED_EVIDENCE",
        "malformed",
    ),
    "O2.2 an answer without evidence": ({**ANSWER, "evidence": []}, "settled", "NO_EVIDENCE", "ungrounded"),
    "O3.1 an answer about another order": (
        {**ANSWER, "order_id": "B"},
        "settled",
        "ORDER_MISMATCH",
        "ungrounded",
    ),
    "O3.1 the order in small letters": (
        {**ANSWER, "order_id": "a"},
        "settled",
        "ORDER_MISMATCH",
        "ungrounded",
    ),
    "O3.1 a refusal about another order": (
        {**REFUSAL, "order_id": "B"},
        "silent",
        "ORDER_MISMATCH",
        "malformed",
    ),
    "O3.2 a refusal with a guess beside it": (
        {**REFUSAL, "answer": "shipped"},
        "silent",
        "MALFORMED_REFUSAL",
        "malformed",
    ),
    "O3.2 a refusal with an empty answer": (
        {**REFUSAL, "answer": ""},
        "silent",
        "MALFORMED_REFUSAL",
        "malformed",
    ),
    "O3.2 a refusal with evidence": (
        {**REFUSAL, "evidence": ["F3"]},
        "silent",
        "MALFORMED_REFUSAL",
        "malformed",
    ),
    "O3.3 the facts do settle it": (REFUSAL, "settled", "NEEDLESS_REFUSAL", "needless_refusal"),
    "O3.4 an id twice": (
        {**ANSWER, "evidence": ["F1", "F2", "F1"]},
        "settled",
        "REPEATED_EVIDENCE",
        "ungrounded",
    ),
    "O3.5 two values": (ANSWER, "contradicted", "CONFLICTING_FACTS", "ungrounded"),
    "O3.5 two values of two revisions, where the request takes any": (
        ANSWER,
        "contradicted-over-time",
        "CONFLICTING_FACTS",
        "ungrounded",
    ),
    "O3.6 no value of this revision": (
        {**ANSWER, "evidence": ["F4"]},
        "silent",
        "NO_SUPPORTING_FACT",
        "ungrounded",
    ),
    "O3.6 no fact of this order": (
        {**ANSWER, "order_id": "C"},
        "other-order",
        "NO_SUPPORTING_FACT",
        "ungrounded",
    ),
    "O3.7 a fact of another order": (
        {**ANSWER, "evidence": ["F1", "F7"]},
        "settled",
        "EVIDENCE_OUT_OF_SCOPE",
        "ungrounded",
    ),
    "O3.7 a fact of another field": (
        {**ANSWER, "evidence": ["F6", "F1"]},
        "settled",
        "EVIDENCE_OUT_OF_SCOPE",
        "ungrounded",
    ),
    "O3.7 a fact without a value": (
        {**ANSWER, "evidence": ["F1", "F3"]},
        "settled",
        "EVIDENCE_OUT_OF_SCOPE",
        "ungrounded",
    ),
    "O3.8 a fact of an older revision": (
        {**ANSWER, "evidence": ["F1", "F4"]},
        "settled",
        "STALE_EVIDENCE",
        "ungrounded",
    ),
    "O3.8 a fact of no revision": (
        {**ANSWER, "evidence": ["F5"]},
        "settled",
        "STALE_EVIDENCE",
        "ungrounded",
    ),
    "O3.9 another value": ({**ANSWER, "answer": "delivered"}, "settled", "ANSWER_MISMATCH", "ungrounded"),
    "O3.9 the value in capitals": (
        {**ANSWER, "answer": "Shipped"},
        "settled",
        "ANSWER_MISMATCH",
        "ungrounded",
    ),
    "O3.9 no answer": ({**ANSWER, "answer": None}, "settled", "ANSWER_MISMATCH", "ungrounded"),
    "O3.9 the value of an older revision": (
        {**ANSWER, "answer": "packed"},
        "settled",
        "ANSWER_MISMATCH",
        "ungrounded",
    ),
}


@pytest.mark.parametrize("name", REJECTED)
def test_o2_and_o3_one_defect_is_one_status(name: str) -> None:
    value, asked, status, outcome = REJECTED[name]
    verdict = judge(value, asked)
    assert verdict == rejected(status, outcome)
    # The layers before the one that rejects take it.
    assert (verdict.strict_json, verdict.citation_exists) == (True, name.startswith("O3"))


ACCEPTED_TOO: dict[str, tuple[dict[str, Any], str, Verdict]] = {
    "another fact of the same value": (
        {**ANSWER, "evidence": ["F2"]},
        "settled",
        accepted({"status": "shipped"}),
    ),
    "two facts of the same value": (
        {**ANSWER, "evidence": ["F2", "F1"]},
        "settled",
        accepted({"status": "shipped"}),
    ),
    "a fact of no revision, where the request takes any": (
        {**ANSWER, "evidence": ["F5", "F1"]},
        "any-revision",
        accepted({"status": "shipped"}),
    ),
    "a refusal where two facts contradict each other": (
        REFUSAL,
        "contradicted",
        accepted({"status": None}, "honest_refusal"),
    ),
    "a refusal where two revisions contradict each other": (
        REFUSAL,
        "contradicted-over-time",
        accepted({"status": None}, "honest_refusal"),
    ),
    "a refusal where no fact is of that order": (
        {**REFUSAL, "order_id": "C"},
        "other-order",
        accepted({"status": None}, "honest_refusal"),
    ),
    "a refusal where nothing was supplied": (
        REFUSAL,
        "nothing-supplied",
        accepted({"status": None}, "honest_refusal"),
    ),
}


@pytest.mark.parametrize("name", ACCEPTED_TOO)
def test_o3_10_whatever_breaks_no_clause_is_accepted(name: str) -> None:
    value, asked, verdict = ACCEPTED_TOO[name]
    assert judge(value, asked) == verdict


def test_o3_3_a_refusal_is_needless_again_in_the_revision_that_settles_it() -> None:
    assert judge(REFUSAL, "contradicted-over-time", revision="r1") == rejected(
        "NEEDLESS_REFUSAL", "needless_refusal"
    )
    assert judge(REFUSAL, "contradicted-over-time", revision="r3") == accepted(
        {"status": None}, "honest_refusal"
    )


def test_o3_10_the_mapping_is_read_only() -> None:
    for verdict in (judge(ANSWER), judge(REFUSAL, "silent"), judge("")):
        with pytest.raises(TypeError, match="does not support item assignment"):
            verdict.accepted["status"] = "lost"  # type: ignore[index]


# Precedence: for each two clauses that one answer can break, an answer that breaks both

BOTH: dict[tuple[str, str], tuple[dict[str, Any], str]] = {
    ("INVALID_JSON", "INVENTED_EVIDENCE"): ({**ANSWER, "evidence": ["F99"], "note": ""}, "settled"),
    ("INVALID_JSON", "NEEDLESS_REFUSAL"): ({**REFUSAL, "note": ""}, "settled"),
    ("INVENTED_EVIDENCE", "ORDER_MISMATCH"): ({**ANSWER, "order_id": "B", "evidence": ["F99"]}, "settled"),
    ("INVENTED_EVIDENCE", "MALFORMED_REFUSAL"): ({**REFUSAL, "evidence": ["F99"]}, "silent"),
    ("INVENTED_EVIDENCE", "REPEATED_EVIDENCE"): ({**ANSWER, "evidence": ["F99", "F99"]}, "settled"),
    ("NO_EVIDENCE", "ORDER_MISMATCH"): ({**ANSWER, "order_id": "B", "evidence": []}, "settled"),
    ("NO_EVIDENCE", "CONFLICTING_FACTS"): ({**ANSWER, "evidence": []}, "contradicted"),
    ("NO_EVIDENCE", "ANSWER_MISMATCH"): ({**ANSWER, "answer": None, "evidence": []}, "settled"),
    ("ORDER_MISMATCH", "MALFORMED_REFUSAL"): ({**REFUSAL, "order_id": "B", "answer": "x"}, "silent"),
    ("ORDER_MISMATCH", "NEEDLESS_REFUSAL"): ({**REFUSAL, "order_id": "B"}, "settled"),
    ("ORDER_MISMATCH", "REPEATED_EVIDENCE"): (
        {**ANSWER, "order_id": "B", "evidence": ["F1", "F1"]},
        "settled",
    ),
    ("MALFORMED_REFUSAL", "NEEDLESS_REFUSAL"): ({**REFUSAL, "evidence": ["F1"]}, "settled"),
    ("REPEATED_EVIDENCE", "CONFLICTING_FACTS"): ({**ANSWER, "evidence": ["F1", "F1"]}, "contradicted"),
    ("REPEATED_EVIDENCE", "EVIDENCE_OUT_OF_SCOPE"): ({**ANSWER, "evidence": ["F7", "F7"]}, "settled"),
    ("REPEATED_EVIDENCE", "ANSWER_MISMATCH"): (
        {**ANSWER, "answer": "x", "evidence": ["F1", "F1"]},
        "settled",
    ),
    ("CONFLICTING_FACTS", "EVIDENCE_OUT_OF_SCOPE"): ({**ANSWER, "evidence": ["F3"]}, "contradicted"),
    ("CONFLICTING_FACTS", "STALE_EVIDENCE"): ({**ANSWER, "evidence": ["F4"]}, "contradicted"),
    ("CONFLICTING_FACTS", "ANSWER_MISMATCH"): ({**ANSWER, "answer": "x"}, "contradicted"),
    ("NO_SUPPORTING_FACT", "EVIDENCE_OUT_OF_SCOPE"): ({**ANSWER, "evidence": ["F3"]}, "silent"),
    ("NO_SUPPORTING_FACT", "STALE_EVIDENCE"): ({**ANSWER, "evidence": ["F4"]}, "silent"),
    ("NO_SUPPORTING_FACT", "ANSWER_MISMATCH"): ({**ANSWER, "answer": None, "evidence": ["F4"]}, "silent"),
    ("EVIDENCE_OUT_OF_SCOPE", "STALE_EVIDENCE"): ({**ANSWER, "evidence": ["F4", "F7"]}, "settled"),
    ("EVIDENCE_OUT_OF_SCOPE", "ANSWER_MISMATCH"): ({**ANSWER, "answer": "x", "evidence": ["F7"]}, "settled"),
    ("STALE_EVIDENCE", "ANSWER_MISMATCH"): ({**ANSWER, "answer": "packed", "evidence": ["F4"]}, "settled"),
}


@pytest.mark.parametrize(("earlier", "later"), BOTH)
def test_precedence_the_earlier_clause_decides(earlier: str, later: str) -> None:
    value, asked = BOTH[earlier, later]
    assert CONTRACT.statuses.index(earlier) < CONTRACT.statuses.index(later)
    assert judge(value, asked).status == earlier


def test_precedence_every_two_neighbours_that_can_meet_are_tried() -> None:
    """A refusal breaks O3.2 or O3.3 and an answer O3.4 to O3.9; facts cannot conflict and be absent."""
    met = set(BOTH)
    neighbours = set(zip(CONTRACT.statuses, CONTRACT.statuses[1:-1], strict=False))
    assert neighbours - met == {
        ("INVENTED_EVIDENCE", "NO_EVIDENCE"),
        ("NEEDLESS_REFUSAL", "REPEATED_EVIDENCE"),
        ("CONFLICTING_FACTS", "NO_SUPPORTING_FACT"),
    }


# The rule of the second seed, restated. It knows no supplied ids, revisions or statuses: it says yes or no.

FACTS = [
    fact("F1", "A", "status", None, "shipped"),
    fact("F2", "A", "status", None, "lost"),
    fact("F3", "A", "status", None, None),
    fact("F4", "B", "status", None, "shipped"),
    fact("F5", "A", "status", None, "shipped"),
]


def seed_allows(answer: Mapping[str, Any], *, order_id: str, facts: Sequence[Mapping[str, Any]]) -> bool:
    """Say what the seed's rule says of a well-formed answer about `status`."""
    relevant = [each for each in facts if (each["order_id"], each["field"]) == (order_id, "status")]
    speaking = {each["id"]: each["value"] for each in relevant if each["value"] is not None}
    settled = len(set(speaking.values())) == 1
    if answer["order_id"] != order_id:
        return False
    if answer["status"] == "unknown":
        return not settled and not answer["evidence"] and answer["answer"] is None
    cited = answer["evidence"]
    each_supports = all(speaking.get(one) == answer["answer"] is not None for one in cited)
    return settled and bool(cited) and len({*cited}) == len(cited) and each_supports


def small_answers() -> Iterator[dict[str, Any]]:
    """Yield every answer of a small closed set."""
    ids = [*(each["id"] for each in FACTS), "F99"]
    evidence = [list(chosen) for size in range(4) for chosen in product(ids, repeat=size)]
    for status, order_id, said, cited in product(
        ("answered", "unknown"), ("A", "B"), ("shipped", "lost", None, ""), evidence[:43] + evidence[43::5]
    ):
        yield {"status": status, "order_id": order_id, "answer": said, "evidence": cited}


def small_requests() -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
    """Yield each choice of supplied facts, for each order."""
    for size in range(len(FACTS) + 1):
        for chosen in combinations(FACTS, size):
            for order_id in ("A", "B"):
                yield order_id, chosen


def test_the_rule_of_the_second_seed_accepts_the_same_answers() -> None:
    checker = Checker()
    registry = CONTRACT.read_registry({"facts": FACTS}, checker)
    written = [(answer, json.dumps(answer)) for answer in small_answers()]
    tried = differing = allowed = 0
    for order_id, chosen in small_requests():
        members = {
            "order_id": order_id,
            "field": "status",
            "revision": None,
            "supplied": [each["id"] for each in chosen],
        }
        asked = CONTRACT.read_request(members, registry, checker, ())
        for answer, text in written:
            right = seed_allows(answer, order_id=order_id, facts=chosen)
            differing += CONTRACT.judge(text, asked).full_contract != right
            allowed += right
            tried += 1
    assert (checker.faults, differing) == ([], 0)
    # Of the 32 choices of facts, A is unsettled in 16 and B in 16: as many refusals are right. Right answers:
    # for A, 7 lists of evidence times the 4 choices of facts that do not matter; for B, one in each of 16.
    assert (tried, allowed) == (89_088, 16 + 16 + 7 * 4 + 16)


# F4, F5.4: the registry and the request

RECORD = {
    "id": "F",
    "order_id": "A",
    "field": "status",
    "revision": None,
    "value": "new",
    "text": "It is new.",
}
NO_TEXT = "stands where text belongs"
RECORD_MEMBERS = "id, order_id, field, revision, value or text"
NULL_MEND = 'for the word itself write "null" in quotation marks'
PATTERN = "it must match [a-z][a-z0-9_]*"

REGISTRY_FAULTS: dict[str, tuple[object, list[str]]] = {
    "F4.1 null": (None, ["null stands where a mapping with facts belongs"]),
    "F4.1 an empty list": ({"facts": []}, ["facts: is empty; at least one of the facts belongs here"]),
    "F4.1 text": ({"facts": "F1"}, ["facts: the text 'F1' stands where a list of facts belongs"]),
    "F4.1 the other contract's member": (
        {"documents": [RECORD]},
        [
            "documents: is not known here; known: facts",
            "'facts' is missing; nothing is defaulted, so write it down",
        ],
    ),
    "F4.1 a fact that is a list": (
        {"facts": [["F"]]},
        [f"facts[0]: a list stands where a mapping with {RECORD_MEMBERS} belongs"],
    ),
    **{
        f"F4.1 no {name}": (
            {"facts": [{key: RECORD[key] for key in RECORD if key != name}]},
            [f"facts[0]: {name!r} is missing; nothing is defaulted, so write it down"],
        )
        for name in RECORD
    },
    "F4.1 a member more": (
        {"facts": [{**RECORD, "orderid": "A"}]},
        ["facts[0].orderid: is not known here; did you mean 'order_id'?"],
    ),
    **{
        f"F4.2 an empty {name}": (
            {"facts": [{**RECORD, name: ""}]},
            [f"facts[0].{name}: is an empty text; say something here"],
        )
        for name in RECORD
    },
    **{
        f"F4.2 {name} is null": (
            {"facts": [{**RECORD, name: None}]},
            [f"facts[0].{name}: null {NO_TEXT}; {NULL_MEND}"],
        )
        for name in ("id", "order_id", "field", "text")
    },
    "F4.2 a value that is a boolean": (
        {"facts": [{**RECORD, "value": False}]},
        [f'facts[0].value: the boolean false {NO_TEXT}; put it in quotation marks: "false"'],
    ),
    "F4.2 a revision that is a number": (
        {"facts": [{**RECORD, "revision": 7}]},
        [f'facts[0].revision: the number 7 {NO_TEXT}; put it in quotation marks: "7"'],
    ),
    "F4.2 a field in capitals": (
        {"facts": [{**RECORD, "field": "Status"}]},
        [f"facts[0].field: 'Status' is not the name of a field: {PATTERN}"],
    ),
    "F4.2 a field with a hyphen": (
        {"facts": [{**RECORD, "field": "a-b"}]},
        [f"facts[0].field: 'a-b' is not the name of a field: {PATTERN}"],
    ),
    "F4.2 a field with a line feed after it": (
        {"facts": [{**RECORD, "field": "status\n"}]},
        [f"facts[0].field: 'status\\n' is not the name of a field: {PATTERN}"],
    ),
    "F4.2 a value of two lines": (
        {"facts": [{**RECORD, "value": "is\nnew", "text": "It is\nnew."}]},
        ["facts[0].value: 'is\\nnew' holds a line break; a value is one line"],
    ),
    "F4.2 an id twice": (
        {"facts": [RECORD, {**RECORD, "order_id": "B"}]},
        ["facts[1].id: 'F' is the id of an earlier fact; give one of the two another id"],
    ),
    "F4.3 a value that the text does not contain": (
        {"facts": [{**RECORD, "value": "old"}]},
        ["facts[0].text: does not contain the value 'old'; mend the text or the value"],
    ),
    "F4.3 a value that the text has in capitals": (
        {"facts": [{**RECORD, "value": "NEW"}]},
        ["facts[0].text: does not contain the value 'NEW'; mend the text or the value"],
    ),
}


@pytest.mark.parametrize("name", REGISTRY_FAULTS)
def test_f4_every_fault_of_a_registry_is_named(name: str) -> None:
    value, messages = REGISTRY_FAULTS[name]
    checker = Checker()
    CONTRACT.read_registry(value, checker)
    assert [str(fault) for fault in checker.faults] == messages


@pytest.mark.parametrize(
    "record",
    [
        RECORD,
        {**RECORD, "value": None},
        {**RECORD, "revision": "r1"},
        {**RECORD, "id": "any text, é " + EMOJI},
        {**RECORD, "text": "It is\nnew."},
    ],
)
def test_f4_what_is_in_order_has_no_fault(record: dict[str, Any]) -> None:
    checker = Checker()
    CONTRACT.read_registry({"facts": [record]}, checker)
    assert checker.faults == []


def test_f4_3_facts_that_contradict_each_other_are_data() -> None:
    checker = Checker()
    CONTRACT.read_registry(
        {"facts": [fact("F1", "A", "s", None, "x"), fact("F2", "A", "s", None, "y")]}, checker
    )
    assert checker.faults == []


ASKED = ORDER_REQUESTS["silent"]
UNKNOWN_FACT = "is not one of the fact ids of the registry"
ALL_FACTS = "F1, F2, F3, F4, F5, F6, F7, F8, F9, F10 or hidden"

REQUEST_FAULTS: dict[str, tuple[object, list[str]]] = {
    "F5.4 null": (
        None,
        ["r: null stands where a mapping with order_id, field, revision or supplied belongs"],
    ),
    **{
        f"F5.4 no {name}": (
            {key: ASKED[key] for key in ASKED if key != name},
            [f"r: {name!r} is missing; nothing is defaulted, so write it down"],
        )
        for name in ASKED
    },
    "F5.4 a member more": (
        {**ASKED, "fields": []},
        ["r.fields: is not known here; did you mean 'field'?"],
    ),
    "F5.4 an empty order": ({**ASKED, "order_id": ""}, ["r.order_id: is an empty text; say something here"]),
    "F5.4 an order that is a number": (
        {**ASKED, "order_id": 104},
        [f'r.order_id: the number 104 {NO_TEXT}; put it in quotation marks: "104"'],
    ),
    "F5.4 a field with a space": (
        {**ASKED, "field": "the status"},
        [f"r.field: 'the status' is not the name of a field: {PATTERN}"],
    ),
    "F5.4 an empty revision": (
        {**ASKED, "revision": ""},
        ["r.revision: is an empty text; say something here"],
    ),
    "F5.4 supplied twice": (
        {**ASKED, "supplied": ["F1", "F2", "F1"]},
        ["r.supplied[2]: 'F1' stands here twice; take one out"],
    ),
    "F5.4 supplied that does not exist": (
        {**ASKED, "supplied": ["f1", "?"]},
        [
            f"r.supplied[0]: 'f1' {UNKNOWN_FACT}; did you mean 'F1'?",
            f"r.supplied[1]: '?' {UNKNOWN_FACT}; known: {ALL_FACTS}",
        ],
    ),
    "F5.4 supplied is one id": (
        {**ASKED, "supplied": "F1"},
        ["r.supplied: the text 'F1' stands where a list of fact ids of the registry belongs"],
    ),
}


@pytest.mark.parametrize("name", REQUEST_FAULTS)
def test_f5_4_every_fault_of_a_request_is_named(name: str) -> None:
    value, messages = REQUEST_FAULTS[name]
    checker = Checker()
    registry = CONTRACT.read_registry(ORDER_REGISTRY, checker)
    CONTRACT.read_request(value, registry, checker, ("r",))
    assert [str(fault) for fault in checker.faults] == messages


def test_f5_4_a_field_that_no_fact_has_may_be_asked_for() -> None:
    """Not to know is then the right answer."""
    assert judge(REFUSAL, "settled", field="colour") == accepted({"colour": None}, "honest_refusal")
