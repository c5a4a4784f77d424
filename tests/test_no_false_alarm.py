"""An untouched run directory audits clean wherever it is taken, however it travels, and whoever audits it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tampering.engine import fast_folder, lay
from tampering.good_runs import Lab, git, make_lab

import audit

Travel = Callable[[Path], Path]


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with fast_folder() as folder:
        yield make_lab(folder / "checkout")


@pytest.fixture
def place(lab: Lab, tmp_path: Path) -> Path:
    """Where a run of the published suite lies."""
    lay(tmp_path / "here" / "run", lab.runs["config-claims"])
    return tmp_path / "here" / "run"


def renamed_to(name: str) -> Travel:
    def travel(place: Path) -> Path:
        return place.rename(place.with_name(name))

    return travel


def moved(place: Path) -> Path:
    place.parent.rename(place.parent.with_name("there"))
    return place.parent.with_name("there") / "run"


def moved_to_another_disk(place: Path) -> Path:
    with fast_folder() as folder:
        shutil.move(place, folder / "run")
        shutil.move(folder / "run", place.with_name("back"))
    return place.with_name("back")


def copied(place: Path) -> Path:
    return Path(shutil.copytree(place, place.with_name("copy")))


def copied_bytes_alone(place: Path) -> Path:
    return Path(shutil.copytree(place, place.with_name("copy"), copy_function=shutil.copyfile))


def hard_linked(place: Path) -> Path:
    return Path(shutil.copytree(place, place.with_name("copy"), copy_function=os.link))


def zipped(compression: int) -> Travel:
    def travel(place: Path) -> Path:
        with zipfile.ZipFile(place.with_name("run.zip"), "w", compression) as made:
            for path in sorted(place.rglob("*"), reverse=True):
                made.write(path, Path("run", path.relative_to(place)))
        with zipfile.ZipFile(place.with_name("run.zip")) as made:
            made.extractall(place.with_name("unzipped"))
        return place.with_name("unzipped") / "run"

    return travel


def tarred(compression: str) -> Travel:
    def travel(place: Path) -> Path:
        with tarfile.open(str(place.with_name("run.tar")), f"w:{compression}") as made:  # type: ignore[call-overload]
            made.add(place, "run")
        command = [sys.executable, "-m", "tarfile", "-e", "run.tar", "untarred"]
        subprocess.run(command, cwd=place.parent, check=True, capture_output=True)
        return place.with_name("untarred") / "run"

    return travel


def read_only(place: Path) -> Path:
    for path in (*place.rglob("*"), place):
        path.chmod(0o555 if path.is_dir() else 0o444)
    return place


def open_to_everybody(place: Path) -> Path:
    for path in (*place.rglob("*"), place):
        path.chmod(0o777)
    return place


def at_other_times(place: Path) -> Path:
    for number, path in enumerate((*place.rglob("*"), place)):
        os.utime(path, (number * 10**9, 2**31 - number))
    return place


def of_another_owner(place: Path) -> Path:
    """Only root may give a file away; anybody else changes what they may: who can read it."""
    for path in (*place.rglob("*"), place):
        if os.geteuid() == 0:
            os.chown(path, 12_345, 54_321)
        else:
            path.chmod(0o500 if path.is_dir() else 0o400)
    return place


def behind_a_link(place: Path) -> Path:
    place.parent.with_name("link").symlink_to(place.parent)
    return place.parent.with_name("link") / "run"


def behind_two_links(place: Path) -> Path:
    place.parent.with_name("one").symlink_to("here")
    place.parent.with_name("two").symlink_to("one", target_is_directory=True)
    return place.parent.with_name("two") / "run"


def with_dots(place: Path) -> Path:
    return place / ".." / "run" / "inputs" / ".."


def deep(place: Path) -> Path:
    folder = place.parent.joinpath(*["d" * 100] * 20)
    folder.mkdir(parents=True)
    return place.rename(folder / "run")


def beside_others(place: Path) -> Path:
    for name in ("SHA256SUMS", "manifest.json", "run.bak", ".git"):
        (place.parent / name).mkdir()
    return place


def through_git(place: Path) -> Path:
    """Committed where .gitattributes holds it byte for byte, and cloned with a setting that writes CR LF."""
    folder = place.parent
    (folder / ".gitattributes").write_text("* text=auto eol=lf\nrun/** -text\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "A run")
    git(folder, "-c", "core.autocrlf=true", "clone", "-q", str(folder), str(folder.with_name("clone")))
    return folder.with_name("clone") / "run"


TRAVELS: dict[str, Travel] = {
    "untouched": lambda place: place,
    "moved": moved,
    "moved to another disk and back": moved_to_another_disk,
    "copied": copied,
    "copied without times and modes": copied_bytes_alone,
    "hard-linked": hard_linked,
    "zipped": zipped(zipfile.ZIP_DEFLATED),
    "zipped without compression": zipped(zipfile.ZIP_STORED),
    "tarred": tarred(""),
    "tarred with gzip": tarred("gz"),
    "tarred with xz": tarred("xz"),
    "read-only": read_only,
    "open to everybody": open_to_everybody,
    "at other times": at_other_times,
    "of another owner": of_another_owner,
    "behind a link in its parent path": behind_a_link,
    "behind two links": behind_two_links,
    "named with dots": with_dots,
    "deep": deep,
    "beside others": beside_others,
    "through git": through_git,
    "named with spaces": renamed_to("a run  of mine "),
    "named with accents": renamed_to("caf\u00e9 nai\u0308f"),
    "named with emoji": renamed_to("\U0001f600\u200d\U0001f4a9"),
    "named with a line feed": renamed_to("a\nb"),
    "named like an option": renamed_to("--expect"),
    "named like a device": renamed_to("NUL"),
    "named with a percent sign": renamed_to("100%s {0} $HOME"),
    "named with 255 letters": renamed_to("x" * 255),
    "named with bytes that are no text": renamed_to(os.fsdecode(b"\xff\xfe")),
}


@pytest.mark.parametrize("name", TRAVELS)
def test_it_audits_clean_wherever_it_is_taken(
    name: str, place: Path, lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    path = TRAVELS[name](place)
    code = audit.main([str(path), "--expect", lab.runs["config-claims"].run_digest], str(lab.root))
    out, err = capsys.readouterr()
    assert (code, err, out.splitlines()[-1]) == (0, "", "PASS")
    for each in (*place.parent.rglob("*"), place.parent) if name == "read-only" else ():
        each.chmod(0o755)


@pytest.mark.parametrize(
    "spelling", ["run", "./run", "run/", "run//", "../here/run", "run/inputs/..", "run/."]
)
def test_it_audits_clean_however_the_path_is_written(
    spelling: str, place: Path, lab: Lab, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place.parent)
    assert audit.main([spelling], str(lab.root)) == 0
    monkeypatch.chdir(place)
    assert audit.main(["."], str(lab.root)) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "PASS"


NO_TEXT = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
SURROUNDINGS: dict[str, tuple[list[str], dict[str, str]]] = {
    "as it is": ([], {}),
    "no git on PATH": ([], {"PATH": "/nowhere"}),
    "an empty PATH": ([], {"PATH": ""}),
    "-O": (["-O"], {}),
    "-OO": (["-OO"], {}),
    "-I": (["-I"], {}),
    "-B, -E and -s": (["-B", "-E", "-s"], {}),
    "-X dev, warnings are errors": (["-X", "dev", "-W", "error"], {}),
    "LC_ALL=C": ([], {"LC_ALL": "C"}),
    "PYTHONUTF8=0": ([], {"PYTHONUTF8": "0"}),
    "neither text nor UTF-8": ([], NO_TEXT),
    "everything at once": (["-I", "-O"], {**NO_TEXT, "PATH": ""}),
    "an output of another encoding": ([], {"PYTHONIOENCODING": "cp037"}),
    "GIT_DIR elsewhere": ([], {"GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/"}),
    "another clock and seed": ([], {"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1"}),
    "few digits": ([], {"PYTHONINTMAXSTRDIGITS": "640"}),
    "no home": ([], {"HOME": "/nowhere", "XDG_CONFIG_HOME": "/nowhere"}),
    "a narrow screen": ([], {"COLUMNS": "1", "LINES": "1", "TERM": "dumb", "NO_COLOR": "1"}),
}


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_it_audits_clean_whoever_audits_it(name: str, place: Path, lab: Lab, tmp_path: Path) -> None:
    options, environment = SURROUNDINGS[name]
    cwd = tmp_path / "elsewhere \u00e9"
    cwd.mkdir()
    done = subprocess.run(
        [sys.executable, *options, str(lab.root / "audit.py"), str(place)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )
    encoding = environment.get("PYTHONIOENCODING", "ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding).splitlines()[-1] == "PASS"
    assert list(cwd.iterdir()) == []


def test_it_audits_clean_in_an_empty_environment(place: Path, lab: Lab) -> None:
    command = [sys.executable, str(lab.root / "audit.py"), str(place)]
    done = subprocess.run(command, env={}, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stderr, done.stdout.splitlines()[-1]) == (0, b"", b"PASS")


GUARDED = """
import runpy, socket, sys

