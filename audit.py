"""Audit run directories of Grounded Claims, independently of the program that made them.

This file follows docs/contract.md and uses nothing of src/.  It is written in another style than the runner
on purpose: a tokenizer made of regular expressions where the runner uses the json module, and all violations,
then the first by precedence, where the runner returns early.  Two implementations that agree are the point.

The procedure, by the clauses of docs/contract.md.  Each check is one line of the report, named in CHECKS; a
check that cannot be made for want of an earlier one says so and counts as failed.

  A1 structure   a real directory of regular files, exactly those of R1, each read once
  A2 documents   manifest.json and results.json: strict JSON, their schemas, their exact bytes
  A3 digests     SHA256SUMS, inputs, outputs, suite digest, one suite, --expect
  A4 frozen      said to be frozen exactly when this checkout pins the digest
  A5 sources     their names, and their bytes: this checkout's, or the recorded commit's
  A6 labels      the inputs are a suite; its cases, labels and predictions
  A7 verdicts    recomputed from the raw candidates
  A8 totals      recomputed, and equal to the pinned ones of a frozen suite

Nothing is written, no connection is opened, no path named by the directory under audit is opened, and git
is asked about this checkout only.  Two functions are there for others to compare with: read_suite (bytes to
a suite, or its faults) and judge (one candidate to a plain verdict).

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
import contextlib
import datetime as dt
import errno
import functools
import hashlib
import heapq
import itertools
import json  # for writing only; texts are read by parse_json
import os
import re
import stat
import traceback  # early: a fault that is to be told may be that no memory is left
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, NoReturn

EXIT_CODES = """exit codes:
  0    everything agrees
  1    a defect inside what is under audit
  2    could not be done: usage, nothing at the path, sources that nothing at hand can be compared with,
       standard output closed
  3    a fault of this program
  130  Ctrl-C
