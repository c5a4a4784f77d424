"""The command judge as its user meets it: processes, files, pipes, kills and exit codes."""

from __future__ import annotations

import argparse
import errno
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from judge_rows import ROOT

from grounded_claims import load_suite
from grounded_claims.__main__ import main
from grounded_claims.commands import judge as judge_module
from grounded_claims.judging import lines as lines_module
from grounded_claims.judging.judges import make_judge
from grounded_claims.judging.lines import Chunk, chunks
from grounded_claims.judging.progress import Progress, progress_text
from grounded_claims.judging.rows import JudgingLineError
from grounded_claims.judging.workers import WorkerError, Workers, framed

SUITES = ("config-claims", "order-status", "order-status-field")
GOOD = {
    "candidate": (
        '{"claims":[{"field":"read_timeout_ms","value":"5000","doc":"prod-v2","quote":"read_timeout_ms=5000"}]}'
    ),
    "request": "timeout-only",
}
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "7"}


def command(*arguments):
    return [sys.executable, "-m", "grounded_claims", "judge", *map(str, arguments)]


def judge(*arguments, stdin=b"", suite="config-claims"):
    return subprocess.run(
        command("--suite", suite, *arguments), input=stdin, capture_output=True, env=ENVIRONMENT, timeout=120
    )


def rows_of(name, count):
    """Make rows of a frozen suite's cases, over and over, with ids of their own."""
    cases = load_suite(ROOT / "fixtures" / name).cases
    return b"".join(
        json.dumps(
            {"id": n, "candidate": cases[n % len(cases)].candidate, "request": cases[n % len(cases)].request}
        ).encode()
        + b"\n"
        for n in range(count)
    )


def good(**members):
    return json.dumps({**GOOD, **members}).encode() + b"\n"


ODD_LINES = b"\n\r\n" + b"\xff\n[]\n" + good(id=10**30) + good(note=["x" * 5000] * 300) + good()[:-1]


@pytest.mark.parametrize("name", SUITES)
def test_every_number_of_workers_and_path_gives_the_same_bytes(tmp_path, name):
    data = rows_of(name, 6_000) + ODD_LINES
    source = tmp_path / "rows.jsonl"
    source.write_bytes(data)
    wanted, tally = make_judge(load_suite(ROOT / "fixtures" / name), reference=True).judge_chunk(data, 1)
    assert (tally.rows, wanted.count(b"\n")) == (6_007, 6_007)
    for number, arguments in enumerate(
        (["--workers", 1], ["--workers", 2], ["--workers", 3, "--reference"], ["--reference"])
    ):
        out, summary = tmp_path / f"{number}.jsonl", tmp_path / f"{number}.json"
        done = judge(source, "--out", out, "--summary", summary, *arguments, suite=name)
        assert (done.returncode, done.stdout) == (1, b"")
        assert b"6,007 rows read, 6,007 rows written" in done.stderr
        assert out.read_bytes() == wanted
        assert summary.read_bytes() == (tmp_path / "0.json").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["rows.jsonl", *(f"{n}.json{end}" for n in range(4) for end in ("", "l"))]
    )


def test_summary_and_table_count_every_status_and_outcome(tmp_path):
    done = judge("--summary", tmp_path / "summary.json", stdin=rows_of("config-claims", 22) + b"\n")
    digest = load_suite(ROOT / "fixtures" / "config-claims").digest
    statuses = {
        "INVALID_JSON": 5,
        "NO_CITATION": 4,
        "DUPLICATE_CLAIM": 1,
        "UNREQUESTED_FIELD": 1,
        "SCOPE_MISMATCH": 2,
        "STALE_REVISION": 1,
        "VALUE_MISMATCH": 2,
        "QUOTE_NOT_SUPPORTING": 2,
        "INCOMPLETE": 1,
        "ACCEPT": 3,
    }
    assert json.loads((tmp_path / "summary.json").read_bytes()) == {
        "format": 1,
        "suite": {"name": "config-claims", "contract": "config-claims", "digest": digest},
        "rows": {"read": 23, "written": 23, "judged": 22, "errors": 1},
        "statuses": statuses,
        "outcomes": {"grounded": 3, "ungrounded": 14, "malformed": 5},
    }
    table = done.stderr.decode().splitlines()
    assert [line.split()[1:] for line in table[2:12]] == [
        [name, str(count)] for name, count in statuses.items()
    ]
    assert table[-1] == "23 rows read, 23 rows written"


