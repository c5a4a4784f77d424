"""Audit run directories of Grounded Claims, independently of the program that made them.

This file reads docs/contract.md and nothing of src/.  It is written in another style than the runner on
purpose: a tokenizer made of regular expressions where the runner uses the json module, and the set of all
violations, then the first by precedence, where the runner returns early.  Two implementations that agree
are the point; do not make one use the other.

The procedure, by the clauses of docs/contract.md.  Each check is one line of the report; a check that
cannot be made for want of an earlier one says so and counts as failed.

  A1 structure   a real directory of regular files, exactly those of R1, each read once (A1.1 to A1.5)
  A2 documents   manifest.json and results.json: strict JSON, their schemas, their exact bytes (A2.1 to A2.6)
  A3 digests     SHA256SUMS, inputs, outputs, suite digest, one suite, --expect (A3.1 to A3.7)
  A4 frozen      said to be frozen exactly when this checkout pins the digest (A4.1)
  A5 sources     their names, and their bytes: this checkout's, or the recorded commit's (A5.1, A5.2)
  A6 labels      the inputs are a suite; its cases, labels and predictions (A6.1 to A6.4)
  A7 verdicts    recomputed from the raw candidates (A7.1 to A7.5)
  A8 totals      recomputed (A8.1), and equal to the pinned ones of a frozen suite (A8.2)

Nothing is written, no connection is opened, no path named by the directory under audit is opened, and git
is asked about this checkout only.  Two functions are there for others to compare with: read_suite (bytes to
a suite, or its faults) and judge (one candidate to a plain verdict).

Exit codes: 0 everything agrees; 1 a defect inside what is under audit; 2 could not be done (usage, nothing at
the path, sources that nothing at hand can be compared with, standard output closed); 3 a fault of this
program; 130 on Ctrl-C.  Of several directories: 3 before 1 before 2 before 0.

What it cannot show: who made a directory, when, on which machine, or that its registry is true.  Digests tie
a directory to itself and, by --expect, to a run digest published elsewhere.
"""

# ruff: noqa: E402, FA102  (old Pythons read this file just far enough to say that they are too old)
import sys

NEEDS: str = "audit.py needs Python 3.10 or newer"
if sys.hexversion < 0x030A0000:
    sys.stderr.write(NEEDS + "; this is Python " + sys.version.split()[0] + "\n")
    raise SystemExit(2)

import argparse
import bisect
import collections
import contextlib
import errno
import functools
import hashlib
import importlib
import itertools
import json  # for writing only; texts are read by parse_json
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

CHECKOUT = os.path.dirname(os.path.realpath(__file__))
MAX_BYTES = 64 * 1024 * 1024  # of one file
MAX_FILES = 64
MAX_FINDINGS = 20  # shown of one check
MAX_NESTING = 16  # of manifest and results: their schemas nest less
INPUTS = ("cases.yaml", "registry.yaml", "suite.yaml")
SUMS = "SHA256SUMS"
SUMMED = ("inputs/cases.yaml", "inputs/registry.yaml", "inputs/suite.yaml", "manifest.json", "results.json")
FILES = (SUMS, *SUMMED)  # R1
TOP_SOURCES = (
    "audit.py",
    "bootstrap.py",
    "manifest.schema.json",
    "requirements.txt",
    "results.schema.json",
    "run.py",
)
PACKAGE = "src/grounded_claims"
LAYERS = ("strict_json", "citation_exists", "full_contract")
DIGEST = re.compile(r"[0-9a-f]{64}")
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

# Check, name, and the earlier checks for want of which it is not made.
CHECKS: dict[str, tuple[str, tuple[str, ...]]] = {
    "A1.1": ("directory", ()),
    "A1.2": ("names", ("A1.1",)),
    "A1.3": ("kinds", ("A1.1",)),
    "A1.4": ("reading", ("A1.1",)),
    "A1.5": ("listed names", ("A1.1", "A1.2", "A1.3", "A1.4")),
    "A2.1": ("manifest json", ("A1.1", "A1.2", "A1.3", "A1.4")),
    "A2.2": ("manifest schema", ("A2.1",)),
    "A2.3": ("manifest bytes", ("A2.2",)),
    "A2.4": ("results json", ("A1.1", "A1.2", "A1.3", "A1.4")),
    "A2.5": ("results schema", ("A2.4",)),
    "A2.6": ("results bytes", ("A2.5",)),
    "A3.1": ("sums form", ("A1.1", "A1.2", "A1.3", "A1.4")),
    "A3.2": ("digests", ("A3.1",)),
    "A3.3": ("inputs", ("A2.2",)),
    "A3.4": ("outputs", ("A2.2",)),
    "A3.5": ("suite digest", ("A2.2", "A2.5", "A1.2", "A1.3", "A1.4")),
    "A3.6": ("one suite", ("A2.2", "A2.5", "A6.1")),
    "A3.7": ("run digest", ("A1.1", "A1.2", "A1.3", "A1.4")),
    "A4.1": ("frozen", ("A2.2", "A1.2", "A1.3", "A1.4")),
    "A5.1": ("source names", ("A2.2",)),
    "A5.2": ("sources", ("A2.2",)),
    "A6.1": ("suite", ("A1.1", "A1.2", "A1.3", "A1.4")),
    "A6.2": ("cases", ("A2.5", "A6.1")),
    "A6.3": ("labels", ("A2.5", "A6.1")),
    "A6.4": ("predictions", ("A2.5", "A6.1")),
    "A7.1": ("status", ("A2.5", "A6.1")),
    "A7.2": ("layers", ("A2.5", "A6.1")),
    "A7.3": ("outcome", ("A2.5", "A6.1")),
    "A7.4": ("claim", ("A2.5", "A6.1")),
    "A7.5": ("accepted", ("A2.5", "A6.1")),
    "A8.1": ("totals", ("A2.5", "A6.1")),
    "A8.2": ("pinned totals", ("A2.5", "A6.1")),
}
OK, FAILED, COULD_NOT, NOT_APPLICABLE = "ok", "failed", "could not", "not applicable"
MARKS = {OK: "ok", FAILED: "FAIL", COULD_NOT: "cannot", NOT_APPLICABLE: "--"}
EXIT = {OK: 0, FAILED: 1, COULD_NOT: 2}
VERDICTS = {0: "PASS", 1: "FAIL", 2: "could not"}
EXIT_CODES = """\
exit codes:
  0    everything agrees
  1    a defect inside what is under audit
  2    could not be done: usage, nothing at the path, sources that nothing at hand can be compared with,
       standard output closed
  3    a fault of this program
  130  Ctrl-C
Of several directories: 3 before 1 before 2 before 0."""
CANNOT_SHOW = (
    "Cannot show: who made this, when, on which machine, or that the registry is true; a rewritten\n"
    "`created` or `environment` with every digest redone is noticed by --expect alone."
)


class CouldNot(Exception):
    """The audit cannot be done, for a reason outside of what is under audit."""


class OutputClosed(Exception):
    """Standard output takes no more."""


def sha256(data: bytes) -> str:
    """Return the digest of F6.1."""
    return hashlib.sha256(data).hexdigest()


def units(text: str) -> int:
    """Count UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def show(value: object) -> str:
    """Say a plain value in a few words, whatever its size and depth."""
    if isinstance(value, (dict, list)):
        return f"a {'mapping' if isinstance(value, dict) else 'list'} of {len(value)}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (str, bytes)):
        return repr(value if len(value) <= 80 else value[:77]) + ("" if len(value) <= 80 else "...")
    return str(value)[:80]


# Strict JSON, by J2 to J7.


class NotJson(ValueError):
    """The text breaks a clause of J."""


@dataclass(frozen=True)
class Number:
    """A number that is not a plain integer of at most 18 digits, kept as it was written."""

    literal: str

    def __repr__(self) -> str:
        return self.literal


SURROGATE = re.compile(r"[\ud800-\udfff]")
TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
        ([\[{])
        | ([\]}:,])
        | "([^"\\\x00-\x1f]*)
        | (-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)
        | (true|false|null)
        | (\Z))""",
    re.VERBOSE,
)
OPEN, SIGN, STRING, NUMBER, WORD, END = range(1, 7)
ESCAPE = re.compile(r'\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))([^"\\\x00-\x1f]*)')
ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
WORDS = {"true": True, "false": False, "null": None}
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
# What may come next: nothing, what follows a value, a colon, a name, a name or }, a value or ], a value.
MISPLACED, AFTER, COLON, NAME, FIRST_NAME, FIRST_VALUE, VALUE = range(7)


def not_json(clause: str, problem: str, text: str, position: int) -> NotJson:
    """Make the error that names the clause and the place."""
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return NotJson(f"line {line}, column {column}: {problem} ({clause})")


def finish_string(text: str, head: str, position: int) -> tuple[str, int]:
    """Read on from the first character that is not plain; return the value and where the string ends."""
    parts = [head]
    while not text.startswith('"', position):
        match = ESCAPE.match(text, position)
        if match is None:
            raise not_json(
                "J4", "a string is not closed, or holds a bad escape or control character", text, position
            )
        simple, unit, plain = match.groups()
        parts += (ESCAPED[simple] if simple else chr(int(unit, 16)), plain)
        position = match.end()
    value = "".join(parts)
    if len(parts) > 1 and SURROGATE.search(value):
        try:  # J6: pairs become one character, anything unpaired is refused
            value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            raise not_json("J6", "a string holds an unpaired surrogate", text, position) from None
    return value, position + 1


def tokens(text: str) -> Iterator[tuple[int, Any, int]]:
    """Yield kind, value and place of each token, by J2 to J4 and J6; the last is the end."""
    lone = SURROGATE.search(text)
    if lone:
        raise not_json("J2", "a surrogate stands as a character of its own", text, lone.start())
    position = 0
    while True:
        match = TOKEN.match(text, position)
        if match is None or match.lastindex is None:
            raise not_json("J3", "no JSON token", text, position)
        kind, position = match.lastindex, match.end()
        value: Any = match.group(kind)
        if kind == STRING:
            value, position = finish_string(text, value, position)
        elif kind == NUMBER:
            value = int(value) if INTEGER.fullmatch(value) else Number(value)
        elif kind == WORD:
            value = WORDS[value]
        elif kind == OPEN:
            value = [] if value == "[" else {}
        yield kind, value, match.start(kind) - (kind == STRING)


