"""bootstrap.py sets a small checkout up for real, from wheels made here; and the pins are held to rules.

Nothing here asks a network: what is installed lies in a folder, by pip's and uv's own settings for that.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import tokenize
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import run_checks
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import bootstrap
from grounded_claims import __version__
from grounded_claims.__main__ import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
NOWHERE = "http://127.0.0.1:9/simple"
RUN = """\
import os, signal, sys
import probe, gate
print(probe.VERSION, gate.__name__, os.getcwd(), sys.argv[1:])
if sys.argv[1:] == ["seven"]:
    sys.exit(7)
if sys.argv[1:] == ["die"]:
    os.kill(os.getpid(), signal.SIGTERM)
"""
COUNT_TOOLS = """\
import importlib.util
print("tools", importlib.util.find_spec("tool") is not None)
"""


def make_wheel(folder: Path, name: str, version: str) -> str:
    """Make a package of one module; return its line for requirements.txt."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}.py", f"VERSION = {version!r}\n")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@dataclass(kw_only=True)
class Checkout:
    """A checkout with stand-ins for everything but bootstrap.py, and an environment that knows no network."""

    root: Path
    environment: dict[str, str]
    wheels: Path
    elsewhere: Path
    python: list[str] = field(default_factory=lambda: [sys.executable])

    def start(self, *arguments: str, **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self.python, str(self.root / "bootstrap.py"), *arguments],
            cwd=self.elsewhere,
            env=self.environment | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )

    def call(self, *arguments: str, **more: str) -> tuple[int, str, str]:
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def require(self, name: str, version: str, *, file: str = "requirements.txt") -> None:
        (self.root / file).write_text(make_wheel(self.wheels, name, version), "utf-8")

    def leftovers(self) -> list[str]:
        return sorted(path.name for path in self.root.iterdir() if path.name.startswith(".venv"))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    root = tmp_path / "a checkout, déjà vu"
    for folder in (root / "src" / "grounded_claims" / "commands", root / "tests", tmp_path / "wheels"):
        folder.mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(ROOT / "bootstrap.py", root)
    (root / "run.py").write_text(RUN, "utf-8")
    (root / "audit.py").write_text(COUNT_TOOLS, "utf-8")
    (root / "tests" / "run_checks.py").write_text(COUNT_TOOLS, "utf-8")
    (root / "src" / "gate.py").touch()
    kept = ("PATH", "SYSTEMROOT", "TEMP", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= dict.fromkeys(["PIP_FIND_LINKS", "UV_FIND_LINKS"], str(tmp_path / "wheels"))
    environment |= {"PIP_NO_INDEX": "1", "UV_NO_INDEX": "1", "HOME": str(tmp_path)}
    environment |= {"PIP_CONFIG_FILE": os.devnull, "UV_NO_CONFIG": "1", "UV_CACHE_DIR": str(tmp_path / "uv")}
    made = Checkout(
        root=root, environment=environment, wheels=tmp_path / "wheels", elsewhere=tmp_path / "elsewhere"
    )
    made.require("probe", "1.0")
    made.require("tool", "1.0", file="requirements-dev.txt")
    return made


# What any Python makes of the file.

#: What Python 2.7 cannot read, as a syntax tree of today shows it.
NEWER_SYNTAX = (
    ast.JoinedStr, ast.AnnAssign, ast.AsyncFunctionDef, ast.Await, ast.YieldFrom, ast.NamedExpr, ast.Nonlocal,
    ast.MatMult, ast.Match,
)  # fmt: skip


def newer_than_2_7(source: str) -> list[str]:
    """Name what Python 2.7 would not parse. Where the old interpreter is at hand it says the same."""
    found = [] if source.isascii() else ["a character outside ASCII"]
    for node in ast.walk(ast.parse(source, feature_version=(3, 4))):
        named = type(node).__name__ if isinstance(node, NEWER_SYNTAX) else None
        match node:
            case ast.FunctionDef(returns=returns, args=args):
                every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
                if returns or args.posonlyargs or args.kwonlyargs or any(a and a.annotation for a in every):
                    named = f"the signature of {node.name}"
            case ast.ClassDef(keywords=[_, *_]):
                named = f"the keywords of class {node.name}"
            case ast.Raise(cause=ast.expr()):
                named = "raise … from"
            case ast.Starred(ctx=ast.Store()):
                named = "a starred target"
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                named = "a star in a display" if any(isinstance(e, ast.Starred) for e in elements) else named
            case ast.Dict(keys=keys) if None in keys:
                named = "two stars in a display"
            case ast.Call(func=ast.Name(id="print"), keywords=[_, *_]):
                named = "print with a keyword"
        found += [f"line {getattr(node, 'lineno', 0)}: {named}"] if named else []
    numbers = [
        t
        for t in tokenize.generate_tokens(iter(source.splitlines(True)).__next__)
        if t.type == tokenize.NUMBER
    ]
    return found + [f"line {t.start[0]}: {t.string}" for t in numbers if "_" in t.string]


@pytest.mark.parametrize("name", ["bootstrap.py", "run.py"])
def test_python_2_7_can_parse(name: str) -> None:
    assert newer_than_2_7((ROOT / name).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("f'{x}'", "line 1: JoinedStr"),
        ("x: int = 1", "line 1: AnnAssign"),
        ("def f(*, a): pass", "line 1: the signature of f"),
        ("def f(a: int): pass", "line 1: the signature of f"),
        ("def f() -> int: pass", "line 1: the signature of f"),
        ("class A(B, metaclass=C): pass", "line 1: the keywords of class A"),
        ("raise A from b", "line 1: raise … from"),
        ("first, *rest = x", "line 1: a starred target"),
        ("[*a]", "line 1: a star in a display"),
        ("{**a}", "line 1: two stars in a display"),
        ("print(a, file=b)", "line 1: print with a keyword"),
        ("1_000", "line 1: 1_000"),
        ("'é'", "a character outside ASCII"),
    ],
)
def test_what_python_2_7_cannot_parse_is_seen(line: str, found: str) -> None:
    assert found in newer_than_2_7_by_any_means(line)


