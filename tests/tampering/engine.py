"""Applies a mutation to a run directory on disk, audits it, and says whether it came out as it must."""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import audit

from .good_runs import PATHS, GoodRun, Lab, sums_accept
from .mutation import Changes, Mutation

#: At most this much for one audit, on any machine: it guards against a hang, not a slow one.
HANG_SECONDS = 60.0
#: Larger suites are read anew, in bytes.
MOST_REMEMBERED = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What one audit of one mutation said; `missed` says what is wrong with that, or nothing."""

    mutation: Mutation
    missed: str
    failed: tuple[str, ...]
    seconds: float
    peak: int  # KiB, where this audit needed more than the process ever had, else 0


def peak_memory() -> int:
    """Return the most memory that this process has held, in KiB; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if os.uname().sysname == "Darwin" else peak


@contextlib.contextmanager
def fast_folder() -> Iterator[Path]:
    """Make a temporary folder, in memory where the system has such a place."""
    shm = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shm if os.access(shm, os.W_OK) else None) as folder:
        yield Path(folder)


@contextlib.contextmanager
def remembered_suites() -> Iterator[None]:
    """Let the auditor read the same three input files once: most mutations leave them as they are.

    read_suite is a function of bytes, so what it says of the same bytes is the same; every command that a
    test runs in a process of its own reads them anew.
    """
    read = audit.read_suite

    @functools.lru_cache(maxsize=64)
    def cached(files: tuple[bytes, ...], frozen: bool) -> Any:
        return read(dict(zip(audit.INPUTS, files, strict=True)), frozen)

    def remembering(files: Mapping[str, bytes], frozen: bool = False) -> Any:
        if sum(map(len, files.values())) > MOST_REMEMBERED:
            return read(files, frozen)
        return cached(tuple(files[name] for name in audit.INPUTS), frozen)

    audit.read_suite = remembering
    try:
        yield
    finally:
        audit.read_suite = read


class Bench:
    """A folder where one good run after another is tampered with, and mended again."""

    def __init__(self, folder: Path, lab: Lab) -> None:
        self.folder = folder
        self.checkout = audit.read_checkout(str(lab.root))
        self.laid: dict[str, Path] = {}

    def place(self, run: GoodRun) -> Path:
        """Return where a good run lies, whole."""
        if run.name not in self.laid:
            self.laid[run.name] = self.folder / run.name / "run"
            lay(self.laid[run.name], run)
        return self.laid[run.name]

    @contextlib.contextmanager
    def tampered(self, mutation: Mutation, changed: Changes) -> Iterator[Path]:
        """Apply a mutation, and take it back."""
        place = self.place(mutation.run)
        try:
            for path, data in changed.items():
                put(place / path, data)
            if mutation.disk:
                mutation.disk(place)
            yield place
        finally:
            if mutation.disk:
                clear(place.parent)
                lay(place, mutation.run)
            else:
                for path in changed:
                    put(place / path, mutation.run.files.get(path))

    def audit(self, mutation: Mutation, place: Path, expect: str | None = None) -> audit.Report:
        """Audit as the command does, printing in both formats to nowhere."""
        options = argparse.Namespace(expect=expect, without_sources=False)
        reading = mutation.reading(place) if mutation.reading else contextlib.nullcontext()
        with reading:
            report = audit.audit(str(place), self.checkout, options, [])
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            audit.print_table(report)
            audit.print_line(report)
        json.loads(audit.as_json(report))
        assert printed.getvalue().isascii() or printed.getvalue().replace("\n", "").isprintable()
        return report

    def try_one(self, mutation: Mutation) -> Seen:
        """Apply a mutation, audit, and compare with what must come of it."""
        changed = mutation.changes()
        before, started = peak_memory(), time.perf_counter()
        failed: tuple[str, ...] = ()
        with self.tampered(mutation, changed) as place:
            try:
                report = self.audit(mutation, place)
                failed = made_and_failed(report)
                missed = judged(mutation, report)
                if mutation.outcome == "expect" and not missed:
                    missed = judged_by_expect(self.audit(mutation, place, mutation.run.run_digest))
            except Exception as error:  # noqa: BLE001  (a crash is what is looked for, and never a verdict)
                missed = f"a crash: {error!r}"
        seconds = time.perf_counter() - started
        if not missed and seconds > HANG_SECONDS:
            missed = f"{seconds:.0f} seconds"
        if not missed and mutation.sums_agree and not sums_accept(whole(mutation.run, changed)):
            missed = "the sums do not agree, and the table says that they do"
        peak = peak_memory() if peak_memory() > before else 0
        return Seen(mutation=mutation, missed=missed, failed=failed, seconds=seconds, peak=peak)


def whole(run: GoodRun, changed: Changes) -> dict[str, bytes]:
    """Return all files of a run with those that changed."""
    files: dict[str, bytes | None] = {**run.files, **changed}
    return {path: data for path, data in files.items() if data is not None}


def made_and_failed(report: audit.Report) -> tuple[str, ...]:
    """Return the checks that were made and failed."""
    return tuple(
        each.ident
        for each in report.checks.values()
        if each.state == audit.FAILED and not each.said.startswith("not made")
    )


def judged(mutation: Mutation, report: audit.Report) -> str:
    """Say what is wrong with an audit of a mutation, or nothing."""
    code, failed = report.exit_code(), made_and_failed(report)
    if mutation.outcome != "defect":
        wrong = "" if code == 0 else f"exit {code} by {' '.join(failed)}"
        if mutation.outcome == "exercise" and report.verdict() != "PASS: not a published suite":
            wrong = f"the last line is {report.verdict()!r}"
        return wrong
    if code != 1:
        return f"exit {code}"
    for word in mutation.caught_by.split():
        if not set(word.split("|")) & set(failed):
            return f"caught by {' '.join(failed)}, not by {word}"
    return "" if mutation.caught_by else "the table names no check"


def judged_by_expect(report: audit.Report) -> str:
    """Say what is wrong with an audit by --expect of what it alone can notice, or nothing."""
    code, failed = report.exit_code(), made_and_failed(report)
    return "" if (code, failed) == (1, ("A3.7",)) else f"with --expect: exit {code} by {' '.join(failed)}"


def lay(place: Path, run: GoodRun) -> None:
    """Write a good run."""
    (place / "inputs").mkdir(parents=True)
    for path in PATHS:
        (place / path).write_bytes(run.files[path])


def put(path: Path, data: bytes | None) -> None:
    """Write a file, or take it away."""
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


def clear(folder: Path) -> None:
    """Take away everything in a folder, whatever a mutation has made of it."""
    for entry in os.scandir(os.fsencode(folder)):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path)
        else:
            os.unlink(entry.path)
