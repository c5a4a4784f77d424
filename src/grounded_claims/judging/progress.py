"""How far the judging has come: rows, rate and time left, on a terminal only."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TextIO

EVERY: Final = 0.2  # seconds


class Progress:
    """A line of a terminal that is written over and over; where there is no terminal, nothing."""

    def __init__(
        self, stream: TextIO, *, size: int | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stream = stream if stream.isatty() else None
        self._size = size
        self._clock = clock
        self._start = self._shown = clock()
        self._width = 0

    def show(self, rows: int, position: int) -> None:
        """Show how many rows are written, and how much of the input has been read."""
        now = self._clock()
        if self._stream is None or now - self._shown < EVERY:
            return
        self._shown = now
        text = progress_text(rows, now - self._start, position=position, size=self._size)
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Take the line away again."""
        if self._stream is not None and self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


def progress_text(rows: int, seconds: float, *, position: int, size: int | None) -> str:
    """Say how far it has come, and how long the rest will take, where that can be known."""
    rate = rows / seconds if seconds > 0 else 0.0
    text = f"{rows:,} rows, {rate:,.0f} a second"
    if not size or not 0 < position <= size:
        return text
    left = seconds * (size - position) / position
    return f"{text}, {100 * position // size} %, {_duration(left)} left"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
