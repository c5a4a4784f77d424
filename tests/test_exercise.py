"""Exercise folders: fresh, whole or absent, loadable, and running without a difference."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from workshop import FIXTURES, ROOT, Caller, copy_suite

from grounded_claims import load_suite, places
from grounded_claims.__main__ import run_command
from grounded_claims.commands.exercise import ExerciseError, write_exercise
from grounded_claims.contracts.config_claims import ConfigClaims
from grounded_claims.errors import GroundedClaimsError
from grounded_claims.exercises import Commands, exercise_files
from grounded_claims.plain_yaml import block, scalar, single_quoted
from grounded_claims.strict_yaml import load

SUITES = ("config-claims", "order-status", "order-status-field")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Caller:
    monkeypatch.chdir(ROOT)
    return Caller(capsys)


COMMANDS = Commands(program="python3 bootstrap.py", runs=("evidence/first", "evidence/second"))
CASES = """\
# An exercise made from the suite config-claims. What to do next:
#
#   1. Predict. Write below, as the prediction, what each layer will say after step 2.
#   2. In claims[0] change only the quotation "read_timeout_ms=5000", to another real line, such as
#      "retry_enabled=false". registry.yaml has the texts.
#   3. Run it, and look at your prediction; then let the verdict be explained:
#        python3 bootstrap.py run --suite my-exercise --out evidence/first
#        python3 bootstrap.py explain evidence/first mine
#   4. Put it back as it was, and predict again. In claims[0] change only the value "5000", to
#      another one, such as "2000".
#   5. Run it into another directory, and say why the two fail differently:
#        python3 bootstrap.py run --suite my-exercise --out evidence/second
#        python3 bootstrap.py compare evidence/first evidence/second
#
# A verdict unlike the label, and a prediction that misses, are shown and are no error: that is how
# one learns here.

requests:
  both-fields:
    service: payments
"""
CASE = """\
cases:
  - id: mine
    group: accepted
    note: 'The accepted case correct-two-facts of config-claims, ready to be changed.'
    request: both-fields
    candidate: '{"claims":[{"field":"read_timeout_ms","value":"5000","doc":"prod-v2","quote":"read_timeout_ms=5000"},{"field":"retry_enabled","value":"false","doc":"prod-v2","quote":"retry_enabled=false"}]}'
    # The label says what was right before you changed anything. Leave it as it is.
    expected: ACCEPT
    # Your prediction: pass, reject, or the status by which it rejects. First write, then run.
    prediction:
      strict_json: pass
      citation_exists: pass
      full_contract: pass
