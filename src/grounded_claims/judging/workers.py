"""Worker processes: chunks out, judged chunks back in the order of the input, in constant memory.

A worker is a Python of its own that reads frames from its standard input and answers each on its standard
output; nothing is inherited but the pipes, so this works wherever processes do. Its end is the end of its
input, so that no worker outlives the command. For each worker one thread sends, at most `AHEAD` chunks ahead
of the answers, and one receives. A worker that ends before it has answered is an error, never a loss.
"""

from __future__ import annotations

import collections
import json
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, TypeAlias, final

from ..errors import EXIT_FAULT, EXIT_NOT_DONE, EXIT_OK, GroundedClaimsError
from ..suite import Suite
from .judges import Judge, make_judge, pickled, too_long
from .lines import Chunk
from .rows import JudgingLineError
from .tally import Tally

AHEAD: Final = 2  # chunks sent to a worker and not answered
PIPE_BYTES: Final = 2**20
_NEW_GROUP: Final[int] = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_QUESTION: Final = struct.Struct(">QQ")  # the number of the first line, the length of the data
_ANSWER: Final = struct.Struct(">QQ")  # the lengths of the counts, as JSON, and of the rows
_COMMAND: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from grounded_claims.judging.workers import serve; sys.exit(serve())"
)

Judged: TypeAlias = "tuple[bytes, Tally]"


class WorkerError(GroundedClaimsError):
    """A worker process failed; what it had not answered is not judged."""

    exit_code = EXIT_FAULT


@dataclass(slots=True)
class _Worker:
    """A process, the chunks that it has not answered, room for more of them, and whether it may end."""

    process: subprocess.Popen[bytes]
    waiting: collections.deque[int] = field(default_factory=collections.deque)
    free: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(AHEAD))
    may_end: bool = False
    threads: list[threading.Thread] = field(default_factory=list)


