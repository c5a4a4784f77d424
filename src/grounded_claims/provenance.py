"""Where a run comes from: the clock, git, the interpreter, the packages, and the digests of the sources.

Git is asked in the checkout alone, with the caller's `GIT_*` variables taken out, and believed only where the
checkout is the top of its own repository: a wrong commit is worse than none.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import stat
import subprocess
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from .errors import UsageError

MANIFEST_FORMAT: Final = 1
PROGRAM: Final = "grounded-claims"
SOURCE_FILES: Final = (
    "run.py",
    "audit.py",
    "bootstrap.py",
    "requirements.txt",
    "manifest.schema.json",
    "results.schema.json",
)
SOURCE_FOLDER: Final = "src/grounded_claims"
SOURCE_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")  # as in manifest.schema.json
GIT_SECONDS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Everything of a run that another machine or another day would give otherwise."""

    created: str
    git: Mapping[str, Any]
    environment: Mapping[str, Any]
    sources: Mapping[str, str]


def gather(root: Path, *, environ: Mapping[str, str]) -> Provenance:
    """Look at the checkout, the interpreter and the clock, once, before the run directory is made."""
    sources = {path: (root / path).read_bytes() for path in source_paths(root)}
    return Provenance(
        created=created(environ),
        git=git_state(root, sources=sources, environ=environ),
        environment=environment(root),
        sources={path: hashlib.sha256(data).hexdigest() for path, data in sources.items()},
    )


def created(environ: Mapping[str, str]) -> str:
    """Return the time of the run in UTC, or that of SOURCE_DATE_EPOCH."""
    epoch = environ.get("SOURCE_DATE_EPOCH", "")
    if epoch and not re.fullmatch(r"[0-9]{1,11}", epoch):
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch!r}; a number of seconds since 1970 belongs there")
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(epoch) if epoch else time.time()))


def source_paths(root: Path) -> list[str]:
    """List the program's own files, sorted by code point (R6)."""
    modules = [
        path.relative_to(root).as_posix()
        for path in (root / SOURCE_FOLDER).rglob("*.py")
        if stat.S_ISREG(path.lstat().st_mode)
    ]
    odd = [path for path in modules if not SOURCE_NAME.fullmatch(path)]
    if odd:
        raise UsageError(
            f"{odd[0]!r} is no name that a manifest takes; rename it, or take it out of the sources"
        )
    return sorted((*SOURCE_FILES, *modules))


def environment(root: Path) -> dict[str, Any]:
    """Describe the interpreter, the system, and the packages of requirements.txt."""
    system = platform.uname()
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": f"{system.system} {system.release} {system.machine}",
        "packages": packages((root / "requirements.txt").read_text(encoding="utf-8")),
    }


def packages(requirements: str) -> dict[str, str]:
    """Return the installed version of each pinned package; one that this Python does not need is left out."""
    found: dict[str, str] = {}
    for name in sorted(set(re.findall(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==", requirements, re.MULTILINE))):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


# Git


class _NoCommitError(Exception):
    """Why no commit can be named."""


def git_state(root: Path, *, sources: Mapping[str, bytes], environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the commit and whether anything differs from it, or why there is none (R7)."""
    try:
        printed = _git(root, environ, "rev-parse", "--show-toplevel", "HEAD^{commit}")
        top, _, commit = printed.removesuffix("\n").rpartition("\n")  # a folder's name may hold a line break
        if not _same_folder(Path(top), root):
            raise _NoCommitError("the checkout lies inside another repository")
        changed = _git(root, environ, "status", "--porcelain", "--untracked-files=no")
        blobs = _git(root, environ, "ls-tree", "-r", "-z", commit, "--", *SOURCE_FILES, SOURCE_FOLDER)
    except _NoCommitError as reason:
        return {"unavailable": str(reason)}
    return {"commit": commit, "dirty": bool(changed) or not _committed(sources, blobs.split("\0"))}


def _git(root: Path, environ: Mapping[str, str], *arguments: str) -> str:
    """Run git in the checkout and return what it prints."""
    program = _program("git", environ)
    if program is None:
        raise _NoCommitError("git is not installed")
    command = [
        program,
        "-c",
        "core.fsmonitor=false",
        "-c",
        "core.quotePath=false",
        "-C",
        str(root),
        *arguments,
    ]
    quiet = {name: value for name, value in environ.items() if not name.startswith("GIT_")}
    quiet.update(GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_NO_REPLACE_OBJECTS="1", LC_ALL="C")
    try:
        done = subprocess.run(
            command,
            env=quiet,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _NoCommitError(f"git did not answer: {error.__class__.__name__}") from None
    if done.returncode != 0:
        raise _NoCommitError(_why(done.stderr.decode("utf-8", "replace")))
    return os.fsdecode(done.stdout)


def _program(name: str, environ: Mapping[str, str]) -> str | None:
    """Find a program on PATH; a folder that is not absolute would be one of wherever the caller stands."""
    path = environ.get("PATH", os.defpath).split(os.pathsep)
    folders = [folder for folder in path if os.path.isabs(folder)]
    return shutil.which(name, path=os.pathsep.join(folders)) if folders else None


def _why(message: str) -> str:
    """Say in our words why git named no commit; its own may hold paths of the machine."""
    if "not a git repository" in message:
        return "the folder is not a git checkout"
    if "dubious ownership" in message:
        return "git does not trust the folder, which another user owns"
    if "HEAD" in message:
        return "the repository has no commit yet"
    return "git could not read the repository"


def _same_folder(first: Path, second: Path) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return False


def _committed(sources: Mapping[str, bytes], entries: Iterable[str]) -> bool:
    """Tell whether the sources are exactly those of the tree, by their blob ids."""
    found = dict(_tree_entry(entry) for entry in entries if entry)
    tree = {path: blob for path, blob in found.items() if path in SOURCE_FILES or path.endswith(".py")}
    return tree.keys() == sources.keys() and all(
        _blob_id(data, like=tree[path]) == tree[path] for path, data in sources.items()
    )


def _tree_entry(entry: str) -> tuple[str, str]:
    """Split `<mode> blob <id>TAB<path>` into path and id."""
    described, _, path = entry.partition("\t")
    return path, described.split(" ")[2]


def _blob_id(data: bytes, *, like: str) -> str:
    algorithm = "sha1" if len(like) == 40 else "sha256"
    return hashlib.new(algorithm, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
