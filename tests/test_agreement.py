"""The two implementations of the contract agree on whole verdicts, over generated candidates.

    python tests/test_agreement.py --candidates 1000000 --seed 7

judges more of them than the tests do, and prints how many came to each status. What it ever finds is written
down as a row of the table that fits: of test_strict_json.py, test_config_claims.py or test_order_status.py.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]  # for the command; pytest has them already

from candidates import REGISTRIES, REQUESTS, generate  # noqa: E402
from test_strict_json import BAD  # noqa: E402

import audit  # noqa: E402
from grounded_claims.contracts import CONTRACTS  # noqa: E402
from grounded_claims.contracts.base import LAYERS, Verdict  # noqa: E402
from grounded_claims.shapes import Checker  # noqa: E402
from grounded_claims.strict_json import parse  # noqa: E402
from grounded_claims.strict_yaml import load  # noqa: E402

IN_TESTS = 30_000

MALFORMED = {
    "status": "INVALID_JSON",
    "strict_json": False,
    "citation_exists": False,
    "full_contract": False,
    "outcome": "malformed",
    "claim": None,
    "accepted": {},
}


def plain(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as the entry of results.json has it."""
    return {
        "status": verdict.status,
        **{layer: verdict.passes(layer) for layer in LAYERS},
        "outcome": verdict.outcome,
        "claim": verdict.claim,
        "accepted": dict(verdict.accepted),
    }


