"""Judge logged answers: a row each in, a verdict row each out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from ..command_line import EXIT_CODES, complete, new_path, notice
from ..errors import EXIT_DIFFERS, EXIT_OK, UsageError
from ..judging.batch import judge_stream
from ..judging.lines import STDIO, is_gzipped, opened
from ..judging.progress import Progress
from ..judging.tally import Tally, summary, summary_table
from ..suite import Suite, find_suite, load_suite
from ..whole_file import Write, named, refuse_existing, whole_file

HELP: Final = "judge logged answers by the million, a verdict row for each"
MAX_WORKERS: Final = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of judge."""
    parser.epilog = (
        'a row is {"candidate": TEXT, "request": NAME or {…}, "id": …}; docs/scale.md tells the rest. '
        f"{EXIT_CODES}. Here 1 means that a row could not be judged, that there was none, or, with "
        "--fail-on-reject, that a candidate was rejected."
    )
    parser.add_argument(
        "inputs",
        metavar="IN",
        nargs="*",
        default=[STDIO],
        help="rows, also gzipped (*.gz); - is standard input",
    )
    parser.add_argument("--suite", metavar="NAME|FOLDER", required=True, help="whose registry and contract")
    parser.add_argument(
        "--out", metavar="OUT", help="the file to make, gzipped if *.gz (default: standard output)"
    )
    parser.add_argument(
        "--workers", metavar="N", type=_workers, help="processes on this machine (default: 1)"
    )
    parser.add_argument("--summary", metavar="FILE", help="write the counts there, too, as JSON")
    parser.add_argument("--fail-on-reject", action="store_true", help="exit 1 if any candidate is rejected")
    parser.add_argument("--reference", action="store_true", help="switch the fast path off")
    parser.add_argument(
        "--engine",
        choices=("local", "dask"),
        default="local",
        help="dask: many files on a Dask cluster, a part each; --out is then a folder (default: %(default)s)",
    )
    parser.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a Dask cluster (default: one of this machine)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Judge all rows and report what was counted."""
    _refuse_outputs(arguments)
    suite = load_suite(find_suite(arguments.suite))
    tally = _cluster(suite, arguments) if arguments.engine == "dask" else _local(suite, arguments)
    notice(summary_table(suite, tally))
    if arguments.summary is not None:
        _write_summary(suite, tally, arguments)
    failed = tally.errors or not tally.rows or (arguments.fail_on_reject and tally.rejected)
    return EXIT_DIFFERS if failed else EXIT_OK


def _refuse_outputs(arguments: argparse.Namespace) -> None:
    """Refuse what cannot be made, or would be made in one place, before anything is read."""
    if arguments.summary == STDIO:
        raise UsageError("--summary - is refused, since standard output is for rows; name a file")
    out = None if arguments.out == STDIO else arguments.out
    if out and arguments.summary:
        places = [Path(name).resolve() for name in (arguments.summary, out)]
        if places[0] == places[1]:
            raise UsageError("--summary and --out name one file")
        if arguments.engine == "dask" and places[1] in places[0].parents:
            raise UsageError(f"--summary lies within {out}, which is for parts alone; name another place")
    for path in (arguments.summary, None if arguments.engine == "dask" else out):
        if path is not None:
            refuse_existing(new_path(path))


def _write_summary(suite: Suite, tally: Tally, arguments: argparse.Namespace) -> None:
    rows = "the output" if arguments.out in (None, STDIO) else arguments.out
    complete(f"{rows} is complete, and only the summary is missing")
    with whole_file(Path(arguments.summary), gzipped=is_gzipped(arguments.summary)) as write:
        text = json.dumps(summary(suite, tally), ensure_ascii=False, indent=2)
        write(f"{text}\n".encode())


def _local(suite: Suite, arguments: argparse.Namespace) -> Tally:
    if len(arguments.inputs) != 1:
        raise UsageError("several inputs need --engine dask; or call judge once for each")
    if arguments.scheduler is not None:
        raise UsageError("--scheduler is for --engine dask")
    with ExitStack() as stack:
        source = stack.enter_context(opened(arguments.inputs[0]))
        write = stack.enter_context(_target(arguments.out))
        progress = Progress(sys.stderr, size=source.size)
        stack.callback(progress.clear)
        return judge_stream(
            suite,
            source,
            write,
            workers=arguments.workers or 1,
            reference=arguments.reference,
            on_chunk=progress.show,
            say=notice,
        )


@contextmanager
def _target(out: str | None) -> Iterator[Write]:
    """Give a function that writes to a file, or to standard output."""
    if out is not None and out != STDIO:
        with whole_file(Path(out), gzipped=is_gzipped(out)) as write:
            yield write
    else:
        sys.stdout.flush()
        yield named(sys.stdout.buffer.write, "standard output")
        sys.stdout.buffer.flush()


def _cluster(suite: Suite, arguments: argparse.Namespace) -> Tally:
    from ..judging.cluster import judge_files

    if arguments.out is None or arguments.out == STDIO or STDIO in arguments.inputs:
        raise UsageError("--engine dask takes files and needs --out FOLDER")
    if "" in arguments.inputs:
        raise UsageError("'' names no file; name one")
    if arguments.scheduler is not None and arguments.workers is not None:
        raise UsageError("--workers is for a cluster of this machine; one with a --scheduler has its own")
    return judge_files(
        suite,
        [Path(name) for name in arguments.inputs],
        new_path(arguments.out, kind="folder"),
        scheduler=arguments.scheduler,
        workers=arguments.workers or 1,
        reference=arguments.reference,
        say=notice,
    )


def _workers(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_WORKERS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_WORKERS}")
    return int(text)
