"""Entries of the directory: added, removed, renamed, swapped, of another kind, unreadable, or far too large."""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

import builtins
import contextlib
import errno
import os
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import audit

from .good_runs import INPUT_PATHS, MANIFEST, PATHS, RESULTS, SUMS, GoodRun, Lab, sealed, sums_of
from .mutation import Changes, Mutation

#: Names that an honest system, a curious person or a forger may leave behind.
NAMES = (
    ".DS_Store", "._results.json", "Thumbs.db", "desktop.ini", ".gitignore", ".git", ".htaccess", "~$results.json",
    "results (1).json", "results.json.bak", "results.json~", ".results.json.swp", "results.json.tmp", "results",
    "Results.json", "RESULTS.JSON", "sha256sums", "SHA256SUMS.txt", "SHA256SUMS.asc", "SHA256SUMS.unfinished",
    "Manifest.json", "manifest.json.sig", "manifest.yaml", "Inputs", "README.md", "index.html", "audit.py", "run.py",
    "sitecustomize.py", "yaml.py", "jsonschema", "__pycache__", "CON", "nul.txt", "com1", "results.json.", "results.json ",
    " results.json", "results.json\u200b", "resu\u0131ts.json", "re\u0455ults.json", "\u202enosj.stluser", "\ufeffresults.json",
    "caf\u00e9.json", "cafe\u0301.json", "\u212bngstr\u00f6m", "\U0001f600", "a\nb", "a\tb", "\x1b[2J", "\x7f", "a:b", "C:\\x", "a\\b", "-rf",
    "--expect", "*", "?", "$HOME", "`id`", "$(id)", ";", "%2e%2e", "...", "x" * 255, "\u00e9" * 127, "bagit.txt", "data", "manifest-sha256.txt",
)  # fmt: skip
RAW_NAMES = (b"\xff", b"results\xe9.json", b"\xed\xa0\x80", b"\xc0\xaf")


def added(lab: Lab) -> Iterator[Mutation]:
    """Add a file, or a folder, at the top and among the inputs; listed in the sums and not."""
    run = lab.runs["tiny"]
    for folder in ("", "inputs/"):
        for name in NAMES:
            path = folder + name
            yield Mutation(
                family="entry added",
                name=f"file {path!a}",
                run=run,
                caught_by="A1.2",
                files={path: b"x"},
                sums_agree=True,
            )
            yield on_disk("entry added", f"folder {path!a}", run, "A1.2", making_folder(path))
            if "\n" not in name:
                files = {**run.files, path: b"x"}
                yield Mutation(
                    family="entry added",
                    name=f"file {path!a}, listed",
                    run=run,
                    caught_by="A1.2 A3.1",
                    files={path: b"x", SUMS: sums_of(files)},
                )
        for raw in RAW_NAMES:
            yield on_disk("entry added", f"file {folder!a} {raw!a}", run, "A1.2", making_raw(folder, raw))
    copies = {f"inputs/{path}": run.files[path] for path in (MANIFEST, RESULTS, SUMS)}
    copies |= {path.removeprefix("inputs/"): run.files[path] for path in INPUT_PATHS}
    for path, data in copies.items():
        yield Mutation(
            family="entry added", name=f"copy {path}", run=run, caught_by="A1.2", files={path: data}
        )
    for count in (59, 60, 64, 65, 300):
        many = {f"f{each:03}": b"" for each in range(count)}
        yield Mutation(family="entry added", name=f"{count} files", run=run, caught_by="A1.2", files=many)


def on_disk(family: str, name: str, run: GoodRun, caught_by: str, disk: Callable[[Path], None]) -> Mutation:
    return Mutation(family=family, name=name, run=run, caught_by=caught_by, disk=disk)


def making_folder(path: str) -> Callable[[Path], None]:
    return lambda place: (place / path).mkdir()


def making_raw(folder: str, raw: bytes) -> Callable[[Path], None]:
    def make(place: Path) -> None:
        with open(os.fsencode(place / folder) + b"/" + raw, "wb"):
            pass

    return make