class Both:
    """Judges by both implementations, and keeps count."""

    def __init__(self, contract: str) -> None:
        self.contract = contract
        self.statuses: Counter[str] = Counter()
        checker = Checker()
        self.rules = CONTRACTS[contract]
        registry = self.rules.read_registry(REGISTRIES[contract], checker)
        self.requests = {
            name: self.rules.read_request(members, registry, checker, (name,))
            for name, members in REQUESTS[contract].items()
        }
        assert checker.faults == []

    def judge(self, request: str, candidate: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the two verdicts on one candidate."""
        ours = plain(self.rules.judge(candidate, self.requests[request]))
        theirs = audit.judge(
            self.contract, REGISTRIES[self.contract], REQUESTS[self.contract][request], candidate
        )
        self.statuses[ours["status"]] += 1
        return ours, theirs

    def disagreements(self, *, seed: int, candidates: int) -> Iterator[tuple[str, str, object, object]]:
        """Yield each candidate on which the two differ, with its request and both verdicts."""
        for request, candidate in islice(generate(self.contract, seed=seed), candidates):
            ours, theirs = self.judge(request, candidate)
            if (ours, list(ours["accepted"])) != (theirs, list(theirs["accepted"])):
                yield request, candidate, ours, theirs


@pytest.mark.parametrize("contract", CONTRACTS)
def test_both_implementations_agree_on_every_generated_candidate(contract: str) -> None:
    both = Both(contract)
    assert list(both.disagreements(seed=1, candidates=IN_TESTS)) == []
    # Agreement on a status that is never met would show nothing.
    met = {status: both.statuses[status] >= 20 for status in CONTRACTS[contract].statuses}
    assert met == dict.fromkeys(met, True)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_generator_gives_the_same_candidates_for_the_same_seed(contract: str) -> None:
    first, again, other = (list(islice(generate(contract, seed=seed), 200)) for seed in (3, 3, 4))
    assert first == again != other


@pytest.mark.parametrize("contract", CONTRACTS)
def test_both_refuse_every_text_that_is_not_strict_json(contract: str) -> None:
    """Each text of J alone, and in the place where the shape has a value."""
    both = Both(contract)
    request = next(iter(REQUESTS[contract]))
    member = '{"claims":%s}' if contract == "config-claims" else '{"answer":%s}'
    texts = [text for text, *_ in BAD.values()]
    judged = [
        both.judge(request, written) for text in texts for written in (text, member.replace("%s", text))
    ]
    assert judged == [(MALFORMED, MALFORMED)] * len(judged)


#: F1.5: what a comment follows -> a text where it does, and whether that is an error.
COMMENTS: dict[str, tuple[str, bool]] = {
    "a plain text": ("a: b # c\n", True),
    "a plain text, at the end of the file": ("a: b #", True),
    "a number": ("a: 5 # c\n", True),
    "a word": ("a: true   # c\n", True),
    "a list item": ("a:\n  - b # c\n  - d\n", True),
    "the value of a list item": ("a:\n  - b: c # d\n", True),
    "a plain text within brackets, before a comma": ("a: [b # c\n  , d]\n", True),
    "a plain text within brackets, before a bracket": ("a: [b # c\n  ]\n", True),
    "a plain text within braces, before a comma": ("a: {b: c # d\n  , e: f}\n", True),
    "a plain text within braces, before a brace": ("a: {b: c # d\n  }\n", True),
    "a plain text within brackets, that goes on": ("a: [b # c\n  d]\n", True),
    "a plain text that goes on": ("a: b # c\n  d\n", True),
    "a plain text that holds a #": ("a: b#c # d\n", True),
    "a key without its colon": ("a: {b # c\n  : d}\n", True),
    "a ? key": ("? a # b\n: c\n", True),
    "a key without a value": ("a: # b\nc: d\n", True),
    "a hyphen without an item": ("a:\n  - # b\n  - c\n", True),
    "a >": ("a: > # b\n  c\n", True),
    "a tab behind a plain text": ("a: b\t# c\n", True),
    "a tab behind a quoted text": ("a: 'b'\t# c\n", True),
    "nothing": ("# a\nb: c\n  # d\ne: f\n", False),
    "a key's colon": ("a: # b\n  c: d\n", False),
    "a quoted key's colon": ("'a': # b\n  c: d\n", False),
    "a key's colon, before its plain text": ("a: # b\n  c\n", False),
    "a colon within braces": ("a: {b: # c\n  d}\n", False),
    "a hyphen": ("a:\n  - # b\n    c\n", False),
    "a hyphen before a list": ("a:\n  - # b\n    - c\n", False),
    "a text in single quotation marks": ("a: 'b' # c\n", False),
    "a text in double quotation marks": ('a:\n  - "b" # c\n', False),
    "a quoted text within brackets": ("a: ['b' # c\n  , d]\n", False),
    "a |": ("a: | # b\n  c\n", False),
    "a |-": ("a: |- # b\n  c\n", False),
    "a closing bracket": ("a: [b, c] # d\n", False),
    "a closing brace": ("a: {b: c} # d\n", False),
    "a closing bracket within brackets": ("a: [[b] # c\n  , d]\n", False),
    "an opening bracket": ("a: [ # b\n  c]\n", False),
    "an opening brace": ("a: { # b\n  c: d}\n", False),
    "a comma within brackets": ("a: [b, # c\n  d]\n", False),
    "a comma within braces": ("a: {b: c, # d\n  e: f}\n", False),
    "no blank, so it is none": ("a: b#c\n", False),
    "the line of a block, so it is none": ("a: |\n  b # c\n", False),
    "a quotation mark, so it is none": ("a: 'b # c'\n", False),
}


@pytest.mark.parametrize("what", COMMENTS)
def test_f1_5_both_readers_take_and_refuse_the_same_comments(what: str) -> None:
    text, refused = COMMENTS[what]
    ours, theirs = load(text.encode()), audit.YamlReading("f", text.encode())
    assert (bool(ours.faults), bool(theirs.faults)) == (refused, refused)
    assert refused or ours.value == theirs.value == yaml.safe_load(text)


READ_ALL = """
import sys
sys.modules["_json"] = None
for name in ("json", "json.decoder", "json.scanner", "json.encoder"):
    sys.modules.pop(name, None)
from json import scanner
assert scanner.c_make_scanner is None
from test_agreement import readings
print(readings(sys.argv[1]))
"""


def readings(contract: str) -> str:
    """Return a digest of what the strict reader makes of some candidates, to the reason and its offset."""
    digest = hashlib.sha256()
    for _, candidate in islice(generate(contract, seed=2), 4000):
        digest.update(repr(parse(candidate)).encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


@pytest.mark.parametrize("contract", CONTRACTS)
def test_v2_generated_candidates_are_read_alike_without_the_accelerator(contract: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL, contract],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", readings(contract) + "\n")


def main() -> int:
    """Judge as many candidates as asked for, and print what differs."""
    parser = argparse.ArgumentParser(description="Compare the two implementations of the contract.")
    parser.add_argument("--candidates", type=int, default=1_000_000, help="in all (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the generator (default: %(default)s)")
    options = parser.parse_args()
    differing = 0
    for contract in CONTRACTS:
        both = Both(contract)
        for found in both.disagreements(seed=options.seed, candidates=options.candidates // len(CONTRACTS)):
            differing += 1
            print(f"{contract}: {found!a}")
        for status in CONTRACTS[contract].statuses:
            print(f"{contract}  {status:22} {both.statuses[status]:>9}")
    print(f"{differing} disagreements")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
