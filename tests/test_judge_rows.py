"""One row to its verdict row: every way of not being a row, by the reference and by the fast path.

The fast path is held to the reference over generated and edited rows, texts and counts; judge_rows.py makes
them, and its command compares millions.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys

import pytest
from judge_rows import ROOT, compare, suite_of

from grounded_claims import Gate, load_suite
from grounded_claims.errors import EXIT_FAULT
from grounded_claims.judging import fast_config_claims
from grounded_claims.judging.fast_rows import FastRowJudge
from grounded_claims.judging.judges import make_judge
from grounded_claims.judging.rows import Bounded, JudgingLineError, Requests, RowJudge, Unjudged
from grounded_claims.judging.tally import Tally
from grounded_claims.strict_json import Number

FIXTURES = ROOT / "fixtures"
SUITES = ("config-claims", "order-status", "order-status-field")
PATHS = {"reference": True, "fast": False}

ANSWER = '{"claims":[{"field":"timeout","value":"5000","doc":"right","quote":"timeout=5000"}]}'
ACCEPTED = (
    '"status":"ACCEPT","strict_json":true,"citation_exists":true,"full_contract":true,"outcome":"grounded",'
    '"claim":null,"accepted":{"timeout":"5000"}}'
)
MALFORMED = (
    '"status":"INVALID_JSON","strict_json":false,"citation_exists":false,"full_contract":false,'
    '"outcome":"malformed","claim":null,"accepted":{}}'
)


def row(**members: object) -> str:
    return json.dumps({"candidate": ANSWER, "request": "one", **members}, ensure_ascii=False)


def written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


REQUEST = {
    "service": "payments",
    "environment": "prod",
    "revision": "v2",
    "fields": ["timeout"],
    "supplied": ["right"],
}

#: What is odd about a row that is judged -> the line, the id that comes back, and the end of its verdict row.
JUDGED = {
    "nothing": (row(id="r1"), '"r1"', ACCEPTED),
    "an absent id": (row(), "null", ACCEPTED),
    "a null id": (row(id=None), "null", ACCEPTED),
    "an integer of many digits": (row(id=10**400), "1" + "0" * 400, ACCEPTED),
    "a negative integer": (row(id=-7), "-7", ACCEPTED),
    "a minus zero, as written": (row(id="@").replace('"@"', "-0"), "-0", ACCEPTED),
    "an empty id": (row(id=""), '""', ACCEPTED),
    "an id with escapes, written anew": (
        row(id="@").replace("@", r"\u00e9\/\"\\\u0001"),
        r'"é/\"\\\u0001"',
        ACCEPTED,
    ),
    "an id beyond ASCII": (row(id="é\u2028\U0001f600"), '"é\u2028\U0001f600"', ACCEPTED),
    "a request by its members": (row(request=REQUEST), "null", ACCEPTED),
    "members in another order": (f'{{"id":1,"request":"one","candidate":{written(ANSWER)}}}', "1", ACCEPTED),
    "names with escapes": (
        row(id=1).replace('"id"', r'"\u0069\u0064"').replace('"request"', r'"\u0072equest"'),
        "1",
        ACCEPTED,
    ),
    "space and CR around": (f" \t{row(id=1)} \r", "1", ACCEPTED),
    "ignored members": (row(id=1, note={"a": [1, 1e300, None, {"b": "x"}]}, other="\u2028"), "1", ACCEPTED),
    "an ignored number that no machine holds": (
        row(id=1, note=0).replace('"note": 0', '"note": 1e999'),
        "1",
        ACCEPTED,
    ),
    "an ignored nest of 63": (row(id=1, note=json.loads("[" * 63 + "]" * 63)), "1", ACCEPTED),
    "a large ignored member": (row(id=1, note=["x" * 1000] * 500), "1", ACCEPTED),
    "an empty candidate": (row(candidate="", id=1), "1", MALFORMED),
    "a NUL in the candidate": (row(candidate="\0" + ANSWER, id=1), "1", MALFORMED),
    "a candidate with a doubled name": (
        row(candidate=ANSWER.replace('"doc"', '"doc":"x","doc"'), id=1),
        "1",
        MALFORMED,
    ),
    "a candidate with a doubled name and hidden marks": (
        row(candidate=ANSWER.replace('"doc"', r'"doc":"\u0022\u0022\u0022\u0022","doc"'), id=1),
        "1",
        MALFORMED,
    ),
    "a candidate of 8193 units": (row(candidate=ANSWER.ljust(8193), id=1), "1", MALFORMED),
    "a candidate of 8192 units": (row(candidate=ANSWER.ljust(8192), id=1), "1", ACCEPTED),
    "a candidate whose claim is written with numbers": (
        row(candidate=ANSWER.replace("timeout", r"\u0074imeout"), id=1),
        "1",
        ACCEPTED,
    ),
}

#: What is wrong with a row -> the line, the id that comes back, and the error.
UNJUDGED = {
    "blank": (b"", "null", "the row is blank"),
    "only space": (b" \t\r", "null", "the row is blank"),
    "not UTF-8": (
        b'{"candidate":"\xff"}',
        "null",
        "the row is not UTF-8: byte 15 of the line does not belong there",
    ),
    "a surrogate in UTF-8": (
        b'{"candidate":"\xed\xa0\x80"}',
        "null",
        "the row is not UTF-8: byte 15 of the line does not belong there",
    ),
    "a byte order mark": (
        b"\xef\xbb\xbf" + row().encode(),
        "null",
        "the row begins with a byte order mark; save the file as UTF-8 without one",
    ),
    "a NUL": (
        b"\0",
        "null",
        "the row is not strict JSON: '\\x00' stands where a value belongs, at column 1",
    ),
    "an array": (b"[]", "null", "a list stands where an object belongs"),
    "a doubled name": (
        row(id=1).encode()[:-1] + b',"id":2}',
        "null",
        "the row is not strict JSON: the member 'id' stands twice in one object, at column {at}",
    ),
    "a doubled name in an ignored member": (
        row(id=1, note=0).encode().replace(b'"note": 0', b'"note":[{"a":1,"a":2}]'),
        "null",
        "the row is not strict JSON: the member 'a' stands twice in one object, at column {at}",
    ),
    "an ignored nest of 64": (
        row(id=1, note=json.loads("[" * 64 + "]" * 64)).encode(),
        "null",
        "the row is not strict JSON: brackets nest deeper than 64, at column {at}",
    ),
    "an ignored nest of 100000": (
        row(note=0).encode()[:-2] + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "null",
        "the row is not strict JSON: brackets nest deeper than 64, at column {at}",
    ),
    "an unpaired surrogate": (
        row(id="@").replace("@", r"\ud800").encode(),
        "null",
        "the row is not strict JSON: an escape writes an unpaired surrogate, at column {at}",
    ),
    "no candidate": (b'{"request":"one","id":"a"}', '"a"', "'candidate' is missing"),
    "no request": (b'{"candidate":"","id":"a"}', '"a"', "'request' is missing"),
    "a candidate that is an object": (
        row(candidate={}, id=3).encode(),
        "3",
        (
            "candidate: a mapping stands where a string belongs; "
            "give the raw text, as a JSON string (json.dumps(text))"
        ),
    ),
    "an id that is a fraction": (
        row(id=1.5).encode(),
        "null",
        "id: the number '1.5' stands where a string, an integer or null belongs",
    ),
    "an id that is written as a fraction": (
        row(id=1.0).encode(),
        "null",
        "id: the number '1.0' stands where a string, an integer or null belongs",
    ),
    "an id that is true": (
        row(id=True).encode(),
        "null",
        "id: the boolean true stands where a string, an integer or null belongs",
    ),
    "a request that is a list": (
        row(request=[], id=3).encode(),
        "3",
        "request: a list stands where the name of a request or a request belongs",
    ),
    "an unknown request": (
        row(request="On", id=3).encode(),
        "3",
        "request: 'On' is not the name of a request of the suite; did you mean 'one'?",
    ),
    "a request unlike any": (
        row(request="quux", id=3).encode(),
        "3",
        (
            "request: 'quux' is not the name of a request of the suite; "
            "known: both, one, three or nothing-supplied"
        ),
    ),
    "a request with a number": (
        row(request={**REQUEST, "revision": 2}, id=3).encode(),
        "3",
        'request.revision: the number 2 stands where text belongs; put it in quotation marks: "2"',
    ),
    "a request with numbers and other faults": (
        row(request={**REQUEST, "fields": [0, "timeout"], "supplied": 1, "note": 5, "service": [3]}, id=3)
        .encode()
        .replace(b"[0,", b"[1.50e400,"),
        "3",
        (
            "request.note: is not known here; known: service, environment, revision, fields or supplied; "
            "request.fields[0]: the number 1.50e400 stands where text belongs; "
            'put it in quotation marks: "1.50e400"; '
            "request.supplied: the number 1 stands where a list of document ids of the registry belongs; "
            "request.service: a list stands where text belongs"
        ),
    ),
    "a request with a long number": (
        row(request={**REQUEST, "revision": 10**99}).encode(),
        "null",
        (
            f"request.revision: the number 1{'0' * 59}… stands where text belongs; "
            f'put it in quotation marks: "1{"0" * 59}…"'
        ),
    ),
    "an escape without its digits": (
        b'{"candidate":"\\u12g4"}',
        "null",
        (
            "the row is not strict JSON: '\\\\u' is not an escape of JSON: "
            "four hexadecimal digits belong after it, at column 15"
        ),
    ),
    "an escape of none": (
        b'{"candidate":"\\q"}',
        "null",
        "the row is not strict JSON: '\\\\q' is not an escape of JSON, at column 15",
    ),
    "a request that does not fit": (
        row(request={**REQUEST, "supplied": ["right", "right"], "fields": []}, id=3).encode(),
        "3",
        (
            "request.fields: is empty; at least one of the fields that the registry has a fact of belongs "
            "here; "
            "request.supplied[1]: 'right' stands here twice; take one out"
        ),
    ),
    "a request with a doubled name": (
        row(request=REQUEST).encode().replace(b'"fields"', b'"revision":"v1","fields"'),
        "null",
        "the row is not strict JSON: the member 'revision' stands twice in one object, at column {at}",
    ),
}


@pytest.fixture(params=PATHS.values(), ids=PATHS)
def judge(request):
    return make_judge(suite_of("config-claims"), reference=request.param)


@pytest.mark.parametrize(("line", "identity", "end"), JUDGED.values(), ids=JUDGED)
def test_row_is_judged(judge, line, identity, end):
    assert judge.judge_chunk(line.encode(), 7)[0].decode() == f'{{"line":7,"id":{identity},{end}\n'


@pytest.mark.parametrize(("line", "identity", "error"), UNJUDGED.values(), ids=UNJUDGED)
def test_row_that_cannot_be_judged_is_an_error_in_its_place(judge, line, identity, error):
    good = row(id="good").encode()
    data, tally = judge.judge_chunk(b"\n".join((good, line, good)), 1)
    first, second, third = data.decode().splitlines()
    found = json.loads(second)
    assert second.startswith(f'{{"line":2,"id":{identity},"error":')
    assert list(found) == ["line", "id", "error"]
    if "{at}" in error:
        error = error.replace("{at}", found["error"].rpartition(" ")[2])
    assert found["error"] == error
    assert (first, third) == (f'{{"line":1,"id":"good",{ACCEPTED}', f'{{"line":3,"id":"good",{ACCEPTED}')
    assert (tally.errors, tally.rows) == (1, 3)


def test_a_long_reason_is_cut(judge):
    line = row(id=1).encode()[:-1] + b',"%b":1,"%b":1}' % (b"n" * 1000, b"n" * 1000)
    error = json.loads(judge.judge_chunk(line, 1)[0])["error"]
    assert len(error) == 400
    assert error.startswith("the row is not strict JSON: the member 'nnn")


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("reference", PATHS.values(), ids=PATHS)
def test_cases_of_the_frozen_suites_get_the_verdicts_of_the_run(name, reference):
    suite = load_suite(FIXTURES / name)
    gate = Gate(suite)
    lines = [{"candidate": case.candidate, "request": case.request, "id": case.id} for case in suite.cases]
    rows, tally = make_judge(suite, reference=reference).judge_chunk(
        "\n".join(map(json.dumps, lines)).encode(), 1
    )
    verdicts = [gate.judge(case.candidate, suite.requests[case.request]) for case in suite.cases]
    assert list(map(json.loads, rows.splitlines())) == [
        {
            "line": number,
            "id": case.id,
            "status": verdict.status,
            "strict_json": verdict.strict_json,
            "citation_exists": verdict.citation_exists,
            "full_contract": verdict.full_contract,
            "outcome": verdict.outcome,
            "claim": verdict.claim,
            "accepted": dict(verdict.accepted),
        }
        for number, (case, verdict) in enumerate(zip(suite.cases, verdicts, strict=True), 1)
    ]
    assert [case.expected for case in suite.cases] == [verdict.status for verdict in verdicts]
    assert tally.errors == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("contract", ["config-claims", "order-status"])
def test_fast_path_equals_reference(contract, seed):
    counted = compare(contract, seed=seed, rows=25_000)
    proved = counted["rows"] - counted["handed_over"]
    assert counted["rows"] == 25_000
    assert proved > 10_000
    assert counted["accepted"] > 1_000
    assert counted["errors"] > 1_000


def test_fast_path_is_what_judges_where_it_is_installed():
    assert isinstance(make_judge(suite_of("config-claims")), FastRowJudge)
    assert isinstance(make_judge(suite_of("order-status")), FastRowJudge)
    assert isinstance(make_judge(suite_of("order-status"), reference=True), RowJudge)


@pytest.mark.parametrize(
    "members", [{}, {"request": REQUEST}, {"note": [1, {"a": "b"}]}, {"id": -1}], ids=repr
)
def test_fast_path_proves_the_ordinary(members):
    judge = make_judge(suite_of("config-claims"))
    for _ in range(3):
        judge.judge_chunk(row(**members).encode(), 1)
    assert judge.handed_over == 0


def test_without_msgspec_everything_works(tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text("\n".join(line for line, _, _ in JUDGED.values()), "utf-8")
    code = (
        "import sys; sys.modules['msgspec'] = None\n"
        "from importlib.util import find_spec\n"
        "from judge_rows import suite_of\n"
        "from grounded_claims.judging.judges import make_judge\n"
        "judge = make_judge(suite_of('config-claims'))\n"
        "assert type(judge).__name__ == 'RowJudge', judge\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "sys.stdout.buffer.write(judge.judge_chunk(data, 1)[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(rows)],
        capture_output=True,
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}", "PATH": "/usr/bin:/bin"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == make_judge(suite_of("config-claims")).judge_chunk(rows.read_bytes(), 1)[0]


class BrokenContract:
    """Raises on every candidate."""

    def __getattr__(self, name):
        return getattr(suite_of("config-claims").contract, name)

    def judge(self, candidate, request):
        raise ZeroDivisionError("broken on purpose")


def test_a_fault_of_the_judging_names_the_line_and_is_no_rejection():
    import dataclasses

    broken = dataclasses.replace(suite_of("config-claims"), contract=BrokenContract())
    with pytest.raises(JudgingLineError) as caught:
        make_judge(broken, reference=True).judge_chunk(row().encode(), 5)
    assert str(caught.value) == "line 5: the judging itself failed: ZeroDivisionError: broken on purpose"
    assert caught.value.exit_code == EXIT_FAULT


def test_a_number_in_a_request_is_no_text_whatever_a_contract_takes():
    class Taking:
        def request(self, members):
            return members

    found = Requests(suite_of("config-claims"), Taking()).find({"a": [Number("7")]})
    assert found == Unjudged("request: the number '7' stands in it, where text belongs")


def test_what_is_kept_is_bounded():
    kept = Bounded(10)
    kept.keep(b"12345", "a")
    kept.keep(b"67890", "b")
    assert set(kept) == {b"12345", b"67890"}
    kept.keep(b"1", "c")
    assert set(kept) == {b"1"}
    kept.keep(b"12345678901", "too long")
    assert set(kept) == set()


def test_accepted_answers_that_are_kept_are_bounded(monkeypatch):
    """An answer to each order of three claims: six of them, of which two are kept at a time."""
    monkeypatch.setattr(fast_config_claims, "KEPT", 2)
    suite = suite_of("config-claims")
    facts = {"timeout": "5000", "retry": "false", "extra": "1"}
    claims = [
        {"field": field, "value": value, "doc": "right", "quote": f"{field}={value}"}
        for field, value in facts.items()
    ]
    answers = [json.dumps({"claims": order}) for order in itertools.permutations(claims)]
    lines = [row(candidate=answer, request="three") for answer in answers * 3]
    data = "\n".join(lines).encode()
    judge = make_judge(suite)
    assert judge.judge_chunk(data, 1)[0] == make_judge(suite, reference=True).judge_chunk(data, 1)[0]
    assert (judge.handed_over, judge._reference.judge(lines[0].encode(), 1)[1]) == (0, ("ACCEPT", "grounded"))
    plans = [bound.plan for bound in judge._bound.values()]
    assert [len(plan.accepted) for plan in plans] == [2]
    assert len(judge._contract._kept) == 2


def test_counts_survive_the_way_to_another_process():
    tally = Tally.of([("ACCEPT", "grounded"), None, ("ACCEPT", "grounded"), ("INCOMPLETE", "ungrounded")])
    again = Tally.from_plain(json.loads(json.dumps(tally.plain())))
    assert (again.errors, again.kinds, again.rows, again.rejected) == (1, tally.kinds, 4, 1)
