"""Clauses F2 to F6: a folder of three files to a suite, or every fault.

What students get wrong most is in test_mistakes.py.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from small_suite import CASES, FILES, ORDERS, REGISTRY, SUITE, edited, write

from grounded_claims.contracts.base import ACCEPT, LAYERS, AnyContract, Contract, Layer, Verdict
from grounded_claims.errors import Path as KeyPath
from grounded_claims.errors import SuiteError, UsageError
from grounded_claims.shapes import Checker
from grounded_claims.suite import (
    Case,
    Group,
    copy_advice,
    find_suite,
    known_suites,
    load_suite,
    read_pins,
    suite_digest,
)

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"


def faults(folder: Path, **options: Any) -> list[str]:
    """Return every fault of a folder, with the folder itself cut away."""
    with pytest.raises(SuiteError) as caught:
        load_suite(folder, **options)
    return str(caught.value).replace(f"{folder}/", "").split("\n")


def orders(name: str, old: str, new: str) -> dict[str, bytes]:
    """Return the files of the order-status exercise with one edit, which must apply exactly once."""
    assert ORDERS[name].count(old) == 1, (name, old)
    return {key: (text.replace(old, new) if key == name else text).encode() for key, text in ORDERS.items()}


def test_a_suite_holds_what_its_files_say(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    suite = load_suite(str(folder))
    assert (suite.name, suite.title, suite.contract.name) == (
        "my-exercise",
        "One value changed",
        "config-claims",
    )
    assert suite.groups == {
        "accepted": Group(description="The answer is right.", effect="None."),
        "value": Group(
            description="The value is another than the quoted one.",
            effect="The application uses the wrong value.",
        ),
    }
    assert suite.cases[1] == Case(
        id="wrong-value",
        group="value",
        note="Only the value is another.",
        request="timeout",
        candidate=suite.cases[0].candidate.replace('"5000"', '"2000"'),
        expected="VALUE_MISMATCH",
        pair="right",
        prediction={"citation_exists": "pass", "full_contract": "VALUE_MISMATCH"},
    )
    assert (suite.cases[0].pair, suite.cases[0].prediction) == (None, None)
    assert list(suite.requests) == ["timeout"]
    assert list(suite.registry) == ["prod-v2", "prod-v1"]
    assert suite.files == {name: text.encode() for name, text in FILES.items()}
    assert (suite.pinned_totals, suite.frozen, suite.folder, suite.ignored) == (None, False, str(folder), ())
    assert suite.digest == suite_digest(suite.files)


def test_a_suite_is_read_only(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "exercise"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        suite.name = "other"  # type: ignore[misc]
    for mapping in (suite.groups, suite.requests, suite.files, suite.cases[1].prediction):
        assert isinstance(mapping, MappingProxyType)
    assert isinstance(suite.cases, tuple)


def test_a_prediction_has_its_layers_in_their_order(tmp_path: Path) -> None:
    old = "      citation_exists: pass\n      full_contract: VALUE_MISMATCH\n"
    new = "      full_contract: reject\n      citation_exists: INVALID_JSON\n      strict_json: pass\n"
    suite = load_suite(write(tmp_path / "exercise", edited("cases.yaml", old, new)))
    assert list((suite.cases[1].prediction or {}).items()) == [
        ("strict_json", "pass"),
        ("citation_exists", "INVALID_JSON"),
        ("full_contract", "reject"),
    ]


def test_a_candidate_may_be_any_text(tmp_path: Path) -> None:
    old = CASES[CASES.index("    candidate:") : CASES.index("    expected: ACCEPT")]
    suite = load_suite(write(tmp_path / "empty", edited("cases.yaml", old, "    candidate: ''\n")))
    assert suite.cases[0].candidate == ""
    block = '    candidate: |\n      {\n      \t"claims": []\n      }\n'
    suite = load_suite(write(tmp_path / "block", edited("cases.yaml", old, block)))
    assert suite.cases[0].candidate == '{\n\t"claims": []\n}\n'


def test_a_case_is_found_by_its_id(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "exercise"))
    assert suite.case("right") is suite.cases[0]
    with pytest.raises(UsageError) as caught:
        suite.case("other")
    assert str(caught.value) == "the suite 'my-exercise' has no case 'other'; known: right or wrong-value"
    with pytest.raises(UsageError) as caught:
        suite.case("wrong_value")
    assert (
        str(caught.value) == "the suite 'my-exercise' has no case 'wrong_value'; did you mean 'wrong-value'?"
    )


def test_an_exercise_may_leave_groups_and_requests_unused(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "exercise",
        edited("suite.yaml", "  value:", "  spare: {description: a, effect: b}\n  value:"),
    )
    assert list(load_suite(folder).groups) == ["accepted", "spare", "value"]


# The same exercise, if its digest were pinned for its name: what a frozen suite owes besides.


def pinned(folder: Path) -> Mapping[str, str]:
    """Pin whatever lies in a folder."""
    return {"my-exercise": suite_digest({name: (folder / name).read_bytes() for name in FILES})}


def test_a_frozen_suite_owes_more_than_an_exercise(tmp_path: Path) -> None:
    files = {
        **edited("suite.yaml", "  value:", "  spare: {description: a, effect: b}\n  value:"),
        "cases.yaml": CASES.replace(
            "cases:\n", CASES[10 : CASES.index("cases:")].replace("timeout", "spare", 1) + "cases:\n", 1
        ).encode(),
    }
    folder = write(tmp_path / "exercise", files)
    assert load_suite(folder).frozen is False
    assert faults(folder, pins=pinned(folder)) == [
        "suite.yaml:1: 'pinned_totals' is missing; a frozen suite states them",
        "suite.yaml:8: groups.spare: no case is in this group; a frozen suite uses each",
        "cases.yaml:8: requests.spare: no case has this request; a frozen suite uses each",
        "cases.yaml:28: cases[1].prediction: a frozen suite makes no predictions",
    ]


def test_a_suite_is_frozen_exactly_when_its_digest_is_pinned_for_its_name(tmp_path: Path) -> None:
    totals = "pinned_totals: {cases: 2, strict_json: 2, citation_exists: 2, full_contract: 1}\ngroups:"
    files = {
        **edited("suite.yaml", "groups:", totals),
        "cases.yaml": CASES[: CASES.index("    prediction:")].encode(),
    }
    folder = write(tmp_path / "exercise", files)
    [(name, digest)] = pinned(folder).items()
    suite = load_suite(folder, pins={name: digest})
    assert suite.frozen
    assert suite.pinned_totals == {"cases": 2, "strict_json": 2, "citation_exists": 2, "full_contract": 1}
    assert not load_suite(
        folder, pins={name: digest.replace(digest[0], "0" if digest[0] != "0" else "1")}
    ).frozen
    assert not load_suite(folder, pins={"another-name": digest}).frozen
    assert not load_suite(folder, pins={}).frozen


# F4, F5.4: what the other contract asks of its files.

ORDER_FAULTS = {
    "F4.1 a list of documents": (
        ("registry.yaml", "facts:", "documents:"),
        "registry.yaml:1: documents: is not known here; known: facts",
        "registry.yaml:1: 'facts' is missing; nothing is defaulted, so write it down",
        "cases.yaml:6: requests.status.supplied[0]: 'F1' is not one of the fact ids of the registry",
        "cases.yaml:6: requests.status.supplied[1]: 'F2' is not one of the fact ids of the registry",
    ),
    "F4.1 a member left out": (
        ("registry.yaml", "    revision: r2\n", ""),
        "registry.yaml:8: facts[1]: 'revision' is missing; nothing is defaulted, so write it down",
    ),
    "F4.2 an id twice": (
        ("registry.yaml", "id: F2", "id: F1"),
        "registry.yaml:8: facts[1].id: 'F1' is the id of an earlier fact; give one of the two another id",
    ),
    "F4.2 an empty revision": (
        ("registry.yaml", "revision: r2", "revision: ''"),
        "registry.yaml:11: facts[1].revision: is an empty text; say something here",
    ),
    "F4.2 a value of two lines": (
        ("registry.yaml", "value: shipped", 'value: "A\\n1"'),
        "registry.yaml:6: facts[0].value: 'A\\n1' holds a line break; a value is one line",
        "registry.yaml:7: facts[0].text: does not contain the value 'A\\n1'; mend the text or the value",
    ),
    "F4.3 a value that its text does not hold": (
        ("registry.yaml", "value: shipped", "value: delivered"),
        "registry.yaml:7: facts[0].text: does not contain the value 'delivered'; mend the text or the value",
    ),
    "F5.4 a fact that does not exist": (
        ("cases.yaml", "supplied: [F1, F2]", "supplied: [F1, F3]"),
        (
            "cases.yaml:6: requests.status.supplied[1]: 'F3' is not one of the fact ids of the registry; "
            "known: F1 or F2"
        ),
    ),
    "F5.4 a field that is no field": (
        ("cases.yaml", "field: status", "field: Status"),
        (
            "cases.yaml:4: requests.status.field: 'Status' is not the name of a field: "
            "it must match [a-z][a-z0-9_]*"
        ),
    ),
    "F5.6 a status of the other contract": (
        ("cases.yaml", "expected: ANSWER_MISMATCH", "expected: VALUE_MISMATCH"),
        "cases.yaml:19: cases[1].expected: 'VALUE_MISMATCH' is not a status; did you mean 'ANSWER_MISMATCH'?",
    ),
}


def test_the_order_status_exercise_without_a_fault_loads(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "orders", {name: text.encode() for name, text in ORDERS.items()}))
    assert (suite.contract.name, list(suite.registry)) == ("order-status", ["F1", "F2"])


@pytest.mark.parametrize("what", ORDER_FAULTS)
def test_order_status_files_are_held_to_their_clauses(what: str, tmp_path: Path) -> None:
    (name, old, new), *expected = ORDER_FAULTS[what]
    assert faults(write(tmp_path / "orders", orders(name, old, new))) == expected


# The seam: a suite knows its contract by the interface alone.


class Echo(Contract[frozenset[str], str]):
    """Accepts a candidate that is the request, a word of the registry."""

    name = "echo"
    layers = (
        Layer(name=LAYERS[0], title="Text", leaves="other texts", rejects=("NO_TEXT",)),
        Layer(name=LAYERS[1], title="Known", leaves="other words", rejects=("UNKNOWN",)),
        Layer(name=LAYERS[2], title="Same", leaves="nothing", rejects=("OTHER",)),
    )
    outcomes = ("grounded", "ungrounded")
    request_type = str

    def read_registry(self, value: object, checker: Checker) -> frozenset[str]:
        root = checker.closed(value, (), required=("words",))
        return frozenset(checker.text(word, ("words", n)) for n, word in enumerate(root["words"]))

    def read_request(self, value: object, registry: frozenset[str], checker: Checker, path: KeyPath) -> str:
        word = checker.closed(value, path, required=("word",))["word"]
        return checker.choice(word, (*path, "word"), among=registry, what="a word of the registry")

    def judge(self, candidate: str, request: str) -> Verdict:
        if candidate == request:
            return self.acceptance({"word": request}, outcome="grounded")
        return self.rejection("OTHER", outcome="ungrounded")


ECHO: Mapping[str, AnyContract] = {"echo": Echo()}
ECHO_FILES = {
    "suite.yaml": SUITE.replace("config-claims", "echo").encode(),
    "registry.yaml": b"words: [a, b]\n",
    "cases.yaml": b"""\
