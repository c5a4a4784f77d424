"""A run directory is read whole and strictly, or refused with the reason. Each row below has one defect."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grounded_claims.errors import EXIT_NOT_DONE, RunDirectoryError, SuiteError
from grounded_claims.provenance import Provenance
from grounded_claims.recorded_run import read_run
from grounded_claims.run_directory import write_run
from grounded_claims.runner import run_suite
from grounded_claims.suite import load_suite

ROOT = Path(__file__).resolve().parent.parent
PROVENANCE = Provenance(
    created="2026-11-30T12:00:00Z",
    git={"commit": "a" * 40, "dirty": False},
    environment={
        "python": "3.11.7",
        "implementation": "CPython",
        "platform": "Linux 6 x86_64",
        "packages": {"PyYAML": "6.0.2"},
    },
    sources={"run.py": "b" * 64},
)


def make_run(folder: Path, suite: str | Path = "config-claims") -> Path:
    """Write a run of a suite with fixed provenance, so that it has the same bytes everywhere."""
    place = ROOT / "fixtures" / suite if isinstance(suite, str) else suite
    write_run(folder, results=run_suite(load_suite(place)), provenance=PROVENANCE)
    return folder


def sum_up(folder: Path) -> None:
    """Write SHA256SUMS anew, so that it agrees with whatever the files now hold."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in files
    ]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


def rewrite(folder: Path, name: str, change: Callable[[Any], object]) -> None:
    """Change a document in place, in the pinned form; manifest and sums follow."""
    document = json.loads((folder / name).read_text(encoding="utf-8"))
    change(document)
    data = (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()
    replace(folder, name, data)


def replace(folder: Path, name: str, data: bytes) -> None:
    """Replace a file; where it is results.json, the manifest has its new digest."""
    (folder / name).write_bytes(data)
    if name == "results.json":
        digest = hashlib.sha256(data).hexdigest()
        rewrite(folder, "manifest.json", lambda manifest: manifest["outputs"].update({name: digest}))
    sum_up(folder)


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture
def run(pristine: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pristine, tmp_path / "run"))


@pytest.mark.parametrize("suite", ["config-claims", "order-status", "order-status-field"])
def test_what_was_written_is_read(tmp_path, suite):
    folder = make_run(tmp_path / "run", suite)
    recorded = read_run(folder)
    assert recorded.results == run_suite(recorded.suite)
    assert recorded.run_digest == hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()
    assert recorded.results_digest == hashlib.sha256((folder / "results.json").read_bytes()).hexdigest()
    assert recorded.manifest["created"] == "2026-11-30T12:00:00Z"
    assert recorded.suite.frozen


def test_a_verdict_that_the_gate_would_not_give_is_read_as_recorded(run):
    def accept(results):
        results["cases"][3].update(
            status="ACCEPT",
            full_contract=True,
            outcome="grounded",
            claim=None,
            accepted={"read_timeout_ms": "2000"},
        )
        results["totals"].update(full_contract=4, labels_matched=21)
        results["totals"]["outcomes"].update(grounded=4, ungrounded=13)

    rewrite(run, "results.json", accept)
    recorded = read_run(run).results.cases[3]
    assert (recorded.case.id, recorded.verdict.status) == ("wrong-value", "ACCEPT")


def damage(path: str) -> Callable[[Path], object]:
    """Change the file of a path without telling its sums."""
    return lambda run: (run / path).write_bytes((run / path).read_bytes() + b"\n")


def results(change: Callable[[Any], object]) -> Callable[[Path], object]:
    return lambda run: rewrite(run, "results.json", change)


def manifest(change: Callable[[Any], object]) -> Callable[[Path], object]:
    return lambda run: rewrite(run, "manifest.json", change)


def raw(name: str, old: bytes, new: bytes) -> Callable[[Path], object]:
    return lambda run: replace(run, name, (run / name).read_bytes().replace(old, new, 1))


