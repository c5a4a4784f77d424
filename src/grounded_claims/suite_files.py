"""The folders that suites lie in: finding one, reading its files once, digests and pins (F6)."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from . import places
from .errors import Fault, SuiteError, UsageError
from .shapes import listed, nearest, nearest_word
from .strict_yaml import MAX_BYTES

SUITE: Final = "suite.yaml"
REGISTRY: Final = "registry.yaml"
CASES: Final = "cases.yaml"
FILES: Final = (SUITE, REGISTRY, CASES)
PINS: Final = "frozen.sha256"

_PIN: Final = re.compile(r"([0-9a-f]{64})  fixtures/([a-z0-9-]+)/(cases|registry|suite)\.yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFiles:
    """The bytes of a suite's three files, each read once, and the names of what else lies in the folder."""

    files: Mapping[str, bytes]
    ignored: tuple[str, ...]


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes, in lower-case hexadecimal digits (F6.1)."""
    return hashlib.sha256(data).hexdigest()


def suite_digest(files: Mapping[str, bytes]) -> str:
    """Return the digest of a suite, from its files by name (F6.2)."""
    return _digest_of_digests({name: digest(data) for name, data in files.items()})


def _digest_of_digests(digests: Mapping[str, str]) -> str:
    return digest("".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode())


def read_pins(path: Path | None = None) -> Mapping[str, str]:
    """Read the digests of the frozen suites, by name, from lines as of sha256sum (F6.3)."""
    path = places.fixtures() / PINS if path is None else path
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        message = f"the pins of the frozen suites cannot be read ({_reason(error)}); restore the file"
        raise SuiteError([Fault(path=(), message=message, file=str(path))]) from None
    pinned: dict[str, dict[str, str]] = {}
    faults = [] if lines[-1:] == [""] else [Fault(path=(), message="the last line does not end in LF")]
    for number, line in enumerate(lines[: -1 if not faults else None], start=1):
        match = _PIN.fullmatch(line)
        if match is None:
            message = f"{line!r} is not a line '<64 hex digits>  fixtures/<suite>/<file>'"
            faults.append(Fault(path=(), message=message, line=number))
        elif f"{match[3]}.yaml" in pinned.setdefault(match[2], {}):
            message = f"fixtures/{match[2]}/{match[3]}.yaml is pinned twice"
            faults.append(Fault(path=(), message=message, line=number))
        else:
            pinned[match[2]][f"{match[3]}.yaml"] = match[1]
    for name, digests in pinned.items():
        faults += [
            Fault(path=(), message=f"{file} of the suite {name!r} is not pinned")
            for file in FILES
            if file not in digests
        ]
    if faults:
        raise SuiteError(fault.at(str(path), fault.line) for fault in faults)
    return MappingProxyType({name: _digest_of_digests(digests) for name, digests in sorted(pinned.items())})


def known_suites() -> tuple[str, ...]:
    """Return the names of the project's own suites."""
    root = places.fixtures()
    if not root.is_dir():
        return ()
    return tuple(sorted(entry.name for entry in root.iterdir() if (entry / SUITE).is_file()))


def find_suite(name_or_folder: str, *, or_run: bool = False) -> Path:
    """Return the folder of a suite: one of `fixtures/` by name first, else any folder.

    `or_run` says that a run directory could have been meant, too; only the message differs.
    """
    known = known_suites()
    if name_or_folder in known:
        return places.fixtures() / name_or_folder
    path = Path(name_or_folder)
    if name_or_folder and os.path.lexists(path):
        return path
    near = nearest(name_or_folder, known) or nearest_folder(path)
    have = f"known suites: {', '.join(known)}" if known else "no suite is installed"
    what = "neither a run directory, nor the name of a suite, nor a folder"
    what = what if or_run else "neither a suite nor a folder"
    raise UsageError(f"{name_or_folder!r} is {what}{near}; {have}")


def nearest_folder(path: Path) -> str:
    """Return `; did you mean 'x'?` for the folder beside a path that is not there, or nothing."""
    try:
        beside = [entry.name for entry in os.scandir(path.parent) if entry.is_dir()]
    except OSError:
        return ""
    near = nearest_word(path.name, sorted(beside))
    return "" if near is None else f"; did you mean {str(path.parent / near)!r}?"


