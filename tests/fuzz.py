"""A seeded fuzzer of what is read: YAML, suites, and run directories. No exception, and no disagreement.

    python tests/fuzz.py --yaml 100000 --suites 20000 --archives 5000 --seed 7

tries more than test_fuzz.py does, and prints what it finds. Candidates are those of test_agreement.py, which
has a command of its own. Whatever is found here stays as a case of the tests.

    yaml      short texts, to the loader's YAML reader and to the auditor's: both take it, and read the same,
              or neither does
    suites    the three files of a small suite, edited: the same question to the two readers of suites
    archives  a run directory, edited, with its digests redone or not, to the auditor: exit code 1; where what
              is edited is bound to nothing (the time, the environment; a note in the inputs, which makes them
              an exercise), 1 once the run digest that was published is given
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]  # for the command; pytest has them already

import small_suite  # noqa: E402
from audit_fixtures import CONFIG, ORDER, Run, document, run_of, sha256, sums_of, write  # noqa: E402

import audit  # noqa: E402
from grounded_claims.errors import SuiteError  # noqa: E402
from grounded_claims.strict_yaml import load  # noqa: E402
from grounded_claims.suite import load_suite  # noqa: E402

Files = dict[str, bytes]
Found = tuple[str, object, object]

# Texts

SEEDS: Final = (
    "a: b\n",
    "a:\n  - b\n  - c: d\n    e: 'f'\n",
    "a: {b: c, d: [e, 1, null, true]}\n",
    "a: |\n  b\n  c\nd: >\n  e\n",
    'a: "b\\n\\u0041\\x41\\U0001F600"\n',
    "# c\na: 'b''c' # d\n",
    "a:\n- b\n-  - c\n   - d\n",
    "? a\n: b\n",
    "a: &x b\nc: *x\n",
    "%YAML 1.1\n---\na: !!str b\n...\n",
    "a: b\n  c\nd: 'e\n  f'\n",
    "a: |-\n  b\n\n  c\nd: |+\n  e\n\n",
    "a: 0\nb: -1\nc: 999999999999999999\nd: 1.5\n",
)
PIECES: Final = (
    *"abcd01 \n\t:-?,[]{}&*!|>'\"%@`#\\~=.",
    "\n  ", "\n- ", ": ", " #", "- ", "  ", "---\n", "...\n", "<<: ", "''", '""', "|\n", ">-\n", "!!int ",
    "&a ", "*a", "\\x41", "\\ud800", "\\U00110000", "\\U0001F600", "\\_", "\\\n", "null", "true", "NO",
    "yes", "0x1F", "1e3", "12:30", "1_0", "010", "2026-01-02", ".inf", "\x85", "\u2028", "\ufeff", "\xa0",
    "\r\n", "\x00", "\x7f", "é", "\U0001f600", "[", "{a: b}", "[a, b]", "a: b\n", "  a: b\n", "- a\n",
    "[" * 9, "{a: " * 9, '"', "'", "? ", "-1", "-0", "+1", "9" * 19,
)  # fmt: skip


def edited(dice: random.Random, text: str, pieces: tuple[str, ...] = PIECES) -> str:
    """Insert, delete, replace, repeat or move a little of a text."""
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 5))):
        at = dice.randrange(len(text) + 1)
        what = dice.randrange(6)
        if what < 2:
            text = text[:at] + dice.choice(pieces) + text[at:]
        elif what == 2:
            text = text[:at] + text[at + dice.choice((1, 1, 2, 4)) :]
        elif what == 3:
            text = text[:at] + dice.choice(pieces) + text[at + 1 :]
        else:
            lines = text.split("\n")
            line = dice.randrange(len(lines))
            if what == 4:
                lines.insert(dice.randrange(len(lines) + 1), lines[line])
            else:
                lines[line] = dice.choice((" ", "  ", "")) + lines[line].lstrip(" ")
            text = "\n".join(lines)
    return text


def yaml_disagreements(*, seed: int, count: int, seen: Counter[str]) -> Iterator[Found]:
    """Read short texts by both readers of YAML."""
    dice = random.Random(f"yaml {seed}")
    for _ in range(count):
        data = edited(dice, dice.choice(SEEDS)).encode("utf-8", "surrogatepass")
        yield from differing(data, seen)


def differing(data: bytes, seen: Counter[str]) -> Iterator[Found]:
    """Say how the two readers of YAML differ on a text, if they do."""
    ours, theirs = load(data), audit.YamlReading("suite.yaml", data)
    taken = (ours.complete and not ours.faults, not theirs.faults)
    seen["taken" if all(taken) else "refused"] += 1
    if taken[0] != taken[1]:
        yield repr(data), list(map(str, ours.faults)), list(map(str, theirs.faults))
    elif all(taken) and typed(ours.value) != typed(theirs.value):
        yield repr(data), ours.value, theirs.value


def typed(value: Any) -> Any:
    """Tell 1 from true, and the order of members."""
    if isinstance(value, Mapping):
        return [(typed(name), typed(each)) for name, each in value.items()]
    return [typed(each) for each in value] if isinstance(value, list) else (type(value).__name__, value)


# Suites

WORDS: Final = (
    "ACCEPT", "VALUE_MISMATCH", "INVALID_JSON", "ANSWER_MISMATCH", "pass", "reject", "null", "true", "1",
    "''", "[]", "{}", "right", "wrong", "timeout", "status", "prod-v2", "F1", "config-claims",
    "order-status", "read_timeout_ms", "x", "pair: right", "    pair: right\n",
    "    prediction: {strict_json: pass}\n", "Capital", "a_b", "a-b", "é", "\\n",
    "pinned_totals: {cases: 1, strict_json: 1, citation_exists: 1, full_contract: 0}\n", "id: ", "-", "'",
    '"', "read_timeout_ms=5000", "shipped", "[prod-v2, prod-v2]", "[F1, F1]", "- x\n", "groups:\n", "9",
    "-1", " ",
)  # fmt: skip
SUITES: Final = (small_suite.FILES, small_suite.ORDERS)


def suite_disagreements(*, seed: int, count: int, folder: Path, seen: Counter[str]) -> Iterator[Found]:
    """Read edited suites by both readers of suites."""
    dice = random.Random(f"suites {seed}")
    for _ in range(count):
        files = {name: text.encode() for name, text in dice.choice(SUITES).items()}
        name = dice.choice(("suite.yaml", "registry.yaml", "cases.yaml", "cases.yaml"))
        text = files[name].decode()
        text = swapped(dice, text) if dice.random() < 0.6 else edited(dice, text, (*WORDS, *PIECES))
        files[name] = text.encode("utf-8", "surrogatepass")
        yield from differing_suites(files, folder, seen)


def swapped(dice: random.Random, text: str) -> str:
    """Put a word or the value of a line in the place of another, or take a line out."""
    lines = text.split("\n")
    for _ in range(dice.choice((1, 1, 2))):
        at = dice.randrange(len(lines))
        key, colon, value = lines[at].partition(": ")
        other = dice.choice(lines).partition(": ")[2] or dice.choice(WORDS)
        what = dice.randrange(4)
        if what == 0 and colon:
            lines[at] = key + colon + dice.choice((other, dice.choice(WORDS)))
        elif what == 1:
            lines[at] = lines[at].replace(value or key, dice.choice(WORDS), 1)
        elif what == 2:
            del lines[at]
        else:
            lines.insert(dice.randrange(len(lines) + 1), lines[at])
    return "\n".join(lines)


def differing_suites(files: Files, folder: Path, seen: Counter[str]) -> Iterator[Found]:
    """Say how the two readers of suites differ, if they do."""
    write(files, folder)
    theirs, faults = audit.read_suite(files)
    try:
        ours = load_suite(folder, pins={})
    except SuiteError as error:
        seen["taken" if theirs else "refused"] += 1
        if theirs:
            yield repr(files), str(error), "taken"
        return
    seen["taken" if theirs else "refused"] += 1
    if theirs is None:
        yield repr(files), "taken", list(map(str, faults))
    elif typed(plain(ours)) != typed(stated(theirs)):
        yield repr(files), plain(ours), stated(theirs)


def plain(suite: Any) -> dict[str, Any]:
    """Write what the loader made of a suite as its files have it."""
    cases = []
    for case in suite.cases:
        members = {
            name: getattr(case, name) for name in ("id", "group", "note", "request", "candidate", "expected")
        }
        cases.append(
            {**members, "pair": case.pair, "prediction": dict(case.prediction) if case.prediction else None}
        )
    registry = [
        {
            **{name: getattr(each, name) for name in each.__slots__ if name != "facts"},
            **({"facts": dict(each.facts)} if hasattr(each, "facts") else {}),
        }
        for each in suite.registry.values()
    ]
    totals = None if suite.pinned_totals is None else sorted(suite.pinned_totals.items())
    return {
        "name": suite.name,
        "contract": suite.contract.name,
        "totals": totals,
        "cases": cases,
        "registry": [dict(sorted(each.items())) for each in registry],
    }


def stated(suite: Any) -> dict[str, Any]:
    """Write what the auditor read in the same form."""
    cases = []
    for case in suite.cases:
        members = {name: case[name] for name in ("id", "group", "note", "request", "candidate", "expected")}
        prediction = case.get("prediction")
        layers = [name for name in audit.LAYERS if name in (prediction or {})]
        cases.append(
            {
                **members,
                "pair": case.get("pair"),
                "prediction": {name: prediction[name] for name in layers} or None,
            }
        )
    registry = suite.registry.get("documents") or suite.registry["facts"]
    totals = None if suite.pinned_totals is None else sorted(suite.pinned_totals.items())
    return {
        "name": suite.name,
        "contract": suite.contract,
        "totals": totals,
        "cases": cases,
        "registry": [dict(sorted(each.items())) for each in registry],
    }


# Run directories

ODD: Final = (
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    [],
    {},
    [None],
    {"a": 1},
    "0" * 64,
    "A" * 64,
    "../x",
    "INVALID_JSON",
    "ACCEPT",
    10**30,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value in a document."""
    yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in steps:
        yield from places(each, (*path, step))


