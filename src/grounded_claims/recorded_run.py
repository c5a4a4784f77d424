"""Reads a run directory strictly, or says what is wrong with it. It is no audit: no verdict is recomputed.

    1. the directory and its entries: exactly those of R1, real folders and regular files; each is read once
    2. SHA256SUMS: in its form, and agreeing with every file (R8)
    3. inputs/: a suite that loads, of the very bytes that were read
    4. results.json: strict JSON; its verdicts, beside the inputs' cases, give these bytes again (R2 to R5)
    5. manifest.json: strict JSON of its closed shape, with the digests of the inputs and of the results

What is damaged is an error, exit code 2; a verdict that the gate of today would not give is none.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from .contracts.base import LAYERS, Verdict
from .errors import Fault, RunDirectoryError
from .run_directory import INPUTS, MANIFEST, RESULTS, SUMS, digest, serialise
from .runner import CaseResult, Results
from .shapes import ABSENT, Checker
from .strict_json import Malformed, Number, Value, parse
from .suite import Suite, load_suite

MAX_BYTES: Final = 64 * 1024 * 1024
_SUITE_FILES: Final = ("cases.yaml", "registry.yaml", "suite.yaml")
_FILES: Final = (*(f"{INPUTS}/{name}" for name in _SUITE_FILES), MANIFEST, RESULTS)
_SUMS_LINE: Final = re.compile(r"([0-9a-f]{64})  ([^\n]+)\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """What a run left behind: its suite, its recorded verdicts, its manifest, and its two digests."""

    results: Results
    manifest: Mapping[str, Any]
    results_digest: str
    run_digest: str

    @property
    def suite(self) -> Suite:
        """Return the suite that was run, from the run's own copy."""
        return self.results.suite


def read_run(folder: Path) -> RecordedRun:
    """Read a run directory, or raise a RunDirectoryError (or SuiteError) that says what is wrong."""
    files = _read_files(folder)  # 1
    _check_sums(folder, files)  # 2
    suite = load_suite(folder / INPUTS)  # 3
    if any(suite.files[name] != files[f"{INPUTS}/{name}"] for name in _SUITE_FILES):
        raise RunDirectoryError(f"{folder / INPUTS} changed while it was read")
    results = _read_results(folder, files[RESULTS], suite)  # 4
    manifest = _read_manifest(folder, files, suite)  # 5
    return RecordedRun(
        results=results,
        manifest=manifest,
        results_digest=digest(files[RESULTS]),
        run_digest=digest(files[SUMS]),
    )


# 1. Entries


def _read_files(folder: Path) -> dict[str, bytes]:
    if not os.path.lexists(folder):
        raise RunDirectoryError(f"{folder}: there is nothing at this path; a run directory belongs here")
    _expect_entries(folder, {INPUTS, MANIFEST, RESULTS, SUMS}, at=folder)
    _expect_entries(folder / INPUTS, set(_SUITE_FILES), at=folder)
    return {name: _read_file(folder / name) for name in (*_FILES, SUMS)}


def _expect_entries(path: Path, wanted: set[str], *, at: Path) -> None:
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        raise RunDirectoryError(f"{path} is not a real directory")
    found = set(os.listdir(path))
    if SUMS in wanted - found:
        raise RunDirectoryError(f"{at} holds no {SUMS}: it is no run directory, or one that was not finished")
    for name in sorted(wanted - found):
        raise RunDirectoryError(f"{path / name} is missing; without it the run directory is damaged")
    for name in sorted(found - wanted):
        raise RunDirectoryError(f"{path / name!s} is no part of a run directory; take it out")


