"""What `judge` does when a worker, a cluster or the machine fails: an error that says so, never fewer rows.

Where only a fault of the program could lead to a check, a faulty judge, or a client of a cluster that fails,
stands in its place.
"""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import cloudpickle
import pytest
from distributed import KilledWorker
from test_judge_cluster import FOLDER, ROOT, file_digest, judge_part, pickled, record_path, rows, verdicts

from grounded_claims import __version__, load_suite
from grounded_claims.errors import EXIT_FAULT, UsageError
from grounded_claims.judging import batch, cluster, parts, workers
from grounded_claims.judging.batch import RowsLostError, judge_stream
from grounded_claims.judging.lines import Chunk, opened
from grounded_claims.judging.tally import Tally
from grounded_claims.judging.workers import WorkerError, Workers

SUITE = load_suite(FOLDER)


# Rows are reconciled


class Losing:
    """Judges all rows of a chunk but the last."""

    def judge_chunk(self, data: bytes, first: int) -> tuple[bytes, Tally]:
        kept = b"".join(data.splitlines(keepends=True)[:-1])
        return verdicts(kept), Tally.of([None] * kept.count(b"\n"))


def test_a_row_that_is_lost_is_a_fault_and_not_fewer_rows(monkeypatch, tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(rows(5))
    monkeypatch.setattr(batch, "make_judge", lambda suite, reference: Losing())
    with opened(str(tmp_path / "rows.jsonl")) as source, pytest.raises(RowsLostError) as caught:
        judge_stream(SUITE, source, lambda data: None)
    assert str(caught.value) == "5 rows were read, 4 judged and 4 written; please report it"
    assert caught.value.exit_code == EXIT_FAULT


def test_standard_input_that_is_closed_is_named(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UsageError, match=r"^standard input is closed; name a file$"), opened("-"):
        pass


# A cluster


@pytest.mark.parametrize("kind", ["a file", "a link", "a link to nothing"])
def test_parts_go_into_a_folder_of_their_own(tmp_path, kind):
    out = tmp_path / "out"
    if kind == "a file":
        out.write_bytes(b"kept")
    else:
        out.symlink_to(tmp_path if kind == "a link" else tmp_path / "nowhere")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(UsageError, match=r"exists and is not a folder; name another one$"):
        cluster.judge_files(SUITE, [], out)
    assert sorted(tmp_path.iterdir()) == before


def test_an_input_of_a_cluster_is_a_file(tmp_path):
    for source in (tmp_path, tmp_path / "absent.jsonl"):
        with pytest.raises(UsageError, match=f"^{source} is not a file$"):
            cluster.judge_files(SUITE, [source], tmp_path / "out")
    assert not (tmp_path / "out").exists()


class Failing:
    """A client of a cluster whose workers are lost as often as the scheduler tries."""

    def gather(self, tasks):
        raise KilledWorker("judge_part", SimpleNamespace(address="tcp://127.0.0.1:1"), 4)


def test_workers_that_are_lost_again_and_again_are_an_error():
    with pytest.raises(
        WorkerError, match=r"^workers were lost again and again; parts are missing:"
    ) as caught:
        cluster._records(Failing(), [object()])
    assert caught.value.exit_code == EXIT_FAULT


class Versions:
    """A client of a cluster that has some version of the package."""

    def __init__(self, worker, scheduler=__version__):
        self.worker, self.scheduler = worker, scheduler

    def run(self, function, on_error):
        assert (function(), on_error) == (__version__, "return")
        return {"tcp://1": __version__, "tcp://2": self.worker}

    def run_on_scheduler(self, function):
        assert function() == __version__
        return self.scheduler


@pytest.mark.parametrize("found", [None, "0.0.1", ValueError("odd")])
@pytest.mark.parametrize("place", ["tcp://2", "the scheduler"])
def test_a_cluster_without_the_package_or_with_another_version_is_refused(place, found):
    there = Versions(found) if place == "tcp://2" else Versions(__version__, found)
    said = f"^the workers lack this package, or have another version: {place} has {found}, and {__version__} "
    with pytest.raises(UsageError, match=said):
        cluster._refuse_other_versions(there)


def test_a_worker_that_is_lost_while_it_is_asked_is_of_no_other_version():
    assert cluster._refuse_other_versions(Versions(OSError("lost"))) is None


def test_a_worker_without_the_package_can_say_so():
    """What it is asked travels by its text: it has nothing of ours to import."""
    code = "import sys, pickle; sys.modules['grounded_claims'] = None; print(pickle.load(sys.stdin.buffer)())"
    packed = cloudpickle.dumps(cluster._version_there())
    done = subprocess.run([sys.executable, "-c", code], input=packed, capture_output=True)
    assert (done.stdout, done.stderr) == (b"None\n", b"")


def test_a_package_that_is_not_there_has_no_version(monkeypatch):
    version = cluster._version_there()
    monkeypatch.setitem(sys.modules, "grounded_claims", None)
    assert version() is None


@pytest.mark.parametrize("late", [None, TimeoutError, asyncio.TimeoutError])
def test_it_is_said_once_that_no_worker_has_joined(late):
    asked, said = [], []

    class Waiting:
        def wait_for_workers(self, count, timeout=None):
            asked.append((count, timeout))
            if late is not None and timeout is not None:
                raise late

    cluster._wait_for_workers(Waiting(), "tcp://s:1", said.append)
    assert (
        said == ["no worker has joined the scheduler at tcp://s:1 yet; waiting for one"][: 1 if late else 0]
    )
    assert asked == [(1, cluster.PATIENCE), (1, None)][: 2 if late else 1]


@pytest.mark.parametrize("system", ["posix", "nt"])
def test_a_cluster_of_this_machine_opens_no_dashboard_and_logs_nothing(monkeypatch, system):
    asked = []

    class Standing:
        def __init__(self, *_, **options):
            asked.append(options)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            asked.append("left")

    environment: dict[str, str] = {}
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Standing, LocalCluster=Standing))
    monkeypatch.setattr(cluster, "os", SimpleNamespace(name=system, environ=environment))
    monkeypatch.setattr(cluster, "logging", SimpleNamespace(disable=asked.append, CRITICAL=50))
    monkeypatch.setattr(cluster.resource_tracker, "ensure_running", lambda: asked.append("tracked"))
    with cluster._client(None, 3, print) as client:
        assert isinstance(client, Standing)
    assert asked[:-4] == [50, "tracked"][: 2 if system == "posix" else 1]
    assert asked[-4]["n_workers"] == 3
    assert (asked[-4]["dashboard_address"], asked[-4]["scheduler_kwargs"]) == (
        "127.0.0.1:0",
        {"dashboard": False},
    )
    assert asked[-3:] == [{}, "left", "left"]
    assert "'distributed': 'critical'" in environment["DASK_DISTRIBUTED__LOGGING"]


