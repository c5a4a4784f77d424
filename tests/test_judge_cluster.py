"""Many files on a Dask cluster: a real scheduler and worker processes, on loopback.

    python tests/test_judge_cluster.py --lost-worker

kills worker after worker while they judge, and shows that nothing is lost.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from distributed import Client

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from grounded_claims import load_suite  # noqa: E402
from grounded_claims.errors import UsageError  # noqa: E402
from grounded_claims.judging.cluster import MANIFEST, _manifest, _refuse_others, judge_files  # noqa: E402
from grounded_claims.judging.judges import make_judge, pickled  # noqa: E402
from grounded_claims.judging.parts import file_digest, judge_part, part_name, record_path  # noqa: E402

FOLDER = ROOT / "fixtures" / "config-claims"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def rows(count, start=0):
    cases = load_suite(FOLDER).cases
    return b"".join(
        json.dumps({"id": n, "candidate": cases[n % 22].candidate, "request": cases[n % 22].request}).encode()
        + b"\n"
        for n in range(start, start + count)
    )


def verdicts(data):
    return make_judge(load_suite(FOLDER), reference=True).judge_chunk(data, 1)[0]


@contextmanager
def cluster(folder, *, workers, lifetime=()):
    """Start a scheduler and workers as processes of their own, and give the scheduler's address."""
    scheduler_file = Path(folder, "scheduler.json")
    start = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    common = ["--scheduler-file", str(scheduler_file), "--no-dashboard"]
    processes = [
        subprocess.Popen(
            [*start, *common, "--host", "127.0.0.1", "--port", "0"], env=ENVIRONMENT, cwd=folder, **QUIET
        )
    ]
    try:
        while not scheduler_file.exists():
            time.sleep(0.05)
        processes += [worker(scheduler_file, folder) for _ in range(workers)]
        address = json.loads(scheduler_file.read_text())["address"]
        with Client(address) as client:
            client.wait_for_workers(workers)
        yield address, processes, scheduler_file
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def worker(scheduler_file, folder):
    start = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(scheduler_file)]
    options = ["--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
    return subprocess.Popen([*start, *options], env=ENVIRONMENT, cwd=folder, **QUIET)


def judge(*arguments):
    command = [sys.executable, "-m", "grounded_claims", "judge", "--suite", str(FOLDER), "--engine", "dask"]
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, env=ENVIRONMENT, timeout=100)


def test_parts_of_a_cluster_hold_what_one_process_writes(tmp_path):
    data = {"a.jsonl": rows(3_000), "b.jsonl": rows(500, 7) + b"\nx", "c.jsonl": rows(44)}
    for name, content in data.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(data["c.jsonl"]))
    (tmp_path / "c.jsonl").unlink()
    sources = [tmp_path / "b.jsonl", tmp_path / "c.jsonl.gz", tmp_path / "a.jsonl"]
    out = tmp_path / "out"
    (tmp_path / "cluster").mkdir()
    with cluster(tmp_path / "cluster", workers=2) as (address, _, _):
        done = judge(*sources, "--out", out, "--scheduler", address, "--summary", tmp_path / "one.json")
        assert (done.returncode, done.stdout) == (1, b""), done.stderr
        assert b"3,546 rows read, 3,546 rows written" in done.stderr
        for name, content in data.items():
            assert (out / name).read_bytes() == verdicts(content)
        manifest = json.loads((out / "manifest.json").read_bytes())
        assert [(part["part"], part["rows"], part["errors"]) for part in manifest["parts"]] == [
            ("a.jsonl", 3_000, 0),
            ("b.jsonl", 502, 2),
            ("c.jsonl", 44, 0),
        ]
        assert [part["input"] for part in manifest["parts"]] == ["a.jsonl", "b.jsonl", "c.jsonl.gz"]
        for part in manifest["parts"]:
            assert part["part_sha256"] == file_digest(out / part["part"])
            assert part["input_sha256"] == file_digest(tmp_path / part["input"])

        before = {path.name: (path.stat().st_ino, path.read_bytes()) for path in out.glob("*.jsonl")}
        (out / "a.jsonl").unlink()  # as if killed before it appeared
        again = judge(*sources, "--out", out, "--scheduler", address, "--summary", tmp_path / "two.json")
        after = {path.name: (path.stat().st_ino, path.read_bytes()) for path in out.glob("*.jsonl")}
        assert (again.returncode, again.stderr) == (1, done.stderr)
        assert {name: content for name, (_, content) in after.items()} == {
            n: c for n, (_, c) in before.items()
        }
        assert [before[name][0] == after[name][0] for name in ("b.jsonl", "c.jsonl")] == [True, True]
        assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert sorted(path.name for path in out.iterdir()) == sorted(
        ["manifest.json", *(f"{name}{end}" for name in data for end in ("", ".part.json"))]
    )