def parse_json(text: str, deepest: int | None = None) -> Any:
    """Read exactly one JSON value by J2 to J7, or raise NotJson; without recursion, at any depth."""
    root: list[Any] = []
    stack: list[Any] = [root]
    name, state = "", VALUE
    token = tokens(text)
    while True:
        kind, value, start = next(token)
        top = stack[-1]
        if kind == STRING and state in (NAME, FIRST_NAME):
            if value in top:
                raise not_json("J5", f"the name {show(value)} is repeated", text, start)
            name, state = value, COLON
        elif kind == SIGN:
            state = after_sign(value, state, stack)
        elif kind == END and state == AFTER and len(stack) == 1:
            return root[0]
        elif kind == END or state < FIRST_VALUE:
            state = MISPLACED
        else:
            if top.__class__ is list:
                top.append(value)
            else:
                top[name] = value
            state = AFTER
            if kind == OPEN:
                stack.append(value)
                state = FIRST_VALUE if value.__class__ is list else FIRST_NAME
        if state == MISPLACED:
            found = f"{text[start]!r} is out of place" if start < len(text) else "the text ends early"
            raise not_json("J3", found, text, start)
        if deepest is not None and len(stack) > deepest + 1:
            raise not_json("A2", f"nesting deeper than {deepest}, which no schema here allows", text, start)


def after_sign(sign: str, state: int, stack: list[Any]) -> int:
    """Return what may come after one of ] } , : (closing what it closes), or MISPLACED."""
    in_list = stack[-1].__class__ is list
    if sign == ":":
        return VALUE if state == COLON else MISPLACED
    if len(stack) == 1 or (sign != "," and in_list != (sign == "]")):
        return MISPLACED
    if sign == ",":
        return MISPLACED if state != AFTER else VALUE if in_list else NAME
    if state not in (AFTER, FIRST_VALUE if in_list else FIRST_NAME):
        return MISPLACED
    stack.pop()
    return AFTER


# The contracts, by C, O and V: all violations are found, then the first by precedence decides.

Registry = Mapping[str, Any]
Request = Mapping[str, Any]
Decision = tuple[str, int | None, dict[str, str | None]]  # status, deciding claim, accepted mapping

# Each status with the layer that decides it, in order of precedence.
STATUSES: dict[str, dict[str, int]] = {
    "config-claims": {
        "INVALID_JSON": 1,
        "NO_CITATION": 2,
        "DUPLICATE_CLAIM": 3,
        "UNREQUESTED_FIELD": 3,
        "SCOPE_MISMATCH": 3,
        "STALE_REVISION": 3,
        "VALUE_MISMATCH": 3,
        "QUOTE_NOT_SUPPORTING": 3,
        "INCOMPLETE": 3,
        "ACCEPT": 4,
    },
    "order-status": {
        "INVALID_JSON": 1,
        "INVENTED_EVIDENCE": 2,
        "NO_EVIDENCE": 2,
        "ORDER_MISMATCH": 3,
        "MALFORMED_REFUSAL": 3,
        "NEEDLESS_REFUSAL": 3,
        "REPEATED_EVIDENCE": 3,
        "CONFLICTING_FACTS": 3,
        "NO_SUPPORTING_FACT": 3,
        "EVIDENCE_OUT_OF_SCOPE": 3,
        "STALE_EVIDENCE": 3,
        "ANSWER_MISMATCH": 3,
        "ACCEPT": 4,
    },
}
OUTCOMES = {
    "config-claims": ("grounded", "ungrounded", "malformed"),
    "order-status": ("grounded", "honest_refusal", "needless_refusal", "ungrounded", "malformed"),
}
NO_DOCUMENT: dict[str, Any] = {
    "service": None,
    "environment": None,
    "revision": None,
    "facts": {},
    "text": "",
}


def is_text(value: object, least: int) -> bool:
    """Say whether a member is a string within the limits of C1.4, O1.3 and O1.4."""
    return isinstance(value, str) and least <= units(value) <= 2048


def config_shape(value: Any) -> bool:
    """Say whether the value is a config-claims answer, by C1."""
    if not isinstance(value, dict) or set(value) != {"claims"}:  # C1.1
        return False
    claims = value["claims"]
    return (
        isinstance(claims, list)
        and len(claims) <= 8
        and all(  # C1.2
            isinstance(claim, dict)
            and set(claim) == {"field", "value", "doc", "quote"}  # C1.3
            and all(is_text(member, 1) for member in claim.values())  # C1.4
            for claim in claims
        )
    )


def order_shape(value: Any) -> bool:
    """Say whether the value is an order-status answer, by O1."""
    if not isinstance(value, dict) or set(value) != {"status", "order_id", "answer", "evidence"}:  # O1.1
        return False
    evidence = value["evidence"]
    return (
        value["status"] in ("answered", "unknown")  # O1.2
        and is_text(value["order_id"], 0)  # O1.3
        and (value["answer"] is None or is_text(value["answer"], 0))
        and isinstance(evidence, list)  # O1.4
        and len(evidence) <= 8
        and all(is_text(each, 0) for each in evidence)
    )


def config_decision(registry: Registry, request: Request, answer: Any) -> Decision:
    """Decide a well-formed answer by C2 and C3: the least violation by (layer, claim, rule)."""
    claims = answer["claims"]
    documents = {document["id"]: document for document in registry["documents"]}
    order = STATUSES["config-claims"]
    violations: list[tuple[int, int, int, str]] = []
    if not claims:
        violations.append((2, 0, 0, "NO_CITATION"))  # C2.1
    for index, claim in enumerate(claims):
        document = documents.get(claim["doc"], NO_DOCUMENT)
        broken = {
            "NO_CITATION": claim["doc"] not in documents
            or claim["doc"] not in request["supplied"]  # C2.2
            or claim["quote"] not in document["text"],  # C2.3
            "DUPLICATE_CLAIM": claim["field"] in [earlier["field"] for earlier in claims[:index]],  # C3.1
            "UNREQUESTED_FIELD": claim["field"] not in request["fields"],  # C3.2
            "SCOPE_MISMATCH": document["service"] != request["service"]
            or document["environment"] != request["environment"],  # C3.3
            "STALE_REVISION": document["revision"] != request["revision"],  # C3.4
            "VALUE_MISMATCH": document["facts"].get(claim["field"]) != claim["value"],  # C3.5
            "QUOTE_NOT_SUPPORTING": claim["quote"] != claim["field"] + "=" + claim["value"],  # C3.6
        }
        violations += [
            (order[status], index, rule, status) for rule, status in enumerate(broken) if broken[status]
        ]
    if set(request["fields"]) - {claim["field"] for claim in claims}:
        violations.append((3, len(claims), 0, "INCOMPLETE"))  # C3.7: after all claims
    if not violations:
        return (
            "ACCEPT",
            None,
            {claim["field"]: claim["value"] for claim in sorted(claims, key=field_of)},
        )  # C3.8
    _, index, _, status = min(violations)
    return status, (index if index < len(claims) else None), {}  # C2.4, C3.9


def field_of(claim: dict[str, str]) -> str:
    """Return what accepted claims are sorted by."""
    return claim["field"]


def order_decision(registry: Registry, request: Request, answer: Any) -> Decision:
    """Decide a well-formed answer by O2 and O3: the first broken rule of the whole set."""
    facts = {fact["id"]: fact for fact in registry["facts"]}
    evidence, said = answer["evidence"], answer["answer"]
    answered = answer["status"] == "answered"
    scope, pinned = (request["order_id"], request["field"]), request["revision"]

    def in_scope(fact: Mapping[str, Any]) -> bool:
        return (fact["order_id"], fact["field"]) == scope and fact["value"] is not None

    def current(fact: Mapping[str, Any]) -> bool:
        return pinned is None or fact["revision"] == pinned

    supplied = [facts[each] for each in request["supplied"]]
    cited = [facts[each] for each in evidence if each in facts]
    values = {fact["value"] for fact in supplied if in_scope(fact) and current(fact)}
    broken = {
        "INVENTED_EVIDENCE": any(
            each not in facts or each not in request["supplied"] for each in evidence
        ),  # O2.1
        "NO_EVIDENCE": answered and not evidence,  # O2.2
        "ORDER_MISMATCH": answer["order_id"] != request["order_id"],  # O3.1
        "MALFORMED_REFUSAL": not answered and (said is not None or bool(evidence)),  # O3.2
        "NEEDLESS_REFUSAL": not answered and len(values) == 1,  # O3.3
        "REPEATED_EVIDENCE": answered and len(set(evidence)) < len(evidence),  # O3.4
        "CONFLICTING_FACTS": answered and len(values) > 1,  # O3.5
        "NO_SUPPORTING_FACT": answered and not values,  # O3.6
        "EVIDENCE_OUT_OF_SCOPE": answered and not all(map(in_scope, cited)),  # O3.7
        "STALE_EVIDENCE": answered and not all(map(current, cited)),  # O3.8
        "ANSWER_MISMATCH": answered and {said} != values,  # O3.9
        "ACCEPT": True,  # O3.10
    }
    status = next(status for status in STATUSES["order-status"] if broken.get(status))
    return status, None, {request["field"]: said} if status == "ACCEPT" else {}  # O3.11


def outcome_of(contract: str, status: str, answer: Any) -> str:
    """Return the kind of the verdict, by C4.1 and O4.1."""
    if status == "INVALID_JSON":
        return "malformed"
    if contract == "config-claims" or answer["status"] == "answered":
        return "grounded" if status == "ACCEPT" else "ungrounded"
    return {"ACCEPT": "honest_refusal", "NEEDLESS_REFUSAL": "needless_refusal"}.get(status, "malformed")


SHAPES: dict[str, Callable[[Any], bool]] = {"config-claims": config_shape, "order-status": order_shape}
DECISIONS: dict[str, Callable[[Registry, Request, Any], Decision]] = {
    "config-claims": config_decision,
    "order-status": order_decision,
}


def judge(contract: str, registry: Registry, request: Request, candidate: str) -> dict[str, Any]:
    """Judge one candidate text; registry and request are plain values as a valid suite's YAML gives them.

    Returns the members of results.json from status to accepted, in their order.
    """
    answer: Any = None
    if units(candidate) <= 8192:  # J1
        with contextlib.suppress(NotJson):
            answer = parse_json(candidate)
    decision: Decision = ("INVALID_JSON", None, {})
    if SHAPES[contract](answer):
        decision = DECISIONS[contract](registry, request, answer)
    status, claim, accepted = decision
    decided = STATUSES[contract][status]
    passes = {layer: decided > number for number, layer in enumerate(LAYERS, 1)}  # V1
    outcome = outcome_of(contract, status, answer)
    return {"status": status, **passes, "outcome": outcome, "claim": claim, "accepted": accepted}


# YAML, by F1, from PyYAML's pure-Python events (libyaml accepts other texts); without recursion.