@final
class Workers:
    """Some worker processes for one suite, ended when the block is left."""

    def __init__(self, suite: Suite, *, count: int, reference: bool) -> None:
        self._hello = pickled((suite, reference))
        self._count = count
        self._todo: queue.SimpleQueue[tuple[int, Chunk] | None] = queue.SimpleQueue()
        self._answers: dict[int, Judged] = {}
        self._failure: GroundedClaimsError | None = None
        self._news = threading.Condition()
        self._workers: list[_Worker] = []

    @property
    def processes(self) -> list[subprocess.Popen[bytes]]:
        """The processes that were started."""
        return [worker.process for worker in self._workers]

    def __enter__(self) -> Workers:
        try:
            for _ in range(self._count):
                self._start()
        except BaseException:
            self._end(at_once=True)
            raise
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._end(at_once=kind is not None)

    def judge(self, chunks: Iterable[Chunk]) -> Iterator[Judged]:
        """Judge chunks, in their order, with no more of them in flight than the workers need."""
        sent = done = 0
        for chunk in chunks:
            if sent - done > self._count * (AHEAD + 1):
                yield self._answer(done)
                done += 1
            if chunk.data is None:
                self._answers[sent] = too_long(chunk)
            else:
                self._todo.put((sent, chunk))
            sent += 1
        for _ in range(self._count):
            self._todo.put(None)
        for index in range(done, sent):
            yield self._answer(index)

    def _answer(self, index: int) -> Judged:
        with self._news:
            while index not in self._answers:
                if self._failure is not None:
                    raise self._failure
                self._news.wait()
            return self._answers.pop(index)

    def _start(self) -> None:
        source = str(Path(__file__).resolve().parents[2])
        with without_interrupts():
            process = subprocess.Popen(
                [sys.executable, "-c", _COMMAND, source],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                creationflags=_NEW_GROUP,
            )
            worker = _Worker(process)
            self._workers.append(worker)
        for target in (self._send, self._receive):
            worker.threads.append(threading.Thread(target=target, args=(worker,), daemon=True))
            worker.threads[-1].start()

    def _send(self, worker: _Worker) -> None:
        """Hand chunks to one worker, until there are no more of them, or it is gone."""
        pipe = worker.process.stdin
        assert pipe is not None  # noqa: S101  # it was asked for
        try:
            _widen(pipe)
            _put(pipe, len(self._hello).to_bytes(8, "big"), self._hello)
            while True:
                worker.free.acquire()
                task = self._todo.get()
                if task is None:
                    worker.may_end = True
                    break
                index, chunk = task
                data = chunk.data or b""
                worker.waiting.append(index)
                _put(pipe, _QUESTION.pack(chunk.first, len(data)), data)
        except (OSError, ValueError):
            pass  # the worker is gone, and who receives from it notices
        except Exception as error:  # noqa: BLE001  # handed over to the thread that waits
            self._fail(WorkerError(f"a chunk could not be sent to a worker: {error}"))
        with suppress(OSError, ValueError):
            pipe.close()

    def _receive(self, worker: _Worker) -> None:
        """Take the answers of one worker, until it ends."""
        pipe = worker.process.stdout
        assert pipe is not None  # noqa: S101  # it was asked for
        with suppress(OSError):
            _widen(pipe)
        with pipe, suppress(EOFError):
            while (head := pipe.read(_ANSWER.size)) and len(head) == _ANSWER.size:
                counts, rows = (_exactly(pipe, size) for size in _ANSWER.unpack(head))
                self.hear(worker.waiting.popleft(), json.loads(counts), rows)
                worker.free.release()
        code = worker.process.wait()
        if code != 0 or worker.waiting or not worker.may_end:
            self._fail(WorkerError(f"a worker process ended early ({_how(code)}); nothing is written"))

    def hear(self, index: int, counts: Any, rows: bytes) -> None:
        """Take an answer, or as its counts the message of a fault."""
        if isinstance(counts, str):
            self._fail(WorkerError(counts))
            return
        with self._news:
            self._answers[index] = rows, Tally.from_plain(counts)
            self._news.notify_all()

    def _fail(self, failure: GroundedClaimsError) -> None:
        with self._news:
            self._failure = self._failure or failure
            self._news.notify_all()

    def _end(self, *, at_once: bool) -> None:
        """End whatever still runs; a worker that has done its work ends by itself."""
        for worker in self._workers:
            self._todo.put(None)
            worker.free.release()
        for worker in self._workers:
            try:
                worker.process.wait(timeout=0 if at_once else 5)
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
            for thread in worker.threads:
                thread.join()


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back within the block, and for good from the processes and threads that start in it.

    They inherit what is blocked; the interrupt itself comes when the block is left. Windows has no such
    thing: there a process in a group of its own hears no Ctrl-C.
    """
    block = getattr(signal, "pthread_sigmask", lambda *_: ())
    before = block(getattr(signal, "SIG_BLOCK", 0), {signal.SIGINT})
    try:
        yield
    finally:
        block(getattr(signal, "SIG_SETMASK", 0), before)


def serve() -> int:
    """Be a worker: answer every frame of standard input, and end with it, without a word if it breaks off."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which ends its workers
    source, target = sys.stdin.buffer, sys.stdout
    sys.stdout = sys.stderr
    try:
        _serve(source, target.buffer)
    except (EOFError, OSError):  # the command is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), target.fileno())  # for what is still buffered
        return EXIT_NOT_DONE
    return EXIT_OK


def _serve(source: IO[bytes], target: IO[bytes]) -> None:
    suite, reference = pickle.loads(_exactly(source, int.from_bytes(source.read(8), "big")))  # noqa: S301  # ours
    judge = make_judge(suite, reference=reference)
    while head := source.read(_QUESTION.size):
        first, size = _QUESTION.unpack(head)
        _put(target, *framed(judge, first, _exactly(source, size)))


def framed(judge: Judge, first: int, data: bytes) -> tuple[bytes, bytes, bytes]:
    """Judge a chunk to a frame, of which the counts are a message where the judging failed."""
    try:
        rows, tally = judge.judge_chunk(data, first)
    except JudgingLineError as error:
        rows, counts = b"", json.dumps(str(error)).encode()
    else:
        counts = json.dumps(tally.plain()).encode()
    return _ANSWER.pack(len(counts), len(rows)), counts, rows


def _put(pipe: IO[bytes], *parts: bytes) -> None:
    for part in parts:
        pipe.write(part)
    pipe.flush()


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _widen(pipe: IO[bytes]) -> None:
    """Let a pipe hold a whole chunk, where the system can, so that nobody waits for the other."""
    if sys.platform == "linux":
        import fcntl

        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