Of several directories: 3 before 1 before 2 before 0.
"""
CHECKOUT = os.path.dirname(os.path.realpath(__file__))
MAX_BYTES, MAX_FILES = 64 * 1024 * 1024, 64  # of one file, of one directory (A1)
MAX_FINDINGS = 20  # shown of one check
MAX_NESTING = 16  # of manifest and results: their schemas nest less
LAYERS = ("strict_json", "citation_exists", "full_contract")
INPUTS = ("cases.yaml", "registry.yaml", "suite.yaml")
SUMS, DOCUMENTS = "SHA256SUMS", ("manifest.json", "results.json")
SUMMED = (*("inputs/" + name for name in INPUTS), *DOCUMENTS)
FILES = (SUMS, *SUMMED)  # R1
KNOWN = {SUMS, "inputs", *DOCUMENTS, *INPUTS}


class CouldNot(Exception):
    """The audit cannot be done, for a reason outside of what is under audit."""


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
    if isinstance(value, str):
        return repr(value) if len(value) <= 80 else repr(value[:77]) + "..."
    return json.dumps(value)


# Strict JSON, by J2 to J7.


class NotJson(ValueError):
    """The text breaks a clause of J, at a place."""

    def __init__(self, clause: str, problem: str, text: str, at: int) -> None:
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        super().__init__(f"line {line}, column {column}: {problem} ({clause})")


class Number(NamedTuple):
    """A number that is not a plain integer of at most 18 digits, kept as it was written."""

    literal: str

    def __repr__(self) -> str:
        return self.literal


SURROGATE = re.compile(r"[\ud800-\udfff]")
TOKEN = re.compile(
    r"""[ \t\n\r]*(?: (?P<sign>[\[\]{}:,]) | (?P<word>true|false|null) | (?P<end>\Z)
        | "(?P<string>[^"\\\x00-\x1f]*)
        | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?))""",
    re.VERBOSE,
)
ESCAPE = re.compile(r'\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))([^"\\\x00-\x1f]*)')
ESCAPED = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t'))
WORDS = {"true": True, "false": False, "null": None}
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
# The tokens that may come next, by what came last: a string is ", any other scalar 0, the end of the text $.
VALUE, NAME = '[{"0', '"'
OPENED = {"[": VALUE + "]", "{": NAME + "}"}
IN_LIST, IN_OBJECT, LAST = ",]", ",}", "$"


def finish_string(text: str, head: str, position: int) -> tuple[str, int]:
    """Read on from the first character that is not plain; return the value and where the string ends."""
    parts = [head]
    while not text.startswith('"', position):
        match = ESCAPE.match(text, position)
        if match is None:
            problem = "a string is not closed, or holds a bad escape or control character"
            raise NotJson("J4", problem, text, position)
        simple, unit, plain = match.groups()
        parts += (ESCAPED[simple] if simple else chr(int(unit, 16)), plain)
        position = match.end()
    value = "".join(parts)
    if SURROGATE.search(value):
        try:  # J6: pairs become one character, anything unpaired is refused
            value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            raise NotJson("J6", "a string holds an unpaired surrogate", text, position) from None
    return value, position + 1


def tokens(text: str) -> Iterator[tuple[str, Any, int]]:
    """Yield kind, value and place of each token, by J2 to J4 and J6; the last is the end."""
    lone = SURROGATE.search(text)
    if lone:
        raise NotJson("J2", "a surrogate stands as a character of its own", text, lone.start())
    position, kind = 0, ""
    while kind != "end":
        match = TOKEN.match(text, position)
        if match is None:
            raise NotJson("J3", "no JSON token", text, position)
        kind = str(match.lastgroup)
        written, start, position = match[kind], match.start(kind), match.end()
        if kind == "string":
            value, position = finish_string(text, written, position)
            yield '"', value, start - 1
        elif kind == "number":
            yield "0", int(written) if INTEGER.fullmatch(written) else Number(written), start
        elif kind == "word":
            yield "0", WORDS[written], start
        else:
            yield written or "$", [] if written == "[" else {}, start


def parse_json(text: str, deepest: float = float("inf")) -> Any:
    """Read exactly one JSON value by J2 to J7, or raise NotJson; without recursion, at any depth."""
    root: list[Any] = []
    stack: list[Any] = [root]
    name, may = "", VALUE
    for kind, value, start in tokens(text):
        if kind not in may:
            found = f"{text[start]!r} is out of place" if start < len(text) else "the text ends early"
            raise NotJson("J3", found, text, start)
        top = stack[-1]
        if kind == "$":
            continue
        if kind in (":", ","):
            may = VALUE if kind == ":" or isinstance(top, list) else NAME
        elif kind == '"' and may in (NAME, OPENED["{"]):
            if value in top:
                raise NotJson("J5", f"the name {show(value)} is repeated", text, start)
            name, may = value, ":"
        else:
            if kind in ("]", "}"):
                stack.pop()
            elif isinstance(top, list):
                top.append(value)
            else:
                top[name] = value
            if kind in ("[", "{"):
                stack.append(value)
            after = IN_LIST if isinstance(stack[-1], list) else IN_OBJECT
            may = OPENED.get(kind, LAST if len(stack) == 1 else after)
            if len(stack) > deepest + 1:
                problem = f"nesting deeper than {deepest}, which no schema here allows"
                raise NotJson("A2", problem, text, start)
    return root[0]


# Closed shapes, for the answers of C1 and O1 and the files of F2 to F5: tables, and one checker.

Path = tuple[str | int, ...]
Finding = tuple[str, Path, str]  # clause, path, problem
Rule = tuple[Any, ...]  # a clause, what it wants (see check), and further checks of the same value
Known = Mapping[str, Container[str]]  # what a string may have to be one of, by the words that say so


class Text(NamedTuple):
    """A string that is wholly like the pattern, of so many units, and of one line or more; or null."""

    said: str
    like: str = "(?s).+"
    null: bool = False
    most: float = float("inf")
    one_line: bool = False


class Rows(NamedTuple):
    """A list of so many elements, of which, by a clause of its own, no string or id stands there twice."""

    item: Rule
    least: int = 0
    most: float = float("inf")
    unique: str = ""


def dotted(path: Path) -> str:
    """Write a path as people do: cases[7].expected."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def member(value: Any, name: str, kind: type) -> Any:
    """Return a member if it is there and of this kind, else an empty value of the kind."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else kind()


def check(rule: Rule, value: Any, path: Path, known: Known) -> Iterator[Finding]:
    """Yield what is wrong with a value by a rule."""
    clause, want, *further = rule
    if isinstance(want, Text):
        held = isinstance(value, str) and re.fullmatch(want.like, value) and units(value) <= want.most
        wrong = "" if held or (want.null and value is None) else f", not {want.said}"
        if held and want.one_line and re.search("[\r\n]", value):
            wrong = " holds a line break"
    elif isinstance(want, str):  # one of what is known by these words
        wrong = "" if isinstance(value, str) and value in known[want] else f" is not {want}"
    elif want is int:
        wrong = "" if type(value) is int and value >= 0 else ", not a count"
    elif isinstance(want, Rows):
        held = isinstance(value, list) and want.least <= len(value) <= want.most
        wrong = "" if held else f", not a list of at least {want.least}"
        further += [check_rows] if held else []
    else:  # a mapping
        held = isinstance(value, dict) and bool(value)
        wrong = "" if held else ", not a mapping that holds something"
        further += [check_members] if held else []
    if wrong:
        yield clause, path, show(value) + wrong
    for each in further:
        yield from each(rule, value, path, known)


def check_rows(rule: Rule, value: list[Any], path: Path, known: Known) -> Iterator[Finding]:
    """Yield what is wrong with the elements of a list."""
    first: dict[str, int] = {}
    for index, each in enumerate(value):
        yield from check(rule[1].item, each, (*path, index), known)
        said, at = (each, ()) if isinstance(each, str) else (member(each, "id", str), ("id",))
        if rule[1].unique and said and first.setdefault(said, index) != index:
            there = dotted((*path, first[said]))
            yield rule[1].unique, (*path, index, *at), f"{show(said)} is already at {there}"


def check_members(rule: Rule, value: dict[str, Any], path: Path, known: Known) -> Iterator[Finding]:
    """Yield what is wrong in a mapping: of these members, some of them with a ?, or of any by a rule."""
    clause, want = rule[:2]
    names = next((name for name in want if isinstance(name, tuple)), None)
    for name, each in value.items():
        where = (*path, name)
        if names:
            yield from check(names, name, where, known)
            yield from check(want[names], each, where, known)
        elif name in want or name + "?" in want:
            yield from check(want.get(name) or want[name + "?"], each, where, known)
        else:
            yield clause, where, "no such member here"
    for name in want if not names else ():
        if name not in value and not name.endswith("?"):
            yield clause, path, f"the member {name!r} is missing"


# The contracts, by C, O and V: all violations are found, then the first by precedence decides.

Registry = Mapping[str, Any]
Request = Mapping[str, Any]
Decision = tuple[str, int | None, dict[str, str | None]]  # status, deciding claim, accepted mapping

# fmt: off
# Each status with the layer that decides it, in order of precedence.
STATUSES = {
    contract: {status: layer for layer, statuses in enumerate(layers, 1) for status in statuses.split()}
    for contract, layers in {
        "config-claims": ("INVALID_JSON", "NO_CITATION", """
            DUPLICATE_CLAIM UNREQUESTED_FIELD SCOPE_MISMATCH STALE_REVISION VALUE_MISMATCH
            QUOTE_NOT_SUPPORTING INCOMPLETE""", "ACCEPT"),
        "order-status": ("INVALID_JSON", "INVENTED_EVIDENCE NO_EVIDENCE", """
            ORDER_MISMATCH MALFORMED_REFUSAL NEEDLESS_REFUSAL REPEATED_EVIDENCE CONFLICTING_FACTS
            NO_SUPPORTING_FACT EVIDENCE_OUT_OF_SCOPE STALE_EVIDENCE ANSWER_MISMATCH""", "ACCEPT"),
    }.items()
}
OUTCOMES = {
    "config-claims": ("grounded", "ungrounded", "malformed"),
    "order-status": ("grounded", "honest_refusal", "needless_refusal", "ungrounded", "malformed"),
}
SAID = Text("a string", "(?s).*", most=2048)
ANSWERS: dict[str, Rule] = {
    "config-claims": ("C1.1", {"claims": ("C1.2", Rows(("C1.3", dict.fromkeys(
        ("field", "value", "doc", "quote"), ("C1.4", SAID._replace(like="(?s).+"))
    )), most=8))}),
    "order-status": ("O1.1", {
        "status": ("O1.2", Text("answered or unknown", "answered|unknown")), "order_id": ("O1.3", SAID),
        "answer": ("O1.3", SAID._replace(null=True)), "evidence": ("O1.4", Rows(("O1.4", SAID), most=8)),
    }),
}
NO_DOCUMENT: Any = {"service": None, "environment": None, "revision": None, "facts": {}, "text": ""}
# fmt: on


def by_id(registry: Registry) -> dict[str, Any]:
    """Return the documents, or the facts, by their ids."""
    return {each["id"]: each for each in registry.get("documents") or registry["facts"]}


def prepared(request: Request, known: Mapping[str, Any]) -> Request:
    """Add to a request what is the same for all its cases: the registry by id, and the values that count."""
    supplied = known.keys() & set(request["supplied"])
    counting = [known[each] for each in supplied if "order_id" in request]
    counting = [fact for fact in counting if in_scope(fact, request) and is_current(fact, request)]
    return {**request, "known": known, "supplied": supplied, "values": {fact["value"] for fact in counting}}


def in_scope(fact: Mapping[str, Any], request: Request) -> bool:
    """Say whether a fact is of the order and field, and says something."""
    asked = (request["order_id"], request["field"], True)
    return (fact["order_id"], fact["field"], fact["value"] is not None) == asked


def is_current(fact: Mapping[str, Any], request: Request) -> bool:
    """Say whether a fact is of the revision, where the request names one."""
    return request["revision"] in (None, fact["revision"])


def config_decision(request: Request, answer: Any) -> Decision:
    """Decide a well-formed answer by C2 and C3: the least violation by (layer, claim, rule)."""
    claims, documents = answer["claims"], request["known"]
    violations = [] if claims else [(2, 0, 0, "NO_CITATION")]  # C2.1
    for index, claim in enumerate(claims):
        name, value, doc, quote = (claim[each] for each in ("field", "value", "doc", "quote"))
        document = documents.get(doc, NO_DOCUMENT)
        scope, asked = ((each["service"], each["environment"]) for each in (document, request))
        broken = {
            "NO_CITATION": doc not in request["supplied"]  # C2.2, as prepared
            or quote not in document["text"],  # C2.3
            "DUPLICATE_CLAIM": name in [earlier["field"] for earlier in claims[:index]],  # C3.1
            "UNREQUESTED_FIELD": name not in request["fields"],  # C3.2
            "SCOPE_MISMATCH": scope != asked,  # C3.3
            "STALE_REVISION": document["revision"] != request["revision"],  # C3.4
            "VALUE_MISMATCH": document["facts"].get(name) != value,  # C3.5
            "QUOTE_NOT_SUPPORTING": quote != name + "=" + value,  # C3.6
        }
        layers = STATUSES["config-claims"]
        violations += [(layers[each], index, rule, each) for rule, each in enumerate(broken) if broken[each]]
    accepted = {claim["field"]: claim["value"] for claim in claims}
    if set(request["fields"]) - accepted.keys():
        violations.append((3, len(claims), 0, "INCOMPLETE"))  # C3.7: after all claims
    if not violations:
        return "ACCEPT", None, dict(sorted(accepted.items()))  # C3.8
    _, index, _, status = min(violations)
    return status, (index if index < len(claims) else None), {}  # C2.4, C3.9


def order_decision(request: Request, answer: Any) -> Decision:
    """Decide a well-formed answer by O2 and O3: the first broken rule of the whole set."""
    facts, values = request["known"], request["values"]
    evidence, cited, said = answer["evidence"], set(answer["evidence"]), answer["answer"]
    scoped = {each for each in cited if each in facts and in_scope(facts[each], request)}
    current = {each for each in cited if each in facts and is_current(facts[each], request)}
    answered = answer["status"] == "answered"
    broken = {
        "INVENTED_EVIDENCE": not cited <= request["supplied"],  # O2.1
        "NO_EVIDENCE": answered and not evidence,  # O2.2
        "ORDER_MISMATCH": answer["order_id"] != request["order_id"],  # O3.1
        "MALFORMED_REFUSAL": not answered and (said is not None or bool(evidence)),  # O3.2
        "NEEDLESS_REFUSAL": not answered and len(values) == 1,  # O3.3
        "REPEATED_EVIDENCE": answered and len(cited) < len(evidence),  # O3.4
        "CONFLICTING_FACTS": answered and len(values) > 1,  # O3.5
        "NO_SUPPORTING_FACT": answered and not values,  # O3.6
        "EVIDENCE_OUT_OF_SCOPE": answered and not cited <= scoped,  # O3.7
        "STALE_EVIDENCE": answered and not cited <= current,  # O3.8
        "ANSWER_MISMATCH": answered and {said} != values,  # O3.9
        "ACCEPT": True,  # O3.10
    }
    status = next(status for status in STATUSES["order-status"] if broken.get(status))
    return status, None, {request["field"]: said} if status == "ACCEPT" else {}  # O3.11


Decide = Callable[[Request, Any], Decision]
DECISIONS: dict[str, Decide] = {"config-claims": config_decision, "order-status": order_decision}


def judge(contract: str, registry: Registry, request: Request, candidate: str) -> dict[str, Any]:
    """Judge one candidate text; registry and request are plain values as a valid suite's YAML gives them.

    Returns the members of results.json from status to accepted, in their order.
    """
    answer: Any = None
    if units(candidate) <= 8192:  # J1
        with contextlib.suppress(NotJson):
            answer = parse_json(candidate)
    well_formed = not any(check(ANSWERS[contract], answer, (), {}))
    request = request if "known" in request else prepared(request, by_id(registry))
    decide = DECISIONS[contract] if well_formed else lambda *_: ("INVALID_JSON", None, {})
    status, claim, accepted = decide(request, answer)
    passes = {layer: STATUSES[contract][status] > number for number, layer in enumerate(LAYERS, 1)}  # V1
    outcome = "grounded" if status == "ACCEPT" else "ungrounded" if well_formed else "malformed"  # C4.1
    if well_formed and contract == "order-status" and answer["status"] == "unknown":  # O4.1
        refusals = {"ACCEPT": "honest_refusal", "NEEDLESS_REFUSAL": "needless_refusal"}
        outcome = refusals.get(status, "malformed")
    return {"status": status, **passes, "outcome": outcome, "claim": claim, "accepted": accepted}


# YAML, by F1, from PyYAML's pure-Python events: libyaml accepts other texts.

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
FORBIDDEN = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # F1.2
COMMENT, COMMENTS = re.compile(" +#"), re.compile("#[^\n]*")


class Stop(Exception):
    """The reading of a file ends here; a fault says why."""


class Fault(NamedTuple):
    """What is wrong with a suite, where, and by which clause."""

    file: str
    line: int
    clause: str
    path: str
    problem: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"inputs/{self.file}:{self.line}: {where}{self.problem} ({self.clause})"


class YamlReading:
    """One reading of one file: its value, the line of each path, and the faults by F1."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.value: Any = None
        self.lines: dict[Path, int] = {}
        self.faults: list[Fault] = []
        with contextlib.suppress(Stop):
            self.text = self.decoded(data)
            self.between = ""  # signs, blanks and comments before the last event
            self.events = self.checked_events()
            for event in self.events:
                self.value = self.node(event, ())
            if not isinstance(self.value, dict):
                self.stop(1, "F1.1", "the document is not a mapping" if self.lines else "no document")

    def fault(self, line: int, clause: str, problem: str, path: Path = ()) -> None:
        """Note a fault."""
        self.faults.append(Fault(self.name, line, clause, dotted(path), problem))

    def stop(self, line: int, clause: str, problem: str, path: Path = ()) -> NoReturn:
        """Note a fault after which what follows cannot be known."""
        self.fault(line, clause, problem, path)
        raise Stop

    def decoded(self, data: bytes) -> str:
        """Return the text, if it is text by F1.1 and F1.2; the limit comes first."""
        if len(data) > MAX_BYTES:
            self.stop(1, "F1.1", f"{len(data)} bytes, more than {MAX_BYTES}")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.stop(data.count(b"\n", 0, error.start) + 1, "F1.1", f"not UTF-8 at byte {error.start}")
        if text.startswith("\ufeff"):
            self.fault(1, "F1.1", "a byte order mark")
        for match in itertools.islice(FORBIDDEN.finditer(text), MAX_FINDINGS):
            line = text.count("\n", 0, match.start()) + 1
            self.fault(line, "F1.2", f"the character U+{ord(match[0]):04X}")
        if self.faults:
            raise Stop
        return text

    def checked_events(self) -> Iterator[Any]:
        """Yield the events of the one document, and look at what stands between them."""
        import yaml

        line = last = documents = 0
        try:
            event: Any
            for event in yaml.parse(self.text, Loader=yaml.SafeLoader):
                start, end, line = event.start_mark.index, event.end_mark.index, event.start_mark.line + 1
                self.between, last = self.text[last:start], start
                if isinstance(event, yaml.ScalarEvent):
                    last = end
                    if event.style in ("|", ">"):  # the line that opens a block is no part of it
                        self.between += self.text[start:end].partition("\n")[0]
                if "\t" in self.between:
                    at = line - self.between.count("\n", self.between.index("\t"))
                    self.fault(at, "F1.2", "a tab outside quotes and | blocks")
                if isinstance(event, (yaml.DocumentStartEvent, yaml.DocumentEndEvent)):
                    documents += isinstance(event, yaml.DocumentStartEvent)
                    if documents > 1 or event.explicit:  # F1.3; a directive needs a marker
                        self.stop(line, "F1.3", "a second document" if documents > 1 else "a document marker")
                elif not isinstance(event, (yaml.StreamStartEvent, yaml.StreamEndEvent)):
                    yield event
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # the last two of a \U beyond U+10FFFF
            mark = getattr(error, "problem_mark", None)
            problem = f"not YAML: {getattr(error, 'problem', None) or error}"
            self.stop(mark.line + 1 if mark else line, "F1.1", problem)

    def node(self, event: Any, path: Path) -> Any:
        """Return the value that begins with an event; its depth is limited before it is followed."""
        kind, line = type(event).__name__, event.start_mark.line + 1
        value: Any
        self.lines[path] = line
        self.decorations(event, kind, path)
        if kind == "ScalarEvent":
            if event.style is None and event.value and COMMENT.match(self.text, event.end_mark.index):
                self.fault(line, "F1.5", "a comment after a plain scalar; give it a line of its own", path)
            return self.scalar(event, path)
        if len(path) >= 8:
            self.stop(line, "F1.8", "collections nest more than 8 deep", path)
        value = [] if kind == "SequenceStartEvent" else {}
        each = next(self.events)
        while type(each).__name__ not in ("SequenceEndEvent", "MappingEndEvent"):
            if isinstance(value, list):
                value.append(self.node(each, (*path, len(value))))
            else:
                key = self.key(each, value, path)
                value[key] = self.node(next(self.events), (*path, key))
            each = next(self.events)
        return value

    def decorations(self, event: Any, kind: str, path: Path) -> None:
        """Refuse aliases, anchors and tags, by F1.3; what an alias stands for is never looked at."""
        line = event.start_mark.line + 1
        if kind == "AliasEvent":
            self.stop(line, "F1.3", f"the alias *{event.anchor}", path)
        if event.anchor is not None:
            self.fault(line, "F1.3", f"the anchor &{event.anchor}", path)
        if event.tag is not None:
            self.fault(line, "F1.3", f"the tag {event.tag}", path)

    def key(self, event: Any, holder: dict[Any, Any], path: Path) -> Any:
        """Return a key: a string, by F1.4, written without `? `, by F1.3, and new."""
        kind, line = type(event).__name__, event.start_mark.line + 1
        self.decorations(event, kind, path)
        if kind != "ScalarEvent":
            self.stop(line, "F1.4", "a key that is not a string", path)
        key = self.scalar(event, path)
        if "?" in COMMENTS.sub("", self.between):
            self.fault(line, "F1.3", "a key written with ?", path)
        if not isinstance(key, str):
            self.fault(line, "F1.4", f"the key {show(key)} is not a string", path)
        elif key in holder:
            self.fault(line, "F1.4", f"the key {show(key)} is repeated", path)
        return key

    def scalar(self, event: Any, path: Path) -> Any:
        """Return the value of a scalar by F1.5 to F1.7."""
        text, line = event.value, event.start_mark.line + 1
        if event.style == ">":
            self.fault(line, "F1.5", "a folded (>) scalar", path)
        if event.style != "|" and event.end_mark.line >= line:
            self.fault(line, "F1.5", "a scalar over more than one line", path)
        if SURROGATE.search(text):
            self.fault(line, "F1.7", "a string holds a surrogate", path)
        if event.style is None and (text in WORDS or INTEGER.fullmatch(text)):
            return WORDS[text] if text in WORDS else int(text)
        if event.style is None and OTHER_TYPES.fullmatch(text):
            clause = "F1.3" if text == "<<" else "F1.6"
            self.fault(line, clause, f"{show(text)} is not what it looks like; quote it", path)
        return text


