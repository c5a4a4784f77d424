"""Judge every candidate that can be built from a closed vocabulary, and count."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from ..command_line import EXIT_CODES, notice
from ..contracts.base import ACCEPT, CITATION_EXISTS, LAYERS, Layer
from ..errors import EXIT_DIFFERS, EXIT_OK, UsageError
from ..exploration import CAP, Exploration, Found, explore
from ..plain_yaml import scalar, single_quoted
from ..shapes import listed, nearest
from ..spaces import Space, space_of
from ..suite import Suite, find_suite, load_suite
from ..tables import TABLE_FORMATS, counted, table

HELP: Final = "judge every candidate that a closed vocabulary can build, and count"
DEFAULT_SUITE: Final = "config-claims"
DEFAULT_CLAIMS: Final = 2
MOST_CLAIMS: Final = 8
#: Statuses that need several claims (or fact ids) in one candidate.
LEAST_CLAIMS: Final = {"DUPLICATE_CLAIM": 2, "REPEATED_EVIDENCE": 2}
_BAR: Final = 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of explore."""
    parser.add_argument(
        "--suite",
        metavar="NAME|FOLDER",
        default=DEFAULT_SUITE,
        help="a suite of fixtures/, else a folder (default: %(default)s)",
    )
    parser.epilog = (
        f"{EXIT_CODES}. Here 1 means that no candidate is what --status or --fools asks for, or that one is "
        "an exception to the plain rule."
    )
    parser.add_argument(
        "--request",
        metavar="NAME",
        help="the request to answer (default: the suite's first; with --status or --fools, one after the "
        "other until one has such a candidate)",
    )
    parser.add_argument(
        "--claims",
        metavar="N",
        type=int,
        choices=range(MOST_CLAIMS + 1),
        default=DEFAULT_CLAIMS,
        help="the most claims (in order-status: fact ids) of a candidate, 0 to 8 (default: %(default)s)",
    )
    parser.add_argument("--status", metavar="STATUS", help="show the smallest candidate of this status alone")
    parser.add_argument(
        "--fools",
        metavar="LAYER",
        choices=LAYERS[:-1],
        help="show the smallest candidate that this layer passes and the contract rejects",
    )
    parser.add_argument(
        "--format",
        choices=tuple(TABLE_FORMATS),
        default="github",
        help="how to print (default: %(default)s)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Judge one space and show what was counted; or look for a candidate, request by request."""
    suite = load_suite(find_suite(arguments.suite))
    _check_names(suite, request=arguments.request, status=arguments.status)
    _check_possible(suite, status=arguments.status, layer=arguments.fools, claims=arguments.claims)
    names = list(suite.requests) if arguments.request is None else [arguments.request]
    if arguments.status or arguments.fools:
        return _search(suite, names, arguments)
    space, found = _explore(suite, names[0], claims=arguments.claims)
    print("\n".join(_lines(found, space, suite, names[0], style=arguments.format)))
    return EXIT_DIFFERS if found.exceptions else EXIT_OK


def _explore(suite: Suite, name: str, *, claims: int) -> tuple[Space, Exploration]:
    """Announce the size of a space before anything is judged; refuse one that is too large."""
    request = suite.requests[name]
    space = space_of(suite.contract, suite.registry, request, most=claims)
    notice(f"{suite.name}, request {name}, at most {_most(space, claims)}: {space.vocabulary}.")
    notice(
        f"{space.size:,} candidates, of which {space.well_formed:,} are well formed and judged one by one."
    )
    if space.well_formed > CAP:
        raise UsageError(_too_many(space, suite, name, claims))
    bar = _Bar(space.well_formed)
    try:
        return space, explore(space, suite.contract, request, tick=bar.draw)
    finally:
        bar.clear()


def _most(space: Space, claims: int) -> str:
    return counted(claims, space.counted.removesuffix("s"))


def _check_possible(suite: Suite, *, status: str | None, layer: str | None, claims: int) -> None:
    """Refuse to look for what cannot be, whatever the candidates are."""
    if status is None:
        return
    if layer is not None and status == ACCEPT:
        raise UsageError(
            f"what has the status {ACCEPT} fools no layer: to fool is to pass one and be rejected; "
            "leave out --status or --fools"
        )
    fooled = [one.name for one in _before(suite, status)]
    if layer is not None and layer not in fooled:
        raise UsageError(
            f"{status} is how {layer} itself, or an earlier layer, rejects, so it never fools it; "
            "leave out --status or --fools"
        )
    least = LEAST_CLAIMS.get(status, 0)
    if claims < least:
        raise UsageError(f"the status {status} takes a candidate of {least} at least; take --claims {least}")


def _before(suite: Suite, status: str) -> Iterator[Layer]:
    """Give the layers that a candidate of a rejecting status passes."""
    for layer in suite.contract.layers:
        if status in layer.rejects:
            return
        yield layer


def _check_names(suite: Suite, *, request: str | None, status: str | None) -> None:
    if request is not None and request not in suite.requests:
        near = nearest(request, suite.requests) or f"; known: {listed(suite.requests)}"
        raise UsageError(f"the suite {suite.name!r} has no request {request!r}{near}")
    statuses = suite.contract.statuses
    if status is not None and status not in statuses:
        near = nearest(status, statuses) or f"; known: {listed(statuses)}"
        raise UsageError(f"{status!r} is not a status of {suite.contract.name}{near}")


def _too_many(space: Space, suite: Suite, request: str, claims: int) -> str:
    """Say how to shrink a space that is too large."""
    fewer = [
        most
        for most in range(claims)
        if space_of(suite.contract, suite.registry, suite.requests[request], most=most).well_formed <= CAP
    ]
    mend = f"take --claims {fewer[-1]}, or " if fewer else ""
    return (
        f"{space.well_formed:,} candidates would have to be judged, and at most {CAP:,} are; {mend}"
        "make an exercise and take documents or facts out of its registry"
    )


class _Bar:
    """A progress bar on a terminal, and nothing elsewhere."""

    def __init__(self, total: int) -> None:
        self._total = max(total, 1)
        self._shown = sys.stderr.isatty()

    def draw(self, done: int) -> None:
        """Draw how far it is."""
        if self._shown:
            filled = _BAR * done // self._total
            bar = f"\r[{'#' * filled}{'.' * (_BAR - filled)}] {100 * done // self._total:3}%"
            print(bar, end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the bar away, so that what follows begins on an empty line."""
        if self._shown:
            print(f"\r{' ' * (_BAR + 8)}\r", end="", file=sys.stderr, flush=True)


def _search(suite: Suite, names: Sequence[str], arguments: argparse.Namespace) -> int:
    """Show the smallest candidate that is asked for, of the first request that has one."""
    status, layer = arguments.status, arguments.fools
    wanted = " and ".join([f"has the status {status}"] * bool(status) + [f"fools {layer}"] * bool(layer))
    size = 0
    for name in names:
        _, found = _explore(suite, name, claims=arguments.claims)
        matching = [
            one
            for one in found.found.values()
            if status in (None, one.status) and (layer is None or one.fools(layer))
        ]
        if matching:
            count = sum(one.count for one in matching)
            print(
                f"Of {found.size:,} candidates for the request {name}, {count:,}: each {wanted}. "
                "The smallest:"
            )
            print("\n".join(_case(min(matching, key=lambda one: (len(one.smallest), one.smallest)), name)))
            return EXIT_OK
        size += found.size
    print(f"None of {size:,} candidates for {', '.join(names)} {wanted}.")
    return EXIT_DIFFERS


def _case(found: Found, request: str) -> Iterator[str]:
    """Write a candidate as the members of a case."""
    yield f"    request: {scalar(request)}"
    yield f"    candidate: {single_quoted(found.smallest)}"
    yield f"    expected: {found.status}"


def _lines(found: Exploration, space: Space, suite: Suite, request: str, *, style: str) -> Iterator[str]:
    titles = {layer.name: layer.title for layer in suite.contract.layers}
    rows = [_row(status, found.found.get(status)) for status in suite.contract.statuses]
    yield table(
        rows,
        headers=["Status", "Candidates", *(f"Fools {titles[layer]}" for layer in LAYERS[:-1]), "Smallest"],
        style=style,
        right=[1, 4],
    )
    missing = [status for status in suite.contract.statuses if status not in found.found]
    if missing and len(suite.requests) > 1:
        yield ""
        yield f"No candidate for this request has {' or '.join(missing)}; another request (--request) may."
    yield ""
    accepted = found.found[ACCEPT].count if ACCEPT in found.found else 0
    yield (
        f"{found.size:,} candidates: {accepted:,} accepted; "
        f"{found.fooled(CITATION_EXISTS):,} fool the citation baseline."
    )
    yield ""
    yield f"Accepted <=> {space.rule}:"
    yield (
        f"{found.right:,} of {found.size:,} candidates are right by this rule, {accepted:,} are accepted, "
        f"{found.exceptions:,} exceptions."
    )
    if found.exception is not None:
        yield f"One exception: {single_quoted(found.exception)}"
    yield ""
    yield "The smallest candidate of each status, ready for a case of cases.yaml:"
    for one in found.found.values():
        yield ""
        yield from _case(one, request)


def _row(status: str, found: Found | None) -> list[str]:
    if found is None:
        return [status, "0", "", "", ""]
    fools = ["yes" if found.fools(layer) else "" for layer in LAYERS[:-1]]
    return [status, f"{found.count:,}", *fools, str(len(found.smallest))]
