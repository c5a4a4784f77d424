"""The stories: every status of both contracts told, every fault placed, every difference the smallest."""

# ruff: noqa: E501  # a sentence is asserted as it is told, whole

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import candidates
import pytest

from grounded_claims import Suite, load_suite
from grounded_claims.contracts import CONTRACTS
from grounded_claims.contracts.base import INVALID_JSON, LAYERS
from grounded_claims.contracts.config_claims import ConfigClaims
from grounded_claims.shapes import Checker
from grounded_claims.stories import Change, MalformedAt, Pair, Story, TextChange, read_bytes, tell
from grounded_claims.stories.differences import value_changes
from grounded_claims.stories.json_text import malformed_at, member_places, text_change
from grounded_claims.stories.story import named, quoted
from grounded_claims.strict_json import parse

ROOT = Path(__file__).resolve().parent.parent
STORIES = ROOT / "src" / "grounded_claims" / "stories"
CONFIG = load_suite(ROOT / "fixtures" / "config-claims")
ORDER = load_suite(ROOT / "fixtures" / "order-status")
FIELD = load_suite(ROOT / "fixtures" / "order-status-field")

GOOD = CONFIG.case("one-field-request").candidate
GOOD_CLAIM = json.loads(GOOD)["claims"][0]


def told(suite: Suite, case_id: str) -> Story:
    """Tell the story of a case beside its pair."""
    case = suite.case(case_id)
    pair = None
    if case.pair is not None:
        accepted = suite.case(case.pair)
        pair = Pair(candidate=accepted.candidate, request=suite.requests[accepted.request])
    return tell(
        suite.contract, case.candidate, suite.requests[case.request], registry=suite.registry, pair=pair
    )


def config(candidate: str, request: str = "timeout-only") -> Story:
    """Tell the story of a candidate for a request of config-claims."""
    return tell(CONFIG.contract, candidate, CONFIG.requests[request], registry=CONFIG.registry)


def claims(*changes: Mapping[str, Any]) -> str:
    """Write a candidate of config-claims: the good claim, changed, once for each of the changes."""
    return json.dumps({"claims": [{**GOOD_CLAIM, **change} for change in changes]}, ensure_ascii=False)


def deciding(story: Story) -> tuple[str | None, str, str, str]:
    """Return what the deciding step says."""
    step = next(step for step in story.steps if step.decided)
    return step.clause, step.sentence, step.found, step.expected


# Every status of both contracts

