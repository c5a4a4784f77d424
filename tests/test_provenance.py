"""Where a run comes from (R6, R7): real repositories in temporary folders. A wrong commit is never named."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from grounded_claims import provenance
from grounded_claims.errors import UsageError
from grounded_claims.provenance import SOURCE_FILES, SOURCE_FOLDER, created, gather, packages, source_paths

ROOT = Path(__file__).parent.parent
IDENTITY = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false")
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def git(folder: Path, *arguments: str) -> str:
    command = ["git", *IDENTITY, "-C", str(folder), *arguments]
    return subprocess.run(command, env=CLEAN, capture_output=True, text=True, check=True).stdout.strip()


def write_sources(folder: Path) -> None:
    for name in (*SOURCE_FILES, f"{SOURCE_FOLDER}/gate.py", f"{SOURCE_FOLDER}/inner/deep.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"# {name}\n", encoding="utf-8")
    (folder / SOURCE_FOLDER / "py.typed").touch()
    (folder / SOURCE_FOLDER / "page.html").write_text("<p>no source</p>\n", encoding="utf-8")
    (folder / "README.md").write_text("Read me.\n", encoding="utf-8")


def commit_all(folder: Path) -> str:
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "all")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    write_sources(folder)
    return folder


def git_of(folder: Path, **environ: str) -> dict[str, Any]:
    return dict(gather(folder, environ={**CLEAN, **environ}).git)


def test_a_clean_checkout_has_its_commit(checkout: Path) -> None:
    commit = commit_all(checkout)
    assert git_of(checkout) == {"commit": commit, "dirty": False}


# Dirty: a tracked file or a source that differs from the commit


def edit(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).write_text("changed\n", encoding="utf-8")

    return change


def _same_size_and_time(folder: Path) -> None:
    path = folder / "run.py"
    before = path.stat()
    path.write_text(path.read_text(encoding="utf-8").swapcase(), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _hidden_from_status(folder: Path) -> None:
    git(folder, "update-index", "--assume-unchanged", "audit.py")
    edit("audit.py")(folder)


def _skipped_in_status(folder: Path) -> None:
    git(folder, "update-index", "--skip-worktree", "audit.py")
    edit("audit.py")(folder)


def _ignored_source(folder: Path) -> None:
    (folder / ".git" / "info" / "exclude").write_text("*.py\n", encoding="utf-8")
    edit(f"{SOURCE_FOLDER}/more.py")(folder)


def _staged(folder: Path) -> None:
    edit("README.md")(folder)
    git(folder, "add", "README.md")


def _committed_away(folder: Path) -> None:
    git(folder, "rm", "--quiet", "--cached", f"{SOURCE_FOLDER}/gate.py")
    git(folder, "commit", "--quiet", "--message", "without")


def _replaced(folder: Path) -> None:
    """Let git show another commit's tree under the name of this one."""
    first = git(folder, "rev-parse", "HEAD")
    edit("run.py")(folder)
    git(folder, "commit", "--quiet", "--all", "--message", "changed")
    git(folder, "replace", first, "HEAD")
    git(folder, "checkout", "--quiet", "--detach", first)
    edit("run.py")(folder)


DIRTY: dict[str, Callable[[Path], None]] = {
    "a source was edited": edit("run.py"),
    "a source below the package was edited": edit(f"{SOURCE_FOLDER}/inner/deep.py"),
    "a tracked file that is no source was edited": edit("README.md"),
    "a tracked page of the package was edited": edit(f"{SOURCE_FOLDER}/page.html"),
    "a tracked file was removed": lambda folder: (folder / "README.md").unlink(),
    "an edit is staged": _staged,
    "a source is not tracked": edit(f"{SOURCE_FOLDER}/more.py"),
    "a source is ignored": _ignored_source,
    "a source is no longer part of the commit": _committed_away,
    "an edit keeps size and time": _same_size_and_time,
    "an edit that status is told to assume away": _hidden_from_status,
    "an edit that status is told to skip": _skipped_in_status,
    "the commit is replaced by another": _replaced,
}


@pytest.mark.parametrize("name", DIRTY)
def test_r7_what_differs_from_the_commit_is_dirty(name: str, checkout: Path) -> None:
    commit_all(checkout)
    DIRTY[name](checkout)
    assert git_of(checkout) == {"commit": git(checkout, "rev-parse", "HEAD"), "dirty": True}


@pytest.mark.parametrize("name", ["evidence/MY-RUN/results.json", "notes.txt", "__pycache__/x.pyc"])
def test_r7_a_file_beside_the_sources_does_not_make_it_dirty(name: str, checkout: Path) -> None:
    commit_all(checkout)
    (checkout / name).parent.mkdir(parents=True, exist_ok=True)
    edit(name)(checkout)
    assert git_of(checkout)["dirty"] is False


# No commit, and why


def _in_a_parent_repository(folder: Path) -> None:
    commit_all(folder.parent)


def _owned_by_another(folder: Path) -> None:
    commit_all(folder)
    for path in (folder, folder / ".git"):
        os.chown(path, os.getuid() + 4242, -1)


