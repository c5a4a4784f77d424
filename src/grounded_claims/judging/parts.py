"""One input file to one part of a folder: the unit of work of a cluster, the same on whatever machine.

    1. a part that its record says is complete, for this suite and this input, is left as it is
    2. a part without such a record, or a record that is not ours, is refused, never overwritten
    3. the rows are judged into a file beside it
    4. its record is written: the digests of suite, input and part, and what was counted
    5. the part appears under its name

Killed between 4 and 5, a record without a part is left, and the part is made anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..errors import UsageError
from ..suite import Suite
from ..whole_file import Write, whole_file
from .batch import judge_stream
from .lines import opened
from .tally import Tally

RECORD_SUFFIX: Final = ".part.json"
BLOCK: Final = 2**20


def part_name(source: Path) -> str:
    """Name the part of an input: as the input, unpacked."""
    return source.name.removesuffix(".gz")


def judge_part(packed: bytes, source: str, target: str) -> dict[str, Any]:
    """Judge one file into its part, and return the record; `packed` is a pickled (suite, reference)."""
    suite, reference = pickle.loads(packed)  # noqa: S301  # made by whoever starts the cluster's tasks
    return _judge_part(suite, Path(source), Path(target), reference=reference)


def _judge_part(suite: Suite, source: Path, target: Path, *, reference: bool) -> dict[str, Any]:
    about = {"suite": suite.digest, "input": source.name, "input_sha256": file_digest(source)}
    complete = _complete(target, about)  # 1, 2
    if complete is not None:
        return complete
    digest = hashlib.sha256()
    try:
        with whole_file(target) as write, opened(str(source)) as rows:  # 3
            tally = judge_stream(suite, rows, _both(digest.update, write), reference=reference)
            record = {
                **about,
                "part": target.name,
                "part_sha256": digest.hexdigest(),
                "counts": tally.plain(),
            }
            read_record(target)
            with whole_file(record_path(target), replace=True) as write_record:  # 4
                write_record((json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode())
    except UsageError:  # 5: another worker, taken for lost, may have been quicker
        complete = _complete(target, about)
        if complete is None:
            raise
        return complete
    return record


def _both(first: Write, second: Write) -> Write:
    def write(data: bytes) -> None:
        first(data)
        second(data)

    return write


def record_path(target: Path) -> Path:
    """Return where the record of a part lies."""
    return target.with_name(target.name + RECORD_SUFFIX)


def read_record(target: Path) -> dict[str, Any] | None:
    """Return the record of a part, or None where there is neither; refuse what is not ours."""
    place = record_path(target)
    for path in (target, place):
        if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
            raise UsageError(f"{path} is a link or no file, and nothing is overwritten; name another folder")
    if not place.exists():
        if target.exists():
            raise UsageError(f"{target} exists and has no record of ours; name another folder")
        return None
    try:
        record: Any = json.loads(place.read_bytes())
    except ValueError:
        record = None
    if not _is_record(record):
        raise UsageError(f"{place} exists and is no record of ours; name another folder")
    return dict(record)


def _is_record(record: Any) -> bool:
    """Tell whether a value has the members of a record, and counts that can be added."""
    try:
        texts = [record[name] for name in ("suite", "input", "input_sha256", "part", "part_sha256")]
        return counts(record).rows >= 0 and all(isinstance(text, str) for text in texts)
    except (KeyError, TypeError, ValueError):
        return False


def _complete(target: Path, about: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the record of a part that is complete; None where there is no part; else refuse it."""
    record = read_record(target)
    if record is None or not target.exists():
        return None
    differing = [name for name, value in about.items() if record.get(name) != value]
    if differing:
        raise UsageError(f"{target} is of another {_listed(differing)}; name another folder")
    if record.get("part_sha256") != file_digest(target):
        raise UsageError(f"{target} is not what its record says; take it away, or name another folder")
    return record


def _listed(names: list[str]) -> str:
    return " and ".join(sorted({name.split("_")[0] for name in names}))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def counts(record: Mapping[str, Any]) -> Tally:
    """Return what the record of a part says was counted."""
    return Tally.from_plain(record["counts"])
