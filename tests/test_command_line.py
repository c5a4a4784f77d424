"""The shell around every command: what is raised becomes one sentence and one exit code."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grounded_claims.__main__ import COMMANDS, main, run_command
from grounded_claims.command_line import CALLED, called, guarded, notice
from grounded_claims.errors import (
    Fault,
    JudgingError,
    RequestError,
    RunDirectoryError,
    SuiteError,
    UsageError,
    path_text,
)

ROOT = Path(__file__).parent.parent


def raising(error: BaseException) -> Callable[[], int]:
    def command() -> int:
        raise error

    return command


RAISED: dict[str, tuple[BaseException, int, str]] = {
    "a usage error": (UsageError("no such suite"), 2, "no such suite"),
    "a run directory": (RunDirectoryError("x exists already"), 2, "x exists already"),
    "faults, one to a line": (
        SuiteError([Fault(path=("a", 0), message="m", file="f", line=3), Fault(path=(), message="n")]),
        2,
        "f:3: a[0]: m\nn",
    ),
    "a request": (RequestError([Fault(path=("fields",), message="is empty")]), 2, "fields: is empty"),
    "a fault while judging": (
        JudgingError("c1", ValueError("x")),
        3,
        "case 'c1': the judging itself failed: ValueError: x",
    ),
    "an interrupt": (KeyboardInterrupt(), 130, "interrupted"),
    "a closed pipe": (
        BrokenPipeError(errno.EPIPE, "Broken pipe"),
        2,
        "standard output was closed before everything was printed",
    ),
    "a full disk": (OSError(errno.ENOSPC, "No space left on device"), 2, "No space left on device"),
    "a file that is not there": (FileNotFoundError(errno.ENOENT, "No such file", "x"), 2, "No such file: x"),
    "an error of the system without a number": (OSError("odd"), 2, "odd"),
    "a package that is not there": (
        ModuleNotFoundError("No module named 'yaml'", name="yaml"),
        2,
        "this Python has no yaml; 'python3 bootstrap.py COMMAND …' sets up and runs",
    ),
    "SystemExit with a number": (SystemExit(2), 2, ""),
    "SystemExit with a text": (SystemExit("words"), 2, ""),
}


@pytest.mark.parametrize("name", RAISED)
def test_what_is_raised_becomes_a_sentence_and_an_exit_code(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    error, code, message = RAISED[name]
    assert guarded(raising(error)) == code
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"{message}\n" if message else "")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            ZeroDivisionError("x"),
            "a fault of the program itself: ZeroDivisionError: x (test_command_line.py:",
        ),
        (
            ModuleNotFoundError("No module named 'q'", name="q"),
            "a fault of the program itself: ModuleNotFoundError: No module named 'q' (test_command_line.py:",
        ),
    ],
)
def test_any_other_error_is_a_fault_and_names_the_line(
    error: Exception, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(raising(error)) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(message)
    assert printed.err.endswith("); please report it\n")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("code", [0, 1, 2, 3])
def test_what_a_command_returns_is_the_exit_code(code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(lambda: code) == code
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["explain", "run"])
def test_the_usage_line_can_be_typed_again(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CALLED, "python3 bootstrap.py")
    assert run_command(name, ["--help"], program="run.py") == 0
    assert capsys.readouterr().out.startswith(f"usage: python3 bootstrap.py {name} ")
    monkeypatch.delenv(CALLED)
    assert run_command(name, ["--help"], program="run.py") == 0
    assert capsys.readouterr().out.startswith("usage: run.py ")


def test_the_script_of_an_installed_package_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/grounded-claims", "lint"])
    assert called() == "grounded-claims"


def test_a_notice_goes_beside_the_results(capsys: pytest.CaptureFixture[str]) -> None:
    notice("é")
    assert capsys.readouterr() == ("", "é\n")


def test_streams_take_any_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """bug-log R02: a console in ASCII never raises."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])

    def command() -> int:
        print("é \ud800")
        notice("\U0001f600")
        sys.stderr.flush()
        return 0

    assert guarded(command) == 0
    assert [stream.buffer.getvalue() for stream in streams] == [b"\\xe9 \\ud800\n", b"\\U0001f600\n"]  # type: ignore[attr-defined]


def test_a_stream_that_is_closed_for_messages_hides_no_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert guarded(raising(UsageError("x"))) == 2
    sys.stderr.close()


def test_no_standard_output_is_said_before_anything_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert guarded(raising(AssertionError("never called"))) == 2
    assert capsys.readouterr().err == "standard output is closed, so there is nowhere to print to\n"


class Full(io.StringIO):
    """A stream on a full disk."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_message_that_cannot_be_printed_hides_no_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Full())
    assert guarded(raising(JudgingError("c", ValueError("x")))) == 3


def test_a_stream_of_another_kind_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a notebook has."""
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    assert guarded(lambda: print("é") or 0) == 0
    assert stream.getvalue() == "é\n"


def test_the_overview_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    printed = capsys.readouterr().out
    for name, what in COMMANDS.items():
        assert f"  {name:10} {what}\n" in printed
    assert "exit codes: 0 done and everything agrees; 1 done, and something differs;" in " ".join(
        printed.split()
    )


def test_an_interrupt_while_the_command_is_imported_is_one_word() -> None:
    code = (
        "import sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'grounded_claims.command_line':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "import grounded_claims.__main__"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")


NO_COMMAND = {
    "nothing": ([], "the following arguments are required: COMMAND"),
    "another word": (["Lint"], f"'Lint' is not a command; known: {', '.join(COMMANDS)}"),
    "an option": (["--nonsense"], "the following arguments are required: COMMAND"),
}


@pytest.mark.parametrize("name", NO_COMMAND)
def test_no_command_is_a_usage_error(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, message = NO_COMMAND[name]
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("usage: python -m grounded_claims ")
    assert printed.err.endswith(f"grounded_claims: error: {message}\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_that_names_the_exit_codes(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith(f"usage: python -m grounded_claims {name} ")
    for code in ("0 done and everything agrees", "1 done, and something differs", "2 could not be done"):
        assert code in printed


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "grounded-claims 0.1.0\n"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("cases", 7, "expected"), "cases[7].expected"),
        ((0, 1, "a"), "[0][1].a"),
        (("a", "b", "c"), "a.b.c"),
    ],
)
def test_a_path_is_written_as_a_reader_would(path: tuple[str | int, ...], text: str) -> None:
    assert path_text(path) == text


@pytest.mark.parametrize(
    ("file", "line", "text"),
    [(None, None, "a: m"), ("f.yaml", None, "f.yaml: a: m"), ("f.yaml", 31, "f.yaml:31: a: m")],
)
def test_a_fault_names_file_line_and_key(file: str | None, line: int | None, text: str) -> None:
    assert str(Fault(path=("a",), message="m", file=file, line=line)) == text
