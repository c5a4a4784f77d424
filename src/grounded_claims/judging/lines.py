"""Input to chunks of whole lines: only LF ends a line, an unterminated last one counts, none is longer than a
limit. A chunk is cut at the same places whatever becomes of it, so its size never shows in the output."""

from __future__ import annotations

import gzip
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from ..errors import UsageError

if TYPE_CHECKING:
    import io

MAX_LINE: Final = 16 * 2**20  # bytes, without the LF
CHUNK: Final = 2**19
STDIO: Final = "-"
GZIP: Final = b"\x1f\x8b"  # how it begins


@dataclass(frozen=True, slots=True)
class Chunk:
    """Whole lines, and the number of the first. Without data, one line that is too long."""

    first: int
    lines: int
    data: bytes | None


def chunks(read: Callable[[int], bytes], *, limit: int = MAX_LINE, size: int = CHUNK) -> Iterator[Chunk]:
    """Cut what is read into chunks of whole lines, holding no more than a line and a block of it."""
    first, held, skipping = 1, 0, False
    rest: list[bytes] = []  # the beginning of a line that has no end yet
    while block := read(size):
        if skipping:
            end = block.find(b"\n") + 1
            skipping = not end
            block = block[end:] if end else b""
        cut = block.rfind(b"\n") + 1
        if cut:
            for chunk in _whole_lines(b"".join((*rest, block[:cut])), first, limit):
                yield chunk
                first += chunk.lines
            rest, held = [block[cut:]], len(block) - cut
        else:
            rest.append(block)
            held += len(block)
        if held > limit:
            yield Chunk(first, 1, None)
            first, held, skipping = first + 1, 0, True
            rest.clear()
    if held:
        yield from _whole_lines(b"".join(rest), first, limit)


def _whole_lines(data: bytes, first: int, limit: int) -> Iterator[Chunk]:
    """Take whole lines as a chunk. Only the first can be too long: the others lie within one block."""
    end = data.find(b"\n", 0, limit + 1)
    if end < 0 and len(data) > limit:
        yield Chunk(first, 1, None)
        end = data.find(b"\n") + 1
        data = data[end:] if end else b""
        first += 1
    if data:
        yield Chunk(first, data.count(b"\n") + (not data.endswith(b"\n")), data)


@dataclass(slots=True)
class Input:
    """An opened input: how to read on, and how far the file behind it has been read, of how many bytes."""

    read: Callable[[int], bytes]
    position: Callable[[], int]
    size: int | None


def is_gzipped(name: str) -> bool:
    """Tell whether the name of a file says that it is gzipped."""
    return name.endswith(".gz")


@contextmanager
def opened(name: str) -> Iterator[Input]:
    """Open standard input, a file, or by its name `*.gz` a gzip file."""
    if name == STDIO:
        if sys.stdin is None:
            raise UsageError("standard input is closed; name a file")
        source = cast("io.BufferedReader", sys.stdin.buffer)
        yield Input(_expected(_by_and_by(source.read1), INPUT), lambda: 0, None)
        return
    if not name:
        raise UsageError(f"'' names no file; name one, or {STDIO} for standard input")
    with open(name, "rb") as file:
        found = os.fstat(file.fileno())
        regular = stat.S_ISREG(found.st_mode)
        told, size = (file.tell, found.st_size) if regular else (lambda: 0, None)
        if not is_gzipped(name):
            yield Input(_expected(file.read, name), told, size)
            return
        head = file.peek(2)[:2]
        if not head:
            raise UsageError(f"{name} is not a whole gzip file: it is empty")
        if not GZIP.startswith(head):
            raise UsageError(f"{name} is not gzipped, as its name says; rename it")
        with gzip.GzipFile(fileobj=file, mode="rb") as unpacked:
            yield Input(_expected(_whole_gzip(unpacked, name), name), told, size)


def _by_and_by(read: Callable[[int], bytes]) -> Callable[[int], bytes]:
    """Read as much as is asked for, as it comes in: between the pieces an interrupt is noticed."""

    def together(size: int) -> bytes:
        pieces: list[bytes] = []
        while size and (piece := read(size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    return together


#: How an input begins that is no UTF-8 text, not even in its first row -> what it is, and what to do.
_FOREIGN: Final = {
    re.compile(re.escape(GZIP)): "is gzipped; give it a name that ends in .gz",
    re.compile(rb"\xff\xfe|\xfe\xff|[^\0]\0|\0[^\0]"): "is UTF-16, and rows are UTF-8; save it as UTF-8",
}


#: Standard input has no name that could be changed.
INPUT: Final = "standard input"
_UNPACK: Final = "is gzipped; unpack it first: gzip -dc FILE | … -"


def _expected(read: Callable[[int], bytes], name: str) -> Callable[[int], bytes]:
    """Look at the first bytes: of a file in another form every row would be an error."""
    begun = False

    def checked(size: int) -> bytes:
        nonlocal begun
        try:
            block = read(size)
        except OSError as error:
            error.filename = name
            raise
        if not begun:
            begun = True
            for beginning, what in _FOREIGN.items():
                if beginning.match(block):
                    raise UsageError(
                        f"{name} {_UNPACK if name == INPUT and block.startswith(GZIP) else what}"
                    )
        return block

    return checked


def _whole_gzip(file: gzip.GzipFile, name: str) -> Callable[[int], bytes]:
    def read(size: int) -> bytes:
        try:
            return file.read(size)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise UsageError(f"{name} is not a whole gzip file: {error}") from None

    return read