requests: {first: {word: a}}
cases:
  - {id: same, group: accepted, note: x, request: first, candidate: a, expected: ACCEPT}
  - {id: other, group: value, note: x, request: first, candidate: b, expected: OTHER, pair: same}
""",
}


def test_any_contract_can_be_given(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "echo", ECHO_FILES), contracts=ECHO)
    verdicts = [suite.contract.judge(case.candidate, suite.requests[case.request]) for case in suite.cases]
    assert [verdict.status for verdict in verdicts] == [ACCEPT, "OTHER"]


def test_faults_of_any_contract_get_their_lines(tmp_path: Path) -> None:
    files = {**ECHO_FILES, "cases.yaml": ECHO_FILES["cases.yaml"].replace(b"{word: a}", b"{word: aa}")}
    assert faults(write(tmp_path / "echo", files), contracts=ECHO) == [
        "cases.yaml:1: requests.first.word: 'aa' is not a word of the registry; did you mean 'a'?"
    ]


# The folder: regular files, read once.


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file(name: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    (folder / name).unlink()
    assert faults(folder) == [
        f"{name}: is missing; a suite has the files suite.yaml, registry.yaml, cases.yaml"
    ]


NOT_REGULAR = "is not a regular file; put the file itself here, not a link, a folder or a device"


def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    (folder / "cases.yaml").unlink()
    os.mkfifo(folder / "cases.yaml")
    assert faults(folder) == [f"cases.yaml: {NOT_REGULAR}"]


def test_links_and_folders_are_no_files(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    (folder / "suite.yaml").rename(tmp_path / "elsewhere.yaml")
    (folder / "suite.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    (folder / "registry.yaml").unlink()
    (folder / "registry.yaml").mkdir()
    (folder / "cases.yaml").unlink()
    (folder / "cases.yaml").symlink_to("nowhere")
    assert faults(folder) == [f"{name}: {NOT_REGULAR}" for name in FILES]


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    os.truncate(folder / "cases.yaml", 64 * 1024 * 1024 + 1)
    assert faults(folder) == ["cases.yaml: holds 67108865 bytes; at most 67108864 are taken"]


def test_what_else_lies_in_the_folder_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    (folder / "notes.txt").touch()
    (folder / ".DS_Store").touch()
    (folder / "old").mkdir()
    assert load_suite(folder).ignored == (".DS_Store", "notes.txt", "old")


def test_a_folder_of_any_name_works(tmp_path: Path) -> None:
    folder = write(tmp_path / "my süite — 練習 😀")
    assert load_suite(folder).folder == str(folder)
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert load_suite(link).digest == load_suite(folder).digest


# F6: digests and pins.

LINE = f"{'0' * 64}  fixtures/config-claims/suite.yaml"
LINES = "".join(
    f"{digit * 64}  fixtures/x/{name}.yaml\n"
    for digit, name in zip("abc", ("cases", "registry", "suite"), strict=True)
)

PIN_FAULTS = {
    "a line of something else": (
        f"{LINES}hello\n",
        "4: 'hello' is not a line '<64 hex digits>  fixtures/<suite>/<file>'",
    ),
    "an empty line": (f"{LINES}\n", "4: '' is not a line '<64 hex digits>  fixtures/<suite>/<file>'"),
    "capital digits": (LINES.upper().replace("FIXTURES/X", "fixtures/x").replace(".YAML", ".yaml"), "1: "),
    "one space": (LINES.replace("  ", " "), "1: "),
    "a binary mark": (LINES.replace("  ", " *"), "1: "),
    "an absolute path": (LINES.replace("fixtures/", "/fixtures/"), "1: "),
    "a path that leaves": (LINES.replace("fixtures/x", "fixtures/../x"), "1: "),
    "another file": (LINES.replace("cases.yaml", "notes.yaml"), "1: "),
    "CRLF": (LINES.replace("\n", "\r\n"), "1: "),
    "no line break at the end": (LINES[:-1], "the last line does not end in LF"),
    "a file twice": (LINES + LINES.splitlines()[0] + "\n", "4: fixtures/x/cases.yaml is pinned twice"),
    "a file not pinned": (LINES[: LINES.rindex("c" * 64)], "suite.yaml of the suite 'x' is not pinned"),
}


def test_pins_are_read_to_suite_digests(tmp_path: Path) -> None:
    path = tmp_path / "pins"
    path.write_text(LINES, encoding="utf-8")
    again = subprocess.run(
        ["sha256sum"], input=LINES.replace("fixtures/x/", ""), capture_output=True, text=True, check=True
    )
    assert read_pins(path) == {"x": again.stdout.split()[0]}
    path.write_text("", encoding="utf-8")
    assert read_pins(path) == {}


@pytest.mark.parametrize("what", PIN_FAULTS)
def test_a_malformed_pin_is_never_skipped(what: str, tmp_path: Path) -> None:
    text, expected = PIN_FAULTS[what]
    path = tmp_path / "pins"
    path.write_bytes(text.encode())
    with pytest.raises(SuiteError) as caught:
        read_pins(path)
    first = str(caught.value).split("\n")[0].removeprefix(f"{path}:").strip()
    assert first.startswith(expected)


def test_pins_that_are_missing_freeze_nothing_silently(tmp_path: Path) -> None:
    with pytest.raises(SuiteError) as caught:
        read_pins(tmp_path / "pins")
    assert str(caught.value) == (
        f"{tmp_path}/pins: the pins of the frozen suites cannot be read "
        "(No such file or directory); restore the file"
    )


def test_the_suite_digest_is_what_sha256sum_prints(tmp_path: Path) -> None:
    folder = write(tmp_path / "exercise")
    command = "sha256sum cases.yaml registry.yaml suite.yaml | sha256sum"
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=True)
    assert load_suite(folder).digest == done.stdout.split()[0]


# Finding a suite, and the command that lints one.


def test_a_name_of_fixtures_comes_before_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "config-claims")
    write(tmp_path / "exercise")
    assert find_suite("config-claims").resolve() == FIXTURES / "config-claims"
    assert find_suite("./config-claims") == Path("config-claims")
    assert find_suite("exercise") == Path("exercise")
    assert {"config-claims", "order-status"} <= set(known_suites())


NOT_THERE = {
    "the name of a suite": (
        "config-claims",
        "there is no such folder; the suite of this name is load_suite(find_suite('config-claims'))",
    ),
    "nearly the name of a suite": (
        "config-claim",
        "there is no such folder; did you mean 'config-claims'?",
    ),
    "nearly a folder": ("mine/exercice", "there is no such folder; did you mean 'mine/exercise'?"),
    "a folder in a folder that is not there": ("yours/exercise", "there is no such folder"),
}


@pytest.mark.parametrize(("place", "message"), NOT_THERE.values(), ids=NOT_THERE)
def test_a_folder_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    write(tmp_path / "mine" / "exercise")
    with pytest.raises(SuiteError) as caught:
        load_suite(place)
    assert str(caught.value) == f"{place}: {message}"


def test_a_mistyped_run_directory_is_called_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evidence" / "zero").mkdir(parents=True)
    with pytest.raises(UsageError) as caught:
        find_suite("evidence/zeor", or_run=True)
    assert str(caught.value) == (
        "'evidence/zeor' is neither a run directory, nor the name of a suite, nor a folder; "
        f"did you mean 'evidence/zero'?; known suites: {', '.join(known_suites())}"
    )


def test_an_installed_package_brings_its_suites(tmp_path: Path) -> None:
    """As the wheel lays it out: the fixtures within the package, and no checkout around it."""
    package = tmp_path / "site-packages" / "grounded_claims"
    shutil.copytree(ROOT / "src" / "grounded_claims", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(FIXTURES, package / "fixtures")
    script = (
        "from grounded_claims import find_suite, load_suite\n"
        "suite = load_suite(find_suite('config-claims'))\n"
        "print(suite.name, suite.frozen, len(suite.cases), suite.folder)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == f"config-claims True 22 {package / 'fixtures' / 'config-claims'}\n"


def test_the_advice_names_the_commands() -> None:
    assert copy_advice("order-status") == (
        "to keep your change, first copy the folder (cp -r fixtures/order-status my-suite) and run with "
        "--suite my-suite; then restore the frozen one (git checkout -- fixtures/order-status)"
    )


def lint(*arguments: str, cwd: Path) -> tuple[int, list[str], list[str]]:
    """Run the command and return its exit code and what it prints to either stream."""
    done = subprocess.run(
        [sys.executable, "-m", "grounded_claims", "lint", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def test_lint_says_that_there_is_no_fault(tmp_path: Path) -> None:
    folder = write(tmp_path / "my exercise")
    (folder / "notes.txt").touch()
    digest = load_suite(folder).digest
    frozen = load_suite(FIXTURES / "config-claims").digest
    assert lint("my exercise", "config-claims", cwd=tmp_path) == (
        0,
        [
            f"my exercise: 2 cases, 1 request, 2 groups, exercise, suite sha256 {digest}: no fault",
            f"config-claims: 22 cases, 3 requests, 7 groups, frozen, suite sha256 {frozen}: no fault",
        ],
        ["my exercise: not part of the suite: notes.txt"],
    )


def test_lint_names_every_fault_of_every_folder(tmp_path: Path) -> None:
    write(tmp_path / "one", edited("cases.yaml", "expected: ACCEPT", "expected: ACCPET"))
    write(tmp_path / "two", edited("registry.yaml", "'5000'", "'5001'"))
    write(tmp_path / "good")
    code, out, err = lint("one", "two", "three", "good", cwd=tmp_path)
    known = ", ".join(known_suites())
    assert (code, out[:-1], err) == (
        2,
        [
            "one/cases.yaml:14: cases[0].expected: 'ACCPET' is not a status; did you mean 'ACCEPT'?",
            (
                "two/registry.yaml:7: documents[0].facts.read_timeout_ms: 'read_timeout_ms=5001' is not a "
                "line of this document's text; add the line to the text, or mend the fact"
            ),
            f"'three' is neither a suite nor a folder; known suites: {known}",
        ],
        [],
    )
    assert out[-1].startswith("good: 2 cases")


def test_lint_wants_a_folder(tmp_path: Path) -> None:
    code, out, err = lint(cwd=tmp_path)
    assert (code, out) == (2, [])
    assert err[-1].endswith("error: the following arguments are required: FOLDER")


def test_a_suite_of_hundreds_of_cases_is_read(tmp_path: Path) -> None:
    case = CASES[CASES.index("  - id: wrong-value") : CASES.index("    prediction:")]
    many = "".join(case.replace("id: wrong-value", f"id: wrong-{number}") for number in range(300))
    folder = write(
        tmp_path / "long", {**edited("suite.yaml", SUITE, SUITE), "cases.yaml": (CASES + many).encode()}
    )
    assert len(load_suite(folder).cases) == 302


def test_the_registry_text_is_the_block_as_it_stands(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "exercise"))
    assert suite.registry["prod-v2"].text == "read_timeout_ms=5000\nretry_enabled=false\n"
    assert REGISTRY.count("text: |\n") == 2