def changed(dice: random.Random, value: Any) -> Any:
    """Change one value of a document: replace, remove, double, rename or reorder it."""
    value = copy.deepcopy(value)
    path = dice.choice(list(places(value))[1:])
    holder = value
    for step in path[:-1]:
        holder = holder[step]
    last = path[-1]
    what = dice.randrange(6)
    if what == 0:
        del holder[last]
    elif what == 1 and isinstance(holder, list):
        holder.insert(dice.randrange(len(holder) + 1), copy.deepcopy(holder[last]))
    elif what == 2 and isinstance(holder, dict):
        holder["x"] = holder.pop(last)
    elif what == 3 and isinstance(holder, dict):
        holder[last] = holder.pop(last)  # moved to the end
    elif what == 4 and isinstance(holder[last], int):
        holder[last] = (
            not holder[last] if isinstance(holder[last], bool) else holder[last] + dice.choice((-1, 1))
        )
    else:
        holder[last] = dice.choice(ODD)
    return value


def resealed(run: Run, *, results: Any, manifest: Any, inputs: Files) -> Files:
    """Write a forged run with every digest redone, as far as the documents still have a place for it."""
    files = {f"inputs/{name}": data for name, data in inputs.items()}
    files["results.json"] = document(results)
    if isinstance(manifest, dict):
        for member, names in (("inputs", sorted(files)[:3]), ("outputs", ["results.json"])):
            if isinstance(manifest.get(member), dict) and list(manifest[member]) == names:
                manifest[member] = {name: sha256(files[name]) for name in names}
    files["manifest.json"] = document(manifest)
    return {**files, "SHA256SUMS": sums_of(files)}


