"""A file that appears under its name only when it is complete, and never in the place of another.

    1. a path that exists in any form is refused
    2. the file is written beside it, under a name of its own that begins with a dot
    3. it is flushed to disk
    4. it gets its name by a hard link, which fails where the name is taken; the other name goes

Killed at any moment, it leaves nothing under the name that was asked for. Where there are no hard links, 4 is
a rename after another look.
"""

from __future__ import annotations

import gzip
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Final

from .errors import UsageError

Write = Callable[[bytes], object]
UNFINISHED: Final = ".unfinished"
_BESIDE: Final = re.compile(rf"\..*\.[0-9a-f]{{12}}{re.escape(UNFINISHED)}", re.DOTALL)


def is_unfinished(name: str) -> bool:
    """Tell whether a name is that of a file which was not completed."""
    return _BESIDE.fullmatch(name) is not None


def _beside(path: Path) -> Path:
    """Return a new name beside a path, while the file is not complete; not longer than names may be."""
    return path.with_name(f".{path.name[:50]}.{secrets.token_hex(6)}{UNFINISHED}")


def refuse_existing(path: Path) -> None:
    """Refuse a path that exists in any form, a link to nothing too, or that can be none."""
    with suppress(FileNotFoundError, NotADirectoryError):
        os.lstat(path)
        raise UsageError(f"{path} exists already, and nothing is overwritten; name another file")
    if not path.parent.is_dir():
        raise UsageError(
            f"{path.parent} is not a folder; make it first, or name another place for {path.name}"
        )


def named(write: Write, name: str) -> Write:
    """Let what goes wrong in writing name the file."""

    def write_there(data: bytes) -> object:
        try:
            return write(data)
        except OSError as error:
            error.filename = name
            raise

    return write_there


@contextmanager
def whole_file(path: Path, *, replace: bool = False, gzipped: bool = False) -> Iterator[Write]:
    """Give a function that writes to the file; it appears when the block ends without an exception."""
    if not replace:
        refuse_existing(path)
    beside = _beside(path)
    of_block: BaseException | None = None
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(handle, "wb", buffering=2**20) as file:
            with _packed(file) if gzipped else nullcontext(file) as target:
                try:
                    yield named(target.write, str(path))
                except BaseException as error:
                    of_block = error
                    raise
            file.flush()
            os.fsync(file.fileno())
        (os.replace if replace else _name)(beside, path)
        _flush_folder(path.parent)
    except OSError as error:
        if error is not of_block:
            error.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            os.unlink(beside)


def _name(beside: Path, path: Path) -> None:
    """Give a file its name, if nothing has it."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise UsageError(f"{path} has come into being meanwhile, and nothing is overwritten") from None
    except (OSError, NotImplementedError):
        refuse_existing(path)
        os.rename(beside, path)
    else:
        os.unlink(beside)


def _packed(file: IO[bytes]) -> gzip.GzipFile:
    """Pack what is written; the same bytes are packed into the same bytes."""
    return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)


def _flush_folder(folder: Path) -> None:
    """Flush the folder's entries to disk, where the system lets a folder be opened."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems flush files alone
            os.fsync(handle)
    finally:
        os.close(handle)