# The files of a suite, by F2 to F5.


def in_text(_: Rule, value: Any, path: Path, __: Known) -> Iterator[Finding]:
    """Want each fact of a document to be a whole line of its text, and the value of a fact to occur in it."""
    text, said = member(value, "text", str), member(value, "value", str)
    lines = set(text.split("\n"))
    for name, fact in member(value, "facts", dict).items() if text else ():
        if isinstance(fact, str) and f"{name}={fact}" not in lines:
            yield "F3.4", (*path, "facts", name), f"{show(f'{name}={fact}')} is no line of text"
    if text and said not in text:
        yield "F4.3", (*path, "value"), f"{show(said)} does not occur in the fact's text"


def paired(_: Rule, value: Any, path: Path, __: Known) -> Iterator[Finding]:
    """Want a pair beside every label but ACCEPT."""
    wanted = member(value, "expected", str) != "ACCEPT"
    if isinstance(value, dict) and "expected" in value and wanted != ("pair" in value):
        yield "F5.7", path, "a reject needs a pair" if wanted else "an accept has no pair"


# fmt: off
TEXT = Text("a string that is not empty")
TEXT_OR_NULL, ONE_LINE = TEXT._replace(null=True), TEXT._replace(one_line=True)
ID, FIELD = (Text("a string like " + like, like) for like in ("[a-z0-9-]+", "[a-z][a-z0-9_]*"))
TOTALS = ("cases", *LAYERS)
SUITE: Rule = ("F2.1", {
    "suite": ("F2.2", ID), "contract": ("F2.2", "a contract"), "title": ("F2.2", TEXT),
    "groups": ("F2.4", {("F2.4", ID): ("F2.4", {"description": ("F2.4", TEXT), "effect": ("F2.4", TEXT)})}),
    "pinned_totals?": ("F2.3", dict.fromkeys(TOTALS, ("F2.3", int))),
})
REGISTRIES: dict[str, Rule] = {
    "config-claims": ("F3.1", {"documents": ("F3.1", Rows(("F3.1", {
        "id": ("F3.2", TEXT), "service": ("F3.2", TEXT), "environment": ("F3.2", TEXT),
        "revision": ("F3.2", TEXT), "facts": ("F3.3", {("F3.3", FIELD): ("F3.3", ONE_LINE)}),
        "text": ("F3.2", TEXT),
    }, in_text), least=1, unique="F3.2"))}),
    "order-status": ("F4.1", {"facts": ("F4.1", Rows(("F4.1", {
        "id": ("F4.2", TEXT), "order_id": ("F4.2", TEXT), "field": ("F4.2", FIELD), "text": ("F4.2", TEXT),
        "revision": ("F4.2", TEXT_OR_NULL), "value": ("F4.2", ONE_LINE._replace(null=True)),
    }, in_text), least=1, unique="F4.2"))}),
}
REQUESTS: dict[str, Rule] = {
    "config-claims": ("F5.3", {
        "service": ("F5.3", TEXT), "environment": ("F5.3", TEXT), "revision": ("F5.3", TEXT),
        "fields": ("F5.3", Rows(("F5.3", "a field of the registry"), least=1, unique="F5.3")),
        "supplied": ("F5.3", Rows(("F5.3", "an id of the registry"), unique="F5.3")),
    }),
    "order-status": ("F5.4", {
        "order_id": ("F5.4", TEXT), "field": ("F5.4", FIELD), "revision": ("F5.4", TEXT_OR_NULL),
        "supplied": ("F5.4", Rows(("F5.4", "an id of the registry"), unique="F5.4")),
    }),
}
CASE: Rule = ("F5.5", {
    "id": ("F5.6", ID), "group": ("F5.6", "a group of suite.yaml"), "note": ("F5.6", TEXT),
    "request": ("F5.6", "a request"), "candidate": ("F5.6", Text("a string", "(?s).*")),
    "expected": ("F5.6", "a status of the contract"),
    "pair?": ("F5.7", "the id of a case whose label is ACCEPT"),
    "prediction?": ("F5.8", {each + "?": ("F5.8", "a prediction for " + each) for each in LAYERS}),
}, paired)
# fmt: on