def gone(lab: Lab) -> Iterator[Mutation]:
    """Remove, rename and swap files; with the sums as they were, and written anew for what is there."""
    for run in (lab.runs[each] for each in ("tiny", "order-status")):
        for path in PATHS:
            also = "" if path == SUMS else " A3.2"
            yield Mutation(
                family="entry gone",
                name=f"{path} removed",
                run=run,
                caught_by="A1.2" + also,
                files={path: None},
            )
            if path != SUMS:
                rest = {each: data for each, data in run.files.items() if each != path}
                yield Mutation(
                    family="entry gone",
                    name=f"{path} removed, not listed",
                    run=run,
                    caught_by="A1.2 A3.1",
                    files={path: None, SUMS: sums_of(rest)},
                    sums_agree=True,
                )
            for new in renamings(path):
                moved = {path: None, new: run.files[path]}
                yield Mutation(
                    family="entry gone",
                    name=f"{path} renamed {new!a}",
                    run=run,
                    caught_by="A1.2",
                    files=moved,
                )
        yield on_disk(
            "entry gone", "inputs removed", run, "A1.2 A3.2", lambda place: shutil.rmtree(place / "inputs")
        )
        yield on_disk("entry gone", "inputs renamed", run, "A1.2 A3.2", renaming("inputs", "Inputs"))
        yield on_disk("entry gone", "everything", run, "A1.2 A1.3 A1.4", emptied)
        yield on_disk("entry gone", "every file", run, "A1.2 A1.3 A1.4", files_removed)


def swapped(lab: Lab) -> Iterator[Mutation]:
    """Let two files change places; with the sums as they were, and redone."""
    for run in (lab.runs[each] for each in ("tiny", "order-status")):
        for first, second in ((one, two) for one in PATHS for two in PATHS if one < two):
            files = {**run.files, first: run.files[second], second: run.files[first]}
            changed = {first: files[first], second: files[second]}
            if SUMS in (first, second):
                checks = "A3.1"
            else:
                checks = "A3.2 A2.1|A2.2" if MANIFEST in (first, second) else "A3.2 A3.3|A3.4"
            yield Mutation(
                family="entry swapped", name=f"{first} and {second}", run=run, caught_by=checks, files=changed
            )
            if SUMS not in (first, second):
                files[SUMS] = sums_of(files)
                yield Mutation(
                    family="entry swapped",
                    name=f"{first} and {second}, summed",
                    run=run,
                    caught_by="A2.1|A2.2" if MANIFEST in (first, second) else "A3.3|A3.4",
                    files={**changed, SUMS: files[SUMS]},
                    sums_agree=True,
                )


def renamings(path: str) -> Iterator[str]:
    folder, _, name = path.rpartition("/")
    prefix = folder + "/" if folder else ""
    for new in (
        name.upper(),
        name.capitalize(),
        name + ".bak",
        name + " ",
        name + ".",
        " " + name,
        name.replace(".", "_"),
        "x",
    ):
        if new != name:
            yield prefix + new
    yield name if folder else "inputs/" + name


def renaming(old: str, new: str) -> Callable[[Path], None]:
    def rename(place: Path) -> None:
        (place / old).rename(place / new)

    return rename


def emptied(place: Path) -> None:
    shutil.rmtree(place)
    place.mkdir()


def files_removed(place: Path) -> None:
    for path in PATHS:
        (place / path).unlink()


Kind = Callable[[Path], None]


def moved_out(path: Path) -> Path:
    """Move what is there out of the run directory."""
    elsewhere = path.parent.parent.parent / "elsewhere"
    shutil.rmtree(elsewhere, ignore_errors=True)
    elsewhere.unlink(missing_ok=True)
    path.rename(elsewhere)
    return elsewhere


def take(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def a_link_out(path: Path) -> None:
    path.symlink_to(moved_out(path))


def a_relative_link(path: Path) -> None:
    path.symlink_to(os.path.relpath(moved_out(path), path.parent))


def a_link_beside(path: Path) -> None:
    path.rename(path.with_name("real"))
    path.symlink_to("real")


def a_dangling_link(path: Path) -> None:
    take(path)
    path.symlink_to("nowhere")


def a_link_to_itself(path: Path) -> None:
    take(path)
    path.symlink_to(path.name)


def a_link_to_the_folder(path: Path) -> None:
    take(path)
    path.symlink_to(".")


def a_link_to_a_device(path: Path) -> None:
    take(path)
    path.symlink_to("/dev/zero")


def a_link_to_proc(path: Path) -> None:
    take(path)
    path.symlink_to("/proc/self/fd/0")


def a_folder(path: Path) -> None:
    take(path)
    path.mkdir()


def a_folder_with_itself(path: Path) -> None:
    elsewhere = moved_out(path)
    path.mkdir()
    shutil.move(elsewhere, path / path.name)


def a_fifo(path: Path) -> None:
    take(path)
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    take(path)
    here = os.open(path.parent, os.O_RDONLY)
    before = os.getcwd()
    try:
        os.fchdir(here)  # the path of a socket may be 107 bytes long, and no longer
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)
        os.close(here)


