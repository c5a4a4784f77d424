"""The shell around every command: streams that take any text, errors that become a sentence and a code.

0    done, and everything agrees
1    done, and something differs
2    could not be done
3    a fault of the program itself
130  interrupted
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

from .errors import EXIT_FAULT, EXIT_INTERRUPTED, EXIT_NOT_DONE, GroundedClaimsError, UsageError

PACKAGES: Final = ("yaml", "jsonschema", "tabulate")
EXIT_CODES: Final = (
    "exit codes: 0 done and everything agrees; 1 done, and something differs; 2 could not be done; "
    "3 a fault of the program itself; 130 interrupted"
)


#: The environment variable by which bootstrap.py tells what was typed before the name of the command.
CALLED: Final = "GROUNDED_CLAIMS_CALLED"


def called() -> str:
    """Say what was typed before the name of a command, so that its usage line can be typed again."""
    script = os.path.basename(sys.argv[0]).startswith("grounded-claims")
    return os.environ.get(CALLED) or ("grounded-claims" if script else "python -m grounded_claims")


def guarded(command: Callable[[], int]) -> int:
    """Run a command to its exit code. No traceback reaches the user."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # it stays open to the end
    if sys.stdout is None:
        return _end(EXIT_NOT_DONE, "standard output is closed, so there is nowhere to print to")
    _take_any_text()
    _complete.clear()
    try:
        code = _code(command)
        _flush()
    except GroundedClaimsError as error:
        return _end(error.exit_code, str(error))
    except BrokenPipeError:
        _silence(sys.stdout)
        return _end(EXIT_NOT_DONE, "standard output was closed before everything was printed")
    except KeyboardInterrupt:
        return _end(EXIT_INTERRUPTED, "interrupted")
    except ModuleNotFoundError as error:
        if error.name not in PACKAGES:
            return _end(EXIT_FAULT, _fault(error))
        return _end(
            EXIT_NOT_DONE,
            f"this Python has no {error.name}; 'python3 bootstrap.py COMMAND …' sets up and runs",
        )
    except OSError as error:
        _silence(sys.stdout)
        place = f": {error.filename}" if error.filename else ""
        return _end(EXIT_NOT_DONE, f"{error.strerror or error}{place}")
    except Exception as error:  # noqa: BLE001  # the one place: a fault becomes exit code 3
        return _end(EXIT_FAULT, _fault(error))
    return code


def _take_any_text() -> None:
    """Let no text fail to be printed, and keep standard output to its end.

    A failure of the last flush is seen here; one within argparse, which prints help and version, would be
    ignored.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=False, write_through=False)


def _flush() -> None:
    """Print what is held back; where that fails, name what could not be written to."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from error


def _code(command: Callable[[], int]) -> int:
    """Run a command; argparse leaves by SystemExit, which is an exit code like another."""
    try:
        return command()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else EXIT_NOT_DONE


def new_path(name: str, *, kind: str = "file") -> Path:
    """Read the name of what is to be made; the empty one would be that of the current folder."""
    if not name:
        raise UsageError(f"'' names no {kind}; name a new one")
    if kind == "file" and name.endswith(("/", os.sep)):
        raise UsageError(f"{name} ends like the name of a folder, and a file is to be made; name one")
    return Path(name)


def notice(text: str) -> None:
    """Say something beside the results, on standard error."""
    print(text, file=sys.stderr)


#: What is complete, whatever becomes of the rest of the command.
_complete: Final[list[str]] = []


def complete(text: str) -> None:
    """Note that something is complete, to be said should the rest of the command fail."""
    _complete.append(text)


def _end(code: int, text: str) -> int:
    try:
        print("; ".join([text, *_complete]), file=sys.stderr, flush=True)
    except OSError:
        _silence(sys.stderr)
    return code


def _silence(stream: TextIO) -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush cannot fail."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return


def _fault(error: Exception) -> str:
    """Name a fault of the program, and the line that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (
        "" if trace is None else f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})"
    )
    return f"a fault of the program itself: {type(error).__name__}: {error}{place}; please report it"