OTHER_TYPES = re.compile(  # what YAML 1.1 reads as something else than a string
    r"""(?:|~|null|Null|NULL|=|<<
        |y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF
        |[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*(?::[0-5]?[0-9])*)
        |[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?
        |[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*
        |[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)
        |[0-9]{4}-[0-9]{2}-[0-9]{2}
        |[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?(?:[Tt]|[ ]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?
         (?:[ ]*(?:Z|[-+][0-9][0-9]?(?::[0-9]{2})?))?)""",
    re.VERBOSE,
)
FORBIDDEN = re.compile(  # F1.2
    r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)
COMMENT = re.compile(" +#")
Path = tuple[str | int, ...]
UNSET = object()


@dataclass(frozen=True)
class Fault:
    """What is wrong with a suite, where, and by which clause."""

    file: str
    line: int
    clause: str
    path: str
    problem: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"inputs/{self.file}:{self.line}: {where}{self.problem} ({self.clause})"


def dotted(path: Path) -> str:
    """Write a path as people do: cases[7].expected."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


@dataclass
class Frame:
    """A collection that is still open, where it stands, and the key that waits for its value."""

    value: Any
    path: Path
    key: Any = UNSET


class YamlReading:
    """One reading of one file: its value, the line of each path, and the faults by F1."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.value: Any = None
        self.lines: dict[Path, int] = {(): 1}
        self.faults: list[Fault] = []
        self.stack: list[Frame] = []
        self.spans: list[tuple[int, int]] = []  # where tabs may stand
        self.last = 0  # how far the text has been accounted for
        self.documents = 0
        self.text = self.decoded(data)
        if not self.faults:
            self.read()

    def fault(self, line: int, clause: str, problem: str, path: Path = ()) -> bool:
        """Note a fault; False, for the reading to stop where it cannot go on."""
        self.faults.append(Fault(self.name, line, clause, dotted(path), problem))
        return False

    def decoded(self, data: bytes) -> str:
        """Return the text, if it is text by F1.1 and F1.2; the limit comes first."""
        if len(data) > MAX_BYTES:
            self.fault(1, "F1.1", f"{len(data)} bytes, more than {MAX_BYTES}")
            return ""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.fault(data.count(b"\n", 0, error.start) + 1, "F1.1", f"not UTF-8 at byte {error.start}")
            return ""
        if text.startswith("\ufeff"):
            self.fault(1, "F1.1", "a byte order mark")
        for match in itertools.islice(FORBIDDEN.finditer(text), MAX_FINDINGS):
            line = text.count("\n", 0, match.start()) + 1
            self.fault(line, "F1.2", f"the character U+{ord(match.group()):04X}")
        return text

    def events(self) -> Iterator[Any]:
        """Yield the events; what PyYAML refuses is a fault, and the end."""
        import yaml

        stream = yaml.parse(self.text, Loader=yaml.SafeLoader)
        while True:
            try:
                event = next(stream)
            except StopIteration:
                return
            except (
                yaml.YAMLError,
                ValueError,
                OverflowError,
            ) as error:  # the last two: an escape beyond U+10FFFF
                mark = getattr(error, "problem_mark", None)
                line = mark.line + 1 if mark else self.text.count("\n", 0, self.last) + 1
                self.fault(line, "F1.1", f"not YAML: {getattr(error, 'problem', None) or error}")
                return
            yield event

    def read(self) -> None:
        """Take all events, then look for tabs where none may stand."""
        takes: dict[str, Callable[[Any, int], bool]] = {
            "DocumentStartEvent": self.document, "DocumentEndEvent": self.document, "AliasEvent": self.alias,
            "ScalarEvent": self.scalar, "MappingStartEvent": self.opened, "SequenceStartEvent": self.opened,
            "MappingEndEvent": self.closed, "SequenceEndEvent": self.closed,
        }  # fmt: skip
        for event in self.events():
            take = takes.get(type(event).__name__)
            if take and not take(event, event.start_mark.line + 1):
                break
        if not self.faults and not isinstance(self.value, dict):
            self.fault(1, "F1.1", "the document is not a mapping" if self.documents else "no document")
        for match in re.finditer("\t", self.text):
            at = bisect.bisect(self.spans, (match.start(), MAX_BYTES)) - 1
            if at < 0 or self.spans[at][1] <= match.start():
                line = self.text.count("\n", 0, match.start()) + 1
                self.fault(line, "F1.2", "a tab outside quotes and | blocks")
                break

    def reach(self, mark: Any) -> None:
        """Note how far the text has been accounted for."""
        self.last = mark.index

    def document(self, event: Any, line: int) -> bool:
        """Refuse markers, directives (which need markers) and second documents, by F1.3."""
        starts = hasattr(event, "version")
        self.documents += starts
        if self.documents > 1:
            return self.fault(line, "F1.3", "a second document")
        if event.explicit:
            return self.fault(line, "F1.3", "a document marker")
        return True

    def alias(self, event: Any, line: int) -> bool:
        """Refuse an alias, by F1.3; what it stands for is never looked at."""
        return self.fault(line, "F1.3", f"the alias *{event.anchor}", self.path_of_next())

    def path_of_next(self) -> Path:
        """Return the path of the value that comes next."""
        if not self.stack:
            return ()
        frame = self.stack[-1]
        step = len(frame.value) if isinstance(frame.value, list) else frame.key
        return frame.path if step is UNSET else (*frame.path, step)

    def is_key(self) -> bool:
        """Say whether what comes next is a key."""
        return bool(self.stack) and isinstance(self.stack[-1].value, dict) and self.stack[-1].key is UNSET

    def decorated(self, event: Any, line: int) -> None:
        """Refuse anchors and tags, by F1.3."""
        if event.anchor is not None:
            self.fault(line, "F1.3", f"the anchor &{event.anchor}", self.path_of_next())
        if event.tag is not None:
            self.fault(line, "F1.3", f"the tag {event.tag}", self.path_of_next())

    def opened(self, event: Any, line: int) -> bool:
        """Open a mapping or a sequence."""
        self.decorated(event, line)
        if self.is_key():
            return self.fault(line, "F1.4", "a key that is not a string", self.path_of_next())
        if len(self.stack) >= 8:
            return self.fault(line, "F1.8", "collections nest more than 8 deep", self.path_of_next())
        path = self.path_of_next()
        value: Any = {} if type(event).__name__ == "MappingStartEvent" else []
        self.place(value, line)
        self.stack.append(Frame(value, path))
        self.reach(event.start_mark)
        return True

    def closed(self, event: Any, _: int) -> bool:
        """Close the innermost collection."""
        self.stack.pop()
        self.reach(event.start_mark)
        return True

    def place(self, value: Any, line: int) -> None:
        """Put a value where it belongs."""
        self.lines[self.path_of_next()] = line
        if not self.stack:
            self.value = value
            return
        frame = self.stack[-1]
        if isinstance(frame.value, list):
            frame.value.append(value)
        else:
            frame.value[frame.key] = value
            frame.key = UNSET

    def scalar(self, event: Any, line: int) -> bool:
        """Take a scalar: a key, or a value."""
        self.decorated(event, line)
        value = self.scalar_value(event, line)
        if event.style is not None:
            start = self.content_start(event)
            self.spans.append((start, event.end_mark.index))
        if self.is_key():
            self.take_key(value, event, line)
        else:
            self.place(value, line)
        self.reach(event.end_mark)
        return True

    def content_start(self, event: Any) -> int:
        """Return where tabs may begin: after the quotation mark, or after the line of the |."""
        start: int = event.start_mark.index
        return start if event.style in "'\"" else self.text.find("\n", start) % (len(self.text) + 1)

    def take_key(self, value: Any, event: Any, line: int) -> None:
        """Take a key: a string, by F1.4, written without `? `, by F1.3, and new."""
        frame = self.stack[-1]
        if "?" in re.sub("#[^\n]*", "", self.text[self.last : event.start_mark.index]):
            self.fault(line, "F1.3", "a key written with ?", frame.path)
        if not isinstance(value, str):
            self.fault(line, "F1.4", f"the key {show(value)} is not a string", frame.path)
        elif value in frame.value:
            self.fault(line, "F1.4", f"the key {show(value)} is repeated", frame.path)
        frame.key = value
        self.lines[self.path_of_next()] = line

    def scalar_value(self, event: Any, line: int) -> Any:
        """Return the value of a scalar by F1.5 to F1.7."""
        text, where = event.value, self.path_of_next()
        if event.style == ">":
            self.fault(line, "F1.5", "a folded (>) scalar", where)
        if event.style != "|" and event.start_mark.line != event.end_mark.line:
            self.fault(line, "F1.5", "a scalar over more than one line", where)
        if SURROGATE.search(text):
            self.fault(line, "F1.7", "a string holds a surrogate", where)
        if event.style is not None:
            return text
        if text and not self.is_key() and COMMENT.match(self.text, event.end_mark.index):
            self.fault(line, "F1.5", "a comment after a plain scalar; give it a line of its own", where)
        if text in WORDS:
            return WORDS[text]
        if INTEGER.fullmatch(text):
            return int(text)
        if OTHER_TYPES.fullmatch(text):
            clause = "F1.3" if text == "<<" else "F1.6"
            self.fault(line, clause, f"{show(text)} is not what it looks like; quote it", where)
        return text


# The files of a suite, by F2 to F5.

ID = re.compile(r"[a-z0-9-]+")
FIELD = re.compile(r"[a-z][a-z0-9_]*")
TOTALS = ("cases", "strict_json", "citation_exists", "full_contract")
REQUESTS = {
    "config-claims": ("F5.3", ("service", "environment", "revision", "fields", "supplied")),
    "order-status": ("F5.4", ("order_id", "field", "revision", "supplied")),
}


@dataclass(frozen=True)
class Suite:
    """A valid suite, as plain values."""

    name: str
    contract: str
    pinned_totals: dict[str, int] | None
    registry: dict[str, Any]
    requests: dict[str, dict[str, Any]]
    cases: list[dict[str, Any]]