@pytest.fixture
def made(tmp_path):
    """A part that is complete, and its record."""
    source, target = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    source.write_bytes(rows(22))
    return judge_part(pickled((SUITE, False)), str(source), str(target)), source, target


def test_parts_are_reconciled_with_what_was_counted(made):
    record, _, target = made
    assert cluster._reconciled([record], {target: None}).rows == 22
    target.write_bytes(target.read_bytes() + b"{}\n")
    with pytest.raises(RowsLostError, match=r"out\.jsonl holds 23 rows, and 22 were judged$"):
        cluster._reconciled([record], {target: None})


@pytest.mark.parametrize("other", ["complete", "of something else"])
def test_a_part_that_another_worker_finished_first(made, monkeypatch, other):
    """A worker that was taken for lost may end its part while it is made again."""
    record, source, target = made
    finished = {path: path.read_bytes() for path in (target, record_path(target))}
    for path in finished:
        path.unlink()
    real = parts.judge_stream

    def meanwhile(*arguments, **options):
        tally = real(*arguments, **options)
        for path, data in finished.items():
            path.write_bytes(data if other == "complete" else b"{}")
        return tally

    monkeypatch.setattr(parts, "judge_stream", meanwhile)
    if other == "complete":
        assert judge_part(pickled((SUITE, False)), str(source), str(target)) == record
        assert file_digest(target) == record["part_sha256"]
    else:
        with pytest.raises(UsageError, match=r"out\.jsonl\.part\.json exists and is no record of ours"):
            judge_part(pickled((SUITE, False)), str(source), str(target))
        assert {path.read_bytes() for path in finished} == {b"{}"}