#: What is judged -> standard input, more arguments, the exit code.
EXITS = {
    "all accepted": (good() * 3, [], 0),
    "a rejection is a result": (good(candidate="{}"), [], 0),
    "a rejection, for a pipeline that gates": (good() + good(candidate="{}"), ["--fail-on-reject"], 1),
    "all accepted, for a pipeline that gates": (good() * 3, ["--fail-on-reject"], 0),
    "an error row": (good() + b"x\n" + good(), [], 1),
    "no rows": (b"", [], 1),
    "a blank row": (b"\n", [], 1),
    "an unterminated last row": (good()[:-1], [], 0),
    "no such suite": (good(), ["--suite", "nowhere"], 2),
    "no such file": (good(), ["nowhere.jsonl"], 2),
    "a folder": (good(), ["."], 2),
    "no workers": (good(), ["--workers", "0"], 2),
    "two inputs without a cluster": (good(), ["-", "-"], 2),
    "a scheduler without a cluster": (good(), ["--scheduler", "tcp://127.0.0.1:1"], 2),
    "a cluster without files": (good(), ["--engine", "dask"], 2),
    "workers beside a scheduler": (
        b"",
        ["--engine", "dask", __file__, "--out", "o", "--workers", "1", "--scheduler", "tcp://127.0.0.1:1"],
        2,
    ),
}


@pytest.mark.parametrize(("stdin", "arguments", "code"), EXITS.values(), ids=EXITS)
def test_exit_code(stdin, arguments, code):
    done = judge(*arguments, stdin=stdin)
    assert done.returncode == code
    assert done.stdout.count(b"\n") == (0 if code == 2 else len(stdin.splitlines()))
    assert b"Traceback" not in done.stderr


def test_no_rows_is_said():
    assert b"0 rows read, 0 rows written; nothing was judged, which is not a success" in judge().stderr


def test_one_row_is_written_as_one():
    assert judge(stdin=good()).stderr.endswith(b"\n1 row read, 1 row written\n")


