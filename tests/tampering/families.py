"""Every family of mutations, and what is taken of each in CI and in full."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from . import bits, digests, documents, entries, forgeries, names, softened
from .good_runs import Lab
from .mutation import Mutation


@dataclass(frozen=True, slots=True)
class Family:
    """A generator, and of how many of its mutations CI takes one."""

    make: Callable[[Lab], Iterable[Mutation]]
    one_of: int


FAMILIES: tuple[Family, ...] = (
    Family(bits.flips, 101),
    Family(bits.cuts, 53),
    Family(bits.sealed_flips, 53),
    Family(bits.sealed_cuts, 67),
    Family(documents.values, 173),
    Family(documents.removals, 17),
    Family(documents.doubled, 41),
    Family(documents.reordered, 31),
    Family(documents.spellings, 7),
    Family(documents.formats, 7),
    Family(digests.in_documents, 29),
    Family(digests.in_sums, 13),
    Family(digests.sums_forms, 5),
    Family(digests.unbound, 3),
    Family(entries.added, 7),
    Family(entries.gone, 3),
    Family(entries.kinds, 3),
    Family(entries.reads, 7),
    Family(entries.huge, 1_000),  # the first, of one byte too many
    Family(names.in_sums, 3),
    Family(names.in_manifest, 11),
    Family(forgeries.cases, 37),
    Family(forgeries.whole_cases, 23),
    Family(forgeries.totals, 5),
    Family(forgeries.case_lists, 11),
    Family(forgeries.manifests, 2),
    Family(forgeries.sources, 3),
    Family(forgeries.mixed, 5),
    Family(softened.softened, 1),
    Family(forgeries.unnoticed, 5),
)


def mutations(lab: Lab, *, full: bool) -> Iterator[Mutation]:
    """Yield every mutation, or those that CI takes: the same ones each time."""
    for family in FAMILIES:
        yield from itertools.islice(family.make(lab), 0, None, 1 if full else family.one_of)
