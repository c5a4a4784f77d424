"""The command line: `python -m grounded_claims COMMAND …`, and the `grounded-claims` script."""

from __future__ import annotations

import sys

try:
    import argparse
    import os
    from collections.abc import Sequence
    from importlib import import_module
    from typing import Final

    from . import __version__
    from .command_line import CALLED, EXIT_CODES, called, guarded
except KeyboardInterrupt:  # from here on `guarded` says it
    sys.stderr.write("interrupted\n")
    sys.exit(130)

#: Command to what it does, in the order of `--help`; each is a module of `commands`.
COMMANDS: Final = {
    "lint": "check the files of a suite, and name every fault",
    "exercise": "make a fresh exercise folder: a registry, requests, and one accepted case to change",
    "explain": "tell the story of one verdict: each layer, what was found, what to change",
    "compare": "compare two run directories: which cases changed their verdict, and at which layer",
    "explore": "judge every candidate that a closed vocabulary can build, and count",
    "report": "make one self-contained, accessible page of a run directory, to look at",
    "prompt": "print a ready prompt for a request, or the JSON Schema of a candidate",
    "judge": "judge logged answers by the million, a verdict row for each",
}


def run_command(name: str, arguments: Sequence[str], *, program: str) -> int:
    """Run one command to its exit code."""

    def command() -> int:
        module = import_module(f".commands.{name}", __package__)
        parser = argparse.ArgumentParser(
            prog=program if CALLED not in os.environ else f"{called()} {name}",
            description=module.HELP,
            epilog=EXIT_CODES,
            allow_abbrev=False,
        )
        module.add_arguments(parser)
        if hasattr(module, "misplaced") and (told := module.misplaced(arguments)):
            parser.error(told)
        code: int = module.run(parser.parse_args(arguments))
        return code

    return guarded(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Find the command and run it."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in COMMANDS:
        return run_command(words[0], words[1:], program=f"{called()} {words[0]}")
    return guarded(lambda: _overview(words))


def _overview(words: list[str]) -> int:
    listing = "\n".join(f"  {name:10} {what}" for name, what in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog=called(),
        description=f"Judge answers, study the judging.\n\ncommands:\n{listing}\n\nCOMMAND --help says more.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"grounded-claims {__version__}")
    parser.add_argument("command", metavar="COMMAND")
    word = parser.parse_args(words[:1]).command
    parser.error(f"{word!r} is not a command; known: {', '.join(COMMANDS)}")


if __name__ == "__main__":
    sys.exit(main())