def test_gzip_by_name(tmp_path):
    data = rows_of("config-claims", 300)
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(data))
    wanted = judge(stdin=data).stdout
    for workers in (1, 2):
        out = tmp_path / f"{workers}.jsonl.gz"
        assert judge(tmp_path / "rows.jsonl.gz", "--out", out, "--workers", workers).returncode == 0
        assert gzip.decompress(out.read_bytes()) == wanted
    assert (tmp_path / "1.jsonl.gz").read_bytes() == (tmp_path / "2.jsonl.gz").read_bytes()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-20],
        lambda data: data[:1],
        lambda data: data + b"not gzip",
        lambda data: data[:30] + b"xx" + data[32:],
    ],
)
def test_a_damaged_gzip_file_leaves_nothing(tmp_path, damage):
    source = tmp_path / "rows.gz"
    source.write_bytes(damage(gzip.compress(rows_of("config-claims", 300))))
    done = judge(source, "--out", tmp_path / "out.jsonl")
    assert (done.returncode, b"is not a whole gzip file" in done.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.gz"]


def existing(kind, path):
    if kind == "folder":
        path.mkdir()
    elif kind == "link to nothing":
        path.symlink_to("nowhere")
    else:
        path.write_bytes(b"kept")


@pytest.mark.parametrize("option", ["--out", "--summary"])
@pytest.mark.parametrize("kind", ["file", "folder", "link to nothing"])
def test_an_existing_output_is_refused_before_anything_is_read(tmp_path, kind, option):
    path = tmp_path / "there"
    existing(kind, path)
    before = os.lstat(path)
    done = judge(option, path, stdin=good())
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"{path} exists already, and nothing is overwritten; name another file\n"
    assert (os.lstat(path).st_mtime_ns, [p.name for p in tmp_path.iterdir()]) == (
        before.st_mtime_ns,
        ["there"],
    )


@pytest.mark.parametrize("option", ["--out", "--summary"])
def test_a_folder_that_is_missing_is_named(tmp_path, option):
    done = judge(option, tmp_path / "no" / "out.jsonl", stdin=good())
    assert (done.returncode, done.stdout, done.stderr.decode()) == (
        2,
        b"",
        f"{tmp_path / 'no'} is not a folder; make it first, or name another place for out.jsonl\n",
    )


#: An input of another form -> how it is made of rows, and what is said of it.
FOREIGN = {
    "gzip by another name": (
        gzip.compress,
        "is gzipped; give it a name that ends in .gz",
    ),
    **{
        form: (
            lambda data, form=form: data.decode().encode(form),
            "is UTF-16, and rows are UTF-8; save it as UTF-8",
        )
        for form in ("utf-16", "utf-16-le", "utf-16-be")
    },
}


@pytest.mark.parametrize(("make", "said"), FOREIGN.values(), ids=FOREIGN)
def test_an_input_of_another_form_is_not_judged(tmp_path, make, said):
    source = tmp_path / "rows.jsonl"
    source.write_bytes(make(good() * 3))
    done = judge(source)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", f"{source} {said}\n")
    said = said.replace("give it a name that ends in .gz", "unpack it first: gzip -dc FILE | … -")
    done = judge(stdin=source.read_bytes())
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", f"standard input {said}\n")


def test_a_text_that_is_named_as_gzip_is_to_be_renamed(tmp_path):
    source = tmp_path / "rows.gz"
    source.write_bytes(good())
    done = judge(source)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"{source} is not gzipped, as its name says; rename it\n"


SPREAD = json.dumps([json.loads(good())] * 9, indent=1).encode()
#: How an input begins -> what it is said to be made into rows with, if at all.
BEGINNINGS = {
    "a list over many lines": (SPREAD, "jq -c '.[]' FILE"),
    "a list on one line": (json.dumps([GOOD]).encode(), "jq -c '.[]' FILE"),
    "a list on a line that is too long": (b" [" + b" " * 2**24 + b"]", "jq -c '.[]' FILE"),
    "an object over many lines": (json.dumps(GOOD, indent=1).encode(), "jq -c . FILE"),
    "rows after a blank line": (b"\n[1]\n" + good(), None),
    "rows that are objects": (b"{}\n{}\n", None),
    "no rows": (b"", None),
}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("data", "said"), BEGINNINGS.values(), ids=BEGINNINGS)
def test_one_json_text_over_many_lines_is_noticed(data, said, workers):
    done = judge("--workers", workers, stdin=data)
    first = done.stderr.decode().splitlines()[0]
    assert done.returncode == 1
    assert (f"one JSON object to a line is expected, as '{said}' writes them" in first) == (said is not None)
    assert done.stderr.count(b"jq") == (said is not None)


def test_it_is_said_of_the_beginning_alone():
    data = b"[\n" * 400_000
    assert judge(stdin=data).stderr.count(b"jq") == 1
    assert judge(stdin=good() * 2_000 + data).stderr.count(b"jq") == 0


def test_a_byte_order_mark_concerns_the_first_row_alone():
    done = judge(stdin=b"\xef\xbb\xbf" + good() * 2)
    first, second = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, second["status"]) == (1, "ACCEPT")
    assert first["error"] == "the row begins with a byte order mark; save the file as UTF-8 without one"