CONFIG_TOLD = {
    "wrong-value": (
        "C3.5",
        'claims[0] says that read_timeout_ms is "2000"; prod-v2 states "5000".',
        "2000",
        "5000",
    ),
    "other-environment": (
        "C3.3",
        "claims[0] cites dev-v2, which is about payments in dev; the request is about payments in prod.",
        "payments in dev",
        "payments in prod",
    ),
    "old-revision": (
        "C3.4",
        "claims[0] cites prod-v1, which is revision v1; the request says that revision v2 is current.",
        "v1",
        "v2",
    ),
    "real-but-unrelated-quote": (
        "C3.6",
        (
            'claims[0] quotes "retry_enabled=false". That stands in prod-v2, but it is not the line that states '
            "read_timeout_ms."
        ),
        "retry_enabled=false",
        "read_timeout_ms=5000",
    ),
    "omitted-field": (
        "C3.7",
        "Each claim holds, and none of them answers retry_enabled, which the request asks for.",
        "claims for read_timeout_ms",
        "a claim for each of read_timeout_ms and retry_enabled",
    ),
    "duplicate-claim": (
        "C3.1",
        'claims[1] claims "read_timeout_ms", which claims[0] has claimed already.',
        "a second claim for read_timeout_ms",
        "one claim for each field",
    ),
    "unrequested-field": (
        "C3.2",
        'claims[0] claims "retry_enabled"; the request asks only for read_timeout_ms.',
        "retry_enabled",
        "read_timeout_ms",
    ),
    "not-in-evidence": (
        "C2.2",
        'claims[0] cites "billing-v2": the registry has it, but it was not supplied for this request.',
        "billing-v2",
        "one of the documents supplied: prod-v2, prod-v1 or dev-v2",
    ),
    "invented-doc": (
        "C2.2",
        'claims[0] cites "does-not-exist": there is no such document in the registry.',
        "does-not-exist",
        "one of the documents supplied: prod-v2, prod-v1 or dev-v2",
    ),
    "invented-quote": (
        "C2.3",
        'claims[0] quotes "read_timeout_ms=5001", and no such text stands in prod-v2.',
        "read_timeout_ms=5001",
        "text that stands in prod-v2, character for character",
    ),
    "empty": (
        "C2.1",
        "The answer makes no claim, so it cites nothing.",
        "no claim",
        "a claim for each of read_timeout_ms and retry_enabled",
    ),
    "free-text-bypass": (
        "C1.1",
        'The answer has a member "answer", which does not belong there.',
        'the member "answer"',
        'exactly the member "claims"',
    ),
    "correct-two-facts": (
        None,
        (
            "Every field asked for is claimed once (read_timeout_ms and retry_enabled), each with the line that states "
            "it, from a document about payments in prod, revision v2."
        ),
        "",
        "",
    ),
}
ORDER_TOLD = {
    "grounded": (
        None,
        'The answer "shipped" is the one value that the facts hold for the status of DEMO-104.',
        "",
        "",
    ),
    "missing-order": (
        None,
        "The refusal is right: the facts supplied hold no value for the status of DEMO-999.",
        "",
        "",
    ),
    "conflict": (
        None,
        (
            "The refusal is right: the facts supplied contradict each other on the status of DEMO-104: "
            'F1 says "shipped" and F4 says "cancelled".'
        ),
        "",
        "",
    ),
    "wrong-order-citation": (
        "O3.7",
        "evidence[0] cites F3, which is about the order DEMO-105; the request asks for the status of DEMO-104.",
        "about the order DEMO-105",
        "a fact that holds a value for the status of DEMO-104",
    ),
    "invented-answer": (
        "O3.9",
        'The answer is "delivered"; the facts supplied settle the status of DEMO-104: F1 says "shipped".',
        "delivered",
        "shipped",
    ),
    "invented-citation": (
        "O2.1",
        'evidence[0] is "F99": there is no such fact in the registry.',
        "F99",
        "one of the facts supplied: F1, F2 or F3",
    ),
    "needless-refusal": (
        "O3.3",
        'The candidate refuses, and the facts supplied settle the status of DEMO-104: F1 says "shipped".',
        "a refusal",
        'the answer "shipped"',
    ),
}


@pytest.mark.parametrize("case_id", CONFIG_TOLD)
def test_config_claims_are_told(case_id: str) -> None:
    assert deciding(told(CONFIG, case_id)) == CONFIG_TOLD[case_id]


@pytest.mark.parametrize("case_id", ORDER_TOLD)
def test_order_status_is_told(case_id: str) -> None:
    assert deciding(told(ORDER, case_id)) == ORDER_TOLD[case_id]


def order(status: str, answer: str | None, *evidence: str, order_id: str = "DEMO-104") -> str:
    """Write a candidate of order-status."""
    return json.dumps({"status": status, "order_id": order_id, "answer": answer, "evidence": evidence})


ORDER_RULES = {
    "NO_EVIDENCE": (
        order("answered", "shipped"),
        "status-of-104",
        ("O2.2", "The candidate answers and cites no fact."),
        'Answer "shipped" and cite F1.',
    ),
    "INVENTED_EVIDENCE": (
        order("answered", "shipped", "F4"),
        "status-of-104",
        ("O2.1", 'evidence[0] is "F4": the registry has it, but it was not supplied for this request.'),
        'Answer "shipped" and cite F1.',
    ),
    "ORDER_MISMATCH": (
        order("answered", "shipped", "F1", order_id="demo-104"),
        "status-of-104",
        (
            "O3.1",
            (
                'The candidate speaks of the order "demo-104"; the request asks about "DEMO-104". The two differ in '
                "capital and small letters alone, and that is enough: nothing is trimmed or converted."
            ),
        ),
        'Write the order "DEMO-104".',
    ),
    "MALFORMED_REFUSAL": (
        order("unknown", "shipped"),
        "status-of-104",
        ("O3.2", 'The candidate says that it does not know, and gives the answer "shipped" all the same.'),
        'Answer "shipped" and cite F1.',
    ),
    "REPEATED_EVIDENCE": (
        order("answered", "shipped", "F1", "F1"),
        "status-of-104",
        ("O3.4", "evidence[1] cites F1, which evidence[0] has cited already."),
        "Take evidence[1] out.",
    ),
    "CONFLICTING_FACTS": (
        order("answered", "shipped", "F1"),
        "status-of-104-contradicted",
        (
            "O3.5",
            (
                "The candidate answers, and the facts supplied contradict each other on the status of DEMO-104: "
                'F1 says "shipped" and F4 says "cancelled". Which one holds is for a person to settle.'
            ),
        ),
        'Refuse, with the status "unknown", the answer null and no evidence: two facts contradict each other.',
    ),
    "NO_SUPPORTING_FACT": (
        order("answered", "today", "F2"),
        "delivery-of-104",
        (
            "O3.6",
            "The candidate answers, and the facts supplied hold no value for the delivery_date of DEMO-104.",
        ),
        'Refuse, with the status "unknown", the answer null and no evidence: no fact holds a value.',
    ),
    "EVIDENCE_OUT_OF_SCOPE": (
        order("answered", "shipped", "F1", "F2"),
        "status-of-104",
        (
            "O3.7",
            (
                "evidence[1] cites F2, which is about the field delivery_date; the request asks for the status of "
                "DEMO-104."
            ),
        ),
        'Answer "shipped" and cite F1.',
    ),
    "ANSWER_MISMATCH": (
        order("answered", "Shipped", "F1"),
        "status-of-104",
        (
            "O3.9",
            (
                'The answer is "Shipped"; the facts supplied settle the status of DEMO-104: F1 says "shipped". The two '
                "differ in capital and small letters alone, and that is enough: nothing is trimmed or converted."
            ),
        ),
        'Write the answer "shipped".',
    ),
}


