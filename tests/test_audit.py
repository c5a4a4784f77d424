"""The auditor against runs that are honest, forged, rotten, or not runs at all.

Each row is one named defect of one valid run, the checks that must notice it, and the words they must use.
The runs come from audit_fixtures, which knows docs/contract.md and neither the gate nor the auditor.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

import argparse
import errno
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from audit_fixtures import (
    CONFIG,
    FROZEN,
    INPUTS,
    ORDER,
    ROOT,
    Material,
    Run,
    document,
    make_checkout,
    run_of,
    sha256,
    sources_of,
    suite_digest,
    sums_of,
    write,
)
from tampering.forgeries import REWRITTEN

import audit

Files = dict[str, bytes]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout that is no git repository."""
    return make_checkout(tmp_path_factory.mktemp("lab") / "checkout")


class Audited:
    """What one audit said, by --format json."""

    def __init__(self, code: int, printed: str) -> None:
        self.code = code
        self.whole = json.loads(printed)
        self.one = self.whole["directories"][0]
        self.checks = {check["check"]: check for check in self.one["checks"]}

    @property
    def failed(self) -> list[str]:
        """The checks that were made and failed."""
        said = self.checks.values()
        return [
            each["check"]
            for each in said
            if each["state"] == "failed" and not each["said"].startswith("not made")
        ]

    @property
    def unmade(self) -> list[str]:
        return [each["check"] for each in self.checks.values() if each["said"].startswith("not made")]

    def findings(self, ident: str) -> list[str]:
        found: list[str] = self.checks[ident]["findings"]
        return found


@pytest.fixture
def audited(lab: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Audited]:
    def audited(path: Path | str, *options: str, root: Path = lab) -> Audited:
        code = audit.main([str(path), "--format", "json", *options], str(root))
        out, err = capsys.readouterr()
        assert err == ""
        return Audited(code, out)

    return audited


def run_in(lab: Path, made: Material = CONFIG) -> Run:
    return run_of(made, lab, frozen=made is FROZEN)


# Honest runs.


