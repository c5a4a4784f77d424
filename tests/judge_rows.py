"""Rows for the command judge: right ones, and every way of being wrong, seeded.

    python tests/judge_rows.py [MILLIONS [SEED]]    hold the fast path to the reference, over millions of rows

A row is made from a generated candidate (candidates.py), written in one of many ways, and then perhaps edited
as bytes. Some edits are attacks on the counting of quotation marks, which the fast path rests on: a doubled
member, with as many marks taken away elsewhere by writing them as numbers.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
for place in (ROOT / "src", ROOT / "tests"):
    if str(place) not in sys.path:
        sys.path.insert(0, str(place))

from candidates import REGISTRIES, REQUESTS, generate  # noqa: E402

from grounded_claims.contracts import CONTRACTS  # noqa: E402
from grounded_claims.judging.judges import make_judge  # noqa: E402
from grounded_claims.shapes import Checker  # noqa: E402
from grounded_claims.suite import Suite  # noqa: E402

CHUNK: Final = 250


def suite_of(contract_name: str) -> Suite:
    """Build the suite that the generated candidates are for."""
    contract, checker = CONTRACTS[contract_name], Checker()
    registry = contract.read_registry(REGISTRIES[contract_name], checker)
    requests = {
        name: contract.read_request(members, registry, checker, ())
        for name, members in REQUESTS[contract_name].items()
    }
    assert checker.faults == []
    return Suite(
        name="generated",
        title="Generated",
        contract=contract,
        groups={},
        registry=registry,
        requests=requests,
        cases=(),
        pinned_totals=None,
        files={},
        digest="0" * 64,
        frozen=False,
        folder="",
    )


def generate_rows(contract: str, *, seed: int) -> Iterator[bytes]:
    """Yield lines without their LF, without end, the same for the same seed."""
    dice = random.Random(f"rows {contract} {seed}")
    for name, candidate in generate(contract, seed=seed):
        if len(candidate) > 4000 and dice.random() < 0.9:
            continue
        for _ in range(4):  # a candidate is dearer to make than to judge
            line = _row(dice, contract, name, candidate)
            for _ in range(dice.choice((0, 0, 0, 0, 0, 0, 1, 1, 1, 2))):
                line = dice.choice(EDITS)(dice, line)
            yield line.replace(b"\n", b" ")


def _row(dice: random.Random, contract: str, name: str, candidate: str) -> bytes:
    row: dict[str, Any] = {"candidate": candidate, "request": _request(dice, contract, name)}
    if dice.random() < 0.9:
        row["id"] = dice.choice(IDS) if dice.random() < 0.3 else f"row-{dice.randrange(10**6)}"
    if dice.random() < 0.12:
        row[dice.choice(OTHER_NAMES)] = dice.choice(OTHERS)
    if dice.random() < 0.02:
        row[dice.choice(("candidate", "request", "id"))] = dice.choice(OTHERS)
    if dice.random() < 0.02:
        del row[dice.choice(list(row))]
    members = list(row.items())
    dice.shuffle(members)
    return _written(dice, dict(members))


IDS: Final = (
    *("", "é", "\U0001f600", 'a "quoted" id', "back\\slash", "tab\t", "\x7f", "\u2028", "u0022", "a" * 300),
    *(0, 1, -1, 17, 2**63, -(2**64), 10**40, None, True, 1.5, 1e300, [], {}, ["x"], {"id": 1}),
)
OTHER_NAMES: Final = ("note", "", "Id", "candidate ", "é", "u0022", "requests")
OTHERS: Final = (
    *(None, True, 0, -0.5, 1e300, 10**30, "", "text", 'a "quoted" text', "\\u0022", "\U0001f600", [], {}),
    *([[[]]], {"a": {"b": [1, 2, {"c": None}]}}, {"candidate": "{}"}, [{"x": i} for i in range(40)]),
    *(json.loads("[" * depth + "]" * depth) for depth in (62, 63, 64, 65)),
    {"status": "answered", "order_id": "A", "answer": None, "evidence": []},
)


def _request(dice: random.Random, contract: str, name: str) -> Any:
    if dice.random() < 0.7:
        return name if dice.random() < 0.99 else dice.choice(("nobody", "", "é", name + " "))
    members = dict(REQUESTS[contract][name])
    what = dice.randrange(30)
    if what == 0:
        del members[dice.choice(list(members))]
    elif what == 1:
        members[dice.choice(list(members))] = dice.choice(OTHERS)
    elif what == 2:
        members[dice.choice(OTHER_NAMES)] = dice.choice(OTHERS)
    elif what in (3, 4):
        supplied = list(members["supplied"])
        dice.shuffle(supplied)
        members["supplied"] = supplied[: dice.randrange(len(supplied) + 1)] + supplied[:1] * dice.choice(
            (0, 0, 1)
        )
    elif what == 5 and "fields" in members:
        members["fields"] = [*members["fields"], dice.choice(("timeout", "extra", "", "other"))]
    names = list(members)
    dice.shuffle(names)
    return {name: members[name] for name in names}


def _written(dice: random.Random, row: dict[str, Any]) -> bytes:
    ascii_only = dice.random() < 0.5
    text = json.dumps(
        row, ensure_ascii=ascii_only, separators=dice.choice(((",", ":"), (", ", ": "), ("\t,", " :")))
    )
    if dice.random() < 0.1:
        text = dice.choice((" ", "\t", "\r", "")) + text + dice.choice((" ", "\r", "\t "))
    return text.encode("utf-8", "surrogatepass")


def _splice(dice: random.Random, line: bytes) -> bytes:
    at = dice.randrange(len(line) + 1)
    return line[:at] + dice.choice(PIECES) + line[at + dice.choice((0, 0, 1, 2)) :]


PIECES: Final = (
    *(
        b"",
        b'"',
        b"\\",
        b'\\"',
        b"\\u0022",
        b"\\u005c",
        b"\\u00e9",
        b"\\ud83d",
        b"\\ude00",
        b"\\u0000",
        b"\\/",
        b"\\q",
    ),
    *(
        b"\x00",
        b"\x01",
        b"\x1f",
        b"\x7f",
        b"\xff",
        b"\xc3",
        b"\xc3\xa9",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
    ),
    *(
        b"\xef\xbb\xbf",
        b"\xc2\xa0",
        b"\r",
        b"\t",
        b"\x0c",
        b",",
        b":",
        b"{",
        b"}",
        b"[",
        b"]",
        b"1",
        b"-",
        b"0",
        b"e",
    ),
    *(b"null", b"NaN", b"1e999", b"//", b"x", b"'", b'""', b'"":"",', b'"id":1,', b'"candidate":"",', b",,"),
)


def _swap(dice: random.Random, line: bytes) -> bytes:
    at = dice.randrange(len(line) or 1)
    return line[:at] + bytes([dice.randrange(256)]) + line[at + 1 :]


def _cut(dice: random.Random, line: bytes) -> bytes:
    return line[: dice.randrange(len(line) + 1)]


def _number_marks(dice: random.Random, line: bytes) -> bytes:
    """Write some quotation marks of strings by their number."""
    return re.sub(rb'\\"', lambda found: b"\\u0022" if dice.random() < 0.3 else found[0], line)


def _number_letters(dice: random.Random, line: bytes) -> bytes:
    """Write some letters by their number, in names too."""
    return re.sub(
        rb"(?<![\\u])[acdfq](?=[a-z])",
        lambda found: b"\\u%04x" % ord(found[0]) if dice.random() < 0.1 else found[0],
        line,
    )


def _double(dice: random.Random, line: bytes) -> bytes:
    """Double a member of the row, first or last."""
    name = dice.choice((b"candidate", b"request", b"id", b"note", b"\\u0069d"))
    value = dice.choice((b'"x"', b"1", b"null", b'"both"', b'"settled"', b"{}"))
    if dice.random() < 0.5:
        return line.replace(b"{", b'{"%b":%b,' % (name, value), 1)
    return (b',"' + name + b'":' + value + b"}").join(line.rsplit(b"}", 1))


def _double_within(dice: random.Random, line: bytes) -> bytes:
    """Double a member of the candidate, and perhaps write as many marks elsewhere by number."""
    name = dice.choice((b"field", b"value", b"doc", b"quote", b"claims", b"status", b"answer", b"order_id"))
    found = re.search(rb'\\"%b\\":( ?)\\"' % name, line)
    if found is None:
        return line
    doubled = line[: found.start()] + b'\\"%b\\":\\"x\\",' % name + line[found.start() :]
    if dice.random() < 0.5:
        hidden = b"\\\\u0022" * dice.choice((2, 4, 4))
        doubled = doubled.replace(b"=", b"=" + hidden, 1)
    return doubled


def _escape_within(dice: random.Random, line: bytes) -> bytes:
    """Put an escape into a string of the candidate."""
    found = re.compile(rb"[a-z0-9]").search(line, dice.randrange(len(line) + 1))
    if found is None:
        return line
    return line[: found.start()] + dice.choice(ESCAPES) + line[found.start() :]


ESCAPES: Final = (b'\\\\\\"', b"\\\\\\\\", b"\\\\n", b"\\\\u0041", b"\\\\ud83d\\\\ude00", b"\\\\u0022")


EDITS: Final[tuple[Callable[[random.Random, bytes], bytes], ...]] = (
    *(_splice, _splice, _swap, _cut, _number_marks, _number_letters, _double, _double_within, _escape_within),
    _escape_within,
)


def compare(contract: str, *, seed: int, rows: int) -> dict[str, int]:
    """Judge rows both ways, and return how many were proved, handed over, in error and accepted.

    A difference is raised with the row that shows it.
    """
    suite = suite_of(contract)
    fast, reference = make_judge(suite), make_judge(suite, reference=True)
    source = generate_rows(contract, seed=seed)
    counted = {"rows": 0, "errors": 0, "accepted": 0}
    while counted["rows"] < rows:
        lines = list(islice(source, CHUNK))
        data = b"".join(line + b"\n" for line in lines)
        found, tally = fast.judge_chunk(data, 1)
        wanted, reference_tally = reference.judge_chunk(data, 1)
        if found != wanted or tally.plain() != reference_tally.plain():
            differing = [
                pair
                for pair in zip(lines, found.split(b"\n"), wanted.split(b"\n"), strict=False)
                if pair[1] != pair[2]
            ]
            raise AssertionError(f"{len(differing)} rows differ, the first: {differing[:1]}")
        counted["rows"] += len(lines)
        counted["errors"] += tally.errors
        counted["accepted"] += sum(count for (status, _), count in tally.kinds.items() if status == "ACCEPT")
    return {**counted, "handed_over": getattr(fast, "handed_over", counted["rows"])}


def main(arguments: list[str]) -> int:
    """Compare millions of rows of each contract."""
    millions = float(arguments[0]) if arguments else 1.0
    seed = int(arguments[1]) if len(arguments) > 1 else random.SystemRandom().randrange(10**9)
    for contract in REGISTRIES:
        counted = compare(contract, seed=seed, rows=round(millions * 10**6))
        print(f"{contract}, seed {seed}: no difference; {counted}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