class Lint:
    """The faults of one file by F2 to F5; each test notes what fails and says whether it held."""

    def __init__(self, reading: YamlReading) -> None:
        self.reading = reading
        self.faults: list[Fault] = []

    def hold(self, held: bool, clause: str, path: Path, problem: str) -> bool:
        """Note the problem unless the condition held."""
        if not held:
            known = next(path[:n] for n in range(len(path), -1, -1) if path[:n] in self.reading.lines)
            self.faults.append(
                Fault(self.reading.name, self.reading.lines[known], clause, dotted(path), problem)
            )
        return held

    def mapping(self, value: Any, clause: str, path: Path) -> dict[str, Any]:
        """Return the value if it is a mapping of at least one member, else an empty one."""
        held = self.hold(
            isinstance(value, dict) and bool(value),
            clause,
            path,
            f"{show(value)}, not a mapping that holds something",
        )
        return value if held else {}

    def members(
        self, value: Any, clause: str, path: Path, required: Iterable[str], optional: Iterable[str] = ()
    ) -> dict[str, Any]:
        """Return a mapping of exactly these members, as far as it has them."""
        found = self.mapping(value, clause, path)
        for name in required if found else ():
            self.hold(name in found, clause, path, f"the member {name!r} is missing")
        for name in found:
            self.hold(name in (*required, *optional), clause, (*path, name), "no such member here")
        return {name: each for name, each in found.items() if name in (*required, *optional)}

    def listing(self, value: Any, clause: str, path: Path, least: int) -> list[Any]:
        """Return the value if it is a list of at least so many elements, else an empty one."""
        held = isinstance(value, list) and len(value) >= least
        return (
            value if self.hold(held, clause, path, f"{show(value)}, not a list of at least {least}") else []
        )

    def text(self, value: Any, clause: str, path: Path, like: "re.Pattern[str] | None" = None) -> bool:
        """Want a string that is not empty, and wholly like the pattern."""
        held = isinstance(value, str) and value != "" and (like is None or like.fullmatch(value) is not None)
        wanted = f"a string like {like.pattern}" if like else "a string that is not empty"
        return self.hold(held, clause, path, f"{show(value)}, not {wanted}")

    def texts(self, holder: dict[str, Any], clause: str, path: Path, names: Iterable[str]) -> None:
        """Want such strings in those of these members that are there."""
        for name in names:
            if name in holder:
                self.text(holder[name], clause, (*path, name))

    def one_of(self, value: Any, known: Iterable[Any], clause: str, path: Path, what: str) -> bool:
        """Want a string that is one of those known."""
        held = isinstance(value, str) and value in known
        return self.hold(held, clause, path, f"{show(value)} is not {what}")

    def unique(self, values: list[Any], clause: str, path: Path, member: "str | None" = None) -> None:
        """Want no string twice."""
        first: dict[str, int] = {}
        for index, value in enumerate(values):
            if isinstance(value, str) and first.setdefault(value, index) != index:
                where: Path = (*path, index) if member is None else (*path, index, member)
                self.hold(
                    False, clause, where, f"{show(value)} is already at {dotted((*path, first[value]))}"
                )


def lint_suite(lint: Lint, value: Any, frozen: bool) -> None:
    """Hold suite.yaml to F2."""
    optional = () if frozen else ("pinned_totals",)
    required = ("suite", "contract", "title", "groups") + (("pinned_totals",) if frozen else ())
    suite = lint.members(value, "F2.1", (), required, optional)
    lint.text(suite.get("suite", "missing"), "F2.2", ("suite",), ID)
    lint.one_of(suite.get("contract", "config-claims"), STATUSES, "F2.2", ("contract",), "a contract")
    lint.texts(suite, "F2.2", (), ("title",))
    if "pinned_totals" in suite:
        totals = lint.members(suite["pinned_totals"], "F2.3", ("pinned_totals",), TOTALS)
        for name, count in totals.items():
            held = type(count) is int and count >= 0
            lint.hold(held, "F2.3", ("pinned_totals", name), f"{show(count)}, not a count")
    for name, group in (
        lint.mapping(suite["groups"], "F2.4", ("groups",)).items() if "groups" in suite else ()
    ):
        lint.text(name, "F2.4", ("groups", name), ID)
        told = lint.members(group, "F2.4", ("groups", name), ("description", "effect"))
        lint.texts(told, "F2.4", ("groups", name), ("description", "effect"))


def lint_documents(lint: Lint, value: Any) -> None:
    """Hold the registry of config-claims to F3."""
    documents = lint.listing(
        lint.members(value, "F3.1", (), ("documents",)).get("documents"), "F3.1", ("documents",), 1
    )
    for index, each in enumerate(documents):
        path: Path = ("documents", index)
        names = ("id", "service", "environment", "revision", "facts", "text")
        document = lint.members(each, "F3.1", path, names)
        lint.texts(document, "F3.2", path, ("id", "service", "environment", "revision", "text"))
        text = document.get("text")
        whole_lines = text.split("\n") if isinstance(text, str) else []
        facts = lint.mapping(document["facts"], "F3.3", (*path, "facts")) if "facts" in document else {}
        for name, fact in facts.items():
            where: Path = (*path, "facts", name)
            lint.text(name, "F3.3", where, FIELD)
            if lint.text(fact, "F3.3", where) and one_line(lint, fact, "F3.3", where) and whole_lines:
                lint.hold(
                    f"{name}={fact}" in whole_lines,
                    "F3.4",
                    where,
                    f"{show(f'{name}={fact}')} is no line of text",
                )
    lint.unique(
        [each.get("id") for each in documents if isinstance(each, dict)], "F3.2", ("documents",), "id"
    )


def one_line(lint: Lint, value: str, clause: str, path: Path) -> bool:
    """Want a value without CR and LF."""
    return lint.hold(not re.search("[\r\n]", value), clause, path, f"{show(value)} holds a line break")


def lint_facts(lint: Lint, value: Any) -> None:
    """Hold the registry of order-status to F4."""
    facts = lint.listing(lint.members(value, "F4.1", (), ("facts",)).get("facts"), "F4.1", ("facts",), 1)
    for index, each in enumerate(facts):
        path: Path = ("facts", index)
        fact = lint.members(each, "F4.1", path, ("id", "order_id", "field", "revision", "value", "text"))
        lint.texts(fact, "F4.2", path, ("id", "order_id", "text"))
        lint.texts(fact, "F4.2", path, [name for name in ("revision", "value") if fact.get(name) is not None])
        if "field" in fact:
            lint.text(fact["field"], "F4.2", (*path, "field"), FIELD)
        said, text, where = fact.get("value"), fact.get("text"), (*path, "value")
        if isinstance(said, str) and one_line(lint, said, "F4.2", where) and isinstance(text, str):
            lint.hold(said in text, "F4.3", where, f"{show(said)} does not occur in the fact's text")
    lint.unique([each.get("id") for each in facts if isinstance(each, dict)], "F4.2", ("facts",), "id")


def lint_requests(lint: Lint, requests: dict[str, Any], contract: str, registry: Any) -> None:
    """Hold the requests to F5.2, and to F5.3 or F5.4."""
    clause, names = REQUESTS[contract]
    sources = [each for each in plain_list(registry, "documents", "facts") if isinstance(each, dict)]
    ids = {each["id"] for each in sources if isinstance(each.get("id"), str)}
    fields = {name for each in sources if isinstance(each.get("facts"), dict) for name in each["facts"]}
    for name, each in requests.items():
        path: Path = ("requests", name)
        lint.text(name, "F5.2", path, ID)
        request = lint.members(each, clause, path, names)
        lint.texts(request, clause, path, ("service", "environment", "order_id"))
        if contract == "config-claims" or request.get("revision") is not None:
            lint.texts(request, clause, path, ("revision",))
        if "field" in request:
            lint.text(request["field"], clause, (*path, "field"), FIELD)
        lists = (
            ("fields", fields, "a field of the registry", 1),
            ("supplied", ids, "an id of the registry", 0),
        )
        for member, known, what, least in lists:
            listed = (
                lint.listing(request[member], clause, (*path, member), least) if member in request else []
            )
            for index, entry in enumerate(listed):
                lint.one_of(entry, known, clause, (*path, member, index), what)
            lint.unique(listed, clause, (*path, member))


def plain_list(value: Any, *names: str) -> list[Any]:
    """Return the first list that is a member of these names, or an empty one."""
    held = (value.get(name) for name in names) if isinstance(value, dict) else ()
    return next((each for each in held if isinstance(each, list)), [])


def lint_cases(lint: Lint, value: Any, suite: Any, registry: Any, frozen: bool) -> None:
    """Hold cases.yaml to F5."""
    contract, groups = suite["contract"], suite["groups"] if isinstance(suite.get("groups"), dict) else {}
    whole = lint.members(value, "F5.1", (), ("requests", "cases"))
    requests = lint.mapping(whole["requests"], "F5.1", ("requests",)) if "requests" in whole else {}
    lint_requests(lint, requests, contract, registry)
    cases = lint.listing(whole["cases"], "F5.1", ("cases",), 1) if "cases" in whole else []
    known = [each for each in cases if isinstance(each, dict)]
    accepted = {
        each["id"] for each in known if isinstance(each.get("id"), str) and each.get("expected") == "ACCEPT"
    }
    for index, each in enumerate(cases):
        path: Path = ("cases", index)
        names = ("id", "group", "note", "request", "candidate", "expected")
        case = lint.members(each, "F5.5", path, names, ("pair", "prediction"))
        checks: dict[str, Callable[[Any, Path], Any]] = {
            "id": lambda said, at: lint.text(said, "F5.6", at, ID),
            "group": lambda said, at: lint.one_of(said, groups, "F5.6", at, "a group of suite.yaml"),
            "note": lambda said, at: lint.text(said, "F5.6", at),
            "request": lambda said, at: lint.one_of(said, requests, "F5.6", at, "a request"),
            "candidate": lambda said, at: lint.hold(
                isinstance(said, str), "F5.6", at, f"{show(said)}, not a string"
            ),
            "expected": lambda said, at: lint.one_of(
                said, STATUSES[contract], "F5.6", at, "a status of the contract"
            ),
            "pair": lambda said, at: lint.one_of(
                said, accepted, "F5.7", at, "the id of a case whose label is ACCEPT"
            ),
            "prediction": lambda said, at: lint_prediction(lint, said, contract, at),
        }
        for name, said in case.items():
            checks[name](said, (*path, name))
        if "expected" in case:
            wanted = case["expected"] != "ACCEPT"
            lint.hold(
                wanted == ("pair" in case),
                "F5.7",
                path,
                "a reject needs a pair" if wanted else "an accept has no pair",
            )
        lint.hold(not (frozen and "prediction" in case), "F5.8", path, "a frozen suite makes no predictions")
    lint.unique([each.get("id") for each in known], "F5.6", ("cases",), "id")
    if frozen:
        for name in requests:
            lint.hold(
                name in [each.get("request") for each in known], "F5.2", ("requests", name), "no case uses it"
            )


