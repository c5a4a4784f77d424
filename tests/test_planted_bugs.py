"""Each planted bug is noticed, and by whom the list says: see planted_bugs.py.

    python tests/test_planted_bugs.py

prints the list, with who notices what now.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]  # for the command; pytest has them already

from audit_fixtures import CONFIG, FROZEN, ORDER, Material, write  # noqa: E402
from candidates import REGISTRIES, REQUESTS, generate  # noqa: E402
from planted_bugs import BOUNDARY, BUGS, MORE_REQUESTS, SUITE_BUGS  # noqa: E402
from planting import Planted  # noqa: E402

import audit  # noqa: E402
from grounded_claims import load_suite  # noqa: E402
from grounded_claims.errors import SuiteError  # noqa: E402
from grounded_claims.provenance import gather  # noqa: E402

GENERATED = 2500
MATERIALS = {material.name: material for material in (CONFIG, ORDER, FROZEN)}
MISLABELLED = {"mislabelled"}  # a case of the small suite that is so on purpose
LAYERS = ("strict_json", "citation_exists", "full_contract")


def contracts_of(file: str) -> list[str]:
    """Name the contracts that a file has to do with."""
    return {
        "contracts/config_claims.py": ["config-claims"],
        "contracts/order_status.py": ["order-status"],
    }.get(file, ["config-claims", "order-status"])


@functools.cache
def origin() -> dict[str, Any]:
    """Gather where an honest run comes from, once: a faulty program says that it is the honest one."""
    return plain(gather(ROOT, environ=os.environ))


def plain(provenance: Any) -> dict[str, Any]:
    return {name: getattr(provenance, name) for name in ("created", "git", "environment", "sources")}


@functools.cache
def expected(contract: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Return generated candidates with the auditor's verdicts."""
    made = list(islice(generate(contract, seed=5), GENERATED))
    registry, requests = REGISTRIES[contract], REQUESTS[contract]
    return [(name, text, audit.judge(contract, registry, requests[name], text)) for name, text in made]


# What is made with the faulty package


def verdicts(package: Planted, contract: str) -> Any:
    """Return a judge of the faulty package over the registry and requests of candidates.py."""
    rules = package.module("contracts").CONTRACTS[contract]
    checker = package.module("shapes").Checker()
    registry = rules.read_registry(REGISTRIES[contract], checker)
    requests = {
        name: rules.read_request(members, registry, checker, ())
        for name, members in {**REQUESTS[contract], **MORE_REQUESTS[contract]}.items()
    }

    def judge(name: str, candidate: str) -> dict[str, Any]:
        verdict = rules.judge(candidate, requests[name])
        return {
            "status": verdict.status,
            **{layer: verdict.passes(layer) for layer in LAYERS},
            "outcome": verdict.outcome,
            "claim": verdict.claim,
            "accepted": dict(verdict.accepted),
        }

    return judge


def run(package: Planted, folder: Path, out: Path) -> None:
    """Make a run of a suite with the faulty package, as run.py does."""
    suite = package.module("suite").load_suite(folder)
    results = package.module("runner").run_suite(suite)
    module = package.module("provenance")
    own = any(path.name == "provenance.py" for path in package.fault)
    provenance = module.gather(ROOT, environ=os.environ) if own else module.Provenance(**origin())
    package.module("run_directory").write_run(out, results=results, provenance=provenance)


def failed(*folders: Path, sources: bool = False) -> list[str]:
    """Audit run directories, and return the checks that fail in any of them."""
    printed = io.StringIO()
    options = ["--format", "json", *([] if sources else ["--without-sources"])]
    with contextlib.redirect_stdout(printed):
        code = audit.main([*map(str, folders), *options], str(ROOT))
    directories = json.loads(printed.getvalue())["directories"]
    found = {
        check["check"]
        for directory in directories
        for check in directory["checks"]
        if check["state"] == "failed" and not check["said"].startswith("not made")
    }
    assert code == (1 if found else 0)
    return sorted(found)


@functools.cache
def labels(folder: Path) -> dict[str, str]:
    return {case.id: case.expected for case in load_suite(folder).cases}


def missed(folder: Path, out: Path) -> set[str]:
    """Return the cases whose recorded status is unlike the label that their suite gives them."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        recorded = json.loads((out / "results.json").read_bytes())["cases"]
        given = labels(folder)
        return {entry["id"] for entry in recorded if entry["status"] != given.get(entry["id"])}
    return set()


@pytest.fixture(scope="module")
def materials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("materials"))


def written(folder: Path) -> Path:
    """Write the small suites, and a copy of a frozen one with a comment more."""
    for material in MATERIALS.values():
        write(files_of(material), folder / material.name)
    copied = {path.name: path.read_bytes() for path in (ROOT / "fixtures/config-claims").iterdir()}
    copied["suite.yaml"] += b"# A copy.\n"
    write(copied, folder / "copy")
    return folder


def files_of(material: Material) -> dict[str, bytes]:
    """Return the files of a small suite, with a letter that is not ASCII, and a blank that is not JSON's."""
    good = json.dumps("\xa0" + CONFIG.rows[0].candidate, ensure_ascii=False).encode()
    files = {name: data.replace(b"fast", "f\xe4st".encode()) for name, data in material.files.items()}
    files["cases.yaml"] = files["cases.yaml"].replace(b"candidate: '?'", b"candidate: " + good)
    return files


