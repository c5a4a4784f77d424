"""What a mutation is: one named change of one good run, and what must notice it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .good_runs import SUMS, GoodRun, sealed, sums_of

#: What must come of it.
#: defect    exit 1, and the named checks are among those that failed
#: expect    exit 0, for nothing in the directory contradicts it; exit 1 by A3.7 with --expect
#: exercise  exit 0, and the last line says "not a published suite": it is another honest run
Outcome = Literal["defect", "expect", "exercise"]
Changes = Mapping[str, bytes | None]
#: Files that change, or what makes them when they are wanted: of most mutations only the name ever is.
Changed = Mapping[str, bytes] | Callable[[], Mapping[str, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One change.

    `files` are the files that change, None for one that goes, or what makes them when they are wanted; `disk`
    does what bytes cannot, in the folder; `reading` makes reads of the folder fail while it is audited.
    `caught_by` names checks of docs/contract.md: each word must hold, and a word such as `A2.1|A2.3` holds
    where one of them failed. `sums_agree` says that a check of the sums alone accepts it.
    """

    family: str
    name: str
    run: GoodRun
    caught_by: str
    files: Changes | Callable[[], Changes] | None = None
    disk: Callable[[Path], None] | None = None
    reading: Callable[[Path], AbstractContextManager[None]] | None = None
    sums_agree: bool = False
    outcome: Outcome = "defect"

    def changes(self) -> Changes:
        """Return the files that change."""
        return self.files() if callable(self.files) else self.files or {}

    @property
    def title(self) -> str:
        """Return the family, the run and the name, which no other mutation has together."""
        return f"{self.family}: {self.run.name}: {self.name}"


def resealed(
    family: str,
    name: str,
    run: GoodRun,
    caught_by: str,
    changed: Changed,
    outcome: Outcome = "defect",
) -> Mutation:
    """Return a mutation with every digest recomputed, as a careful forger would."""

    def files() -> Changes:
        made = sealed(run, changed() if callable(changed) else changed)
        return {path: data for path, data in made.items() if data != run.files.get(path)}

    return Mutation(
        family=family, name=name, run=run, caught_by=caught_by, files=files, sums_agree=True, outcome=outcome
    )


def summed(family: str, name: str, run: GoodRun, caught_by: str, changed: Changed) -> Mutation:
    """Return a mutation of which SHA256SUMS alone is written anew."""

    def files() -> Changes:
        made = changed() if callable(changed) else changed
        return {**made, SUMS: sums_of({**run.files, **made})}

    return Mutation(family=family, name=name, run=run, caught_by=caught_by, files=files, sums_agree=True)