@pytest.mark.parametrize("status", ORDER_RULES)
def test_each_rule_of_order_status_is_told(status: str) -> None:
    candidate, request, said, mend = ORDER_RULES[status]
    story = tell(ORDER.contract, candidate, ORDER.requests[request], registry=ORDER.registry)
    assert (story.verdict.status, deciding(story)[:2], story.mend) == (status, said, (mend,))


def test_stale_evidence_is_told() -> None:
    story = told(FIELD, "older-than-pinned")
    assert deciding(story) == (
        "O3.8",
        (
            "evidence[0] cites shop-320-export-41, which is of revision export-41; the request pins facts of "
            "revision export-42."
        ),
        "of revision export-41",
        "of revision export-42",
    )


def test_every_status_has_a_story() -> None:
    suites = (CONFIG, ORDER, FIELD)
    seen = {told(suite, case.id).verdict.status for suite in suites for case in suite.cases}
    seen |= set(ORDER_RULES)
    assert seen == {status for suite in suites for status in suite.contract.statuses}


def test_a_mend_is_accepted() -> None:
    """What the stories of the frozen suites say to write makes an accepted answer."""
    story = config(claims({"quote": "retry_enabled=false"}))
    assert story.mend == ('Write the quotation "read_timeout_ms=5000".',)
    assert config(claims({"quote": "read_timeout_ms=5000"})).verdict.full_contract
    story = config(claims({"doc": "dev-v2", "value": "12000", "quote": "read_timeout_ms=12000"}))
    assert story.mend == ('Cite prod-v2, with the value "5000" and the quotation "read_timeout_ms=5000".',)
    story = config(claims({"field": "retry_enabled", "doc": "dev-v2", "quote": "retry_enabled=true"}))
    assert story.mend == ("Take claims[0] out.",)


# Steps, sources, layers that are fooled


def test_a_story_has_one_step_for_each_layer() -> None:
    steps = told(CONFIG, "invented-quote").steps
    assert [(step.layer, step.passed, step.decided) for step in steps] == [
        ("strict_json", True, False),
        ("citation_exists", False, True),
        ("full_contract", False, False),
    ]
    assert steps[2].sentence == "A layer before it rejects: citation_exists."


def test_sources_have_their_quotations_marked() -> None:
    (source,) = told(CONFIG, "real-but-unrelated-quote").sources
    assert (source.id, source.about) == (
        "prod-v2",
        (("service", "payments"), ("environment", "prod"), ("revision", "v2")),
    )
    assert [(source.text[mark.start : mark.end], mark.role, mark.deciding) for mark in source.marks] == [
        ("retry_enabled=false", "quoted", True),
        ("retry_enabled=false", "quoted", False),
        ("read_timeout_ms=5000", "wanted", True),
    ]
    runs = source.runs()
    assert "".join(run.text for run in runs) == source.text
    assert [(run.text, run.quoted, run.wanted, run.deciding) for run in runs[:3]] == [
        ("read_timeout_ms=5000", False, True, True),
        ("\n", False, False, False),
        ("retry_enabled=false", True, False, True),
    ]