class Suite(NamedTuple):
    """A valid suite, as plain values."""

    name: str
    contract: str
    pinned_totals: dict[str, int] | None
    registry: dict[str, Any]
    requests: dict[str, dict[str, Any]]
    cases: list[dict[str, Any]]


def known_names(suite: Any, registry: Any, cases: Any) -> Known:
    """Return what strings may be one of in these files, of which none need be a valid one."""
    statuses = STATUSES.get(member(suite, "contract", str), {})
    sources = member(registry, "documents", list) + member(registry, "facts", list)
    labels = {member(case, "id", str): member(case, "expected", str) for case in member(cases, "cases", list)}
    known: dict[str, Container[str]] = {
        "a contract": STATUSES,
        "a group of suite.yaml": member(suite, "groups", dict),
        "a request": member(cases, "requests", dict),
        "a status of the contract": statuses,
        "the id of a case whose label is ACCEPT": {case for case in labels if labels[case] == "ACCEPT"},
        "an id of the registry": {member(source, "id", str) for source in sources},
        "a field of the registry": {name for source in sources for name in member(source, "facts", dict)},
    }
    for number, layer in enumerate(LAYERS, 1):  # by a status that it or a layer before it decides
        rejects = [status for status, decided in statuses.items() if decided <= number]
        known["a prediction for " + layer] = ["pass", "reject", *rejects]
    return known


def frozen_faults(suite: Any, cases: Any) -> Iterator[tuple[str, str, Path, str]]:
    """Yield file, clause, path and problem of what frozen suites alone must hold."""
    rows = member(cases, "cases", list)
    if "pinned_totals" not in suite:
        yield "suite.yaml", "F2.1", (), "the member 'pinned_totals' is missing"
    for name in sorted(member(suite, "groups", dict).keys() - {member(case, "group", str) for case in rows}):
        yield "suite.yaml", "F2.4", ("groups", name), "no case is in this group"
    asked = {member(case, "request", str) for case in rows}
    for name in sorted(member(cases, "requests", dict).keys() - asked):
        yield "cases.yaml", "F5.2", ("requests", name), "no case uses it"
    for index, case in enumerate(rows):
        if member(case, "prediction", dict):
            yield "cases.yaml", "F5.8", ("cases", index), "a frozen suite makes no predictions"


def read_suite(files: Mapping[str, bytes], frozen: bool = False) -> "tuple[Suite | None, list[Fault]]":
    """Read a suite from the bytes of suite.yaml, registry.yaml and cases.yaml, by F.

    Returns the suite, or None, and its faults: those of YAML alone, if there are any; str(fault) names file,
    line, key and clause.  What frozen suites alone must hold (F2.1, F2.4, F5.2, F5.8) is wanted if frozen.
    """
    readings = {name: YamlReading(name, files[name]) for name in INPUTS}
    faults = [fault for name in INPUTS for fault in readings[name].faults]
    if faults:
        return None, faults
    cases, registry, suite = (readings[name].value for name in INPUTS)
    contract, known = member(suite, "contract", str), known_names(suite, registry, cases)
    shapes = {"suite.yaml": (SUITE, suite)}
    if contract in STATUSES:
        requests, rows = {("F5.2", ID): REQUESTS[contract]}, Rows(CASE, least=1, unique="F5.6")
        shapes["registry.yaml"] = (REGISTRIES[contract], registry)
        shapes["cases.yaml"] = (("F5.1", {"requests": ("F5.1", requests), "cases": ("F5.1", rows)}), cases)
    found = [(name, *each) for name in shapes for each in check(*shapes[name], (), known)]
    for name, clause, path, problem in (*found, *(frozen_faults(suite, cases) if frozen else ())):
        faults.append(Fault(name, readings[name].lines[path], clause, dotted(path), problem))
    if faults:
        return None, faults
    pinned = suite.get("pinned_totals")
    return Suite(suite["suite"], contract, pinned, registry, cases["requests"], cases["cases"]), []


# The report: every check, whether made or not.

# Each check, its name, and the earlier checks for want of which it is not made.
# fmt: off
READ, BOTH = "A1.1 A1.2 A1.3 A1.4", "A2.5 A6.1"
CHECKS: dict[str, tuple[str, str]] = {
    "A1.1": ("directory", ""), "A1.2": ("names", "A1.1"), "A1.3": ("kinds", "A1.1"),
    "A1.4": ("reading", "A1.1"), "A1.5": ("listed names", READ),
    "A2.1": ("manifest json", READ), "A2.2": ("manifest schema", "A2.1"), "A2.3": ("manifest bytes", "A2.2"),
    "A2.4": ("results json", READ), "A2.5": ("results schema", "A2.4"), "A2.6": ("results bytes", "A2.5"),
    "A3.1": ("sums form", READ), "A3.2": ("digests", "A3.1"), "A3.3": ("inputs", "A2.2"),
    "A3.4": ("outputs", "A2.2"), "A3.5": ("suite digest", "A2.2 A2.5 " + READ),
    "A3.6": ("one suite", "A2.2 " + BOTH), "A3.7": ("run digest", READ),
    "A4.1": ("frozen", "A2.2 " + READ),
    "A5.1": ("source names", "A2.2"), "A5.2": ("sources", "A2.2"),
    "A6.1": ("suite", READ), "A6.2": ("cases", BOTH), "A6.3": ("labels", BOTH), "A6.4": ("predictions", BOTH),
    "A7.1": ("status", BOTH), "A7.2": ("layers", BOTH), "A7.3": ("outcome", BOTH), "A7.4": ("claim", BOTH),
    "A7.5": ("accepted", BOTH),
    "A8.1": ("totals", BOTH), "A8.2": ("pinned totals", BOTH),
}
# fmt: on
PARTLY = re.compile(r"([0-9]+) of (?!\1\b)[0-9]")
OK, FAILED, COULD_NOT, NOT_APPLICABLE = "ok", "failed", "could not", "not applicable"
NOT_MADE = "not made, for want of "
MARKS = {OK: "ok", FAILED: "FAIL", COULD_NOT: "cannot", NOT_APPLICABLE: "--"}
VERDICTS = {0: "PASS", 1: "FAIL", 2: "could not", 3: "a fault of this program", 130: "interrupted"}
CANNOT_SHOW = (
    "Cannot show: who made this, when, on which machine, or that the registry is true; where every digest\n"
    "is redone, another `created`, `environment`, `program` or `git` is noticed by --expect alone."
)


def printable(text: str) -> str:
    """Return the text with everything escaped that is not printable: no name reaches the terminal raw."""
    parts = (each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)
    return text if text.isprintable() else "".join(parts)


Check = NamedTuple(  # one line of the report
    "Check", [("ident", str), ("name", str), ("state", str), ("said", str), ("findings", list[str])]
)


@dataclass
class Report:
    """What was found in one directory; run digest, published and compared are None until they are known."""

    path: str
    checks: dict[str, Check] = field(default_factory=dict)
    counts: dict[str, str] = field(default_factory=dict)
    run_digest: str | None = None
    published: bool | None = None
    compared: str | None = None
    fault: bool = False  # of this program: there is no verdict
    outside: str = ""  # what they were compared with may be no part of this checkout's history

    def add(self, ident: str, findings: Iterable[str], said: str, state: str = "", failed: str = "") -> bool:
        """Note a check: failed if anything was found, unless the state is given; and what to say of it then.

        By itself that is what was expected, or how many of how many are right.
        """
        each = iter(findings)
        shown = [printable(finding) for finding in itertools.islice(each, MAX_FINDINGS)]
        more = sum(1 for _ in each)  # counted, and not kept: they may be millions
        shown += [f"and {more} more"] if more else []
        if shown and not state:
            said = failed or (said if PARTLY.match(said) else "expected: " + said)
        state = state or (FAILED if shown else OK)
        self.checks[ident] = Check(ident, CHECKS[ident][0], state, printable(said), shown)
        return state == OK

    def close(self) -> None:
        """Note as failed every check that was not made, and for want of which one."""
        for ident, (_, wants) in CHECKS.items():
            if ident not in self.checks:
                want = next(
                    each for each in wants.split() if each not in self.checks or self.checks[each].state != OK
                )
                self.add(ident, [], NOT_MADE + want, FAILED)
        self.checks = {ident: self.checks[ident] for ident in CHECKS}

    def exit_code(self) -> int:
        """Return 3 before 1 before 2 before 0; an audit that made no check has failed."""
        if self.fault:
            return 3
        states = {check.state for check in self.checks.values()}
        return 1 if FAILED in states or not states else 2 if COULD_NOT in states else 0

    def notes(self) -> list[str]:
        """Return what limits the verdict."""
        notes = ["not a published suite"] if self.published is False else []
        if "A5.2" in self.checks and self.checks["A5.2"].state in (COULD_NOT, NOT_APPLICABLE):
            notes.append("sources were not compared")
        return [*notes, self.outside] if self.outside else notes

    def verdict(self) -> str:
        """Return the last line: the verdict, and what limits it."""
        return ": ".join(filter(None, (VERDICTS[self.exit_code()], "; ".join(self.notes()))))


# What an audit takes from its own checkout.

TOP_SOURCES = "audit.py bootstrap.py manifest.schema.json requirements.txt results.schema.json run.py".split()
PACKAGE = "src/grounded_claims"