@pytest.mark.parametrize("option", ["--out", "--summary"])
def test_no_name_is_no_file(option):
    done = judge(option, "", stdin=good())
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"'' names no file; name a new one\n")


#: Outputs that are refused before anything is read -> the arguments, and what is said.
OUTPUTS = {
    "one file": (["--out", "x", "--summary", "x"], "--summary and --out name one file"),
    "one file by two names": (["--out", "x", "--summary", "./y/../x"], "--summary and --out name one file"),
    "one folder": (
        ["--engine", "dask", "r", "--out", "x", "--summary", "x"],
        "--summary and --out name one file",
    ),
    "a summary among parts": (
        ["--engine", "dask", "r", "--out", "x/", "--summary", "x/s/t"],
        "--summary lies within x/, which is for parts alone; name another place",
    ),
    "a summary on standard output": (
        ["--summary", "-"],
        "--summary - is refused, since standard output is for rows; name a file",
    ),
    "a folder": (["--out", "x/"], "x/ ends like the name of a folder, and a file is to be made; name one"),
    "a file as a folder": (
        ["--out", "r/x"],
        "r is not a folder; make it first, or name another place for x",
    ),
    "a name that is too long": (["--out", "x" * 256], f"File name too long: {'x' * 256}"),
    "no input of a cluster": (["--engine", "dask", "r", "", "--out", "x"], "'' names no file; name one"),
    "no folder of parts": (["--engine", "dask", "r", "--out", ""], "'' names no folder; name a new one"),
    "no input": ([""], "'' names no file; name one, or - for standard input"),
}


