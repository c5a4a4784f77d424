"""Branches that no other test reaches: another file system, a folder that changes, odd texts of YAML.

Functions of `os` are replaced where a system has to be stood in for; nothing of ours is.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_suite import write
from test_recorded_run import PROVENANCE, make_run, rewrite

from grounded_claims import load_suite, places
from grounded_claims.errors import RunDirectoryError, SuiteError, UsageError
from grounded_claims.recorded_run import read_run
from grounded_claims.report.account import _difference
from grounded_claims.report.page import render
from grounded_claims.run_directory import write_run
from grounded_claims.runner import run_suite
from grounded_claims.shapes import nearest_word
from grounded_claims.stories import tell
from grounded_claims.stories.config_claims import claims_of
from grounded_claims.stories.story import Difference
from grounded_claims.stories.terminal import story_lines
from grounded_claims.strict_yaml import load
from grounded_claims.suite import _at, find_suite

ROOT = Path(__file__).parent.parent
FIXTURES = ROOT / "fixtures"
CONFIG = load_suite(FIXTURES / "config-claims")


# recorded_run.py


def test_inputs_that_change_while_a_run_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read once to be hashed, and once by the loader."""
    folder = make_run(tmp_path / "run")
    path, real, opened = folder / "inputs" / "suite.yaml", os.open, []

    def changing(name: Any, *arguments: Any, **named: Any) -> int:
        if Path(name) == path:
            opened.append(name)
            if len(opened) == 2:
                path.write_bytes(path.read_bytes() + b"# A note.\n")
        return real(name, *arguments, **named)

    monkeypatch.setattr(os, "open", changing)
    with pytest.raises(RunDirectoryError) as raised:
        read_run(folder)
    assert str(raised.value) == f"{folder / 'inputs'} changed while it was read"