class Checkout(NamedTuple):
    """This checkout: the validators of its schemas, its pins, and the digests of its sources."""

    root: str
    validators: dict[str, Any]
    pins: dict[str, str]
    sources: dict[str, str]


def own_file(root: str, path: str) -> bytes:
    """Read a file of this checkout."""
    try:
        with open(os.path.join(root, *path.split("/")), "rb") as file:
            return file.read()
    except OSError as error:
        raise CouldNot(f"{path} of this checkout cannot be read: {error.strerror}") from None


def suite_digest(digests: Mapping[str, str]) -> str:
    """Return the suite digest of F6.2."""
    return sha256("".join(f"{digests[name]}  {name}\n" for name in INPUTS).encode("ascii"))


def read_pins(root: str) -> dict[str, str]:
    """Return the suite digest of each frozen suite, by F6.3."""
    pins: dict[str, dict[str, str]] = {}
    for line in own_file(root, "fixtures/frozen.sha256").decode("utf-8", "replace").splitlines():
        match = re.fullmatch(r"([0-9a-f]{64})  fixtures/([a-z0-9-]+)/([^/]+)", line)
        if match is None or pins.setdefault(match[2], {}).setdefault(match[3], match[1]) != match[1]:
            problem = "fixtures/frozen.sha256 of this checkout is not in the form of F6.3"
            raise CouldNot(f"{problem}: {show(line)}")
    return {suite: suite_digest(files) for suite, files in pins.items() if files.keys() >= set(INPUTS)}


def is_source(path: str) -> bool:
    """Say whether a path is one of R6."""
    return path in TOP_SOURCES or re.fullmatch(PACKAGE + r"/(?:[^/]+/)*[^/]+\.py", path) is not None


def is_regular(path: str) -> bool:
    """Say whether a regular file is there: a link, a folder or a FIFO is no source."""
    try:
        return kind_of(os.lstat(path)) == "a regular file"
    except OSError:
        return False


