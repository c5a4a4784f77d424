"""Archives that are older than the checkout: what git is asked then, and that nobody else has a say in it.

test_audit.py has the plain cases; here are histories that were rewritten, and repositories that are hostile:
that of the archive, one around it, one around the checkout, and the checkout's own.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tampering.engine import lay, put
from tampering.good_runs import MANIFEST, SUMS, GoodRun, Lab, git, make_lab, sums_of
from tampering.json_text import document

import audit

MOVED_ON = "this checkout has moved on"
COULD_NOT = "could not be compared: they are not those of this checkout, and "
ABSENT = "the recorded commit is not in this repository"


class Age:
    """A checkout, an archive that it made, and the last word of an audit about its sources."""

    def __init__(self, folder: Path) -> None:
        audit.commit_sources.cache_clear()
        self.folder = folder
        self.lab: Lab = make_lab(folder / "checkout")
        self.root = self.lab.root
        self.run: GoodRun = self.lab.runs["tiny"]
        self.archive = folder / "archives" / "run"
        lay(self.archive, self.run)

    def move_on(self, name: str = "run.py", text: str = "# another\n") -> str:
        (self.root / name).write_text(text)
        return self.commit()

    def commit(self, message: str = "More") -> str:
        git(self.root, "add", "-A")
        git(self.root, "commit", "-qm", message)
        return git(self.root, "rev-parse", "HEAD")

    def record(self, commit: str, **others: object) -> None:
        """Write another commit into the manifest, and the sums anew."""
        manifest = self.run.manifest()
        manifest["git"] = {"commit": commit, "dirty": False, **others}
        files = {**self.run.files, MANIFEST: document(manifest)}
        put(self.archive / MANIFEST, files[MANIFEST])
        put(self.archive / SUMS, sums_of(files))

    def audit(
        self, *options: str, root: Path | None = None, environ: dict[str, str] | None = None
    ) -> tuple[int, str, str]:
        """Return the exit code, what is said of the sources, and the last line."""
        program = (root or self.root) / "audit.py"
        done = subprocess.run(
            [sys.executable, "-I", str(program), *options, str(self.archive)],
            cwd=self.archive if self.archive.is_dir() else self.folder,
            env={**os.environ, **(environ or {})},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.stderr == ""
        lines = done.stdout.splitlines()
        said = next(line for line in lines if line[7:11] == "A5.2")
        return done.returncode, said[30:], lines[-1]


@pytest.fixture
def age(tmp_path: Path) -> Age:
    return Age(tmp_path)


# Histories


def test_a_checkout_that_has_not_moved_on(age: Age) -> None:
    count = len(age.run.manifest()["sources"])
    assert age.audit() == (0, f"{count} of {count} files equal to this checkout", "PASS")


def test_a_checkout_that_has_moved_on_says_which_commit(age: Age) -> None:
    age.move_on()
    assert age.audit() == (0, f"equal to commit {age.lab.commit}; {MOVED_ON}", "PASS")


def test_a_change_that_is_not_committed(age: Age) -> None:
    (age.root / "run.py").write_text("# edited\n")
    edited = "which is checked out; files of this checkout were changed since"
    assert age.audit() == (0, f"equal to commit {age.lab.commit}, {edited}", "PASS")


def test_a_history_that_is_damaged_says_nothing_of_the_commit(age: Age) -> None:
    middle = age.move_on()
    age.move_on(text="# a third\n")
    (age.root / ".git" / "objects" / middle[:2] / middle[2:]).unlink()
    code, said, last = age.audit()
    assert (code, last) == (0, "PASS: sources of a commit that may be outside this history")
    begin = f"equal to commit {age.lab.commit}, which may be outside the history of this checkout: git says "
    assert said.startswith(begin)
    assert "error: " in said or "fatal: " in said


def test_a_source_that_was_renamed_since(age: Age) -> None:
    git(age.root, "mv", "src/grounded_claims/gate.py", "src/grounded_claims/judge.py")
    age.commit()
    assert age.audit()[:2] == (0, f"equal to commit {age.lab.commit}; {MOVED_ON}")


def test_a_package_that_was_renamed_since(age: Age) -> None:
    git(age.root, "mv", "src/grounded_claims", "src/claims")
    age.commit()
    assert age.audit()[:2] == (0, f"equal to commit {age.lab.commit}; {MOVED_ON}")


def test_a_source_that_became_a_link_since(age: Age) -> None:
    (age.root / "run.py").unlink()
    (age.root / "run.py").symlink_to("audit.py")
    age.commit()
    assert age.audit()[:2] == (0, f"equal to commit {age.lab.commit}; {MOVED_ON}")


def test_a_history_that_was_rebased_keeps_the_commit_until_it_is_pruned(age: Age) -> None:
    git(age.root, "commit", "-q", "--amend", "-m", "Told otherwise")
    age.move_on()
    outside = f"equal to commit {age.lab.commit}, which is not in the history of this checkout"
    assert age.audit() == (0, outside, "PASS: sources of a commit outside this history")
    git(age.root, "reflog", "expire", "--expire=now", "--all")
    git(age.root, "gc", "-q", "--prune=now")
    assert age.audit() == (2, COULD_NOT + ABSENT, "could not: sources were not compared")
    assert age.audit("--without-sources") == (
        0,
        "not compared: --without-sources",
        "PASS: sources were not compared",
    )


def test_a_shallow_clone_of_later_commits(age: Age) -> None:
    age.move_on()
    clone = age.folder / "clone"
    git(age.folder, "clone", "-q", "--depth", "1", age.root.as_uri(), str(clone))
    assert age.audit(root=clone) == (2, COULD_NOT + ABSENT, "could not: sources were not compared")


def test_a_clone_without_blobs_is_not_filled_from_its_remote(age: Age) -> None:
    """A partial clone would fetch what is missing, over whatever its configuration names."""
    age.move_on()
    git(age.root, "config", "uploadpack.allowFilter", "true")
    clone, marker = age.folder / "clone", age.folder / "was-run"
    git(age.folder, "clone", "-q", "--filter=blob:none", age.root.as_uri(), str(clone))
    git(clone, "config", "remote.origin.url", f"ext::touch {marker}")
    git(clone, "config", "protocol.ext.allow", "always")
    code, said, last = age.audit(root=clone)
    assert (code, last) == (2, "could not: sources were not compared")
    assert said.startswith(COULD_NOT)
    assert not marker.exists()


def test_a_worktree_and_packed_objects(age: Age) -> None:
    age.move_on()
    git(age.root, "gc", "-q", "--aggressive", "--prune=now")
    git(age.root, "worktree", "add", "-q", "--detach", str(age.folder / "worktree"))
    assert age.audit(root=age.folder / "worktree")[:2] == (0, f"equal to commit {age.lab.commit}; {MOVED_ON}")


def test_a_checkout_without_git_inside_another_repository(age: Age) -> None:
    age.move_on()
    shutil.rmtree(age.root / ".git")
    git(age.folder, "init", "-q")
    assert age.audit()[1] == COULD_NOT + "this checkout is not the top of a repository"


def test_git_variables_that_point_elsewhere(age: Age) -> None:
    age.move_on()
    git(age.folder, "init", "-q", "other")
    other = str(age.folder / "other/.git")
    variables = (
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_INDEX_FILE",
        "GIT_CEILING_DIRECTORIES",
    )
    environ = dict.fromkeys(variables, other) | {
        "GIT_WORK_TREE": "/",
        "GIT_CONFIG_COUNT": "x",
        "GIT_TRACE": "1",
    }
    said = age.audit(environ=environ)
    assert said[:2] == (0, f"equal to commit {age.lab.commit}; {MOVED_ON}")


# Commit ids that are something else

IDS = (
    "--help", "--upload-pack=/bin/sh", "-", "--", "--all", "HEAD", "main", "HEAD~1", "@{-1}", ":/More", "^HEAD", "", " ", "../x", "/etc/passwd",
    ".git/config", "HEAD:run.py", "0" * 39, "0" * 41, "A" * 40, "0" * 40 + "\n", "0" * 39 + "^", "$(touch was-run)", "`touch was-run`", "\x1b[2J",
    "refs/heads/main", "a" * 40 + "..", "\u0660" * 40,
)  # fmt: skip


@pytest.mark.parametrize("commit", IDS)
def test_a_commit_id_that_is_none_never_reaches_git(commit: str, age: Age) -> None:
    """The schema refuses it, and so its sources are compared with nothing (A2.2)."""
    age.move_on()
    age.record(commit)
    assert age.audit() == (1, "not made, for want of A2.2", "FAIL")
    assert not list(age.folder.rglob("was-run"))


def test_a_commit_that_is_another_one(age: Age) -> None:
    """A commit that is there, whose sources are not those that are recorded, is a defect and no doubt."""
    later = age.move_on()
    age.record(later)
    assert age.audit()[:2] == (1, f"not those of commit {later}, nor of this checkout")
    age.record("0" * 40)
    assert age.audit()[:2] == (2, COULD_NOT + ABSENT)


# Repositories that are hostile

RUNS_COMMANDS = (
    "core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy", "core.alternateRefsCommand",
    "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean", "filter.x.smudge", "filter.x.process", "credential.helper",
    "gpg.program", "merge.x.driver", "sequence.editor", "interactive.diffFilter", "uploadpack.packObjectsHook", "pager.ls-tree",
    "pager.cat-file", "pager.rev-parse", "alias.rev-parse", "alias.ls-tree", "alias.cat-file",
)  # fmt: skip


def make_hostile(folder: Path, script: Path) -> None:
    """Let every setting that can name a command name one that leaves a trace, and so each hook."""
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    for setting in RUNS_COMMANDS:
        git(folder, "config", setting, f"!{script}" if setting.startswith("alias.") else str(script))
    git(folder, "config", "core.hooksPath", str(script.parent))
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git/info/attributes").write_text("* filter=x diff=x merge=x\n")
    (folder / ".git/hooks").mkdir(exist_ok=True)
    hooks = (
        "post-checkout",
        "pre-auto-gc",
        "reference-transaction",
        "post-index-change",
        "fsmonitor-watchman",
    )
    for place in (folder / ".git/hooks", script.parent):
        for hook in hooks:
            shutil.copy(script, place / hook)


@pytest.fixture
def script(age: Age) -> Path:
    path = age.folder / "scripts" / "script"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\ntouch '{age.folder}/was-run'\n")
    path.chmod(0o755)
    return path


def around_the_archive(age: Age) -> Path:
    return age.archive.parent


def in_the_checkout(age: Age) -> Path:
    return age.root


def around_the_checkout(age: Age) -> Path:
    return age.folder


@pytest.mark.parametrize("where", [around_the_archive, in_the_checkout, around_the_checkout])
def test_no_command_of_a_configuration_is_run(where: Callable[[Age], Path], age: Age, script: Path) -> None:
    age.move_on()
    make_hostile(where(age), script)
    assert age.audit()[:2] == (0, f"equal to commit {age.lab.commit}; {MOVED_ON}")
    assert not (age.folder / "was-run").exists()


def test_the_script_would_leave_a_trace(age: Age, script: Path) -> None:
    """The trap works: somebody who asks git about the hostile repository springs it."""
    make_hostile(age.archive, script)
    (age.archive / "results.json").write_text("changed")
    subprocess.run(["git", "-C", str(age.archive), "status"], capture_output=True, check=False)
    assert (age.folder / "was-run").exists()


@pytest.mark.parametrize("form", ["a folder", "a file that points elsewhere", "a bare repository"])
def test_a_repository_inside_the_archive_is_a_defect_and_never_asked(
    form: str, age: Age, script: Path
) -> None:
    age.move_on()
    if form == "a folder":
        make_hostile(age.archive, script)
    elif form == "a file that points elsewhere":
        make_hostile(age.archive.parent, script)
        (age.archive / ".git").write_text("gitdir: ../.git\n")
    else:
        make_hostile(age.archive.parent, script)
        for entry in (age.archive.parent / ".git").iterdir():
            shutil.move(entry, age.archive / entry.name)
    code, said, last = age.audit()
    assert (code, last) == (1, "FAIL")
    assert said == f"equal to commit {age.lab.commit}; {MOVED_ON}"
    assert not (age.folder / "was-run").exists()


def test_alternates_that_lend_objects(age: Age) -> None:
    """A repository around the archive that claims to hold anything lends nothing to the checkout."""
    later = age.move_on()
    other = age.archive.parent
    git(other, "init", "-q")
    (other / ".git/objects/info").mkdir(exist_ok=True)
    (other / ".git/objects/info/alternates").write_text(str(age.root / ".git/objects") + "\n")
    (other / "run.py").write_text("# forged\n")
    git(other, "add", "run.py")
    git(other, "commit", "-qm", "Forged")
    age.record(git(other, "rev-parse", "HEAD"))
    assert age.audit()[:2] == (2, COULD_NOT + ABSENT)
    age.record(later)
    assert age.audit()[0] == 1


def test_replaced_and_grafted_commits_are_taken_as_they_were(age: Age) -> None:
    later = age.move_on()
    git(age.root, "replace", age.lab.commit, later)
    (age.root / ".git/info").mkdir(exist_ok=True)
    (age.root / ".git/info/grafts").write_text(f"{later}\n")
    assert age.audit()[:2] == (0, f"equal to commit {age.lab.commit}; {MOVED_ON}")


def test_a_program_named_git_beside_the_archive_is_not_run(age: Age, script: Path) -> None:
    age.move_on()
    for folder in (age.archive.parent, age.folder):
        shutil.copy(script, folder / "git")
    shutil.copy(script, age.archive / "git")
    code, said, _ = age.audit(environ={"PATH": os.pathsep.join(["", ".", "inputs/..", os.environ["PATH"]])})
    assert (code, said) == (1, f"equal to commit {age.lab.commit}; {MOVED_ON}")  # one file too many
    assert not (age.folder / "was-run").exists()


def test_a_repository_of_another_owner(age: Age) -> None:
    """Git refuses one, and the auditor does not argue: nothing at hand to compare with, and no wrong commit."""
    age.move_on()
    if os.geteuid() != 0:  # who cannot give it away sees that git's own switch for its tests has no say
        assert age.audit(environ={"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})[0] == 0
        return
    for path in (age.root, age.root / ".git"):
        os.chown(path, 12_345, 12_345)
    code, said, _ = age.audit()
    assert (code, said.startswith(COULD_NOT + "git says")) == (2, True)