def test_a_cluster_of_this_machine(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(rows(220))
    done = judge(tmp_path / "rows.jsonl", "--out", tmp_path / "out", "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "rows.jsonl").read_bytes() == verdicts(rows(220))


def test_what_a_worker_refuses_is_one_sentence(tmp_path):
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(rows(22))[:-9])
    done = judge(tmp_path / "rows.jsonl.gz", "--out", tmp_path / "out")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{tmp_path / 'rows.jsonl.gz'} is not a whole gzip file".encode())
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("when", ["while it starts", "while it judges"])
def test_an_interrupt_of_a_cluster_of_this_machine_is_one_word(tmp_path, when):
    (tmp_path / "rows.jsonl").write_bytes(rows(60_000))
    command = [sys.executable, "-m", "grounded_claims", "judge", "--suite", FOLDER, "--engine", "dask"]
    command += [tmp_path / "rows.jsonl", "--out", tmp_path / "out", "--reference"]
    process = subprocess.Popen(
        list(map(str, command)), env=ENVIRONMENT, stderr=subprocess.PIPE, start_new_session=True
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (list(tmp_path.glob("out/.*")) or (when == "while it starts" and children.read_text())):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[1] == b"interrupted\n"
    assert process.returncode == 130
    assert not (tmp_path / "out" / MANIFEST).exists()


def after(code, tmp_path, *more):
    """Call the command on a cluster in a process of its own, after this code; it makes nothing."""
    source, out = tmp_path / "rows.jsonl", tmp_path / "out"
    source.write_bytes(rows(1))
    code = f"import sys\n{code}\nfrom grounded_claims.__main__ import main\nsys.exit(main())"
    call = ["judge", "--suite", FOLDER, "--engine", "dask", source, "--out", out]
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, call), *more],
        capture_output=True,
        env=ENVIRONMENT,
        timeout=60,
    )
    assert not out.exists()
    return done


def test_no_scheduler_at_the_address(tmp_path):
    code = "from grounded_claims.judging import cluster\ncluster.CONNECT_SECONDS = 1"
    done = after(code, tmp_path, "--scheduler", "tcp://127.0.0.1:1")
    assert done.returncode == 2
    assert b"no Dask scheduler answers at tcp://127.0.0.1:1" in done.stderr


def test_without_dask_the_extra_is_named(tmp_path):
    done = after("sys.modules['distributed'] = None", tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        b"--engine dask needs the package dask, which is not here: see 'Installing' in docs/scale.md\n",
    )


# Parts


@pytest.fixture
def part(tmp_path):
    (tmp_path / "rows.jsonl").write_bytes(rows(22))
    packed = pickled((load_suite(FOLDER), False))
    target = tmp_path / "out.jsonl"
    return (
        lambda: judge_part(packed, str(tmp_path / "rows.jsonl"), str(target)),
        tmp_path / "rows.jsonl",
        target,
    )


def test_a_complete_part_is_left_as_it_is(part):
    make, _, target = part
    record = make()
    inode = target.stat().st_ino
    assert (make(), target.stat().st_ino) == (record, inode)


