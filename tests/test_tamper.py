"""Forgery and rot: of what the tamper engine does in full by its own command, a part, the same each time.

Each mutation has the check that must notice it; the engine asserts both, and that a check of the sums alone
accepts what was sealed. One of each family is then audited by the command, in a process of its own.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import tamper
from tampering import families, forgeries, softened
from tampering.engine import Bench, fast_folder, lay, put, remembered_suites
from tampering.good_runs import GoodRun, Lab, make_lab, sums_accept
from tampering.mutation import Mutation

import audit

LEAST = 1_000
#: Families of which every mutation is done by a forger who redoes every digest.
CONSISTENT = (
    "byte flipped, sealed", "cut short, sealed", "value replaced", "member removed", "member doubled", "members moved",
    "written otherwise", "another format", "results forged", "verdict forged whole", "total forged", "cases forged",
    "manifest forged", "sources forged", "two runs mixed", "suite softened", "rewritten",
)  # fmt: skip


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with fast_folder() as folder:
        yield make_lab(folder / "checkout")


@pytest.fixture
def bench(lab: Lab) -> Iterator[Bench]:
    with fast_folder() as folder, remembered_suites():
        yield Bench(folder, lab)


def some_of(lab: Lab) -> Iterator[Mutation]:
    """Return one mutation of each family that can be made in files, and noticed without --expect."""
    for family in families.FAMILIES:
        chosen = (each for each in family.make(lab) if each.outcome == "defect" and not each.reading)
        yield from itertools.islice(chosen, 1)


def test_every_mutation_is_noticed_by_the_check_that_should() -> None:
    summary = tamper.tamper(full=False)
    assert [f"{seen.mutation.title}: {seen.missed}" for seen in summary.missed] == []
    assert sum(summary.families.values()) >= LEAST
    assert set(summary.outcomes) == {"defect", "expect", "exercise"}
    assert {
        family for family in CONSISTENT if summary.families[family] != summary.sums_agree[family]
    } == set()
    assert summary.slowest is not None
    *_, last = summary.lines()
    assert last == "missed: 0"


def test_the_names(lab: Lab) -> None:
    """No two mutations have one name, a generator makes one family, and none is empty."""
    for family in families.FAMILIES:
        made = [(each.family, each.title) for each in itertools.islice(family.make(lab), 2_000)]
        assert {name for name, _ in made} == {family.name}
        assert len({title for _, title in made}) == len(made)


def test_the_good_runs_are_good(bench: Bench, lab: Lab) -> None:
    last = {"tiny": "PASS", "config-claims": "PASS", "order-status": "PASS"}
    for run in lab.runs.values():
        untouched = Mutation(family="none", name="nothing", run=run, caught_by="A1.1")
        report = bench.audit(untouched, bench.place(run), run.run_digest)
        assert report.verdict() == last.get(run.name, "PASS: not a published suite")
        assert bench.try_one(untouched).missed == "exit 0"


def test_the_engine_says_what_is_missed(bench: Bench, lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong row of the table, a wrong claim about the sums, and a crash of the auditor are each seen."""
    run = lab.runs["tiny"]
    good = next(iter(forgeries.cases(lab)))
    assert bench.try_one(good).missed == ""
    assert bench.try_one(replace(good, caught_by="A3.2")).missed == "caught by A7.1, not by A3.2"
    assert bench.try_one(replace(good, caught_by="")).missed == "the table names no check"
    assert bench.try_one(replace(good, outcome="expect")).missed == "exit 1 by A7.1"
    flipped = Mutation(
        family="f", name="n", run=run, caught_by="A3.2", files={"results.json": b"{}\n"}, sums_agree=True
    )
    assert bench.try_one(flipped).missed == "the sums do not agree, and the table says that they do"
    monkeypatch.setattr(audit, "printable", lambda _: 1 / 0)
    assert bench.try_one(good).missed == "a crash: ZeroDivisionError('division by zero')"
    monkeypatch.undo()
    assert (bench.place(run) / "results.json").read_bytes() == run.files["results.json"]


