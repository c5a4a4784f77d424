"""Build tests/archives: run directories that an auditor must pass or fail, for this auditor and for others.

usage: build_archives.py [FOLDER]

A vector is a folder of plain files; vectors.json says of each what must come of it, by which check of
docs/contract.md, and why it is there; README.md says the same in a table. Nothing of them depends on a clock, a
machine or the state of the program: the same script gives the same bytes. What git cannot hold (links, FIFOs,
sockets, empty folders) is in ODD, and made when it is wanted.

exit code: 0 written
"""

# ruff: noqa: E402, E501  (modules are found from here; a row of a table is a line)
from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / each) for each in ("tests", "src", ".")]

from audit_fixtures import CONFIG, CONFIG_ROWS, ORDER_ROWS, Row, claims, material
from tampering.entries import a_dangling_link, a_fifo, a_folder, a_link_beside, a_link_out, a_socket
from tampering.good_runs import (
    INPUT_PATHS,
    MANIFEST,
    RESULTS,
    SUMS,
    Files,
    GoodRun,
    published,
    sealed,
    sha256,
    suite_digest,
    sums_of,
)
from tampering.json_text import Writer, document

from grounded_claims import load_suite
from grounded_claims.run_directory import serialise
from grounded_claims.runner import run_suite

ARCHIVES = ROOT / "tests" / "archives"
TOP = (
    "audit.py",
    "bootstrap.py",
    "manifest.schema.json",
    "requirements.txt",
    "results.schema.json",
    "run.py",
)
SOURCES = (*TOP, "src/grounded_claims/__init__.py", "src/grounded_claims/gate.py")