def newer_than_2_7_by_any_means(line: str) -> list[str]:
    """Some of it the parser itself refuses when asked for old Python."""
    try:
        return newer_than_2_7(line)
    except SyntaxError:
        tree = ast.parse(line)
        assert tree.body
        return [f"line 1: {type(node).__name__}" for node in ast.walk(tree)] + ["line 1: 1_000"]


def old_python(checkout: Checkout, path: Path) -> tuple[int, str, str]:
    """Call bootstrap.py as Python 3.8.18 would."""
    code = (
        "import runpy, sys; sys.version_info = (3, 8, 18, 'final', 0); sys.argv = sys.argv[1:]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    checkout.python += ["-c", code]
    return checkout.call("run", PATH=str(path))


def test_a_python_too_old_says_which_it_needs(checkout: Checkout) -> None:
    said = "Grounded Claims needs Python 3.10 or newer, and this is Python 3.8.18.\n"
    assert old_python(checkout, checkout.elsewhere) == (2, "", said)


@pytest.mark.parametrize(
    ("exit_code", "named"), [(0, " A newer one is here: python3.12 bootstrap.py"), (1, "")]
)
def test_a_newer_python_is_named_if_it_starts(checkout: Checkout, exit_code: int, named: str) -> None:
    shim = checkout.elsewhere / "python3.12"
    shim.write_text(f"#!/bin/sh\nexit {exit_code}\n")
    shim.chmod(0o755)
    said = f"Grounded Claims needs Python 3.10 or newer, and this is Python 3.8.18.{named}\n"
    assert old_python(checkout, checkout.elsewhere) == (2, "", said)


# The command line.


def test_usage_is_a_result_only_when_asked_for(checkout: Checkout) -> None:
    code, out, err = checkout.call("--help")
    assert (code, err) == (0, "")
    assert "usage: python3 bootstrap.py COMMAND [ARGUMENTS]" in out
    assert checkout.call() == (2, "", out)
    assert checkout.leftovers() == []


def test_an_unknown_command_gets_the_known_ones(checkout: Checkout) -> None:
    (checkout.root / "src" / "grounded_claims" / "commands" / "lint.py").touch()
    for typed, meant in {
        "rnu": " Did you mean 'run'?",
        "Run": " Did you mean 'run'?",
        "lnit": " Did you mean 'lint'?",
        "x": "",
    }.items():
        said = f"There is no command '{typed}'.{meant} Known are: run, audit, test, lint.\n"
        assert checkout.call(typed) == (2, "", said)
    assert checkout.leftovers() == []


def test_the_version_needs_no_set_up(checkout: Checkout) -> None:
    shutil.copy(ROOT / "src" / "grounded_claims" / "__init__.py", checkout.root / "src" / "grounded_claims")
    assert checkout.call("--version") == (0, f"grounded-claims {__version__}\n", "")
    assert checkout.leftovers() == []


@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_help_about_the_tests_installs_nothing(checkout: Checkout, asked: str) -> None:
    assert checkout.call("test", asked) == (0, bootstrap.TEST_USAGE, "")
    assert checkout.leftovers() == []


def test_the_usage_names_every_command() -> None:
    named = re.findall(r"^  ([a-z]+) ", bootstrap.usage(), re.MULTILINE)
    assert sorted(named) == sorted([*bootstrap.SCRIPTS, *bootstrap.module_commands()])


def test_a_command_is_told_what_was_typed(checkout: Checkout) -> None:
    tell = "import os; print(os.environ.get('GROUNDED_CLAIMS_CALLED'))\n"
    (checkout.root / "run.py").write_text(tell, "utf-8")
    (checkout.root / "tests" / "run_checks.py").write_text(tell, "utf-8")
    assert checkout.call("run")[1] == f"python3 '{checkout.root / 'bootstrap.py'}'\n"
    assert checkout.call("test", GROUNDED_CLAIMS_CALLED="x")[1] == "None\n"


def test_every_command_of_the_module_is_known() -> None:
    assert set(bootstrap.module_commands()) == set(COMMANDS) - set(bootstrap.SCRIPTS)


# The set-up.


def test_set_up_then_hand_over(checkout: Checkout) -> None:
    code, out, err = checkout.call("run", "--out", "a b")
    assert code == 0
    assert out == f"1.0 gate {checkout.elsewhere} ['--out', 'a b']\n"
    first, second, third = err.splitlines()
    assert first == "Setting up .venv, once."
    assert second in [f"Installed the packages of requirements.txt with {way}." for way, _ in bootstrap.WAYS]
    assert re.fullmatch(r"Set up in \d+ s\.", third)
    # A second call finds all in place, and says nothing of its own.
    assert checkout.call("run") == (0, f"1.0 gate {checkout.elsewhere} []\n", "")
    assert checkout.call("run", "seven") == (7, f"1.0 gate {checkout.elsewhere} ['seven']\n", "")
    assert checkout.call("run", "die")[0] == -signal.SIGTERM
    # It doesn't even load what only a set-up needs.
    checkout.python += ["-X", "importtime"]
    loaded = {line.split("|")[-1].strip() for line in checkout.call("run")[2].splitlines()}
    assert "hashlib" in loaded
    assert loaded & {"subprocess", "tempfile", "shutil", "json", "pathlib", "argparse"} == set()


def test_a_module_command_runs_from_src(checkout: Checkout) -> None:
    package = checkout.root / "src" / "grounded_claims"
    (package / "commands" / "lint.py").touch()
    (package / "__main__.py").write_text("import sys; print('main', sys.argv[1:])\n", "utf-8")
    assert checkout.call("lint", "x")[:2] == (0, "main ['lint', 'x']\n")


def test_run_installs_no_tool_and_test_adds_them_beside(checkout: Checkout) -> None:
    assert checkout.call("audit")[1] == "tools False\n"
    made = (checkout.root / ".venv" / "pyvenv.cfg").stat().st_mtime_ns
    code, out, err = checkout.call("test")
    assert (code, out) == (0, "tools True\n")
    assert err.startswith(
        "Installing the development tools, once.\nInstalled the packages of requirements-dev.txt"
    )
    assert (checkout.root / ".venv" / "pyvenv.cfg").stat().st_mtime_ns == made
    assert checkout.call("test") == (0, "tools True\n", "")
    # Other pins for the tools concern the next test alone.
    checkout.require("tool", "2.0", file="requirements-dev.txt")
    assert checkout.call("run")[2] == ""
    assert checkout.call("test")[2].startswith("Installing the development tools, once.")
    assert len(list((checkout.root / ".venv").glob("tools-*"))) == 1


def test_other_pins_make_it_anew(checkout: Checkout) -> None:
    checkout.call("run")
    checkout.require("probe", "2.0")
    code, out, err = checkout.call("run")
    assert (code, out.split()[0]) == (0, "2.0")
    assert err.startswith("Setting up .venv, once.")


def test_another_place_or_a_lost_python_makes_it_anew(checkout: Checkout) -> None:
    checkout.call("run")
    moved = checkout.root.with_name("moved")
    checkout.root.rename(moved)
    checkout.root = moved
    assert checkout.call("run")[2].startswith("Setting up .venv, once.")
    (moved / ".venv" / "bin" / "python").unlink()
    assert checkout.call("run")[2].startswith("Setting up .venv, once.")
    assert checkout.call("run")[2] == ""


def test_the_python_of_venv_itself_may_make_it_anew(checkout: Checkout) -> None:
    checkout.call("run")
    checkout.require("probe", "2.0")
    checkout.python = [str(checkout.root / ".venv" / "bin" / "python")]
    assert checkout.call("run")[1].split()[0] == "2.0"
    assert checkout.call("run")[1:] == (f"2.0 gate {checkout.elsewhere} []\n", "")


def test_the_stamp_tells_pythons_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = bootstrap.stamp()
    assert bootstrap.stamp() == ours
    monkeypatch.setattr(sys, "version", sys.version + " another build")
    assert bootstrap.stamp() != ours


def test_a_half_made_venv_is_not_trusted(checkout: Checkout) -> None:
    checkout.call("run")
    (checkout.root / ".venv" / "set-up-by-bootstrap").write_bytes(bootstrap.UNFINISHED)
    (checkout.root / ".venv.new-of-one-that-was-killed").mkdir()
    assert checkout.call("run")[2].startswith("Setting up .venv, once.")
    assert checkout.leftovers() == [".venv"]


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_venv_of_somebody_else_is_left_alone(checkout: Checkout, kind: str) -> None:
    venv = checkout.root / ".venv"
    other = checkout.elsewhere / "other"
    (venv if kind == "folder" else other).mkdir()
    if kind == "link":
        venv.symlink_to(other)
    (venv / "mine").touch()
    said = f"{venv} was not made by bootstrap.py, so it is left alone. Rename it, and call again.\n"
    assert checkout.call("run") == (2, "", said)
    assert [path.name for path in venv.iterdir()] == ["mine"]


def test_a_file_in_the_place_of_venv_is_left_alone(checkout: Checkout) -> None:
    venv = checkout.root / ".venv"
    venv.write_text("mine", "utf-8")
    said = f"{venv} was not made by bootstrap.py, so it is left alone. Rename it, and call again.\n"
    assert checkout.call("run") == (2, "", said)
    assert venv.read_text("utf-8") == "mine"


def test_two_at_once_take_turns(checkout: Checkout) -> None:
    both = [checkout.start("run"), checkout.start("test")]
    said = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert [out.split()[0] for out, _ in said] == ["1.0", "tools"]
    assert sum(err.count("Setting up .venv") for _, err in said) == 1
    assert checkout.leftovers() == [".venv"]


def test_a_misleading_environment_does_not_mislead(checkout: Checkout) -> None:
    wrong = checkout.elsewhere / "wrong"
    for name in ("pip.py", "probe.py", "venv.py", "sysconfig.py"):
        (checkout.elsewhere / name).write_text("raise SystemExit('the wrong one')\n", "utf-8")
    environment = dict.fromkeys(
        ["PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "UV_PROJECT", "VIRTUAL_ENV"], str(wrong)
    )
    environment |= {
        "PIP_USER": "1",
        "PIP_REQUIRE_VIRTUALENV": "1",
        "PIP_DRY_RUN": "1",
        "UV_SYSTEM_PYTHON": "1",
    }
    environment |= {
        "PYTHONPATH": str(checkout.elsewhere),
        "UV_EXCLUDE_NEWER": "2001-01-01",
        "UV_PYTHON": "3.1",
    }
    # `-I` for the outer Python alone: it is not ours to shield that from PYTHONPATH.
    checkout.python += ["-I"]
    code, out, err = checkout.call("run", **environment)
    assert (code, out) == (0, f"1.0 gate {checkout.elsewhere} []\n"), err
    assert not wrong.exists()


# A set-up that cannot be done.


def test_no_network_is_said_soon(checkout: Checkout) -> None:
    unreachable = dict.fromkeys(["PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"], NOWHERE)
    for name in ("PIP_NO_INDEX", "UV_NO_INDEX", "PIP_FIND_LINKS", "UV_FIND_LINKS"):
        del checkout.environment[name]
    started = time.monotonic()
    code, out, err = checkout.call("run", **unreachable)
    assert time.monotonic() - started < 30
    assert (code, out) == (2, "")
    assert "The packages of requirements.txt could not be installed. Tried:\n  uv: " in err
    assert err.endswith(bootstrap.NO_NETWORK + "\n")
    assert "Traceback" not in err
    assert checkout.leftovers() == []


def test_another_file_than_the_pinned_one_is_refused_and_the_old_venv_stays(checkout: Checkout) -> None:
    checkout.call("run")
    pin = (checkout.root / "requirements.txt").read_text("utf-8")
    (checkout.root / "requirements.txt").write_text(pin.replace("sha256:", "sha256:00")[:-3] + "\n", "utf-8")
    code, out, err = checkout.call("run")
    assert (code, out) == (2, "")
    assert "A package was not the file that is pinned, so nothing was installed." in err
    assert checkout.leftovers() == [".venv"]
    (checkout.root / "requirements.txt").write_text(pin, "utf-8")
    assert checkout.call("run") == (0, f"1.0 gate {checkout.elsewhere} []\n", "")


def test_nothing_to_install_with(checkout: Checkout) -> None:
    """A Debian without python3-venv and python3-pip: venv is there, ensurepip is not."""
    bare = checkout.elsewhere / "python3"
    bare.write_text(
        '#!/bin/sh\ncase "$*" in *"-m venv"*) echo "ensurepip is not available"; exit 1;; esac\n'
        f'exec "{sys.executable}" -I -S "$@"\n'
    )
    bare.chmod(0o755)
    code = (
        "import runpy, sys; sys.executable = sys._base_executable = sys.argv[1]; sys.argv = sys.argv[2:]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    checkout.python += ["-c", code, str(bare)]
    said = (
        "Setting up .venv, once.\n"
        "The packages of requirements.txt could not be installed. Tried:\n"
        "  uv: it is not on PATH\n"
        "  this Python's own pip: it has none\n"
        "  ensurepip: it has none\n"
    )
    assert checkout.call("run", PATH="") == (2, "", said + bootstrap.NOTHING_TO_INSTALL_WITH + "\n")
    assert checkout.leftovers() == []


def test_a_place_that_cannot_be_written_to(checkout: Checkout) -> None:
    code = (
        "import errno, os, runpy, sys, tempfile\n"
        "def refuse(prefix, dir): raise OSError(errno.EROFS, os.strerror(errno.EROFS), dir)\n"
        "tempfile.mkdtemp = refuse; sys.argv = sys.argv[1:]\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    checkout.python += ["-c", code]
    said = (
        f"{checkout.root / '.venv'} cannot be made: Read-only file system ({checkout.root}).\n"
        "Make room, or copy the checkout where you can write; then call again.\n"
    )
    assert checkout.call("run") == (2, "", said)


def test_an_incomplete_checkout(checkout: Checkout) -> None:
    (checkout.root / "requirements.txt").unlink()
    code, out, err = checkout.call("run")
    assert (code, out) == (2, "")
    path = checkout.root / "requirements.txt"
    assert err == f"{path} cannot be read (No such file or directory): the checkout is not complete.\n"


@pytest.fixture
def silent_index() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        yield server


def test_control_c_during_the_set_up(checkout: Checkout, silent_index: socket.socket) -> None:
    address = f"http://127.0.0.1:{silent_index.getsockname()[1]}/simple"
    silent = dict.fromkeys(["PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"], address)
    del checkout.environment["PIP_NO_INDEX"], checkout.environment["UV_NO_INDEX"]
    process = checkout.start("run", **silent)
    connection, _ = silent_index.accept()
    with connection:
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "Setting up .venv, once.\n\nStopped.\n")
    assert checkout.leftovers() == []


# The pins.


@dataclass(frozen=True, kw_only=True)
class Pin:
    name: str
    version: str
    marker: Marker | None
    hashes: int
    wanted_by: list[str]

    def applies(self, python: str, platform: str) -> bool:
        environment = {
            "python_version": python,
            "python_full_version": f"{python}.1",
            "sys_platform": platform,
            "platform_python_implementation": "CPython",
            "implementation_name": "cpython",
        }
        return self.marker is None or self.marker.evaluate(environment)


def pins(name: str) -> list[Pin]:
    """Read a requirements file strictly: pins with their hashes, comments that say why, and nothing else."""
    entries = re.split(r"\n(?=[a-z])", (ROOT / name).read_text("ascii"))[1:]
    found = []
    for entry in entries:
        lines = entry.rstrip("\n").split("\n")
        head = re.fullmatch(r"([a-z0-9.-]+)==([^ ;]+)(?: ; ([^\\]+))? \\", lines[0])
        assert head, lines[0]
        hashes = [line for line in lines[1:] if re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", line)]
        comments = [line for line in lines[1:] if line.startswith("    #")]
        assert len(lines) == 1 + len(hashes) + len(comments), entry
        found.append(
            Pin(
                name=head[1],
                version=head[2],
                marker=Marker(head[3]) if head[3] else None,
                hashes=len(set(hashes)),
                wanted_by=[re.sub(r"^    #( +via)? *", "", comment) for comment in comments],
            )
        )
    return found


FILES = ("requirements.txt", "requirements-dev.txt")
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
PLATFORMS = ("linux", "darwin", "win32")


@pytest.mark.parametrize("name", FILES)
def test_pins_hold_no_address_and_say_how_they_were_made(name: str) -> None:
    text = (ROOT / name).read_text("ascii")
    assert not re.search(r"://|^-|--(?:index|extra|find|trusted)|@|file:", text, re.MULTILINE)
    assert re.match(r"# This file was autogenerated by uv [^\n]+\n#    uv pip compile --universal ", text)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_each_package_has_one_pin_for_each_python(name: str, python: str, platform: str) -> None:
    applying = [pin.name for pin in pins(name) if pin.applies(python, platform)]
    assert len(applying) == len(set(applying))
    always = {"jsonschema", "pyyaml", "tabulate", "rpds-py"}
    always = always if name == "requirements.txt" else {"pytest", "coverage", "mypy", "ruff", "rpds-py"}
    assert always <= set(applying)


@pytest.mark.parametrize("name", FILES)
def test_each_pin_has_the_hashes_of_its_wheels(name: str) -> None:
    """A pure package has a wheel, and perhaps an archive of sources; a compiled one has dozens of wheels."""
    hashes = {pin.name: pin.hashes for pin in pins(name)}
    assert {name for name, count in hashes.items() if 2 < count < 9 or count == 0} == set()
    assert hashes["rpds-py"] > 100


def test_run_installs_the_three_packages_and_what_they_need() -> None:
    runtime = pins("requirements.txt")
    direct = {pin.name for pin in runtime if "grounded-claims (pyproject.toml)" in pin.wanted_by}
    assert direct == {"jsonschema", "pyyaml", "tabulate"}
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert needed_by(direct) == {pin.name for pin in runtime if pin.applies(here, sys.platform)}


def needed_by(names: set[str]) -> set[str]:
    """Add what the packages need here, by their own word."""
    known: set[str] = set()
    while names - known:
        name = min(names - known)
        known.add(name)
        needs = [Requirement(text) for text in importlib.metadata.requires(name) or []]
        names |= {
            canonicalize_name(need.name)
            for need in needs
            if need.marker is None or need.marker.evaluate({"extra": ""})
        }
    return known


def test_what_is_installed_is_what_is_pinned() -> None:
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    applying = [pin for pin in pins("requirements.txt") if pin.applies(here, sys.platform)]
    installed = {pin.name: importlib.metadata.version(pin.name) for pin in applying}
    assert installed == {pin.name: pin.version for pin in applying}


def test_the_tools_do_not_change_what_a_run_uses() -> None:
    runtime = {(pin.name, pin.version) for pin in pins("requirements.txt")}
    names = {name for name, _ in runtime}
    shared = {(pin.name, pin.version) for pin in pins("requirements-dev.txt") if pin.name in names}
    assert shared
    assert shared <= runtime


def test_the_tools_are_those_that_pyproject_names() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    group = re.search(r"^dev = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert group
    named = {canonicalize_name(Requirement(line).name) for line in re.findall(r'"([^"]+)"', group[1])}
    wanted = [
        pin for pin in pins("requirements-dev.txt") if "grounded-claims (pyproject.toml:dev)" in pin.wanted_by
    ]
    assert {pin.name for pin in wanted} == named


# The checks that `test` runs, and their caller.


@pytest.mark.parametrize(
    ("pins_file", "content", "passes"),
    [
        (f"{hashlib.sha256(b'x').hexdigest()}  fixtures/a.yaml\n", b"x", True),
        (f"{hashlib.sha256(b'x').hexdigest()}  fixtures/a.yaml\n", b"y", False),
        (f"{hashlib.sha256(b'x').hexdigest()}  fixtures/b.yaml\n", b"x", False),
        ("not a line of sha256sum\n", b"x", False),
        ("", b"x", False),
        (None, b"x", False),
    ],
    ids=["agrees", "changed", "missing", "not a line", "no pins", "no file of pins"],
)
def test_frozen_suites_are_held_to_their_pins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pins_file: str | None, content: bytes, passes: bool
) -> None:
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "a.yaml").write_bytes(content)
    if pins_file is not None:
        (tmp_path / "fixtures" / "frozen.sha256").write_text(pins_file, "utf-8")
    monkeypatch.setattr(run_checks, "ROOT", tmp_path)
    assert run_checks.frozen() is passes


def test_no_archived_run_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gitignore").write_text("evidence/*\n!evidence/config-claims/\n", "utf-8")
    (tmp_path / "evidence" / "my-own-run").mkdir(parents=True)
    monkeypatch.setattr(run_checks, "ROOT", tmp_path)
    assert run_checks.archived() == []
    assert run_checks.archives() is False


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["-k", "usage_is_a_result"], 0, "1 passed"),
        (["-k", "no_test_of_this_name"], 1, "deselected"),
        (["--no-such-option"], 2, "unrecognized arguments"),
    ],
)
def test_arguments_go_to_pytest_and_no_test_is_a_failure(arguments: list[str], code: int, said: str) -> None:
    program = [sys.executable, str(ROOT / "tests" / "run_checks.py")]
    argv = [*program, "-p", "no:cacheprovider", "tests/test_bootstrap.py", *arguments]
    # Not measured: coverage would take tests/ of its settings as a folder of docs/.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(
        argv, capture_output=True, text=True, cwd=ROOT / "docs", env=environment, timeout=60
    )
    assert done.returncode == code
    assert said in done.stdout + done.stderr


@pytest.mark.parametrize(("checks", "browser", "code"), [(0, 0, 0), (3, 0, 3), (0, 3, 3)])
def test_ci_passes_the_exit_codes_on(tmp_path: Path, checks: int, browser: int, code: int) -> None:
    for folder in (".ci", "tests", "programs"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    stand_in = "import sys; print(sys.argv, sys.stdin.read() == ''); sys.exit({})\n"
    (tmp_path / "bootstrap.py").write_text(stand_in.format(checks), "utf-8")
    (tmp_path / "tests" / "run_browser_checks.py").write_text(stand_in.format(browser), "utf-8")
    # A browser that is there is not installed, and a test must not install one.
    chromium = tmp_path / "programs" / "chromium"
    chromium.write_text("#!/bin/sh\nexit 1\n")
    chromium.chmod(0o755)
    path = os.pathsep.join([str(chromium.parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", ".ci/run"], cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    first, *rest = done.stdout.splitlines()
    assert re.fullmatch(r"== Python 3\.\d+\.\S+ at /\S+ ==", first)
    assert rest == ["['bootstrap.py', 'test'] True", "['tests/run_browser_checks.py'] True"]
