"""run.py and `python -m grounded_claims` as a user meets them: what is printed, what is left, exit codes."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from grounded_claims import places
from grounded_claims.__main__ import run_command

ROOT = Path(__file__).parent.parent
FILES = (
    *("run.py", "audit.py", "bootstrap.py", "requirements.txt"),
    *("manifest.schema.json", "results.schema.json", "src", "fixtures"),
)
ENVIRON = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHONHASH"))}
WHOLE = [
    *("SHA256SUMS", "inputs", "inputs/cases.yaml", "inputs/registry.yaml", "inputs/suite.yaml"),
    *("manifest.json", "results.json"),
]


def command(
    words: Sequence[str | Path], *, environ: Mapping[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; its output is text in UTF-8."""
    settings: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "check": False}
    return subprocess.run(
        [str(word) for word in words],
        env={**ENVIRON, **(environ or {})},
        timeout=120,
        **{"encoding": "utf-8", **settings, **options},
    )


def run_py(
    *arguments: str | Path, root: Path = ROOT, python: Sequence[str] = (), **options: Any
) -> subprocess.CompletedProcess[str]:
    return command([sys.executable, *python, root / "run.py", *arguments], **options)


def copy_of_checkout(folder: Path) -> Path:
    """Copy what a run needs: no history, no archived runs."""
    for name in FILES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return copy_of_checkout(tmp_path / "checkout")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# What is printed


def test_the_published_table(checkout: Path, tmp_path: Path) -> None:
    done = run_py("--out", "MY-RUN", root=checkout, cwd=tmp_path)
    out = tmp_path / "MY-RUN"
    suite_digest = json.loads((out / "manifest.json").read_bytes())["suite"]["digest"]
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[0] == f"config-claims: 22 frozen cases, suite sha256 {suite_digest}"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert [row[:2] for row in rows if row[0].strip("-:")] == [
        ["Layer", "Passed"],
        ["Strict JSON", "17 / 22"],
        ["Citation exists", "13 / 22"],
        ["Full contract", "3 / 22"],
    ]
    assert "22 of 22 verdicts equal their frozen labels. 10 violations pass the citation baseline." in lines
    assert (
        f"results.json sha256 {sha256(out / 'results.json')}   "
        "no archived run of this suite digest to compare with"
    ) in lines
    assert f"run digest   sha256 {sha256(out / 'SHA256SUMS')}" in lines
    assert "Next: python3 checkout/bootstrap.py audit MY-RUN" in lines
    assert below(out) == WHOLE


def test_the_other_frozen_suite(tmp_path: Path) -> None:
    done = run_py("--out", tmp_path / "run", "--suite", "order-status", "--format", "plain")
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    for start in ("Strict JSON 8 / 8", "Citation exists 7 / 8", "Full contract 4 / 8"):
        assert [row for row in rows if row.startswith(start)] != []
    for row in ("grounded 1", "honest refusal 3", "needless refusal 1", "ungrounded 3", "malformed 0"):
        assert row in rows
    assert "|" not in done.stdout


def test_format_json_is_one_object(tmp_path: Path) -> None:
    done = run_py("--out", tmp_path / "run", "--format", "json")
    printed = json.loads(done.stdout)
    results = json.loads((tmp_path / "run" / "results.json").read_bytes())
    assert (done.returncode, done.stderr) == (0, "")
    assert {name: printed[name] for name in ("suite", "totals", "cases")} == {
        name: results[name] for name in ("suite", "totals", "cases")
    }
    assert printed["results_digest"] == sha256(tmp_path / "run" / "results.json")
    assert printed["run_digest"] == sha256(tmp_path / "run" / "SHA256SUMS")
    assert (printed["out"], printed["frozen"]) == (str(tmp_path / "run"), True)


def test_cases_prints_a_row_for_each(tmp_path: Path) -> None:
    done = run_py("--out", tmp_path / "run", "--cases")
    rows = [line.strip("|").split("|")[0].strip() for line in done.stdout.splitlines() if line[:1] == "|"]
    cases = [entry["id"] for entry in json.loads((tmp_path / "run/results.json").read_bytes())["cases"]]
    assert len(cases) == 22
    assert [row for row in rows if row in cases] == cases