@pytest.mark.parametrize(("arguments", "said"), OUTPUTS.values(), ids=OUTPUTS)
def test_names_that_are_refused_before_anything_is_read(tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r").write_bytes(good())
    done = judge(*arguments, stdin=good())
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", f"{said}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_summary_beside_the_folder_of_parts_is_no_part(tmp_path):
    judge_module._refuse_outputs(
        argparse.Namespace(engine="dask", out=str(tmp_path / "x"), summary=str(tmp_path / "y"))
    )


@pytest.mark.parametrize("out", [None, "-", "out"])
def test_rows_are_complete_although_the_summary_is_missing(tmp_path, monkeypatch, capfdbinary, out):
    """As where the place of the summary comes into being while rows are judged."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows").write_bytes(good())
    real = judge_module._local

    def meanwhile(*arguments):
        (tmp_path / "s").write_bytes(b"kept")
        return real(*arguments)

    monkeypatch.setattr(judge_module, "_local", meanwhile)
    where = [] if out is None else ["--out", out]
    arguments = ["judge", "--suite", "config-claims", "rows", "--summary", "s", *where]
    assert main(arguments) == 2
    printed = capfdbinary.readouterr()
    *table, last = printed.err.decode().splitlines()
    assert table[-1] == "1 row read, 1 row written"
    assert last == (
        "s exists already, and nothing is overwritten; name another file; "
        f"{'out' if out == 'out' else 'the output'} is complete, and only the summary is missing"
    )
    rows = (tmp_path / "out").read_bytes() if out == "out" else printed.out
    assert (json.loads(rows)["status"], (tmp_path / "s").read_bytes()) == ("ACCEPT", b"kept")


def test_an_output_may_have_the_longest_name_there_is(tmp_path):
    for name in ("x" * 255, "\U0001f600" * 63):
        assert judge("--out", tmp_path / name, stdin=good()).returncode == 0
        assert [path.name for path in tmp_path.iterdir()] == [name]
        (tmp_path / name).unlink()


def test_an_input_that_cannot_be_read_is_named():
    def broken(size):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(OSError, match=os.strerror(errno.EIO)) as caught:
        lines_module._expected(broken, "rows.jsonl")(1)
    assert caught.value.filename == "rows.jsonl"


def test_a_gzip_file_of_no_bytes_is_damaged(tmp_path):
    source = tmp_path / "rows.gz"
    source.write_bytes(b"")
    done = judge(source, "--out", tmp_path / "out.jsonl")
    assert (done.returncode, done.stderr.decode()) == (2, f"{source} is not a whole gzip file: it is empty\n")
    source.write_bytes(gzip.compress(b""))
    assert judge(source).returncode == 1


def test_a_named_pipe_may_hold_gzip(tmp_path):
    source = tmp_path / "rows.gz"
    os.mkfifo(source)
    writer = threading.Thread(target=source.write_bytes, args=(gzip.compress(good()),))
    writer.start()
    done = judge(source)
    writer.join()
    assert (done.returncode, done.stdout.count(b"ACCEPT")) == (0, 1)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_at_any_moment_it_leaves_nothing_under_the_name(tmp_path, sent, workers):
    out = tmp_path / "out.jsonl"
    data = rows_of("config-claims", 3_000)
    for moment in (0.0, 0.15, 0.3):
        process = subprocess.Popen(
            command("--suite", "config-claims", "--out", out, "--workers", workers),
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        process.stdin.write(data)
        process.stdin.flush()
        time.sleep(moment)
        process.send_signal(sent)
        assert process.wait(timeout=30) in (-sent, 130)
        process.stdin.close()
        process.stderr.close()
        assert not os.path.lexists(out)
        assert all(path.name.endswith(".unfinished") for path in tmp_path.iterdir())
    if sent == signal.SIGINT:
        assert judge("--out", out, stdin=data).returncode == 0


def test_a_closed_pipe_is_no_success():
    for workers in (1, 2):
        process = subprocess.Popen(
            command("--suite", "config-claims", "--workers", workers),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
        process.stdout.close()
        errors = process.communicate(rows_of("config-claims", 20_000), timeout=60)[1]
        assert process.returncode == 2
        assert errors == b"standard output was closed before everything was printed\n"


def test_a_full_disk_is_no_success():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("--suite", "config-claims"),
            input=good() * 9,
            stdout=full,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
        )
    assert (done.returncode, done.stderr) == (2, b"No space left on device: standard output\n")


def test_no_progress_is_shown_but_on_a_terminal():
    assert b"\r" not in judge(stdin=good() * 5_000).stderr


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_on_a_terminal():
    now = iter([0.0, 0.1, 10.0, 20.0])
    stream = Terminal()
    progress = Progress(stream, size=1000, clock=lambda: next(now))
    progress.show(5, 10)
    progress.show(2_500, 250)
    progress.show(5_000, 999)
    progress.clear()
    shown = stream.getvalue().split("\r")
    assert shown[1] == "2,500 rows, 250 a second, 25 %, 0:30 left"
    assert shown[2].rstrip() == "5,000 rows, 250 a second, 99 %, 0:00 left"
    assert shown[3:] == [" " * len(shown[2].rstrip()), ""]


def test_progress_without_a_size_or_time():
    assert progress_text(7, 0.0, position=0, size=None) == "7 rows, 0 a second"
    assert (
        progress_text(10**6, 2.0, position=10, size=10**6)
        == "1,000,000 rows, 500,000 a second, 0 %, 55:33:18 left"
    )


# Lines


def cut(data, *, limit, size):
    stream = io.BytesIO(data)
    return list(chunks(stream.read, limit=limit, size=size))


@pytest.mark.parametrize("size", range(1, 9))
def test_lines_are_cut_apart_whatever_the_size_of_a_block(size):
    data = b"a\n\nbb\r\n12345678\n123456789\nccc\n1234567890123\n\nlast"
    found = cut(data, limit=8, size=size)
    lines = data.split(b"\n")
    assert sum(chunk.lines for chunk in found) == len(lines)
    for chunk in found:
        own = lines[chunk.first - 1 : chunk.first - 1 + chunk.lines]
        if chunk.data is None:
            assert [len(line) > 8 for line in own] == [True]
        else:
            assert b"\n".join(own) == chunk.data.removesuffix(b"\n")
            assert all(len(line) <= 8 for line in own)


@pytest.mark.parametrize(
    ("data", "found"),
    {
        b"": [],
        b"a": [Chunk(1, 1, b"a")],
        b"a\n": [Chunk(1, 1, b"a\n")],
        b"\n": [Chunk(1, 1, b"\n")],
        b"12345678": [Chunk(1, 1, b"12345678")],
        b"123456789": [Chunk(1, 1, None)],
        b"123456789\n": [Chunk(1, 1, None)],
        b"123456789\na": [Chunk(1, 1, None), Chunk(2, 1, b"a")],
    }.items(),
)
def test_edges_of_the_input(data, found):
    assert cut(data, limit=8, size=4) == found


def test_a_line_of_16_mib_counts_and_a_longer_one_is_an_error_held_by_nobody(tmp_path):
    limit = lines_module.MAX_LINE
    assert limit == 16 * 2**20
    most = good(id="most")[:-2] + b',"note":"' + b"x" * (limit - len(good(id="most")) - 9) + b'"}'
    assert len(most) == limit
    source = tmp_path / "rows"
    with source.open("wb") as file:
        file.write(most + b"\n")
        file.write(most[:-2] + b'x"}\n')
        for _ in range(12):
            file.write(b"y" * limit)
        file.write(b"\n" + good(id="last"))
    for workers in (1, 2):
        done = judge(source, "--workers", workers)
        found = list(map(json.loads, done.stdout.splitlines()))
        error = f"the row is longer than {limit} bytes"
        assert [row["id"] for row in found] == ["most", None, None, "last"]
        assert found[1:3] == [{"line": n, "id": None, "error": error} for n in (2, 3)]
        assert [row.get("status") for row in found] == ["ACCEPT", None, None, "ACCEPT"]
        assert done.returncode == 1


# Workers


def test_a_dead_worker_is_an_error_and_never_a_loss():
    suite = load_suite(ROOT / "fixtures" / "config-claims")
    data = good() * 1000
    with Workers(suite, count=2, reference=True) as pool:

        def source():
            for number in range(200):
                if number == 20:
                    pool.processes[0].kill()
                yield Chunk(1 + 1000 * number, 1000, data)

        with pytest.raises(
            WorkerError, match=r"^a worker process ended early \(signal 9\); nothing is written$"
        ) as caught:
            list(pool.judge(source()))
        assert caught.value.exit_code == 3
    assert all(process.poll() is not None for process in pool.processes)


class Faulty:
    def judge_chunk(self, data, first):
        raise JudgingLineError(first, ZeroDivisionError("broken on purpose"))


def test_a_fault_in_a_worker_names_the_line():
    message = "line 5: the judging itself failed: ZeroDivisionError: broken on purpose"
    _, counts, rows = framed(Faulty(), 5, b"x")
    assert (json.loads(counts), rows) == (message, b"")
    pool = Workers(load_suite(ROOT / "fixtures" / "config-claims"), count=1, reference=True)
    pool.hear(0, json.loads(counts), rows)
    with pytest.raises(WorkerError, match=r"^line 5: the judging itself failed"):
        list(pool.judge([Chunk(1, 1, b"x")]))


def test_standard_input_is_put_together_from_what_comes_in():
    """One long read would let an interrupt wait until it is full."""
    pieces = iter([b"ab", b"c", b"d", b"", b"e", b""])
    asked = []
    read = lines_module._by_and_by(lambda size: asked.append(size) or next(pieces))
    assert [read(4), read(4), read(1), read(0), read(9)] == [b"abcd", b"", b"e", b"", b""]
    assert asked == [4, 2, 1, 4, 1, 9]
