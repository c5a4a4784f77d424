"""What a command line means by RUN|SUITE: the verdicts of a run, or of a suite that is judged now."""

from __future__ import annotations

from pathlib import Path

from .recorded_run import read_run
from .run_directory import INPUTS, RESULTS, SUMS
from .runner import Results, run_suite
from .suite import find_suite, known_suites, load_suite
from .suite_files import SUITE


def is_run(place: str) -> bool:
    """Tell whether a path is meant as a run directory: a suite, by name or by its files, never is."""
    folder = Path(place)
    if place in known_suites() or (folder / SUITE).exists():
        return False
    return any((folder / name).exists() for name in (INPUTS, RESULTS, SUMS))


def open_results(place: str) -> Results:
    """Return the verdicts of a run directory or a suite; a damaged one is an error."""
    if is_run(place):
        return read_run(Path(place)).results
    return run_suite(load_suite(find_suite(place, or_run=True)))