def lint_prediction(lint: Lint, value: Any, contract: str, path: Path) -> None:
    """Hold a prediction to F5.8: a layer can only reject by a status that it or one before it decides."""
    for layer, said in lint.members(value, "F5.8", path, (), LAYERS).items():
        number = LAYERS.index(layer) + 1
        known = ["pass", "reject"] + [
            status for status, at in STATUSES[contract].items() if at <= number and at < 4
        ]
        lint.one_of(said, known, "F5.8", (*path, layer), f"a prediction for {layer}")


def read_suite(files: Mapping[str, bytes], frozen: bool = False) -> "tuple[Suite | None, list[Fault]]":
    """Read a suite from the bytes of suite.yaml, registry.yaml and cases.yaml, by F.

    Returns the suite, or None, and every fault; str(fault) names file, line, key and clause.  What frozen
    suites alone must hold (F2.1, F2.4, F5.2, F5.8) is wanted if frozen.
    """
    readings = {name: YamlReading(name, files[name]) for name in INPUTS}
    faults = [fault for name in INPUTS for fault in readings[name].faults]
    if faults:
        return None, faults
    suite, registry, cases = (readings[name].value for name in ("suite.yaml", "registry.yaml", "cases.yaml"))
    lints = {name: Lint(readings[name]) for name in INPUTS}
    lint_suite(lints["suite.yaml"], suite, frozen)
    contract = suite.get("contract")
    if isinstance(contract, str) and contract in STATUSES:
        lint_registry = lint_documents if contract == "config-claims" else lint_facts
        lint_registry(lints["registry.yaml"], registry)
        lint_cases(lints["cases.yaml"], cases, suite, registry, frozen)
    if frozen:  # F2.4
        used = [each.get("group") for each in plain_list(cases, "cases") if isinstance(each, dict)]
        for name in suite["groups"] if isinstance(suite.get("groups"), dict) else ():
            lints["suite.yaml"].hold(name in used, "F2.4", ("groups", name), "no case is in this group")
    faults = [fault for name in INPUTS for fault in lints[name].faults]
    if faults:
        return None, faults
    return Suite(
        suite["suite"], contract, suite.get("pinned_totals"), registry, cases["requests"], cases["cases"]
    ), []


# The report: every check, whether made or not.


@dataclass(frozen=True)
class Check:
    """One line of the report."""

    ident: str
    state: str
    said: str
    findings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return CHECKS[self.ident][0]


@dataclass
class Report:
    """What was found in one directory; run digest, published and compared are None until they are known."""

    path: str
    checks: dict[str, Check] = field(default_factory=dict)
    counts: dict[str, str] = field(default_factory=dict)
    run_digest: str | None = None
    published: bool | None = None
    compared: str | None = None

    def add(self, ident: str, findings: Iterable[str], said: str, state: str = FAILED) -> bool:
        """Note a check: ok if nothing was found, else in the state given."""
        each = iter(findings)
        shown = [printable(finding) for finding in itertools.islice(each, MAX_FINDINGS)]
        more = sum(1 for _ in each)  # counted, and not kept: they may be millions
        shown += [f"and {more} more"] if more else []
        self.checks[ident] = Check(ident, state if shown else OK, printable(said), tuple(shown))
        return not shown

    def not_applicable(self, ident: str, said: str) -> None:
        """Note a check that does not apply; it counts as neither made nor ok."""
        self.checks[ident] = Check(ident, NOT_APPLICABLE, said)

    def close(self) -> None:
        """Note as failed every check that was not made, and for want of which one."""
        for ident, (_, wants) in CHECKS.items():
            if ident not in self.checks:
                want = next(
                    each for each in wants if each not in self.checks or self.checks[each].state != OK
                )
                self.checks[ident] = Check(ident, FAILED, f"not made, for want of {want}")
        self.checks = {ident: self.checks[ident] for ident in CHECKS}

    def exit_code(self) -> int:
        """Return 1 before 2 before 0; an audit that made no check has failed."""
        states = {check.state for check in self.checks.values()}
        return next((EXIT[state] for state in (FAILED, COULD_NOT, OK) if state in states), 1)

    def verdict(self) -> str:
        """Return the last line: the verdict, and what limits it."""
        notes = ["not a published suite"] if self.published is False else []
        sources = self.checks.get("A5.2")
        notes += (
            ["sources were not compared"] if sources and sources.state in (COULD_NOT, NOT_APPLICABLE) else []
        )
        return VERDICTS[self.exit_code()] + (": " if notes else "") + "; ".join(notes)


# A1: structure.


def kind_of(info: os.stat_result) -> str:
    """Name what a path is."""
    if (
        stat.S_ISLNK(info.st_mode) or getattr(info, "st_file_attributes", 0) & 0x400
    ):  # a Windows reparse point
        return "a link"
    kinds = {stat.S_IFREG: "a regular file", stat.S_IFDIR: "a directory", stat.S_IFIFO: "a FIFO"}
    return kinds.get(stat.S_IFMT(info.st_mode), "a special file")


DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9])(?:\..*)?", re.IGNORECASE | re.DOTALL
)
ODDITIES = (
    (re.compile(r"\A(?:/|[A-Za-z]:)"), "is absolute"),
    (re.compile(r"(?:\A|[/\\])\.\.?(?:[/\\]|\Z)"), "holds . or .."),
    (re.compile(r"\\"), "holds a backslash"),
    (re.compile(r":"), "holds a colon"),
    (re.compile(r"\A~"), "begins with ~"),
    (re.compile(r"[\x00-\x1f\x7f]"), "holds a control character"),
    (re.compile(r"[^\x00-\x7f]"), "is not ASCII"),
    (re.compile(r"\A\s|[\s.]\Z"), "begins or ends with a blank or a dot"),
)


def folded(name: str) -> str:
    """Return the name as file systems that fold case and accents see it."""
    return unicodedata.normalize("NFC", name).casefold()


def twins(names: Iterable[str]) -> dict[str, str]:
    """Map each name to another one that it becomes where case and accents are folded."""
    groups: dict[str, list[str]] = {}
    for name in set(names):
        groups.setdefault(folded(name), []).append(name)
    return {
        each: next(other for other in group if other != each)
        for group in groups.values()
        if len(group) > 1
        for each in group
    }


def oddities(name: str, twin: str | None) -> str:
    """Say what is not sane about a name: here, or on any system it may be copied to."""
    odd = [said for like, said in ODDITIES if like.search(name)]
    odd += (
        ["is a device on Windows"] if any(DEVICE.fullmatch(part) for part in re.split(r"[/\\]", name)) else []
    )
    return ", ".join(odd + ([] if twin is None else [f"is {show(twin)} but for case or accents"]))


def surplus(folder: str, names: list[str], wanted: tuple[str, ...]) -> list[str]:
    """Return the names that R1 does not have."""
    alike = twins((*names, *wanted))
    odd = {name: oddities(name, alike.get(name)) for name in names if name not in wanted}
    return [
        f"{show(folder + name)} is not of R1" + (f": it {said}" if said else "") for name, said in odd.items()
    ]


class NotRegular(Exception):
    """What is to be read is no regular file."""


def read_file(path: str) -> bytes:
    """Read a regular file of at most 64 MiB, once; wait for nothing, and follow no link."""
    kind = kind_of(os.lstat(path))
    if kind != "a regular file":
        raise NotRegular(kind)
    flags = ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
    handle = os.open(
        path, functools.reduce(lambda all_, flag: all_ | getattr(os, flag, 0), flags, os.O_RDONLY)
    )
    with open(handle, "rb") as file:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise NotRegular(kind_of(info))
        data = file.read(MAX_BYTES + 1) if info.st_size <= MAX_BYTES else b""
    if max(info.st_size, len(data)) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MAX_BYTES} bytes")
    return data


def read_directory(report: Report) -> dict[str, bytes]:
    """Make A1.1 to A1.4: list two folders, and read each file of R1 once."""
    try:
        found = kind_of(os.lstat(report.path.rstrip("/" + os.sep) or report.path))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise CouldNot("there is nothing at this path") from None
    except OSError as error:
        raise CouldNot(f"this path cannot be reached: {error.strerror}") from None
    if not report.add("A1.1", [] if found == "a directory" else [f"not a real directory: {found}"], found):
        return {}
    wrong: list[str] = []
    kinds: list[str] = []
    unread: list[str] = []
    files: dict[str, bytes] = {}
    entries = 0
    for folder, wanted in (
        ("", ("SHA256SUMS", "inputs", "manifest.json", "results.json")),
        ("inputs/", INPUTS),
    ):
        names = list_folder(report.path, folder, kinds, unread)
        entries += len(names)
        wrong += surplus(folder, names, wanted)
        wrong += [f"{folder}{name} is missing" for name in wanted if name not in names and name != SUMS]
        wrong += [f"unfinished run: no {SUMS}"] if SUMS in wanted and SUMS not in names else []
        for name in [folder + name for name in wanted if name in names and name != "inputs"]:
            try:
                files[name] = read_file(os.path.join(report.path, *name.split("/")))
            except NotRegular as error:
                kinds.append(f"{name} is not a regular file: {error}")
            except OSError as error:
                unread.append(f"{name} cannot be read: {error.strerror}")
    wrong += [f"{entries} entries, more than {MAX_FILES}"] if entries > MAX_FILES else []
    report.counts["files"] = f"{len(files)} of {len(FILES)}"
    report.add("A1.2", wrong, f"the names of R1, {len(FILES)} files, and no other")
    seen = len(files) + len(unread)
    report.add(
        "A1.3", kinds or ([] if seen else ["no regular file"]), "regular files in real folders, no link"
    )
    report.add(
        "A1.4",
        unread or ([] if files else ["no file was read"]),
        f"{len(files)} of {len(FILES)} files read, each once",
    )
    return files


def list_folder(root: str, folder: str, kinds: list[str], unread: list[str]) -> list[str]:
    """Return the names in a real folder, sorted, and not many more than may be there."""
    path = os.path.join(root, folder.rstrip("/")) if folder else root
    try:
        kind = kind_of(os.lstat(path)) if folder else "a directory"
        if kind == "a directory":
            with os.scandir(path) as entries:
                return sorted(entry.name for entry in itertools.islice(entries, 4 * MAX_FILES))
        kinds.append(f"{folder} is not a real folder: {kind}")
    except FileNotFoundError:
        pass  # A1.2 says that it is missing
    except OSError as error:
        unread.append(f"{folder or 'the directory'} cannot be listed: {error.strerror}")
    return []


# A2: documents.


@dataclass(frozen=True)
class Schema:
    """A schema of this checkout, and its validator."""

    schema: dict[str, Any]
    validator: Any

    def findings(self, value: Any) -> list[str]:
        """Return what does not match, each with its path."""
        errors = itertools.islice(self.validator.iter_errors(value), 10 * MAX_FINDINGS)
        return [
            f"{dotted(tuple(error.absolute_path)) or 'the document'}: {shorter(error.message)}"
            for error in errors
        ]


