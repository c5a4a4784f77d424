"""docs/exercises.md keeps its word: with the key below, each command prints what the page shows.

A ```console block holds commands behind `$ ` and what they print. In a shown line `…` stands for anything; a
line that is `…` alone stands for any number of lines.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "exercises.md").read_text(encoding="utf-8")

#: What `python3 bootstrap.py` hands over to, so that nothing is installed here.
HANDED_OVER = {"run": ["run.py"]}
DIFFERS = {"compare": 1}  # the exit code says that something differs; any other command ends with 0

VALUE = ('"value":"5000"', '"value":"2000"')
QUOTE = ('"quote":"read_timeout_ms=5000"', '"quote":"retry_enabled=false"')
REFUSAL = (
    '{"status":"answered","order_id":"DEMO-104","answer":"shipped","evidence":["F1"]}',
    '{"status":"unknown","order_id":"DEMO-104","answer":null,"evidence":[]}',
)
CONTRADICTED = ("    request: status-of-104\n", "    request: status-of-104-contradicted\n")
PREDICTED = "full_contract: pass"


def predicting(word: str) -> tuple[str, str]:
    return (PREDICTED, f"full_contract: {word}")


def added(case: str) -> tuple[str, str]:
    return ("\ncases:\n", f"\ncases:\n{case}")


def reject(case_id: str, group: str, candidate: str, label: str) -> str:
    return (
        f"  - id: {case_id}\n    group: {group}\n    note: Mine to try.\n    request: both-fields\n"
        f"    candidate: '{candidate}'\n    expected: {label}\n    pair: mine\n"
        f"    prediction: {{citation_exists: pass, full_contract: {label}}}\n"
    )


STALE = '{"claims":[{"field":"retry_enabled","value":"2000","doc":"prod-v1","quote":"retry_enabled=true"}]}'
ACCEPTED = (
    '{"claims":[{"field":"read_timeout_ms","value":"5000","doc":"prod-v2","quote":"read_timeout_ms=5000"},'
    '{"field":"retry_enabled","value":"false","doc":"prod-v2","quote":"retry_enabled=false"}]}'
)
ONE_CHARACTER = {
    "changed": (ACCEPTED.replace('"5000"', '"5001"'), "VALUE_MISMATCH"),
    "added": (ACCEPTED.replace('"5000"', '"50000"'), "VALUE_MISMATCH"),
    "taken out": (ACCEPTED.replace("ms=5000", "ms=500"), "QUOTE_NOT_SUPPORTING"),
}

#: The key: for each command that judges, the folder to edit and what to replace in its fresh cases.yaml.
KEY: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "evidence/ex-1": ("my-exercise", [QUOTE, predicting("QUOTE_NOT_SUPPORTING")]),
    "evidence/ex-2": ("my-exercise", [VALUE, predicting("VALUE_MISMATCH")]),
    "evidence/ex-3": ("my-exercise", [VALUE, QUOTE, predicting("VALUE_MISMATCH")]),
    "evidence/ex-4-a": ("my-orders", [REFUSAL, predicting("NEEDLESS_REFUSAL")]),
    "evidence/ex-4-b": (
        "my-orders",
        [REFUSAL, CONTRADICTED],
    ),
    "evidence/ex-5": ("my-exercise", [added(reject("stale", "revision", STALE, "STALE_REVISION"))]),
    "evidence/ex-6": (
        "my-exercise",
        [added(reject("one-character", "value", *ONE_CHARACTER["changed"]))],
    ),
}


def sessions(text: str) -> list[list[tuple[str, list[str]]]]:
    """Return, for each console block, its commands with the lines shown below each."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        session: list[tuple[str, list[str]]] = []
        for line in block.splitlines():
            if line.startswith("$ "):
                session.append((line[2:], []))
            else:
                session[-1][1].append(line)
        found.append(session)
    return found


COMMANDS = [command for session in sessions(PAGE) for command in session]


