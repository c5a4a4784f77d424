"""Careful forgeries: one thing is changed and every digest is redone, so that the sums agree with everything.

What must notice is what recomputes: the labels, the verdicts and the totals from the inputs, the sources from
the checkout, whether a suite is frozen from the pins.
"""

# ruff: noqa: E501  (a row of a table is a line)
from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .good_runs import INPUT_PATHS, MANIFEST, RESULTS, Files, GoodRun, Lab, sealed, sha256, sums_of
from .json_text import document
from .mutation import Mutation, resealed
from .rules import LAYERS, OUTCOMES, STATUSES

RUNS = ("tiny", "exercise", "order-exercise", "order-status", "config-claims")
#: A status with the layers that pass by it.
PASSES = {"INVALID_JSON": 0, "NO_CITATION": 1, "INVENTED_EVIDENCE": 1, "NO_EVIDENCE": 1, "ACCEPT": 3}


Change = Callable[[Any], None]


def forged(
    run: GoodRun, name: str, change: Change, caught_by: str, family: str = "results forged"
) -> Mutation:
    """Change the results, and redo every digest."""

    def changed() -> dict[str, bytes]:
        results = run.results()
        change(results)
        return {RESULTS: document(results)}

    return resealed(family, name, run, caught_by, changed)


def setting(value: Any, *path: str | int) -> Change:
    """Put a value where a path leads."""

    def change(results: Any) -> None:
        for step in path[:-1]:
            results = results[step]
        results[path[-1]] = copy.deepcopy(value)

    return change


def cases(lab: Lab) -> Iterator[Mutation]:
    """Change each member of each case to each other value that it may have."""
    for run in (lab.runs[each] for each in RUNS):
        good = run.results()
        for index, case in enumerate(good["cases"]):
            for member, value, check in other_members(case, good["suite"]["contract"]):
                name = f"{case['id']}.{member} {json.dumps(value)}"
                yield forged(run, name, setting(value, "cases", index, member), check)


def other_members(case: Mapping[str, Any], contract: str) -> Iterator[tuple[str, Any, str]]:
    """Yield a member, another value of it, and the check that must notice."""
    for status in STATUSES[contract]:
        if status != case["status"]:
            yield "status", status, "A7.1"
        if status != case["expected"]:
            yield "expected", status, "A6.3"
    for layer in LAYERS:
        yield layer, not case[layer], "A7.2"
    for outcome in OUTCOMES[contract]:
        if outcome != case["outcome"]:
            yield "outcome", outcome, "A7.3"
    for claim in (None, *range(8)):
        if claim != case["claim"]:
            yield "claim", claim, "A7.4"
    for accepted in other_mappings(case["accepted"]):
        yield "accepted", accepted, "A7.5"
    for prediction in other_predictions(case["prediction"]):
        yield "prediction", prediction, "A6.4"