def _without_a_commit(folder: Path) -> None:
    git(folder, "init", "--quiet")


def _broken_configuration(folder: Path) -> None:
    commit_all(folder)
    (folder / ".git" / "config").write_text("[core\n", encoding="utf-8")


def _worktree_elsewhere(folder: Path) -> None:
    commit_all(folder)
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    git(folder, "config", "core.worktree", str(elsewhere))


UNAVAILABLE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a zip download": (lambda folder: None, "the folder is not a git checkout"),
    "a foreign parent repository": (_in_a_parent_repository, "the checkout lies inside another repository"),
    "no commit yet": (_without_a_commit, "the repository has no commit yet"),
    "a broken configuration": (_broken_configuration, "git could not read the repository"),
    "another work tree": (_worktree_elsewhere, "the checkout lies inside another repository"),
}
if os.getuid() == 0:  # nobody else can give a folder away
    UNAVAILABLE["another user's folder"] = (
        _owned_by_another,
        "git does not trust the folder, which another user owns",
    )


@pytest.mark.parametrize("name", UNAVAILABLE)
def test_r7_no_commit_is_named_and_why(name: str, checkout: Path) -> None:
    prepare, reason = UNAVAILABLE[name]
    prepare(checkout)
    assert git_of(checkout) == {"unavailable": reason}


def test_r7_without_git(checkout: Path) -> None:
    commit_all(checkout)
    assert git_of(checkout, PATH=str(checkout)) == {"unavailable": "git is not installed"}


def stub(folder: Path, script: str, *, mode: int = 0o755) -> str:
    """Put a program called git into a folder of its own and return that folder."""
    place = folder / "bin"
    place.mkdir()
    (place / "git").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (place / "git").chmod(mode)
    return str(place)


def test_r7_a_git_that_cannot_be_started(checkout: Path, tmp_path: Path) -> None:
    path = stub(tmp_path, "exit 0", mode=0o644)
    assert git_of(checkout, PATH=path) == {"unavailable": "git is not installed"}
    (Path(path) / "git").chmod(0o755)
    (Path(path) / "git").write_bytes(b"\x7fELF, cut short")
    assert git_of(checkout, PATH=path) == {"unavailable": "git did not answer: OSError"}