def read_checkout(root: str) -> Checkout:
    """Read it, or raise CouldNot."""
    try:
        import jsonschema
        import yaml  # noqa: F401  (of YamlReading)
    except ImportError as error:
        mend = "`python3 bootstrap.py audit DIR` sets up and audits"
        raise CouldNot(f"the package {error.name} is missing; {mend}") from None

    def whole_pattern(_: Any, pattern: str, value: Any, __: Any) -> Iterator[Any]:
        # The patterns of our schemas match wholly: in Python's re, $ also matches before a final line feed.
        if isinstance(value, str) and not re.search(re.sub(r"\$\Z", r"\\Z", pattern), value):
            yield jsonschema.ValidationError(f"{show(value)} does not match {pattern}")

    extend: Any = jsonschema.validators.extend
    validator = extend(jsonschema.Draft202012Validator, {"pattern": whole_pattern})
    validators = {}
    for name in DOCUMENTS:
        file = name.replace(".json", ".schema.json")
        try:
            validators[name] = validator(parse_json(own_file(root, file).decode("utf-8")))
        except (UnicodeDecodeError, NotJson) as error:
            raise CouldNot(f"{file} of this checkout is damaged: {error}") from None
    found = [*TOP_SOURCES]
    for folder, _, names in os.walk(os.path.join(root, *PACKAGE.split("/"))):
        found += [os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/") for name in names]
    regular = [path for path in filter(is_source, found) if is_regular(os.path.join(root, path))]
    sources = {path: sha256(own_file(root, path)) for path in sorted(regular)}
    return Checkout(root, validators, read_pins(root), sources)


def git(root: str, *arguments: str, fed: bytes = b"", failed: str = "") -> bytes:
    """Ask git about this checkout: with no command, hook, network or replacement of anybody's choosing."""
    import shutil
    import subprocess

    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
    program = shutil.which("git", path=os.pathsep.join(folders)) if folders else None
    if program is None or not os.path.isabs(program):  # Windows would take one of the working directory
        raise CouldNot("git is not at hand")
    environment = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    environment.update(GIT_TERMINAL_PROMPT="0", GIT_NO_REPLACE_OBJECTS="1", GIT_NO_LAZY_FETCH="1")
    environment.update(GIT_OPTIONAL_LOCKS="0", GIT_GRAFT_FILE=os.devnull, LC_ALL="C")
    settings = ("core.fsmonitor=", "core.hooksPath=" + os.devnull, "protocol.allow=never")
    command = [program, "-C", root, *(part for setting in settings for part in ("-c", setting)), *arguments]
    try:
        done = subprocess.run(
            command, input=fed, capture_output=True, env=environment, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CouldNot(f"git does not run: {error}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().split("\n")
        why = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0])
        raise CouldNot(failed or f"git says {show(why)}")
    return done.stdout


@functools.lru_cache(maxsize=32)
def commit_sources(root: str, commit: str) -> dict[str, str] | str:
    """Return path and digest of the sources at a commit, or why they are not known."""
    absent = "the recorded commit is not in this repository"
    try:
        top = git(root, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").rstrip("\n")
        if os.path.realpath(top) != os.path.realpath(root):
            return "this checkout is not the top of a repository"
        found = git(root, "rev-parse", "--verify", "--quiet", commit + "^{commit}", failed=absent)
        if found.decode("ascii").strip() != commit:  # a tag, or a branch that is named like a commit
            return absent
        tree = git(root, "ls-tree", "-r", "-z", "--full-tree", commit, "--", *TOP_SOURCES, PACKAGE)
        entries = [entry.partition("\t") for entry in tree.decode("utf-8", "surrogateescape").split("\0")]
        blobs = {
            path: about.split()[2] for about, _, path in entries if about[:3] == "100" and is_source(path)
        }
        data = git(root, "cat-file", "--batch", fed="".join(f"{blob}\n" for blob in blobs.values()).encode())
    except CouldNot as error:
        return str(error)
    digests = {}
    for path in blobs:  # of each: a line "<blob> blob <size>", its bytes, and a line feed
        about, _, data = data.partition(b"\n")
        if about.split()[1:2] != [b"blob"]:
            return f"{path} of the recorded commit is not in this repository"
        size = int(about.split()[2])
        digests[path], data = sha256(data[:size]), data[size + 1 :]
    return digests


@functools.lru_cache(maxsize=32)
def standing(root: str, commit: str) -> tuple[str, str]:
    """Say where a commit stands in the history of this checkout, and how that limits the verdict.

    One that was only fetched or planted is at hand as well.
    """
    try:
        if git(root, "rev-parse", "HEAD").decode("ascii").strip() == commit:
            return ", which is checked out; files of this checkout were changed since", ""
        if not git(root, "rev-list", "--max-count=1", commit, "--not", "HEAD"):
            return "; this checkout has moved on", ""
        git(root, "rev-list", "--count", "HEAD")  # a history with a gap says no of what may lie behind it
        if git(root, "rev-parse", "--is-shallow-repository").strip() == b"true":
            raise CouldNot("this is a shallow clone")
    except CouldNot as error:
        why = f", which may be outside the history of this checkout: {error}"
        return why, "sources of a commit that may be outside this history"
    return ", which is not in the history of this checkout", "sources of a commit outside this history"


# A1: what may stand in a directory, and how it is read.

ODDITIES = {
    r"\A(?:/|[A-Za-z]:)": "is absolute",
    r"(?:\A|[/\\])\.\.?(?:[/\\]|\Z)": "holds . or ..",
    r"\\": "holds a backslash",
    r":": "holds a colon",
    r"\A~": "begins with ~",
    r"[\x00-\x1f\x7f]": "holds a control character",
    r"[^\x00-\x7f]": "is not ASCII",
    r"\A\s|[\s.]\Z": "begins or ends with a blank or a dot",
    r"(?i)(?:\A|[/\\])(?:con|prn|aux|nul|con(?:in|out)\$|(?:com|lpt)[0-9])(?:[./\\]|\Z)": (
        "is a device on Windows"
    ),
}


def oddities(names: Iterable[str]) -> dict[str, str]:
    """Say what is not sane about each name, here or on any system it may be copied to; nothing, if all is."""
    twins = defaultdict(set)
    folded = {name: unicodedata.normalize("NFC", name).casefold() for name in names}
    for name, alike in folded.items():
        twins[alike].add(name)
    found = {}
    for name, alike in folded.items():
        odd = [said for like, said in ODDITIES.items() if re.search(like, name)]
        odd += [f"is {show(other)} but for case or accents" for other in sorted(twins[alike] - {name})[:1]]
        found[name] = ", ".join(odd)
    return found


class NotRegular(Exception):
    """What is to be read is of another kind."""


def kind_of(info: os.stat_result) -> str:
    """Name what a path is; a reparse point of Windows is a link."""
    if stat.S_ISLNK(info.st_mode) or getattr(info, "st_file_attributes", 0) & 0x400:
        return "a link"
    kinds = {stat.S_IFREG: "a regular file", stat.S_IFDIR: "a directory", stat.S_IFIFO: "a FIFO"}
    return kinds.get(stat.S_IFMT(info.st_mode), "a special file")


UNFINISHED = f"no {SUMS}: an unfinished run, or no run directory"
# What a path may end with; .. stays: where it leads is for the system to say.
END_OF_PATH = rf"(?:[{re.escape(os.sep + (os.altsep or ''))}]+\.?)+\Z"
# A descriptor, where the platform opens relative to one, so that what is read stays in it; elsewhere a path.
Folder = int | str
Listed = tuple[Folder, list[str], Any]  # a folder, its names, and which one it is
RELATIVE = {os.open, os.stat} <= os.supports_dir_fd and os.scandir in os.supports_fd


@contextlib.contextmanager
def opened(folder: Folder, name: str, wanted: str) -> "Iterator[tuple[Folder, os.stat_result]]":
    """Open a real folder or a regular file of a folder; wait for nothing, follow no link."""
    path = name if isinstance(folder, int) else os.path.join(folder, name)
    handle: Folder = path
    at = {"dir_fd": folder} if isinstance(folder, int) else {}
    info = os.stat(path, follow_symlinks=False, **at)
    if kind_of(info) == wanted and (RELATIVE or wanted == "a regular file"):
        flags = ["O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"]
        flags += ["O_DIRECTORY"] if wanted == "a directory" else []
        handle = os.open(path, os.O_RDONLY | sum(getattr(os, flag, 0) for flag in flags), **at)
    try:
        info = os.fstat(handle) if isinstance(handle, int) else info  # it may be another one by now
        if kind_of(info) != wanted:
            raise NotRegular(f"is not {wanted.replace('directory', 'real folder')}: {kind_of(info)}")
        yield handle, info
    finally:
        if isinstance(handle, int):
            os.close(handle)


def listing(folder: Folder) -> list[str]:
    """Return the names in a folder, and not many more than may be there: those of R1 first."""

    def rank(name: str) -> tuple[bool, str]:
        return name not in KNOWN, name

    with os.scandir(folder) as entries:
        return sorted(heapq.nsmallest(4 * MAX_FILES, (entry.name for entry in entries), key=rank))


def read(folder: Folder, name: str) -> bytes:
    """Return the bytes of a regular file."""
    data = b""
    with opened(folder, name, "a regular file") as (handle, info):
        if info.st_size <= MAX_BYTES:
            with open(handle, "rb", closefd=False) as file:
                data = file.read(MAX_BYTES + 1)
    if max(info.st_size, len(data)) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MAX_BYTES} bytes")
    return data


# A2 to A8: what is compared, and in which words.


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
    line, pair = next((line, pair) for line, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    heads = [each if each is None else each.partition(b"\n")[0][:400] for each in pair]
    said = ["the end" if each is None else show(each.decode("utf-8", "replace")) for each in heads]
    return f"line {line}: found {said[0]}, expected {said[1]}"


def words(value: Any) -> str:
    """Say a value as it is written in the results, but not a whole document."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:98] + " ... " + text[-97:]


def misfit(error: Any) -> str:
    """Say what does not fit a schema, in the words of the library: of several forms, of the nearest."""
    inner = max(error.context, key=lambda each: len(each.path), default=None)
    if inner is not None:
        return f"{dotted(inner.path)}: {misfit(inner)}".removeprefix(": ")
    return words(error.message) + (", of at most 18 digits" if isinstance(error.instance, Number) else "")


def disagreements(
    own: Mapping[str, Any], recorded: Mapping[str, Any], say: str, words: Callable[[Any], str] = words
) -> list[str]:
    """Say of what is in both and differs: {0} its name, {1} the auditor's own, {2} the recorded."""
    names = [name for name in own if name in recorded and own[name] != recorded[name]]
    return [say.format(name, words(own[name]), words(recorded[name])) for name in names]


def recomputed_totals(suite: Suite, own: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Count by R4, and hits by F5.8."""
    pairs = [(case, own[case["id"]]) for case in suite.cases]
    outcomes = Counter(verdict["outcome"] for _, verdict in pairs)
    hits: dict[str, list[bool]] = {layer: [] for layer in LAYERS}
    for case, verdict in pairs:
        for layer, said in case.get("prediction", {}).items():
            held = {"pass": verdict[layer], "reject": not verdict[layer]}
            hits[layer].append(held.get(said, verdict["status"] == said))
    counts = {layer: {"made": len(hits[layer]), "hit": sum(hits[layer])} for layer in LAYERS}
    return {
        "cases": len(pairs),
        **{layer: sum(verdict[layer] for _, verdict in pairs) for layer in LAYERS},
        "labels_matched": sum(case["expected"] == verdict["status"] for case, verdict in pairs),
        "baseline_false_accepts": sum(
            verdict["citation_exists"] and case["expected"] != "ACCEPT" for case, verdict in pairs
        ),
        "outcomes": {outcome: outcomes[outcome] for outcome in OUTCOMES[suite.contract]},
        "predictions": counts if any(hits.values()) else None,
    }


# fmt: off
RECOMPUTED = "{0} recomputed as {1}, recorded {2}"
COMPARED = (  # case by case
    ("A6.3", "labels", ("expected",), "label in the inputs is {1}, recorded {2}"),
    ("A6.4", "cases", ("prediction",), "prediction in the inputs is {1}, recorded {2}"),
    ("A7.1", "cases", ("status",), RECOMPUTED), ("A7.2", "cases", LAYERS, RECOMPUTED),
    ("A7.3", "cases", ("outcome",), RECOMPUTED), ("A7.4", "cases", ("claim",), RECOMPUTED),
    ("A7.5", "cases", ("accepted",), RECOMPUTED),
)
# fmt: on


class Examination:
    """The procedure on one directory: what has been read of it so far, and each check in turn."""

    def __init__(self, report: Report, checkout: Checkout, options: argparse.Namespace) -> None:
        self.report, self.add, self.checkout, self.options = report, report.add, checkout, options
        self.files: dict[str, bytes] = {}
        self.kinds: list[str] = []  # what is not regular
        self.unread: list[str] = []
        self.sums: dict[str, str] = {}  # by SHA256SUMS
        self.raw: dict[str, Any] = {}  # the documents as read; and once more, where they match their schemas:
        self.manifest: Any = None
        self.results: Any = None

    def procedure(self, at: list[str]) -> None:
        """Make every check that can be made; at says which case is being judged."""
        self.read()  # A1.1 to A1.4
        self.manifest = self.document("manifest.json", "A2.1", "A2.2", "A2.3")
        self.results = self.document("results.json", "A2.4", "A2.5", "A2.6")
        self.digests()  # A3.1 to A3.4, A3.7
        self.listed_names()  # A1.5
        inputs = {name: self.files["inputs/" + name] for name in INPUTS if "inputs/" + name in self.files}
        whole = len(inputs) == len(INPUTS)
        digest = suite_digest({name: sha256(data) for name, data in inputs.items()}) if whole else ""
        if self.manifest and whole:
            self.frozen(digest)  # A4.1
        if self.manifest:
            self.sources()  # A5.1, A5.2
        if not whole:
            return
        suite, faults = read_suite(inputs, frozen=bool(self.report.published))
        self.add("A6.1", map(str, faults), "the inputs are a suite by F")
        if self.manifest and self.results:
            self.bound(digest, suite)  # A3.5, A3.6
        if suite and self.results:
            self.verdicts(suite, at)  # A6.2 to A7.5

    def read(self) -> None:
        """Make A1.1 to A1.4: list two folders, and read each file of R1 once."""
        path = re.sub(END_OF_PATH, "", self.report.path) or self.report.path  # no link hides behind a / or /.
        try:
            found = kind_of(os.lstat(path))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            raise CouldNot("there is nothing at this path") from None
        except OSError as error:
            raise CouldNot(f"this path cannot be reached: {error.strerror}") from None
        wrong = [] if found == "a directory" else [f"not a real directory: {found}"]
        if not self.add("A1.1", wrong, "a real directory"):
            return
        names: list[str] = []
        with contextlib.ExitStack() as held:
            folders = self.enter(held, path)
            for (prefix, (folder, there, which)), wanted in zip(
                folders.items(), ((SUMS, "inputs", *DOCUMENTS), INPUTS)
            ):
                odd = oddities((*there, *wanted))
                names += [
                    f"{show(prefix + name)} is not of R1" + (f": it {odd[name]}" if odd[name] else "")
                    for name in there
                    if name not in wanted
                ]
                shut = not which and (not prefix or "inputs" in folders[""][1])
                absent = "cannot be looked for" if shut else "is missing"
                names += [f"{prefix}{name} {absent}" for name in wanted if name not in (SUMS, *there)]
                names += [UNFINISHED] if not prefix and SUMS not in there and not shut else []
                for name in [name for name in wanted if name in there and name != "inputs"]:
                    with self.noting(prefix + name, "read"):
                        self.files[prefix + name] = read(folder, name)
            if not self.kinds and not self.unread:
                again = self.enter(held, path)
                names += [
                    f"{prefix or 'the directory'} changed while it was read"
                    for prefix in again
                    if folders[prefix][1:] != again[prefix][1:]
                ]
        entries = sum(len(there) for _, there, _ in folders.values())
        names[:0] = [f"more than {MAX_FILES} entries"] if entries > MAX_FILES else []
        self.report.counts["files"] = f"{len(self.files)} of {len(FILES)}"
        self.add("A1.2", names, f"the names of R1, {len(FILES)} files, and no other")
        none = [] if self.files or self.unread else ["no file was read"]
        self.add("A1.3", self.kinds or none, "regular files in real folders, no link")
        self.add("A1.4", self.unread or none, f"{self.report.counts['files']} files read, each once")

    @contextlib.contextmanager
    def noting(self, name: str, verb: str) -> Iterator[None]:
        """Note what cannot be opened, for A1.3 and A1.4."""
        try:
            yield
        except NotRegular as error:
            self.kinds.append(f"{name} {error}")
        except OSError as error:
            self.unread.append(f"{name or 'the directory'} cannot be {verb}: {error.strerror}")

    def enter(self, held: contextlib.ExitStack, path: str) -> dict[str, Listed]:
        """Open and list the directory and its inputs; they are held open."""
        folders: dict[str, Listed] = {"": ("", [], None), "inputs/": ("", [], None)}
        for prefix, name in (("", path), ("inputs/", "inputs")):
            parent, names, _ = folders[""]
            if not prefix or name in names:
                with self.noting(prefix, "listed"):
                    folder, info = held.enter_context(opened(parent, name, "a directory"))
                    folders[prefix] = (folder, listing(folder), (info.st_dev, info.st_ino))
        return folders

    def document(self, name: str, strict: str, shape: str, exact: str) -> Any:
        """Make three checks of A2; return the document if it matches its schema."""
        if name not in self.files:
            return None
        data, validator = self.files[name], self.checkout.validators[name]
        try:
            value = self.raw[name] = parse_json(data.decode("utf-8"), MAX_NESTING)
        except (UnicodeDecodeError, NotJson) as error:
            why = f"not UTF-8 at byte {error.start} (J8)" if isinstance(error, UnicodeDecodeError) else error
            self.add(strict, [f"{name}: {why}"], f"{name}, strict JSON")
            return None
        self.add(strict, [], f"{name}, strict JSON")
        errors = itertools.islice(validator.iter_errors(value), 10 * MAX_FINDINGS)
        wrong = [f"{dotted(each.absolute_path) or 'the document'}: {misfit(each)}" for each in errors]
        if not wrong and "created" in value:
            try:
                dt.datetime.strptime(value["created"], "%Y-%m-%dT%H:%M:%S%z")
            except ValueError:
                wrong.append(f"created: {show(value['created'])} is no date and time (R7)")
        if not self.add(shape, wrong, f"{name} by {name.replace('.json', '.schema.json')} of this checkout"):
            return None
        wanted = serialised(in_order(value, validator.schema))
        wrong = [] if data == wanted else [f"{name}: {first_difference(data, wanted)}"]
        self.add(exact, wrong, f"{name} in the bytes of R2")
        return value

    def digests(self) -> None:
        """Make A3.1 to A3.4 and A3.7, and note the run digest."""
        if SUMS in self.files:
            self.report.run_digest = sha256(self.files[SUMS])
            self.sums_form(self.files[SUMS].decode("utf-8", "backslashreplace"))
            self.agreeing("A3.2", self.sums, SUMS, "5 files")
        if self.manifest:
            self.agreeing("A3.3", self.manifest["inputs"], "the manifest", "3 inputs")
            self.agreeing("A3.4", self.manifest["outputs"], "the manifest", "1 outputs")
        found, expected = self.report.run_digest, self.options.expect
        if expected is None:
            self.add("A3.7", [], "--expect was not given", NOT_APPLICABLE)
        elif found:
            wrong = [] if found == expected else [f"run digest: found {found}, expected {expected}"]
            self.add("A3.7", wrong, "the run digest by --expect")

    def sums_form(self, text: str) -> None:
        """Make A3.1: the digest of each path, in the form of R8."""
        found = [f"{SUMS}: line endings differ"] if "\r\n" in text else []
        found += [] if text.endswith("\n") else [f"{SUMS}: no line feed at the end"]
        lines = text.removesuffix("\n").split("\n", MAX_FILES)
        found += [f"{SUMS}: more than {MAX_FILES} lines"] if len(lines) > MAX_FILES else []
        for number, line in enumerate(lines[:MAX_FILES], 1):  # no more are looked at
            match = re.fullmatch(r"([0-9a-f]{64})  ([^\n]+)", line.rstrip("\r"))
            if match is None:
                found.append(
                    f"{SUMS}:{number}: {show(line)} is not <64 hexadecimal digits>, two spaces, path"
                )
            elif match[2] in self.sums:
                found.append(f"{SUMS}:{number}: {show(match[2])} is repeated")
            else:
                self.sums[match[2]] = match[1]
        found += [f"{SUMS}: {name} is not listed" for name in SUMMED if name not in self.sums]
        found += [f"{SUMS}: {show(name)} is not of R1" for name in self.sums if name not in SUMMED]
        found += [] if list(self.sums) == sorted(self.sums) else [f"{SUMS}: the paths are not sorted"]
        listed = len(self.sums.keys() & set(SUMMED))
        self.add("A3.1", found, f"{listed} of {len(SUMMED)} files listed in the form of R8")

    def agreeing(self, ident: str, digests: Mapping[str, str], where: str, wanted: str) -> None:
        """Make one of A3.2 to A3.4: the files that are listed there have the digests that are listed."""
        listed = [name for name in SUMMED if name in digests]
        wrong = [] if listed else [f"{where} lists no file"]
        for name in listed:
            data, digest = self.files.get(name), digests[name]
            if data is None:
                wrong.append(f"{name}: not read, {where} has {digest}")
            elif sha256(data) != digest:
                unix = data.replace(b"\r\n", b"\n")
                others = (sha256(unix), sha256(unix.replace(b"\n", b"\r\n")))
                ends = " (line endings differ)" if digest in others else ""
                wrong.append(f"{name}: its SHA-256 is {sha256(data)}, {where} has {digest}{ends}")
        self.add(ident, wrong, f"{max(len(listed) - len(wrong), 0)} of {wanted} agree with {where}")

    def listed_names(self) -> None:
        """Make A1.5: no name that is listed leaves the directory, here or elsewhere; none is opened."""
        listed = [(SUMS, name) for name in self.sums]
        for each in ("inputs", "outputs", "sources"):
            names = member(self.raw.get("manifest.json"), each, dict)
            listed += [(f"manifest.json: {each}", name) for name in names]
        odd = oddities(name for _, name in listed)
        found = (f"{where}: {show(name)} {odd[name]}" for where, name in listed if odd[name])
        if self.files:
            none = [] if listed else ["no name is listed"]
            self.add("A1.5", itertools.chain(none, found), f"{len(listed)} names listed, all sane")

    def bound(self, digest: str, suite: Suite | None) -> None:
        """Make A3.5 and A3.6: manifest and results are of the one suite that the inputs are."""
        documents = {"manifest.json": self.manifest["suite"], "results.json": self.results["suite"]}

        def unbound(own: dict[str, Any]) -> list[str]:
            say = ": suite.{0} is {2}, the inputs have {1}"
            return [
                each for name in DOCUMENTS for each in disagreements(own, documents[name], name + say, show)
            ]

        wrong = unbound({"digest": digest})
        self.add("A3.5", wrong, f"{2 - len(wrong)} of 2 documents name the digest of the inputs, {digest}")
        if suite:
            own = {"name": suite.name, "contract": suite.contract, "cases": len(suite.cases)}
            said = f"suite {suite.name} of {len(suite.cases)} cases, contract {suite.contract}"
            self.add("A3.6", unbound(own), said)

    def frozen(self, digest: str) -> None:
        """Make A4.1."""
        said, name = self.manifest["suite"]["frozen"], self.manifest["suite"]["name"]
        published = self.report.published = self.checkout.pins.get(name) == digest
        pinned = "pinned" if published else "not pinned"
        wrong = f"manifest.json: suite.frozen is {show(said)}, and this checkout has the digest {pinned}"
        words = f"frozen: this checkout pins the digest of {name}" if published else "not a published suite"
        self.add("A4.1", [] if said == published else [wrong], words)

    def sources(self) -> None:
        """Make A5.1 and A5.2: this checkout first, then the recorded commit."""
        recorded, commit = self.manifest["sources"], self.manifest["git"].get("commit", "")
        strange = [path for path in recorded if not is_source(path)]
        wrong = [f"manifest.json: sources has {show(path)}, which is not of R6" for path in strange]
        wrong += [f"manifest.json: sources lacks {path}" for path in TOP_SOURCES if path not in recorded]
        inner = sum(path.startswith(PACKAGE + "/") for path in recorded)
        wrong += [] if inner else [f"manifest.json: sources has no file of {PACKAGE}"]
        self.add("A5.1", wrong, f"{len(recorded)} sources by R6, {inner} of them in {PACKAGE}")
        if self.options.without_sources:
            self.add("A5.2", [], "not compared: --without-sources", NOT_APPLICABLE)
            return

        def moved(known: Mapping[str, str], where: str) -> list[str]:
            found = [f"{path}: recorded, and not in {where}" for path in recorded if path not in known]
            found += [f"{path}: in {where}, and not recorded" for path in known if path not in recorded]
            return found + disagreements(known, recorded, "{0}: recorded as {2}, " + where + " has {1}")

        dirty = ", and the manifest says that the tree was dirty" if self.manifest["git"].get("dirty") else ""
        here = moved(self.checkout.sources, "this checkout")
        then: dict[str, str] | str = "the manifest names no commit"
        if not here:
            self.report.compared = "this checkout"
            self.add("A5.2", [], f"{len(recorded)} of {len(recorded)} files equal to this checkout{dirty}")
            return
        if commit:
            known = re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", commit)
            then = (
                commit_sources(self.checkout.root, commit)
                if known
                else "the manifest's commit is no commit id"
            )
        if isinstance(then, str):
            said = f"could not be compared: they are not those of this checkout, and {then}"
            self.add("A5.2", here, said, COULD_NOT)
            return
        self.report.compared = f"commit {commit}"
        there = moved(then, "that commit")
        said = f"not those of commit {commit}{dirty}, nor of this checkout"
        if not there:
            where, self.report.outside = standing(self.checkout.root, commit)
            said = f"equal to commit {commit}{where}{dirty}"
        self.add("A5.2", there, said, failed=said)

    def verdicts(self, suite: Suite, at: list[str]) -> None:
        """Make A6.2 to A7.5: recompute every verdict from the raw candidate, and compare case by case."""
        rows, counts = self.results["cases"], self.report.counts
        wanted, found = [case["id"] for case in suite.cases], [case["id"] for case in rows]
        times = Counter(found)
        wrong = [f"case '{each}' is not in the results" for each in wanted if each not in times]
        wrong += [f"case '{each}' is not in the inputs" for each in sorted(times.keys() - set(wanted))]
        wrong += [f"case '{each}' is there {times[each]} times" for each in times if times[each] > 1]
        pairs = enumerate(zip(found, wanted)) if not wrong else ()
        wrong += [
            f"cases[{at}] is '{one}', the inputs have '{other}' there"
            for at, (one, other) in pairs
            if one != other
        ]
        there = len(times.keys() & set(wanted))
        self.add("A6.2", wrong, f"{there} of {len(wanted)} cases, once each, in order")
        own, sources = {}, by_id(suite.registry)
        requests = {name: prepared(asked, sources) for name, asked in suite.requests.items()}
        for case in suite.cases:
            at[1:] = [case["id"]]
            asked = requests[case["request"]]
            verdict = judge(suite.contract, suite.registry, asked, case["candidate"])
            said = {"expected": case["expected"], "prediction": case.get("prediction")}
            own[case["id"]] = {**said, **verdict}
        at[1:] = []
        unlike: set[str] = set()
        for ident, what, names, say in COMPARED:
            wrong, bad = ([] if there else ["no case was compared"]), set()
            for row in rows:
                mine = own.get(row["id"], {})
                mine = {name: mine[name] for name in names if name in mine}
                found = [f"case '{row['id']}': {each}" for each in disagreements(mine, row, say)]
                wrong += found
                bad |= {row["id"]} if found else set()
            unlike |= bad
            counts[what] = f"{there - len(bad)} of {len(own)}"
            self.add(ident, wrong, f"{counts[what]} {what}")
        counts["cases"] = f"{there - len(unlike)} of {len(own)}"
        self.totals(suite, own)

    def totals(self, suite: Suite, own: Mapping[str, dict[str, Any]]) -> None:
        """Make A8.1 and A8.2."""
        totals = recomputed_totals(suite, own)
        wrong = disagreements(totals, self.results["totals"], "totals.{0}: recomputed as {1}, recorded {2}")
        self.add("A8.1", wrong, f"{len(totals) - len(wrong)} of {len(totals)} totals recomputed")
        if self.report.published:
            pinned = suite.pinned_totals or {}  # read_suite has required them
            wrong = disagreements(totals, pinned, "{0}: pinned as {2}, recomputed as {1}")
            self.add("A8.2", wrong, f"{len(pinned) - len(wrong)} of {len(TOTALS)} pinned totals")
        else:
            self.add("A8.2", [], "pinned totals are those of frozen suites", NOT_APPLICABLE)


def audit(path: str, checkout: Checkout, options: argparse.Namespace, at: list[str]) -> Report:
    """Audit one directory; at says where the audit is, for a fault of the program to name."""
    at[:] = [path]
    report = Report(path)
    try:
        Examination(report, checkout, options).procedure(at)
        report.close()
    except CouldNot as error:
        report.add("A1.1", [str(error)], "could not be audited", COULD_NOT)
    except Exception as error:  # noqa: BLE001  (a fault of ours is never a verdict, and ends no other audit)
        report = Report(path, fault=True)
        confess(error, at)
    return report


# What is printed, and the command.


def put(text: str, end: str = "\n") -> None:
    """Print a text on standard output, with what its encoding cannot say escaped."""
    try:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + end)
        sys.stdout.flush()
    except (OSError, AttributeError, ValueError) as error:  # closed, full, or never there
        with contextlib.suppress(OSError, AttributeError, ValueError):  # the last flush is to go nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, OSError) and error.errno not in (None, errno.EPIPE, errno.EBADF):
            raise CouldNot(f"standard output: {error.strerror}") from None
        raise CouldNot("standard output is closed") from None


def complain(text: str) -> None:
    """Say a sentence on standard error, if there is one."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        for line in text.splitlines():
            sys.stderr.write(printable(line).encode("ascii", "backslashreplace").decode("ascii") + "\n")


def confess(error: Exception, at: list[str]) -> None:
    """Tell of a fault of this program, and where the audit was; what it held in memory goes first."""
    traceback.clear_frames(error.__traceback__)
    where = f", at {' case '.join(at)}" if at else ""
    told = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    complain(f"audit.py: a fault of this program{where}: {error!r}\n{told}")


def print_table(report: Report) -> None:
    """Print one directory: a line for each check, what was found, the counts, and the verdict last."""
    lines = []
    for check in report.checks.values():
        lines.append(f"{MARKS[check.state]:<7}{check.ident}  {check.name:<16} {check.said}")
        lines += ["       " + finding for finding in check.findings]
    states = Counter(check.state for check in report.checks.values())
    made = ", ".join(f"{count} {state}" for state, count in states.items())
    counts = [f"{count} {name}" for name, count in report.counts.items()]
    lines.append("; ".join([f"{len(report.checks)} of {len(CHECKS)} checks: {made}", *counts]))
    put("\n".join([*lines, f"run digest {report.run_digest or 'unknown'}", CANNOT_SHOW, report.verdict()]))


def print_line(report: Report) -> None:
    """Print one directory of several on one line."""
    bad = [check for check in report.checks.values() if check.state in (FAILED, COULD_NOT)]
    bad.sort(key=lambda check: check.said.startswith(NOT_MADE))
    why = [f"  {check.ident} {check.name}: {(*check.findings, check.said)[0]}" for check in bad][:1]
    digest = f"  run digest {report.run_digest or 'unknown'}"
    put(printable(f"{report.path}  {report.verdict()}{''.join(why)}{digest}"))


def as_json(report: Report) -> str:
    """Return one directory as a JSON object, in ASCII; a path that is no text has escapes of its own."""
    names = ("check", "name", "state", "said", "findings")
    text = not SURROGATE.search(report.path)
    value = {
        "path": report.path if text else printable(report.path),
        "verdict": report.verdict(),
        "exit_code": report.exit_code(),
        "run_digest": report.run_digest,
        "published": report.published,
        "sources_compared_with": report.compared,
        "counts": report.counts,
        "checks": [dict(zip(names, check)) for check in report.checks.values()],
    }
    return json.dumps(value)


def summary(tally: Mapping[tuple[int, str], int]) -> str:
    """Say how many directories have which verdict, and how many of these are limited by what."""
    said = []
    for code in (0, 1, 2, 3) if (3, "") in tally else (0, 1, 2):
        notes = ", ".join(f"{tally[each]} {each[1]}" for each in tally if each[0] == code and each[1])
        said.append(f"{tally.get((code, ''), 0)} {VERDICTS[code]}" + (f" ({notes})" if notes else ""))
    return ", ".join(said)


def audit_all(options: argparse.Namespace, root: str) -> int:
    """Audit each directory, print it and forget it; then the counts, also where this program fails."""
    checkout = read_checkout(root)
    tally: Counter[tuple[int, str]] = Counter()  # by exit code, of all and of each note
    several, code, at = len(options.directories) > 1, 3, [""]
    if options.format == "json":
        put('{"format": 1, "cannot_show": ' + json.dumps(CANNOT_SHOW) + ', "directories": [', end="")
    try:
        for number, path in enumerate(options.directories):
            report = audit(path, checkout, options, at)
            tally.update((report.exit_code(), each) for each in ("", *report.notes()))
            if options.format == "json":
                put((", " if number else "") + as_json(report), end="")
            elif several or not report.fault:
                (print_line if several else print_table)(report)
        code = next(code for code in (3, 1, 2, 0) if tally[code, ""])
    except KeyboardInterrupt:
        code = 130
        raise
    finally:
        if options.format == "json":
            put(f'], "summary": "{summary(tally)}", "verdict": "{VERDICTS[code]}", "exit_code": {code}}}')
    if several and options.format == "table":
        put(f"{len(options.directories)} directories: {summary(tally)}")
    return code


class Parser(argparse.ArgumentParser):
    """A parser that prints and complains as everything else here does."""

    def _print_message(self, message: str, _: Any = None) -> None:
        put(message, end="")  # argparse by itself ignores that standard output is closed

    def error(self, message: str) -> NoReturn:
        raise CouldNot(f"{message}; see audit.py --help")


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = Parser(prog="audit.py", allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.description = "Audit run directories, independently of the program that made them."
    parser.epilog = EXIT_CODES
    add = parser.add_argument
    add("directories", metavar="DIR", nargs="+", help="a run directory; after -- everything is one")
    add(
        "--expect",
        action="append",
        metavar="RUN-DIGEST",
        help="the SHA-256 of SHA256SUMS, as published; each DIR is held to it",
    )
    add("--format", action="append", choices=("table", "json"), help="table, or one JSON object")
    add("--without-sources", action="store_true", help="do not compare the sources")
    add("--version", action="version", version="audit.py of Grounded Claims, run directory format 1")
    given = sys.argv[1:] if arguments is None else arguments
    cut = given.index("--") if "--" in given else len(given)
    rest = given[cut + 1 :]  # for which one word stands where the parser reads
    options = parser.parse_intermixed_args([*given[:cut], *(["rest"] if rest else [])])
    options.directories[len(options.directories) - bool(rest) :] = rest
    for name in ("expect", "format"):
        values = getattr(options, name) or [None]
        if len(values) > 1:
            parser.error(f"argument --{name}: given more than once")
        setattr(options, name, values[0])
    options.format = options.format or "table"
    if options.expect is not None and not re.fullmatch("[0-9a-f]{64}", options.expect):
        parser.error("argument --expect: a run digest is 64 lower-case hexadecimal digits")
    return options


def main(arguments: list[str] | None = None, root: str = CHECKOUT) -> int:
    """Run the command by the checkout at root, and return its exit code."""
    try:
        return audit_all(read_arguments(arguments), root)
    except SystemExit:  # of argparse: --help and --version
        return 0
    except KeyboardInterrupt:
        return 130
    except CouldNot as error:
        complain(f"audit.py: {error}")
        return 2
    except Exception as error:  # noqa: BLE001  (outside of every audit)
        confess(error, [])
        return 3


if __name__ == "__main__":
    sys.exit(main())