def test_a_part_without_a_folder_is_refused(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(rows(1))
    with pytest.raises(UsageError, match=r"gone is not a folder; make it first"):
        judge_part(
            pickled((SUITE, False)), str(tmp_path / "rows.jsonl"), str(tmp_path / "gone" / "out.jsonl")
        )


# Workers


def test_workers_that_started_are_ended_when_one_does_not(monkeypatch):
    real = workers.subprocess.Popen
    started = []

    def second_fails(*arguments, **options):
        if started:
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        started.append(real(*arguments, **options))
        return started[0]

    monkeypatch.setattr(workers.subprocess, "Popen", second_fails)
    pool = Workers(SUITE, count=2, reference=True)
    with pytest.raises(OSError, match=os.strerror(errno.EAGAIN)), pool:
        pass
    assert started[0].poll() is not None


def test_a_chunk_that_cannot_be_sent_is_an_error_and_never_a_loss():
    with (
        Workers(SUITE, count=1, reference=True) as pool,
        pytest.raises(WorkerError, match=r"^a chunk could not be sent to a worker: "),
    ):
        list(pool.judge([Chunk(-1, 1, rows(1))]))  # no number of a line


def test_half_an_answer_is_no_answer(monkeypatch):
    """A worker that ends in the middle of its answer has not answered."""
    half = "import sys; sys.stdin.buffer.read(8); sys.stdout.buffer.write(bytes(15) + b'\\1'); sys.exit(0)"
    monkeypatch.setattr(workers, "_COMMAND", half)
    with (
        Workers(SUITE, count=1, reference=True) as pool,
        pytest.raises(
            WorkerError, match=r"^a worker process ended early \(exit code 0\); nothing is written$"
        ),
    ):
        list(pool.judge([Chunk(1, 1, rows(1))]))


def test_a_pipe_is_widened_on_linux_alone(monkeypatch):
    reading, writing = os.pipe()
    try:
        with os.fdopen(writing, "wb") as pipe:
            monkeypatch.setattr(workers.sys, "platform", "darwin")
            workers._widen(pipe)
            monkeypatch.undo()
            if sys.platform == "linux":
                import fcntl

                assert fcntl.fcntl(reading, fcntl.F_GETPIPE_SZ) < workers.PIPE_BYTES
                workers._widen(pipe)
                assert fcntl.fcntl(reading, fcntl.F_GETPIPE_SZ) == workers.PIPE_BYTES
    finally:
        os.close(reading)


def test_no_thread_outlives_its_workers():
    before = threading.active_count()
    with Workers(SUITE, count=2, reference=True) as pool:
        assert len(list(pool.judge([Chunk(1, 22, rows(22))]))) == 1
    assert threading.active_count() == before


def test_ctrl_c_is_not_for_workers_from_their_first_moment_on(capfd):
    with Workers(SUITE, count=3, reference=True) as pool:
        for process in pool.processes:  # they import something now
            process.send_signal(signal.SIGINT)
        assert len(list(pool.judge([Chunk(1, 22, rows(22))]))) == 1
    assert [process.returncode for process in pool.processes] == [0, 0, 0]
    assert capfd.readouterr() == ("", "")


def test_an_interrupt_is_held_back_and_not_lost():
    done = []

    def interrupted():
        with workers.without_interrupts():
            signal.raise_signal(signal.SIGINT)  # to this thread: another may not hold it back
            done.append("the block")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == ["the block"]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_where_nothing_can_be_held_back_the_block_runs(monkeypatch):
    for name in ("pthread_sigmask", "SIG_BLOCK", "SIG_SETMASK"):
        monkeypatch.delattr(signal, name)
    with pytest.raises(ZeroDivisionError), workers.without_interrupts():
        raise ZeroDivisionError


@pytest.mark.parametrize(
    "gone", ["before it has said hello", "in the midst of a question", "before the answer"]
)
def test_a_worker_whose_command_is_gone_ends_without_a_word(gone):
    hello = pickled((SUITE, True))
    greeting = len(hello).to_bytes(8, "big") + hello
    question = workers._QUESTION.pack(1, 9_000) + (rows(100)[:9_000] if gone == "before the answer" else b"{")
    process = subprocess.Popen(
        [sys.executable, "-c", workers._COMMAND, str(ROOT / "src")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if gone == "before the answer":
        process.stdout.close()
    process.stdin.write(b"" if gone == "before it has said hello" else greeting + question)
    process.stdin.close()
    assert (process.stderr.read(), process.wait()) == (b"", 2)
    process.stderr.close()
    process.stdout.close()
