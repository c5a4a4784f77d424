"""Writes one new file, whole or not at all, and never over another."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from .errors import UsageError


def refuse_existing(path: Path) -> None:
    """Refuse a path that exists in any form: file, directory, or a link to anything or to nothing."""
    if os.path.lexists(path):
        raise UsageError(f"{path} exists already, and nothing is overwritten; name a new file with --out")
    if not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a directory; make it first, or name another place with --out")


def write_new(path: Path, data: bytes) -> None:
    """Write a file under another name beside its place, flush it to disk, and give it its name.

    The name is given by a hard link, which fails where the name is taken. Where the file system has no links,
    the name is claimed by exclusive creation first.
    """
    refuse_existing(path)
    unfinished = path.parent / f".{path.name[:100]}.{os.getpid()}.unfinished"
    try:
        _write(unfinished, data)
        _name(unfinished, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)


def _write(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with open(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _name(unfinished: Path, path: Path) -> None:
    try:
        os.link(unfinished, path)
    except FileExistsError:
        refuse_existing(path)
        raise
    except (NotImplementedError, OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.replace(unfinished, path)