def a_file(path: Path) -> None:
    take(path)
    path.write_bytes(b"x")


FILE_KINDS: tuple[Kind, ...] = (
    a_link_out, a_relative_link, a_link_beside, a_dangling_link, a_link_to_itself, a_link_to_the_folder, a_link_to_a_device,
    a_link_to_proc, a_folder, a_folder_with_itself, a_fifo, a_socket,
)  # fmt: skip
FOLDER_KINDS: tuple[Kind, ...] = (
    a_link_out, a_relative_link, a_link_beside, a_dangling_link, a_link_to_itself, a_link_to_the_folder, a_link_to_a_device,
    a_file, a_fifo, a_socket,
)  # fmt: skip


def kinds(lab: Lab) -> Iterator[Mutation]:
    """Make each entry something else than a regular file, or a real folder."""
    for run in (lab.runs[each] for each in ("tiny", "order-status")):
        for path in PATHS:
            for kind in FILE_KINDS:
                yield on_disk(
                    "entry of another kind", f"{path} {kind.__name__}", run, "A1.3", becoming(path, kind)
                )
        for kind in FOLDER_KINDS:
            yield on_disk(
                "entry of another kind", f"inputs {kind.__name__}", run, "A1.3", becoming("inputs", kind)
            )
        for kind in (*FOLDER_KINDS, a_link_to_proc):
            if kind is not a_link_to_the_folder:
                yield on_disk(
                    "entry of another kind", f"the directory {kind.__name__}", run, "A1.1", becoming("", kind)
                )


def becoming(path: str, kind: Kind) -> Callable[[Path], None]:
    return lambda place: kind(place / path if path else place)


ERRORS = (
    errno.EIO, errno.EACCES, errno.EPERM, errno.ENOENT, errno.ESTALE, errno.ELOOP, errno.EMFILE, errno.ENOMEM, errno.EINTR,
    errno.EISDIR, errno.ENXIO, errno.ETIMEDOUT, errno.EAGAIN,
)  # fmt: skip


def reads(lab: Lab) -> Iterator[Mutation]:
    """Make a look at a file, its opening or its reading fail, with each error, and let a file shrink or change."""
    run = lab.runs["tiny"]
    for path in PATHS:
        for code in ERRORS:
            said = errno.errorcode[code]
            for step in ("stat", "open", "fstat"):
                yield reading(f"{step} of {path}: {said}", run, "A1.4", failing(step, path, code))
            yield reading(f"read of {path}: {said}", run, "A1.4", failing_read(path, code))
        for said, change in CHANGED_WHILE_READ.items():
            check = "A3.1" if path == SUMS else "A3.2"
            yield reading(f"{path} {said}", run, check, changing_read(path, change))
    for code in ERRORS:
        check = "A1.2" if code == errno.ENOENT else "A1.4"  # what is gone between two looks is missing
        said = errno.errorcode[code]
        yield reading(f"stat of inputs: {said}", run, check, failing("stat", "inputs", code))
        for folder in ("", "inputs"):
            where = folder or "the directory"
            yield reading(f"scandir of {where}: {said}", run, check, failing("scandir", folder, code))
            yield reading(f"entries of {where}: {said}", run, check, stopping(folder, code))


Context = contextlib.AbstractContextManager[None]


def reading(name: str, run: GoodRun, caught_by: str, how: Callable[[Path], Context]) -> Mutation:
    return Mutation(family="read that fails", name=name, run=run, caught_by=caught_by, reading=how)