def test_list() -> None:
    done = run_py("--list")
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(":")[0] for line in lines] == sorted(
        path.name for path in (ROOT / "fixtures").iterdir() if path.is_dir()
    )
    assert lines[0].startswith("config-claims: 22 frozen cases, contract config-claims: ")
    assert lines[1].startswith("order-status: 8 frozen cases, contract order-status: ")


def test_version_and_help() -> None:
    assert run_py("--version").stdout == "grounded-claims 0.1.0\n"
    module = command(
        [sys.executable, "-m", "grounded_claims", "--version"], environ={"PYTHONPATH": "src"}, cwd=ROOT
    )
    assert (module.returncode, module.stdout) == (0, "grounded-claims 0.1.0\n")
    helped = run_py("--help")
    words = " ".join(helped.stdout.split())
    assert (helped.returncode, helped.stderr) == (0, "")
    assert (
        "exit codes: 0 done and everything agrees; 1 done, and something differs; 2 could not be done; "
        "3 a fault of the program itself; 130 interrupted"
    ) in words
    for option in ("--out", "--suite", "--strict", "--cases", "--format", "--list", "--version"):
        assert option in words


# Exit code 2: could not be done

USAGE: dict[str, tuple[list[str], str]] = {
    "nothing": ([], "one of the arguments --out --list --version is required"),
    "no folder": (["--out"], "argument --out: expected one argument"),
    "an option that is not there": (["--out", "x", "--all"], "unrecognized arguments: --all"),
    "an option cut short": (["--ou", "x"], "one of the arguments --out --list --version is required"),
    "a suite that follows": (
        ["--out", "x", "y"],
        "unrecognized arguments: y; a suite is named by an option: --suite y\n",
    ),
    "a suite that stands first": (
        ["my exercise", "--out", "x"],
        "unrecognized arguments: my exercise; a suite is named by an option: --suite 'my exercise'\n",
    ),
    "a suite alone": (["my"], "unrecognized arguments: my; a suite is named by an option: --suite my\n"),
    "a format that is not there": (
        ["--out", "x", "--format", "xml"],
        "argument --format: invalid choice: 'xml'",
    ),
    "two things at once": (["--out", "x", "--list"], "argument --list: not allowed with argument --out"),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage(name: str, tmp_path: Path) -> None:
    arguments, message = USAGE[name]
    done = run_py(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: run.py ")
    assert f"run.py: error: {message}" in done.stderr
    assert below(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "near"), [("nonsense", ""), ("config-claim", "; did you mean 'config-claims'?"), ("", "")]
)
def test_an_unknown_suite_lists_the_known(name: str, near: str, tmp_path: Path) -> None:
    known = ", ".join(sorted(path.name for path in (ROOT / "fixtures").iterdir() if path.is_dir()))
    done = run_py("--out", tmp_path / "run", "--suite", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{name!r} is neither a suite nor a folder{near}; known suites: {known}\n"
    assert below(tmp_path) == []


EXISTING: dict[str, Callable[[Path], Any]] = {
    "a directory": lambda out: (out / "kept").mkdir(parents=True),
    "an empty directory": Path.mkdir,
    "a file": Path.touch,
    "a dangling link": lambda out: out.symlink_to("nowhere"),
}


@pytest.mark.parametrize("name", EXISTING)
def test_an_out_that_exists_is_not_touched(name: str, tmp_path: Path) -> None:
    EXISTING[name](tmp_path / "run")
    before = below(tmp_path)
    done = run_py("--out", "run", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "run exists already, and a run never overwrites; name a new directory with --out\n"
    assert below(tmp_path) == before


def test_no_name_is_no_folder(tmp_path: Path) -> None:
    done = run_py("--out", "", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "'' names no folder; name a new one\n")
    assert below(tmp_path) == []


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run_py("--out", "file/run", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "file/run could not be written: Not a directory; nothing is left of it\n"


def test_a_suite_that_does_not_load_names_every_fault(tmp_path: Path) -> None:
    suite = shutil.copytree(ROOT / "fixtures" / "config-claims", tmp_path / "suite")
    edit(suite / "cases.yaml", "expected: STALE_REVISION", "expected: STALE")
    edit(suite / "cases.yaml", "pair: one-field-request", "pear: one-field-request")
    edit(suite / "registry.yaml", "id: dev-v2", "id: 2")
    done = run_py("--out", "run", "--suite", "suite", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    for part in ("suite/cases.yaml:", "STALE", "pear", "suite/registry.yaml:", "the number 2"):
        assert part in done.stderr
    assert len(done.stderr.splitlines()) >= 3
    assert below(tmp_path) == sorted(["suite", "suite/cases.yaml", "suite/registry.yaml", "suite/suite.yaml"])


def test_an_edited_frozen_suite_is_refused_in_its_place(checkout: Path, tmp_path: Path) -> None:
    edit(
        checkout / "fixtures/config-claims/cases.yaml", "expected: STALE_REVISION", "expected: VALUE_MISMATCH"
    )
    done = run_py("--out", tmp_path / "run", root=checkout)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the frozen suite 'config-claims' has been edited, and a frozen suite never changes" in done.stderr
    assert "cp -r fixtures/config-claims my-suite" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("epoch", ["yesterday", "-1"])
def test_a_time_that_is_none_is_refused(epoch: str, tmp_path: Path) -> None:
    done = run_py("--out", tmp_path / "run", environ={"SOURCE_DATE_EPOCH": epoch})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"SOURCE_DATE_EPOCH is {epoch!r}; a number of seconds since 1970 belongs there\n"
    assert below(tmp_path) == []


def test_missing_packages_are_a_sentence(tmp_path: Path) -> None:
    done = run_py("--out", tmp_path / "run", python=["-I", "-S"])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "run.py needs packages that this Python has not got: yaml, jsonschema, tabulate; "
        "'python3 bootstrap.py run ...' sets them up and runs\n"
    )
    module = command(
        [sys.executable, "-S", "-m", "grounded_claims", "lint", "x"], environ={"PYTHONPATH": "src"}, cwd=ROOT
    )
    assert (module.returncode, module.stdout) == (2, "")
    assert module.stderr == "this Python has no yaml; 'python3 bootstrap.py COMMAND …' sets up and runs\n"


# Exercises: an edited copy elsewhere


def exercise(folder: Path) -> Path:
    suite = shutil.copytree(ROOT / "fixtures" / "config-claims", folder / "my-suite")
    edit(suite / "cases.yaml", "expected: STALE_REVISION", "expected: VALUE_MISMATCH")
    return suite


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--strict"], 1)])
def test_a_label_of_an_exercise_that_is_missed_is_shown(
    options: list[str], code: int, tmp_path: Path
) -> None:
    exercise(tmp_path)
    done = run_py("--out", "run", "--suite", "my-suite", *options, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("config-claims: 22 exercise cases, suite sha256 ")
    said = lines.index(
        "21 of 22 verdicts equal their labels. "
        "10 of 19 candidates that the contract rejects pass the citation baseline."
    )
    bootstrap = shlex.quote(os.path.relpath(ROOT / "bootstrap.py", tmp_path))
    assert lines[said + 1 : said + 3] == [
        "  case old-revision: label VALUE_MISMATCH, verdict STALE_REVISION",
        f"  Why: python3 {bootstrap} explain run old-revision",
    ]
    strictly = [line for line in lines if line.startswith("--strict")]
    assert strictly == ["--strict: 1 label missed, so the exit code is 1"][: len(options)]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert manifest["suite"]["frozen"] is False


def test_pinned_totals_do_not_bind_an_exercise(tmp_path: Path) -> None:
    suite = shutil.copytree(ROOT / "fixtures" / "config-claims", tmp_path / "my-suite")
    edit(suite / "suite.yaml", "full_contract: 3", "full_contract: 4")
    done = run_py("--out", "run", "--suite", "my-suite", "--strict", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("predicted", "options", "code"),
    [("pass", [], 0), ("pass", ["--strict"], 1), ("STALE_REVISION", ["--strict"], 0)],
)
def test_a_prediction_that_is_missed(predicted: str, options: list[str], code: int, tmp_path: Path) -> None:
    suite = shutil.copytree(ROOT / "fixtures" / "config-claims", tmp_path / "my-suite")
    edit(
        suite / "cases.yaml",
        "expected: STALE_REVISION\n",
        f"expected: STALE_REVISION\n    prediction: {{full_contract: {predicted}}}\n",
    )
    done = run_py("--out", "run", "--suite", "my-suite", *options, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    shown = [" ".join(line.replace("|", " ").split()) for line in done.stdout.splitlines()]
    hit = "miss" if predicted == "pass" else "hit"
    assert f"old-revision full_contract {predicted} STALE_REVISION {hit}" in shown
    missed = hit == "miss"
    assert [line.rpartition(" ")[2] for line in shown if line.startswith("Why: ")] == [
        "old-revision"
    ] * missed
    assert ("--strict: 1 prediction missed, so the exit code is 1" in shown) == (code == 1)


MALFORMED = {
    "a curly quotation mark": ('"field"', "“field”", "column 13: '“' stands where a member name"),
    "a trailing comma": ("}]}'", "},]}'", "column 189: a comma stands before the closing bracket"),
    "a number": ('"5000"', "5000", "column 39: claims[0].value is the number 5000; a string of 1 to 2048"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_candidate_of_an_exercise_is_pointed_at(name: str, tmp_path: Path) -> None:
    old, new, told = MALFORMED[name]
    environ = {"PYTHONPATH": str(ROOT / "src")}
    command([sys.executable, "-m", "grounded_claims", "exercise", "my"], environ=environ, cwd=tmp_path)
    cases = tmp_path / "my" / "cases.yaml"
    head, marked, case = cases.read_text(encoding="utf-8").partition("\ncases:\n")
    assert old in case
    cases.write_text(head + marked + case.replace(old, new, 1), encoding="utf-8")
    lines = run_py("--out", "run", "--suite", "my", "--strict", cwd=tmp_path).stdout.splitlines()
    said = lines.index(
        "0 of 1 verdicts equal their labels. "
        "0 of 1 candidates that the contract rejects pass the citation baseline."
    )
    assert lines[said + 1] == "  case mine: label ACCEPT, verdict INVALID_JSON"
    assert lines[said + 2].startswith(f"  case mine: candidate, line 1, {told}")
    assert lines[said + 3].endswith("bootstrap.py explain run mine")
    assert lines[-1] == "--strict: 3 predictions missed, 1 label missed, so the exit code is 1"


def test_a_frozen_suite_is_frozen_wherever_it_lies(tmp_path: Path) -> None:
    suite = shutil.copytree(ROOT / "fixtures" / "config-claims", tmp_path / "elsewhere")
    (suite / "notes\x1b[31m.txt").touch()
    done = run_py("--out", "run", "--suite", "elsewhere", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("config-claims: 22 frozen cases, suite sha256 ")
    assert done.stderr == "not part of the suite, and not copied: notes\\x1b[31m.txt\n"
    assert below(tmp_path / "run") == WHOLE


# Exit codes 1, 3 and 130


def test_a_frozen_label_that_is_missed_is_exit_code_1(checkout: Path, tmp_path: Path) -> None:
    module = checkout / "src/grounded_claims/contracts/config_claims.py"
    edit(module, "if document.revision != request.revision:", 'if document.revision == "v9":')
    done = run_py("--out", tmp_path / "run", root=checkout)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert "21 of 22 verdicts equal their frozen labels. 10 violations pass the citation baseline." in lines
    assert "  case old-revision: label STALE_REVISION, verdict ACCEPT" in lines
    assert "  total full_contract: pinned 3, counted 4" in lines


def test_a_fault_while_judging_is_exit_code_3_and_leaves_nothing(checkout: Path, tmp_path: Path) -> None:
    """bug-log E06."""
    module = checkout / "src/grounded_claims/contracts/config_claims.py"
    edit(module, 'return "STALE_REVISION"', 'return ["STALE_REVISION"][1]')
    done = run_py("--out", tmp_path / "run", root=checkout)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "case 'old-revision': the judging itself failed: IndexError: list index out of range\n"
    )
    assert not (tmp_path / "run").exists()


def site(folder: Path, text: str) -> dict[str, str]:
    """Return an environment in which every Python first runs this text."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(text, encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


INTERRUPTED = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background has it ignored
real, count = os.write, []
def write(handle, data):
    count.append(handle)
    if len(count) == {at}:
        os.kill(os.getpid(), signal.SIGINT)
    return real(handle, data)
os.write = write
"""


@pytest.mark.parametrize("at", [1, 4, 6])
def test_ctrl_c_is_exit_code_130_and_leaves_nothing(at: int, tmp_path: Path) -> None:
    environ = site(tmp_path / "site", INTERRUPTED.format(at=at))
    done = run_py("--out", "parent/run", cwd=tmp_path, environ=environ)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")
    assert not (tmp_path / "parent").exists()


def test_ctrl_c_while_importing_is_a_sentence_too(tmp_path: Path) -> None:
    environ = site(
        tmp_path / "site",
        "import sys\n"
        "class Finder:\n"
        "    @staticmethod\n"
        "    def find_spec(name, path=None, target=None):\n"
        "        if name == 'grounded_claims':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Finder)\n",
    )
    done = run_py("--list", environ=environ)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_a_python_that_is_too_old_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = load_run_py()
    monkeypatch.setattr(script, "NEEDED", (99, 1))
    assert script.main() == 2
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert capsys.readouterr() == ("", f"run.py needs Python 99.1 or newer; this is Python {here}\n")


def test_one_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = load_run_py()
    monkeypatch.setattr(script, "PACKAGES", ("yaml", "no_such_package"))
    assert script.main() == 2
    assert capsys.readouterr() == (
        "",
        (
            "run.py needs packages that this Python has not got: no_such_package; "
            "'python3 bootstrap.py run ...' sets them up and runs\n"
        ),
    )


def load_run_py() -> Any:
    spec = importlib.util.spec_from_file_location("run_py", ROOT / "run.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_installed_package_has_no_checkout_to_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(places, "PACKAGE", tmp_path / "site-packages" / "grounded_claims")
    assert run_command("run", ["--out", str(tmp_path / "run")], program="run.py") == 2
    assert capsys.readouterr() == (
        "",
        "a run records its sources, so it needs the checkout: call its run.py\n",
    )
    assert below(tmp_path) == []


# The archived run


def test_the_archived_run_is_compared_with(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(places, "PACKAGE", checkout / "src" / "grounded_claims")
    archive = checkout / "evidence" / "config-claims"

    def run_again(name: str) -> tuple[int, str]:
        code = run_command("run", ["--out", str(tmp_path / name)], program="run.py")
        lines = capsys.readouterr().out.splitlines()
        return code, next(line for line in lines if line.startswith("results.json sha256"))

    assert run_command("run", ["--out", str(archive)], program="run.py") == 0
    assert "no archived run of this suite digest" in capsys.readouterr().out  # not compared with itself
    start = f"results.json sha256 {sha256(archive / 'results.json')}   "
    assert run_again("same") == (0, f"{start}the same bytes as evidence/config-claims")

    edit(archive / "results.json", '"grounded": 3', '"grounded": 4')
    differs = "NOT the bytes of evidence/config-claims/results.json, which is of the same suite digest"
    assert run_again("other") == (1, start + differs)

    suite_digest = json.loads((archive / "results.json").read_bytes())["suite"]["digest"]
    edit(archive / "results.json", suite_digest, "0" * 64)
    assert run_again("none") == (0, f"{start}no archived run of this suite digest to compare with")


def test_pinned_totals_that_are_not_met_are_exit_code_1(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A suite that pins another total than its cases give, and is frozen like that."""
    folder = checkout / "fixtures" / "config-claims"
    edit(folder / "suite.yaml", "full_contract: 3", "full_contract: 4")
    edit(folder / "cases.yaml", "expected: STALE_REVISION", "expected: VALUE_MISMATCH")
    digests = {f"fixtures/config-claims/{path.name}": sha256(path) for path in sorted(folder.iterdir())}
    pins = "".join(f"{digest}  {name}\n" for name, digest in digests.items())
    (checkout / "fixtures" / "frozen.sha256").write_text(pins, encoding="utf-8")
    monkeypatch.setattr(places, "PACKAGE", checkout / "src" / "grounded_claims")
    assert run_command("run", ["--out", str(tmp_path / "run")], program="run.py") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("config-claims: 22 frozen cases, ")
    assert "  case old-revision: label VALUE_MISMATCH, verdict STALE_REVISION" in lines
    assert "  total full_contract: pinned 4, counted 3" in lines


# Standard output


def test_closed_standard_output_is_said_before_anything_is_done(tmp_path: Path) -> None:
    words = [sys.executable, ROOT / "run.py", "--out", tmp_path / "run"]
    done = command(["sh", "-c", 'exec "$@" >&-', "sh", *words])
    assert (done.returncode, done.stderr) == (
        2,
        "standard output is closed, so there is nowhere to print to\n",
    )
    assert below(tmp_path) == []


def test_closed_standard_error_is_no_obstacle(tmp_path: Path) -> None:
    words = [sys.executable, ROOT / "run.py", "--out", tmp_path / "run"]
    done = command(["sh", "-c", 'exec "$@" 2>&-', "sh", *words])
    assert done.returncode == 0
    assert "run digest   sha256 " in done.stdout


def test_a_pipe_that_nobody_reads_is_not_0(tmp_path: Path) -> None:
    """bug-log E08."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run_py("--out", tmp_path / "run", stdout=writing)
    finally:
        os.close(writing)
    closed = "standard output was closed before everything was printed"
    complete = f"the run itself is complete, in {tmp_path / 'run'}"
    assert (done.returncode, done.stderr) == (2, f"{closed}; {complete}\n")
    assert below(tmp_path / "run") == WHOLE


@pytest.mark.parametrize("arguments", [["--out", "run"], ["--list"], ["--version"], ["--help"]])
def test_a_full_disk_behind_standard_output(arguments: list[str], tmp_path: Path) -> None:
    with open("/dev/full", "w", encoding="ascii") as full:
        done = run_py(*arguments, cwd=tmp_path, stdout=full)
    complete = "; the run itself is complete, in run" if arguments == ["--out", "run"] else ""
    full_disk = f"No space left on device: standard output{complete}\n"
    assert (done.returncode, done.stderr) == (2, full_disk)


CONSOLES = {
    "ASCII": ({"PYTHONIOENCODING": "ascii"}, "ascii", r"'\xe9 \U0001f600'"),
    "cp1252": ({"PYTHONIOENCODING": "cp1252"}, "cp1252", r"'é \U0001f600'"),
    "UTF-16": ({"PYTHONIOENCODING": "utf-16-le"}, "utf-16-le", "'é \U0001f600'"),
    "the C locale": (
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        "ascii",
        r"'\udcc3\udca9 \udcf0\udc9f\udc98\udc80'",
    ),
}


@pytest.mark.parametrize("name", CONSOLES)
def test_a_console_that_is_not_utf_8(name: str, tmp_path: Path) -> None:
    """bug-log R02: every text is printed somehow, and JSON stays JSON."""
    environ, encoding, quoted = CONSOLES[name]
    out = "é \U0001f600"
    shown = run_py("--out", out, cwd=tmp_path, environ=environ, encoding=encoding)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert f" audit {quoted}\n" in shown.stdout
    printed = run_py(
        "--out", f"{out}.2", "--format", "json", cwd=tmp_path, environ=environ, encoding=encoding
    )
    assert (printed.returncode, printed.stderr) == (0, "")
    assert os.fsencode(json.loads(printed.stdout)["out"]) == f"{out}.2".encode()
    assert below(tmp_path / out) == below(tmp_path / f"{out}.2") == WHOLE


# The same bytes everywhere (bug-log R01, R02)

ZONES = ("UTC", "Asia/Tokyo", "America/St_Johns", "Pacific/Kiritimati")
LOCALES: tuple[dict[str, str], ...] = (
    {},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "1"},
    {"LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE"},
)


def test_results_are_the_same_bytes_whatever_surrounds_them(tmp_path: Path) -> None:
    digests = set()
    for seed in range(10):
        place = tmp_path / f"{seed} é"
        place.mkdir()
        environ = {"PYTHONHASHSEED": str(seed), "TZ": ZONES[seed % 4], **LOCALES[seed % 4]}
        environ["SOURCE_DATE_EPOCH"] = str(seed * 10**8)
        done = run_py("--out", "run", cwd=place, environ=environ, python=["-O"] if seed == 3 else [])
        assert (done.returncode, done.stderr) == (0, "")
        digests.add(sha256(place / "run" / "results.json"))
    assert len(digests) == 1
    created = [
        json.loads((tmp_path / f"{seed} é/run/manifest.json").read_bytes())["created"] for seed in (0, 1)
    ]
    assert created == ["1970-01-01T00:00:00Z", "1973-03-03T09:46:40Z"]


def test_two_runs_of_one_second_differ_in_nothing(tmp_path: Path) -> None:
    for name in ("first", "second"):
        run_py("--out", tmp_path / name, environ={"SOURCE_DATE_EPOCH": "0"})
    assert sha256(tmp_path / "first/SHA256SUMS") == sha256(tmp_path / "second/SHA256SUMS")


def test_files_that_were_made_in_another_order(tmp_path: Path) -> None:
    for name, turned in (("forward", False), ("backward", True)):
        folder = tmp_path / name
        folder.mkdir()
        for path in sorted((ROOT / "fixtures" / "config-claims").iterdir(), reverse=turned):
            shutil.copyfile(path, folder / path.name)
        assert run_py("--out", f"{name}-run", "--suite", name, cwd=tmp_path).returncode == 0
    assert sha256(tmp_path / "forward-run/results.json") == sha256(tmp_path / "backward-run/results.json")
    assert [
        (tmp_path / f"{name}-run" / "inputs" / "cases.yaml").read_bytes() for name in ("forward", "backward")
    ] == [(ROOT / "fixtures/config-claims/cases.yaml").read_bytes()] * 2


def test_a_path_with_spaces_accents_and_emoji(tmp_path: Path) -> None:
    """bug-log M09: the checkout, the working directory and the run directory."""
    root = copy_of_checkout(tmp_path / "a b" / "é \U0001f600")
    done = run_py("--out", "it's a “run”/e\u0301", root=root, cwd=tmp_path / "a b")
    assert (done.returncode, done.stderr) == (0, "")
    assert below(tmp_path / "a b" / "it's a “run”" / "e\u0301") == WHOLE
    following = [line for line in done.stdout.splitlines() if line.startswith("Next: ")]
    assert following == ["Next: python3 'é \U0001f600/bootstrap.py' audit 'it'\"'\"'s a “run”/e\u0301'"]


def test_of_many_at_once_one_wins(tmp_path: Path) -> None:
    """bug-log M13."""
    words = [sys.executable, str(ROOT / "run.py"), "--out", "run"]
    running = [
        subprocess.Popen(words, cwd=tmp_path, env=ENVIRON, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    ended = [(each.communicate(timeout=120), each.returncode) for each in running]
    assert sorted(code for _, code in ended) == [0, 2, 2, 2]
    assert below(tmp_path / "run") == WHOLE
    checked = command(["sha256sum", "--strict", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path / "run")
    assert (checked.returncode, checked.stdout) == (0, "")


# No connection is opened (bug-log S04)

NO_SOCKETS = """
import sys
def refuse(event, arguments):
    if event.startswith("socket."):
        raise RuntimeError("a connection was opened: " + event)
sys.addaudithook(refuse)
"""


def test_run_and_audit_open_no_connection(tmp_path: Path) -> None:
    environ = site(tmp_path / "site", NO_SOCKETS)
    shown = command([sys.executable, "-c", "import socket; socket.socket()"], environ=environ)
    assert "RuntimeError: a connection was opened: socket.__new__" in shown.stderr  # the trap works
    ran = run_py("--out", "run", cwd=tmp_path, environ=environ)
    assert (ran.returncode, ran.stderr) == (0, "")
    audited = command([sys.executable, ROOT / "audit.py", "run"], cwd=tmp_path, environ=environ)
    assert (audited.returncode, audited.stderr) == (0, "")