#: What is wrong with a part that is there -> how it came so, and the message.
SPOILT = {
    "no record": (lambda source, target: record_path(target).unlink(), "has no record of ours"),
    "a record that is not JSON": (
        lambda source, target: record_path(target).write_bytes(b"{"),
        "is no record of ours",
    ),
    "a record without digests": (
        lambda source, target: record_path(target).write_bytes(b'{"counts": [0, []]}'),
        "is no record of ours",
    ),
    "a record whose counts are none": (
        lambda source, target: record_path(target).write_text(
            record_path(target).read_text().replace("22", '"22"').replace('"counts": [', '"counts": ["x",')
        ),
        "is no record of ours",
    ),
    "a record that is a list": (
        lambda source, target: record_path(target).write_bytes(b"[]"),
        "is no record of ours",
    ),
    "a link to a part": (
        lambda source, target: target.symlink_to(target.rename(target.with_name("moved"))),
        "is a link or no file",
    ),
    "a folder": (
        lambda source, target: (record_path(target).unlink(), record_path(target).mkdir()),
        "is a link or no file",
    ),
    "another input": (lambda source, target: source.write_bytes(rows(3)), "is of another input"),
    "another suite": (
        lambda source, target: record_path(target).write_text(
            re.sub(r'"suite": "\w+"', '"suite": "x"', record_path(target).read_text())
        ),
        "is of another suite",
    ),
    "an edited part": (lambda source, target: target.write_bytes(b""), "is not what its record says"),
}


@pytest.mark.parametrize(("spoil", "message"), SPOILT.values(), ids=SPOILT)
def test_a_part_that_is_not_known_to_be_complete_is_refused(part, spoil, message):
    make, source, target = part
    make()
    spoil(source, target)
    before = target.read_bytes()
    with pytest.raises(UsageError, match=message):
        make()
    assert target.read_bytes() == before


#: Inputs of which the names do not give each a part of its own -> what is said.
NAMES = {
    (
        "x/a.jsonl",
        "y/a.jsonl",
    ): "y/a.jsonl: its part would have the name of {}/x/a.jsonl's; rename one of the two",
    ("x/a.jsonl", "x/a.jsonl.gz"): "rename one of the two",
    ("x/a.jsonl", "x/A.jsonl"): "rename one of the two",
    ("x/a.jsonl", "x/../x/a.jsonl"): "x/../x/a.jsonl is given twice; name it once",
    (
        "x/manifest.json",
    ): "its part would be named manifest.json, as only manifest.json, records (*.part.json)",
    ("x/Manifest.JSON.gz",): "its part would be named Manifest.JSON, as only",
    ("x/a.jsonl.part.json",): "its part would be named a.jsonl.part.json, as only",
    ("x/a.unfinished",): "its part would be named a.unfinished, as only",
    ("x/a.jsonl.gz.gz",): "its part would be named a.jsonl.gz, and is not gzipped; rename it",
    ("x/.gz",): "x/.gz: without .gz no name is left for its part; rename it",
    ("x/...gz",): "x/...gz: without .gz no name is left for its part; rename it",
}


@pytest.mark.parametrize(("names", "said"), NAMES.items())
def test_inputs_without_a_part_of_their_own_are_refused(tmp_path, names, said):
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(UsageError, match=re.escape(said.format(tmp_path))):
        judge_files(load_suite(FOLDER), [tmp_path / name for name in names], tmp_path / "out")
    assert not (tmp_path / "out").exists()


# The folder of a call that comes after another


def made_folder(out, names=("a.jsonl",)):
    """Make what a call leaves, without a cluster."""
    suite = load_suite(FOLDER)
    out.mkdir()
    records = []
    for name in names:
        source = out.with_name(name)
        source.write_bytes(rows(3))
        records.append(judge_part(pickled((suite, False)), str(source), str(out / name)))
    (out / MANIFEST).write_text(json.dumps(_manifest(suite, records)))


def shortened(path):
    """Take the parts out of a manifest's list, or break it off."""
    found = json.loads(path.read_text())
    del found["parts"]
    path.write_text(json.dumps(found))


def moved(path):
    path.symlink_to(path.rename(path.with_name(".x.0123456789ab.unfinished")))