def run_of(files: Files, *, frozen: bool = False, **members: Any) -> GoodRun:
    """Return the run of a suite, with a manifest of which nothing depends on where it is made."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        results = run_suite(load_suite(folder)).document()
    made = {f"inputs/{name}": files[name] for name in sorted(files)}
    made[RESULTS] = serialise(results)
    manifest = {
        "format": 1,
        "program": {"name": "grounded-claims", "version": "vector"},
        "suite": {**results["suite"], "frozen": frozen, "cases": results["totals"]["cases"]},
        "created": "2026-11-30T12:00:00Z",
        "git": {"unavailable": "made by tests/build_archives.py"},
        "environment": {
            "python": "3.12.1",
            "implementation": "CPython",
            "platform": "none",
            "packages": {"PyYAML": "6.0.2"},
        },
        "sources": {path: sha256(path.encode()) for path in sorted(SOURCES)},
        "inputs": {path: sha256(made[path]) for path in INPUT_PATHS},
        "outputs": {RESULTS: sha256(made[RESULTS])},
        **members,
    }
    made[MANIFEST] = serialise(manifest)
    return GoodRun(name=results["suite"]["name"], files={**made, SUMS: sums_of(made)})


EMOJI = Row(
    "emoji",
    "both",
    claims(("limit", "10", "now", "limit=10"), ("mode", "fast", "\U0001f600", "fast")),
    "NO_CITATION",
    1,
    "ungrounded",
    1,
)
SMALL = run_of(
    material(
        "vector", "config-claims", (CONFIG_ROWS[0], CONFIG_ROWS[2], CONFIG_ROWS[12], CONFIG_ROWS[17])
    ).files
)
ORDERS = run_of(
    material(
        "vector-orders", "order-status", (ORDER_ROWS[0], ORDER_ROWS[2], ORDER_ROWS[14], ORDER_ROWS[22])
    ).files
)
PUBLISHED = run_of(published("order-status"), frozen=True)


@dataclass(frozen=True, slots=True)
class Vector:
    """A run directory, whether it must pass, and the check that must fail where it must not."""

    name: str
    check: str | None
    why: str
    files: Files


VECTORS: list[Vector] = []


def must_pass(name: str, why: str, run: GoodRun) -> None:
    VECTORS.append(Vector(name, None, why, run.files))


def must_fail(name: str, check: str, why: str, files: Files) -> None:
    VECTORS.append(Vector(name, check, why, files))


def without(run: GoodRun, path: str) -> Files:
    return {each: data for each, data in run.files.items() if each != path}


def plus(run: GoodRun, path: str, data: bytes = b"x\n") -> Files:
    return {**run.files, path: data}


def sums_text(change: Callable[[str], str], run: GoodRun = SMALL) -> Files:
    return {**run.files, SUMS: change(run.files[SUMS].decode()).encode()}


def raw(path: str, change: Callable[[bytes], bytes], run: GoodRun = SMALL) -> Files:
    """Change a file, and nothing else."""
    assert change(run.files[path]) != run.files[path], path
    return {**run.files, path: change(run.files[path])}


def redone(path: str, change: Callable[[bytes], bytes], run: GoodRun = SMALL) -> Files:
    """Change a file, and redo every digest."""
    return sealed(run, {path: raw(path, change, run)[path]})


def summed(files: Files) -> Files:
    """Redo the sums alone."""
    return {**files, SUMS: sums_of(files)}


def forged(change: Callable[[Any], Any], run: GoodRun = SMALL) -> Files:
    """Change the results, and redo every digest."""
    results = run.results()
    change(results)
    return sealed(run, {RESULTS: document(results)})


def manifest(change: Callable[[Any], Any], run: GoodRun = SMALL) -> Files:
    """Change the manifest, and redo the sums."""
    made = run.manifest()
    change(made)
    return summed({**run.files, MANIFEST: document(made)})


def sub(old: str, new: str) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(old.encode(), new.encode(), 1)


def crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def case(index: int, **members: Any) -> Callable[[Any], Any]:
    return lambda results: results["cases"][index].update(members)


def total(**members: Any) -> Callable[[Any], Any]:
    return lambda results: results["totals"].update(members)


def edited(name: str, old: str, new: str, run: GoodRun = SMALL) -> Files:
    """Edit an input, and redo every digest; the results stay those of the suite as it was."""
    return redone(f"inputs/{name}", sub(old, new), run)


# What must pass.

must_pass("good-config-claims", "An exercise of the contract config-claims, with a prediction.", SMALL)
must_pass(
    "good-order-status", "An exercise of the contract order-status, with both kinds of refusal.", ORDERS
)
must_pass("good-published", "The published suite order-status, said to be frozen.", PUBLISHED)
must_pass(
    "good-all-statuses",
    "Every status of config-claims, a label that is not met, predictions that miss.",
    run_of(CONFIG.files),
)
must_pass(
    "good-one-case",
    "The smallest suite that there is.",
    run_of(material("vector-one", "config-claims", CONFIG_ROWS[:1]).files),
)
must_pass(
    "good-beyond-ascii",
    "A candidate with a character beyond U+FFFF.",
    run_of(material("vector-emoji", "config-claims", (CONFIG_ROWS[0], EMOJI)).files),
)
must_pass(
    "good-with-a-commit",
    "The manifest names a commit.",
    run_of(
        material("vector", "config-claims", CONFIG_ROWS[:1]).files, git={"commit": "0" * 40, "dirty": True}
    ),
)
must_pass(
    "good-with-a-long-commit",
    "The commit id is one of a SHA-256 repository.",
    run_of(
        material("vector", "config-claims", CONFIG_ROWS[:1]).files, git={"commit": "0" * 64, "dirty": False}
    ),
)
must_pass(
    "rewritten-created",
    "A time that was rewritten with every digest redone: only a run digest published elsewhere tells.",
    GoodRun(name="x", files=manifest(lambda made: made.update(created="2001-01-01T00:00:00Z"))),
)
must_pass(
    "softened-exercise",
    "A published suite with a candidate mended, run anew and not said to be frozen: another honest run.",
    run_of(
        {
            name: sub('"answer":"delivered"', '"answer":"shipped"')(data)
            for name, data in published("order-status").items()
        }
    ),
)

# A1: structure.
must_fail("no-sums", "A1.2", "A run that was not finished: SHA256SUMS comes last.", without(SMALL, SUMS))
must_fail("no-manifest", "A1.2", "The file that binds the others is gone.", without(SMALL, MANIFEST))
must_fail("no-results", "A1.2", "There is nothing to audit.", without(SMALL, RESULTS))
must_fail(
    "no-registry",
    "A1.2",
    "An input is gone, and the sums do not list it.",
    summed({each: data for each, data in without(SMALL, "inputs/registry.yaml").items() if each != SUMS}),
)
must_fail(
    "extra-file",
    "A1.2",
    "A second results file beside the first.",
    plus(SMALL, "results (1).json", SMALL.files[RESULTS]),
)
must_fail(
    "extra-file-listed",
    "A1.2",
    "A file that the sums list and R1 does not.",
    summed(plus(SMALL, "notes.txt")),
)
must_fail(
    "extra-input", "A1.2", "A file among the inputs that no run reads.", plus(SMALL, "inputs/extra.yaml")
)
must_fail(
    "extra-folder",
    "A1.2",
    "An older run inside the run.",
    plus(SMALL, "old/results.json", SMALL.files[RESULTS]),
)
must_fail("dropping", "A1.2", "What a file manager left behind.", plus(SMALL, ".DS_Store"))
must_fail(
    "renamed",
    "A1.2",
    "A file under another name, and so missing.",
    {**without(SMALL, RESULTS), "result.json": SMALL.files[RESULTS]},
)
must_fail(
    "sums-leave-the-directory",
    "A1.5",
    "The sums list a path above the directory.",
    sums_text(lambda text: text.replace("  results.json", "  ../results.json")),
)
must_fail(
    "sums-absolute",
    "A1.5",
    "The sums list an absolute path.",
    sums_text(lambda text: text.replace("  results.json", "  /etc/hostname")),
)
must_fail(
    "sums-case-twin",
    "A1.5",
    "The sums list two names that are one where case is folded.",
    sums_text(lambda text: text.splitlines(keepends=True)[-1].replace("results", "Results") + text),
)
must_fail(
    "source-leaves-the-checkout",
    "A1.5",
    "The manifest lists a source above the checkout.",
    manifest(lambda made: made["sources"].update({"src/../../x.py": "0" * 64})),
)

# A2: documents.
must_fail("manifest-empty", "A2.1", "Nothing to check is never a pass.", redone(MANIFEST, lambda _: b""))
must_fail(
    "manifest-null", "A2.2", "Well-formed JSON, and no manifest.", redone(MANIFEST, lambda _: b"null\n")
)
must_fail(
    "manifest-name-twice",
    "A2.1",
    "A repeated name, of which most readers keep the last.",
    redone(MANIFEST, sub('"frozen": false', '"frozen": true,\n    "frozen": false')),
)
must_fail(
    "manifest-nan",
    "A2.1",
    "NaN, which many readers take.",
    redone(MANIFEST, sub('"cases": 4', '"cases": NaN')),
)
must_fail(
    "manifest-bom",
    "A2.1",
    "A byte order mark, which many readers skip.",
    redone(MANIFEST, lambda data: b"\xef\xbb\xbf" + data),
)
must_fail(
    "manifest-utf-16",
    "A2.1",
    "Another encoding, which some readers guess.",
    redone(MANIFEST, lambda data: data.decode().encode("utf-16")),
)
must_fail(
    "manifest-deep",
    "A2.1",
    "Nesting that breaks readers which recurse.",
    redone(MANIFEST, sub('"format": 1', '"format": ' + "[" * 20_000 + "]" * 20_000)),
)
must_fail("manifest-comment", "A2.1", "A comment.", redone(MANIFEST, sub(",\n", ", // x\n")))
must_fail(
    "manifest-format-2",
    "A2.2",
    "A newer format, which this auditor does not know.",
    manifest(lambda made: made.update(format=2)),
)
must_fail("manifest-format-true", "A2.2", "true is not 1.", manifest(lambda made: made.update(format=True)))
must_fail(
    "manifest-no-sources",
    "A2.2",
    "A manifest that lists no source.",
    manifest(lambda made: made.update(sources={})),
)
must_fail(
    "manifest-upper-case-digest",
    "A2.2",
    "A digest in upper case.",
    manifest(lambda made: made["outputs"].update({RESULTS: made["outputs"][RESULTS].upper()})),
)
must_fail(
    "manifest-digest-line-feed",
    "A2.2",
    "A digest with a line feed after it, which a pattern with $ lets through.",
    manifest(lambda made: made["suite"].update(digest=made["suite"]["digest"] + "\n")),
)
must_fail("manifest-cr-lf", "A2.3", "Other line endings, with every digest redone.", redone(MANIFEST, crlf))
must_fail(
    "manifest-indented",
    "A2.3",
    "The same values with other blanks.",
    redone(MANIFEST, lambda data: data.replace(b"  ", b"    ")),
)
must_fail("manifest-no-line-feed", "A2.3", "No line feed at the end.", redone(MANIFEST, bytes.rstrip))
must_fail(
    "results-trailing-comma", "A2.4", "A trailing comma.", redone(RESULTS, lambda data: data[:-3] + b",\n}\n")
)
must_fail(
    "results-name-twice",
    "A2.4",
    "A case with two statuses.",
    redone(
        RESULTS,
        lambda data: Writer(json.loads(data), twice=("cases", 2, "status"), again="ACCEPT").text.encode(),
    ),
)
must_fail(
    "results-surrogate",
    "A2.4",
    "An unpaired surrogate, escaped.",
    redone(RESULTS, sub('"limit": "10"', '"limit": "\\ud800"')),
)
must_fail(
    "results-no-cases",
    "A2.5",
    "Zero cases are never a pass.",
    forged(lambda results: results.update(cases=[])),
)
must_fail(
    "results-float", "A2.5", "4.0 cases are no count.", redone(RESULTS, sub('"cases": 4', '"cases": 4.0'))
)
must_fail(
    "results-format-0",
    "A2.5",
    "An older format, of which there is none.",
    forged(lambda results: results.update(format=0)),
)
must_fail(
    "results-extra-member",
    "A2.5",
    "A member that nobody recomputes.",
    forged(lambda results: results.update(accuracy=1)),
)
must_fail(
    "results-sorted",
    "A2.6",
    "The same values, the members sorted by name.",
    redone(
        RESULTS,
        lambda data: (
            json.dumps(json.loads(data), indent=2, ensure_ascii=False, sort_keys=True) + "\n"
        ).encode(),
    ),
)

# A3: digests.
must_fail("sums-empty", "A3.1", "Sums of nothing.", sums_text(lambda _: ""))
must_fail(
    "sums-without-a-line",
    "A3.1",
    "A file that the sums do not list.",
    sums_text(lambda text: text.split("\n", 1)[1]),
)
must_fail(
    "sums-line-twice",
    "A3.1",
    "A line that stands twice.",
    sums_text(lambda text: text + text.splitlines(keepends=True)[-1]),
)
must_fail(
    "sums-unsorted",
    "A3.1",
    "Sums in another order, and so another run digest.",
    sums_text(lambda text: "".join(reversed(text.splitlines(keepends=True)))),
)
must_fail(
    "sums-cr-lf", "A3.1", "Sums with other line endings.", sums_text(lambda text: text.replace("\n", "\r\n"))
)
must_fail(
    "sums-upper-case",
    "A3.1",
    "Digests in upper case.",
    sums_text(lambda text: "".join(line[:64].upper() + line[64:] for line in text.splitlines(keepends=True))),
)
must_fail("sums-63-digits", "A3.1", "A digest of 63 digits.", sums_text(lambda text: text[1:]))
must_fail(
    "sums-binary-mark",
    "A3.1",
    "The star that sha256sum writes in binary mode.",
    sums_text(lambda text: text.replace("  ", " *")),
)
must_fail(
    "results-rotten",
    "A3.2",
    "One bit of the results flipped.",
    raw(RESULTS, lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]),
)
must_fail("results-cut", "A3.2", "Results cut short.", raw(RESULTS, lambda data: data[: len(data) // 2]))
must_fail("results-with-cr-lf", "A3.2", "Line endings that a checkout changed.", raw(RESULTS, crlf))
must_fail(
    "registry-rotten",
    "A3.2",
    "One bit of an input flipped.",
    raw("inputs/registry.yaml", lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]),
)
must_fail(
    "input-not-bound",
    "A3.3",
    "An input changed, and the sums alone redone.",
    summed(raw("inputs/suite.yaml", lambda data: data + b"# more\n")),
)
must_fail(
    "results-not-bound",
    "A3.4",
    "Results changed, and the sums alone redone.",
    summed(raw(RESULTS, sub('"made": 1', '"made": 2'))),
)
must_fail(
    "suite-digest",
    "A3.5",
    "Both documents name the digest of another suite.",
    sealed(
        SMALL,
        {
            path: SMALL.files[path].replace(suite_digest(SMALL.files).encode(), b"0" * 64)
            for path in (MANIFEST, RESULTS)
        },
    ),
)
must_fail(
    "results-of-another-run",
    "A3.4",
    "Results of another run beside this manifest.",
    summed({**SMALL.files, RESULTS: ORDERS.files[RESULTS]}),
)
must_fail(
    "manifest-of-another-run",
    "A3.3",
    "The manifest of another run beside these results.",
    summed({**SMALL.files, MANIFEST: ORDERS.files[MANIFEST]}),
)
must_fail(
    "another-name",
    "A3.6",
    "Manifest and results give the suite another name than its file.",
    sealed(
        SMALL,
        {path: sub('"name": "vector"', '"name": "other"')(SMALL.files[path]) for path in (MANIFEST, RESULTS)},
    ),
)
must_fail(
    "another-count",
    "A3.6",
    "The manifest counts more cases than the suite has.",
    manifest(lambda made: made["suite"].update(cases=22)),
)

# A4: frozen.
must_fail(
    "said-to-be-frozen",
    "A4.1",
    "An exercise that says it is a frozen suite.",
    manifest(lambda made: made["suite"].update(frozen=True)),
)
must_fail(
    "denies-to-be-frozen",
    "A4.1",
    "A published suite that says it is not.",
    manifest(lambda made: made["suite"].update(frozen=False), PUBLISHED),
)
must_fail(
    "softened-and-frozen",
    "A4.1",
    "A published suite with a candidate mended, run anew, and still said to be frozen.",
    run_of(
        {
            name: sub('"answer":"delivered"', '"answer":"shipped"')(data)
            for name, data in published("order-status").items()
        },
        frozen=True,
    ).files,
)

# A5: sources.
must_fail(
    "source-omitted",
    "A5.1",
    "A manifest that leaves out run.py.",
    manifest(lambda made: made["sources"].pop("run.py")),
)
must_fail(
    "source-foreign",
    "A5.1",
    "A manifest with a file that is no source.",
    manifest(lambda made: made["sources"].update({"tests/x.py": "0" * 64})),
)
must_fail(
    "source-none-of-src",
    "A5.1",
    "A manifest with nothing of the package.",
    manifest(lambda made: made.update(sources={path: made["sources"][path] for path in TOP})),
)

# A6: the inputs are a suite, and the results are about its cases.
must_fail(
    "yaml-key-twice",
    "A6.1",
    "A repeated key, of which PyYAML keeps the last.",
    edited("suite.yaml", "title:", "title: Another\ntitle:"),
)
must_fail("yaml-alias", "A6.1", "An anchor.", edited("suite.yaml", "title: ", "title: &a "))
must_fail("yaml-tag", "A6.1", "A tag.", edited("suite.yaml", "title: ", "title: !!str "))
must_fail(
    "yaml-no",
    "A6.1",
    "NO, which YAML 1.1 reads as false.",
    edited("suite.yaml", "title: A suite for the auditor's tests", "title: NO"),
)
must_fail(
    "yaml-comment-cuts",
    "A6.1",
    "A comment that cuts a plain text short.",
    edited("suite.yaml", "tests\n", "tests # cut\n"),
)
must_fail(
    "yaml-second-document",
    "A6.1",
    "A second document, which many readers never see.",
    redone("inputs/suite.yaml", lambda data: data + b"---\nsuite: other\n"),
)
must_fail(
    "label-unknown",
    "A6.1",
    "A label that is no status.",
    edited("cases.yaml", "expected: VALUE_MISMATCH", "expected: VALUE_MISMATCHED"),
)
must_fail(
    "reject-without-a-pair",
    "A6.1",
    "A reject that is held against nothing.",
    edited("cases.yaml", "    pair: accepted\n", ""),
)
must_fail(
    "case-missing", "A6.2", "Only the cases that went well.", forged(lambda results: results["cases"].pop(2))
)
must_fail(
    "case-twice",
    "A6.2",
    "A case that is counted twice.",
    forged(lambda results: results["cases"].append(results["cases"][0])),
)
must_fail(
    "cases-moved", "A6.2", "The cases in another order.", forged(lambda results: results["cases"].reverse())
)
must_fail("label-forged", "A6.3", "A label changed after the run.", forged(case(2, expected="ACCEPT")))
must_fail(
    "prediction-forged",
    "A6.4",
    "A prediction made after the run.",
    forged(case(3, prediction={"full_contract": "INVALID_JSON"})),
)
must_fail(
    "prediction-dropped", "A6.4", "A prediction that missed, left out.", forged(case(3, prediction=None))
)

# A7: verdicts.
must_fail(
    "status-forged", "A7.1", "A status that the candidate does not have.", forged(case(2, status="ACCEPT"))
)
must_fail(
    "candidate-mended",
    "A7.1",
    "A candidate mended in an exercise, the results as they were.",
    edited("cases.yaml", '"value":"9"', '"value":"10"'),
)
must_fail(
    "registry-changed",
    "A7.1",
    "A document made that of another revision, the results as they were.",
    edited("registry.yaml", "revision: v2\n", "revision: v3\n"),
)
must_fail(
    "refusal-called-right",
    "A7.1",
    "A needless refusal passed off as an honest one.",
    forged(
        case(2, status="ACCEPT", full_contract=True, outcome="honest_refusal", accepted={"status": None}),
        ORDERS,
    ),
)
must_fail("layer-forged", "A7.2", "A layer that did not pass.", forged(case(2, full_contract=True)))
must_fail(
    "outcome-forged",
    "A7.3",
    "A malformed answer counted as ungrounded.",
    forged(case(1, outcome="ungrounded")),
)
must_fail("claim-forged", "A7.4", "The blame put on another claim.", forged(case(2, claim=1)))
must_fail(
    "accepted-forged",
    "A7.5",
    "Another value handed to the application.",
    forged(case(0, accepted={"limit": "11", "mode": "fast"})),
)
must_fail(
    "accepted-partly",
    "A7.5",
    "A partial answer of a rejected candidate.",
    forged(case(2, accepted={"mode": "fast"})),
)

# A8: totals.
must_fail("total-forged", "A8.1", "One pass too many.", forged(total(full_contract=2)))
must_fail("labels-matched-forged", "A8.1", "One matched label too few.", forged(total(labels_matched=3)))
must_fail(
    "false-accepts-forged",
    "A8.1",
    "The false accepts of the baseline denied.",
    forged(total(baseline_false_accepts=0)),
)
must_fail(
    "outcomes-forged",
    "A8.1",
    "A needless refusal counted as an honest one.",
    forged(
        total(
            outcomes={
                "grounded": 1,
                "honest_refusal": 2,
                "needless_refusal": 0,
                "ungrounded": 1,
                "malformed": 0,
            }
        ),
        ORDERS,
    ),
)
must_fail(
    "hits-forged",
    "A8.1",
    "A prediction that missed, counted as a hit.",
    forged(
        total(
            predictions={
                "strict_json": {"made": 0, "hit": 0},
                "citation_exists": {"made": 0, "hit": 0},
                "full_contract": {"made": 1, "hit": 1},
            }
        )
    ),
)


def an_empty_folder(path: Path) -> None:
    path.with_name("empty").mkdir()


#: What git cannot hold: name → what is made of results.json in a copy of good-config-claims, the check, and why.
ODD: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "an-empty-folder": (an_empty_folder, "A1.2", "An empty folder."),
    "results-are-a-link": (a_link_out, "A1.3", "A link to the results, outside of the directory."),
    "results-are-a-link-beside": (a_link_beside, "A1.3", "A link to a file beside it."),
    "results-are-a-dangling-link": (a_dangling_link, "A1.3", "A link to nothing."),
    "results-are-a-folder": (a_folder, "A1.3", "A folder with the name of a file."),
    "results-are-a-fifo": (a_fifo, "A1.3", "A FIFO, at which a careless reader waits for ever."),
    "results-are-a-socket": (a_socket, "A1.3", "A socket."),
}


def index() -> bytes:
    """Return vectors.json."""
    rows = [
        {"name": each.name, "must": "fail" if each.check else "pass", "check": each.check, "why": each.why}
        for each in VECTORS
    ]
    return (json.dumps({"format": 1, "vectors": rows}, indent=1, ensure_ascii=True) + "\n").encode()


def readme() -> bytes:
    """Return README.md."""
    failing = sum(each.check is not None for each in VECTORS)
    rows = [
        f"| `{each.name}` | {'fail' if each.check else 'pass'} | {each.check or ''} | {each.why} |"
        for each in VECTORS
    ]
    return f"""# Vectors for auditors

