"""The smallest difference between two JSON values, or two texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ..errors import path_text
from ..strict_json import Malformed, Value, parse
from .json_text import text_change
from .story import ADDED, CHANGED, REMOVED, Change, Difference, Path, spelt

Changes: TypeAlias = "tuple[Change, ...]"


def difference(
    candidate: str,
    pair: str,
    *,
    request: Mapping[str, Value],
    pair_request: Mapping[str, Value],
) -> Difference:
    """Compare a candidate and its request with those of its pair."""
    here, there = parse(candidate), parse(pair)
    requests = value_changes(dict(pair_request), dict(request))
    if isinstance(here, Malformed) or isinstance(there, Malformed):
        text = None if candidate == pair else text_change(pair, candidate)
        return Difference(text=text, requests=requests)
    return Difference(changes=value_changes(there, here), requests=requests)


def value_changes(pair: Value, here: Value, path: Path = ()) -> tuple[Change, ...]:
    """Return the fewest changes from the pair's value to this one; the order of members does not count."""
    if isinstance(pair, dict) and isinstance(here, dict):
        return _members(pair, here, path)
    if isinstance(pair, list) and isinstance(here, list):
        return _items(pair, here, path)
    if pair == here:
        return ()
    return (Change(kind=CHANGED, path=path_text(path), pair=spelt(pair), here=spelt(here)),)


def _members(pair: dict[str, Value], here: dict[str, Value], path: Path) -> tuple[Change, ...]:
    changes: list[Change] = []
    for name in [*pair, *(name for name in here if name not in pair)]:
        if name not in here:
            changes.append(_removed(pair[name], (*path, name)))
        elif name not in pair:
            changes.append(_added(here[name], (*path, name)))
        else:
            changes += value_changes(pair[name], here[name], (*path, name))
    return tuple(changes)


def _items(pair: list[Value], here: list[Value], path: Path) -> tuple[Change, ...]:
    """Align two arrays so that the least differs; of equally good ways, one that adds late.

    `best[i][j]` is what makes the first i items of the pair into the first j of this array.
    """
    best: list[list[tuple[Change, ...]]] = [[()]]
    for j, item in enumerate(here):
        best[0].append((*best[0][j], _added(item, (*path, j))))
    for i, old in enumerate(pair):
        row = [(*best[i][0], _removed(old, (*path, i)))]
        for j, new in enumerate(here):
            ways = (
                (*row[j], _added(new, (*path, j))),
                (*best[i][j], *value_changes(old, new, (*path, j))),
                (*best[i][j + 1], _removed(old, (*path, i))),
            )
            row.append(min(ways, key=_weight))
        best.append(row)
    return best[-1][-1]


def _weight(changes: tuple[Change, ...]) -> int:
    return sum(len(change.pair) + len(change.here) + 8 for change in changes)


def _added(value: Value, path: Path) -> Change:
    return Change(kind=ADDED, path=path_text(path), pair="", here=spelt(value))


def _removed(value: Value, path: Path) -> Change:
    return Change(kind=REMOVED, path=path_text(path), pair=spelt(value), here="")