#: What a folder holds besides what a call has left there -> how it came so, and what is said.
OCCUPIED = {
    "a file of a user": (
        lambda out: (out / "notes").write_text("kept"),
        "out holds notes, which is no part of",
    ),
    "a part of another call": (
        lambda out: (out / "b.jsonl").write_text("kept"),
        "out holds b.jsonl, which is no part of this call; name another folder",
    ),
    "a part that the manifest lists": (
        lambda out: (out / MANIFEST).write_text((out / MANIFEST).read_text().replace("a.jsonl", "b.jsonl")),
        "manifest.json lists b.jsonl, which is no part of this call; name another folder",
    ),
    "a manifest of a user": (lambda out: (out / MANIFEST).write_text("[1]"), "is no manifest of ours"),
    "a text of that name": (lambda out: (out / MANIFEST).write_text("notes"), "is no manifest of ours"),
    "a manifest that lists nothing": (lambda out: shortened(out / MANIFEST), "is no manifest of ours"),
    "a manifest of another suite": (
        lambda out: (out / MANIFEST).write_text(
            re.sub(r'"digest": "\w+"', '"digest": "x"', (out / MANIFEST).read_text())
        ),
        "manifest.json exists and is no manifest of ours for this suite; name another folder",
    ),
    "a link of that name": (lambda out: moved(out / MANIFEST), "is no manifest of ours"),
    "a folder of that name": (
        lambda out: ((out / MANIFEST).unlink(), (out / MANIFEST).mkdir()),
        "is no manifest of ours",
    ),
    "a record of a user": (
        lambda out: ((out / "a.jsonl").unlink(), (out / "a.jsonl.part.json").write_text("kept")),
        "a.jsonl.part.json exists and is no record of ours; name another folder",
    ),
    "a link to a record": (lambda out: moved(out / "a.jsonl.part.json"), "is a link or no file"),
}


@pytest.mark.parametrize(("occupy", "said"), OCCUPIED.values(), ids=OCCUPIED)
def test_a_folder_that_holds_anything_else_is_refused_before_anything_is_judged(tmp_path, occupy, said):
    out = tmp_path / "out"
    made_folder(out)
    occupy(out)
    before = {path.name: (path.is_dir() or path.read_bytes()) for path in out.iterdir()}
    with pytest.raises(UsageError, match=re.escape(said)):
        judge_files(load_suite(FOLDER), [tmp_path / "a.jsonl"], out, scheduler="tcp://127.0.0.1:1")
    assert {path.name: (path.is_dir() or path.read_bytes()) for path in out.iterdir()} == before


def test_what_a_call_has_left_is_taken_up_again(tmp_path):
    """A killed call leaves unfinished files and records, and perhaps no part."""
    suite, out = load_suite(FOLDER), tmp_path / "out"
    made_folder(out)
    (out / "a.jsonl").unlink()
    (out / ".a.jsonl.0123456789ab.unfinished").write_bytes(b"{")
    _refuse_others(suite, out, [out / "a.jsonl"])
    (out / MANIFEST).unlink()
    _refuse_others(suite, out, [out / "a.jsonl", out / "b.jsonl"])
    with pytest.raises(UsageError, match=r"out holds a\.jsonl\.part\.json, which is no part of this call"):
        _refuse_others(suite, out, [out / "b.jsonl"])


def test_name_of_a_part():
    assert [part_name(Path(name)) for name in ("x/a.jsonl", "a.jsonl.gz", "a.gz")] == [
        "a.jsonl",
        "a.jsonl",
        "a",
    ]


def lose_workers(folder, *, files=8, each=60_000, losses=3):
    """Kill a worker again and again while files are judged, start another, and compare every part."""
    folder = Path(folder)
    data = rows(each)
    sources = [folder / f"in-{number}.jsonl" for number in range(files)]
    for source in sources:
        source.write_bytes(data)
    command = [sys.executable, "-m", "grounded_claims", "judge", "--suite", str(FOLDER), "--engine", "dask"]
    with cluster(folder, workers=2) as (address, processes, scheduler_file):
        process = subprocess.Popen(
            [
                *command,
                *map(str, sources),
                "--out",
                str(folder / "out"),
                "--scheduler",
                address,
                "--reference",
            ],
            env=ENVIRONMENT,
            **QUIET,
        )
        lost = 0
        while process.poll() is None and lost < losses:
            time.sleep(1.5)
            if list(folder.glob("out/.*.unfinished")) and process.poll() is None:
                processes.insert(1, worker(scheduler_file, folder))
                victim = processes.pop()
                victim.kill()
                victim.wait()
                lost += 1
        code = process.wait()
    wanted = verdicts(data)
    whole = [(folder / "out" / source.name).read_bytes() == wanted for source in sources]
    return code, lost, whole


if __name__ == "__main__":
    if sys.argv[1:] != ["--lost-worker"]:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as place:
        code, lost, whole = lose_workers(place)
    print(f"exit code {code}, {lost} workers killed, {sum(whole)} of {len(whole)} parts whole and right")
    sys.exit(0 if code == 0 and lost and all(whole) else 1)