def forged(dice: random.Random, run: Run) -> tuple[str, Files]:
    """Edit a run directory; say in which way."""
    good = run.sealed()
    way = dice.choice(("bytes", "value", "sealed results", "sealed manifest", "sealed inputs"))
    if way == "bytes":
        name = dice.choice(sorted(good))
        good[name] = damaged(dice, good[name])
        return way, good
    if way == "value":
        name = dice.choice(("results.json", "manifest.json"))
        good[name] = document(changed(dice, json.loads(good[name])))
        return way, good
    results, manifest = json.loads(good["results.json"]), json.loads(good["manifest.json"])
    inputs = dict(run.inputs)
    if way == "sealed results":
        results = changed(dice, results)
    elif way == "sealed manifest":
        manifest = changed(dice, manifest)
    else:
        name = dice.choice(sorted(inputs))
        inputs[name] = edited(dice, inputs[name].decode()).encode("utf-8", "surrogatepass")
        if dice.random() < 0.7:
            digest = sha256("".join(f"{sha256(inputs[each])}  {each}\n" for each in sorted(inputs)).encode())
            results["suite"]["digest"] = manifest["suite"]["digest"] = digest
    return way, resealed(run, results=results, manifest=manifest, inputs=inputs)


def damaged(dice: random.Random, data: bytes) -> bytes:
    """Change some bytes of a file."""
    at = dice.randrange(len(data))
    return dice.choice(
        (
            data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :],
            data[:at],
            data[:at] + data[at + 1 :],
            data[:at]
            + dice.choice((b"\0", b"\r", b"\n", b" ", b"\xff", b"\xef\xbb\xbf", b'"', b"[" * 5000))
            + data[at:],
            data.replace(b"\n", b"\r\n"),
            data.decode().encode("utf-16"),
            data + data,
        )
    )