@contextlib.contextmanager
def patched(holder: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(holder, name, None)
    setattr(holder, name, value)
    try:
        yield
    finally:
        if before is None:
            delattr(holder, name)
        else:
            setattr(holder, name, before)


STAT, FSTAT = os.stat, os.fstat


def is_at(target: str, subject: Any, others: Any) -> bool:
    """Say whether a call means this path: by a path, by a name in an open folder, or by a descriptor."""
    if isinstance(subject, int):
        return os.path.samestat(FSTAT(subject), STAT(target))
    if others.get("dir_fd") is None:
        return str(os.fspath(subject)).rstrip("/") == target
    folder, name = os.path.split(target)
    return subject == name and os.path.samestat(FSTAT(others["dir_fd"]), STAT(folder))


def failing(step: str, path: str, code: int) -> Callable[[Path], Context]:
    """Let a function of the system fail for one path, and fstat for the file that was opened at it."""

    def how(place: Path) -> Context:
        target, real, opened = str(place / path) if path else str(place), getattr(os, step), os.open
        handles: set[int] = set()

        def fails(subject: Any, *rest: Any, **others: Any) -> Any:
            if (subject in handles) if step == "fstat" else is_at(target, subject, others):
                raise OSError(code, os.strerror(code))
            return real(subject, *rest, **others)

        def opens(subject: Any, *rest: Any, **others: Any) -> int:
            handle = opened(subject, *rest, **others)
            if is_at(target, subject, others):
                handles.add(handle)
            return handle

        stack = contextlib.ExitStack()
        stack.enter_context(patched(os, step, fails))
        if step == "fstat":
            stack.enter_context(patched(os, "open", opens))
        return stack  # type: ignore[return-value]

    return how


class Stopping:
    """Entries of which the second cannot be had."""

    def __init__(self, entries: Any, code: int) -> None:
        self.entries, self.code, self.count = entries, code, 0

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.entries.close()

    def __iter__(self) -> Stopping:
        return self

    def __next__(self) -> Any:
        self.count += 1
        if self.count == 2:
            raise OSError(self.code, os.strerror(self.code))
        return next(self.entries)


def stopping(folder: str, code: int) -> Callable[[Path], Context]:
    def how(place: Path) -> Context:
        target, real = str(place / folder) if folder else str(place), os.scandir
        return patched(
            os,
            "scandir",
            lambda path: Stopping(real(path), code) if is_at(target, path, {}) else real(path),
        )

    return how


class Reading:
    """An open file whose bytes come otherwise."""

    def __init__(self, file: Any, change: Callable[[bytes], bytes]) -> None:
        self.file, self.change = file, change

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def read(self, size: int = -1) -> bytes:
        return self.change(self.file.read(size))


def changing_read(path: str, change: Callable[[bytes], bytes]) -> Callable[[Path], Context]:
    """Let the file that is opened at one path give other bytes; what the module calls open is the builtin."""

    def how(place: Path) -> Context:
        target, real = os.stat(place / path), builtins.open

        def opens(file: Any, *rest: Any, **others: Any) -> Any:
            made = real(file, *rest, **others)
            same = isinstance(file, int) and os.path.samestat(os.fstat(file), target)
            return Reading(made, change) if same else made

        return patched(audit, "open", opens)

    return how


def failing_read(path: str, code: int) -> Callable[[Path], Context]:
    def fails(_: bytes) -> bytes:
        raise OSError(code, os.strerror(code))

    return changing_read(path, fails)


CHANGED_WHILE_READ: dict[str, Callable[[bytes], bytes]] = {
    "shrinks": lambda data: data[: len(data) // 2],
    "vanishes": lambda _: b"",
    "grows": lambda data: data + b"x",
    "changes": lambda data: b"x" + data[1:],
}
LARGEST = 64 * 1024 * 1024


def huge(lab: Lab) -> Iterator[Mutation]:
    """Make each file larger than the limit, and as large as the limit lets it be."""
    run = lab.runs["tiny"]
    for path in PATHS:
        for size in (LARGEST + 1, 2**33):
            yield on_disk("huge file", f"{path} of {size} bytes", run, "A1.4", growing(path, size))
        zeros = {SUMS: "A3.1", MANIFEST: "A2.1", RESULTS: "A2.4"}.get(path, "A6.1")
        yield on_disk(
            "huge file", f"{path} of {LARGEST} bytes, NUL at the end", run, zeros, growing(path, LARGEST)
        )
        if path != SUMS:
            # PyYAML takes each character by itself: a file of the largest size takes minutes.
            size = LARGEST if path in (MANIFEST, RESULTS) else 2**20
            for said, filler in (("blanks", b" "), ("line feeds", b"\n")):
                yield Mutation(
                    family="huge file",
                    name=f"{path} of {size} bytes, {said} at the end, sealed",
                    run=run,
                    caught_by={MANIFEST: "A2.3", RESULTS: "A2.6"}.get(path, "A4.1"),
                    files=filled(run, path, filler, size),
                )
    yield Mutation(
        family="huge file",
        name=f"{SUMS} of {LARGEST} bytes, line feeds at the end",
        run=run,
        caught_by="A3.1",
        files=lambda: {SUMS: run.files[SUMS].ljust(LARGEST, b"\n")},
    )


def filled(run: GoodRun, path: str, filler: bytes, size: int) -> Callable[[], Changes]:
    def files() -> Changes:
        made = sealed(run, {path: run.files[path].ljust(size, filler)})
        return {each: data for each, data in made.items() if data != run.files[each]}

    return files


def growing(path: str, size: int) -> Callable[[Path], None]:
    return lambda place: os.truncate(place / path, size)
