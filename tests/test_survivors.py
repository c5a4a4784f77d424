"""Cases that mutation testing asked for: each kills a mutant that every other quick test let live."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest
from small_suite import ANSWER, CASES, edited
from small_suite import write as write_suite
from test_run_directory import write

from grounded_claims import load_suite
from grounded_claims.contracts import CONTRACTS
from grounded_claims.errors import RunDirectoryError, SuiteError
from grounded_claims.strict_json import Malformed, parse

SEPARATOR = "'{}' stands where a comma or a closing bracket belongs"
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