def test_sources_of_a_refusal_are_the_facts_that_speak() -> None:
    assert [
        (source.id, source.cited, source.marks[0].role) for source in told(ORDER, "conflict").sources
    ] == [
        ("F1", False, "held"),
        ("F4", False, "held"),
    ]
    (needless,) = told(ORDER, "needless-refusal").sources
    assert (needless.id, needless.deciding, needless.marks[0].role) == ("F1", True, "wanted")


FOOLED = {
    "correct-two-facts": (),
    "trailing-json": (),
    "invented-doc": ("strict_json",),
    "injection-as-quote": ("strict_json", "citation_exists"),
}


@pytest.mark.parametrize("case_id", FOOLED)
def test_layers_that_are_fooled(case_id: str) -> None:
    assert told(CONFIG, case_id).fooled == FOOLED[case_id]


# Malformed texts: what, where, and the mend

C, ORD = "config-claims", "order-status"
SHAPES = {
    "an array": (C, "[]", "C1.1", ("The answer is an array of 0 elements; an object with the one member "
                 '"claims" belongs there.'), "[]"),
    "no claims": (C, "{}", "C1.1", 'The answer has no member "claims".', "{}"),
    "claims as object": (C, '{"claims":{}}', "C1.2", ('"claims" is an object of 0 members; an array of claims '
                         "belongs there."), '"claims":{}'),
    "nine claims": (C, claims(*[{}] * 9), "C1.2", "There are 9 claims; at most 8 are taken.",
                    json.dumps(GOOD_CLAIM)),
    "claim as string": (C, '{"claims":["x"]}', "C1.3", ('claims[0] is the string "x"; an object with the members '
                        '"field", "value", "doc" and "quote" belongs there.'), '"x"'),
    "claim without quote": (C, '{"claims":[{"field":"a","value":"b","doc":"c"}]}', "C1.3",
                            'claims[0] has no member "quote".', '{"field":"a","value":"b","doc":"c"}'),
    "misspelt member": (C, '{"claims":[{"field":"a","value":"b","doc":"c","Quote":"d"}]}', "C1.3",
                        'claims[0] has a member "Quote", which does not belong there.', '"Quote":"d"'),
    "number": (C, claims({"value": 5000}), "C1.4", ("claims[0].value is the number 5000; a string of 1 to 2048 "
               "UTF-16 code units belongs there."), '"value": 5000'),
    "null": (C, claims({}, {"quote": None}), "C1.4", ("claims[1].quote is null; a string of 1 to 2048 UTF-16 code "
             "units belongs there."), '"quote": null'),
    "empty": (C, claims({"doc": ""}), "C1.4", ("claims[0].doc is an empty string; a string of 1 to 2048 UTF-16 "
              "code units belongs there."), '"doc": ""'),
    "too long": (C, claims({"field": "\U0001f600" * 1025}), "C1.4", ("claims[0].field is a string of 2050 units; "
                 "a string of 1 to 2048 UTF-16 code units belongs there."),
                 '"field": "' + "\U0001f600" * 1025 + '"'),
    "order: a string": (ORD, '"unknown"', "O1.1", ('The answer is the string "unknown"; an object with the members '
                        '"status", "order_id", "answer" and "evidence" belongs there.'), '"unknown"'),
    "order: extra": (ORD, '{"status":"unknown","order_id":"a","answer":null,"evidence":[],"action":"refund"}',
                     "O1.1", 'The answer has a member "action", which does not belong there.',
                     '"action":"refund"'),
    "order: status": (ORD, order("maybe", None), "O1.2", ('"status" is the string "maybe"; "answered" or "unknown" '
                      "belongs there."), '"status": "maybe"'),
    "order: order id": (ORD, '{"status":"unknown","order_id":104,"answer":null,"evidence":[]}', "O1.3",
                        '"order_id" is the number 104; a string of 0 to 2048 UTF-16 code units belongs there.',
                        '"order_id":104'),
    "order: answer": (ORD, '{"status":"unknown","order_id":"a","answer":false,"evidence":[]}', "O1.3",
                      '"answer" is the word false; null or a string of 0 to 2048 UTF-16 code units belongs there.',
                      '"answer":false'),
    "order: evidence": (ORD, '{"status":"unknown","order_id":"a","answer":null,"evidence":"F1"}', "O1.4",
                        '"evidence" is the string "F1"; an array of at most 8 fact ids belongs there.',
                        '"evidence":"F1"'),
    "order: nine": (ORD, order("unknown", None, *"123456789"), "O1.4", "There are 9 fact ids; at most 8 are taken.",
                    '"9"'),
    "order: fact id": (ORD, '{"status":"unknown","order_id":"a","answer":null,"evidence":["F1",null]}', "O1.4",
                       "evidence[1] is null; a string of 0 to 2048 UTF-16 code units belongs there.", "null"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_shape_faults_are_placed(name: str) -> None:
    contract, candidate, clause, sentence, place = SHAPES[name]
    suite = CONFIG if contract == C else ORDER
    story = tell(suite.contract, candidate, next(iter(suite.requests.values())), registry=suite.registry)
    assert story.verdict.status == INVALID_JSON
    assert deciding(story)[:2] == (clause, sentence)
    assert story.place is not None
    assert candidate[slice(*story.place)] == place
    assert story.malformed is not None
    assert (story.malformed.line, story.malformed.column) == (1, story.place[0] + 1)


TEXTS = {
    "trailing comma": ('{"claims":[],}', "J3", "a comma stands before the closing bracket", (1, 13)),
    "unclosed": ('{"claims":["a}', "J3", "a string is opened and never closed", (1, 12)),
    "fence": ("```json\n{}\n```", "J3", "'`' stands where a value belongs", (1, 1)),
    "second line": ('{"claims":\n  [x]}', "J3", "'x' stands where a value belongs", (2, 4)),
    "nothing": ("", "J3", "the text ends before the JSON value does", (1, 1)),
    "two values": ("{} {}", "J3", "something follows the JSON value", (1, 4)),
    "astral before": ('{"\U0001f600":[x', "J3", "'x' stands where a value belongs", (1, 7)),
    "surrogate": ('{"a":"\ud800"}', "J2", "a surrogate code point stands in the text", (1, 7)),
    "control": ('{"a":"\x1b"}', "J4", "the control character U+001B stands unescaped in a string", (1, 7)),
    "escape": ('{"a":"\\x"}', "J4", "'\\\\x' is not an escape of JSON", (1, 7)),
    "lone escape": ('{"a":"\\ud800"}', "J6", "an escape writes an unpaired surrogate", (1, 7)),
    "doubled": ('{"a":1,"a":2}', "J5", "the member 'a' stands twice in one object", (1, 8)),
    "deep": ("[" * 17, "J7", "brackets nest deeper than 16", (1, 17)),
    "long": ("[" + " " * 8192, "J1", "the text is longer than 8192 UTF-16 code units", (1, 8193)),
}


@pytest.mark.parametrize("name", TEXTS)
def test_malformed_texts_are_placed(name: str) -> None:
    text, clause, reason, place = TEXTS[name]
    story = config(text)
    step = story.steps[0]
    assert (step.clause, step.sentence) == (clause, f"This is not exactly one JSON value: {reason}.")
    assert story.malformed is not None
    assert (story.malformed.reason, (story.malformed.line, story.malformed.column)) == (reason, place)


QUOTATION = (
    'A quotation mark " is missing before the marked place, or one is too many: look where the text that ends here '
    'begins. Within a text a quotation mark is written \\".'
)
MENDS = {
    "nothing": (" \n", "Write an answer: the text is empty, and an answer is one JSON value."),
    "a fence": (f"```json\n{GOOD}\n```", "Take the Markdown fence (```) out, before and after: the JSON alone is the answer."),
    "a fence after it": (f"{GOOD}\n```", "Take the Markdown fence (```) out, before and after: the JSON alone is the answer."),
    "curly": ('{“claims”:[]}', 'Type " for “, which is a curly quotation mark.'),
    "curly single": ('{‘claims’:[]}', 'Type " for ‘, which is a curly quotation mark.'),
    "curly at the end of a name": ('{"claims”:[{"field":1}]}', 'Type " for ”, which is a curly quotation mark.'),
    "curly at the end of the text": ('["a”]', 'Type " for ”, which is a curly quotation mark.'),
    "a full-width colon": ('{"claims"：[]}', "Type : for ：, which is a full-width colon."),
    "single": ("{'claims':[]}", "Write double quotation marks: JSON knows \" alone, and no '."),
    "None": ('{"a":None}', "Write null for None, or put a text in quotation marks."),
    "Null": ('{"a":Null}', "Write null for Null, or put a text in quotation marks."),
    "True": ('{"a":True}', "Write true for True, or put a text in quotation marks."),
    "NaN": ('{"a":NaN}', 'Write a JSON number, or put the word in quotation marks, such as "NaN".'),
    "a comma between claims": ('[{"a":1}{"a":2}]', "Write a comma before the marked place."),
    "a comma between members": ('{"a":1 "b":2}', "Write a comma before the marked place."),
    "another bracket": ('{"a":[1}', "Write a comma before the marked place, or close the bracket."),
    "no opening mark of a value": ('{"a":read_ms"}', 'Put it in quotation marks; an opening one is missing: "read_ms".'),
    "no opening mark of a name": ('{field":1}', 'Put it in quotation marks; an opening one is missing: "field".'),
    "a name without marks": ("{field:1}", 'Put it in quotation marks; an opening one is missing: "field".'),
    "a plus": ('{"a":+5}', 'Put it in quotation marks; an opening one is missing: "+5".'),
    "a number for a name": ('{"a":1,:2}', "Write a member's name there, in double quotation marks."),
    "no closing mark of a value": ('{"a":"b,"c":"d"}', QUOTATION),
    "no closing mark of a name": ('{"a:"b"}', QUOTATION),
    "a unit": ('{"a":5000ms}', "Put the value in quotation marks, all of it."),
    "a comment": ('{"a":1, // one\n"b":2}', "Take the comment out: JSON has none."),
    "words before": (f"Here it is: {GOOD}", "Take out what stands before the JSON: the JSON alone is the answer."),
    "words after": (f"{GOOD} So much.", "Keep one JSON value, and nothing before or after it."),
    "a bracket too many": (f"{GOOD}}}", "Take the } out: it closes nothing."),
    "a bracket too few": (GOOD[:-1], "Finish the text: what was opened has to be closed."),
    "no colon": ('{"a" "b"}', "Write a colon between a member's name and its value."),
    "no value": ('{"a":}', "Write a value before the marked place."),
    "no closing mark at all": ('["a]', "Close the string with a quotation mark."),
}  # fmt: skip


@pytest.mark.parametrize("name", MENDS)
def test_a_malformed_text_gets_a_mend_of_its_own(name: str) -> None:
    text, mend = MENDS[name]
    assert config(text).mend == (mend,)


SHAPE_MENDS = {
    "a longer word": ("document", '"document" to "doc"'),
    "a shorter word": ("val", '"val" to "value"'),
    "a misspelling": ("feild", '"feild" to "field"'),
    "capitals": ("Quote", '"Quote" to "quote"'),
}


@pytest.mark.parametrize("name", SHAPE_MENDS)
def test_a_misnamed_member_is_renamed(name: str) -> None:
    other, renamed = SHAPE_MENDS[name]
    right = renamed.split('"')[3]
    claim = {other if member == right else member: value for member, value in GOOD_CLAIM.items()}
    story = config(json.dumps({"claims": [claim]}))
    assert story.mend == (f"Rename the member {renamed}, which is missing.",)


def test_another_member_is_taken_out() -> None:
    assert config(claims({"note": "x"})).mend == ('Take the member "note" out.',)
    claim = {("note" if name == "doc" else name): value for name, value in GOOD_CLAIM.items()}
    assert config(json.dumps({"claims": [claim]})).mend == (
        'Take the member "note" out, or rename it to "doc", which is missing.',
    )


def test_the_text_null_is_no_null() -> None:
    request = ORDER.requests["status-of-104-contradicted"]
    story = tell(ORDER.contract, order("unknown", "null"), request, registry=ORDER.registry)
    assert story.verdict.status == "MALFORMED_REFUSAL"
    assert story.mend == (
        (
            '"null" in quotation marks is a text; write null without them. Refuse, with the status "unknown", '
            "the answer null and no evidence: two facts contradict each other."
        ),
    )


BYTES = {
    "BOM": (b"\xef\xbb\xbf{}", "the bytes begin with a byte order mark", 1),
    "Latin-1": ('{"é":1}'.encode("latin-1"), "the byte 0xe9 is not UTF-8", 3),
    "UTF-16": ("{}".encode("utf-16"), "the byte 0xff is not UTF-8", 1),
    "cut character": ('{"a":"é'.encode()[:-1], "the byte 0xc3 is not UTF-8", 7),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_text(name: str) -> None:
    data, reason, column = BYTES[name]
    story = tell(CONFIG.contract, read_bytes(data), CONFIG.requests["timeout-only"], registry=CONFIG.registry)
    assert (story.verdict.status, story.steps[0].clause) == (INVALID_JSON, "J8")
    assert story.malformed is not None
    assert (story.malformed.reason, story.malformed.column) == (reason, column)


def test_bytes_that_are_text_are_read_as_they_are() -> None:
    assert read_bytes('{"é":"\U0001f600\ufeff"}'.encode()) == '{"é":"\U0001f600\ufeff"}'


EXCERPTS = {
    "short": ("ab\ncd\nef", 4, ("cd", 1, False, False)),
    "at the end": ("ab", 2, ("ab", 2, False, False)),
    "at a line feed": ("ab\ncd", 2, ("ab", 2, False, False)),
    "long": ("x" * 100 + "!" + "y" * 100, 100, ("x" * 44 + "!" + "y" * 27, 44, True, True)),
    "near the start": ("!" + "y" * 100, 0, ("!" + "y" * 71, 0, False, True)),
    "near the end": ("x" * 100 + "!", 100, ("x" * 71 + "!", 71, True, False)),
}


@pytest.mark.parametrize("name", EXCERPTS)
def test_a_long_line_is_cut_around_the_caret(name: str) -> None:
    text, offset, (excerpt, caret, cut_before, cut_after) = EXCERPTS[name]
    at = malformed_at(text, "why", offset)
    assert at == MalformedAt(
        reason="why",
        line=text.count("\n", 0, offset) + 1,
        column=at.column,
        excerpt=excerpt,
        caret=caret,
        cut_before=cut_before,
        cut_after=cut_after,
    )
    assert text[offset : offset + 1].strip("\n") == excerpt[caret : caret + 1]


# Near misses: each differs in a way that is easy to overlook

NEAR = {
    "read_timeout_ms=5000 ": "white space at its ends",
    "read_timeout_ms = 5000": "white space",
    "READ_timeout_ms=5000": "capital and small letters",
    "read_timeout_ms=５０００": "look-alike forms of characters",
    "read_timeout_ms=\u200b5000": "characters that cannot be seen",
}


@pytest.mark.parametrize("quote", NEAR)
def test_a_near_miss_is_named(quote: str) -> None:
    sentence = config(claims({"quote": quote})).steps[1].sentence
    assert sentence.endswith(
        f" The two differ in {NEAR[quote]} alone, and that is enough: nothing is trimmed or converted."
    )


# Differences

DIFFERENCES = {
    "equal": ([1], [1], ()),
    "members in another order": ({"a": "1", "b": "2"}, {"b": "2", "a": "1"}, ()),
    "a changed member": ({"a": "1"}, {"a": "2"}, (("changed", "a", '"1"', '"2"'),)),
    "an added member": ({}, {"a": None}, (("added", "a", "", "null"),)),
    "a removed item": (["a", "b", "c"], ["a", "c"], (("removed", "[1]", '"b"', ""),)),
    "an added item": (["a", "c"], ["a", "b", "c"], (("added", "[1]", "", '"b"'),)),
    "a repeated item": (["a", "b"], ["a", "a", "b"], (("added", "[1]", "", '"a"'),)),
    "swapped items": (["a", "b"], ["b", "a"], (("removed", "[0]", '"a"', ""), ("added", "[1]", "", '"a"'))),
    "within an item": ([{"a": "1"}], [{"a": "2"}], (("changed", "[0].a", '"1"', '"2"'),)),
    "another kind": ({"a": []}, {"a": {}}, (("changed", "a", "[]", "{}"),)),
    "a boolean is no number": ([True], ["true"], (("changed", "[0]", "true", '"true"'),)),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_difference_is_the_smallest(name: str) -> None:
    pair, here, expected = DIFFERENCES[name]
    values = [parse(json.dumps(value)) for value in (pair, here)]
    assert value_changes(*values) == tuple(  # type: ignore[arg-type]
        Change(kind=kind, path=path, pair=before, here=after) for kind, path, before, after in expected
    )


TEXT_DIFFERENCES = {
    "a missing quotation mark": ('{"a":"b"}', '{"a":"b}', TextChange(start=7, pair='"', here="")),
    "white space besides": (
        '{"a":"b","c":1}',
        '{"a": "b", "c": 1}{}',
        TextChange(start=18, pair="", here="{}"),
    ),
    "all of it": ("{}", "x", TextChange(start=0, pair="{}", here="x")),
    "at the start": ("{}", "x {}", TextChange(start=0, pair="", here="x")),
}


@pytest.mark.parametrize("name", TEXT_DIFFERENCES)
def test_texts_differ_in_one_run(name: str) -> None:
    pair, here, expected = TEXT_DIFFERENCES[name]
    assert text_change(pair, here) == expected


def test_the_same_answer_to_another_request() -> None:
    difference = told(ORDER, "needless-refusal").difference
    assert difference is not None
    assert (difference.changes, difference.text) == ((), None)
    assert difference.requests == (Change(kind="removed", path="supplied[3]", pair='"F4"', here=""),)


def test_no_pair_no_difference() -> None:
    assert told(CONFIG, "correct-two-facts").difference is None


# Words


def test_quoted_text_keeps_its_ends() -> None:
    assert quoted('a"b\n') == '"a\\"b\\n"'
    assert quoted("x" * 161) == f'"{"x" * 160}"... (161 characters)'
    assert [named(text) for text in ("F1", "F1 ", "a.b", "a.", "é")] == ["F1", '"F1 "', "a.b", '"a."', '"é"']


# What holds for every story


@pytest.mark.parametrize(
    ("name", "registry", "requests"),
    [
        ("config-claims", candidates.CONFIG_REGISTRY, candidates.CONFIG_REQUESTS),
        ("order-status", candidates.ORDER_REGISTRY, candidates.ORDER_REQUESTS),
    ],
)
def test_every_candidate_has_a_story(name: str, registry: Any, requests: Mapping[str, Any]) -> None:
    contract, checker = CONTRACTS[name], Checker()
    known = contract.read_registry(registry, checker)
    bound = {key: contract.read_request(value, known, checker, ()) for key, value in requests.items()}
    assert checker.faults == []
    told_statuses = set()
    for request, candidate in islice(candidates.generate(name, seed=1), 1500):
        story = tell(contract, candidate, bound[request], registry=known)
        verdict = story.verdict
        told_statuses.add(verdict.status)
        assert verdict == contract.judge(candidate, bound[request])
        assert [step.passed for step in story.steps] == [verdict.passes(layer) for layer in LAYERS]
        assert [step.decided for step in story.steps].count(True) == 1
        assert (story.malformed is None) == verdict.strict_json
        assert bool(story.mend) != verdict.full_contract
        assert story.steps[0].clause or verdict.strict_json, candidate
        assert all("".join(run.text for run in source.runs()) == source.text for source in story.sources)
    assert told_statuses == set(contract.statuses)


def test_places_cover_every_value() -> None:
    text = '{ "a" : [1, {"b": "c:,{"}, []], "d\\u0041": null }'
    places = member_places(text)
    assert {path: text[slice(*place)] for path, place in places.items()} == {
        (): text,
        ("a",): '"a" : [1, {"b": "c:,{"}, []]',
        ("a", 0): "1",
        ("a", 1): '{"b": "c:,{"}',
        ("a", 1, "b"): '"b": "c:,{"',
        ("a", 2): "[]",
        ("dA",): '"d\\u0041": null',
    }


class Unknown(ConfigClaims):
    """A contract that has no teller of its own."""

    name = "unknown"


def test_a_contract_without_a_teller_is_told_too() -> None:
    request = CONFIG.requests["timeout-only"]
    story = tell(Unknown(), claims({"value": "1"}), request, registry=CONFIG.registry)
    assert deciding(story) == (None, "The contract rejects it: VALUE_MISMATCH.", "VALUE_MISMATCH", "")
    assert story.steps[0].sentence == "The text is one well-formed answer of the closed shape."
    story = tell(Unknown(), "[]", request, registry=CONFIG.registry)
    assert story.steps[0].sentence == (
        "The text is JSON, and not of the closed shape that this contract asks for."
    )
    assert tell(Unknown(), GOOD, request, registry=CONFIG.registry).sources == ()


PURE = {
    "__future__", "collections.abc", "dataclasses", "difflib", "itertools", "json", "re", "typing", "unicodedata",
}  # fmt: skip


def test_stories_read_nothing_but_their_arguments() -> None:
    imported = {
        name
        for path in STORIES.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and node.level == 0
            else []
        )
    }
    assert imported <= PURE
