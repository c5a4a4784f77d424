"""Cases that mutation testing asked for: each kills a mutant that every other quick test let live."""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

import errno
import json
import os
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from small_suite import ANSWER, CASES, SUITE, edited
from small_suite import write as write_suite
from test_run_directory import write

from grounded_claims import load_suite, places
from grounded_claims.contracts import CONTRACTS
from grounded_claims.errors import RunDirectoryError, SuiteError, UsageError
from grounded_claims.strict_json import Malformed, parse
from grounded_claims.suite import copy_advice
from grounded_claims.suite_files import suite_digest

SEPARATOR = "'{}' stands where a comma or a closing bracket belongs"
ROOT = Path(__file__).parent.parent
TOO_DEEP = "brackets nest deeper than 16"

TITLES = {
    "config-claims": [
        ("Strict JSON", "a wrong claim in a well-formed answer"),
        (
            "Citation exists",
            "an old revision, another environment, an unrelated quotation, a missing field",
        ),
        ("Full contract", "a registry that is itself wrong, out of date or not for this reader"),
    ],
    "order-status": [
        ("Strict JSON", "an invented fact id in a well-formed answer"),
        (
            "Citation exists",
            "a fact of another order, a value no fact holds, a needless refusal, a contradiction",
        ),
        ("Full contract", "facts that are themselves wrong, out of date or not for this reader"),
    ],
}


@pytest.mark.parametrize("contract", CONTRACTS)
def test_what_the_tables_say_of_a_layer(contract: str) -> None:
    layers = CONTRACTS[contract].layers
    assert [(layer.title, layer.leaves) for layer in layers] == TITLES[contract]


@pytest.mark.parametrize(
    ("text", "reason", "offset"),
    [
        ('["é", 12, 1١]', SEPARATOR.format("١"), 11),
        ("[1١1]", SEPARATOR.format("١"), 2),
        ("1١", "something follows the JSON value", 1),
    ],
)
def test_j3_a_number_ends_before_a_digit_that_is_not_ascii(text: str, reason: str, offset: int) -> None:
    """What stands before it, and how it goes on, does not matter; nor the accelerator."""
    assert parse(text) == Malformed(reason, offset)


@pytest.mark.parametrize(
    ("text", "constant", "offset"),
    [("NaN:1", "NaN", 0), ('{"a":NaN:1}', "NaN", 5), ("[-Infinity:1]", "-Infinity", 1), ("NaN:{", "NaN", 0)],
)
def test_j3_a_constant_before_a_colon_is_no_name(text: str, constant: str, offset: int) -> None:
    """A million generated candidates found the first of these while it was one."""
    assert parse(text) == Malformed(f"{constant} is not JSON", offset)


def test_j4_a_control_character_behind_a_space() -> None:
    reason = "the control character U+0001 stands unescaped in a string"
    assert parse('"a \x01"') == Malformed(reason, 3)


def test_j3_a_comma_before_a_bracket_that_another_follows() -> None:
    assert parse('{"a":[1,]}') == Malformed("a comma stands before the closing bracket", 7)


@pytest.mark.parametrize(
    ("text", "reason", "offset"),
    [
        ("[" + "x [] " * 20, "'x' stands where a value belongs", 1),
        ("[x" * 17, TOO_DEEP, 32),
        ("[[]" * 17, TOO_DEEP, 46),
    ],
    ids=["words are no brackets", "words close no brackets", "a bracket closes one"],
)
def test_j7_nesting_is_counted_by_brackets_alone(text: str, reason: str, offset: int) -> None:
    assert parse(text) == Malformed(reason, offset)


# run_directory.py