def test_a_pipe_is_no_file_of_a_run(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run")
    (folder / "results.json").unlink()
    os.mkfifo(folder / "results.json")
    with pytest.raises(RunDirectoryError) as raised:
        read_run(folder)
    assert str(raised.value) == f"{folder / 'results.json'} is not a regular file"


def test_a_file_of_a_run_has_at_most_64_mib(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run")
    with (folder / "results.json").open("r+b") as file:
        file.truncate(64 * 2**20 + 1)
    with pytest.raises(RunDirectoryError, match=r"results\.json is larger than 64 MiB$"):
        read_run(folder)


def test_a_layer_neither_passes_nor_fails(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run")
    rewrite(folder, "results.json", lambda results: results["cases"][0].update(strict_json=1))
    with pytest.raises(RunDirectoryError) as raised:
        read_run(folder)
    assert "cases[0].strict_json: true or false belongs here" in str(raised.value)


# suite_files.py and suite.py


def test_without_fixtures_no_suite_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "PACKAGE", tmp_path / "site-packages" / "grounded_claims")
    with pytest.raises(UsageError) as raised:
        find_suite("config-claims")
    assert str(raised.value) == "'config-claims' is neither a suite nor a folder; no suite is installed"


def as_if_regular(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Let a file have been regular when it was looked at; it is something else when it is opened."""
    regular, real = os.lstat(path.parent / "suite.yaml"), os.lstat
    monkeypatch.setattr(
        os, "lstat", lambda name, **named: regular if Path(name) == path else real(name, **named)
    )
    assert stat.S_ISREG(os.lstat(path).st_mode)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (os.mkfifo, "is not a regular file; put the file itself here, not a link, a folder or a device"),
        (lambda path: path.symlink_to("suite.yaml"), "cannot be read (Too many levels of symbolic links)"),
    ],
    ids=["a pipe", "a link"],
)
def test_a_file_that_becomes_something_else(
    make: Callable[[Path], None], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "suite")
    (folder / "cases.yaml").unlink()
    make(folder / "cases.yaml")
    as_if_regular(monkeypatch, folder / "cases.yaml")
    with pytest.raises(SuiteError) as raised:
        load_suite(folder)
    assert str(raised.value) == f"{folder / 'cases.yaml'}: {said}"


def test_a_folder_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SuiteError) as raised:
        load_suite(tmp_path / "file" / "suite")
    assert str(raised.value) == f"{tmp_path}/file/suite: cannot be read as a folder (Not a directory)"


def test_a_frozen_suite_that_differs_by_line_endings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its own place; elsewhere it is an exercise with a fault."""
    package = tmp_path / "src" / "grounded_claims"
    package.mkdir(parents=True)
    (tmp_path / "run.py").touch()
    shutil.copytree(FIXTURES, tmp_path / "fixtures")
    suite = tmp_path / "fixtures" / "config-claims"
    for path in suite.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.setattr(places, "PACKAGE", package)
    with pytest.raises(SuiteError) as raised:
        load_suite(suite)
    assert str(raised.value).startswith(
        f"{suite}: the files of the frozen suite 'config-claims' differ from the published ones by line "
        "endings alone; restore them (git checkout -- fixtures/config-claims), with LF\n"
    )


# yaml_errors.py


LOOK = "look for a quotation mark, a colon or an indentation that is wrong in this line or the one above"
BRACES = (
    "braces and brackets are YAML structure here; a text such as a JSON candidate stands in single "
    "quotation marks: '{…}'"
)
YAML: dict[str, tuple[str, str]] = {
    "a version of YAML that there is none of": (
        "%YAML 1010.1\n---\na: b\n",
        "YAML cannot be read from here on (found incompatible YAML document (version 1.* is required)); "
        + LOOK,
    ),
    "a text that goes on behind a quotation mark, in braces": ('a: {b: c, d: [""e, 1]}\n', BRACES),
    "the same over two lines": ('a: ["b" c,\n  d]\n', BRACES),
}


@pytest.mark.parametrize("name", YAML)
def test_what_yaml_refuses(name: str) -> None:
    text, said = YAML[name]
    assert [(fault.line, fault.message) for fault in load(text.encode()).faults] == [(1, said)]


# audit.py on an old Python, as far as this one can seem to be old


def test_an_old_python_is_told_which_one_is_needed(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.hexversion = 0x03090000\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(ROOT / "audit.py"), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    found = platform.python_version()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"audit.py needs Python 3.10 or newer; this is Python {found}\n"


# The page of a run


#: What the manifest says of git -> what the page says of it.
COMMITS: dict[str, tuple[dict[str, Any], str]] = {
    "as committed": ({"commit": "c" * 40, "dirty": False}, "c" * 40),
    "with changes": ({"commit": "c" * 40, "dirty": True}, f"{'c' * 40}, with changes beside it"),
    "none": ({"unavailable": "git is not installed"}, "unknown: git is not installed"),
}


@pytest.mark.parametrize(("git", "said"), COMMITS.values(), ids=COMMITS)
def test_the_page_says_what_is_known_of_the_commit(tmp_path: Path, git: dict[str, Any], said: str) -> None:
    results = run_suite(load_suite(FIXTURES / "order-status"))
    write_run(tmp_path / "run", results=results, provenance=replace(PROVENANCE, git=git))
    assert f">{said}<" in render(read_run(tmp_path / "run")).decode()


def test_no_difference_is_said_too() -> None:
    assert list(_difference(Difference())) == ["<p>None: the same answer to the same request.</p>"]


def test_a_story_without_a_request_names_none() -> None:
    """As of a contract that says nothing about its requests."""
    layers = {layer.name: layer.title for layer in CONFIG.contract.layers}
    request = CONFIG.requests["timeout-only"]
    story = tell(CONFIG.contract, "{}", request, registry=CONFIG.registry)
    lines = list(story_lines(story, title="x", width=80, layers=layers, pair=None))
    shorter = list(story_lines(replace(story, request=()), title="x", width=80, layers=layers, pair=None))
    assert lines[2].startswith("The request: ")
    assert shorter == lines[:2] + lines[lines.index("", 2) + 1 :]


def test_the_right_citation_may_be_the_second_document() -> None:
    request = CONFIG.requests["timeout-only"]
    turned = replace(
        request, supplied={key: CONFIG.registry[key] for key in ("dev-v2", "prod-v1", "prod-v2")}
    )
    claim = {"field": "read_timeout_ms", "value": "5000", "doc": "nowhere", "quote": "read_timeout_ms=5000"}
    story = tell(CONFIG.contract, json.dumps({"claims": [claim]}), turned, registry=CONFIG.registry)
    assert story.verdict.status == "NO_CITATION"
    assert any(sentence.startswith("Cite prod-v2, ") for sentence in story.mend)


def test_a_value_of_another_shape_has_no_claims() -> None:
    assert claims_of({"claims": 1}) == claims_of([]) == ()


# Words that are near


@pytest.mark.parametrize(("count", "near"), [(200, "word-7"), (201, None)])
def test_of_very_many_words_none_is_looked_for(count: int, near: str | None) -> None:
    """Comparing takes long, and the right word among so many is seldom the nearest."""
    assert nearest_word("Word-7", (f"word-{number}" for number in range(count))) == near


@pytest.mark.parametrize("path", [("a", 5), ("b",), ("a", 0, "c")])
def test_a_path_that_leads_nowhere_has_no_text(path: tuple[str | int, ...]) -> None:
    """As a fault would have that is about something else than what stands in the file."""
    assert _at({"a": [1]}, path) is None
    assert _at({"a": [1]}, ("a", 0)) == 1