def linked(run: Path) -> None:
    (run / "results.json").rename(run.parent / "elsewhere.json")
    (run / "results.json").symlink_to(run.parent / "elsewhere.json")


def piped(run: Path) -> None:
    (run / "results.json").unlink()
    os.mkfifo(run / "results.json")


def linked_inputs(run: Path) -> None:
    (run / "inputs").rename(run.parent / "elsewhere")
    (run / "inputs").symlink_to(run.parent / "elsewhere")


def sums(change: Callable[[list[str]], list[str]]) -> Callable[[Path], object]:
    def changed(run: Path) -> None:
        lines = (run / "SHA256SUMS").read_text(encoding="ascii").splitlines(keepends=True)
        (run / "SHA256SUMS").write_text("".join(change(lines)), encoding="ascii")

    return changed


CASE = "RUN/results.json: cases[0]"

DEFECTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing there": (shutil.rmtree, "RUN: there is nothing at this path; a run directory belongs here"),
    "a file": (lambda run: (shutil.rmtree(run), run.write_bytes(b"")), "RUN is not a real directory"),
    "not finished": (
        lambda run: (run / "SHA256SUMS").rename(run / "SHA256SUMS.unfinished"),
        "RUN holds no SHA256SUMS: it is no run directory, or one that was not finished",
    ),
    "a file missing": (
        lambda run: (run / "manifest.json").unlink(),
        "RUN/manifest.json is missing; without it the run directory is damaged",
    ),
    "an input missing": (
        lambda run: (run / "inputs" / "cases.yaml").unlink(),
        "RUN/inputs/cases.yaml is missing; without it the run directory is damaged",
    ),
    "a file too many": (
        lambda run: (run / ".DS_Store").write_bytes(b""),
        "RUN/.DS_Store is no part of a run directory; take it out",
    ),
    "an input too many": (
        lambda run: (run / "inputs" / "notes.txt").write_bytes(b""),
        "RUN/inputs/notes.txt is no part of a run directory; take it out",
    ),
    "a link": (linked, "RUN/results.json is not a regular file"),
    "a pipe": (piped, "RUN/results.json is not a regular file"),
    "linked inputs": (linked_inputs, "RUN/inputs is not a real directory"),
    "results changed": (
        damage("results.json"),
        "RUN: the SHA-256 of results.json is not the one in SHA256SUMS",
    ),
    "two changed": (
        lambda run: [damage(path)(run) for path in ("inputs/suite.yaml", "manifest.json")],
        "RUN: the SHA-256 of inputs/suite.yaml, manifest.json is not the one in SHA256SUMS",
    ),
    "sums in another form": (
        sums(lambda lines: [*lines, "\n"]),
        "RUN/SHA256SUMS is not in the form of sha256sum",
    ),
    "sums without a file": (
        sums(lambda lines: lines[1:]),
        "RUN/SHA256SUMS does not list every other file once, sorted by path",
    ),
    "sums out of order": (
        sums(lambda lines: lines[::-1]),
        "RUN/SHA256SUMS does not list every other file once, sorted by path",
    ),
    "results not UTF-8": (
        raw("results.json", b"wrong-value", b"wrong\xffvalue"),
        "RUN/results.json: byte 1540 is not UTF-8",
    ),
    "results not JSON": (
        raw("results.json", b'"claim": null', b'"claim": NaN'),
        "RUN/results.json:31: NaN is not JSON",
    ),
    "results with a member twice": (
        raw("results.json", b'"format": 1,', b'"format": 1,\n  "format": 1,'),
        "RUN/results.json:3: the member 'format' stands twice in one object",
    ),
    "results laid out otherwise": (
        raw("results.json", b'"format": 1,', b'"format":  1,'),
        "RUN/results.json is not what its own verdicts give together with the inputs: the form of the file",
    ),
    "results of another format": (
        results(lambda document: document.update(format=2)),
        "RUN/results.json is not what its own verdicts give together with the inputs: format",
    ),
    "a total that does not add up": (
        results(lambda document: document["totals"].update(full_contract=22)),
        "RUN/results.json is not what its own verdicts give together with the inputs: totals",
    ),
    "another label": (
        results(lambda document: document["cases"][6].update(expected="ACCEPT")),
        "RUN/results.json is not what its own verdicts give together with the inputs: the case old-revision",
    ),
    "a case less": (
        results(lambda document: document["cases"].pop()),
        "RUN/results.json holds 21 cases, and the inputs hold 22",
    ),
    "no cases": (
        results(lambda document: document.update(cases=[])),
        "RUN/results.json: cases: is empty; at least one of the cases belongs here",
    ),
    "an unknown status": (
        results(lambda document: document["cases"][0].update(status="ACCPET")),
        "RUN/results.json: cases[0].status: 'ACCPET' is not a status; did you mean 'ACCEPT'?",
    ),
    "a status of the other contract": (
        results(lambda document: document["cases"][0].update(outcome="honest_refusal")),
        f"{CASE}.outcome: 'honest_refusal' is not an outcome; known: grounded, ungrounded or malformed",
    ),
    "a layer that is a number": (
        results(lambda document: document["cases"][0].update(strict_json=1)),
        "RUN/results.json: cases[0].strict_json: true or false belongs here",
    ),
    "a claim that is a boolean": (
        results(lambda document: document["cases"][0].update(claim=True)),
        f"{CASE}.claim: the boolean true stands where a whole number belongs, without quotation marks",
    ),
    "an accepted list": (
        results(lambda document: document["cases"][0].update(accepted=[])),
        "RUN/results.json: cases[0].accepted: a mapping of fields to texts belongs here",
    ),
    "results that are a list": (
        lambda run: replace(run, "results.json", b"[]\n"),
        "RUN/results.json: a list stands where a mapping with format, suite, totals or cases belongs",
    ),
    "a manifest without git": (
        manifest(lambda document: document.pop("git")),
        "RUN/manifest.json: 'git' is missing; nothing is defaulted, so write it down",
    ),
    "a manifest whose time is a number": (
        manifest(lambda document: document.update(created=5)),
        'RUN/manifest.json: created: the number 5 stands where text belongs; put it in quotation marks: "5"',
    ),
    "a commit that may be dirty": (
        manifest(lambda document: document["git"].update(dirty=None)),
        "RUN/manifest.json: git.dirty: true or false belongs here",
    ),
    "a manifest of another suite": (
        manifest(lambda document: document["suite"].update(digest="0" * 64)),
        "RUN/manifest.json: suite does not describe the files beside it",
    ),
    "a manifest of other inputs": (
        manifest(lambda document: document["inputs"].pop("inputs/cases.yaml")),
        "RUN/manifest.json: inputs does not describe the files beside it",
    ),
    "a manifest of other results": (
        manifest(lambda document: document["outputs"].update({"results.json": "0" * 64})),
        "RUN/manifest.json: outputs does not describe the files beside it",
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_damaged_run_is_refused(run, defect):
    spoil, message = DEFECTS[defect]
    spoil(run)
    with pytest.raises(RunDirectoryError) as refused:
        read_run(run)
    assert str(refused.value) == message.replace("RUN", str(run))
    assert refused.value.exit_code == EXIT_NOT_DONE


def test_inputs_that_are_no_suite_are_refused_with_their_faults(run):
    replace(run, "inputs/suite.yaml", b"suite: config-claims\n")
    with pytest.raises(SuiteError, match=r"suite\.yaml:1: 'contract' is missing"):
        read_run(run)


def test_what_says_why_there_is_no_commit_is_read(run):
    rewrite(
        run, "manifest.json", lambda document: document.update(git={"unavailable": "git is not installed"})
    )
    assert read_run(run).manifest["git"] == {"unavailable": "git is not installed"}