def test_r2_the_inputs_of_the_manifest_are_sorted(tmp_path: Path) -> None:
    write(tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert list(manifest["inputs"]) == ["inputs/cases.yaml", "inputs/registry.yaml", "inputs/suite.yaml"]


def test_an_error_without_a_number_is_named_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def mkdir(_: object) -> None:
        raise OSError("something odd")

    monkeypatch.setattr(os, "mkdir", mkdir)
    with pytest.raises(RunDirectoryError) as raised:
        write(tmp_path / "run")
    assert (
        str(raised.value) == f"{tmp_path / 'run'} could not be written: something odd; nothing is left of it"
    )


def test_files_are_for_whom_the_user_lets_read_them(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write(tmp_path / "run")
    finally:
        os.umask(before)
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o666}


def test_nothing_that_was_opened_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, closed = [], []
    real_open, real_close = os.open, os.close
    monkeypatch.setattr(os, "open", lambda *given: opened.append(real_open(*given)) or opened[-1])
    monkeypatch.setattr(os, "close", lambda handle: closed.append(handle) or real_close(handle))
    write(tmp_path / "run")
    assert opened == closed
    assert len(opened) == 11  # six files, and a folder five times


def test_the_sums_are_the_first_that_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where not everything can be, what is left is no run."""
    gone, real_rename, real_fsync, real_unlink = [], os.rename, os.fsync, os.unlink
    renamed = []

    def fsync(handle: int) -> None:
        if renamed:
            raise OSError(errno.EIO, "Input/output error")
        real_fsync(handle)

    monkeypatch.setattr(os, "rename", lambda *given: (renamed.append(given), real_rename(*given))[1])
    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "unlink", lambda path: (gone.append(path.name), real_unlink(path))[1])
    with pytest.raises(RunDirectoryError):
        write(tmp_path / "run")
    assert gone[:2] == ["SHA256SUMS", "manifest.json"]
    assert list(tmp_path.iterdir()) == []


# cases.py


def faults(folder: Path, old: str, new: str) -> list[str]:
    """Return every fault of the small suite with one edit in its cases."""
    with pytest.raises(SuiteError) as raised:
        load_suite(write_suite(folder, edited("cases.yaml", old, new)))
    return str(raised.value).replace(f"{folder}/cases.yaml:", "").split("\n")


def test_cases_that_are_no_list(tmp_path: Path) -> None:
    cases = CASES[CASES.index("cases:\n") :]
    assert faults(tmp_path / "text", cases, "cases: x\n") == [
        "8: cases: the text 'x' stands where a list of cases belongs"
    ]
    assert faults(tmp_path / "none", cases, "cases: []\n") == [
        "8: cases: is empty; at least one of the cases belongs here"
    ]


def test_two_ids_that_are_none_are_not_one(tmp_path: Path) -> None:
    files = edited("cases.yaml", "  - id: right\n", "  - id: Right\n")
    files["cases.yaml"] = files["cases.yaml"].replace(b"- id: wrong-value", b"- id: Wrong")
    with pytest.raises(SuiteError) as raised:
        load_suite(write_suite(tmp_path / "suite", files))
    assert [fault.message.partition(" is not ")[0] for fault in raised.value.faults] == [
        "'Right'",
        "'Wrong'",
        "'right'",
    ]


def test_an_id_that_is_there_already_is_shown_by_its_own_line(tmp_path: Path) -> None:
    """Also where it is not the first member of its case."""
    first = CASES[CASES.index("  - id: right\n") : CASES.index("  - id: wrong-value\n")]
    turned = "  - group: accepted\n    id: right\n" + "".join(first.splitlines(keepends=True)[2:])
    second = first.replace("The plain answer.", "Again.")
    assert faults(tmp_path / "suite", first, turned + second) == [
        "15: cases[1].id: 'right' is the id of cases[0] in line 10 too; ids are unique"
    ]


def test_an_empty_pair_is_one_fault(tmp_path: Path) -> None:
    assert faults(tmp_path / "suite", "    pair: right\n", "    pair: ''\n") == [
        "21: cases[1].pair: is an empty text; say something here"
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("note: The plain answer.", "note: 5", "cases[0].note: the number 5"),
        ("    pair: right\n", "    pair: 5\n", "cases[1].pair: the number 5"),
        (f"candidate: '{ANSWER}'", "candidate: {}", "cases[0].candidate: YAML structure"),
    ],
    ids=["note", "pair", "candidate"],
)
def test_a_member_of_another_kind_is_named_where_it_stands(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    [fault] = faults(tmp_path / "suite", old, new)
    assert fault.partition(": ")[2].startswith(f"{said} stands where ")


def test_a_name_is_checked_as_a_text_where_the_names_do_not_load(tmp_path: Path) -> None:
    """A suite.yaml that is no YAML says nothing of groups; still, what is no text names none."""
    files = edited("cases.yaml", "    group: accepted\n", "    group: 5\n")
    files["suite.yaml"] = b"suite: 'x\n"
    with pytest.raises(SuiteError) as raised:
        load_suite(write_suite(tmp_path / "suite", files))
    assert [fault.path for fault in raised.value.faults if fault.path] == [("cases", 0, "group")]


PREDICTION = "    prediction:\n      citation_exists: pass\n      full_contract: VALUE_MISMATCH\n"


@pytest.mark.parametrize("empty", ["''", "0", "null", "[]"])
def test_a_prediction_that_is_no_mapping_is_one_fault(empty: str, tmp_path: Path) -> None:
    [fault] = faults(tmp_path / "suite", PREDICTION, f"    prediction: {empty}\n")
    assert "cases[1].prediction: " in fault
    assert " stands where a mapping with " in fault


def test_a_prediction_is_a_text_where_no_contract_is_known(tmp_path: Path) -> None:
    files = edited("cases.yaml", PREDICTION, "    prediction: {full_contract: 5}\n")
    files["suite.yaml"] = files["suite.yaml"].replace(b"contract: config-claims", b"contract: none")
    with pytest.raises(SuiteError) as raised:
        load_suite(write_suite(tmp_path / "suite", files))
    assert [fault.path for fault in raised.value.faults] == [
        ("contract",),
        ("cases", 1, "prediction", "full_contract"),
    ]


# suite.py

FIELD = load_suite(ROOT / "fixtures" / "order-status-field")


@pytest.mark.parametrize(
    ("count", "listed"), [(0, False), (1, True), (30, True), (31, False)], ids="none one thirty more".split()
)
def test_cases_are_listed_where_they_are_few(*, count: int, listed: bool) -> None:
    suite = replace(FIELD, cases=FIELD.cases[:count])
    with pytest.raises(UsageError) as raised:
        suite.case("0")
    known = [case.id for case in suite.cases]
    some = (
        f"; known: {', '.join(known[:-1])} or {known[-1]}" if len(known) > 1 else f"; known: {''.join(known)}"
    )
    assert str(raised.value) == f"the suite 'order-status-field' has no case '0'{some if listed else ''}"


@pytest.mark.parametrize("endings", [False, True])
def test_an_edited_frozen_suite_in_its_own_place(
    *, endings: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src" / "grounded_claims").mkdir(parents=True)
    (tmp_path / "run.py").touch()
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    suite = tmp_path / "fixtures" / "config-claims"
    for path in suite.iterdir():
        data = path.read_bytes()
        path.write_bytes(data.replace(b"\n", b"\r\n") if endings else data + b"# A note.\n")
    monkeypatch.setattr(places, "PACKAGE", tmp_path / "src" / "grounded_claims")
    with pytest.raises(SuiteError) as raised:
        load_suite(suite)
    said = str(raised.value).split("\n")
    if endings:
        assert said[0] == f"{suite}: {BY_ENDINGS}"
    else:
        assert said == [f"{suite}: {EDITED}; {copy_advice('config-claims')}"]


BY_ENDINGS = (
    "the files of the frozen suite 'config-claims' differ from the published ones by line endings alone; "
    "restore them (git checkout -- fixtures/config-claims), with LF"
)
EDITED = "the frozen suite 'config-claims' has been edited, and a frozen suite never changes"


def suite_faults(folder: Path, name: str, old: str, new: str) -> list[str]:
    with pytest.raises(SuiteError) as raised:
        load_suite(write_suite(folder, edited(name, old, new)))
    return str(raised.value).replace(f"{folder}/", "").split("\n")


GROUPS = SUITE[SUITE.index("groups:\n") :]
GROUP_FAULTS = {
    "no mapping": (GROUPS, "groups: [a]\n", ["suite.yaml:4: groups: a list stands where a mapping of groups belongs"]),
    "none": (
        GROUPS,
        "groups: {}\n",
        [
            "suite.yaml:4: groups: is empty; a mapping of groups with at least one member belongs here",
            "cases.yaml:10: cases[0].group: 'accepted' is not a group of this suite",
            "cases.yaml:16: cases[1].group: 'value' is not a group of this suite",
        ],
    ),
    "an id in capitals": (
        "    effect: The application uses the wrong value.\n",
        "    effect: The application uses the wrong value.\n  Spare: {description: a, effect: b}\n",
        [
            "suite.yaml:11: groups.Spare: 'Spare' is not the id of a group (small letters, digits and hyphens): it must match [a-z0-9-]+"
        ],
    ),
    "a description that is a number": (
        "description: The answer is right.",
        "description: 5",
        ['suite.yaml:6: groups.accepted.description: the number 5 stands where text belongs; put it in quotation marks: "5"'],
    ),
    "an effect that is a number": (
        "effect: None.",
        "effect: 5",
        ['suite.yaml:7: groups.accepted.effect: the number 5 stands where text belongs; put it in quotation marks: "5"'],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GROUP_FAULTS)
def test_f2_4_groups(name: str, tmp_path: Path) -> None:
    old, new, said = GROUP_FAULTS[name]
    assert suite_faults(tmp_path / "suite", "suite.yaml", old, new) == said


def test_f5_1_no_requests(tmp_path: Path) -> None:
    requests = CASES[: CASES.index("cases:\n")]
    said = suite_faults(tmp_path / "suite", "cases.yaml", requests, "requests: {}\n")
    assert said[0] == (
        "cases.yaml:1: requests: is empty; a mapping of requests with at least one member belongs here"
    )


def test_f5_2_the_name_of_a_request(tmp_path: Path) -> None:
    requests = CASES[: CASES.index("cases:\n")]
    spare = requests + requests.removeprefix("requests:\n").replace("timeout:", "Spare:", 1)
    said = (
        "'Spare' is not the name of a request (small letters, digits and hyphens): it must match [a-z0-9-]+"
    )
    assert suite_faults(tmp_path / "suite", "cases.yaml", requests, spare) == [
        f"cases.yaml:8: requests.Spare: {said}"
    ]


@pytest.mark.parametrize(("new", "said"), [("requests: [a]\n", "a list"), ("requests: x\n", "the text 'x'")])
def test_f5_1_requests_that_are_no_mapping(new: str, said: str, tmp_path: Path) -> None:
    requests = CASES[: CASES.index("cases:\n")]
    assert suite_faults(tmp_path / "suite", "cases.yaml", requests, new) == [
        f"cases.yaml:1: requests: {said} stands where a mapping of requests belongs"
    ]


BROKEN = {
    "groups": ("suite.yaml", GROUPS, "groups: [a]\n"),
    "requests": ("cases.yaml", CASES[: CASES.index("cases:\n")], "requests: [a]\n"),
    "cases": ("cases.yaml", CASES[CASES.index("cases:\n") :], ""),
}


@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("what", BROKEN)
def test_a_part_that_is_missing_is_a_fault_of_a_pinned_suite_too(
    what: str, tmp_path: Path, *, pinned: bool
) -> None:
    files = edited(*BROKEN[what])
    pins = {"my-exercise": suite_digest(files)} if pinned else {}
    with pytest.raises(SuiteError) as raised:
        load_suite(write_suite(tmp_path / "suite", files), pins=pins)
    said = str(raised.value)
    assert ("a frozen suite states them" in said) is pinned
    assert ("'cases' is missing" if what == "cases" else f"{what}: a list stands where") in said


def test_a_hint_is_about_the_text_and_its_own_key(tmp_path: Path) -> None:
    """Of a group whose id has a dash that is said once; what is wrong inside it has another reason."""
    new = "  a\u2013group: {description: '', effect: b}\n"
    effect = "    effect: The application uses the wrong value.\n"
    inner, name = sorted(suite_faults(tmp_path / "suite", "suite.yaml", effect, effect + new))
    assert name.endswith("'\u2013' is a dash; type '-'")
    assert inner.endswith(".description: is an empty text; say something here")


def test_a_hyphen_is_no_list_where_none_belongs(tmp_path: Path) -> None:
    [fault] = suite_faults(tmp_path / "suite", "suite.yaml", "suite: my-exercise", "suite: -My")
    assert "hyphen of each list item" not in fault


def test_an_ill_formed_id_hides_no_fault_of_a_request(tmp_path: Path) -> None:
    files = edited("registry.yaml", "  - id: prod-v1\n", "  - id: 5\n")
    files["cases.yaml"] = files["cases.yaml"].replace(b"[prod-v2, prod-v1]", b"[prod-v2, nowhere]")
    with pytest.raises(SuiteError) as raised:
        load_suite(write_suite(tmp_path / "suite", files))
    paths = [fault.path for fault in raised.value.faults]
    assert paths == [("documents", 1, "id"), ("requests", "timeout", "supplied", 1)]