"""  # noqa: E501  # a candidate stands in one line


def test_the_cases_say_what_to_do() -> None:
    files = exercise_files(
        load_suite(FIXTURES / "config-claims"), folder="my-exercise", name="my-exercise", commands=COMMANDS
    )
    text = files["cases.yaml"].decode()
    assert text.startswith(CASES)
    assert text.endswith(CASE)
    assert files["registry.yaml"] == (FIXTURES / "config-claims" / "registry.yaml").read_bytes()


def test_what_is_printed_can_be_typed(call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From another directory, with a run of that name there already, and a folder that names no suite."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evidence" / "second").mkdir(parents=True)
    program = f"python3 {os.path.relpath(ROOT / 'bootstrap.py', tmp_path)}"
    printed = call("exercise", "my folder/Ex One")
    assert printed.out.splitlines() == [
        "my folder/Ex One: an exercise made from the suite config-claims, with the accepted case 'mine'.",
        "Next: open 'my folder/Ex One/cases.yaml', which says what to do: predict, change one thing, run.",
        f"  {program} run --suite 'my folder/Ex One' --out evidence/first-2",
        f"  {program} explain evidence/first-2 mine",
        (
            "In its suite.yaml the suite is called config-claims-exercise; only small letters, digits and "
            "hyphens can stand in such a name, so not Ex One."
        ),
    ]
    cases = (tmp_path / "my folder" / "Ex One" / "cases.yaml").read_text("utf-8")
    for command in (
        "run --suite 'my folder/Ex One' --out evidence/first-2",
        "explain evidence/first-2 mine",
        "run --suite 'my folder/Ex One' --out evidence/second-2",
        "compare evidence/first-2 evidence/second-2",
    ):
        assert f"#        {program} {command}\n" in cases


def test_an_installed_package_explains_and_does_not_run(
    call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "grounded_claims"
    shutil.copytree(FIXTURES, package / "fixtures")
    monkeypatch.setattr(places, "PACKAGE", package)
    monkeypatch.chdir(tmp_path)
    printed = call("exercise", "ex")
    assert printed.out.splitlines()[1:] == [
        "Next: open ex/cases.yaml, which says what to do: predict, change one thing, run.",
        "  grounded-claims explain ex mine",
        "The command run needs the checkout: it records its sources. Explaining does not.",
    ]
    cases = (tmp_path / "ex" / "cases.yaml").read_text("utf-8")
    assert cases.count("#        grounded-claims explain ex mine\n") == 2
    assert "bootstrap" not in cases
    assert call("explain", "ex", "mine").code == 0


def test_no_name_is_no_folder(call: Caller) -> None:
    assert call("exercise", "").err == "'' names no folder; name a new one\n"


@pytest.mark.parametrize("source", SUITES)
def test_an_exercise_loads_and_runs_without_a_difference(
    call: Caller, capsys: pytest.CaptureFixture[str], tmp_path: Path, source: str
) -> None:
    folder = tmp_path / "my exercise" / "for-me"
    printed = call("exercise", folder, "--from", source)
    assert (printed.code, printed.err) == (0, "")
    assert printed.out.startswith(
        f"{folder}: an exercise made from the suite {source}, with the accepted case"
    )
    suite, original = load_suite(folder), load_suite(FIXTURES / source)
    assert (suite.name, suite.frozen, suite.ignored) == ("for-me", False, ())
    assert (suite.registry, suite.requests, suite.groups) == (
        original.registry,
        original.requests,
        original.groups,
    )
    assert [case.id for case in suite.cases] == ["mine"]
    out = tmp_path / "run"
    assert run_command("run", ["--suite", str(folder), "--out", str(out), "--strict"], program="run.py") == 0
    assert "| all    | full_contract   |             |            | 1 of 1 hit |" in capsys.readouterr().out


def test_a_folder_of_ones_own_will_do(call: Caller, tmp_path: Path) -> None:
    copy = copy_suite("order-status", tmp_path / "copy", ("order_id: DEMO-104", "order_id: DEMO-104"))
    assert call("exercise", tmp_path / "mine", "--from", copy).code == 0


NAMES = {
    **{name: name for name in ("my-exercise", "y", "on", "123", "null", "0x1f", "1e5", "-", "1-2-3")},
    **dict.fromkeys(("Übung 1", "config-claims"), "config-claims-exercise"),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_folder_names_the_suite(call: Caller, tmp_path: Path, name: str) -> None:
    assert call("exercise", tmp_path / name).code == 0
    assert load_suite(tmp_path / name).name == NAMES[name]


def test_a_path_that_cannot_stand_in_a_comment_is_left_out() -> None:
    suite = load_suite(FIXTURES / "order-status")
    text = exercise_files(suite, folder="a\nexpected: b", name="x", commands=COMMANDS)["cases.yaml"].decode()
    assert "run --suite FOLDER --out" in text
    text = exercise_files(suite, folder="a b", name="x", commands=COMMANDS)["cases.yaml"].decode()
    assert "run --suite 'a b' --out" in text


def existing_folder(path: Path) -> None:
    path.mkdir()
    (path / "keep").write_text("mine")


EXISTING = {
    "folder": existing_folder,
    "empty folder": Path.mkdir,
    "file": Path.touch,
    "dangling link": lambda path: path.symlink_to("nowhere"),
}


@pytest.mark.parametrize("name", EXISTING)
def test_nothing_is_overwritten(call: Caller, tmp_path: Path, name: str) -> None:
    path = tmp_path / "there"
    EXISTING[name](path)
    before = sorted(tmp_path.rglob("*"))
    printed = call("exercise", path)
    assert (printed.code, printed.out, printed.err) == (
        2,
        "",
        f"{path} exists already, and an exercise never overwrites; name a new folder\n",
    )
    assert sorted(tmp_path.rglob("*")) == before


def test_a_lost_race_leaves_the_winner_alone(tmp_path: Path) -> None:
    path = tmp_path / "there"
    existing_folder(path)
    with pytest.raises(GroundedClaimsError, match="exists already"):
        write_exercise(path, {})
    assert [entry.name for entry in path.iterdir()] == ["keep"]


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    suite = load_suite(FIXTURES / "config-claims")
    files = exercise_files(suite, folder="x", name="x", commands=COMMANDS)
    with pytest.raises(ExerciseError, match=r"could not be written: .*; nothing is left of it"):
        write_exercise(tmp_path / "a" / "b", {**files, "no/such/folder": b""})
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(GroundedClaimsError, match=r"cases\.yaml"):
        write_exercise(tmp_path / "a" / "b", {**files, "cases.yaml": b"cases: ["})
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_a_file_is_an_error(call: Caller, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    printed = call("exercise", tmp_path / "file" / "x")
    assert (printed.code, printed.out) == (2, "")
    assert printed.err.startswith(f"{tmp_path / 'file' / 'x'} could not be written: Not a directory")
    assert os.listdir(tmp_path) == ["file"]


def test_a_suite_without_an_accepted_case(call: Caller, tmp_path: Path) -> None:
    copy = copy_suite("config-claims", tmp_path / "copy")
    text = (copy / "cases.yaml").read_text(encoding="utf-8").replace('"value":"5000"', '"value":"5001"')
    (copy / "cases.yaml").write_bytes(text.encode())
    printed = call("exercise", tmp_path / "mine", "--from", copy)
    assert (printed.code, printed.err) == (
        2,
        "the suite 'config-claims' has no accepted case to begin with\n",
    )
    assert not (tmp_path / "mine").exists()


SUGGESTED = {
    "a refusal": (
        ("order-status", "missing-order"),
        "Keep the refusal, and cite one of the facts in its evidence.",
        'Answer instead: the status "answered", a guess as the answer, a fact as evidence.',
    ),
    "an answer": (
        ("order-status", "grounded"),
        'Change only the evidence "F1", to another real fact, such as "F2".',
        'Change only the answer "shipped", to another one, such as "processing".',
    ),
}


@pytest.mark.parametrize("name", SUGGESTED)
def test_two_changes_are_suggested(name: str) -> None:
    (suite_name, case_id), first, second = SUGGESTED[name]
    suite = load_suite(FIXTURES / suite_name)
    suite = replace(suite, cases=(suite.case(case_id),))
    text = exercise_files(suite, folder="x", name="x", commands=COMMANDS)["cases.yaml"].decode()
    said = " ".join(line.lstrip("# ") for line in text.splitlines() if line.startswith("#"))
    assert first in said
    assert second in said


class Unknown(ConfigClaims):
    """A contract that has no teller of its own."""

    name = "unknown"


def test_a_contract_without_a_teller_has_exercises_too() -> None:
    suite = replace(load_suite(FIXTURES / "config-claims"), contract=Unknown())
    text = exercise_files(suite, folder="x", name="x", commands=COMMANDS)["cases.yaml"].decode()
    assert "#   2. Change only one citation, to something else that is really there." in text


# YAML that is read back as it was

TEXTS = (
    *("plain", "two words", "it's", "yes", "NO", "null", "~", "", " ", "1.10", "0755", "2026-01-02", "12:30"),
    *("a: b", "a #b", "- a", "'", '"', "\\", "tab\there", "line\nfeed", "\x07\x1b[2J", "\x85\u2028\u2029"),
    *("\ufeff", "\u202e", "漢字", "\U0001f600", "<<", "=", "*a", "&a", "!a", "%a", "@a", "`a", "{a}", "[a]"),
    *("|", ">", "?", "-", "e1", "x" * 300),
)


def test_texts_come_back_as_they_were() -> None:
    value = {f"key-{number}": text for number, text in enumerate(TEXTS)}
    text = "\n".join([*block({"texts": value, "list": list(TEXTS)}, indent=0), ""])
    loaded = load(text.encode())
    assert loaded.faults == ()
    assert loaded.value == {"texts": value, "list": list(TEXTS)}


def test_what_steers_a_terminal_is_escaped() -> None:
    for text in ("\x1b[2J", "\u202ea", "\u200b", "\x9b1m", "\U000e0041"):
        assert single_quoted(text).isascii()
        assert load(f"a: {single_quoted(text)}\n".encode()).value == {"a": text}


def test_other_values_come_back_too() -> None:
    value = {"yes": {"a": None, "b": True, "c": 12, "d": [], "1": "1"}}
    assert load("\n".join([*block(value, indent=0), ""]).encode()).value == value
    assert [scalar(word) for word in ("a", "y", 1, None)] == ["a", "'y'", "1", "null"]
    assert single_quoted("it's\n") == '"it\'s\\U0000000a"'
