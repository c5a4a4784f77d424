"""Many files on a Dask cluster, a part each (the extra `dask`; docs/decisions/dask.md).

1. every input is a file, and no two have a part of one name
2. the folder is new, or holds only what calls like this one have left there
3. each part is a task of its own (parts.py), which a scheduler repeats elsewhere when its worker is lost
4. the parts are reconciled: one for every input, and as many rows in it as were counted
5. manifest.json, with the digests of all inputs and parts, comes last, by rename, after another look as in 2
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Final

from .. import __version__
from ..errors import UsageError
from ..provenance import PROGRAM
from ..suite import Suite
from ..whole_file import UNFINISHED, is_unfinished, whole_file
from .batch import RowsLostError
from .judges import pickled
from .lines import is_gzipped
from .parts import RECORD_SUFFIX, counts, judge_part, part_name, read_record, record_path
from .tally import Tally
from .workers import WorkerError, without_interrupts

MANIFEST: Final = "manifest.json"
MANIFEST_FORMAT: Final = 1
RESERVED: Final = (RECORD_SUFFIX, UNFINISHED)
CONNECT_SECONDS: Final = 15
PATIENCE: Final = 5  # seconds without a worker, until that is said
LOGGERS: Final = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio", "bokeh")


def judge_files(
    suite: Suite,
    inputs: Sequence[Path],
    folder: Path,
    *,
    scheduler: str | None = None,
    workers: int = 1,
    reference: bool = False,
    say: Callable[[str], object] = lambda _: None,
) -> Tally:
    """Judge files into parts of a folder, and return what was counted in all of them."""
    targets = _targets(inputs, folder)  # 1
    _refuse_others(suite, folder, targets)  # 2
    packed = pickled((suite, reference))
    with _client(scheduler, workers, say) as client:
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
    if is_gzipped(name):
        raise UsageError(f"{source}: its part would be named {name}, and is not gzipped; rename it")
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
def _client(scheduler: str | None, workers: int, say: Callable[[str], object]) -> Iterator[Any]:
    """Connect to a cluster, or start one of worker processes on this machine.

    What goes wrong in it is raised here; what Dask logs besides is not for who called the command.
    """
    os.environ["DASK_DISTRIBUTED__LOGGING"] = repr(dict.fromkeys(LOGGERS, "critical"))  # of workers, too
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError:
        raise UsageError(
            "--engine dask needs the package dask, which is not here: see 'Installing' in docs/scale.md"
        ) from None
    logging.disable(logging.CRITICAL)
    with ExitStack() as stack:
        if scheduler is None:
            if os.name == "posix":
                resource_tracker.ensure_running()  # it would let interrupts through again where it starts
            with without_interrupts():
                cluster = stack.enter_context(
                    LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",  # without one, Dask takes port 8787 all the same
                        scheduler_kwargs={"dashboard": False},
                    )
                )
            yield stack.enter_context(Client(cluster))
            return
        try:
            client = stack.enter_context(Client(scheduler, timeout=CONNECT_SECONDS))
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler answers at {scheduler}: {error}") from None
        _wait_for_workers(client, scheduler, say)
        _refuse_other_versions(client)
        yield client


def _wait_for_workers(client: Any, scheduler: str, say: Callable[[str], object]) -> None:
    """Wait until there is a worker, and say so if that takes long."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except (TimeoutError, asyncio.TimeoutError):  # until Python 3.11 these are two
        say(f"no worker has joined the scheduler at {scheduler} yet; waiting for one")
        client.wait_for_workers(1)


def _refuse_other_versions(client: Any) -> None:
    """Refuse a cluster that has not got this package; a worker that lacks it would end at its first task."""
    version = _version_there()
    found = {
        **client.run(version, on_error="return"),
        "the scheduler": client.run_on_scheduler(version),
    }
    for place, there in found.items():
        if there != __version__ and not isinstance(there, OSError):  # a worker may be lost at any time
            raise UsageError(
                f"the workers lack this package, or have another version: {place} has {there}, and "
                f"{__version__} is wanted; install it there, as 'Installing' in docs/scale.md says"
            )


def _version_there() -> Callable[[], object]:
    """Return a function that travels by its text, since a worker may have nothing of ours."""

    def version() -> object:
        try:
            from grounded_claims import __version__ as found
        except ImportError:
            return None
        return found

    return version


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