{len(VECTORS)} run directories of format 1: {failing} that an auditor must fail and {len(VECTORS) - failing} that it must pass. They
are plain files, for any auditor of `docs/contract.md`; `vectors.json` is this table, for programs.

- *must*: `pass` is exit 0, `fail` is exit 1. A crash, a hang and "could not" are neither.
- *check*: the check of `docs/contract.md` that must be among those that fail.
- Every one has exactly one defect; others may follow from it.
- The sources in the manifests are made up, so audit with `--without-sources`:
  `python audit.py --without-sources tests/archives/*/`.
- Not here: what needs a pin of its own (A8.2), `--expect` (A3.7), the sources (A5.2), and what git cannot hold
  (links, FIFOs, sockets, empty folders): `ODD` in `tests/build_archives.py` makes those.

`python tests/build_archives.py` writes all of this, byte for byte the same each time.

| name | must | check | what it is |
|---|---|---|---|
{chr(10).join(rows)}
""".encode()


def build(folder: Path) -> None:
    """Write everything into a folder that is not there, or replace one that holds vectors."""
    if folder.exists():
        if not (folder / "vectors.json").is_file():
            raise SystemExit(f"{folder} is there and holds no vectors")
        shutil.rmtree(folder)
    for each in VECTORS:
        for path, data in each.files.items():
            (folder / each.name / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / each.name / path).write_bytes(data)
    (folder / "vectors.json").write_bytes(index())
    (folder / "README.md").write_bytes(readme())


if __name__ == "__main__":
    build(Path(os.path.abspath(sys.argv[1])) if sys.argv[1:] else ARCHIVES)