def test_a_check_taken_out_of_the_auditor_is_missed(
    bench: Bench, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without recomputing, what a forger did with every digest redone goes unnoticed."""
    forgery = next(iter(forgeries.cases(lab)))
    monkeypatch.setattr(audit, "disagreements", lambda *_: [])
    assert bench.try_one(forgery).missed == "exit 0"


def test_a_difference_is_told_without_taking_a_huge_file_apart() -> None:
    """Found by the huge files: 64 MiB of line feeds needed half a gigabyte more to say where they begin."""
    wanted = b"{\n}\n"
    found = wanted + b"\n" * 4_000_000
    tracemalloc.start()
    said = audit.first_difference(found, wanted)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert said == "line 4: found '', expected the end"
    assert peak < 3 * len(found)
    assert audit.first_difference(b"{\n}", wanted) == "line 3: found the end, expected ''"
    assert audit.first_difference(b"x" * 1000 + wanted, wanted).endswith("x'..., expected '{'")


def audited(lab: Lab, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(lab.root / "audit.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_one_of_each_family_by_the_command(bench: Bench, lab: Lab) -> None:
    chosen = list(some_of(lab))
    assert {family.name for family in families.FAMILIES} - {each.family for each in chosen} == {
        "read that fails",
        "rewritten",
    }
    for mutation in chosen:
        with bench.tampered(mutation, mutation.changes()) as place:
            done = audited(lab, str(place))
        assert (done.returncode, done.stderr) == (1, ""), mutation.title
        lines = done.stdout.splitlines()
        failed = {line.split()[1] for line in lines if line.startswith("FAIL   ")}
        for word in mutation.caught_by.split():
            assert failed & set(word.split("|")), (mutation.title, word, failed)
        assert lines[-1].startswith("FAIL")


def test_what_is_unnoticed_without_expect_is_noticed_with_it(bench: Bench, lab: Lab) -> None:
    """The list of what nothing in a directory contradicts; docs/audit.md names the same members."""
    assert {".".join(path) for path in forgeries.REWRITTEN} == {
        "created", "program.version", "environment.python", "environment.implementation", "environment.platform",
        "environment.packages", "git", "git.dirty",
    }  # fmt: skip
    rewritten = [each for each in forgeries.unnoticed(lab) if each.run.name == "tiny"]
    for mutation in (rewritten[0], rewritten[-1]):
        with bench.tampered(mutation, mutation.changes()) as place:
            assert audited(lab, str(place)).returncode == 0
            done = audited(lab, str(place), "--expect", mutation.run.run_digest)
        assert done.returncode == 1
        assert "FAIL   A3.7  run digest" in done.stdout


def test_an_unfrozen_softened_suite_is_an_exercise(bench: Bench, lab: Lab) -> None:
    """The rule: who says that it is frozen is caught by the pins, who says that it is not made an exercise."""
    frozen, exercise = list(softened.softened(lab))[:2]
    assert (frozen.caught_by, exercise.outcome) == ("A4.1", "exercise")
    with bench.tampered(exercise, exercise.changes()) as place:
        done = audited(lab, str(place))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "PASS: not a published suite")
    with bench.tampered(frozen, frozen.changes()) as place:
        done = audited(lab, str(place))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "FAIL: not a published suite")


def test_sha256sum_accepts_what_recomputing_does_not(lab: Lab, tmp_path: Path) -> None:
    """The weaker check, by the program itself where there is one, and by the same steps in Python everywhere."""
    program = shutil.which("sha256sum")
    makers = (forgeries.cases, forgeries.totals, forgeries.case_lists, forgeries.manifests, forgeries.sources)
    for maker in makers:
        for number, mutation in enumerate(each for each in maker(lab) if each.run.name == "tiny"):
            if number % 10:
                continue
            place = tmp_path / "run"
            lay(place, mutation.run)
            changed = mutation.changes()
            for path, data in changed.items():
                put(place / path, data)
            assert sums_accept(
                {**mutation.run.files, **{path: data or b"" for path, data in changed.items()}}
            )
            if program:
                command = [program, "--check", "--strict", "--quiet", "SHA256SUMS"]
                done = subprocess.run(command, cwd=place, capture_output=True, check=False)
                assert (done.returncode, done.stdout) == (0, b""), mutation.title
            shutil.rmtree(place)


def test_the_weaker_check_in_python_is_the_weaker_check() -> None:
    files = {"a": b"x", "SHA256SUMS": b""}
    assert not sums_accept(files)
    line = b"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  a\n"
    assert sums_accept({**files, "SHA256SUMS": line})
    assert not sums_accept({**files, "a": b"y", "SHA256SUMS": line})
    assert not sums_accept({"SHA256SUMS": line})


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["total forged"], 0, "missed: 0"),
        (["--help"], 0, "usage: tamper.py [--full] [FAMILY ...]"),
        (["-h"], 0, "  total forged\n"),
        (["no such"], 2, "no such family: no such"),
        (["--fuller"], 2, "no such family: --fuller; usage: tamper.py [--full] [FAMILY ...]"),
    ],
)
def test_the_command(arguments: list[str], code: int, words: str, tmp_path: Path) -> None:
    command = [sys.executable, str(Path(tamper.__file__)), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code
    assert words in done.stdout + done.stderr
    assert os.listdir(tmp_path) == []


def test_the_page_shows_the_figures_of_every_family() -> None:
    """docs/audit.md repeats what the command printed in full: every family that there is, and none was missed."""
    text = (tamper.ROOT / "docs" / "audit.md").read_text("utf-8")
    figures = text.partition("\nfamily ")[2].partition("\n```")[0].splitlines()[1:]
    rows = [re.fullmatch(r"(.{24})\s*(\d+)\s+(\d+)\s+[\d.]+", line) for line in figures]
    counts = {row[1].strip(): (int(row[2]), int(row[3])) for row in rows if row}
    total = counts.pop("all")
    assert list(counts) == [family.name for family in families.FAMILIES]
    assert total == (sum(count for count, _ in counts.values()), sum(agree for _, agree in counts.values()))
    assert total[0] >= 10_000
    assert "missed: 0" in figures
    for path in forgeries.REWRITTEN:
        assert any(f"`{each}`" in text for each in (".".join(path), path[0])), path


def test_a_mutation_can_be_named(lab: Lab) -> None:
    mutation = Mutation(family="f", name="\x1b", run=GoodRun(name="r", files={}), caught_by="")
    assert tamper.shown(mutation) == "f: r: \\x1b"