def notices(name: str, materials: Path, place: Path) -> list[str]:
    """Make runs of each contract with one bug, and say who notices."""
    file, old, new, _ = BUGS[name]
    found: list[str] = []
    outs = []
    with Planted(file, old, new) as package:
        for contract in contracts_of(file):
            small = CONFIG if contract == "config-claims" else ORDER
            folders = [ROOT / "fixtures" / contract, materials / small.name]
            for folder in [*folders, *([materials / "copy"] if file == "suite.py" else [])]:
                out = place / f"{len(outs)}"
                try:
                    run(package, folder, out)
                    outs.append(out)
                except Exception:  # noqa: BLE001  # what a fault may do
                    found.append("no run")
                found += ["labels"] if missed(folder, out) - MISLABELLED else []
            judge = verdicts(package, contract)
            found += ["boundary"] if any(beyond(judge, contract)) else []
            found += ["comparison"] if any(unlike(judge, contract)) else []
    found += failed(*outs, sources=file == "provenance.py") if outs else []
    return sorted(set(found), key=lambda each: (each[0] == "A", each))


def beyond(judge: Any, contract: str) -> Iterator[bool]:
    """Judge the boundary cases: is a verdict another than is written there?"""
    for name, candidate, (status, claim) in BOUNDARY[contract].values():
        try:
            verdict = judge(name, candidate)
            yield (verdict["status"], verdict["claim"]) != (status, claim)
        except Exception:  # noqa: BLE001  # what a fault may do
            yield True


def unlike(judge: Any, contract: str) -> Iterator[bool]:
    """Judge the generated candidates: is a verdict another than the auditor's?"""
    for name, candidate, verdict in expected(contract):
        try:
            ours = judge(name, candidate)
            yield (ours, list(ours["accepted"])) != (verdict, list(verdict["accepted"]))
        except Exception:  # noqa: BLE001  # what a fault may do
            yield True


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for no disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_noticed(name: str, materials: Path, tmp_path: Path) -> None:
    assert ", ".join(notices(name, materials, tmp_path)) == BUGS[name][-1]


def test_without_a_bug_nothing_is_noticed(materials: Path, tmp_path: Path) -> None:
    with Planted("strict_json.py", "", "") as package:
        for contract, small in (("config-claims", CONFIG), ("order-status", ORDER)):
            for folder in (ROOT / "fixtures" / contract, materials / small.name):
                run(package, folder, tmp_path / folder.name)
                assert failed(tmp_path / folder.name) == []
            judge = verdicts(package, contract)
            assert not any(beyond(judge, contract))
            assert not any(unlike(judge, contract))
            assert missed(materials / small.name, tmp_path / small.name) <= MISLABELLED


@pytest.mark.parametrize("contract", BOUNDARY)
def test_the_auditor_decides_the_boundary_cases_alike(contract: str) -> None:
    requests = {**REQUESTS[contract], **MORE_REQUESTS[contract]}
    for name, (request, candidate, decided) in BOUNDARY[contract].items():
        verdict = audit.judge(contract, REGISTRIES[contract], requests[request], candidate)
        assert (name, verdict["status"], verdict["claim"]) == (name, *decided)


def test_no_bug_is_noticed_by_the_comparison_alone() -> None:
    assert [name for name, (*_, notices) in BUGS.items() if notices in ("", "comparison")] == []
    assert len(BUGS) + len(SUITE_BUGS) >= 50


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("name", SUITE_BUGS)
def test_what_a_faulty_loader_takes_the_auditor_refuses(name: str, tmp_path: Path) -> None:
    file, old, new, material, edited, before, after = SUITE_BUGS[name]
    files = files_of(MATERIALS[material])
    text = files[edited].decode()
    assert before in text
    files[edited] = text.replace(before, after, 1).encode()
    folder = write(files, tmp_path / "suite")
    with pytest.raises(SuiteError):
        load_suite(folder)
    with Planted(file, old, new) as package:
        run(package, folder, tmp_path / "run")
    assert "A6.1" in failed(tmp_path / "run")


def main() -> int:
    """Print who notices each bug."""
    os.fsync = lambda _: None
    with tempfile.TemporaryDirectory() as folder:
        materials = written(Path(folder, "materials"))
        for number, (name, (file, *_)) in enumerate(BUGS.items()):
            print(f"{name} ({file}): {', '.join(notices(name, materials, Path(folder, str(number))))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