def audited(folder: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    printed, complained = io.StringIO(), io.StringIO()
    words = [str(folder), "--format", "json", "--without-sources", *options]
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
        code = audit.main(words, str(ROOT))
    return code, json.loads(printed.getvalue())["directories"][0] if code < 2 else {}, complained.getvalue()


#: What nothing in a run directory is bound to, as docs/contract.md says; only a published run digest is.
UNBOUND: Final = ("created", "environment", "git", "program", "sources")


def archive_faults(*, seed: int, count: int, folder: Path, seen: Counter[str]) -> Iterator[Found]:
    """Audit edited run directories."""
    dice = random.Random(f"archives {seed}")
    runs = [run_of(material, ROOT) for material in (CONFIG, ORDER)]
    for _ in range(count):
        run = dice.choice(runs)
        good = run.sealed()
        way, files = forged(dice, run)
        if files == good:
            continue
        write(files, folder)
        code, report, said = audited(folder)
        strict, _, also_said = audited(folder, "--expect", sha256(good["SHA256SUMS"]))
        seen[f"{way}: exit {code}"] += 1
        allowed = code == 1 or (code == 0 and harmless(way, good, files, report))
        if not allowed or strict != 1 or said or also_said:
            yield (
                way,
                (code, strict, said + also_said),
                {name: files[name] for name in files if files[name] != good[name]},
            )


def harmless(way: str, good: Files, files: Files, report: dict[str, Any]) -> bool:
    """Tell whether a forgery that passes is one that nothing in the directory could betray."""
    if (
        way == "sealed inputs"
    ):  # another suite, with the same verdicts: an exercise, and said to be none published
        return report["published"] is False and files["results.json"] != good["results.json"]
    before, after = json.loads(good["manifest.json"]), json.loads(files["manifest.json"])
    bound = [name for name in before if name not in UNBOUND]
    return way == "sealed manifest" and all(before[name] == after[name] for name in bound)


def main() -> int:
    """Try as many as asked for, and print what is found."""
    parser = argparse.ArgumentParser(description="Feed edited texts, suites and archives to both readers.")
    for name, count in (("yaml", 100_000), ("suites", 20_000), ("archives", 5_000), ("seed", 7)):
        parser.add_argument(f"--{name}", type=int, default=count, help="(default: %(default)s)")
    options = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        parts: dict[str, Callable[[Counter[str]], Iterator[Found]]] = {
            "yaml": lambda seen: yaml_disagreements(seed=options.seed, count=options.yaml, seen=seen),
            "suites": lambda seen: suite_disagreements(
                seed=options.seed, count=options.suites, folder=Path(folder, "suite"), seen=seen
            ),
            "archives": lambda seen: archive_faults(
                seed=options.seed, count=options.archives, folder=Path(folder, "run"), seen=seen
            ),
        }
        for name, part in parts.items():
            seen: Counter[str] = Counter()
            for found in part(seen):
                faults += 1
                print(f"{name}: {found!a}")
            print(
                f"{name}: {', '.join(f'{count} {what}' for what, count in sorted(seen.items()))}", flush=True
            )
    print(f"{faults} found")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
