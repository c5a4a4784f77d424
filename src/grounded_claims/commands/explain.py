"""Tell why a candidate got its verdict: each layer in turn, what was found, and what to change."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..contracts.base import Verdict
from ..errors import EXIT_DIFFERS, EXIT_OK, UsageError
from ..opening import is_run
from ..recorded_run import read_run
from ..runner import CaseResult
from ..shapes import listed, nearest
from ..stories import Pair, Story, Undecoded, read_bytes, tell
from ..stories.story import spelt
from ..stories.terminal import story_lines, wrapped
from ..suite import Case, Suite, find_suite, load_suite

HELP: Final = "tell the story of one verdict: each layer, what was found, what was expected, what to change"
STDIN: Final = "-"

#: More bytes than the longest candidate (J1) can have; what is longer stays as malformed when it is cut.
MAX_BYTES: Final = 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of explain."""
    parser.add_argument(
        "place", metavar="RUN|SUITE", help="a run directory, a suite of fixtures/, or the folder of a suite"
    )
    parser.add_argument("case", metavar="CASE", nargs="?", help="the id of a case")
    parser.add_argument(
        "--candidate",
        metavar="FILE",
        help="instead of a case: a candidate from a file, or from standard input with -",
    )
    parser.add_argument("--request", metavar="NAME", help="with --candidate: the request it answers")
    parser.add_argument(
        "--pair", metavar="CASE", help="with --candidate: an accepted case to hold it against"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the story of one verdict."""
    _check_usage(arguments)
    recorded = read_run(Path(arguments.place)) if is_run(arguments.place) else None
    suite = load_suite(find_suite(arguments.place, or_run=True)) if recorded is None else recorded.suite
    if arguments.candidate is not None:
        return _explain_file(suite, arguments)
    case = suite.case(arguments.case)
    story = tell(
        suite.contract,
        case.candidate,
        suite.requests[case.request],
        registry=suite.registry,
        pair=_pair(suite, case.pair),
    )
    then = (
        next((found.verdict for found in recorded.results.cases if found.case is case), None)
        if recorded
        else None
    )
    _show(
        story, suite, title=f"{suite.name}, case {case.id}", pair=case.pair, notes=_notes(case, story, then)
    )
    return EXIT_OK if then in (None, story.verdict) else EXIT_DIFFERS


def _check_usage(arguments: argparse.Namespace) -> None:
    if (arguments.case is None) == (arguments.candidate is None):
        raise UsageError("name either a CASE, or a candidate with --candidate FILE --request NAME")
    if (arguments.candidate is None) != (arguments.request is None):
        raise UsageError("--candidate FILE and --request NAME belong together")
    if arguments.pair is not None and arguments.candidate is None:
        raise UsageError("--pair belongs with --candidate; a case has a pair of its own")


def _explain_file(suite: Suite, arguments: argparse.Namespace) -> int:
    request = arguments.request
    if request not in suite.requests:
        near = nearest(request, suite.requests) or f"; known: {listed(suite.requests)}"
        raise UsageError(f"the suite {suite.name!r} has no request {request!r}{near}")
    story = tell(
        suite.contract,
        _read_candidate(arguments.candidate),
        suite.requests[request],
        registry=suite.registry,
        pair=_pair(suite, arguments.pair),
    )
    what = "standard input" if arguments.candidate == STDIN else arguments.candidate
    _show(story, suite, title=f"{what}, for the request {request}", pair=arguments.pair)
    return EXIT_OK


def _read_candidate(place: str) -> str | Undecoded:
    """Read a candidate's bytes, no more of them than can matter (J1, J8)."""
    if place == STDIN:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
    else:
        with open(place, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    return read_bytes(_cut(data))


def _cut(data: bytes) -> bytes:
    """Cut what is longer than matters, at the end of a character."""
    if len(data) <= MAX_BYTES:
        return data
    end = MAX_BYTES
    while end > MAX_BYTES - 3 and data[end] & 0xC0 == 0x80:
        end -= 1
    return data[:end]


def _pair(suite: Suite, case_id: str | None) -> Pair | None:
    if case_id is None:
        return None
    case = suite.case(case_id)
    return Pair(candidate=case.candidate, request=suite.requests[case.request])


def _notes(case: Case, story: Story, then: Verdict | None) -> list[str]:
    """Say what the case is for, and how the verdict stands to its label, its prediction and its record."""
    verdict = story.verdict
    notes = [case.note]
    if verdict.status == case.expected:
        notes.append(f"The label is {case.expected}, and the verdict equals it.")
    else:
        notes.append(f"The label is {case.expected}, and the verdict differs from it.")
    for layer, hit in CaseResult(case=case, verdict=verdict).hits().items():
        predicted = (case.prediction or {})[layer]
        notes.append(f"Predicted of {layer}: {predicted}: {'a hit' if hit else 'a miss'}.")
    if then is not None and then != verdict:
        notes.append(
            f"The run directory records {_brief(then)}. This program decides {_brief(verdict)}: they differ."
        )
    return notes


def _brief(verdict: Verdict) -> str:
    decides = "" if verdict.claim is None else f", claims[{verdict.claim}] deciding"
    accepted = f", accepting {spelt(dict(verdict.accepted))}" if verdict.accepted else ""
    return f"{verdict.status} ({verdict.outcome.replace('_', ' ')}){decides}{accepted}"


def _show(story: Story, suite: Suite, *, title: str, pair: str | None, notes: Sequence[str] = ()) -> None:
    width = shutil.get_terminal_size().columns
    layers = {layer.name: layer.title for layer in suite.contract.layers}
    lines = list(story_lines(story, width=width, title=title, layers=layers, pair=pair))
    told = [line for note in notes for line in wrapped(note, width=width)]
    print("\n".join([lines[0], *told, *lines[1:]]))
