"""Run a suite: judge every case, write a run directory, print the table. See README.md, or run.py --help.

This file is parsed by any Python, so that an old one can say which is needed; the command itself is
src/grounded_claims/commands/run.py.
"""

import sys

NEEDED = (3, 10)
PACKAGES = ("yaml", "jsonschema", "tabulate")


def main():  # type: () -> int
    try:
        return run()
    except KeyboardInterrupt:  # while the command is still being imported; from then on it says so itself
        sys.stderr.write("interrupted\n")
        return 130


def run():  # type: () -> int
    if sys.version_info < NEEDED:
        found = "%d.%d" % tuple(sys.version_info[:2])
        sys.stderr.write("run.py needs Python %d.%d or newer; this is Python %s\n" % (NEEDED + (found,)))
        return 2
    import importlib.util
    import os

    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        sys.stderr.write(
            "run.py needs packages that this Python has not got: %s; "
            "'python3 bootstrap.py run ...' sets them up and runs\n" % ", ".join(missing)
        )
        return 2
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "src"))
    from grounded_claims.__main__ import run_command

    return run_command("run", sys.argv[1:], program="run.py")


if __name__ == "__main__":
    sys.exit(main())
