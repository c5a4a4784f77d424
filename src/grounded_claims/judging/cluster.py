"""Many files on a Dask cluster, a part each (the extra `dask`; docs/decisions/dask.md).

1. every input is a file, and no two have a part of one name
2. the folder is new, or holds only what calls like this one have left there
3. each part is a task of its own (parts.py), which a scheduler repeats elsewhere when its worker is lost
4. the parts are reconciled: one for every input, and as many rows in it as were counted
5. manifest.json, with the digests of all inputs and parts, comes last, by rename, after another look as in 2
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from .. import __version__
from ..errors import UsageError
from ..provenance import PROGRAM
from ..suite import Suite
from .batch import RowsLostError
from .judges import pickled
from .parts import RECORD_SUFFIX, counts, judge_part, part_name, read_record, record_path
from .tally import Tally
from .whole_file import UNFINISHED, is_unfinished, whole_file
from .workers import WorkerError

MANIFEST: Final = "manifest.json"
MANIFEST_FORMAT: Final = 1
RESERVED: Final = (RECORD_SUFFIX, UNFINISHED)
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
    _refuse_others(suite, folder, targets)  # 2
    packed = pickled((suite, reference))
    with _client(scheduler, workers) as client:
        folder.mkdir(parents=True, exist_ok=True)
        tasks = [
            client.submit(judge_part, packed, str(source.resolve()), str(target.resolve()), pure=False)
            for target, source in targets.items()
        ]
        records = _records(client, tasks)  # 3
    total = _reconciled(records, targets)  # 4
    _refuse_others(suite, folder, targets)
    with whole_file(folder / MANIFEST, replace=True) as write:  # 5
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
        key = _own_name(source).casefold()
        if key not in targets:
            targets[key] = source
        elif source.samefile(targets[key]):
            raise UsageError(f"{source} is given twice; name it once")
        else:
            raise UsageError(
                f"{source}: its part would have the name of {targets[key]}'s; rename one of the two"
            )
    return {folder / part_name(source): source for _, source in sorted(targets.items())}


def _own_name(source: Path) -> str:
    """Return the name of an input's part, which has to be one, and not that of a file beside the parts."""
    name = part_name(source)
    if name in ("", ".", ".."):
        raise UsageError(f"{source}: without .gz no name is left for its part; rename it")
    if name.casefold() == MANIFEST or name.casefold().endswith(RESERVED):
        raise UsageError(
            f"{source}: its part would be named {name}, as only {MANIFEST}, records (*{RECORD_SUFFIX}) and "
            f"unfinished files (*{UNFINISHED}) are; rename it"
        )
    return name


def _refuse_others(suite: Suite, folder: Path, targets: Iterable[Path]) -> None:
    """Refuse a folder that holds anything but what this call makes, or that others have made so."""
    own = {MANIFEST}
    for target in targets:
        own |= {target.name, record_path(target).name}
        read_record(target)
    for path in sorted(folder.iterdir()) if folder.exists() else ():
        if path.name not in own and not is_unfinished(path.name):
            raise UsageError(
                f"{folder} holds {path.name}, which is no part of this call; name another folder"
            )
    manifest = folder / MANIFEST
    if not os.path.lexists(manifest):
        return
    parts = None if manifest.is_symlink() or not manifest.is_file() else _parts_of(manifest, suite)
    if parts is None:
        raise UsageError(f"{manifest} exists and is no manifest of ours for this suite; name another folder")
    if others := sorted(parts - own):
        raise UsageError(f"{manifest} lists {others[0]}, which is no part of this call; name another folder")


def _parts_of(manifest: Path, suite: Suite) -> set[str] | None:
    """Return the names of the parts that a manifest of ours lists; None where it is none for this suite."""
    try:
        found = json.loads(manifest.read_bytes())
        ours = (found["format"], found["program"]["name"], found["suite"]["digest"])
        names = {part["part"] for part in found["parts"] if isinstance(part["part"], str)}
    except (KeyError, TypeError, ValueError):
        return None
    return names if ours == (MANIFEST_FORMAT, PROGRAM, suite.digest) else None


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
        "program": {"name": PROGRAM, "version": __version__},
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