@pytest.mark.parametrize(
    ("made", "last"),
    [(CONFIG, "PASS: not a published suite"), (ORDER, "PASS: not a published suite"), (FROZEN, "PASS")],
    ids=lambda value: getattr(value, "name", None),
)
def test_an_honest_run_passes(
    made: Material, last: str, lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = run_in(lab, made).sealed()
    run = write(files, tmp_path / "run")
    assert audit.main([str(run)], str(lab)) == 0
    lines = capsys.readouterr().out.splitlines()
    count = len(made.rows)
    assert lines[-1] == last
    assert [line.split()[1] for line in lines[: len(audit.CHECKS)]] == list(audit.CHECKS)
    assert {line.split()[0] for line in lines[: len(audit.CHECKS)]} == {"ok", "--"}
    applied = 31 if made is FROZEN else 30
    assert lines[len(audit.CHECKS)] == (
        f"32 of 32 checks: {applied} ok, {32 - applied} not applicable; 6 of 6 files; "
        f"{count} of {count} labels; {count} of {count} cases"
    )
    assert lines[len(audit.CHECKS) + 1] == "run digest " + sha256(files["SHA256SUMS"])
    assert "ok     A3.2  digests          5 of 5 files agree with SHA256SUMS" in lines


def test_judge_says_what_a_person_says() -> None:
    for made in (CONFIG, ORDER):
        suite, faults = audit.read_suite(made.files)
        assert (faults, suite is not None) == ([], True)
        for case, row in zip(suite.cases, made.rows, strict=True):
            verdict = audit.judge(
                suite.contract, suite.registry, suite.requests[case["request"]], case["candidate"]
            )
            passes = {
                "strict_json": row.layers > 0,
                "citation_exists": row.layers > 1,
                "full_contract": row.layers > 2,
            }
            assert verdict == {
                "status": row.status, **passes, "outcome": row.outcome, "claim": row.claim, "accepted": row.accepted,
            }, row.id  # fmt: skip
            assert next(iter(verdict)) == "status"
        assert {row.status for row in made.rows} == set(audit.STATUSES[made.contract])


# Forgeries: one change, and every digest recomputed with it.

Forge = Callable[[Run], None]


def set_case(index: int, **members: Any) -> Forge:
    return lambda run: run.results["cases"][index].update(members)


def set_totals(**members: Any) -> Forge:
    return lambda run: run.results["totals"].update(members)


def set_manifest(*path: str, value: Any) -> Forge:
    def forge(run: Run) -> None:
        holder = run.manifest
        for name in path[:-1]:
            holder = holder[name]
        holder[path[-1]] = value

    return forge


def drop_manifest(*path: str) -> Forge:
    def forge(run: Run) -> None:
        holder = run.manifest
        for name in path[:-1]:
            holder = holder[name]
        del holder[path[-1]]

    return forge


def set_results(*path: str, value: Any) -> Forge:
    return lambda run: (
        run.results[path[0]].update({path[1]: value}) if path[1:] else run.results.update({path[0]: value})
    )


def edit(name: str, old: str, new: str) -> Forge:
    def forge(run: Run) -> None:
        assert old.encode() in run.inputs[name]
        run.inputs[name] = run.inputs[name].replace(old.encode(), new.encode(), 1)

    return forge


def swap_cases(run: Run) -> None:
    run.results["cases"][0:2] = run.results["cases"][1::-1]


def omit_source(run: Run) -> None:
    del run.manifest["sources"]["src/grounded_claims/a/b.py"]


def reorder(run: Run) -> None:
    run.manifest = dict(reversed(run.manifest.items()))


HEX = "0" * 64
FORGERIES: dict[str, tuple[Forge, dict[str, str]]] = {
    "a status": (
        set_case(12, status="ACCEPT"),
        {"A7.1": "case 'wrong-value': status recomputed as VALUE_MISMATCH, recorded ACCEPT"},
    ),
    "a label": (
        set_case(12, expected="ACCEPT"),
        {"A6.3": "case 'wrong-value': label in the inputs is VALUE_MISMATCH, recorded ACCEPT"},
    ),
    "a layer": (
        set_case(12, full_contract=True),
        {"A7.2": "case 'wrong-value': full_contract recomputed as false, recorded true"},
    ),
    "an outcome": (
        set_case(0, outcome="ungrounded"),
        {"A7.3": "case 'accepted': outcome recomputed as grounded, recorded ungrounded"},
    ),
    "a claim": (set_case(12, claim=1), {"A7.4": "case 'wrong-value': claim recomputed as 0, recorded 1"}),
    "a claim of none": (
        set_case(3, claim=0),
        {"A7.4": "case 'no-claim': claim recomputed as null, recorded 0"},
    ),
    "an accepted value": (
        set_case(0, accepted={"limit": "11", "mode": "fast"}),
        {
            "A7.5": 'case \'accepted\': accepted recomputed as {"limit": "10", "mode": "fast"}, recorded {"limit": "11"'
        },
    ),
    "a partial answer": (set_case(12, accepted={"mode": "fast"}), {"A7.5": "recomputed as {}, recorded"}),
    "an accepted mapping out of order": (
        set_case(0, accepted={"mode": "fast", "limit": "10"}),
        {"A2.6": "results.json:"},
    ),
    "a prediction": (
        set_case(17, prediction={"full_contract": "INVALID_JSON"}),
        {
            "A6.4": 'case \'not-foreseen\': prediction in the inputs is {"full_contract": "NO_CITATION"}, recorded'
        },
    ),
    "no prediction": (set_case(17, prediction=None), {"A6.4": "recorded null"}),
    "a case renamed": (
        set_case(1, id="other"),
        {"A6.2": "case 'other' is not in the inputs"},
    ),
    "a case too few": (
        lambda run: run.results["cases"].pop(),
        {"A6.2": "case 'not-foreseen' is not in the results"},
    ),
    "a case twice": (
        lambda run: run.results["cases"].append(run.results["cases"][0]),
        {"A6.2": "case 'accepted' is there 2 times"},
    ),
    "cases in another order": (
        swap_cases,
        {"A6.2": "cases[0] is 'reversed', the inputs have 'accepted' there"},
    ),
    "a total": (set_totals(full_contract=4), {"A8.1": "totals.full_contract: recomputed as 3, recorded 4"}),
    "labels matched": (
        set_totals(labels_matched=18),
        {"A8.1": "totals.labels_matched: recomputed as 17, recorded 18"},
    ),
    "false accepts": (
        set_totals(baseline_false_accepts=0),
        {"A8.1": "baseline_false_accepts: recomputed as 10, recorded 0"},
    ),
    "outcomes": (
        set_totals(outcomes={"grounded": 4, "ungrounded": 12, "malformed": 2}),
        {"A8.1": 'totals.outcomes: recomputed as {"grounded": 3'},
    ),
    "outcomes of the other contract": (
        set_totals(outcomes=dict.fromkeys(audit.OUTCOMES["order-status"], 0)),
        {"A8.1": "totals.outcomes"},
    ),
    "outcomes out of order": (
        set_totals(outcomes={"malformed": 2, "ungrounded": 13, "grounded": 3}),
        {"A2.6": "results.json: line"},
    ),
    "predictions": (set_totals(predictions=None), {"A8.1": "totals.predictions: recomputed as {"}),
    "no cases": (set_results("cases", value=[]), {"A2.5": "cases: [] should be non-empty"}),
    "results of another format": (set_results("format", value=2), {"A2.5": "format: 1 was expected"}),
    "a member more in the results": (
        set_results("time", value=1),
        {"A2.5": "the document: Additional properties"},
    ),
    "results of another name": (
        set_results("suite", "name", value="other"),
        {"A3.6": "results.json: suite.name is 'other', the inputs have 'small-config'"},
    ),
    "a manifest of another name": (
        set_manifest("suite", "name", value="other"),
        {"A3.6": "manifest.json: suite.name is 'other'"},
    ),
    "a name with a line feed": (
        set_manifest("suite", "name", value="small-config\n"),
        {"A2.2": "suite.name: "},
    ),
    "another contract": (
        set_manifest("suite", "contract", value="order-status"),
        {"A3.6": "manifest.json: suite.contract is 'order-status', the inputs have 'config-claims'"},
    ),
    "another count of cases": (
        set_manifest("suite", "cases", value=22),
        {"A3.6": "manifest.json: suite.cases is 22, the inputs have 18"},
    ),
    "said to be frozen": (
        set_manifest("suite", "frozen", value=True),
        {"A4.1": "manifest.json: suite.frozen is true, and this checkout has the digest not pinned"},
    ),
    "a manifest of format 999": (set_manifest("format", value=999), {"A2.2": "format: 1 was expected"}),
    "a format of true": (set_manifest("format", value=True), {"A2.2": "format: "}),
    "a format of 1.0": (set_manifest("format", value=1.0), {"A2.2": "format: 1.0 is not of type 'integer'"}),
    "no format": (drop_manifest("format"), {"A2.2": "'format' is a required property"}),
    "no sources": (set_manifest("sources", value={}), {"A2.2": "sources: "}),
    "a source omitted": (
        omit_source,
        {"A5.2": "src/grounded_claims/a/b.py: in this checkout, and not recorded"},
    ),
    "a top source omitted": (
        drop_manifest("sources", "run.py"),
        {"A5.1": "manifest.json: sources lacks run.py", "A5.2": "run.py: in this checkout"},
    ),
    "a source too many": (
        set_manifest("sources", "src/other.py", value=HEX),
        {
            "A5.1": "manifest.json: sources has 'src/other.py', which is not of R6",
            "A5.2": "src/other.py: recorded",
        },
    ),
    "a package with a line feed": (
        set_manifest("environment", "packages", value={"PyYAML\n": "6"}),
        {"A2.2": "environment.packages: 'PyYAML\\n' does not match"},
    ),
    "packages out of order": (
        set_manifest("environment", "packages", value={"b": "1", "a": "2"}),
        {"A2.3": "manifest.json: line"},
    ),
    "a commit with a line feed": (
        set_manifest("git", value={"commit": "0" * 40 + "\n", "dirty": False}),
        {"A2.2": "git: "},
    ),
    "a commit that is an option": (
        set_manifest("git", value={"commit": "--upload-pack=/bin/sh".ljust(40, "x"), "dirty": False}),
        {"A2.2": "git: "},
    ),
    "a date that is none": (
        set_manifest("created", value="9999-99-99T12:00:00Z"),
        {"A2.2": "created: '9999-99-99T12:00:00Z' is no date and time (R7)"},
    ),
    "a day that its month has not": (
        set_manifest("created", value="2026-02-30T00:00:00Z"),
        {"A2.2": "created: '2026-02-30T00:00:00Z' is no date and time (R7)"},
    ),
    "an hour that no day has": (
        set_manifest("created", value="2026-11-30T24:00:00Z"),
        {"A2.2": "created: '2026-11-30T24:00:00Z' is no date and time (R7)"},
    ),
    "members out of order": (reorder, {"A2.3": "manifest.json: line 2"}),
    "a candidate": (
        edit("cases.yaml", '"value":"9","doc":"now"', '"value":"10","doc":"now"'),
        {"A7.1": "case 'wrong-value': status recomputed as ACCEPT, recorded VALUE_MISMATCH"},
    ),
    "a document": (
        edit("registry.yaml", "revision: v2\n", "revision: v3\n"),
        {"A7.1": "case 'accepted': status recomputed as STALE_REVISION, recorded ACCEPT"},
    ),
    "inputs that are no suite": (
        edit("cases.yaml", "expected: STALE_REVISION", "expected: STALE"),
        {"A6.1": "inputs/cases.yaml:85: cases[11].expected: 'STALE' is not a status of the contract (F5.6)"},
    ),
    "inputs that are no YAML": (
        edit("suite.yaml", "contract:", "contract: &here"),
        {"A6.1": "inputs/suite.yaml:2: contract: the anchor &here (F1.3)"},
    ),
}
# What a change must make fail beside the check that the row is about.
ALSO = {
    "a case renamed": {"A6.2"}, "a case too few": {"A6.2"}, "a candidate": set("A7.1 A7.2 A7.3 A7.4 A7.5 A8.1".split()),
    "a document": set("A7.1 A7.2 A7.3 A7.4 A7.5 A8.1".split()), "a source omitted": set(),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_noticed_where_the_digests_all_agree(
    name: str, lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    forge, expected = FORGERIES[name]
    run = run_in(lab)
    forge(run)
    files = run.sealed()
    assert files["SHA256SUMS"] == sums_of({path: files[path] for path in files if path != "SHA256SUMS"})
    said = audited(write(files, tmp_path / "run"))
    sources = {"A5.2"} & expected.keys()  # without git they differ from all that is at hand: not compared
    assert said.code == (2 if expected.keys() == sources else 1)
    assert set(said.failed) == (expected.keys() | ALSO.get(name, set())) - sources
    for ident, words in expected.items():
        assert any(words in finding for finding in said.findings(ident)), said.findings(ident)


@pytest.mark.parametrize(
    ("forge", "failed", "words"),
    [
        (
            set_manifest("suite", "frozen", value=False),
            "A4.1",
            "suite.frozen is false, and this checkout has the digest pinned",
        ),
        (edit("suite.yaml", "cases: 16", "cases: 15"), "A4.1", "not pinned"),
    ],
)
def test_a_frozen_suite(
    forge: Forge, failed: str, words: str, lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    run = run_in(lab, FROZEN)
    forge(run)
    said = audited(write(run.sealed(), tmp_path / "run"))
    assert (said.code, said.failed) == (1, [failed])
    assert said.findings(failed)[0].endswith(words)


def test_pinned_totals_that_are_wrong(tmp_path: Path, audited: Callable[..., Audited]) -> None:
    """A pin of a suite whose own totals are wrong: A8.2 says so, for A4 cannot."""
    checkout = make_checkout(tmp_path / "checkout")
    run = run_in(checkout, FROZEN)
    edit("suite.yaml", "strict_json: 15", "strict_json: 14")(run)
    pin(checkout, run.inputs)
    said = audited(write(run.sealed(), tmp_path / "run"), root=checkout)
    assert (said.code, said.failed) == (1, ["A8.2"])
    assert said.findings("A8.2") == ["strict_json: pinned as 14, recomputed as 15"]
    assert said.checks["A8.2"]["said"] == "3 of 4 pinned totals"


def pin(checkout: Path, inputs: Files) -> None:
    lines = [f"{sha256(inputs[name])}  fixtures/{FROZEN.name}/{name}\n" for name in INPUTS]
    (checkout / "fixtures/frozen.sha256").write_text("".join(lines))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "pinned_totals: {cases: 16, strict_json: 15, citation_exists: 11, full_contract: 3}\n",
            "",
            "'pinned_totals' is missing (F2.1)",
        ),
        (
            "groups:\n",
            "groups:\n  idle: {description: d, effect: e}\n",
            "groups.idle: no case is in this group (F2.4)",
        ),
    ],
)
def test_what_only_frozen_suites_must_hold(
    old: str, new: str, words: str, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    checkout = make_checkout(tmp_path / "checkout")
    run = run_in(checkout, FROZEN)
    edit("suite.yaml", old, new)(run)
    pin(checkout, run.inputs)
    said = audited(write(run.sealed(), tmp_path / "run"), root=checkout)
    assert (said.code, said.failed) == (1, ["A6.1"])
    assert words in said.findings("A6.1")[0]


# Files: what happens to a directory that was good.


def resum(files: Files) -> None:
    files["SHA256SUMS"] = sums_of({name: data for name, data in files.items() if name != "SHA256SUMS"})


def sums_text(change: Callable[[str], str]) -> Callable[[Files], None]:
    def rot(files: Files) -> None:
        files["SHA256SUMS"] = change(files["SHA256SUMS"].decode()).encode()

    return rot


def put_file(name: str, data: bytes, *, sums: bool = True) -> Callable[[Files], None]:
    def rot(files: Files) -> None:
        files[name] = data
        if sums:
            resum(files)

    return rot


def change_file(name: str, change: Callable[[bytes], bytes], *, sums: bool = True) -> Callable[[Files], None]:
    def rot(files: Files) -> None:
        assert change(files[name]) != files[name]
        put_file(name, change(files[name]), sums=sums)(files)

    return rot


def crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


DEEP = b"[" * 100_000 + b"]" * 100_000
ROT: dict[str, tuple[Callable[[Files], None], dict[str, str]]] = {
    "no sums": (lambda files: files.__delitem__("SHA256SUMS"), {"A1.2": "no SHA256SUMS: an unfinished run, or no run directory"}),
    "empty sums": (put_file("SHA256SUMS", b"", sums=False), {"A3.1": "no line feed at the end", "A3.2": "SHA256SUMS lists no file"}),
    "half of the sums": (
        sums_text(lambda text: text[: len(text) // 2]),
        {"A3.1": "SHA256SUMS: no line feed at the end"},
    ),
    "sums without the last line feed": (sums_text(str.rstrip), {"A3.1": "no line feed at the end"}),
    "sums in upper case": (sums_text(str.upper), {"A3.1": "SHA256SUMS:1: ", "A3.2": "SHA256SUMS lists no file"}),
    "a digest of 63 digits": (sums_text(lambda text: text[1:]), {"A3.1": "SHA256SUMS:1: "}),
    "a wrong digest": (
        sums_text(lambda text: HEX + text[64:]),
        {"A3.2": f"inputs/cases.yaml: its SHA-256 is {sha256(CONFIG.files['cases.yaml'])}, SHA256SUMS has {HEX}"},
    ),
    "sums in another order": (
        sums_text(lambda text: "".join(reversed(text.splitlines(keepends=True)))),
        {"A3.1": "SHA256SUMS: the paths are not sorted"},
    ),
    "a line of sums twice": (
        sums_text(lambda text: text + text.splitlines(keepends=True)[-1]),
        {"A3.1": "SHA256SUMS:6: 'results.json' is repeated"},
    ),
    "a line of sums too few": (
        sums_text(lambda text: text.split("\n", 1)[1]),
        {"A3.1": "SHA256SUMS: inputs/cases.yaml is not listed"},
    ),
    "sums with CR LF": (sums_text(lambda text: text.replace("\n", "\r\n")), {"A3.1": "SHA256SUMS: line endings differ"}),
    "too many sums": (
        sums_text(lambda text: text + "\n" * 100),
        {"A3.1": "SHA256SUMS: more than 64 lines"},
    ),
    "too many sums and no line feed": (
        sums_text(lambda text: text + "\n" * 100 + "x"),
        {"A3.1": "SHA256SUMS: more than 64 lines"},
    ),
    "sums that are not UTF-8": (change_file("SHA256SUMS", lambda data: data + b"\xff\n", sums=False), {"A3.1": "SHA256SUMS:6: "}),
    "no manifest": (lambda files: files.__delitem__("manifest.json"), {"A1.2": "manifest.json is missing", "A3.2": "manifest.json: not read"}),
    "no results": (lambda files: files.__delitem__("results.json"), {"A1.2": "results.json is missing", "A3.2": "results.json: not read", "A3.4": "results.json: not read"}),
    "no registry": (lambda files: files.__delitem__("inputs/registry.yaml"), {"A1.2": "inputs/registry.yaml is missing", "A3.2": "not read", "A3.3": "not read"}),
    "an empty manifest": (put_file("manifest.json", b""), {"A2.1": "manifest.json: line 1, column 1: the text ends early (J3)"}),
    "a manifest of null": (put_file("manifest.json", b"null\n"), {"A2.2": "the document: None is not of type 'object'"}),
    "a manifest of []": (put_file("manifest.json", b"[]\n"), {"A2.2": "the document: [] is not of type 'object'"}),
    "a manifest of {}": (put_file("manifest.json", b"{}\n"), {"A2.2": "the document: 'format' is a required property"}),
    "inputs of the manifest that are a list": (
        change_file("manifest.json", lambda data: data.replace(b'"outputs": {', b'"outputs": [], "outputz": {')),
        {"A2.2": "outputs: [] is not of type 'object'"},
    ),
    "a manifest with a BOM": (change_file("manifest.json", lambda data: b"\xef\xbb\xbf" + data), {"A2.1": "line 1, column 1: no JSON token (J3)"}),
    "a manifest in UTF-16": (change_file("manifest.json", lambda data: data.decode().encode("utf-16")), {"A2.1": "manifest.json: not UTF-8 at byte 0 (J8)"}),
    "a manifest with CR LF": (change_file("manifest.json", crlf), {"A2.3": "manifest.json: line endings differ: found CR LF, expected LF"}),
    "results with CR LF": (
        change_file("results.json", crlf, sums=False),
        {"A2.6": "line endings differ", "A3.2": "(line endings differ)", "A3.4": "(line endings differ)"},
    ),
    "a member of the manifest twice": (
        change_file("manifest.json", lambda data: data.replace(b'"format": 1,', b'"format": 1,\n  "format": 1,')),
        {"A2.1": "manifest.json: line 3, column 3: the name 'format' is repeated (J5)"},
    ),
    "other indentation": (change_file("manifest.json", lambda data: data.replace(b"  ", b" ")), {"A2.3": "manifest.json: line 2: found ' \"format\": 1,', expected '  \"format\": 1,'"}),
    "no last line feed": (change_file("manifest.json", bytes.rstrip), {"A2.3": "found the end, expected ''"}),
    "a second last line feed": (change_file("manifest.json", lambda data: data + b"\n"), {"A2.3": "found '', expected the end"}),
    "an escape that need not be": (
        change_file("manifest.json", lambda data: data.replace(b'"Linux"', b'"\\u004cinux"')),
        {"A2.3": "manifest.json: line"},
    ),
    "an integer written -0": (
        change_file("manifest.json", lambda data: data.replace(b'"cases": 18', b'"cases": -0')),
        {"A2.2": "suite.cases: -0 is not of type 'integer'"},
    ),
    "a huge number": (
        change_file("manifest.json", lambda data: data.replace(b'"cases": 18', b'"cases": ' + b"9" * 5000)),
        {"A2.2": "suite.cases: "},
    ),
    "a manifest that nests deep": (put_file("manifest.json", DEEP), {"A2.1": "column 17: nesting deeper than 16, which no schema here allows (A2)"}),
    "results cut short": (change_file("results.json", lambda data: data[:-10]), {"A2.4": "results.json: line ", "A3.4": "results.json: its SHA-256"}),
    "results that are not bound": (change_file("results.json", lambda data: data.replace(b'"made": 2', b'"made": 3')), {"A3.4": "results.json: its SHA-256 is"}),
    "an input that is not bound": (change_file("inputs/suite.yaml", lambda data: data + b"# more\n"), {"A3.3": "inputs/suite.yaml: its SHA-256 is", "A3.5": "manifest.json: suite.digest is"}),
    "an input with CR LF": (
        change_file("inputs/suite.yaml", crlf, sums=False),
        {"A3.2": "(line endings differ)", "A3.3": "(line endings differ)", "A6.1": "inputs/suite.yaml:1: the character U+000D (F1.2)"},
    ),
    "a name of sums that leaves": (sums_text(lambda text: text.replace("results.json", "../../etc/hostname")), {"A1.5": "SHA256SUMS: '../../etc/hostname' holds . or .."}),
    "an absolute name of sums": (sums_text(lambda text: text.replace("results.json", "/etc/hostname")), {"A1.5": "SHA256SUMS: '/etc/hostname' is absolute"}),
    "a name of sums with a drive": (sums_text(lambda text: text.replace("results.json", "C:\\x")), {"A1.5": "SHA256SUMS: 'C:\\\\x' is absolute, holds a backslash, holds a colon"}),
    "a name of sums at home": (sums_text(lambda text: text.replace("results.json", "~/x")), {"A1.5": "'~/x' begins with ~"}),
    "a name of sums with NUL": (sums_text(lambda text: text.replace("results.json", "a\0b")), {"A1.5": "'a\\x00b' holds a control character"}),
    "a device in the sums": (sums_text(lambda text: text.replace("results.json", "NUL")), {"A1.5": "SHA256SUMS: 'NUL' is a device on Windows"}),
    "a stream in the sums": (sums_text(lambda text: text.replace("results.json", "results.json:s")), {"A1.5": "holds a colon"}),
    "a way round in the sums": (sums_text(lambda text: text.replace("results.json", "a/../results.json")), {"A1.5": "holds . or .."}),
    "a case twin in the sums": (sums_text(lambda text: text + text.splitlines()[-1].replace("results", "Results") + "\n"), {"A1.5": "'Results.json' is 'results.json' but for case or accents"}),
    "a name of the manifest that leaves": (
        change_file("manifest.json", lambda data: data.replace(b'"run.py"', b'"../run.py"')),
        {"A1.5": "manifest.json: sources: '../run.py' holds . or .."},
    ),
    "an extra file": (put_file("results (1).json", b"", sums=False), {"A1.2": "'results (1).json' is not of R1"}),
    "an extra file that is listed": (put_file("notes.txt", b""), {"A1.2": "'notes.txt' is not of R1", "A3.1": "SHA256SUMS: 'notes.txt' is not of R1"}),
    "a dropping": (put_file(".DS_Store", b"", sums=False), {"A1.2": "'.DS_Store' is not of R1"}),
    "an extra input": (put_file("inputs/Thumbs.db", b"", sums=False), {"A1.2": "'inputs/Thumbs.db' is not of R1"}),
    "a case twin": (put_file("Results.json", b"", sums=False), {"A1.2": "'Results.json' is not of R1: it is 'results.json' but for case or accents"}),
    "composed and decomposed": (
        lambda files: files.update({"\u00e9": b"", "e\u0301": b""}),
        {"A1.2": "'\u00e9' is not of R1: it is not ASCII, is 'e\u0301' but for case or accents"},
    ),
    "a name with an escape": (put_file("\x1b[31mred", b"", sums=False), {"A1.2": "'\\x1b[31mred' is not of R1: it holds a control character"}),
    "many files": (
        lambda files: files.update({f"f{number}": b"" for number in range(70)}),
        {"A1.2": "and 51 more"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROT)
def test_rot_is_noticed(name: str, lab: Path, tmp_path: Path, audited: Callable[..., Audited]) -> None:
    rot, expected = ROT[name]
    files = run_in(lab).sealed()
    rot(files)
    said = audited(write(files, tmp_path / "run"))
    assert said.code == 1
    assert expected.keys() <= set(said.failed)
    for ident, words in expected.items():
        assert any(words in finding for finding in said.findings(ident)), said.findings(ident)
    assert list(said.checks) == list(audit.CHECKS)


def test_a_check_that_is_not_made_says_for_want_of_which(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    files = run_in(lab).sealed()
    files["results.json"] = b"{"
    said = audited(write(files, tmp_path / "run"))
    assert said.unmade == "A2.5 A2.6 A3.5 A3.6 A6.2 A6.3 A6.4 A7.1 A7.2 A7.3 A7.4 A7.5 A8.1 A8.2".split()
    assert said.checks["A2.5"]["said"] == "not made, for want of A2.4"
    assert said.checks["A7.1"]["said"] == "not made, for want of A2.5"
    assert {said.checks[each]["state"] for each in said.unmade} == {"failed"}


def nothing(path: Path) -> None:
    path.rmdir()


def empty(path: Path) -> None:
    pass


def a_file(path: Path) -> None:
    path.rmdir()
    path.write_bytes(b"")


def a_link(path: Path) -> None:
    path.rename(path.with_name("good"))
    path.symlink_to("good")


def a_dangling_link(path: Path) -> None:
    path.rmdir()
    path.symlink_to("nowhere")


def a_fifo(path: Path) -> None:
    path.rmdir()
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    path.rmdir()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (nothing, 2, "there is nothing at this path"),
        (empty, 1, ""),
        (a_file, 1, "not a real directory: a regular file"),
        (a_link, 1, "not a real directory: a link"),
        (a_dangling_link, 1, "not a real directory: a link"),
        (a_fifo, 1, "not a real directory: a FIFO"),
        (a_socket, 1, "not a real directory: a special file"),
    ],
)
def test_what_a_path_may_be(
    make: Callable[[Path], None], code: int, words: str, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    path = tmp_path / "run"
    path.mkdir()
    make(path)
    said = audited(path)
    assert (said.code, said.findings("A1.1")) == (code, [words] if words else [])
    for spelling in (f"{path}/", f"{path}//"):
        assert audited(spelling).code == code
    if make is empty:
        assert "no SHA256SUMS: an unfinished run, or no run directory" in said.findings("A1.2")
        assert said.findings("A1.4") == ["no file was read"]


@pytest.mark.parametrize("path", ["", "a\0b", "audit.py/x"])
def test_paths_where_nothing_can_be(path: str, audited: Callable[..., Audited]) -> None:
    assert audited(path).findings("A1.1") == ["there is nothing at this path"]


@pytest.mark.parametrize("end", ["", "/", "/.", "/./", "//.//"])
def test_a_link_hides_behind_no_dot_at_the_end(
    end: str, lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    run = write(run_in(lab).sealed(), tmp_path / "run")
    assert audited(f"{run}{end}").code == 0
    a_link(run)
    assert audited(f"{run}{end}").findings("A1.1") == ["not a real directory: a link"]


def test_what_is_audited_is_what_the_system_opens(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    """Where a link stands before .. the path leads to the parent of what it points to, by every program."""
    run = run_in(lab).sealed()
    write(run, tmp_path / "here" / "run")
    (tmp_path / "there" / "below").mkdir(parents=True)
    (tmp_path / "here" / "link").symlink_to(tmp_path / "there" / "below")
    path = tmp_path / "here" / "link" / ".." / "run"
    assert audited(path).findings("A1.1") == ["there is nothing at this path"]
    write({"junk": b""}, tmp_path / "there" / "run")
    assert audited(path).code == 1
    shutil.rmtree(tmp_path / "there" / "run")
    write(run, tmp_path / "there" / "run")
    assert audited(path).code == 0


def test_a_path_that_cannot_be_reached(tmp_path: Path, audited: Callable[..., Audited]) -> None:
    (tmp_path / "loop").symlink_to("loop")
    said = audited(tmp_path / "loop" / "run")
    assert (said.code, said.one["verdict"]) == (2, "could not")
    assert said.findings("A1.1")[0].startswith("this path cannot be reached: ")


def to_link(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")
    path.symlink_to(path.parent.parent / "elsewhere")


def to_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def to_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def to_file(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")
    path.write_bytes(b"")


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("results.json", to_link, "results.json is not a regular file: a link"),
        ("results.json", to_loop, "results.json is not a regular file: a link"),
        ("results.json", to_fifo, "results.json is not a regular file: a FIFO"),
        ("results.json", to_folder, "results.json is not a regular file: a directory"),
        ("SHA256SUMS", to_link, "SHA256SUMS is not a regular file: a link"),
        ("inputs", to_link, "inputs/ is not a real folder: a link"),
        ("inputs", to_file, "inputs/ is not a real folder: a regular file"),
    ],
)
def test_what_is_not_a_regular_file(
    name: str,
    make: Callable[[Path], None],
    words: str,
    lab: Path,
    tmp_path: Path,
    audited: Callable[..., Audited],
) -> None:
    run = write(run_in(lab).sealed(), tmp_path / "run")
    make(run / name)
    said = audited(run)
    assert (said.code, said.findings("A1.3")) == (1, [words])


def test_a_file_that_is_too_large(lab: Path, tmp_path: Path, audited: Callable[..., Audited]) -> None:
    run = write(run_in(lab).sealed(), tmp_path / "run")
    os.truncate(run / "results.json", 64 * 1024 * 1024 + 1)
    said = audited(run)
    assert (said.code, said.findings("A1.4")) == (
        1,
        ["results.json cannot be read: larger than 67108864 bytes"],
    )
    os.truncate(run / "results.json", 64 * 1024 * 1024)
    assert audited(run).failed == ["A2.4", "A3.2", "A3.4"]


def failing(*names: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def fails(path: Any, *rest: Any, **others: Any) -> Any:
        if os.path.basename(str(path)) in names:
            raise OSError(errno.EIO, "Input/output error")
        return function(path, *rest, **others)

    return fails


def test_reads_that_fail(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write(run_in(lab).sealed(), tmp_path / "run")
    monkeypatch.setattr(os, "open", failing("results.json", "suite.yaml", function=os.open))
    said = audited(run)
    assert (said.code, said.findings("A1.4")) == (
        1, ["results.json cannot be read: Input/output error", "inputs/suite.yaml cannot be read: Input/output error"],
    )  # fmt: skip
    assert said.checks["A2.4"]["said"] == "not made, for want of A1.4"
    monkeypatch.undo()
    monkeypatch.setattr(os, "open", failing("inputs", function=os.open))
    assert audited(run).findings("A1.4") == ["inputs/ cannot be listed: Input/output error"]
    monkeypatch.setattr(os, "open", failing("run", "inputs", function=os.open))
    assert audited(run).findings("A1.4")[0] == "the directory cannot be listed: Input/output error"


def test_a_file_that_becomes_something_else(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between looking and opening a file becomes a FIFO, and another one grows while it is read."""
    run = write(run_in(lab).sealed(), tmp_path / "run")
    opened = os.open

    def swap(path: Any, *rest: Any, **others: Any) -> int:
        if os.path.basename(path) == "results.json":
            to_fifo(run / path)
        return opened(path, *rest, **others)

    monkeypatch.setattr(os, "open", swap)
    assert audited(run).findings("A1.3") == ["results.json is not a regular file: a FIFO"]


def test_every_file_is_opened_once(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = run_in(lab).sealed()
    files["SHA256SUMS"] += f"{HEX}  ../secret\n".encode()
    run = write(files, tmp_path / "run")
    (tmp_path / "secret").write_bytes(b"")
    opened: list[str] = []
    real = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *rest, **others: opened.append(str(path)) or real(path, *rest, **others)
    )
    audited(run)
    assert sorted(opened) == sorted([*map(os.path.basename, audit.FILES), *2 * [str(run), "inputs"]])


def inputs_elsewhere(run: Path) -> None:
    to_link(run / "inputs")


def inputs_anew(run: Path) -> None:
    (run / "inputs").rename(run.parent / "elsewhere")
    write({name: (run.parent / "elsewhere" / name).read_bytes() for name in INPUTS}, run / "inputs")


def one_more(run: Path) -> None:
    (run / "more").write_bytes(b"")


def one_more_input(run: Path) -> None:
    (run / "inputs/more").write_bytes(b"")


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize(
    ("change", "failed", "words"),
    [
        (inputs_elsewhere, ["A1.2", "A1.3"], "inputs/ changed while it was read"),
        (inputs_anew, ["A1.2"], "inputs/ changed while it was read"),
        (one_more, ["A1.2"], "the directory changed while it was read"),
        (one_more_input, ["A1.2"], "inputs/ changed while it was read"),
    ],
)
def test_a_directory_that_changes_while_it_is_read(
    relative: bool,
    change: Callable[[Path], None],
    failed: list[str],
    words: str,
    lab: Path,
    tmp_path: Path,
    audited: Callable[..., Audited],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = write(run_in(lab).sealed(), tmp_path / "run")
    real, times = audit.listing, []

    def listing(folder: Any) -> Any:
        names = real(folder)
        times.append(folder)
        if len(times) == 2:  # all is listed, and nothing is read
            change(run)
        return names

    monkeypatch.setattr(audit, "listing", listing)
    monkeypatch.setattr(audit, "RELATIVE", relative)
    said = audited(run)
    assert (said.failed, said.findings("A1.2")) == (failed, [words])


# Strict JSON, by J.

PAIR = "\\ud83d\\ude00"
WELL: dict[str, Any] = {
    " \t\r\n[ ]\n": [], "{}": {}, "0": 0, "-1": -1, "[1,2]": [1, 2], '{"a":{"b":[null,true,false]}}': {"a": {"b": [None, True, False]}},
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u0000"': '"\\/\b\f\n\r\t\u00e9\0', f'"{PAIR}"': "\U0001f600", '"\\uD83D\\uDE00x"': "\U0001f600x",
    '"\x7f\u0085\u2028\ufeff"': "\x7f\u0085\u2028\ufeff", '"a\\u0062c"': "abc", '{"a":1,"A":2}': {"a": 1, "A": 2}, "999999999999999999": 999999999999999999,
    "1e999": audit.Number("1e999"), "-0": audit.Number("-0"), "1.50": audit.Number("1.50"), "9" * 5000: audit.Number("9" * 5000), "1E+2": audit.Number("1E+2"),
}  # fmt: skip
ILL = {
    "J2": ['"\ud800"', '\ud83d\ude00', '{"a\udfff":1}'],
    "J3": [
        "", " ", "[", "{", "[1", '{"a"', '{"a":', '{"a":1', '{"a":1,', "]", "}", ",", ":", "[,]", "[1,]", '{"a":1,}', "{,}", "[1 2]",
        '{"a" 1}', '{"a"::1}', "{1:2}", '{"a":1 "b":2}', "{]", "[}", '[1}', '{"a":1]', "[] []", "{} ,", "1 1", "nul", "True", "NaN", "-Infinity",
        "[Infinity]", "// c\n[]", "[] /* c */", "'a'", "\ufeff[]", "[]\ufeff", "\u00a0[]", "\x0c[]", "```json\n[]\n```", "01", "+1", ".5", "1.", "1e", "- 1",
        "0x10", "\u0661", "[1\u0661]", "[]\0", "truefalse", '"a" "b"', "{}{}", "[[]", '{"a":[}', "{:1}", '["a":1]', "\x1f1", "\x0b[]", "\u2028[]", '{"a":}', "[:]", '{"a",}',
    ],
    "J4": ['"', '"a', '"\n"', '"\t"', '"\x00"', '"\x1f"', '"\\\'"', '"\\\n"', '"\\x41"', '"\\u12"', '"\\u1_23"', '"\\u+123"', '"\\u 123"', '"\\U0041"', '"\\u004\u0661"', '"\\', '"\\u00e9', '["\\a"]'],
    "J5": ['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '[{"b":{},"a":0,"b":{}}]', f'{{"{PAIR}":1,"\U0001f600":2}}'],
    "J6": ['"\\ud800"', '"\\udc00"', '"\\ude00\\ud83d"', '{"\\ud800":1}', '"\\ud83dx\\ude00"', '"\\ud83d\\ud83d\\ude00"', '"\\ud83d\U0001f600"'],
}  # fmt: skip


@pytest.mark.parametrize("text", WELL, ids=lambda text: ascii(text[:30]))
def test_well_formed_json(text: str) -> None:
    assert audit.parse_json(text) == WELL[text]
    assert type(audit.parse_json(text)) is type(WELL[text])


@pytest.mark.parametrize(
    ("clause", "text"),
    [(clause, text) for clause in ILL for text in ILL[clause]],
    ids=lambda text: ascii(text[:30]),
)
def test_ill_formed_json(clause: str, text: str) -> None:
    with pytest.raises(audit.NotJson, match=rf"line \d+, column \d+: .* \({clause}\)$"):
        audit.parse_json(text)


def test_depth_is_judged_like_other_text() -> None:
    for text in ("[" * 4096 + "]" * 4096, '{"a":' * 1300 + "1" + "}" * 1300, "[" * 200_000 + "]" * 200_000):
        value = audit.parse_json(text)
        while value and value != 1:
            value = value[0] if isinstance(value, list) else value["a"]
    with pytest.raises(audit.NotJson, match="J3"):
        audit.parse_json("[" * 200_000)
    assert audit.parse_json("[" * 16 + "]" * 16, 16)
    with pytest.raises(audit.NotJson, match="nesting deeper than 16"):
        audit.parse_json("[" * 17 + "]" * 17, 16)


def test_where_json_is_wrong() -> None:
    with pytest.raises(audit.NotJson, match=r"^line 3, column 2: '}' is out of place "):
        audit.parse_json('{\n "a":\n }')
    assert str(audit.Number("1.0")) == "1.0"


# Candidates, by C, O and their limits.

REGISTRY = {"documents": [
    {"id": "d", "service": "s", "environment": "e", "revision": "r", "facts": {"f": "v", "a" * 2048: "v"}, "text": "f=v\nf=v2\n\U0001f600"},
]}  # fmt: skip
REQUEST: dict[str, Any] = {
    "service": "s",
    "environment": "e",
    "revision": "r",
    "fields": ["f"],
    "supplied": ["d"],
}
FACTS = {"facts": [
    {"id": "i", "order_id": "o", "field": "f", "revision": None, "value": "v", "text": "v"},
    {"id": "", "order_id": "o", "field": "g", "revision": None, "value": "w", "text": "w"},
]}  # fmt: skip
ASKED: dict[str, Any] = {"order_id": "o", "field": "f", "revision": None, "supplied": ["i", ""]}
ONE = {"field": "f", "value": "v", "doc": "d", "quote": "f=v"}
SAID: dict[str, Any] = {"status": "answered", "order_id": "o", "answer": "v", "evidence": ["i"]}


def config(*claims: Any, **members: Any) -> str:
    return json.dumps({"claims": list(claims), **members}, ensure_ascii=False)


def answer(**members: Any) -> str:
    return json.dumps({**SAID, **members}, ensure_ascii=False)


def status(candidate: str) -> tuple[str, int | None]:
    verdict = audit.judge("config-claims", REGISTRY, REQUEST, candidate)
    return verdict["status"], verdict["claim"]


def order_status(candidate: str) -> str:
    said: str = audit.judge("order-status", FACTS, ASKED, candidate)["status"]
    return said


BAD, NONE = "INVALID_JSON", "NO_CITATION"
CANDIDATES: dict[str, tuple[str, str, int | None]] = {
    "accepted": (config(ONE), "ACCEPT", None),
    "members in another order": (config(dict(reversed(ONE.items()))), "ACCEPT", None),
    "8191 units": (config(ONE).ljust(8191), "ACCEPT", None),
    "8192 units": (config(ONE).ljust(8192), "ACCEPT", None),
    "8193 units": (config(ONE).ljust(8193), BAD, None),
    "8192 units with an astral character": (config({**ONE, "value": "\U0001f600"}).ljust(8191), "VALUE_MISMATCH", 0),
    "8193 units in 8192 characters": (config({**ONE, "value": "\U0001f600"}).ljust(8192), BAD, None),
    "8193 units that are no JSON": ("[" * 8193, BAD, None),
    "8 claims": (config(*[ONE] * 8), "DUPLICATE_CLAIM", 1),
    "9 claims": (config(*[ONE] * 9), BAD, None),
    "no claim": (config(), NONE, None),
    "a field of 2048 units": (config({**ONE, "field": "a" * 2048}), "UNREQUESTED_FIELD", 0),
    "a field of 2049 units": (config({**ONE, "field": "a" * 2049}), BAD, None),
    "a field of 1024 emoji": (config({**ONE, "field": "\U0001f600" * 1024}), "UNREQUESTED_FIELD", 0),
    "a field of 1025 emoji": (config({**ONE, "field": "\U0001f600" * 1025}), BAD, None),
    "a quote of 2047 units": (config({**ONE, "quote": "q" * 2047}), NONE, 0),
    "a field of 1300 escapes": (config({**ONE, "field": "F"}).replace("F", "\\u0041" * 1300), "UNREQUESTED_FIELD", 0),
    "an empty field": (config({**ONE, "field": ""}), BAD, None),
    "an empty quote": (config({**ONE, "quote": ""}), BAD, None),
    "an empty value": (config({**ONE, "value": ""}), BAD, None),
    "an empty doc": (config({**ONE, "doc": ""}), BAD, None),
    "a member too few": (config({name: ONE[name] for name in ("field", "value", "doc")}), BAD, None),
    "a member too many": (config({**ONE, "note": "n"}), BAD, None),
    "a member in another case": (config({"field": "f", "value": "v", "doc": "d", "Quote": "f=v"}), BAD, None),
    "beside claims": (config(ONE, note="n"), BAD, None),
    "a list": ("[]", BAD, None),
    "no member": ("{}", BAD, None),
    "claims null": ('{"claims":null}', BAD, None),
    "claims an object": ('{"claims":{}}', BAD, None),
    "a claim null": (config(None), BAD, None),
    "a claim a string": (config("field"), BAD, None),
    "a quote null": (config({**ONE, "quote": None}), BAD, None),
    "a value true": (config({**ONE, "value": True}), BAD, None),
    "a value 5000": (config({**ONE, "value": 5000}), BAD, None),
    "a value 5e3": (config({**ONE, "value": "@"}).replace('"@"', "5e3"), BAD, None),
    "a value 1e999": (config({**ONE, "value": "@"}).replace('"@"', "1e999"), BAD, None),
    "a value of 5000 digits": (config({**ONE, "value": "@"}).replace('"@"', "9" * 5000), BAD, None),
    "a value in a list": (config({**ONE, "value": ["v"]}), BAD, None),
    "NaN": (config({**ONE, "value": "@"}).replace('"@"', "NaN"), BAD, None),
    "a value twice": (config(ONE).replace('"value"', '"value":"x","value"'), BAD, None),
    "claims twice": (config(ONE).replace('"claims"', '"claims":[],"claims"'), BAD, None),
    "a surrogate": (config({**ONE, "quote": "@"}).replace("@", "\\ud800"), BAD, None),
    "4096 brackets": ("[" * 4096 + "]" * 4096, BAD, None),
    "1300 objects": ('{"a":' * 1300 + "1" + "}" * 1300, BAD, None),
    "a BOM": ("\ufeff" + config(ONE), BAD, None),
    "a fence": ("```json\n" + config(ONE) + "\n```", BAD, None),
    "a second value": (config(ONE) + config(), BAD, None),
    "another document": (config({**ONE, "doc": "D"}), NONE, 0),
    "a quote of a space": (config({**ONE, "quote": " "}), NONE, 0),
    "a quote of a letter": (config({**ONE, "quote": "f"}), "QUOTE_NOT_SUPPORTING", 0),
    "a quote of =": (config({**ONE, "quote": "="}), "QUOTE_NOT_SUPPORTING", 0),
    "a quote of a line feed": (config({**ONE, "quote": "\n"}), "QUOTE_NOT_SUPPORTING", 0),
    "a quote that goes on": (config({**ONE, "quote": "f=v\n"}), "QUOTE_NOT_SUPPORTING", 0),
    "a quote with a no-break space": (config({**ONE, "quote": "f=v\u00a0"}), NONE, 0),
    "a longer value": (config({**ONE, "value": "v2", "quote": "f=v2"}), "VALUE_MISMATCH", 0),
    "the first claim before the first rule": (config({**ONE, "value": "x"}, ONE), "VALUE_MISMATCH", 0),
    "the baseline before the contract": (config({**ONE, "value": "x"}, {**ONE, "doc": "D"}), NONE, 1),
    "incomplete comes last": (config({**ONE, "field": "g"}), "UNREQUESTED_FIELD", 0),
}  # fmt: skip


@pytest.mark.parametrize("name", CANDIDATES)
def test_a_candidate_of_config_claims(name: str) -> None:
    candidate, *expected = CANDIDATES[name]
    assert status(candidate) == tuple(expected)


ORDERS: dict[str, tuple[str, str]] = {
    "accepted": (answer(), "ACCEPT"),
    "8 ids": (answer(evidence=["i"] * 8), "REPEATED_EVIDENCE"),
    "9 ids": (answer(evidence=["i"] * 9), BAD),
    "an empty id that is known": (answer(evidence=["i", ""]), "EVIDENCE_OUT_OF_SCOPE"),
    "an empty order": (answer(order_id=""), "ORDER_MISMATCH"),
    "an empty answer": (answer(answer=""), "ANSWER_MISMATCH"),
    "an order of 2048 units": (answer(order_id="o" * 2048), "ORDER_MISMATCH"),
    "an order of 2049 units": (answer(order_id="o" * 2049), BAD),
    "an answer of 1024 emoji": (answer(answer="\U0001f600" * 1024), "ANSWER_MISMATCH"),
    "an answer of 1025 emoji": (answer(answer="\U0001f600" * 1025), BAD),
    "an id of 2048 units": (answer(evidence=["i" * 2048]), "INVENTED_EVIDENCE"),
    "an id of 2049 units": (answer(evidence=["i" * 2049]), BAD),
    "another status": (answer(status="Answered"), BAD),
    "a status of null": (answer(status=None), BAD),
    "a status that is a list": (answer(status=["answered"]), BAD),
    "an order of null": (answer(order_id=None), BAD),
    "an answer of 5": (answer(answer=5), BAD),
    "an answer of true": (answer(answer=True), BAD),
    "evidence of null": (answer(evidence=None), BAD),
    "evidence that is a string": (answer(evidence="i"), BAD),
    "evidence of numbers": (answer(evidence=[1]), BAD),
    "a member too many": (answer(note=""), BAD),
    "a member too few": ('{"status":"unknown","order_id":"o","answer":null}', BAD),
    "a list": ("[]", BAD),
    "a refusal in order": (answer(status="unknown", answer=None, evidence=[]), "NEEDLESS_REFUSAL"),
    "a refusal that guesses": (answer(status="unknown", answer="v", evidence=[]), "MALFORMED_REFUSAL"),
    "a refusal with an empty answer": (answer(status="unknown", answer="", evidence=[]), "MALFORMED_REFUSAL"),
    "the order before the refusal": (answer(status="unknown", order_id="x", answer="v"), "ORDER_MISMATCH"),
    "evidence before the order": (answer(order_id="x", evidence=[]), "NO_EVIDENCE"),
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_candidate_of_order_status(name: str) -> None:
    candidate, expected = ORDERS[name]
    assert order_status(candidate) == expected


@pytest.mark.parametrize("made", [CONFIG, ORDER], ids=["config", "order"])
def test_a_registry_is_taken_apart_once_for_all_its_cases(
    made: Material,
    lab: Path,
    tmp_path: Path,
    audited: Callable[..., Audited],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once for each case would be a square: 10,000 documents with 10,000 cases would take an hour."""
    times: list[Any] = []
    real = audit.by_id
    monkeypatch.setattr(audit, "by_id", lambda registry: times.append(registry) or real(registry))
    prepared = audit.prepared
    monkeypatch.setattr(audit, "prepared", lambda *rest: times.append(rest) or prepared(*rest))
    assert audited(write(run_in(lab, made).sealed(), tmp_path / "run")).code == 0
    suite, _ = audit.read_suite(made.files)
    assert suite is not None
    assert len(times) == 1 + len(suite.requests)


def test_what_is_supplied_and_unknown_to_the_registry_is_not_cited() -> None:
    """A suite cannot hold such a request; the words of C2.2 hold all the same."""
    request = {**REQUEST, "supplied": []}
    assert audit.judge("config-claims", REGISTRY, request, config(ONE))["status"] == NONE


# The files of a suite, by F.

SUITE, REG, CASES = "suite.yaml", "registry.yaml", "cases.yaml"
TITLE = "title: A suite for the auditor's tests"
KEPT: list[tuple[Material, str, str, str]] = [
    (CONFIG, SUITE, TITLE, "# a comment\n\ntitle: 'a tab\there'"),
    (CONFIG, SUITE, TITLE, 'title: "a tab\there, \\u00e9 \\U0001F600 \\t \\x41"'),
    (CONFIG, SUITE, TITLE, "title: |\n  a tab\there: # and no comment\n\n  'n"),
    (CONFIG, SUITE, TITLE, "title: |-\n  x"),
    (CONFIG, SUITE, TITLE, "title: a#b"),
    (CONFIG, SUITE, TITLE, "title: \"x\" # a comment after a quoted scalar"),
    (CONFIG, SUITE, TITLE, "title: # a comment after a colon\n  x"),
    (CONFIG, SUITE, TITLE, "title: | # a comment after the sign of a block\n  x"),
    (CONFIG, SUITE, "groups:\n", "groups:   # why a case exists\n"),
    (CONFIG, CASES, "fields: [limit, mode]", "fields: [limit, # a comment after a comma\n    mode]"),
    (CONFIG, CASES, "supplied: [now, old, dev, bill]}", "supplied: [now, old, dev, bill]} # a comment after a bracket"),
    (CONFIG, SUITE, "groups:\n", "groups:\n  # a comment of its own, why?\n"),
    (CONFIG, SUITE, TITLE, "title: ok"),
    (CONFIG, SUITE, TITLE, "title: 1.2.3"),
    (CONFIG, SUITE, TITLE, "title: 5ms"),
    (CONFIG, SUITE, TITLE, "'title': x"),
    (CONFIG, SUITE, TITLE, "title: \ufeffx"),
    (CONFIG, SUITE, TITLE, f"{TITLE}\npinned_totals: {{cases: 1, strict_json: 999999999999999999, citation_exists: 0, full_contract: 0}}"),
    (CONFIG, REG, "facts: {limit: '9'}, text: limit=9}", "facts: {limit: '9'}, text: \"x\\nlimit=9\"}"),
    (CONFIG, CASES, "supplied: [now, old, dev, bill]", "supplied: []"),
    (ORDER, CASES, "supplied: [old]", "supplied: []"),
    (ORDER, REG, "value: packed, text: It is packed.", "value: packed, text: unpacked"),
    (CONFIG, CASES, "    candidate: '?'\n", "    candidate: ''\n"),
    (CONFIG, CASES, "{full_contract: NO_CITATION}", "{full_contract: pass, strict_json: INVALID_JSON, citation_exists: NO_CITATION}"),
    (ORDER, CASES, "    expected: NEEDLESS_REFUSAL\n", "    expected: NEEDLESS_REFUSAL\n    prediction: {citation_exists: NO_EVIDENCE, strict_json: reject}\n"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "name", "old", "new"),
    KEPT,
    ids=lambda value: ascii(value)[:40] if isinstance(value, str) else "",
)
def test_what_a_suite_may_hold(made: Material, name: str, old: str, new: str) -> None:
    assert made.files[name].count(old.encode()) >= 1
    files = {**made.files, name: made.files[name].replace(old.encode(), new.encode(), 1)}
    suite, faults = audit.read_suite(files)
    assert list(map(str, faults)) == []
    assert suite is not None


def test_values_are_what_yaml_says() -> None:
    text = "a: |\n  x\ty\n\n\nb: \"\\x41\\u00e9\\n\"\nc: 'it''s'\nd: [0, -7, 12, true, false, null, x y, '1', {e: []}]\nf: |+\n  z\n\ng: |-\n  z\n"
    reading = audit.YamlReading("f", text.encode())
    assert reading.faults == []
    assert reading.value == {
        "a": "x\ty\n", "b": "A\u00e9\n", "c": "it's", "d": [0, -7, 12, True, False, None, "x y", "1", {"e": []}], "f": "z\n\n", "g": "z",
    }  # fmt: skip
    assert [type(each) for each in reading.value["d"][:4]] == [int, int, int, bool]
    assert reading.lines[("d", 8, "e")] == 7


YAML_FAULTS: dict[str, tuple[str, str]] = {
    "no document": ("", "1: no document (F1.1)"),
    "comments alone": ("# a\n", "1: no document (F1.1)"),
    "a list": ("- a\n", "1: the document is not a mapping (F1.1)"),
    "a scalar": ("a\n", "1: the document is not a mapping (F1.1)"),
    "a BOM": ("\ufeffa: b\n", "1: a byte order mark (F1.1)"),
    "not YAML": ("a: b\nc: [d\n", "3: not YAML: expected ',' or ']', but got '<stream end>' (F1.1)"),
    "an escape beyond Unicode": ('a: b\nc: "\\U00110000"\n', "2: not YAML: chr() arg not in range(0x110000) (F1.1)"),
    "an escape far beyond Unicode": ('a: "\\UFFFFFFFF"\n', "1: not YAML: "),
    "CR": ("a: b\r\n", "1: the character U+000D (F1.2)"),
    "NEL": ("a: b\nc: d\u0085\n", "2: the character U+0085 (F1.2)"),
    "LS": ("a: 'b\u2028'\n", "1: the character U+2028 (F1.2)"),
    "PS": ("a: |\n  b\u2029\n", "2: the character U+2029 (F1.2)"),
    "NUL": ("a: 'b\0'\n", "1: the character U+0000 (F1.2)"),
    "DEL": ("a: b\x7f\n", "1: the character U+007F (F1.2)"),
    "U+FFFF": ("a: 'b\uffff'\n", "1: the character U+FFFF (F1.2)"),
    "a tab before a value": ("a:\tb\n", "1: not YAML: found character '\\t' that cannot start any token (F1.1)"),
    "a tab in a plain scalar": ("a: b\tc\n", "1: not YAML: found character '\\t' that cannot start any token (F1.1)"),
    "a tab in a comment": ("a: 'x\ty'\n# b\tc\n", "2: a tab outside quotes and | blocks (F1.2)"),
    "a tab in the comment of a block": ("'a': | # b\tc\n  d\n", "1: a tab outside quotes and | blocks (F1.2)"),
    "a tab after an empty block": ("# \t\na: |", "1: a tab outside quotes and | blocks (F1.2)"),
    "an anchor": ("a: &b c\n", "1: a: the anchor &b (F1.3)"),
    "an anchor of a list": ("a: &b [c]\n", "1: a: the anchor &b (F1.3)"),
    "an alias": ("a: b\nc: *b\n", "2: c: the alias *b (F1.3)"),
    "a self-referring anchor": ("a: &b [*b]\n", "1: a: the anchor &b (F1.3)"),
    "a tag": ("a: !!str b\n", "1: a: the tag tag:yaml.org,2002:str (F1.3)"),
    "a bare tag": ("a: ! b\n", "1: a: the tag ! (F1.3)"),
    "a tag of a mapping": ("a: !x {b: c}\n", "1: a: the tag !x (F1.3)"),
    "a merge key": ("a: {<<: {b: c}}\n", "1: a: '<<' is not what it looks like; quote it (F1.3)"),
    "a directive": ("%YAML 1.1\n---\na: b\n", "1: a document marker (F1.3)"),
    "a marker": ("---\na: b\n", "1: a document marker (F1.3)"),
    "an end marker": ("a: b\n...\n", "2: a document marker (F1.3)"),
    "a second document": ("a: b\n---\nc: d\n", "2: a second document (F1.3)"),
    "a second document by an end": ("a: b\n...\nc: d\n", "2: a document marker (F1.3)"),
    "a ? key": ("? a\n: b\n", "1: a key written with ? (F1.3)"),
    "a later ? key": ("a:\n  b: c\n# d\n? d\n: e\n", "4: a key written with ? (F1.3)"),
    "a ? key in a flow": ("a: {? b : c}\n", "1: a: a key written with ? (F1.3)"),
    "a ? key in a list": ("a: [? b : c]\n", "1: a[0]: a key written with ? (F1.3)"),
    "a key twice": ("a: b\nc: d\na: e\n", "3: the key 'a' is repeated (F1.4)"),
    "a key twice in a list": ("a:\n  - b: c\n    'b': d\n", "3: a[0]: the key 'b' is repeated (F1.4)"),
    "a key that is a number": ("a: {5: b}\n", "1: a: the key 5 is not a string (F1.4)"),
    "a key that is null": ("null: b\n", "1: the key null is not a string (F1.4)"),
    "a key that is a list": ("[a]: b\n", "1: a key that is not a string (F1.4)"),
    "a key on": ("on: b\n", "1: 'on' is not what it looks like; quote it (F1.6)"),
    "a folded scalar": ("a: >\n  b\n", "1: a: a folded (>) scalar (F1.5)"),
    "a plain scalar of two lines": ("a: b\n  c\n", "1: a: a scalar over more than one line (F1.5)"),
    "a quoted scalar of two lines": ("a: 'b\n  c'\n", "1: a: a scalar over more than one line (F1.5)"),
    "an escaped line break": ('a: "b\\\n  c"\n', "1: a: a scalar over more than one line (F1.5)"),
    "a comment that cuts": ("a: b # c\n", "1: a: a comment after a plain scalar; give it a line of its own (F1.5)"),
    "a comment after a number": ("a: 5 # b\n", "1: a: a comment after a plain scalar; give it a line of its own (F1.5)"),
    "a comment after a list item": ("a:\n  - b # c\n", "2: a[0]: a comment after a plain scalar; give it a line of its own (F1.5)"),
    "a comment before a comma": ("a: [b # c\n  , d]\n", "1: a[0]: a comment after a plain scalar; give it a line of its own (F1.5)"),
    "a comment before a bracket": ("a: {b: c # d\n  }\n", "1: a.b: a comment after a plain scalar; give it a line of its own (F1.5)"),
    "a ? before a block": ("a: b\n? |\n  c\n: d\n", "2: a key written with ? (F1.3)"),
    "a surrogate": ('a: "\\ud800"\n', "1: a: a string holds a surrogate (F1.7)"),
    "a pair of surrogates": ('a: "\\ud83d\\ude00"\n', "1: a: a string holds a surrogate (F1.7)"),
    "nine deep": ("a: [[[[[[[[b]]]]]]]]\n", "1: a[0][0][0][0][0][0][0]: collections nest more than 8 deep (F1.8)"),
    "very deep": ("a: " + "[" * 5000 + "\n", "1: a[0][0][0][0][0][0][0]: collections nest more than 8 deep (F1.8)"),
    "nine aliases": ("a: &a [x]\nb: [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n", "1: a: the anchor &a (F1.3)"),
    "a list that begins with ?": ("a: [b, ? c]\n", "1: a[1]: a key written with ? (F1.3)"),
}  # fmt: skip


@pytest.mark.parametrize("name", YAML_FAULTS)
def test_what_yaml_may_not_hold(name: str) -> None:
    text, expected = YAML_FAULTS[name]
    reading = audit.YamlReading("f.yaml", text.encode("utf-8"))
    assert str(reading.faults[0]).startswith("inputs/f.yaml:" + expected)
    assert audit.read_suite({**CONFIG.files, "cases.yaml": text.encode("utf-8")})[0] is None


def test_eight_deep_is_in() -> None:
    assert audit.YamlReading("f", b"a: [[[[[[[b]]]]]]]\n").faults == []


def test_yaml_that_is_not_utf8_and_yaml_too_large() -> None:
    assert (
        str(audit.YamlReading("f", b"a: b\nc: \xff\n").faults[0]) == "inputs/f:2: not UTF-8 at byte 8 (F1.1)"
    )
    assert (
        str(audit.YamlReading("f", b" " * (64 * 2**20 + 1)).faults[0])
        == "inputs/f:1: 67108865 bytes, more than 67108864 (F1.1)"
    )


OTHERS = """NO no No Yes YES y Y n N on ON Off True TRUE False FALSE ~ Null NULL 010 0755 0x1F 0b10 1_000 +1 -0 00 1.10 1. .5 -.5 +1.5e+3
12:30 12:30:00 190:20:30.15 1:2.5 .inf -.Inf .NaN 2026-01-02 2026-01-02T03:04:05Z = 1234567890123456789 12_34 6.8523015e+5 0o""".split()[
    :-1
]


@pytest.mark.parametrize("text", [*OTHERS, "2026-1-2 3:04:05.6 -07:00", ""])
def test_a_plain_scalar_that_is_not_what_it_looks_like(text: str) -> None:
    reading = audit.YamlReading("f", f"a: {text}\n".encode())
    assert [str(fault) for fault in reading.faults] == [
        f"inputs/f:1: a: {text!r} is not what it looks like; quote it (F1.6)"
    ]


def test_what_pyyaml_would_turn_into_something_else_is_refused() -> None:
    """Hold the table of types against PyYAML's own, over short texts of the characters that matter."""
    import itertools

    import yaml

    resolve = yaml.resolver.Resolver().resolve
    for length in (1, 2, 3, 4):
        for letters in itertools.product("0179.:-+_eExb~", repeat=length):
            text = "".join(letters)
            plain = resolve(yaml.ScalarNode, text, (True, False)) == "tag:yaml.org,2002:str"
            if not plain:
                assert audit.OTHER_TYPES.fullmatch(text), text


FAULTS: list[tuple[Material, str, str, str, str]] = [
    (CONFIG, SUITE, TITLE, f"{TITLE}\nauthor: x", "suite.yaml:4: author: no such member here (F2.1)"),
    (CONFIG, SUITE, TITLE + "\n", "", "suite.yaml:1: the member 'title' is missing (F2.1)"),
    (CONFIG, SUITE, "suite: small-config", "suite: Small", "suite.yaml:1: suite: 'Small', not a string like [a-z0-9-]+ (F2.2)"),
    (CONFIG, SUITE, "suite: small-config", 'suite: "a\\n"', "suite: 'a\\n', not a string like [a-z0-9-]+ (F2.2)"),
    (CONFIG, SUITE, "contract: config-claims", "contract: config", "suite.yaml:2: contract: 'config' is not a contract (F2.2)"),
    (CONFIG, SUITE, "contract: config-claims", "contract: [x]", "suite.yaml:2: contract: a list of 1 is not a contract (F2.2)"),
    (CONFIG, SUITE, TITLE, "title: ''", "suite.yaml:3: title: '', not a string that is not empty (F2.2)"),
    (CONFIG, SUITE, TITLE, "title: 5", "suite.yaml:3: title: 5, not a string that is not empty (F2.2)"),
    (CONFIG, SUITE, TITLE, f"{TITLE}\npinned_totals: {{cases: 1, strict_json: 1, citation_exists: 0}}", "suite.yaml:4: pinned_totals: the member 'full_contract' is missing (F2.3)"),
    (CONFIG, SUITE, TITLE, f"{TITLE}\npinned_totals: {{cases: -1, strict_json: 1, citation_exists: 0, full_contract: 0}}", "pinned_totals.cases: -1, not a count (F2.3)"),
    (CONFIG, SUITE, TITLE, f"{TITLE}\npinned_totals: {{cases: true, strict_json: 1, citation_exists: 0, full_contract: 0}}", "pinned_totals.cases: true, not a count (F2.3)"),
    (CONFIG, SUITE, TITLE, f"{TITLE}\npinned_totals: null", "pinned_totals: null, not a mapping that holds something (F2.3)"),
    (CONFIG, SUITE, "  all: {description: Every case., effect: A wrong answer is shown.}", "  {}", "suite.yaml:5: groups: a mapping of 0, not a mapping that holds something (F2.4)"),
    (CONFIG, SUITE, "groups:\n  all: {description: Every case., effect: A wrong answer is shown.}", "groups: 5", "groups: 5, not a mapping that holds something (F2.4)"),
    (CONFIG, SUITE, "  all:", "  All:", "suite.yaml:5: groups.All: 'All', not a string like [a-z0-9-]+ (F2.4)"),
    (CONFIG, SUITE, "description: Every case.", "description: ''", "groups.all.description: '', not a string that is not empty (F2.4)"),
    (CONFIG, SUITE, "description: Every case., ", "", "groups.all: the member 'description' is missing (F2.4)"),
    (CONFIG, SUITE, "description: Every case.,", "description: x, more: z,", "groups.all.more: no such member here (F2.4)"),
    (CONFIG, REG, "documents:\n", "more: x\ndocuments:\n", "registry.yaml:1: more: no such member here (F3.1)"),
    (ORDER, SUITE, "contract: order-status", "contract: config-claims", "registry.yaml:1: the member 'documents' is missing (F3.1)"),
    (CONFIG, REG, "    service: pay\n", "", "registry.yaml:2: documents[0]: the member 'service' is missing (F3.1)"),
    (CONFIG, REG, "    service: pay\n", "    service: pay\n    note: x\n", "documents[0].note: no such member here (F3.1)"),
    (CONFIG, REG, "- {id: old, service: pay, environment: prod, revision: v1, facts: {limit: '9'}, text: limit=9}", "- x", "documents[1]: 'x', not a mapping that holds something (F3.1)"),
    (CONFIG, REG, "revision: v2\n", "revision: null\n", "documents[0].revision: null, not a string that is not empty (F3.2)"),
    (CONFIG, REG, "revision: v2\n", "revision: 2\n", "registry.yaml:5: documents[0].revision: 2, not a string that is not empty (F3.2)"),
    (CONFIG, REG, "id: old", "id: now", "registry.yaml:11: documents[1].id: 'now' is already at documents[0] (F3.2)"),
    (CONFIG, REG, "id: old", "id: [old]", "documents[1].id: a list of 1, not a string that is not empty (F3.2)"),
    (CONFIG, REG, "mode: fast}", "mode: true}", "registry.yaml:6: documents[0].facts.mode: true, not a string that is not empty (F3.3)"),
    (CONFIG, REG, "mode: fast}", 'mode: "fa\\nst"}', "documents[0].facts.mode: 'fa\\nst' holds a line break (F3.3)"),
    (CONFIG, REG, "{limit: '10', mode: fast}", "{}", "documents[0].facts: a mapping of 0, not a mapping that holds something (F3.3)"),
    (CONFIG, REG, "mode: fast}", "Mode: fast}", "documents[0].facts.Mode: 'Mode', not a string like [a-z][a-z0-9_]* (F3.3)"),
    (CONFIG, REG, "      mode=fast\n", "      mode=fast \n", "registry.yaml:6: documents[0].facts.mode: 'mode=fast' is no line of text (F3.4)"),
    (CONFIG, REG, "text: limit=9}", 'text: "a limit=9"}', "'limit=9' is no line of text (F3.4)"),
    (CONFIG, REG, "text: limit=9}", 'text: "a\\u2028limit=9"}', "'limit=9' is no line of text (F3.4)"),
    (CONFIG, REG, "text: limit=9}", "text: 9}", "documents[1].text: 9, not a string that is not empty (F3.2)"),
    (ORDER, REG, "facts:\n", "facts: []\nmore:\n", "registry.yaml:1: facts: a list of 0, not a list of at least 1 (F4.1)"),
    (ORDER, REG, "revision: r1, ", "", "facts[2]: the member 'revision' is missing (F4.1)"),
    (ORDER, REG, "  - {id: silent, order_id: A-1, field: status, revision: r2, value: null, text: Nothing is known.}", "  - 5", "facts[3]: 5, not a mapping that holds something (F4.1)"),
    (ORDER, REG, "revision: r1", "revision: ''", "facts[2].revision: '', not a string that is not empty (F4.2)"),
    (ORDER, REG, "revision: r1", "revision: 1", "facts[2].revision: 1, not a string that is not empty (F4.2)"),
    (ORDER, REG, "value: packed", "value: ''", "facts[2].value: '', not a string that is not empty (F4.2)"),
    (ORDER, REG, "value: packed", "value: false", "facts[2].value: false, not a string that is not empty (F4.2)"),
    (ORDER, REG, "value: packed", 'value: "a\\rb"', "facts[2].value: 'a\\rb' holds a line break (F4.2)"),
    (ORDER, REG, "field: carrier", "field: Carrier", "facts[4].field: 'Carrier', not a string like [a-z][a-z0-9_]* (F4.2)"),
    (ORDER, REG, "id: old,", "id: now,", "facts[2].id: 'now' is already at facts[0] (F4.2)"),
    (ORDER, REG, "order_id: B-2", "order_id: null", "facts[5].order_id: null, not a string that is not empty (F4.2)"),
    (ORDER, REG, "text: Our fleet.", "text: Ours.", "registry.yaml:6: facts[4].value: 'fleet' does not occur in the fact's text (F4.3)"),
    (ORDER, REG, "text: Our fleet.", "text: null", "facts[4].text: null, not a string that is not empty (F4.2)"),
    (CONFIG, CASES, "requests:\n", "more: x\nrequests:\n", "cases.yaml:1: more: no such member here (F5.1)"),
    (CONFIG, CASES, "cases:\n", "cases: []\nmore:\n", "cases: a list of 0, not a list of at least 1 (F5.1)"),
    (CONFIG, CASES, "requests:\n", "requests: {}\nmore:\n", "requests: a mapping of 0, not a mapping that holds something (F5.1)"),
    (CONFIG, CASES, "  both:\n", "  Both:\n", "requests.Both: 'Both', not a string like [a-z0-9-]+ (F5.2)"),
    (CONFIG, CASES, "{service: pay, ", "{", "requests.both: the member 'service' is missing (F5.3)"),
    (CONFIG, CASES, "revision: v2, fields", "revision: null, fields", "requests.both.revision: null, not a string that is not empty (F5.3)"),
    (CONFIG, CASES, "fields: [limit, mode]", "fields: []", "requests.both.fields: a list of 0, not a list of at least 1 (F5.3)"),
    (CONFIG, CASES, "fields: [limit, mode]", "fields: [limit, pace]", "requests.both.fields[1]: 'pace' is not a field of the registry (F5.3)"),
    (CONFIG, CASES, "fields: [limit, mode]", "fields: [limit, limit]", "requests.both.fields[1]: 'limit' is already at requests.both.fields[0] (F5.3)"),
    (CONFIG, CASES, "fields: [limit, mode]", "fields: [limit, {a: b}]", "requests.both.fields[1]: a mapping of 1 is not a field of the registry (F5.3)"),
    (CONFIG, CASES, "supplied: [now, old, dev, bill]", "supplied: [now, new]", "requests.both.supplied[1]: 'new' is not an id of the registry (F5.3)"),
    (CONFIG, CASES, "supplied: [now, old, dev, bill]", "supplied: [now, now]", "'now' is already at requests.both.supplied[0] (F5.3)"),
    (CONFIG, CASES, "supplied: [now, old, dev, bill]", "supplied: now", "requests.both.supplied: 'now', not a list of at least 0 (F5.3)"),
    (ORDER, CASES, "revision: r2\n    supplied", "revision: ''\n    supplied", "requests.settled.revision: '', not a string that is not empty (F5.4)"),
    (ORDER, CASES, "    field: status\n", "    field: Status\n", "requests.settled.field: 'Status', not a string like [a-z][a-z0-9_]* (F5.4)"),
    (ORDER, CASES, "    field: status\n", "", "requests.settled: the member 'field' is missing (F5.4)"),
    (ORDER, CASES, "order_id: A-1\n", "order_id: 5\n", "requests.settled.order_id: 5, not a string that is not empty (F5.4)"),
    (ORDER, CASES, "supplied: [old]", "supplied: [old, older]", "requests.any.supplied[1]: 'older' is not an id of the registry (F5.4)"),
    (CONFIG, CASES, "    group: all\n", "", "cases[0]: the member 'group' is missing (F5.5)"),
    (CONFIG, CASES, "    group: all\n", "    group: all\n    Group: all\n", "cases[0].Group: no such member here (F5.5)"),
    (CONFIG, CASES, "cases:\n", "cases:\n  - x\n", "cases[0]: 'x', not a mapping that holds something (F5.5)"),
    (CONFIG, CASES, "id: reversed", "id: accepted", "cases[1].id: 'accepted' is already at cases[0] (F5.6)"),
    (CONFIG, CASES, "id: reversed", "id: 'c1 '", "cases[1].id: 'c1 ', not a string like [a-z0-9-]+ (F5.6)"),
    (CONFIG, CASES, "id: reversed", "id: 7", "cases[1].id: 7, not a string like [a-z0-9-]+ (F5.6)"),
    (CONFIG, CASES, "  - id: reversed\n    group", "  - group", "cases[1]: the member 'id' is missing (F5.5)"),
    (CONFIG, CASES, "group: all", "group: none", "cases[0].group: 'none' is not a group of suite.yaml (F5.6)"),
    (CONFIG, CASES, "note: Why this case exists.", "note: ''", "cases[0].note: '', not a string that is not empty (F5.6)"),
    (CONFIG, CASES, "request: both", "request: none", "cases[0].request: 'none' is not a request (F5.6)"),
    (CONFIG, CASES, "candidate: '?'", "candidate: {claims: []}", "cases[17].candidate: a mapping of 1, not a string (F5.6)"),
    (CONFIG, CASES, "expected: ACCEPT", "expected: ACCPET", "cases[0].expected: 'ACCPET' is not a status of the contract (F5.6)"),
    (CONFIG, CASES, "expected: ACCEPT", "expected: ORDER_MISMATCH", "cases[0].expected: 'ORDER_MISMATCH' is not a status of the contract (F5.6)"),
    (CONFIG, CASES, "    expected: ACCEPT\n", "", "cases[0]: the member 'expected' is missing (F5.5)"),
    (CONFIG, CASES, "    pair: accepted\n", "", "cases[2]: a reject needs a pair (F5.7)"),
    (CONFIG, CASES, "    pair: accepted\n", "    pair: no-claim\n", "cases[2].pair: 'no-claim' is not the id of a case whose label is ACCEPT (F5.7)"),
    (CONFIG, CASES, "expected: ACCEPT\n", "expected: ACCEPT\n    pair: reversed\n", "cases[0]: an accept has no pair (F5.7)"),
    (CONFIG, CASES, "{full_contract: NO_CITATION}", "{}", "cases[17].prediction: a mapping of 0, not a mapping that holds something (F5.8)"),
    (CONFIG, CASES, "{full_contract: NO_CITATION}", "{strict: pass}", "cases[17].prediction.strict: no such member here (F5.8)"),
    (CONFIG, CASES, "{full_contract: NO_CITATION}", "{full_contract: ACCEPT}", "cases[17].prediction.full_contract: 'ACCEPT' is not a prediction for full_contract (F5.8)"),
    (CONFIG, CASES, "{full_contract: NO_CITATION}", "{strict_json: NO_CITATION}", "'NO_CITATION' is not a prediction for strict_json (F5.8)"),
    (CONFIG, CASES, "{full_contract: NO_CITATION}", "{citation_exists: INCOMPLETE}", "'INCOMPLETE' is not a prediction for citation_exists (F5.8)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "name", "old", "new", "words"),
    FAULTS,
    ids=lambda value: value[-40:] if isinstance(value, str) else "",
)
def test_a_fault_of_a_suite(made: Material, name: str, old: str, new: str, words: str) -> None:
    assert old.encode() in made.files[name]
    suite, faults = audit.read_suite(
        {**made.files, name: made.files[name].replace(old.encode(), new.encode(), 1)}
    )
    assert suite is None
    assert any(words in str(fault) for fault in faults), list(map(str, faults))


#: A suite, its file, what is edited -> all that is wrong then.
WHOLE_FAULTS: dict[str, tuple[Material, str, dict[str, str], list[str]]] = {
    "a number where a list belongs": (
        CONFIG,
        CASES,
        {"fields: [limit, mode]": "fields: 5"},
        ["requests.both.fields: 5, not a list of at least 1 (F5.3)"],
    ),
    "two cases without an id": (
        CONFIG,
        CASES,
        {"- id: reversed\n    group": "- group", "- id: not-json\n    group": "- group"},
        ["cases[1]: the member 'id' is missing (F5.5)", "cases[2]: the member 'id' is missing (F5.5)"],
    ),
    "a case that is a number": (
        CONFIG,
        CASES,
        {"cases:\n": "cases:\n  - 5\n"},
        ["cases[0]: 5, not a mapping that holds something (F5.5)"],
    ),
    "a case without label and pair": (
        CONFIG,
        CASES,
        {"    expected: INVALID_JSON\n    pair: accepted\n": ""},
        ["cases[2]: the member 'expected' is missing (F5.5)"],
    ),
    "a document without its text": (
        CONFIG,
        REG,
        {", facts: {limit: '9'}, text: limit=9}": ", facts: {limit: '9'}}"},
        ["documents[1]: the member 'text' is missing (F3.1)"],
    ),
    "a fact of a document that is null": (
        CONFIG,
        REG,
        {"{limit: '9'}": "{limit: null}"},
        ["documents[1].facts.limit: null, not a string that is not empty (F3.3)"],
    ),
    "a fact without its text": (
        ORDER,
        REG,
        {"value: shipped, text: It shipped.}": "value: shipped}"},
        ["facts[0]: the member 'text' is missing (F4.1)"],
    ),
}


@pytest.mark.parametrize("name", WHOLE_FAULTS)
def test_what_is_wrong_is_said_once(name: str) -> None:
    made, file, edits, said = WHOLE_FAULTS[name]
    text = made.files[file].decode()
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new, 1)
    _, faults = audit.read_suite({**made.files, file: text.encode()})
    assert [str(fault).partition(": ")[2] for fault in faults] == said


def test_all_faults_of_all_files_are_reported() -> None:
    files = {
        name: data.replace(b"note: Why", b"note: &a Why").replace(b"title:", b"title: &b")
        for name, data in CONFIG.files.items()
    }
    _, faults = audit.read_suite(files)
    assert len([fault for fault in faults if fault.file == "cases.yaml"]) == len(CONFIG.rows)
    assert [fault.clause for fault in faults if fault.file == "suite.yaml"] == ["F1.3"]


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        (CASES, "requests:\n", "requests:\n  idle: {service: a, environment: b, revision: c, fields: [limit], supplied: []}\n", "requests.idle: no case uses it (F5.2)"),
        (CASES, "    expected: ACCEPT\n", "    expected: ACCEPT\n    prediction: {strict_json: pass}\n", "cases[0]: a frozen suite makes no predictions (F5.8)"),
        (SUITE, "groups:\n  all: {description: Every case., effect: A wrong answer is shown.}\n", "groups: 5\n", "groups: 5, not a mapping"),
        (CASES, "cases:\n", "cases: {}\nmore:\n", "cases: a mapping of 0, not a list of at least 1 (F5.1)"),
    ],
)  # fmt: skip
def test_a_fault_of_a_frozen_suite(name: str, old: str, new: str, words: str) -> None:
    files = {**FROZEN.files, name: FROZEN.files[name].replace(old.encode(), new.encode(), 1)}
    _, faults = audit.read_suite(files, frozen=True)
    assert any(words in str(fault) for fault in faults), list(map(str, faults))


NAMES = ["beta", "delta", "eta", "gamma", "iota", "theta", "zeta"]


@pytest.mark.parametrize(
    ("file", "holder", "idle"),
    [
        (SUITE, "groups", "{description: a, effect: b}"),
        (CASES, "requests", "{service: a, environment: b, revision: c, fields: [limit], supplied: []}"),
    ],
)
def test_what_no_case_uses_is_named_in_order(file: str, holder: str, idle: str) -> None:
    more = "".join(f"  {name}: {idle}\n" for name in reversed(NAMES))
    data = FROZEN.files[file].replace(f"{holder}:\n".encode(), f"{holder}:\n{more}".encode())
    _, faults = audit.read_suite({**FROZEN.files, file: data}, frozen=True)
    assert [fault.path for fault in faults] == [f"{holder}.{name}" for name in NAMES]


# Sources, and git.


def git(folder: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment.update(
        GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b.invalid",
        GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@b.invalid",
    )  # fmt: skip
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], check=True, capture_output=True, env=environment
    )
    return done.stdout.decode().strip()


def commit(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "state")
    return git(folder, "rev-parse", "HEAD")


class Repository:
    """A checkout with a commit, a run of that commit, and the means to move on."""

    def __init__(self, folder: Path) -> None:
        self.root = make_checkout(folder / "checkout with spaces")
        git(self.root, "init", "-q")
        self.commit = commit(self.root)
        self.run = run_of(CONFIG, self.root)
        self.run.manifest["git"] = {"commit": self.commit, "dirty": False}
        self.path = folder / "run"

    def written(self) -> Path:
        return write(self.run.sealed(), self.path)

    def move_on(self) -> None:
        (self.root / "run.py").write_text("# another\n")
        (self.root / "src/grounded_claims/more.py").write_text("")
        commit(self.root)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    audit.commit_sources.cache_clear()
    audit.standing.cache_clear()
    return Repository(tmp_path)


def a52(said: Audited) -> tuple[int, str, str]:
    return said.code, said.checks["A5.2"]["state"], said.checks["A5.2"]["said"]


def test_sources_of_this_checkout(repository: Repository, audited: Callable[..., Audited]) -> None:
    said = audited(repository.written(), root=repository.root)
    assert a52(said) == (0, "ok", "8 of 8 files equal to this checkout")
    assert said.one["sources_compared_with"] == "this checkout"


def test_sources_of_a_commit(repository: Repository, audited: Callable[..., Audited]) -> None:
    repository.move_on()
    said = audited(repository.written(), root=repository.root)
    assert a52(said) == (0, "ok", f"equal to commit {repository.commit}; this checkout has moved on")
    assert said.one["sources_compared_with"] == f"commit {repository.commit}"


@pytest.mark.parametrize("here", [True, False])
def test_equal_sources_of_a_tree_that_was_dirty(
    here: bool, repository: Repository, audited: Callable[..., Audited]
) -> None:
    repository.run.manifest["git"]["dirty"] = True
    if not here:
        repository.move_on()
    code, state, said = a52(audited(repository.written(), root=repository.root))
    assert (code, state) == (0, "ok")
    assert said.endswith(", and the manifest says that the tree was dirty")


def planted(repository: Repository) -> str:
    """A commit of nobody, with the sources of the run and no parent."""
    return git(repository.root, "commit-tree", "-m", "x", repository.commit + "^{tree}")


def rebased(repository: Repository) -> str:
    git(repository.root, "commit", "-q", "--amend", "-m", "Told otherwise")
    return repository.commit


def beyond_a_shallow_clone(repository: Repository) -> str:
    clone = repository.root.with_name("clone")
    repository.move_on()
    git(repository.root, "clone", "-q", "--depth", "1", repository.root.as_uri(), str(clone))
    git(clone, "fetch", "-q", "--depth", "1", "origin", repository.commit)
    repository.root = clone
    return repository.commit


@pytest.mark.parametrize("make", [planted, rebased, beyond_a_shallow_clone])
def test_sources_of_a_commit_outside_this_history(
    make: Callable[[Repository], str],
    repository: Repository,
    audited: Callable[..., Audited],
    capsys: pytest.CaptureFixture[str],
) -> None:
    commit = repository.run.manifest["git"]["commit"] = make(repository)
    if make is not beyond_a_shallow_clone:
        repository.move_on()
    path = repository.written()
    said = audited(path, root=repository.root)
    where, limit = "is not in the history of this checkout", "outside this history"
    if make is beyond_a_shallow_clone:
        where = "may be outside the history of this checkout: this is a shallow clone"
        limit = "that may be outside this history"
    assert a52(said) == (0, "ok", f"equal to commit {commit}, which {where}")
    last = f"PASS: not a published suite; sources of a commit {limit}"
    assert said.one["verdict"] == last
    assert audit.main([str(path)], str(repository.root)) == 0
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_sources_of_the_commit_that_is_checked_out(
    repository: Repository, audited: Callable[..., Audited]
) -> None:
    (repository.root / "run.py").write_text("# edited, and not committed\n")
    repository.run.manifest["git"]["commit"] = repository.commit
    where = "which is checked out; files of this checkout were changed since"
    said = audited(repository.written(), root=repository.root)
    assert a52(said) == (0, "ok", f"equal to commit {repository.commit}, {where}")


def test_sources_of_a_commit_where_src_is_absent(
    repository: Repository, audited: Callable[..., Audited]
) -> None:
    git(repository.root, "rm", "-qr", "src")
    commit(repository.root)
    assert a52(audited(repository.written(), root=repository.root))[:2] == (0, "ok")


@pytest.mark.parametrize("dirty", [False, True])
def test_sources_of_neither(dirty: bool, repository: Repository, audited: Callable[..., Audited]) -> None:
    repository.run.manifest["sources"]["run.py"] = HEX
    repository.run.manifest["git"]["dirty"] = dirty
    said = audited(repository.written(), root=repository.root)
    tree = ", and the manifest says that the tree was dirty" if dirty else ""
    assert a52(said) == (1, "failed", f"not those of commit {repository.commit}{tree}, nor of this checkout")
    assert said.findings("A5.2")[0].startswith(f"run.py: recorded as {HEX}, that commit has ")


Breaks = Callable[[Repository], None]


def no_repository(repository: Repository) -> None:
    import shutil

    shutil.rmtree(repository.root / ".git")


def shallow(repository: Repository) -> None:
    clone = repository.root.with_name("clone")
    git(repository.root, "clone", "-q", "--depth", "1", repository.root.as_uri(), str(clone))
    repository.root = clone


def foreign_parent(repository: Repository) -> None:
    no_repository(repository)
    git(repository.root.parent, "init", "-q")
    commit(repository.root.parent)


def recorded(value: Any) -> Breaks:
    def breaks(repository: Repository) -> None:
        repository.run.manifest["git"] = value(repository) if callable(value) else value

    return breaks


def lost_blob(repository: Repository) -> None:
    blob = git(repository.root, "rev-parse", repository.commit + ":run.py")
    path = repository.root / ".git/objects" / blob[:2] / blob[2:]
    path.chmod(0o600)
    path.unlink()


def tree_of(repository: Repository) -> dict[str, Any]:
    return {"commit": git(repository.root, "rev-parse", repository.commit + "^{tree}"), "dirty": False}


def tag_of(repository: Repository) -> dict[str, Any]:
    git(repository.root, "tag", "-am", "t", "v1", repository.commit)
    return {"commit": git(repository.root, "rev-parse", "v1"), "dirty": False}


def branch_like_a_commit(repository: Repository) -> dict[str, Any]:
    git(repository.root, "branch", "a" * 64, repository.commit)
    return {"commit": "a" * 64, "dirty": False}


ABSENT = "the recorded commit is not in this repository"
BREAKS: dict[str, tuple[Breaks, str]] = {
    "no repository": (no_repository, "git says"),
    "a shallow clone": (shallow, ""),
    "a foreign parent repository": (foreign_parent, "this checkout is not the top of a repository"),
    "a commit that is not there": (recorded({"commit": "0" * 40, "dirty": False}), ""),
    "a commit of SHA-256": (recorded({"commit": "0" * 64, "dirty": False}), ""),
    "a tree": (recorded(tree_of), ABSENT),
    "a tag": (recorded(tag_of), ABSENT),
    "a branch that looks like a commit": (recorded(branch_like_a_commit), ABSENT),
    "no commit": (recorded({"unavailable": "a zip download"}), "the manifest names no commit"),
    "a lost blob": (lost_blob, "run.py of the recorded commit is not in this repository"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_sources_that_nothing_at_hand_can_be_compared_with(
    name: str, repository: Repository, audited: Callable[..., Audited], capsys: pytest.CaptureFixture[str]
) -> None:
    breaks, words = BREAKS[name]
    repository.move_on()
    breaks(repository)
    path = repository.written()
    said = audited(path, root=repository.root)
    assert a52(said)[:2] == (2, "could not")
    assert words in said.checks["A5.2"]["said"]
    assert said.checks["A5.2"]["said"].startswith(
        "could not be compared: they are not those of this checkout, and "
    )
    assert audit.main([str(path)], str(repository.root)) == 2
    assert (
        capsys.readouterr().out.splitlines()[-1]
        == "could not: not a published suite; sources were not compared"
    )
    said = audited(path, "--without-sources", root=repository.root)
    assert a52(said) == (0, "not applicable", "not compared: --without-sources")
    assert audit.main([str(path), "--without-sources"], str(repository.root)) == 0
    assert (
        capsys.readouterr().out.splitlines()[-1] == "PASS: not a published suite; sources were not compared"
    )


def test_a_commit_id_with_a_line_feed_never_reaches_git(lab: Path) -> None:
    report = audit.Report("x")
    manifest = {"sources": {"run.py": HEX}, "git": {"commit": "0" * 40 + "\n", "dirty": False}}
    options = argparse.Namespace(without_sources=False)
    examination = audit.Examination(report, audit.read_checkout(str(lab)), options)
    examination.manifest = manifest
    examination.sources()
    assert report.checks["A5.2"].said.endswith("and the manifest's commit is no commit id")


def test_git_is_asked_in_nobody_elses_name(
    repository: Repository, tmp_path: Path, audited: Callable[..., Audited], monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIT_DIR elsewhere, replaced objects, hooks and monitors in the configuration: none has a say."""
    repository.move_on()
    head = git(repository.root, "rev-parse", "HEAD")
    git(repository.root, "replace", repository.commit, head)
    marker = tmp_path / "was-run"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{marker}'\n")
    script.chmod(0o755)
    for setting in ("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "diff.external"):
        git(repository.root, "config", setting, str(script))
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, str(other / ".git"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(script))
    assert a52(audited(repository.written(), root=repository.root))[:2] == (0, "ok")
    assert not marker.exists()


def test_the_archive_is_never_a_repository(repository: Repository, audited: Callable[..., Audited]) -> None:
    path = repository.written()
    git(path, "init", "-q")
    said = audited(path, root=repository.root)
    assert (said.code, said.findings("A1.2")) == (
        1,
        ["'.git' is not of R1: it begins or ends with a blank or a dot"][:0] or ["'.git' is not of R1"],
    )


def test_no_git_at_hand(
    repository: Repository, tmp_path: Path, audited: Callable[..., Audited], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.move_on()
    path = repository.written()
    monkeypatch.chdir(tmp_path)
    for search in ("", ".", str(tmp_path)):
        audit.commit_sources.cache_clear()
        monkeypatch.setenv("PATH", search)
        assert a52(audited(path, root=repository.root))[2].endswith("and git is not at hand")
    broken = tmp_path / "git"
    broken.write_bytes(b"\x7fELF and no more")
    broken.chmod(0o755)
    audit.commit_sources.cache_clear()
    assert "and git does not run: " in a52(audited(path, root=repository.root))[2]


# This checkout itself.


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("fixtures/frozen.sha256", None, "fixtures/frozen.sha256 of this checkout cannot be read: "),
        (
            "fixtures/frozen.sha256",
            "x\n",
            "fixtures/frozen.sha256 of this checkout is not in the form of F6.3: 'x'",
        ),
        (
            "fixtures/frozen.sha256",
            f"{HEX}  fixtures/a/b\n{HEX[1:]}1  fixtures/a/b\n",
            "is not in the form of F6.3",
        ),
        ("results.schema.json", None, "results.schema.json of this checkout cannot be read: "),
    ],
)
def test_a_checkout_that_is_not_whole(
    name: str, text: str | None, words: str, lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout = make_checkout(tmp_path / "checkout")
    (checkout / name).unlink()
    if text is not None:
        (checkout / name).write_text(text)
    assert audit.main([str(write(run_in(lab).sealed(), tmp_path / "run"))], str(checkout)) == 2
    out, err = capsys.readouterr()
    assert (out, words in err, "Traceback" in err) == ("", True, False)


def test_a_suite_of_which_only_two_files_are_pinned_is_not_frozen(
    tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    checkout = make_checkout(tmp_path / "checkout")
    pins = (checkout / "fixtures/frozen.sha256").read_text().splitlines(keepends=True)
    (checkout / "fixtures/frozen.sha256").write_text("".join(pins[:2]))
    said = audited(write(run_in(checkout, FROZEN).sealed(), tmp_path / "run"), root=checkout)
    assert said.failed == ["A4.1"]


# The command.


def test_what_is_not_noticed_without_expect_is_named() -> None:
    for path in REWRITTEN:
        assert f"`{path[0]}`" in audit.CANNOT_SHOW


def test_expect(lab: Path, tmp_path: Path, audited: Callable[..., Audited]) -> None:
    """A rewritten date with every digest redone is noticed by --expect alone."""
    honest, forged = run_in(lab), run_in(lab)
    forged.manifest["created"] = "2001-01-01T00:00:00Z"
    files = forged.sealed()
    path = write(files, tmp_path / "run")
    digest = sha256(honest.sealed()["SHA256SUMS"])
    assert audited(path).code == 0
    said = audited(path, "--expect", digest)
    assert (said.code, said.failed) == (1, ["A3.7"])
    assert said.findings("A3.7") == [f"run digest: found {sha256(files['SHA256SUMS'])}, expected {digest}"]
    assert audited(path, "--expect", sha256(files["SHA256SUMS"])).checks["A3.7"]["state"] == "ok"
    (path / "SHA256SUMS").unlink()
    assert "A3.7" in audited(path, "--expect", digest).unmade


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the following arguments are required: DIR"),
        (["x", "--expect", "abc"], "a run digest is 64 lower-case hexadecimal digits"),
        (["x", "--expect", "A" * 64], "a run digest is 64 lower-case hexadecimal digits"),
        (["x", "--expect", HEX + "\n"], "a run digest is 64 lower-case hexadecimal digits"),
        (["x", "--expect", ""], "a run digest is 64 lower-case hexadecimal digits"),
        (["x", "--expect", HEX, "--expect", HEX], "argument --expect: given more than once"),
        (["x", "--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["x", "--without"], "unrecognized arguments: --without"),
        (["--\x1b[31mred"], "--\\x1b[31mred"),
    ],
)
def test_usage(arguments: list[str], words: str, lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main(arguments, str(lab)) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err or arguments[-1].startswith("--\x1b")
    assert "\x1b" not in err


def test_help_states_the_exit_codes(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main(["--help"], str(lab)) == 0
    out = capsys.readouterr().out
    for line in (
        "0    everything agrees",
        "1    a defect",
        "2    could not be done",
        "3    a fault",
        "130  Ctrl-C",
    ):
        assert line in out
    assert command(lab, "--help", options=("-OO",)).stdout.decode() == command(lab, "--help").stdout.decode()
    assert audit.main(["--version"], str(lab)) == 0
    assert capsys.readouterr().out == "audit.py of Grounded Claims, run directory format 1\n"


def test_several_directories(lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write(run_in(lab).sealed(), tmp_path / "good one")
    forged = run_in(lab)
    set_case(12, status="ACCEPT")(forged)
    bad = write(forged.sealed(), tmp_path / "bad\x1b[31m")
    gone = tmp_path / "gone"
    assert audit.main([str(good), str(gone), str(bad)], str(lab)) == 1
    lines = capsys.readouterr().out.splitlines()
    digest = sha256((good / "SHA256SUMS").read_bytes())
    assert lines[0] == f"{good}  PASS: not a published suite  run digest {digest}"
    assert lines[1] == f"{gone}  could not  A1.1 directory: there is nothing at this path  run digest unknown"
    assert (
        "bad\\x1b[31m  FAIL: not a published suite  A7.1 status: case 'wrong-value': status recomputed as"
        in lines[2]
    )
    counts = "1 PASS (1 not a published suite), 1 FAIL (1 not a published suite), 1 could not"
    assert lines[3] == f"3 directories: {counts}"
    assert audit.main([str(good), str(gone)], str(lab)) == 2
    capsys.readouterr()
    frozen = write(run_in(lab, FROZEN).sealed(), tmp_path / "frozen")
    assert audit.main([str(good), str(frozen), "--without-sources"], str(lab)) == 0
    last = "2 PASS (1 not a published suite, 2 sources were not compared), 0 FAIL, 0 could not"
    assert capsys.readouterr().out.splitlines()[-1] == f"2 directories: {last}"
    assert audit.main([str(good), str(good)], str(lab)) == 0
    capsys.readouterr()
    assert audit.main(["--format", "json", str(good), str(gone), str(bad)], str(lab)) == 1
    whole = json.loads(capsys.readouterr().out)
    assert [each["verdict"] for each in whole["directories"]] == [
        "PASS: not a published suite",
        "could not",
        "FAIL: not a published suite",
    ]
    assert whole["summary"] == counts
    assert (whole["verdict"], whole["exit_code"], whole["format"]) == ("FAIL", 1, 1)


def test_a_failing_table(lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = run_in(lab)
    for case in run.results["cases"]:
        case["claim"] = 7
    assert audit.main([str(write(run.sealed(), tmp_path / "run"))], str(lab)) == 1
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("FAIL   A7.4  claim            0 of 18 cases")
    assert lines[at + 1] == "       case 'accepted': claim recomputed as null, recorded 7"
    assert lines[-1] == "FAIL: not a published suite"


def test_long_lists_are_cut(lab: Path, tmp_path: Path, audited: Callable[..., Audited]) -> None:
    run = run_in(lab)
    for case in run.results["cases"]:
        for layer in audit.LAYERS:
            case[layer] = not case[layer]
    found = audited(write(run.sealed(), tmp_path / "run")).findings("A7.2")
    assert (len(found), found[-1]) == (21, "and 34 more")


def test_a_fault_is_told_with_the_case_that_is_being_judged_and_no_other(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(run_in(lab).sealed(), tmp_path / "run")
    real = audit.DECISIONS["config-claims"]

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("planted")

    def second(request: Any, answer: Any) -> Any:
        return real(request, answer) if answer["claims"][0]["field"] == "limit" else broken()

    monkeypatch.setitem(audit.DECISIONS, "config-claims", second)
    assert audit.main([str(path)], str(lab)) == 3
    first = capsys.readouterr().err.splitlines()[0]
    assert (
        first == f"audit.py: a fault of this program, at {path} case reversed: ZeroDivisionError('planted')"
    )
    monkeypatch.setitem(audit.DECISIONS, "config-claims", real)
    monkeypatch.setattr(audit, "recomputed_totals", broken)
    assert audit.main([str(path)], str(lab)) == 3
    first = capsys.readouterr().err.splitlines()[0]
    assert first == f"audit.py: a fault of this program, at {path}: ZeroDivisionError('planted')"


def test_a_fault_of_the_auditor_is_no_verdict(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(run_in(lab).sealed(), tmp_path / "run")

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("planted")

    monkeypatch.setitem(audit.DECISIONS, "config-claims", broken)
    assert audit.main([str(path)], str(lab)) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(
        f"audit.py: a fault of this program, at {path} case accepted: ZeroDivisionError('planted')\n"
    )

    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setitem(audit.DECISIONS, "config-claims", interrupted)
    assert audit.main([str(path)], str(lab)) == 130
    monkeypatch.setattr(audit, "read_checkout", broken)
    assert audit.main([str(path)], str(lab)) == 3
    assert capsys.readouterr().err.startswith(
        "audit.py: a fault of this program: ZeroDivisionError('planted')\n"
    )


@pytest.mark.parametrize(
    ("raised", "code", "verdict"),
    [(ZeroDivisionError, 3, "a fault of this program"), (KeyboardInterrupt, 130, "interrupted")],
)
def test_a_fault_or_an_interruption_leaves_one_whole_json_object(
    raised: type[BaseException],
    code: int,
    verdict: str,
    lab: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = str(write(run_in(lab).sealed(), tmp_path / "config"))
    order = str(write(run_in(lab, ORDER).sealed(), tmp_path / "order"))

    def broken(*_: Any) -> Any:
        raise raised

    monkeypatch.setitem(audit.DECISIONS, "config-claims", broken)
    assert audit.main(["--format", "json", order, config, order], str(lab)) == code
    whole = json.loads(capsys.readouterr().out)
    told = [order, config, order] if code == 3 else [order]
    assert [each["path"] for each in whole["directories"]] == told
    assert [each["exit_code"] for each in whole["directories"]] == [0, 3, 0][: len(told)]
    assert (whole["verdict"], whole["exit_code"]) == (verdict, code)
    assert audit.main(["--format", "json", config], str(lab)) == code
    assert [each["verdict"] for each in json.loads(capsys.readouterr().out)["directories"]] == [verdict][
        : code == 3
    ]


def test_a_fault_in_one_directory_ends_no_other_audit(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = str(write(run_in(lab).sealed(), tmp_path / "config"))
    order = str(write(run_in(lab, ORDER).sealed(), tmp_path / "order"))

    def broken(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setitem(audit.DECISIONS, "config-claims", broken)
    assert audit.main([config, order, str(tmp_path / "gone")], str(lab)) == 3
    out, err = capsys.readouterr()
    assert err.startswith(f"audit.py: a fault of this program, at {config} case accepted: MemoryError()\n")
    lines = out.splitlines()
    assert lines[0] == f"{config}  a fault of this program  run digest unknown"
    assert lines[1].startswith(f"{order}  PASS: not a published suite")
    said = "1 PASS (1 not a published suite), 0 FAIL, 1 could not, 1 a fault of this program"
    assert lines[3] == f"3 directories: {said}"


@pytest.mark.skipif(sys.platform != "linux", reason="of an address space that ulimit can bound")
def test_a_directory_that_takes_all_memory(lab: Path, tmp_path: Path) -> None:
    files = run_in(lab).sealed()
    good = write(files, tmp_path / "good")
    huge = write({**files, "results.json": b'{"a": [' + b"[]," * 4_000_000 + b"[]]}"}, tmp_path / "huge")
    script = 'ulimit -v 300000; exec "$0" "$@"'
    arguments = [sys.executable, str(lab / "audit.py"), str(huge), str(good)]
    done = subprocess.run(["sh", "-c", script, *arguments], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert done.returncode == 3
    assert done.stderr.startswith(f"audit.py: a fault of this program, at {huge}: MemoryError()\n")
    assert lines[0] == f"{huge}  a fault of this program  run digest unknown"
    assert lines[1].startswith(f"{good}  PASS: not a published suite")


def test_zero_checks_are_a_failure() -> None:
    assert audit.Report("x").exit_code() == 1


@pytest.mark.parametrize("package", ["yaml", "jsonschema"])
def test_a_missing_package(
    package: str, lab: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert audit.main(["x"], str(lab)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert (
        err
        == f"audit.py: the package {package} is missing; `python3 bootstrap.py audit DIR` sets up and audits\n"
    )


# The command as a process.


def command(
    checkout: Path, *arguments: str, options: tuple[str, ...] = (), **others: Any
) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **others.pop("env", {})}
    program = [sys.executable, *options, str(checkout / "audit.py"), *arguments]
    return subprocess.run(
        program, capture_output="stdout" not in others, env=environment, check=False, timeout=60, **others
    )


@pytest.mark.parametrize(
    ("options", "env"),
    [
        ((), {}), (("-I",), {}), (("-O",), {}), (("-OO",), {}), (("-W", "error"), {}),
        ((), {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}), ((), {"PYTHONIOENCODING": "ascii"}),
        ((), {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}), ((), {"PYTHONINTMAXSTRDIGITS": "640"}),
    ],
)  # fmt: skip
def test_the_same_everywhere(
    options: tuple[str, ...], env: dict[str, str], lab: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "with spaces, \u00e9 and \U0001f600"
    (tmp_path / "link").symlink_to(folder)
    path = write(run_in(lab, FROZEN).sealed(), folder / "run")
    for name in (path, tmp_path / "link" / "run"):
        done = command(lab, str(name), options=options, env=env, cwd="/")
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.splitlines()[-1] == b"PASS"


def test_an_audit_without_src(tmp_path: Path, lab: Path) -> None:
    import shutil

    checkout = make_checkout(tmp_path / "checkout")
    shutil.rmtree(checkout / "src")
    path = write(run_in(lab).sealed(), tmp_path / "run")
    assert command(checkout, str(path), options=("-I",)).returncode == 2
    done = command(checkout, str(path), "--without-sources", options=("-I",))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        b"PASS: not a published suite; sources were not compared",
    )


@pytest.mark.parametrize("form", ["table", "json"])
def test_names_that_are_hostile(form: str, lab: Path, tmp_path: Path) -> None:
    path = write(run_in(lab).sealed(), tmp_path / "run\x1b]0;owned\x07\u202e")
    for name in (b"\xff\xfe", b"\x1b[2J", "\u202etxt.exe".encode(), b"a\nok     A1.2"):
        (Path(os.fsdecode(os.path.join(os.fsencode(path), name)))).write_bytes(b"")
    for env in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONUTF8": "1"}):
        done = command(lab, str(path), str(path), "--format", form, env=env)
        assert (done.returncode, done.stderr) == (1, b"")
        assert all(32 <= byte < 127 or byte == 10 for byte in done.stdout)
        assert b"owned" in done.stdout
        done = command(lab, str(path), "--format", form, env=env)
        assert done.stdout.count(b"\n") == (1 if form == "json" else 32 + 4 + 5)


def test_standard_output_that_takes_no_more(lab: Path, tmp_path: Path) -> None:
    path = write(run_in(lab).sealed(), tmp_path / "run")
    with open("/dev/full", "wb") as full:
        done = command(lab, str(path), stdout=full, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (2, b"audit.py: standard output: No space left on device\n")
    read, written = os.pipe()
    os.close(read)
    with open(written, "wb") as pipe:
        for arguments in ((str(path),), ("--help",), ("--version",)):
            assert command(lab, *arguments, stdout=pipe, stderr=subprocess.DEVNULL).returncode == 2
    closed = subprocess.run(
        ["sh", "-c", '"$0" "$1" "$2" >&-', sys.executable, str(lab / "audit.py"), str(path)],
        stderr=subprocess.PIPE,
        check=False,
    )
    assert closed.returncode == 2
    both = subprocess.run(
        ["sh", "-c", '"$0" "$1" "$2" >&- 2>&-', sys.executable, str(lab / "audit.py"), str(path)], check=False
    )
    assert both.returncode == 2


def test_a_standard_output_that_fails(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(write(run_in(lab).sealed(), tmp_path / "run"))
    for argument in (path, "--help"):
        with open("/dev/full", "w", encoding="ascii", buffering=1) as full, monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", full)
            assert audit.main([argument], str(lab)) == 2
    assert capsys.readouterr().err == "audit.py: standard output: No space left on device\n" * 2
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", None)
        patched.setattr(sys, "stderr", None)
        assert audit.main([path], str(lab)) == 2


def test_an_old_python_is_told_which_one_is_needed(tmp_path: Path) -> None:
    """What stands before the check is read by Python 2.7 and 3.6; a run under those is not for this suite."""
    text = (ROOT / "audit.py").read_text(encoding="ascii")
    before, _, after = text.partition("if sys.hexversion < 0x030A0000:")
    code = compile(before, "audit.py", "exec")
    assert 'NEEDS: str = "audit.py needs Python 3.10 or newer"\n' in before
    assert code.co_names[-1:] == ("NEEDS",) or "NEEDS" in code.co_names
    assert after.startswith('\n    sys.stderr.write(NEEDS + "; this is Python "')
    import ast

    for version in ((3, 7), (3, 8), (3, 9)):
        ast.parse(text, feature_version=version)


def test_what_the_auditor_imports() -> None:
    """Nothing of ours, and no socket: importing it and auditing leaves the runner's package alone."""
    import ast

    tree = ast.parse((ROOT / "audit.py").read_text(encoding="ascii"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    third = {name for name in names if name.split(".")[0] not in sys.stdlib_module_names}
    assert third == {"yaml", "jsonschema"}
    assert not {"socket", "urllib", "http", "tempfile"} & {name.split(".")[0] for name in names}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]


def test_no_connection_and_no_writing(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(run_in(lab).sealed(), tmp_path / "run")

    def refused(*_: Any, **__: Any) -> Any:
        raise ConnectionError("no connection")

    monkeypatch.setattr(socket, "socket", refused)
    before = {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")}
    assert audited(path).code == 0
    assert {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")} == before


def test_the_frozen_suites_of_this_checkout() -> None:
    """Every suite that is pinned reads as a frozen suite, and its labels and totals are recomputed."""
    pins = audit.read_pins(str(ROOT))
    assert "config-claims" in pins
    for name, digest in pins.items():
        files = {each: (ROOT / "fixtures" / name / each).read_bytes() for each in INPUTS}
        assert audit.suite_digest({each: sha256(files[each]) for each in INPUTS}) == digest
        suite, faults = audit.read_suite(files, frozen=True)
        assert (list(map(str, faults)), suite is not None) == ([], True)
        own = {
            case["id"]: audit.judge(
                suite.contract, suite.registry, suite.requests[case["request"]], case["candidate"]
            )
            for case in suite.cases
        }
        assert {case["id"]: own[case["id"]]["status"] for case in suite.cases} == {
            case["id"]: case["expected"] for case in suite.cases
        }
        totals = audit.recomputed_totals(suite, own)
        assert {each: totals[each] for each in audit.TOTALS} == suite.pinned_totals


def test_only_regular_files_are_sources(lab: Path, tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path / "checkout")
    package = checkout / "src/grounded_claims"
    (package / "folder.py").mkdir()
    os.mkfifo(package / "fifo.py")
    (package / "dangling.py").symlink_to("nowhere")
    (package / "link.py").symlink_to("../../run.py")
    assert audit.read_checkout(str(checkout)).sources == audit.read_checkout(str(lab)).sources
    (checkout / "run.py").unlink()
    os.mkfifo(checkout / "run.py")
    (checkout / "bootstrap.py").unlink()
    sources = audit.read_checkout(str(lab)).sources.keys() - {"run.py", "bootstrap.py"}
    assert audit.read_checkout(str(checkout)).sources.keys() == sources


def test_sources_are_those_of_r6(lab: Path) -> None:
    assert audit.read_checkout(str(lab)).sources == sources_of(lab)
    assert document({"a": 1}) == audit.serialised({"a": 1})


# What is said.


@pytest.mark.parametrize("entries", [300, 2000])
def test_of_very_many_entries_the_six_files_are_read(
    entries: int, lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    run = write(run_in(lab).sealed(), tmp_path / "run")
    for number in range(entries):
        (run / f"0{number:04}").touch()
    said = audited(run)
    assert said.findings("A1.2")[0] == "more than 64 entries"
    assert (said.one["counts"]["files"], said.checks["A1.4"]["state"]) == ("6 of 6", "ok")


def forged_row(results: dict[str, Any]) -> None:
    """Reject one accepted case, with all that a malformed answer would have."""
    row = next(row for row in results["cases"] if row["status"] == "ACCEPT")
    layers = dict.fromkeys(audit.LAYERS, False)
    row.update(status="INVALID_JSON", outcome="malformed", accepted={}, **layers)


def test_cases_are_counted_and_not_their_members(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    run = run_in(lab)
    forged_row(run.results)
    run.results["cases"][3]["claim"] = 0
    said = audited(write(run.sealed(), tmp_path / "run"))
    cases = len(CONFIG.rows)
    assert len(said.findings("A7.2")) == 3
    for ident, what in (("A7.1", "cases"), ("A7.2", "cases"), ("A7.3", "cases"), ("A7.5", "cases")):
        assert said.checks[ident]["said"] == f"{cases - 1} of {cases} {what}"
    assert said.one["counts"]["cases"] == f"{cases - 2} of {cases}"


def unlike_totals(run: Run) -> None:
    run.results["totals"].update(cases=1, labels_matched=0)


#: What is done to an honest run, before and after its digests are made -> a check, and what it says then.
COUNTED: dict[str, tuple[Forge, Callable[[Files], None], str, str]] = {
    "a digest is wrong": (
        lambda run: None,
        sums_text(lambda text: HEX + text[64:]),
        "A3.2",
        "4 of 5 files agree with SHA256SUMS",
    ),
    "every digest is wrong": (
        lambda run: None,
        sums_text(lambda text: re.sub("[0-9a-f]{64}", HEX, text)),
        "A3.2",
        "0 of 5 files agree with SHA256SUMS",
    ),
    "nothing is listed": (
        lambda run: None,
        put_file("SHA256SUMS", b"", sums=False),
        "A3.2",
        "0 of 5 files agree with SHA256SUMS",
    ),
    "an input is changed": (
        lambda run: None,
        change_file("inputs/suite.yaml", lambda data: data + b"\n"),
        "A3.3",
        "2 of 3 inputs agree with the manifest",
    ),
    "results of another suite": (
        lambda run: None,
        change_file("results.json", lambda data: re.sub(rb'("digest": ")[0-9a-f]{64}', rb"\g<1>" + HEX.encode(), data)),
        "A3.5",
        f"1 of 2 documents name the digest of the inputs, {suite_digest(CONFIG.files)}",
    ),
    "totals": (unlike_totals, lambda files: None, "A8.1", "6 of 8 totals recomputed"),
    "nothing at all": (lambda run: None, lambda files: None, "A4.1", "not a published suite"),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTED)
def test_a_check_says_how_many_of_how_many(
    name: str, lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    forge, rot, ident, words = COUNTED[name]
    run = run_in(lab)
    forge(run)
    files = run.sealed()
    rot(files)
    assert audited(write(files, tmp_path / "run")).checks[ident]["said"] == words


def test_a_frozen_suite_is_called_pinned(lab: Path, tmp_path: Path, audited: Callable[..., Audited]) -> None:
    said = audited(write(run_in(lab, FROZEN).sealed(), tmp_path / "run"))
    assert said.checks["A4.1"]["said"] == f"frozen: this checkout pins the digest of {FROZEN.name}"
    assert said.checks["A8.2"]["said"] == "4 of 4 pinned totals"


def test_line_endings_are_blamed_only_where_they_are_all_that_differs(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    files = run_in(lab).sealed()
    suite, cases = (f"inputs/{name}" for name in (SUITE, CASES))
    before = {name: files[name] for name in (suite, cases)}
    files[suite], files[cases] = crlf(files[suite]), files[cases] + b"\n"
    said = [
        f"{name}: its SHA-256 is {sha256(files[name])}, SHA256SUMS has {sha256(before[name])}"
        for name in (cases, suite)
    ]
    said[1] += " (line endings differ)"
    assert audited(write(files, tmp_path / "run")).findings("A3.2") == said


def test_of_64_lines_of_sums_each_is_looked_at_and_of_more_no_other(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    files = run_in(lab).sealed()
    sums = files["SHA256SUMS"]
    for lines, more in ((audit.MAX_FILES, []), (audit.MAX_FILES + 1, ["SHA256SUMS: more than 64 lines"])):
        files["SHA256SUMS"] = sums + b"?\n" * (lines - 5)
        path = write(files, tmp_path / str(lines))
        report = audit.Report(str(path))
        examination = audit.Examination(report, audit.read_checkout(str(lab)), audit.read_arguments(["run"]))
        found: list[str] = []
        examination.add = lambda ident, findings, *_, found=found: found.extend(findings)  # type: ignore[assignment]
        examination.sums_form(files["SHA256SUMS"].decode())
        odd = " is not <64 hexadecimal digits>, two spaces, path"
        assert found == [
            *more,
            *(f"SHA256SUMS:{number}: '?'{odd}" for number in range(6, audit.MAX_FILES + 1)),
        ]


def test_cases_that_are_strange_are_named_in_order_and_once(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    run = run_in(lab)
    for row, name in zip(run.results["cases"], reversed(NAMES), strict=False):
        row["id"] = name
    found = audited(write(run.sealed(), tmp_path / "run")).findings("A6.2")
    assert found == [
        *(f"case '{row.id}' is not in the results" for row in CONFIG.rows[: len(NAMES)]),
        *(f"case '{name}' is not in the inputs" for name in NAMES),
    ]


def test_where_no_case_is_common_none_was_compared(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    run = run_in(lab)
    for row in run.results["cases"]:
        row["id"] = f"other-{row['id']}"
    said = audited(write(run.sealed(), tmp_path / "run"))
    for ident in "A6.3 A6.4 A7.1 A7.2 A7.3 A7.4 A7.5".split():
        assert said.findings(ident) == ["no case was compared"]


@pytest.mark.parametrize("member", ["inputs", "outputs", "sources"])
def test_each_name_of_the_manifest_is_looked_at(
    member: str, lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    files = run_in(lab).sealed()
    manifest = json.loads(files["manifest.json"])
    manifest[member]["../x"] = HEX
    files["manifest.json"] = document(manifest)
    resum(files)
    found = audited(write(files, tmp_path / "run")).findings("A1.5")
    assert found == [f"manifest.json: {member}: '../x' holds . or .."]


def test_where_no_name_is_listed_none_is_sane(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    files = {**run_in(lab).sealed(), "manifest.json": b"{", "SHA256SUMS": b""}
    assert audited(write(files, tmp_path / "run")).findings("A1.5") == ["no name is listed"]
    for name in files:
        (tmp_path / "run" / name).unlink()
    assert audited(tmp_path / "run").checks["A1.5"]["said"] == "not made, for want of A1.2"


def test_a_prediction_is_a_hit_where_it_says_what_the_layer_did() -> None:
    foretold = {
        "a": {"strict_json": "pass", "citation_exists": "pass", "full_contract": "reject"},
        "b": {"strict_json": "reject", "citation_exists": "NO_CITATION", "full_contract": "NO_CITATION"},
        "c": {},
    }
    suite, _ = audit.read_suite(CONFIG.files)
    cases = [
        {"id": name, "expected": "INCOMPLETE", **({"prediction": said} if said else {})}
        for name, said in foretold.items()
    ]
    layers = {"strict_json": True, "citation_exists": True, "full_contract": False}
    verdict = {"status": "INCOMPLETE", "outcome": "ungrounded", **layers}
    totals = audit.recomputed_totals(suite._replace(cases=cases), dict.fromkeys(foretold, verdict))
    assert totals["predictions"] == {
        "strict_json": {"made": 2, "hit": 1},
        "citation_exists": {"made": 2, "hit": 1},
        "full_contract": {"made": 2, "hit": 1},
    }


def test_a_check_that_failed_says_what_was_expected(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    run = run_in(lab)
    run.results["cases"].reverse()
    said = audited(write(run.sealed(), tmp_path / "run"))
    cases = len(CONFIG.rows)
    assert said.checks["A6.2"]["said"] == f"expected: {cases} of {cases} cases, once each, in order"
    assert said.checks["A2.6"]["said"] == "results.json in the bytes of R2"


def test_of_several_the_line_names_a_check_that_was_made(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = run_in(lab).sealed()
    run = write({**files, "inputs/suite.yaml": b"a: !!int 5\n"}, tmp_path / "run")
    sums = sums_of({name: (run / name).read_bytes() for name in files if name != "SHA256SUMS"})
    (run / "SHA256SUMS").write_bytes(sums)
    assert audit.main([str(run), str(run)], str(lab)) == 1
    first, second, _ = capsys.readouterr().out.splitlines()
    assert "not made" not in first
    assert first == second


def test_a_path_is_itself_in_json(lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / name) for name in ("a\nb", "a\\nb", "e\u0301\u202e")]
    audit.main([*paths, "--format", "json"], str(lab))
    assert [each["path"] for each in json.loads(capsys.readouterr().out)["directories"]] == paths
    audit.main([os.fsdecode(b"\xff"), "--format", "json"], str(lab))
    assert json.loads(capsys.readouterr().out)["directories"][0]["path"] == "\\udcff"


def test_after_two_hyphens_everything_is_a_directory(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("-x", "--version", "plain"):
        write(run_in(lab).sealed(), tmp_path / name)
    assert audit.main(["plain", "--", "-x", "--version"], str(lab)) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in out] == ["plain", "-x", "--version", "3"]
    assert audit.main(["--", "-x"], str(lab)) == 0
    assert capsys.readouterr().out.endswith("PASS: not a published suite\n")


@pytest.mark.parametrize("damage", [b"{", b"\xff", b""])
def test_a_schema_of_the_checkout_that_is_damaged(
    damage: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_checkout(tmp_path / "checkout")
    (root / "results.schema.json").write_bytes(damage)
    assert audit.main([str(tmp_path)], str(root)) == 2
    said = capsys.readouterr().err
    assert said.startswith("audit.py: results.schema.json of this checkout is damaged: ")


#: What the manifest holds -> what is said of it.
MISFITS: dict[str, tuple[Callable[[Any], object], str]] = {
    "a commit that is a name": (
        lambda manifest: manifest.update(git={"commit": "HEAD", "dirty": False}),
        "git: commit: 'HEAD' does not match ^([0-9a-f]{40}|[0-9a-f]{64})$",
    ),
    "an integer of 19 digits": (
        lambda manifest: manifest["suite"].update(cases=10**18),
        "suite.cases: 1000000000000000000 is not of type 'integer', of at most 18 digits",
    ),
}


@pytest.mark.parametrize("name", MISFITS)
def test_a_schema_is_missed_in_words(
    name: str, lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    change, words = MISFITS[name]
    run = run_in(lab)
    change(run.manifest)
    said = audited(write(run.sealed(), tmp_path / "run"))
    assert words in said.findings("A2.2")


def test_what_could_not_be_looked_for_is_not_missing(
    lab: Path, tmp_path: Path, audited: Callable[..., Audited]
) -> None:
    run = write(run_in(lab).sealed(), tmp_path / "run")
    (run / "inputs").rename(tmp_path / "elsewhere")
    (run / "inputs").symlink_to(tmp_path / "elsewhere")
    found = audited(run).findings("A1.2")
    assert found == [f"inputs/{name} cannot be looked for" for name in audit.INPUTS]