def refused(*_, **__):
    raise SystemExit("an audit opened a connection")

socket.socket = socket.create_connection = socket.getaddrinfo = refused
CALLS = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.spawn", "os.posix_spawn", "urllib",
    "shutil.", "http", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.chmod", "os.link", "os.symlink",
    "os.truncate", "os.utime", "tempfile.", "ctypes.dlopen", "sqlite3", "ftplib",
)

def hook(event, arguments):
    if event.startswith(CALLS):
        raise SystemExit("an audit did " + event)
    if event == "open" and (arguments[2] or 0) & 3:
        raise SystemExit("an audit opened a file for writing: %r" % (arguments[0],))

sys.addaudithook(hook)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_without_network_and_without_writing(place: Path, lab: Lab) -> None:
    """With every connection refused; and the interpreter itself reports any process, socket or writing."""
    command = [sys.executable, "-B", "-c", GUARDED, str(lab.root / "audit.py"), str(place), str(place)]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(command, env=alone, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "2 directories: 2 PASS, 0 FAIL, 0 could not"


def test_the_guard_itself(tmp_path: Path) -> None:
    for text, words in {
        "import socket; socket.socket()": "opened a connection",
        "import subprocess; subprocess.run(['true'])": "did subprocess.Popen",
        f"open({str(tmp_path / 'x')!r}, 'w')": "opened a file for writing",
    }.items():
        script = tmp_path / "script.py"
        script.write_text(text)
        command = [sys.executable, "-B", "-c", GUARDED, str(script)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, words in done.stderr) == (1, True), text
