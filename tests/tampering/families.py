"""Every family of mutations, and what is taken of each in CI and in full."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from . import bits, digests, documents, entries, forgeries, names, softened
from .good_runs import Lab
from .mutation import Mutation


@dataclass(frozen=True, slots=True)
class Family:
    """Its name, a generator, and of how many of its mutations CI takes one."""

    name: str
    make: Callable[[Lab], Iterable[Mutation]]
    one_of: int


FAMILIES: tuple[Family, ...] = (
    Family("byte flipped", bits.flips, 101),
    Family("cut short", bits.cuts, 53),
    Family("byte flipped, sealed", bits.sealed_flips, 53),
    Family("cut short, sealed", bits.sealed_cuts, 67),
    Family("value replaced", documents.values, 173),
    Family("member removed", documents.removals, 17),
    Family("member doubled", documents.doubled, 41),
    Family("members moved", documents.reordered, 31),
    Family("written otherwise", documents.spellings, 7),
    Family("another format", documents.formats, 7),
    Family("digest in a document", digests.in_documents, 29),
    Family("digest in the sums", digests.in_sums, 13),
    Family("form of the sums", digests.sums_forms, 5),
    Family("only the sums redone", digests.unbound, 3),
    Family("entry added", entries.added, 7),
    Family("entry gone", entries.gone, 3),
    Family("entry swapped", entries.swapped, 2),
    Family("entry of another kind", entries.kinds, 3),
    Family("read that fails", entries.reads, 7),
    Family("huge file", entries.huge, 10),
    Family("name in the sums", names.in_sums, 3),
    Family("name in the manifest", names.in_manifest, 11),
    Family("results forged", forgeries.cases, 37),
    Family("verdict forged whole", forgeries.whole_cases, 23),
    Family("total forged", forgeries.totals, 5),
    Family("cases forged", forgeries.case_lists, 11),
    Family("manifest forged", forgeries.manifests, 2),
    Family("sources forged", forgeries.sources, 3),
    Family("two runs mixed", forgeries.mixed, 5),
    Family("suite softened", softened.softened, 1),
    Family("rewritten", forgeries.unnoticed, 5),
)


def mutations(lab: Lab, *, full: bool, only: Collection[str] = ()) -> Iterator[Mutation]:
    """Yield every mutation, or those that CI takes, the same ones each time; of all families or of some."""
    for family in FAMILIES:
        if not only or family.name in only:
            yield from itertools.islice(family.make(lab), 0, None, 1 if full else family.one_of)