def other_mappings(accepted: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if accepted:
        yield {}
    for field, value in accepted.items():
        for other in (
            "",
            "x",
            f"{value} ",
            f" {value}",
            str(value).upper(),
            None,
            f"{value}\u200b",
            f"{value}\n",
            "0",
            "5000.0",
        ):
            if other != value:
                yield {**accepted, field: other}
        yield {each: said for each, said in accepted.items() if each != field} or {"other": value}
    yield dict(sorted({**accepted, "zzz": "1"}.items()))
    yield dict(sorted({**accepted, "a": None}.items()))


def other_predictions(prediction: Mapping[str, str] | None) -> Iterator[Any]:
    if prediction:
        yield None
    for layer in LAYERS:
        for said in ("pass", "reject", "INVALID_JSON"):
            made = {**(prediction or {}), layer: said}
            made = {each: made[each] for each in LAYERS if each in made}
            if made != prediction:
                yield made


def whole_cases(lab: Lab) -> Iterator[Mutation]:
    """Change a status with its layers, outcome, claim, mapping and the totals, all as they would be."""
    for run in (lab.runs[each] for each in RUNS):
        good = run.results()
        contract = good["suite"]["contract"]
        for index, case in enumerate(good["cases"]):
            for status in STATUSES[contract]:
                if status == case["status"]:
                    continue
                name, check = f"{case['id']} as if {status}", "A7.1"
                yield forged(
                    run, name, making(index, status, case["expected"]), check, "verdict forged whole"
                )
                check = "A7.1" if status == case["expected"] else "A6.3 A7.1"
                name += ", and labelled so"
                yield forged(run, name, making(index, status, status), check, "verdict forged whole")


def making(index: int, status: str, label: str) -> Change:
    def change(results: Any) -> None:
        results["cases"][index] = {**as_if(results["cases"][index], status), "expected": label}
        results["totals"] = counted(results)

    return change


def as_if(case: Mapping[str, Any], status: str) -> dict[str, Any]:
    """Return the entry that a case of this status would have."""
    passing = PASSES.get(status, 2)
    outcome = "grounded" if passing == 3 else "malformed" if passing == 0 else "ungrounded"
    return {
        **copy.deepcopy(dict(case)),
        "status": status,
        **{layer: passing > number for number, layer in enumerate(LAYERS)},
        "outcome": outcome,
        "claim": None if passing in (0, 3) else 0,
        "accepted": {"field": "value"} if passing == 3 else {},
    }


def counted(results: Any) -> dict[str, Any]:
    """Count the totals of forged cases, by R4; predictions stay as they were."""
    entries = results["cases"]
    return {
        "cases": len(entries),
        **{layer: sum(each[layer] for each in entries) for layer in LAYERS},
        "labels_matched": sum(each["status"] == each["expected"] for each in entries),
        "baseline_false_accepts": sum(
            each["citation_exists"] and each["expected"] != "ACCEPT" for each in entries
        ),
        "outcomes": {
            outcome: sum(each["outcome"] == outcome for each in entries)
            for outcome in results["totals"]["outcomes"]
        },
        "predictions": results["totals"]["predictions"],
    }


def totals(lab: Lab) -> Iterator[Mutation]:
    """Change each total by one and more, and move a case from one outcome to another."""
    for run in (lab.runs[each] for each in RUNS):
        good = run.results()["totals"]
        for name, value in good.items():
            if isinstance(value, int):
                for other in {value + 1, value - 1, 0, 1, good["cases"], value * 2} - {value, -1}:
                    if other > 0 or (other == 0 and name != "cases"):
                        yield total_forged(run, (name,), other)
        for one, two in itertools.permutations(good["outcomes"], 2):
            if good["outcomes"][one]:
                moved = {**good["outcomes"], one: good["outcomes"][one] - 1, two: good["outcomes"][two] + 1}
                yield total_forged(run, ("outcomes",), moved)
        for layer, hits in (good["predictions"] or {}).items():
            for each in ("made", "hit"):
                for other in {hits[each] + 1, hits[each] - 1, 0} - {hits[each], -1}:
                    yield total_forged(run, ("predictions", layer, each), other)
        none = {layer: {"made": 0, "hit": 0} for layer in LAYERS}
        yield total_forged(run, ("predictions",), None if good["predictions"] else none)


def total_forged(run: GoodRun, path: tuple[str, ...], value: Any) -> Mutation:
    name = f"{'.'.join(path)} {json.dumps(value)}"
    return forged(run, name, setting(value, "totals", *path), "A8.1", "total forged")


def case_lists(lab: Lab) -> Iterator[Mutation]:
    """Leave a case out, add one, rename one, double one; with the totals counted anew and not."""
    for run in (lab.runs[each] for each in RUNS):
        good = run.results()
        entries = good["cases"]
        lists: dict[str, list[Any]] = {}
        for index, case in enumerate(entries):
            lists[f"without {case['id']}"] = entries[:index] + entries[index + 1 :]
            lists[f"{case['id']} twice"] = [*entries, case]
            lists[f"{case['id']} renamed"] = [
                *entries[:index],
                {**case, "id": case["id"] + "-x"},
                *entries[index + 1 :],
            ]
            lists[f"more than {case['id']}"] = [
                *entries[: index + 1],
                {**case, "id": "new"},
                *entries[index + 1 :],
            ]
            other = entries[(index + 1) % len(entries)]
            lists[f"{case['id']} instead of {other['id']}"] = [
                case if each is other else each for each in entries
            ]
        lists["only the first"] = entries[:1]
        lists["only what passed"] = [case for case in entries if case["full_contract"]]
        lists["a case of another suite"] = [*entries, {**entries[0], "id": "elsewhere"}]
        for said, changed in lists.items():
            yield forged(run, said, setting(changed, "cases"), "A6.2", "cases forged")
            yield forged(run, f"{said}, counted", listing(changed), "A6.2", "cases forged")


def listing(entries: Any) -> Change:
    def change(results: Any) -> None:
        results["cases"] = copy.deepcopy(entries)
        results["totals"] = counted(results)

    return change


def manifests(lab: Lab) -> Iterator[Mutation]:
    """Change what the manifest says of the suite."""
    for run in (lab.runs[each] for each in RUNS):
        good = run.manifest()
        suite = good["suite"]
        others: dict[str, Iterator[Any]] = {
            "name": iter(("other", suite["name"] + "-v2", "config-claims-x", suite["name"][:-1])),
            "contract": iter({"config-claims", "order-status"} - {suite["contract"]}),
            "cases": iter({suite["cases"] + 1, max(suite["cases"] - 1, 1), 1, 999_999} - {suite["cases"]}),
            "frozen": iter((not suite["frozen"],)),
        }
        for member, values in others.items():
            for value in values:
                manifest = run.manifest()
                manifest["suite"][member] = value
                check = "A4.1" if member == "frozen" else "A3.6"
                yield resealed(
                    "manifest forged", f"suite.{member} {value!r}", run, check, {MANIFEST: document(manifest)}
                )
        for value in (
            "0000-00-00T00:00:00Z",
            "2026-02-30T12:00:00Z",
            "2026-11-30T24:00:00Z",
            "2026-11-30T12:00:61Z",
        ):
            manifest = {**run.manifest(), "created": value}
            yield resealed("manifest forged", f"created {value}", run, "A2.2", {MANIFEST: document(manifest)})
        for member in ("name", "contract"):
            manifest, results = run.manifest(), run.results()
            value = (
                "other"
                if member == "name"
                else ({"config-claims", "order-status"} - {suite["contract"]}).pop()
            )
            manifest["suite"][member] = results["suite"][member] = value
            check = "A3.6 A4.1" if member == "name" and suite["frozen"] else "A3.6"
            changed = {MANIFEST: document(manifest), RESULTS: document(results)}
            yield resealed("manifest forged", f"suite.{member} in both", run, check, changed)


def sources(lab: Lab) -> Iterator[Mutation]:
    """Omit each source, change its digest, rename it, and add one; the commit that is recorded is at hand."""
    for run in (lab.runs[each] for each in ("tiny", "config-claims")):
        good = run.manifest()["sources"]
        for path, digest in good.items():
            inner = path.startswith("src/")
            rest = {each: said for each, said in good.items() if each != path}
            only = "A5.2" if inner else "A5.1 A5.2"
            yield with_sources(run, f"without {path}", rest, only)
            yield with_sources(run, f"{path} of another digest", {**good, path: sha256(b"x")}, "A5.2")
            for new in (path + ".bak", "src/" + path, path.upper(), path.replace(".", "_")):
                yield with_sources(run, f"{path} renamed {new}", {**rest, new: digest}, "A5.1|A5.2")
            other = next(each for each, said in good.items() if said != digest)
            yield with_sources(run, f"{path} swapped", {**good, path: good[other], other: digest}, "A5.2")
        for new in (
            "src/grounded_claims/more.py", "src/other.py", "README.md", "src/grounded_claims/py.typed", "tests/test_audit.py",
            "src/grounded_claims_evil/gate.py", "src/grounded_claims.py", "run.pyc", "src/grounded_claims/gate.pyc",
        ):  # fmt: skip
            check = "A5.2" if new == "src/grounded_claims/more.py" else "A5.1 A5.2"
            yield with_sources(run, f"with {new}", {**good, new: sha256(b"")}, check)
        tops = {path: digest for path, digest in good.items() if not path.startswith("src/")}
        yield with_sources(run, "none of src", tops, "A5.1 A5.2")
        yield with_sources(run, "only run.py", {"run.py": good["run.py"]}, "A5.1 A5.2")


def with_sources(run: GoodRun, name: str, made: Mapping[str, str], caught_by: str) -> Mutation:
    manifest = run.manifest()
    manifest["sources"] = dict(sorted(made.items()))
    return resealed("sources forged", name, run, caught_by, {MANIFEST: document(manifest)})


#: What nothing in a directory contradicts: path of the manifest, and other values.
REWRITTEN: dict[tuple[str, ...], tuple[Any, ...]] = {
    ("created",): ("2001-01-01T00:00:00Z", "2026-11-30T12:00:01Z", "9999-12-31T23:59:59Z"),
    ("program", "version"): ("0", "999", "1.0 "),
    ("environment", "python"): ("2.7.18", "3.99.0"),
    ("environment", "implementation"): ("PyPy", "x"),
    ("environment", "platform"): ("Windows 95", "x" * 200),
    ("environment", "packages"): ({"PyYAML": "6.0.2"}, {"numpy": "1"}, {"PyYAML": "5.1"}),
    ("git",): (
        {"unavailable": "not a git checkout"}, {"commit": "0" * 40, "dirty": False}, {"commit": "f" * 64, "dirty": True},
    ),
    ("git", "dirty"): (True,),
}  # fmt: skip


def unnoticed(lab: Lab) -> Iterator[Mutation]:
    """Rewrite what nothing in a directory contradicts, with every digest redone: --expect alone notices."""
    for run in (lab.runs[each] for each in RUNS):
        for path, values in REWRITTEN.items():
            for number, value in enumerate(values):
                manifest = run.manifest()
                holder = manifest
                for step in path[:-1]:
                    holder = holder[step]
                holder[path[-1]] = value
                name = f"{'.'.join(path)} #{number}"
                yield resealed("rewritten", name, run, "", {MANIFEST: document(manifest)}, "expect")


def mixed(lab: Lab) -> Iterator[Mutation]:
    """Put parts of one run into another: manifest, results, inputs, any of them; summed, and sealed."""
    parts = {"manifest": (MANIFEST,), "results": (RESULTS,), "inputs": INPUT_PATHS}
    for one, two in itertools.permutations((lab.runs[each] for each in RUNS), 2):
        for count in (1, 2):
            for taken in itertools.combinations(parts, count):
                changed = {path: two.files[path] for part in taken for path in parts[part]}
                files = {**one.files, **changed}
                name = f"{' and '.join(taken)} of {two.name}"
                yield mixing(one, name, {**files, "SHA256SUMS": sums_of(files)}, bound(taken))
                if taken in (("results",), ("inputs",)):
                    same = one.results()["suite"]["contract"] == two.results()["suite"]["contract"]
                    yield mixing(
                        one,
                        f"{name}, sealed",
                        sealed(one, changed),
                        "A3.5" if taken == ("results",) else "A3.6|A6.1",
                    )
                    if taken == ("results",):
                        again = two.results()
                        again["suite"] = one.results()["suite"]
                        check = "A6.2" if same else "A6.2 A8.1"
                        yield mixing(one, f"{name}, named so", sealed(one, {RESULTS: document(again)}), check)
        for path in INPUT_PATHS:
            check = "A6.1|A3.6|A6.2|A7.1"
            if one.results()["suite"]["name"] in ("tiny", "config-claims", "order-status"):
                check = "A4.1"
            if one.files[path] != two.files[path]:
                name = f"{path} of {two.name}, sealed"
                yield mixing(one, name, sealed(one, {path: two.files[path]}), check)


def mixing(run: GoodRun, name: str, files: Files, caught_by: str) -> Mutation:
    changed = {path: data for path, data in files.items() if data != run.files[path]}
    return Mutation(
        family="two runs mixed", name=name, run=run, caught_by=caught_by, files=changed, sums_agree=True
    )


def bound(taken: tuple[str, ...]) -> str:
    """Return the checks that must notice foreign parts where the sums alone were redone."""
    foreign = set(taken)
    checks = ["A3.3"] if ("manifest" in foreign) != ("inputs" in foreign) else []
    checks += ["A3.4"] if ("manifest" in foreign) != ("results" in foreign) else []
    return " ".join([*checks, "A3.5"])