def shorter(text: str) -> str:
    """Cut a message that quotes a whole document."""
    return text if len(text) <= 200 else text[:98] + " ... " + text[-97:]


def whole_pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[Any]:
    """Match a pattern of our schemas wholly: in Python's re, $ also matches before a final line feed."""
    import jsonschema

    if isinstance(instance, str) and not re.search(re.sub(r"\$\Z", r"\\Z", pattern), instance):
        yield jsonschema.ValidationError(f"{show(instance)} does not match {pattern}")


def load_schema(root: str, name: str) -> Schema:
    """Read a schema of this checkout and build its validator, once."""
    import jsonschema

    schema = parse_json(own_file(root, name).decode("utf-8"))
    extend: Any = jsonschema.validators.extend
    validator = extend(jsonschema.Draft202012Validator, {"pattern": whole_pattern})
    return Schema(schema, validator(schema))


def in_order(value: Any, schema: dict[str, Any]) -> Any:
    """Return a value that matches the schema with all members in the order of R2."""
    for branch in schema.get("oneOf", ()):  # outcomes by contract, and what may be null
        if not isinstance(value, dict) or set(value) <= set(branch.get("properties", ())):
            schema = branch
    if isinstance(value, list):
        return [in_order(each, schema["items"]) for each in value]
    if not isinstance(value, dict):
        return value
    members = schema.get("properties", {})
    order = [name for name in (*schema.get("required", ()), *members) if name in value]
    names = dict.fromkeys(order + sorted(value))  # what the schema does not name is sorted by code point
    return {name: in_order(value[name], members.get(name, {})) for name in names}


