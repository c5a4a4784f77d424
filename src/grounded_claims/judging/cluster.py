"""Many files on a Dask cluster, a part each (the extra `dask`; docs/decisions/dask.md).

1. every input is a file, and no two have a part of one name
2. each part is a task of its own (parts.py), which a scheduler repeats elsewhere when its worker is lost
3. the parts are reconciled: one for every input, and as many rows in it as were counted
4. manifest.json, with the digests of all inputs and parts, comes last and by rename
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from .. import __version__
from ..errors import UsageError
from ..suite import Suite
from .batch import RowsLostError
from .judges import pickled
from .parts import counts, judge_part, part_name
from .tally import Tally
from .whole_file import whole_file
from .workers import WorkerError

MANIFEST: Final = "manifest.json"
MANIFEST_FORMAT: Final = 1
CONNECT_SECONDS: Final = 15


def judge_files(
    suite: Suite,
    inputs: Sequence[Path],
    folder: Path,
    *,
    scheduler: str | None = None,
    workers: int = 1,
    reference: bool = False,
) -> Tally:
    """Judge files into parts of a folder, and return what was counted in all of them."""
    targets = _targets(inputs, folder)  # 1
    folder.mkdir(parents=True, exist_ok=True)
    packed = pickled((suite, reference))
    with _client(scheduler, workers) as client:
        tasks = [
            client.submit(judge_part, packed, str(source.resolve()), str(target.resolve()), pure=False)
            for target, source in targets.items()
        ]
        records = _records(client, tasks)  # 2
    total = _reconciled(records, targets)  # 3
    with whole_file(folder / MANIFEST, replace=True) as write:  # 4
        write((json.dumps(_manifest(suite, records), ensure_ascii=False, indent=2) + "\n").encode())
    return total


def _targets(inputs: Sequence[Path], folder: Path) -> dict[Path, Path]:
    """Return the parts to make, each with its input, in the order of their names."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{folder} exists and is not a folder; name another one")
    targets: dict[str, Path] = {}
    for source in inputs:
        if not source.is_file():
            raise UsageError(f"{source} is not a file")
        name = part_name(source)
        other = targets.setdefault(name.casefold(), source)
        if other is not source or name.casefold() == MANIFEST:
            raise UsageError(f"{source}: its part would have the name of {other}'s; rename one of the two")
    return {folder / part_name(source): source for _, source in sorted(targets.items())}


@contextmanager
def _client(scheduler: str | None, workers: int) -> Iterator[Any]:
    """Connect to a cluster, or start one of worker processes on this machine."""
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError:
        raise UsageError(
            "--engine dask needs the package dask, which is not here: see 'Installing' in docs/scale.md"
        ) from None
    if scheduler is None:
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    with client:
        yield client


def _records(client: Any, tasks: Sequence[Any]) -> list[dict[str, Any]]:
    from distributed import KilledWorker

    try:
        records: list[dict[str, Any]] = client.gather(list(tasks))
    except KilledWorker as error:
        raise WorkerError(f"workers were lost again and again; parts are missing: {error}") from None
    return records


def _reconciled(records: Sequence[dict[str, Any]], targets: dict[Path, Path]) -> Tally:
    total = Tally()
    for record, target in zip(records, targets, strict=True):
        tally = counts(record)
        with target.open("rb") as file:
            rows = sum(block.count(b"\n") for block in iter(lambda: file.read(2**20), b""))
        if record["part"] != target.name or rows != tally.rows:
            raise RowsLostError(f"{target} holds {rows} rows, and {tally.rows} were judged")
        total.merge(tally)
    return total


def _manifest(suite: Suite, records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the content of the manifest: names and digests, no time, host or path."""
    return {
        "format": MANIFEST_FORMAT,
        "program": {"name": "grounded-claims", "version": __version__},
        "suite": {"name": suite.name, "contract": suite.contract.name, "digest": suite.digest},
        "parts": [
            {
                "input": record["input"],
                "input_sha256": record["input_sha256"],
                "part": record["part"],
                "part_sha256": record["part_sha256"],
                "rows": counts(record).rows,
                "errors": counts(record).errors,
            }
            for record in records
        ],
    }
