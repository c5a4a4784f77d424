"""A run directory is whole or absent: order, bytes, refusals, and every failure at every step (R1 to R8)."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grounded_claims import load_suite
from grounded_claims.errors import EXIT_NOT_DONE, RunDirectoryError
from grounded_claims.provenance import Provenance
from grounded_claims.run_directory import _flush_folder, refuse_existing, serialise, write_run
from grounded_claims.runner import run_suite

ROOT = Path(__file__).parent.parent
SUITE = load_suite(ROOT / "fixtures" / "config-claims")
RESULTS = run_suite(SUITE)
PROVENANCE = Provenance(
    created="2026-11-30T12:00:00Z",
    git={"commit": "0" * 40, "dirty": False},
    environment={"python": "3", "implementation": "CPython", "platform": "x", "packages": {"PyYAML": "6"}},
    sources={"run.py": "1" * 64, "audit.py": "2" * 64},
)
LISTED = ["inputs/cases.yaml", "inputs/registry.yaml", "inputs/suite.yaml", "manifest.json", "results.json"]


def write(out: Path) -> Any:
    return write_run(out, results=RESULTS, provenance=PROVENANCE)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def tree(folder: Path) -> dict[str, Any]:
    """Return all there is below a folder: kind, mode and content."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content: object = None
        if stat.S_ISLNK(status.st_mode):
            content = path.readlink()
        elif stat.S_ISREG(status.st_mode):
            content = path.read_bytes()
        found[path.relative_to(folder).as_posix()] = (status.st_mode, content)
    return found


# A run that succeeds


def test_r1_it_holds_exactly_these_files(tmp_path: Path) -> None:
    write(tmp_path / "run")
    assert sorted(tree(tmp_path / "run")) == sorted(["inputs", *LISTED, "SHA256SUMS"])
    for name, data in SUITE.files.items():
        assert (tmp_path / "run" / "inputs" / name).read_bytes() == data


def test_r2_r8_bytes_digests_and_sums(tmp_path: Path) -> None:
    out = tmp_path / "run"
    written = write(out)
    sums = (out / "SHA256SUMS").read_bytes()
    assert sums.decode().splitlines() == [f"{sha256((out / path).read_bytes())}  {path}" for path in LISTED]
    assert sums.endswith(b"\n")
    assert (out / "results.json").read_bytes() == serialise(RESULTS.document())
    assert written.results_digest == sha256((out / "results.json").read_bytes())
    assert written.run_digest == sha256(sums)
    assert b"\r" not in sums + (out / "results.json").read_bytes() + (out / "manifest.json").read_bytes()