def serialised(value: Any) -> bytes:
    """Return the bytes of R2."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def first_difference(found: bytes, wanted: bytes) -> str:
    """Say where two texts first differ, or that they differ by line endings alone."""
    if found.replace(b"\r\n", b"\n") == wanted:
        return "line endings differ: found CR LF, expected LF"
    lines = wanted.split(b"\n")  # found may hold millions more, of which none matters
    pairs = itertools.zip_longest(found.split(b"\n", len(lines)), lines)
    line, (one, other) = next((line, pair) for line, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return f"line {line}: found {show_line(one)}, expected {show_line(other)}"


def show_line(line: bytes | None) -> str:
    """Say a line of a JSON file in a few words."""
    return "the end" if line is None else show(line.partition(b"\n")[0][:400].decode("utf-8", "replace"))


def read_document(
    report: Report, name: str, data: bytes | None, schema: Schema
) -> tuple[Any, dict[str, Any] | None]:
    """Make three checks of A2; return the document as read, and once more where it matches its schema."""
    strict, shape, exact = ("A2.1", "A2.2", "A2.3") if name == "manifest.json" else ("A2.4", "A2.5", "A2.6")
    if data is None:
        return None, None
    try:
        value = parse_json(data.decode("utf-8"), MAX_NESTING)
    except UnicodeDecodeError as error:
        report.add(strict, [f"{name}: not UTF-8 at byte {error.start} (J8)"], "not strict JSON")
        return None, None
    except NotJson as error:
        report.add(strict, [f"{name}: {error}"], "not strict JSON")
        return None, None
    report.add(strict, [], f"{name} is strict JSON")
    if not report.add(
        shape, schema.findings(value), f"{name} by {name.replace('.json', '.schema.json')} of this checkout"
    ):
        return value, None
    wanted = serialised(in_order(value, schema.schema))
    report.add(
        exact,
        [] if data == wanted else [f"{name}: {first_difference(data, wanted)}"],
        f"{name} in the bytes of R2",
    )
    return value, value


# A1.5 and A3: names and digests.

SUM_LINE = re.compile(r"([0-9a-f]{64})  ([^\n]+)")


def endings(data: bytes, digest: str) -> str:
    """Say so where a digest is that of the same text with other line endings."""
    unix = data.replace(b"\r\n", b"\n")
    return " (line endings differ)" if digest in (sha256(unix), sha256(unix.replace(b"\n", b"\r\n"))) else ""


def read_sums(report: Report, data: bytes | None) -> dict[str, str]:
    """Make A3.1; return the digest of each path that is listed in the form of R8."""
    if data is None:
        return {}
    text = data.decode("utf-8", "backslashreplace")
    found = [f"{SUMS}: line endings differ"] if "\r\n" in text else []
    found += [] if text.endswith("\n") else [f"{SUMS}: no line feed at the end"]
    sums: dict[str, str] = {}
    lines = text.split("\n", MAX_FILES + 1)  # no more are looked at
    found += [f"{SUMS}: more than {MAX_FILES} lines"] if len(lines) > MAX_FILES + 1 else []
    for number, line in enumerate(lines[: -1 if text.endswith("\n") else MAX_FILES], 1):
        match = SUM_LINE.fullmatch(line.rstrip("\r"))
        if match is None:
            found.append(f"{SUMS}:{number}: {show(line)} is not <64 hexadecimal digits>, two spaces, path")
        elif match.group(2) in sums:
            found.append(f"{SUMS}:{number}: {show(match.group(2))} is repeated")
        else:
            sums[match.group(2)] = match.group(1)
    found += [f"{SUMS}: {name} is not listed" for name in SUMMED if name not in sums]
    found += [f"{SUMS}: {show(name)} is not of R1" for name in sums if name not in SUMMED]
    found += [] if list(sums) == sorted(sums) else [f"{SUMS}: the paths are not sorted"]
    report.add(
        "A3.1",
        found,
        f"{sum(name in sums for name in SUMMED)} of {len(SUMMED)} files listed in the form of R8",
    )
    return sums


def check_listed_names(report: Report, sums: Iterable[str], manifest: Any) -> None:
    """Make A1.5: no name that is listed leaves the directory, here or elsewhere; none is opened."""
    listed = [(SUMS, name) for name in sums]
    for member in ("inputs", "outputs", "sources") if isinstance(manifest, dict) else ():
        names = manifest.get(member)
        listed += [(f"manifest.json: {member}", name) for name in names] if isinstance(names, dict) else []
    alike = twins(name for _, name in listed)
    odd = ((where, name, oddities(name, alike.get(name))) for where, name in listed)
    found = (f"{where}: {show(name)} {said}" for where, name, said in odd if said)
    report.add("A1.5", found if listed else ["no name is listed"], f"{len(listed)} names listed, all sane")


def compare_digests(files: Mapping[str, bytes], digests: Mapping[str, str], where: str) -> list[str]:
    """Return the files whose digest is not the one that is listed."""
    return [
        f"{name}: its SHA-256 is {sha256(files[name])}, {where} has {digest}{endings(files[name], digest)}"
        if name in files
        else f"{name}: not there, {where} has {digest}"
        for name, digest in digests.items()
        if name in SUMMED and (name not in files or sha256(files[name]) != digest)
    ]


def suite_digest(digests: Mapping[str, str]) -> str:
    """Return the suite digest of F6.2."""
    return sha256("".join(f"{digests[name]}  {name}\n" for name in INPUTS).encode("ascii"))


def check_digests(
    report: Report, files: Mapping[str, bytes], sums: Mapping[str, str], manifest: Any, expect: str | None
) -> None:
    """Make A3.2 to A3.4 and A3.7, and note the run digest."""
    if SUMS in files:
        report.run_digest = sha256(files[SUMS])
        wrong = compare_digests(files, sums, SUMS)
        listed = sum(name in sums for name in SUMMED)
        report.add(
            "A3.2",
            wrong if listed else [f"{SUMS} lists no file"],
            f"{listed - len(wrong)} of {len(SUMMED)} files agree with {SUMS}",
        )
    if expect is None:
        report.not_applicable("A3.7", "--expect was not given")
    elif report.run_digest:
        wrong = (
            []
            if report.run_digest == expect
            else [f"run digest: found {report.run_digest}, expected {expect}"]
        )
        report.add("A3.7", wrong, "the run digest by --expect")
    if manifest:
        for ident, member, count in (("A3.3", "inputs", 3), ("A3.4", "outputs", 1)):
            wrong = compare_digests(files, manifest[member], "the manifest")
            report.add(ident, wrong, f"{count - len(wrong)} of {count} {member} agree with the manifest")


def check_suite_digest(report: Report, files: Mapping[str, bytes], manifest: Any, results: Any) -> str | None:
    """Make A3.5; return the suite digest of the inputs."""
    if not all(f"inputs/{name}" in files for name in INPUTS):
        return None
    digest = suite_digest({name: sha256(files[f"inputs/{name}"]) for name in INPUTS})
    if manifest and results:
        said = (("manifest.json", manifest["suite"]["digest"]), ("results.json", results["suite"]["digest"]))
        wrong = [
            f"{name}: suite.digest is {each}, the inputs have {digest}"
            for name, each in said
            if each != digest
        ]
        report.add("A3.5", wrong, f"{2 - len(wrong)} of 2 documents name the digest of the inputs, {digest}")
    return digest


def check_one_suite(report: Report, suite: Suite, manifest: Any, results: Any) -> None:
    """Make A3.6: inputs, manifest and results are of one suite."""
    wrong = [
        f"{where}: suite.{member} is {show(said['suite'][member])}, the inputs have {show(wanted)}"
        for where, said in (("manifest.json", manifest), ("results.json", results))
        for member, wanted in (
            ("name", suite.name),
            ("contract", suite.contract),
            ("cases", len(suite.cases)),
        )
        if member in said["suite"] and said["suite"][member] != wanted
    ]
    report.add("A3.6", wrong, f"suite {suite.name} of {len(suite.cases)} cases, contract {suite.contract}")


# A4 and A5: what only this checkout can say.


def own_file(root: str, *path: str) -> bytes:
    """Read a file of this checkout."""
    try:
        with open(os.path.join(root, *path), "rb") as file:
            return file.read()
    except OSError as error:
        raise CouldNot(f"{'/'.join(path)} of this checkout cannot be read: {error.strerror}") from None


def read_pins(root: str) -> dict[str, str]:
    """Return the suite digest of each frozen suite, by F6.3."""
    text = own_file(root, "fixtures", "frozen.sha256").decode("utf-8", "replace")
    pins: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        match = re.fullmatch(r"([0-9a-f]{64})  fixtures/([a-z0-9-]+)/([^/]+)", line)
        if match is None or pins.setdefault(match[2], {}).setdefault(match[3], match[1]) != match[1]:
            raise CouldNot(
                f"fixtures/frozen.sha256 of this checkout is not in the form of F6.3: {show(line)}"
            )
    return {
        suite: suite_digest(files) for suite, files in pins.items() if all(name in files for name in INPUTS)
    }


def is_source(path: str) -> bool:
    """Say whether a path is one of R6."""
    return path in TOP_SOURCES or re.fullmatch(PACKAGE + r"/(?:[^/]+/)*[^/]+\.py", path) is not None


def checkout_sources(root: str) -> dict[str, str]:
    """Return path and digest of the sources of this checkout, as far as they are there."""
    found = [name for name in TOP_SOURCES if os.path.isfile(os.path.join(root, name))]
    for folder, _, names in os.walk(os.path.join(root, *PACKAGE.split("/"))):
        found += [os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/") for name in names]
    return {path: sha256(own_file(root, *path.split("/"))) for path in sorted(filter(is_source, found))}


def git(root: str, *arguments: str, fed: bytes = b"", failed: str = "") -> bytes:
    """Ask git about this checkout: with no command, hook, network or replacement of anybody's choosing."""
    import shutil
    import subprocess

    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    program = shutil.which("git", path=os.pathsep.join(folders)) if folders else None
    if program is None or not os.path.isabs(program):  # Windows would take one of the working directory
        raise CouldNot("git is not at hand")
    environment = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    environment.update(
        GIT_TERMINAL_PROMPT="0",
        GIT_NO_REPLACE_OBJECTS="1",
        GIT_NO_LAZY_FETCH="1",
        GIT_OPTIONAL_LOCKS="0",
        LC_ALL="C",
    )
    settings = ("core.fsmonitor=", "core.hooksPath=" + os.devnull, "protocol.allow=never")
    command = [program, "-C", root, *(part for setting in settings for part in ("-c", setting)), *arguments]
    try:
        done = subprocess.run(
            command, input=fed, capture_output=True, env=environment, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CouldNot(f"git does not run: {error}") from None
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise CouldNot(failed or f"git says {show(why)}")
    return done.stdout


@functools.lru_cache(maxsize=32)
def commit_sources(root: str, commit: str) -> dict[str, str] | str:
    """Return path and digest of the sources at a commit, or why they are not known."""
    try:
        top = git(root, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").rstrip("\n")
        if os.path.realpath(top) != os.path.realpath(root):
            return "this checkout is not the top of a repository"
        absent = "the recorded commit is not in this repository"
        found = git(root, "rev-parse", "--verify", "--quiet", commit + "^{commit}", failed=absent)
        if found.decode("ascii").strip() != commit:  # a tag, or a branch that is named like a commit
            return absent
        asked = ("ls-tree", "-r", "-z", "--full-tree", commit, "--", *TOP_SOURCES, PACKAGE)
        tree = git(root, *asked).decode("utf-8", "surrogateescape")
        entries = [entry.partition("\t") for entry in tree.split("\0") if entry]
        blobs = {
            path: about.split()[2] for about, _, path in entries if about[:3] == "100" and is_source(path)
        }
        data = git(
            root, "cat-file", "--batch", fed="".join(f"{blob}\n" for blob in blobs.values()).encode("ascii")
        )
        return blob_digests(list(blobs), data)
    except CouldNot as error:
        return str(error)


def blob_digests(paths: list[str], data: bytes) -> dict[str, str]:
    """Take apart what cat-file --batch prints."""
    digests, position = {}, 0
    for path in paths:
        end = data.index(b"\n", position)
        about = data[position:end].split()
        if about[1:2] != [b"blob"]:
            raise CouldNot(f"{path} of the recorded commit is not in this repository")
        size = int(about[2])
        digests[path] = sha256(data[end + 1 : end + 1 + size])
        position = end + size + 2
    return digests


@dataclass(frozen=True)
class Checkout:
    """What an audit takes from the checkout it belongs to, read once."""

    root: str
    manifest: Schema
    results: Schema
    pins: dict[str, str]
    sources: dict[str, str]


def read_checkout(root: str) -> Checkout:
    """Read it, or raise CouldNot."""
    schemas = [load_schema(root, name) for name in ("manifest.schema.json", "results.schema.json")]
    return Checkout(root, schemas[0], schemas[1], read_pins(root), checkout_sources(root))


def check_frozen(report: Report, checkout: Checkout, manifest: Any, digest: str) -> None:
    """Make A4.1."""
    said, name = manifest["suite"]["frozen"], manifest["suite"]["name"]
    report.published = checkout.pins.get(name) == digest
    pinned = "pinned" if report.published else "not pinned"
    wrong = [f"manifest.json: suite.frozen is {show(said)}, and this checkout has the digest {pinned}"]
    words = (
        f"frozen: this checkout pins the digest of {name}" if report.published else "not a published suite"
    )
    report.add("A4.1", [] if said == report.published else wrong, words)


def differences(recorded: Mapping[str, str], known: Mapping[str, str], where: str) -> list[str]:
    """Return the sources that are not the same."""
    found = [f"{path}: recorded, and not in {where}" for path in recorded if path not in known]
    found += [f"{path}: in {where}, and not recorded" for path in known if path not in recorded]
    shared = [path for path in recorded if path in known and recorded[path] != known[path]]
    return found + [f"{path}: recorded as {recorded[path]}, {where} has {known[path]}" for path in shared]


def check_sources(report: Report, checkout: Checkout, manifest: Any, without: bool) -> None:
    """Make A5.1 and A5.2: this checkout first, then the recorded commit."""
    recorded: dict[str, str] = manifest["sources"]
    named = [
        f"manifest.json: sources has {show(path)}, which is not of R6"
        for path in recorded
        if not is_source(path)
    ]
    named += [f"manifest.json: sources lacks {path}" for path in TOP_SOURCES if path not in recorded]
    inner = sum(path.startswith(PACKAGE + "/") for path in recorded)
    named += [] if inner else [f"manifest.json: sources has no file of {PACKAGE}"]
    report.add("A5.1", named, f"{len(recorded)} sources by R6, {inner} of them in {PACKAGE}")
    if without:
        return report.not_applicable("A5.2", "not compared: --without-sources")
    here = differences(recorded, checkout.sources, "this checkout")
    commit = manifest["git"].get("commit")
    if not here:
        report.compared = "this checkout"
        report.add("A5.2", [], f"{len(recorded)} of {len(recorded)} files equal to this checkout")
        return None
    if commit is None:
        then: dict[str, str] | str = "the manifest names no commit"
    elif COMMIT.fullmatch(commit):
        then = commit_sources(checkout.root, commit)
    else:
        then = "the manifest's commit is no commit id"
    if isinstance(then, str):
        report.add(
            "A5.2", here, f"could not be compared: they are not those of this checkout, and {then}", COULD_NOT
        )
        return None
    report.compared = f"commit {commit}"
    there = differences(recorded, then, "that commit")
    dirty = ", and the manifest says that the tree was dirty" if manifest["git"]["dirty"] else ""
    words = f"not those of commit {commit}{dirty}, nor of this checkout"
    report.add("A5.2", there, words if there else f"equal to commit {commit}; this checkout has moved on")
    return None


# A6 to A8: labels, verdicts, totals.


def predicted(case: dict[str, Any]) -> dict[str, str] | None:
    """Return the prediction of a case of the inputs, its layers in order."""
    made = case.get("prediction")
    return made and {layer: made[layer] for layer in LAYERS if layer in made}


def words(value: Any) -> str:
    """Say a member of a case, or a total."""
    return value if isinstance(value, str) else shorter(json.dumps(value, ensure_ascii=False))


def disagreements(
    recorded: list[dict[str, Any]], own: Mapping[str, Any], member: str, what: str
) -> list[str]:
    """Return the cases whose member is not what the auditor has by itself."""
    pairs = [(case, own[case["id"]]) for case in recorded if case["id"] in own]
    return [
        f"case '{case['id']}': {what} {words(mine[member])}, recorded {words(case[member])}"
        for case, mine in pairs
        if case[member] != mine[member]
    ]


def check_labels(report: Report, suite: Suite, recorded: list[dict[str, Any]]) -> None:
    """Make A6.2 to A6.4: all cases, once each, in order, with their labels and predictions."""
    wanted, found = [case["id"] for case in suite.cases], [case["id"] for case in recorded]
    counted = collections.Counter(found)
    wrong = [f"case '{each}' is not in the results" for each in wanted if each not in counted]
    wrong += [f"case '{each}' is not in the inputs" for each in counted.keys() - set(wanted)]
    wrong += [f"case '{each}' is there {times} times" for each, times in counted.items() if times > 1]
    if not wrong:
        moved = [index for index, pair in enumerate(zip(found, wanted, strict=True)) if pair[0] != pair[1]]
        wrong += [f"cases[{at}] is '{found[at]}', the inputs have '{wanted[at]}' there" for at in moved]
    there = len(counted.keys() & set(wanted))
    report.add("A6.2", sorted(wrong), f"{there} of {len(wanted)} cases, once each, in order")
    own = {case["id"]: {"expected": case["expected"], "prediction": predicted(case)} for case in suite.cases}
    wrong = disagreements(recorded, own, "expected", "label in the inputs is")
    report.counts["labels"] = f"{max(there - len(wrong), 0)} of {len(wanted)}"
    report.add("A6.3", wrong, report.counts["labels"] + " labels")
    wrong = disagreements(recorded, own, "prediction", "prediction in the inputs is")
    report.add(
        "A6.4", wrong, f"{sum(predicted(case) is not None for case in suite.cases)} cases with a prediction"
    )


def check_verdicts(
    report: Report, suite: Suite, recorded: list[dict[str, Any]], at: list[str]
) -> dict[str, dict[str, Any]]:
    """Make A7: recompute every verdict from the raw candidate, and return them."""
    own: dict[str, dict[str, Any]] = {}
    for case in suite.cases:
        at[1:] = [case["id"]]
        own[case["id"]] = judge(
            suite.contract, suite.registry, suite.requests[case["request"]], case["candidate"]
        )
    at[1:] = []
    there = len({case["id"] for case in recorded} & own.keys())
    for ident, names in (
        ("A7.1", ("status",)),
        ("A7.2", LAYERS),
        ("A7.3", ("outcome",)),
        ("A7.4", ("claim",)),
        ("A7.5", ("accepted",)),
    ):
        wrong = [
            each for name in names for each in disagreements(recorded, own, name, f"{name} recomputed as")
        ]
        missing = [] if there else ["no case was compared"]
        report.add(ident, wrong or missing, f"{max(there - len(wrong), 0)} of {len(own)} cases")
    report.counts["cases"] = f"{there} of {len(own)}"
    return own


def is_hit(said: str, layer: str, verdict: Mapping[str, Any]) -> bool:
    """Say whether a prediction of a layer is a hit, by F5.8."""
    if said in ("pass", "reject"):
        return bool(verdict[layer]) == (said == "pass")
    return not verdict[layer] and verdict["status"] == said


def recomputed_totals(suite: Suite, own: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Count by R4."""
    pairs = [(case, own[case["id"]]) for case in suite.cases]
    totals: dict[str, Any] = {"cases": len(pairs)}
    totals.update({layer: sum(verdict[layer] for _, verdict in pairs) for layer in LAYERS})
    totals["labels_matched"] = sum(case["expected"] == verdict["status"] for case, verdict in pairs)
    totals["baseline_false_accepts"] = sum(
        verdict["citation_exists"] and case["expected"] != "ACCEPT" for case, verdict in pairs
    )
    outcomes = collections.Counter(verdict["outcome"] for _, verdict in pairs)
    totals["outcomes"] = {outcome: outcomes[outcome] for outcome in OUTCOMES[suite.contract]}
    made = [(predicted(case) or {}, verdict) for case, verdict in pairs]
    totals["predictions"] = {
        layer: {
            "made": sum(layer in said for said, _ in made),
            "hit": sum(layer in said and is_hit(said[layer], layer, verdict) for said, verdict in made),
        }
        for layer in LAYERS
    } if any(said for said, _ in made) else None  # fmt: skip
    return totals


def check_totals(
    report: Report, suite: Suite, own: Mapping[str, dict[str, Any]], recorded: Mapping[str, Any]
) -> None:
    """Make A8.1 and A8.2."""
    totals = recomputed_totals(suite, own)
    wrong = [
        f"totals.{name}: recomputed as {words(count)}, recorded {words(recorded[name])}"
        for name, count in totals.items()
        if recorded[name] != count
    ]
    report.add("A8.1", wrong, f"{len(totals) - len(wrong)} of {len(totals)} totals recomputed")
    if not report.published:
        report.not_applicable("A8.2", "pinned totals are those of frozen suites")
        return
    pinned = suite.pinned_totals or {}  # read_suite has required them
    wrong = [
        f"{name}: pinned as {pinned[name]}, recomputed as {totals[name]}"
        for name in pinned
        if pinned[name] != totals[name]
    ]
    report.add("A8.2", wrong, f"{len(pinned) - len(wrong)} of {len(TOTALS)} pinned totals")


def examine(report: Report, checkout: Checkout, options: argparse.Namespace, at: list[str]) -> None:
    """Make every check that can be made, in the order of the procedure."""
    files = read_directory(report)  # A1.1 to A1.4
    raw, manifest = read_document(
        report, "manifest.json", files.get("manifest.json"), checkout.manifest
    )  # A2.1 to A2.3
    _, results = read_document(
        report, "results.json", files.get("results.json"), checkout.results
    )  # A2.4 to A2.6
    sums = read_sums(report, files.get(SUMS))  # A3.1
    if files:
        check_listed_names(report, sums, raw)  # A1.5
    check_digests(report, files, sums, manifest, options.expect)  # A3.2 to A3.4, A3.7
    digest = check_suite_digest(report, files, manifest, results)  # A3.5
    if manifest and digest:
        check_frozen(report, checkout, manifest, digest)  # A4.1
    if manifest:
        check_sources(report, checkout, manifest, options.without_sources)  # A5.1, A5.2
    if not digest:
        return
    inputs = {name: files[f"inputs/{name}"] for name in INPUTS}
    suite, faults = read_suite(inputs, frozen=bool(report.published))
    report.add(
        "A6.1", map(str, faults), "the inputs are a suite by F" if suite else "the inputs are no suite"
    )  # A6.1
    if suite and results:
        if manifest:
            check_one_suite(report, suite, manifest, results)  # A3.6
        check_labels(report, suite, results["cases"])  # A6.2 to A6.4
        own = check_verdicts(report, suite, results["cases"], at)  # A7
        check_totals(report, suite, own, results["totals"])  # A8


def audit(path: str, checkout: Checkout, options: argparse.Namespace, at: list[str]) -> Report:
    """Audit one directory; at says where the audit is, for a fault of the program to name."""
    at[:] = [path]
    report = Report(path)
    try:
        examine(report, checkout, options, at)
    except CouldNot as error:
        report.add("A1.1", [str(error)], "could not be audited", COULD_NOT)
        return report
    report.close()
    return report


# What is printed, and the command.


def printable(text: str) -> str:
    """Return the text with everything escaped that is not printable: no name reaches the terminal raw."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text
    )


def put(text: str, *, end: str = "\n", flush: bool = False) -> None:
    """Print a text on standard output, with what its encoding cannot say escaped."""
    stream = sys.stdout
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + end)
        if flush:
            stream.flush()
    except (OSError, AttributeError, ValueError) as error:  # closed, full, or never there
        raise OutputClosed(str(error)) from None


def complain(text: str) -> None:
    """Say a sentence on standard error, if there is one."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        for line in text.splitlines():
            sys.stderr.write(printable(line).encode("ascii", "backslashreplace").decode("ascii") + "\n")


def counts(report: Report) -> str:
    """Say how much was checked, against numbers that the auditor owns."""
    states = collections.Counter(check.state for check in report.checks.values())
    made = ", ".join(f"{count} {state}" for state, count in states.items())
    parts = [f"{len(report.checks)} of {len(CHECKS)} checks: {made}"]
    return "; ".join(parts + [f"{count} {name}" for name, count in report.counts.items()])


def print_table(report: Report) -> None:
    """Print one directory: a line for each check, what was found, the counts, and the verdict last."""
    for check in report.checks.values():
        put(f"{MARKS[check.state]:<7}{check.ident}  {check.name:<16} {check.said}")
        for finding in check.findings:
            put("       " + finding)
    put(counts(report))
    put("run digest " + (report.run_digest or "unknown"))
    put(CANNOT_SHOW)
    put(report.verdict())


def print_line(report: Report) -> None:
    """Print one directory of several on one line."""
    first = next((check for check in report.checks.values() if check.state in (FAILED, COULD_NOT)), None)
    why = f"  {first.ident} {first.name}: {'; '.join(first.findings[:1]) or first.said}" if first else ""
    put(printable(f"{report.path}  {report.verdict()}{why}  run digest {report.run_digest or 'unknown'}"))


def as_json(report: Report) -> str:
    """Return one directory as a JSON object, in ASCII."""
    value = {
        "path": printable(report.path),
        "verdict": VERDICTS[report.exit_code()],
        "exit_code": report.exit_code(),
        "run_digest": report.run_digest,
        "published": report.published,
        "sources_compared_with": report.compared,
        "counts": report.counts,
        "checks": [
            {
                "check": each.ident,
                "name": each.name,
                "state": each.state,
                "said": each.said,
                "findings": list(each.findings),
            }
            for each in report.checks.values()
        ],
    }
    return json.dumps(value)


def need_packages() -> None:
    """Say which command sets up, where a package is missing."""
    for name in ("yaml", "jsonschema"):
        try:
            importlib.import_module(name)
        except ImportError:
            raise CouldNot(
                f"the package {name} is missing; `python3 bootstrap.py audit DIR` sets up and audits"
            ) from None


def audit_all(options: argparse.Namespace, root: str, at: list[str]) -> int:
    """Audit each directory, print it and forget it; then the counts."""
    need_packages()
    checkout = read_checkout(root)
    tally: collections.Counter[int] = collections.Counter()
    several, as_table = len(options.directories) > 1, options.format == "table"
    if not as_table:
        put('{"format": 1, "cannot_show": ' + json.dumps(CANNOT_SHOW) + ', "directories": [', end="")
    for number, path in enumerate(options.directories):
        report = audit(path, checkout, options, at)
        tally[report.exit_code()] += 1
        if not as_table:
            put((", " if number else "") + as_json(report), end="")
        else:
            (print_line if several else print_table)(report)
    code = next(code for code in (1, 2, 0) if tally[code])
    if not as_table:
        put(f'], "verdict": "{VERDICTS[code]}", "exit_code": {code}}}')
    elif several:
        said = ", ".join(f"{tally[each]} {VERDICTS[each]}" for each in (0, 1, 2))
        put(f"{len(options.directories)} directories: {said}")
    return code


def digest_argument(text: str) -> str:
    """Take a run digest from the command line."""
    if not DIGEST.fullmatch(text):
        raise argparse.ArgumentTypeError("a run digest is 64 lower-case hexadecimal digits")
    return text


class Parser(argparse.ArgumentParser):
    """A parser that prints and complains as everything else here does."""

    def _print_message(self, message: str, _: Any = None) -> None:
        put(message, end="")  # argparse by itself ignores that standard output is closed

    def error(self, message: str) -> NoReturn:
        raise CouldNot(f"{message}; see audit.py --help")


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    made = Parser(
        prog="audit.py", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Audit run directories, independently of the program that made them.",
        epilog=EXIT_CODES,
    )  # fmt: skip
    made.add_argument("directories", metavar="DIR", nargs="+", help="a run directory")
    made.add_argument(
        "--expect", metavar="RUN-DIGEST", type=digest_argument, help="the SHA-256 of SHA256SUMS, as published"
    )
    made.add_argument(
        "--format", choices=("table", "json"), default="table", help="table, or one JSON object"
    )
    made.add_argument("--without-sources", action="store_true", help="do not compare the sources")
    made.add_argument(
        "--version", action="version", version="audit.py of Grounded Claims, run directory format 1"
    )
    return made


def leave_output() -> None:
    """Let the interpreter's last flush go nowhere, where standard output is closed."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: list[str] | None = None, root: str = CHECKOUT) -> int:
    """Run the command by the checkout at root, and return its exit code."""
    at: list[str] = []
    try:
        try:
            code = audit_all(parser().parse_intermixed_args(arguments), root, at)
        except SystemExit as ended:  # of argparse: usage, --help and --version
            code = int(ended.code or 0)
        put("", flush=True, end="")
        return code
    except KeyboardInterrupt:
        return 130
    except OutputClosed:
        leave_output()
        complain("audit.py: standard output is closed")
        return 2
    except CouldNot as error:
        complain(f"audit.py: {error}")
        return 2
    except Exception as error:  # noqa: BLE001  (the one place: a fault of ours is never a verdict)
        import traceback

        complain(
            "audit.py: a fault of this program" + (f", at {' case '.join(at)}" if at else "") + f": {error!r}"
        )
        complain(traceback.format_exc())
        return 3


if __name__ == "__main__":
    sys.exit(main())