@pytest.mark.parametrize("path", ["", ":", "."])
def test_r7_a_git_in_the_current_folder_is_never_run(
    path: str, checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(stub(tmp_path, "touch ran"))
    assert git_of(checkout, PATH=path) == {"unavailable": "git is not installed"}
    assert not Path("ran").exists()


def test_r7_a_git_that_does_not_answer(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provenance, "GIT_SECONDS", 0.2)
    path = stub(tmp_path, "exec /bin/sleep 5")
    assert git_of(checkout, PATH=path) == {"unavailable": "git did not answer: TimeoutExpired"}


def test_r7_a_folder_that_git_names_and_that_is_not_there(checkout: Path, tmp_path: Path) -> None:
    path = stub(tmp_path, f"echo /nowhere; echo {'0' * 40}")
    assert git_of(checkout, PATH=path) == {"unavailable": "the checkout lies inside another repository"}


# The caller's own git variables do not show (bug-log R03)


@pytest.mark.parametrize("variable", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"])
def test_r7_variables_that_point_elsewhere_are_not_followed(
    variable: str, checkout: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "other").touch()
    commit_all(elsewhere)
    assert git_of(checkout, **{variable: str(elsewhere / ".git")}) == {
        "unavailable": "the folder is not a git checkout"
    }
    commit = commit_all(checkout)
    assert git_of(checkout, **{variable: str(elsewhere / ".git")}) == {"commit": commit, "dirty": False}


def test_r7_no_program_of_the_caller_is_run(checkout: Path, tmp_path: Path) -> None:
    trace = tmp_path / "was-run"
    commit = commit_all(checkout)
    git(checkout, "config", "core.fsmonitor", f"touch {trace}; false")
    assert git_of(checkout, GIT_EXTERNAL_DIFF=f"touch {trace}", GIT_PAGER=f"touch {trace}") == {
        "commit": commit,
        "dirty": False,
    }
    assert not trace.exists()


@pytest.mark.parametrize(
    "name", ["with spaces", "é 中 \U0001f600", "a\nb", "a\u2028b", "-option", "quo'te\"s"]
)
def test_r7_a_checkout_may_have_any_name(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    write_sources(folder)
    commit = commit_all(folder)
    assert git_of(folder) == {"commit": commit, "dirty": False}


def test_r7_a_work_tree_of_its_own_and_a_shallow_clone(checkout: Path, tmp_path: Path) -> None:
    commit = commit_all(checkout)
    git(checkout, "worktree", "add", "--quiet", "--detach", str(tmp_path / "second"))
    assert git_of(tmp_path / "second") == {"commit": commit, "dirty": False}
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{checkout}", str(tmp_path / "shallow"))
    assert git_of(tmp_path / "shallow") == {"commit": commit, "dirty": False}


def test_r7_a_repository_of_sha_256(checkout: Path) -> None:
    git(checkout, "init", "--quiet", "--object-format=sha256")
    git(checkout, "add", ".")
    git(checkout, "commit", "--quiet", "--message", "all")
    commit = git(checkout, "rev-parse", "HEAD")
    assert len(commit) == 64
    assert git_of(checkout) == {"commit": commit, "dirty": False}


# The sources, by R6


def test_r6_the_sources_are_digested_as_they_are(checkout: Path) -> None:
    (checkout / "run.py").write_bytes(b"a\r\nb\xff")
    (checkout / SOURCE_FOLDER / "__pycache__").mkdir()
    (checkout / SOURCE_FOLDER / "__pycache__" / "gate.pyc").touch()
    sources = gather(checkout, environ=CLEAN).sources
    assert list(sources) == sorted(
        (*SOURCE_FILES, f"{SOURCE_FOLDER}/gate.py", f"{SOURCE_FOLDER}/inner/deep.py")
    )
    assert sources["run.py"] == hashlib.sha256(b"a\r\nb\xff").hexdigest()


def test_r6_the_sources_of_this_checkout_are_there() -> None:
    listed = source_paths(ROOT)
    assert listed == sorted(listed)
    assert {"run.py", "bootstrap.py", "src/grounded_claims/contracts/base.py"} <= set(listed)
    assert all((ROOT / path).is_file() for path in listed)


def test_r6_only_regular_files_are_sources(checkout: Path) -> None:
    listed = source_paths(checkout)
    (checkout / SOURCE_FOLDER / "folder.py").mkdir()
    (checkout / SOURCE_FOLDER / ".#lock.py").symlink_to("nowhere")
    os.mkfifo(checkout / SOURCE_FOLDER / "pipe.py")
    assert source_paths(checkout) == listed


@pytest.mark.parametrize("name", ["gate - Copy.py", "gäte.py"])
def test_r6_a_name_that_no_manifest_takes_is_refused(name: str, checkout: Path) -> None:
    (checkout / SOURCE_FOLDER / name).write_bytes(b"")
    with pytest.raises(UsageError) as caught:
        source_paths(checkout)
    mend = "is no name that a manifest takes; rename it, or take it out of the sources"
    assert str(caught.value) == f"{f'{SOURCE_FOLDER}/{name}'!r} {mend}"


def test_r6_a_source_that_is_missing_is_an_error(checkout: Path) -> None:
    (checkout / "audit.py").unlink()
    with pytest.raises(FileNotFoundError):
        gather(checkout, environ=CLEAN)


# The clock and the environment


@pytest.mark.parametrize(
    ("epoch", "time_of_run"),
    [
        ("0", "1970-01-01T00:00:00Z"),
        ("1", "1970-01-01T00:00:01Z"),
        ("1764504000", "2025-11-30T12:00:00Z"),
        ("99999999999", "5138-11-16T09:46:39Z"),
    ],
)
def test_source_date_epoch_is_the_time_of_the_run(epoch: str, time_of_run: str) -> None:
    assert created({"SOURCE_DATE_EPOCH": epoch}) == time_of_run


@pytest.mark.parametrize(
    "epoch", ["-1", "1.5", "now", " 1", "1\n", "0x10", "١", "1e9", "100000000000", "1_0"]
)
def test_any_other_source_date_epoch_is_refused(epoch: str) -> None:
    with pytest.raises(UsageError) as raised:
        created({"SOURCE_DATE_EPOCH": epoch})
    assert str(raised.value) == (
        f"SOURCE_DATE_EPOCH is {epoch!r}; a number of seconds since 1970 belongs there"
    )


@pytest.mark.parametrize("environ", [{}, {"SOURCE_DATE_EPOCH": ""}])
def test_without_it_the_time_is_now_in_utc(environ: dict[str, str]) -> None:
    before, found, after = int(time.time()), created(environ), int(time.time())
    assert found in [
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(each)) for each in range(before, after + 1)
    ]


def test_the_environment_is_this_one() -> None:
    environment = gather(ROOT, environ=CLEAN).environment
    assert list(environment) == ["python", "implementation", "platform", "packages"]
    assert environment["python"] == sys.version.split()[0]
    assert environment["implementation"] == "CPython"
    assert re.fullmatch(r"[^/\n]+ \S+ \S+", environment["platform"])
    used = {name.lower(): version for name, version in environment["packages"].items()}
    assert {name: used[name] for name in ("jsonschema", "pyyaml", "tabulate")} == {
        name: metadata.version(name) for name in ("jsonschema", "pyyaml", "tabulate")
    }


def test_packages_are_those_of_the_requirements() -> None:
    """One that this Python has not got is left out; comments, hashes and options are no packages."""
    text = (
        "# comment==1\n"
        "--require-hashes\n"
        "tabulate==0.0 \\\n"
        "    --hash=sha256:00\n"
        "PyYAML==0.0 ; python_version >= '3.10'\n"
        "no-such-package==1.0\n"
        "  indented==1\n"
    )
    assert packages(text) == {"PyYAML": metadata.version("PyYAML"), "tabulate": metadata.version("tabulate")}
    assert list(packages(text)) == ["PyYAML", "tabulate"]