def execute(command: str, cwd: Path) -> tuple[int, str]:
    """Run a command of the page in the reader's folder."""
    words = shlex.split(command)
    assert words[:2] == ["python3", "bootstrap.py"]
    script = [str(ROOT / part) for part in HANDED_OVER.get(words[2], [])]
    argv = [sys.executable, *(script or ["-m", "grounded_claims", words[2]]), *words[3:]]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80"}
    done = subprocess.run(argv, cwd=cwd, env=environment, capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stdout if done.returncode < 2 else done.stderr


def matches(shown: list[str], printed: str) -> bool:
    pattern = "".join(
        r"(?:.*\n)*" if line == "…" else ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
        for line in shown
    )
    return re.fullmatch(pattern, printed) is not None


def edit(folder: Path, fresh: str, replacements: list[tuple[str, str]]) -> None:
    """Write the fresh cases.yaml with each replacement made once, in the cases and nowhere else."""
    head, cases = fresh[: fresh.index("\ncases:\n")], fresh[fresh.index("\ncases:\n") :]
    for old, new in replacements:
        assert old in cases
        cases = cases.replace(old, new, 1)
    (folder / "cases.yaml").write_text(head + cases, encoding="utf-8")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    """Do the exercises from the first to the last, by the key, and keep what each command printed."""
    desk = tmp_path_factory.mktemp("desk")
    fresh: dict[str, str] = {}
    seen = {}
    for command, _ in COMMANDS:
        words = shlex.split(command)
        if words[2] == "run":
            folder, replacements = KEY[words[words.index("--out") + 1]]
            edit(desk / folder, fresh[folder], replacements)
        seen[command] = execute(command, desk)
        if words[2] == "exercise":
            fresh[words[3]] = (desk / words[3] / "cases.yaml").read_text(encoding="utf-8")
    return seen


def test_there_are_six_exercises():
    assert [int(number) for number in re.findall(r"^## (\d)\. ", PAGE, re.MULTILINE)] == [1, 2, 3, 4, 5, 6]
    parts = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    assert [len(sessions(part)) > 0 for part in parts if re.match(r"\d\. ", part)] == [True] * 6


def test_the_key_has_every_run_and_no_other():
    runs = [shlex.split(command) for command, _ in COMMANDS if " bootstrap.py run " in command]
    assert [words[words.index("--out") + 1] for words in runs] == list(KEY)


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command[21:] for command, _ in COMMANDS])
def test_a_command_checks_the_answer(printed, command, shown):
    code, output = printed[command]
    assert code == DIFFERS.get(shlex.split(command)[2], 0), output
    assert matches(shown, output), output


#: What a wrong answer gets: the lines that the page shows must then be missing.
WRONG = {
    "evidence/ex-1": [QUOTE, predicting("reject"), ("citation_exists: pass", "citation_exists: reject")],
    "evidence/ex-2": [VALUE, predicting("QUOTE_NOT_SUPPORTING")],
    "evidence/ex-3": [VALUE, QUOTE, predicting("QUOTE_NOT_SUPPORTING")],
    "evidence/ex-4-a": [REFUSAL],
    "evidence/ex-4-b": [REFUSAL, CONTRADICTED, predicting("NEEDLESS_REFUSAL")],
    "evidence/ex-5": [added(reject("stale", "revision", STALE, "VALUE_MISMATCH"))],
    "evidence/ex-6": [added(reject("one-character", "value", ACCEPTED, "VALUE_MISMATCH"))],
}


@pytest.mark.parametrize("out", WRONG)
def test_a_wrong_answer_does_not_pass_the_check(tmp_path, out):
    folder = KEY[out][0]
    source = "order-status" if folder == "my-orders" else "config-claims"
    execute(f"python3 bootstrap.py exercise {folder} --from {source}", tmp_path)
    edit(tmp_path / folder, (tmp_path / folder / "cases.yaml").read_text(encoding="utf-8"), WRONG[out])
    (command, shown), *_ = [(c, s) for c, s in COMMANDS if out in c and " run " in c]
    code, output = execute(command, tmp_path)
    assert code == (1 if "--strict" in command else 0), output
    assert not matches(shown, output)


@pytest.mark.parametrize("kind", ONE_CHARACTER)
def test_there_is_more_than_one_answer_to_the_last(tmp_path, kind):
    candidate, label = ONE_CHARACTER[kind]
    execute("python3 bootstrap.py exercise my-exercise", tmp_path)
    fresh = (tmp_path / "my-exercise" / "cases.yaml").read_text(encoding="utf-8")
    edit(tmp_path / "my-exercise", fresh, [added(reject("one-character", "value", candidate, label))])
    for command, shown in sessions(PAGE)[-1]:
        code, output = execute(command, tmp_path)
        assert (code, matches(shown, output)) == (0, True), output


def test_the_questions_that_are_asked_have_the_answers_they_should(tmp_path):
    """Exercise 3 ends by asking what an agreeing quotation does; exercise 5 asks for two numbers."""
    execute("python3 bootstrap.py exercise my-exercise", tmp_path)
    fresh = (tmp_path / "my-exercise" / "cases.yaml").read_text(encoding="utf-8")
    agreeing = ('"quote":"read_timeout_ms=5000"', '"quote":"read_timeout_ms=2000"')
    edit(tmp_path / "my-exercise", fresh, [VALUE, agreeing])
    _, output = execute("python3 bootstrap.py explain my-exercise mine", tmp_path)
    assert output.startswith("my-exercise, case mine: NO_CITATION")
    accepted = {}
    for request in ("timeout-only", "both-fields"):
        _, output = execute(f"python3 bootstrap.py explore --claims 1 --request {request}", tmp_path)
        accepted[request] = re.search(r"^1,345 candidates: (\d+) accepted", output, re.MULTILINE)[1]
    assert accepted == {"timeout-only": "1", "both-fields": "0"}
