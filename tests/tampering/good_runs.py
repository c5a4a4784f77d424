"""Good run directories to tamper with, by the project's own runner, and the checkout that they are of."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit_fixtures import CONFIG, CONFIG_ROWS, INPUTS, ORDER, ROOT, make_checkout, material, sources_of

from grounded_claims import load_suite
from grounded_claims.provenance import Provenance
from grounded_claims.run_directory import manifest_document, serialise
from grounded_claims.runner import run_suite
from grounded_claims.suite_files import read_pins

Files = dict[str, bytes]
SUMS, MANIFEST, RESULTS = "SHA256SUMS", "manifest.json", "results.json"
INPUT_PATHS = tuple(f"inputs/{name}" for name in INPUTS)
PATHS = (SUMS, *INPUT_PATHS, MANIFEST, RESULTS)
#: So small that each of its bytes can be changed in turn: an accept, a wrong value, a text that is no JSON.
TINY = material("tiny", "config-claims", (CONFIG_ROWS[0], CONFIG_ROWS[2], CONFIG_ROWS[12]), pinned=True)
MODULES = {"src/grounded_claims/contracts/base.py": b"# base\n", "src/grounded_claims/gate.py": b"# gate\n"}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def suite_digest(files: Mapping[str, bytes]) -> str:
    """Return the suite digest of a run directory's files."""
    lines = (f"{sha256(files[path])}  {path.removeprefix('inputs/')}\n" for path in INPUT_PATHS)
    return sha256("".join(lines).encode())


def sums_of(files: Mapping[str, bytes]) -> bytes:
    """Write the sums of everything that is there."""
    return "".join(f"{sha256(files[path])}  {path}\n" for path in sorted(files) if path != SUMS).encode()


def sums_accept(files: Mapping[str, bytes]) -> bool:
    """Do what `sha256sum -c SHA256SUMS` does: every listed file is there and has its digest."""
    lines = files[SUMS].decode().splitlines()
    return bool(lines) and all(
        sha256(files.get(line[66:], b"\0no such file")) == line[:64] and line[64:66] == "  " for line in lines
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodRun:
    """A run directory in memory."""

    name: str
    files: Files

    def manifest(self) -> dict[str, Any]:
        """Return the manifest, to be changed at will."""
        read: dict[str, Any] = json.loads(self.files[MANIFEST])
        return read

    def results(self) -> dict[str, Any]:
        """Return the results, to be changed at will."""
        read: dict[str, Any] = json.loads(self.files[RESULTS])
        return read

    @property
    def run_digest(self) -> str:
        """Return what --expect takes."""
        return sha256(self.files[SUMS])


def sealed(good: GoodRun, changed: Mapping[str, bytes]) -> Files:
    """Return the files with the changed ones, and every digest that they alter recomputed wherever it stands.

    Digests are replaced as text, so that a document may be changed into anything at all.
    """
    files = {**good.files, **changed}
    altered = {sha256(good.files[path]): sha256(files[path]) for path in INPUT_PATHS if path in changed}
    if altered:
        altered[suite_digest(good.files)] = suite_digest(files)
    for path in (RESULTS, MANIFEST):
        for old, new in altered.items():
            files[path] = files[path].replace(old.encode(), new.encode())
        if path == RESULTS:
            altered[sha256(good.files[RESULTS])] = sha256(files[RESULTS])
    files[SUMS] = sums_of(files)
    return files


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A checkout that is a git repository of one commit, and the good runs of it by name."""

    root: Path
    commit: str
    runs: Mapping[str, GoodRun]

    def run_of(self, files: Mapping[str, bytes], *, frozen: bool | None = None) -> Files:
        """Run a suite, given as its three files by name, and return the run directory's files.

        `frozen` is what the manifest claims; by default it is the truth.
        """
        return _run(self.root, self.commit, files, frozen=frozen)


def make_lab(folder: Path) -> Lab:
    """Make the checkout, with the published suites' pins and that of the tiny one, and run four suites."""
    root = make_checkout(folder)
    pins = (root / "fixtures/frozen.sha256").read_bytes() + (ROOT / "fixtures/frozen.sha256").read_bytes()
    pins += b"".join(f"{sha256(TINY.files[name])}  fixtures/tiny/{name}\n".encode() for name in INPUTS)
    (root / "fixtures/frozen.sha256").write_bytes(pins)
    for name, data in MODULES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "The state that the runs are of")
    commit = git(root, "rev-parse", "HEAD")
    suites = {
        "tiny": TINY.files,
        "config-claims": published("config-claims"),
        "order-status": published("order-status"),
        "exercise": CONFIG.files,
        "order-exercise": ORDER.files,
    }
    runs = {
        name: GoodRun(name=name, files=_run(root, commit, files, frozen=None))
        for name, files in suites.items()
    }
    return Lab(root=root, commit=commit, runs=runs)


def published(name: str) -> Files:
    """Return the three files of a suite of this project."""
    return {each: (ROOT / "fixtures" / name / each).read_bytes() for each in INPUTS}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, with nothing of the user's configuration, at a fixed time."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {
            f"GIT_{who}_NAME": "a",
            f"GIT_{who}_EMAIL": "a@b.invalid",
            f"GIT_{who}_DATE": "1700000000 +0000",
        }
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, check=True, capture_output=True, env=environment)
    return done.stdout.decode().strip()


def _run(root: Path, commit: str, files: Mapping[str, bytes], *, frozen: bool | None) -> Files:
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        suite = load_suite(folder, pins=read_pins(root / "fixtures/frozen.sha256"))
    made = {f"inputs/{name}": data for name, data in files.items()}
    made[RESULTS] = serialise(run_suite(suite).document())
    provenance = Provenance(
        created="2026-11-30T12:00:00Z",
        git={"commit": commit, "dirty": False},
        environment={
            "python": "3.12.1",
            "implementation": "CPython",
            "platform": "Linux 6.1 x86_64",
            "packages": {"PyYAML": "6.0.2", "jsonschema": "4.23.0"},
        },
        sources=sources_of(root),
    )
    manifest = manifest_document(suite, provenance, results_digest=sha256(made[RESULTS]))
    if frozen is not None:
        manifest["suite"]["frozen"] = frozen
    made[MANIFEST] = serialise(manifest)
    return {**made, SUMS: sums_of(made)}