def test_r8_sha256sum_checks_it_without_us(tmp_path: Path) -> None:
    write(tmp_path / "run")
    done = subprocess.run(
        ["sha256sum", "--strict", "--check", "SHA256SUMS"],
        cwd=tmp_path / "run",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [f"{path}: OK" for path in LISTED]


def test_the_manifest(tmp_path: Path) -> None:
    write(tmp_path / "run")
    data = (tmp_path / "run" / "manifest.json").read_bytes()
    manifest = json.loads(data)
    assert data == serialise(manifest)
    assert list(manifest.items()) == [
        ("format", 1),
        ("program", {"name": "grounded-claims", "version": "0.1.0"}),
        (
            "suite",
            {
                "name": "config-claims",
                "contract": "config-claims",
                "digest": SUITE.digest,
                "frozen": True,
                "cases": 22,
            },
        ),
        ("created", "2026-11-30T12:00:00Z"),
        ("git", {"commit": "0" * 40, "dirty": False}),
        (
            "environment",
            {"python": "3", "implementation": "CPython", "platform": "x", "packages": {"PyYAML": "6"}},
        ),
        ("sources", {"audit.py": "2" * 64, "run.py": "1" * 64}),
        ("inputs", {f"inputs/{name}": sha256(SUITE.files[name]) for name in sorted(SUITE.files)}),
        ("outputs", {"results.json": sha256(serialise(RESULTS.document()))}),
    ]
    assert list(manifest["sources"]) == ["audit.py", "run.py"]


def test_the_manifest_is_by_its_schema(tmp_path: Path) -> None:
    """With the sources that the schema asks for."""
    schema = json.loads((ROOT / "manifest.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    names = (
        "run.py",
        "audit.py",
        "bootstrap.py",
        "requirements.txt",
        "manifest.schema.json",
        "results.schema.json",
    )
    sources = dict.fromkeys((*names, "src/grounded_claims/gate.py"), "1" * 64)
    for git in ({"commit": "0" * 40, "dirty": True}, {"unavailable": "git is not installed"}):
        provenance = replace(PROVENANCE, sources=sources, git=git)
        out = tmp_path / str(len(git))
        write_run(out, results=RESULTS, provenance=provenance)
        manifest = json.loads((out / "manifest.json").read_bytes())
        jsonschema.validate(manifest, schema, jsonschema.Draft202012Validator)


def test_an_exercise_is_said_not_to_be_frozen(tmp_path: Path) -> None:
    results = replace(RESULTS, suite=replace(SUITE, frozen=False))
    write_run(tmp_path / "run", results=results, provenance=PROVENANCE)
    assert json.loads((tmp_path / "run" / "manifest.json").read_bytes())["suite"]["frozen"] is False


def test_parents_are_made_as_needed(tmp_path: Path) -> None:
    write(tmp_path / "a" / "é b" / "\U0001f600" / "run")
    assert (tmp_path / "a" / "é b" / "\U0001f600" / "run" / "SHA256SUMS").is_file()


def test_a_relative_path_is_taken_from_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("run"))
    write(Path("deep") / "run")
    assert (tmp_path / "run" / "SHA256SUMS").read_bytes() == (tmp_path / "deep/run/SHA256SUMS").read_bytes()


def test_a_parent_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link" / "run")
    assert (tmp_path / "real" / "run" / "SHA256SUMS").is_file()


# A path that exists in any form (bug-log M13)


def _directory(path: Path) -> None:
    path.mkdir()
    (path / "kept").write_text("kept", encoding="utf-8")


EXISTING: dict[str, Callable[[Path], None]] = {
    "a directory": _directory,
    "an empty directory": Path.mkdir,
    "a finished run": lambda path: write(path) and None,
    "a file": lambda path: path.write_text("kept", encoding="utf-8") and None,
    "an empty file": Path.touch,
    "a dangling link": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to an empty directory": lambda path: (path.parent / "d").mkdir() or path.symlink_to("d"),
    "a pipe": os.mkfifo,
}


@pytest.mark.parametrize("name", EXISTING)
@pytest.mark.parametrize("refuse", [refuse_existing, write], ids=["looked for first", "met while writing"])
def test_what_exists_in_any_form_is_refused_and_untouched(
    name: str, refuse: Callable[[Path], Any], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    EXISTING[name](out)
    before = tree(tmp_path)
    with pytest.raises(RunDirectoryError) as raised:
        refuse(out)
    assert str(raised.value) == (
        f"{out} exists already, and a run never overwrites; name a new directory with --out"
    )
    assert raised.value.exit_code == EXIT_NOT_DONE
    assert tree(tmp_path) == before


def test_a_path_that_does_not_exist_is_not_refused(tmp_path: Path) -> None:
    refuse_existing(tmp_path / "a" / "run")


def test_a_parent_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    out = tmp_path / "file" / "run"
    with pytest.raises(RunDirectoryError) as raised:
        write(out)
    assert str(raised.value) == f"{out} could not be written: Not a directory; nothing is left of it"
    assert tree(tmp_path) == {"file": tree(tmp_path)["file"]}


def test_a_parent_that_is_a_dangling_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    out = tmp_path / "link" / "run"
    with pytest.raises(RunDirectoryError) as raised:
        write(out)
    assert (
        str(raised.value) == f"{out} could not be written: No such file or directory; nothing is left of it"
    )
    assert list(tree(tmp_path)) == ["link"]


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    out = tmp_path / "made" / ("x" * 300)
    with pytest.raises(RunDirectoryError) as raised:
        write(out)
    assert str(raised.value) == f"{out} could not be written: File name too long; nothing is left of it"
    assert tree(tmp_path) == {}


# Failures injected at each step (bug-log M12)

CALLS = ("mkdir", "open", "write", "fsync", "rename")
TAKEN_AWAY = ("unlink", "rmdir")


class Injected:
    """Counts the calls that write, and lets the k-th fail, once or from then on."""

    def __init__(self, at: int, error: BaseException, *, lasting: bool) -> None:
        self.at, self.error, self.lasting = at, error, lasting
        self.count = 0

    def __call__(self) -> None:
        self.count += 1
        if self.count == self.at or (self.lasting and self.count > self.at):
            raise self.error


@contextmanager
def injected(failure: Injected, calls: tuple[str, ...]) -> Iterator[None]:
    """Let calls fail. What does not fail is done, but the disk is not waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        for name in calls:
            patch.setattr(os, name, _failing(getattr(os, name), failure))
        yield


def _failing(real: Callable[..., Any], failure: Injected) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        failure()
        return real(*arguments, **named)

    return call


def steps() -> int:
    """Count the calls of a run that succeeds."""
    failure = Injected(0, OSError(), lasting=False)
    with pytest.MonkeyPatch.context() as patch, injected(failure, CALLS):
        patch.setattr(os, "mkdir", _failing(lambda *_, **__: None, failure))
        patch.setattr(os, "open", _failing(lambda *_, **__: os.dup(1), failure))
        patch.setattr(os, "write", _failing(lambda _, data: len(data), failure))
        patch.setattr(os, "fsync", _failing(lambda _: None, failure))
        patch.setattr(os, "rename", _failing(lambda *_: None, failure))
        write(Path("/no-such-parent/run"))
    return failure.count


STEPS = steps()


def test_the_steps_are_those_of_the_procedure() -> None:
    """Three folders made and six folders flushed, by two calls each; six files, by three; one rename."""
    assert STEPS == 3 + 6 * 2 + 6 * 3 + 1


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_m12_a_failure_at_any_step_leaves_nothing(*, number: int, lasting: bool, tmp_path: Path) -> None:
    out = tmp_path / "parent" / "run"
    (tmp_path / "beside").write_text("kept", encoding="utf-8")
    before = tree(tmp_path)
    for step in range(1, STEPS + 1):
        failure = Injected(step, OSError(number, os.strerror(number)), lasting=lasting)
        with injected(failure, CALLS), pytest.raises(RunDirectoryError) as raised:
            write(out)
        assert str(raised.value) == (
            f"{out} could not be written: {os.strerror(number)}; nothing is left of it"
        )
        assert tree(tmp_path) == before
    with injected(Injected(STEPS + 1, OSError(number), lasting=lasting), CALLS):
        write(out)
    assert (out / "SHA256SUMS").is_file()


def test_m12_an_interrupt_at_any_step_leaves_nothing(tmp_path: Path) -> None:
    out = tmp_path / "parent" / "run"
    for step in range(1, STEPS + 1):
        failure = Injected(step, KeyboardInterrupt(), lasting=False)
        with injected(failure, CALLS), pytest.raises(KeyboardInterrupt):
            write(out)
        assert tree(tmp_path) == {}


def test_m12_what_cannot_be_taken_away_is_unfinished_or_whole(tmp_path: Path) -> None:
    """Nothing can be removed any more either: then there are no sums, or the run is complete."""
    whole: list[int] = []
    for step in range(1, STEPS + 1):
        out = tmp_path / str(step) / "run"
        failure = Injected(step, OSError(errno.EIO, "Input/output error"), lasting=True)
        with injected(failure, CALLS + TAKEN_AWAY), pytest.raises(RunDirectoryError) as raised:
            write(out)
        left = "nothing is left of it"
        if out.exists():
            finished = (out / "SHA256SUMS").exists()
            left = f"what was written is still there, {'with' if finished else 'without'} SHA256SUMS"
            if finished:
                whole.append(step)
                assert sorted(tree(out)) == sorted(["inputs", *LISTED, "SHA256SUMS"])
        assert str(raised.value) == f"{out} could not be written: Input/output error; {left}"
    assert whole == [STEPS - 1, STEPS]  # the last flush of the folder, after the rename


def test_a_write_that_takes_some_bytes_only_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data)[:1000]))
    write(tmp_path / "run")
    monkeypatch.undo()
    write(tmp_path / "again")
    assert tree(tmp_path / "run") == tree(tmp_path / "again")


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_a_file_system_that_flushes_no_folders_will_do(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fsync(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(number, os.strerror(number))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write(tmp_path / "run")
    assert (tmp_path / "run" / "SHA256SUMS").is_file()


def test_a_system_that_opens_no_folders_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows: there is nothing to flush, so nothing is opened."""
    missing = tmp_path / "missing"
    monkeypatch.setattr(os, "name", "nt")
    _flush_folder(missing)
    monkeypatch.undo()
    with pytest.raises(FileNotFoundError):
        _flush_folder(missing)


def test_the_order_of_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is flushed before the next is opened; the sums come last, and by rename."""
    done: list[str] = []
    names: dict[int, str] = {}
    out = tmp_path / "run"
    real_open, real_fsync, real_rename, real_mkdir = os.open, os.fsync, os.rename, os.mkdir

    def note(what: str, path: object) -> None:
        done.append(f"{what} {os.path.relpath(str(path), tmp_path)}")

    def noted_open(path: Any, flags: int, *mode: int) -> int:
        handle = real_open(path, flags, *mode)
        names[handle] = str(path)
        if flags & os.O_CREAT:
            assert flags & os.O_EXCL
            note("make", path)
        return handle

    monkeypatch.setattr(os, "open", noted_open)
    monkeypatch.setattr(os, "fsync", lambda handle: (note("flush", names[handle]), real_fsync(handle))[1])
    monkeypatch.setattr(os, "rename", lambda old, new: (note("rename to", new), real_rename(old, new))[1])
    monkeypatch.setattr(os, "mkdir", lambda path: (note("folder", path), real_mkdir(path))[1])
    write(out)
    monkeypatch.undo()
    files = [
        "inputs/cases.yaml",
        "inputs/registry.yaml",
        "inputs/suite.yaml",
        "results.json",
        "manifest.json",
    ]
    assert done == [
        *("folder run", "flush .", "folder run/inputs", "flush run"),
        *(f"{what} run/{name}" for name in files for what in ("make", "flush")),
        *("flush run/inputs", "flush run"),
        *("make run/SHA256SUMS.unfinished", "flush run/SHA256SUMS.unfinished"),
        *("rename to run/SHA256SUMS", "flush run"),
    ]