def _read_file(path: Path) -> bytes:
    """Read a regular file of at most 64 MiB; neither a link is followed nor a pipe waited for."""
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise RunDirectoryError(f"{path} is not a regular file")
    with open(os.open(path, flags), "rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise RunDirectoryError(f"{path} is larger than 64 MiB")
    return data


# 2. Sums


def _check_sums(folder: Path, files: Mapping[str, bytes]) -> None:
    text = files[SUMS].decode("ascii", "replace")
    lines = _SUMS_LINE.findall(text)
    if "".join(f"{sum_}  {name}\n" for sum_, name in lines) != text:
        raise RunDirectoryError(f"{folder / SUMS} is not in the form of sha256sum")
    if [name for _, name in lines] != sorted(_FILES):
        raise RunDirectoryError(f"{folder / SUMS} does not list every other file once, sorted by path")
    wrong = [name for sum_, name in lines if digest(files[name]) != sum_]
    if wrong:
        raise RunDirectoryError(f"{folder}: the SHA-256 of {', '.join(wrong)} is not the one in {SUMS}")


# 4. Results


def _read_results(folder: Path, data: bytes, suite: Suite) -> Results:
    checker = Checker()
    root = checker.closed(
        _document(folder / RESULTS, data), (), required=("format", "suite", "totals", "cases")
    )
    items = checker.items(root["cases"], ("cases",), what="cases")
    verdicts = [_read_verdict(item, checker, index, suite) for index, item in enumerate(items)]
    _raise_faults(folder / RESULTS, checker)
    if len(verdicts) != len(suite.cases):
        raise RunDirectoryError(
            f"{folder / RESULTS} holds {len(verdicts)} cases, and the inputs hold {len(suite.cases)}"
        )
    pairs = zip(suite.cases, verdicts, strict=True)
    results = Results(
        suite=suite, cases=tuple(CaseResult(case=case, verdict=verdict) for case, verdict in pairs)
    )
    if serialise(results.document()) != data:
        raise RunDirectoryError(
            f"{folder / RESULTS} is not what its own verdicts give together with the inputs: "
            f"{_first_difference(results.document(), root)}"
        )
    return results


def _read_verdict(item: object, checker: Checker, index: int, suite: Suite) -> Verdict:
    path = ("cases", index)
    members = checker.closed(
        item,
        path,
        required=("id", "expected", "status", *LAYERS, "outcome", "claim", "accepted", "prediction"),
    )
    accepted = members["accepted"]
    if not isinstance(accepted, Mapping) or not all(
        value is None or isinstance(value, str) for value in accepted.values()
    ):
        checker.fault((*path, "accepted"), "a mapping of fields to texts belongs here")
        accepted = {}
    claim = members["claim"]
    contract = suite.contract
    return Verdict(
        status=checker.choice(members["status"], (*path, "status"), among=contract.statuses, what="a status"),
        outcome=checker.choice(
            members["outcome"], (*path, "outcome"), among=contract.outcomes, what="an outcome"
        ),
        claim=None if claim is None else checker.count(claim, (*path, "claim")),
        accepted=MappingProxyType(dict(accepted)),
        **{layer: _flag(members[layer], checker, (*path, layer)) for layer in LAYERS},
    )


def _flag(value: object, checker: Checker, path: tuple[str | int, ...]) -> bool:
    if isinstance(value, bool):
        return value
    if value is not ABSENT:
        checker.fault(path, "true or false belongs here")
    return False


def _first_difference(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """Name the first part of results.json that its own verdicts and the inputs do not give."""
    for name, value in wanted.items():
        if found.get(name) != value:
            if name == "cases":
                pairs = zip(value, found[name], strict=True)
                return next(f"the case {ours['id']}" for ours, theirs in pairs if ours != theirs)
            return name
    return "the form of the file"


# 5. Manifest


def _read_manifest(folder: Path, files: Mapping[str, bytes], suite: Suite) -> Mapping[str, Any]:
    checker = Checker()
    manifest = checker.closed(
        _document(folder / MANIFEST, files[MANIFEST]),
        (),
        required=(
            "format",
            "program",
            "suite",
            "created",
            "git",
            "environment",
            "sources",
            "inputs",
            "outputs",
        ),
    )
    checker.text(manifest["created"], ("created",))
    _texts(checker, manifest["program"], ("program",), required=("name", "version"))
    environment = checker.closed(
        manifest["environment"],
        ("environment",),
        required=("python", "implementation", "platform", "packages"),
    )
    for name in ("python", "implementation", "platform"):
        checker.text(environment[name], ("environment", name))
    for name, version in checker.mapping(environment["packages"], ("environment", "packages")).items():
        checker.text(version, ("environment", "packages", name))
    _check_git(checker, manifest["git"])
    _raise_faults(folder / MANIFEST, checker)
    bound = {
        "suite": {
            "name": suite.name,
            "contract": suite.contract.name,
            "digest": suite.digest,
            "frozen": manifest["suite"].get("frozen") if isinstance(manifest["suite"], Mapping) else None,
            "cases": len(suite.cases),
        },
        "inputs": {name: digest(files[name]) for name in _FILES if name.startswith(INPUTS)},
        "outputs": {RESULTS: digest(files[RESULTS])},
    }
    for part, value in bound.items():
        if manifest[part] != value:
            raise RunDirectoryError(f"{folder / MANIFEST}: {part} does not describe the files beside it")
    return MappingProxyType(dict(manifest))


def _check_git(checker: Checker, value: object) -> None:
    if isinstance(value, Mapping) and "unavailable" in value:
        _texts(checker, value, ("git",), required=("unavailable",))
        return
    git = checker.closed(value, ("git",), required=("commit", "dirty"))
    checker.text(git["commit"], ("git", "commit"))
    _flag(git["dirty"], checker, ("git", "dirty"))


def _texts(checker: Checker, value: object, path: tuple[str, ...], *, required: tuple[str, ...]) -> None:
    members = checker.closed(value, path, required=required)
    for name in required:
        checker.text(members[name], (*path, name))


# JSON


def _document(path: Path, data: bytes) -> object:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RunDirectoryError(f"{path}: byte {error.start} is not UTF-8") from None
    value = parse(text, max_units=None)
    if isinstance(value, Malformed):
        line = text.count("\n", 0, value.offset) + 1
        raise RunDirectoryError(f"{path}:{line}: {value.reason}")
    return _plain(value)


def _plain(value: Value) -> object:
    """Turn JSON numbers into integers; another number stays what no shape here takes."""
    if isinstance(value, Number):
        return int(value.literal) if re.fullmatch(r"-?[0-9]{1,18}", value.literal) else value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _raise_faults(path: Path, checker: Checker) -> None:
    if checker.faults:
        faults: list[Fault] = [fault.at(str(path), None) for fault in checker.faults]
        raise RunDirectoryError("\n".join(str(fault) for fault in faults))
