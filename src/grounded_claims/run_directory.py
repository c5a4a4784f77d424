"""Writes a run directory, or nothing.

    1. make the directory, exclusively, and its parents as needed; a path that exists in any form is refused
    2. write the suite's files under inputs/, byte for byte
    3. write results.json
    4. write manifest.json
    5. write SHA256SUMS under another name, and rename it into place: no sums, no run

Every file and folder is flushed to disk before the next step. Whatever interrupts, what was made is taken
away again; where even that fails, a directory without SHA256SUMS is left, which the audit calls unfinished.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from . import __version__
from .errors import RunDirectoryError
from .provenance import MANIFEST_FORMAT, PROGRAM, Provenance
from .runner import Results
from .suite import Suite

INPUTS: Final = "inputs"
RESULTS: Final = "results.json"
MANIFEST: Final = "manifest.json"
SUMS: Final = "SHA256SUMS"
UNFINISHED: Final = "SHA256SUMS.unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The two digests of a run: of its results, which is the reproduction test, and of its sums."""

    results_digest: str
    run_digest: str


def serialise(document: Mapping[str, Any]) -> bytes:
    """Write a document in the pinned form (R2)."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def digest(data: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def manifest_document(suite: Suite, provenance: Provenance, *, results_digest: str) -> dict[str, Any]:
    """Return the content of `manifest.json`."""
    return {
        "format": MANIFEST_FORMAT,
        "program": {"name": PROGRAM, "version": __version__},
        "suite": {
            "name": suite.name,
            "contract": suite.contract.name,
            "digest": suite.digest,
            "frozen": suite.frozen,
            "cases": len(suite.cases),
        },
        "created": provenance.created,
        "git": dict(provenance.git),
        "environment": dict(provenance.environment),
        "sources": dict(sorted(provenance.sources.items())),
        "inputs": {f"{INPUTS}/{name}": digest(data) for name, data in sorted(suite.files.items())},
        "outputs": {RESULTS: results_digest},
    }


def refuse_existing(out: Path) -> None:
    """Refuse a path that exists in any form: directory, file, or a link to anything or to nothing."""
    if os.path.lexists(out):
        raise _exists(out)


def _exists(out: Path) -> RunDirectoryError:
    return RunDirectoryError(
        f"{out} exists already, and a run never overwrites; name a new directory with --out"
    )


def write_run(out: Path, *, results: Results, provenance: Provenance) -> Written:
    """Write the run directory of some results and return its digests."""
    results_bytes = serialise(results.document())
    results_digest = digest(results_bytes)
    manifest = manifest_document(results.suite, provenance, results_digest=results_digest)
    files = {f"{INPUTS}/{name}": data for name, data in sorted(results.suite.files.items())}
    files |= {RESULTS: results_bytes, MANIFEST: serialise(manifest)}
    sums = "".join(f"{digest(data)}  {path}\n" for path, data in sorted(files.items())).encode()
    made = _Made()
    try:
        _write_all(out, files=files, sums=sums, made=made)
    except OSError as error:
        made.remove()
        raise RunDirectoryError(
            f"{out} could not be written: {error.strerror or error}; {_left(out)}"
        ) from error
    except BaseException:
        made.remove()
        raise
    return Written(results_digest=results_digest, run_digest=digest(sums))


def _left(out: Path) -> str:
    """Say what is left of a run that failed."""
    if not os.path.lexists(out):
        return "nothing is left of it"
    sums = "with" if os.path.lexists(out / SUMS) else "without"
    return f"what was written is still there, {sums} {SUMS}"


class _Made:
    """What this run has made, so that it can take away that and nothing else."""

    def __init__(self) -> None:
        self.folders: list[Path] = []
        self.files: list[Path] = []

    def folder(self, path: Path) -> None:
        os.mkdir(path)
        self.folders.append(path)
        _flush_folder(path.parent)

    def file(self, path: Path, data: bytes) -> None:
        self.files.append(
            path
        )  # beforehand: it can only be ours, in a folder that is, and Ctrl-C comes any time
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, path: Path, target: Path) -> None:
        self.files.append(target)
        os.rename(path, target)
        self.files.remove(path)

    def remove(self) -> None:
        """Take everything away again, the sums first."""
        for path in reversed(self.files):
            with suppress(OSError):
                os.unlink(path)
        for path in reversed(self.folders):
            with suppress(OSError):
                os.rmdir(path)


def _write_all(out: Path, *, files: Mapping[str, bytes], sums: bytes, made: _Made) -> None:
    for parent in reversed(out.parents):  # 1
        if not parent.exists():
            with suppress(FileExistsError):
                made.folder(parent)
    try:
        made.folder(out)
    except FileExistsError:
        raise _exists(out) from None
    made.folder(out / INPUTS)
    for path, data in files.items():  # 2, 3, 4
        made.file(out / path, data)
    _flush_folder(out / INPUTS)
    _flush_folder(out)
    made.file(out / UNFINISHED, sums)  # 5
    made.rename(out / UNFINISHED, out / SUMS)
    _flush_folder(out)


def _flush_folder(path: Path) -> None:
    """Flush a folder's entries to disk, where the system lets a folder be opened."""
    if os.name != "posix":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems flush files alone
            raise
    finally:
        os.close(handle)
