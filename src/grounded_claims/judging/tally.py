"""What is counted of rows, and the summary of a whole input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from ..contracts.base import ACCEPT, AnyContract
from ..suite import Suite
from ..tables import table

SUMMARY_FORMAT: Final = 1


class Tally:
    """Counts of verdict rows by status and outcome, and of error rows."""

    __slots__ = ("errors", "kinds")

    def __init__(self) -> None:
        self.kinds: Counter[tuple[str, str]] = Counter()
        self.errors = 0

    @classmethod
    def of(cls, kinds: Iterable[tuple[str, str] | None]) -> Tally:
        """Count rows; None stands for an error."""
        counted = Counter(kinds)
        tally = cls()
        tally.errors = counted.pop(None, 0)
        tally.kinds.update(counted)  # type: ignore[arg-type]  # None is gone
        return tally

    @property
    def rows(self) -> int:
        """Count all rows."""
        return self.errors + sum(self.kinds.values())

    @property
    def rejected(self) -> int:
        """Count the verdicts that reject."""
        return sum(count for (status, _), count in self.kinds.items() if status != ACCEPT)

    def merge(self, other: Tally) -> None:
        """Add the counts of some more rows."""
        self.kinds.update(other.kinds)
        self.errors += other.errors

    def plain(self) -> list[Any]:
        """Return the counts as plain values, for another process."""
        return [self.errors, [[*kind, count] for kind, count in self.kinds.items()]]

    @classmethod
    def from_plain(cls, value: list[Any]) -> Tally:
        """Return the counts that another process took."""
        tally = cls()
        tally.errors, kinds = value
        tally.kinds.update({(status, outcome): count for status, outcome, count in kinds})
        return tally

    def statuses(self, contract: AnyContract) -> dict[str, int]:
        """Count by status, in order of precedence, the absent ones too."""
        return {
            name: sum(count for (status, _), count in self.kinds.items() if status == name)
            for name in contract.statuses
        }

    def outcomes(self, contract: AnyContract) -> dict[str, int]:
        """Count by outcome, in the contract's order, the absent ones too."""
        return {
            name: sum(count for (_, outcome), count in self.kinds.items() if outcome == name)
            for name in contract.outcomes
        }


def summary(suite: Suite, tally: Tally) -> dict[str, Any]:
    """Return what `--summary` writes: the same for the same rows and suite."""
    return {
        "format": SUMMARY_FORMAT,
        "suite": {"name": suite.name, "contract": suite.contract.name, "digest": suite.digest},
        "rows": {
            "read": tally.rows,
            "written": tally.rows,
            "judged": tally.rows - tally.errors,
            "errors": tally.errors,
        },
        "statuses": tally.statuses(suite.contract),
        "outcomes": tally.outcomes(suite.contract),
    }


def summary_table(suite: Suite, tally: Tally) -> str:
    """Show the counts, and that no row was lost."""
    contract = suite.contract
    cells = [["status", name, f"{count:,}"] for name, count in tally.statuses(contract).items()]
    cells += [["outcome", name, f"{count:,}"] for name, count in tally.outcomes(contract).items()]
    cells.append(["error", "no verdict: the row could not be judged", f"{tally.errors:,}"])
    rows = "1 row" if tally.rows == 1 else f"{tally.rows:,} rows"
    counted = f"{rows} read, {rows} written"
    nothing = "" if tally.rows else "; nothing was judged, which is not a success"
    return f"{table(cells, headers=['', 'Verdicts', 'Rows'], style='plain', right=[2])}\n{counted}{nothing}"