def copy_advice(name: str) -> str:
    """Say how to keep what was changed in a frozen suite, and only then how to restore the suite."""
    return (
        f"to keep your change, first copy the folder (cp -r fixtures/{name} my-suite) and run with "
        f"--suite my-suite; then restore the frozen one (git checkout -- fixtures/{name})"
    )


def edited_frozen(folder: Path, *, digest: str, pins: Mapping[str, str]) -> str | None:
    """Return the name of the frozen suite that a folder of `fixtures/` no longer is, or None."""
    resolved = folder.resolve()
    if resolved.parent != places.fixtures().resolve() or resolved.name not in pins:
        return None
    return resolved.name if pins[resolved.name] != digest else None


def only_line_endings(files: Mapping[str, bytes], *, pinned: str) -> bool:
    """Tell whether a suite would be the pinned one if its lines ended in LF."""
    return suite_digest({name: data.replace(b"\r\n", b"\n") for name, data in files.items()}) == pinned


def read_files(folder: Path) -> SuiteFiles:
    """Read the three files of a suite; what is wrong with the folder or with any of them is a SuiteError."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise SuiteError([Fault(path=(), message=_no_folder(folder, error), file=str(folder))]) from None
    if not any(name in FILES for name in names):
        raise SuiteError([Fault(path=(), message=_no_suite(folder, names), file=str(folder))])
    files: dict[str, bytes] = {}
    faults: list[Fault] = []
    for name in FILES:
        data = _read(folder / name, present=names)
        if isinstance(data, bytes):
            files[name] = data
        else:
            faults.append(Fault(path=(), message=data, file=str(folder / name)))
    if faults:
        raise SuiteError(faults)
    ignored = tuple(name for name in names if name not in FILES)
    return SuiteFiles(files=MappingProxyType(files), ignored=ignored)


def _read(path: Path, *, present: list[str]) -> bytes | str:
    """Return the bytes of a regular file within the limit, or what is wrong; a FIFO is never waited for."""
    if path.name not in present:
        near = nearest(path.name, [name for name in present if name not in FILES])
        return f"is missing; a suite has the files {', '.join(FILES)}{near}"
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return "is not a regular file; put the file itself here, not a link, a folder or a device"
        flags = (
            os.O_RDONLY
            | getattr(os, "O_BINARY", 0)
            | getattr(os, "O_NONBLOCK", 0)
            | getattr(os, "O_NOFOLLOW", 0)
        )
        with open(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return "is not a regular file; put the file itself here, not a link, a folder or a device"
            if status.st_size > MAX_BYTES:
                return f"holds {status.st_size} bytes; at most {MAX_BYTES} are taken"
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        return f"cannot be read ({_reason(error)})"


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def _no_folder(folder: Path, error: OSError) -> str:
    if error.errno == errno.ENOENT:
        if str(folder) in known_suites():
            return (
                f"there is no such folder; the suite of this name is load_suite(find_suite({str(folder)!r}))"
            )
        return f"there is no such folder{nearest(str(folder), known_suites()) or nearest_folder(folder)}"
    if folder.is_file():
        if folder.name in FILES:
            return f"is one file of a suite; name the folder that holds it: {folder.parent}"
        return f"is a file; name a folder that holds {', '.join(FILES)}"
    return f"cannot be read as a folder ({_reason(error)})"


def _no_suite(folder: Path, names: list[str]) -> str:
    """Say what a folder without any file of a suite seems to be."""
    wanted = f"a suite has the files {', '.join(FILES)}"
    within = [name for name in names if (folder / name / SUITE).is_file()]
    if "inputs" in within:
        return f"is a run directory; the suite it ran is its folder inputs: {folder / 'inputs'}"
    if within:
        return f"holds suites and is none; name one of them: {listed(str(folder / name) for name in within)}"
    if not names:
        return f"is empty; {wanted}. To begin with a copy: cp -r fixtures/config-claims my-suite"
    near = "".join(nearest(file, names) for file in FILES[:1])
    return f"is not a suite; {wanted}{near}"
