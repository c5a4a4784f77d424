"""One row to its verdict row, pure: the readable statement that every faster path is held to.

    1. the line is UTF-8, not blank, and strict JSON by J2 to J7 (without the limit of J1)
    2. it is an object; its `id` is a string, an integer or null, and an absent one is null
    3. its `candidate` is a string, its `request` the name of a request of the suite or a request itself
    4. the contract decides

A row that fails one of 1 to 3 has no verdict: an error row stands in its place. A member beside the three is
ignored, yet it has to be strict JSON too, nested at most `MAX_DEPTH` deep.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from ..contracts.base import LAYERS, Verdict
from ..errors import EXIT_FAULT, GroundedClaimsError, RequestError
from ..gate import Gate
from ..shapes import kind, listed, nearest, shown
from ..strict_json import Malformed, Number, Value, parse
from ..suite import Suite
from .tally import Tally

MAX_DEPTH: Final = 64
MAX_REASON: Final = 400  # characters of an error
BYTE_ORDER_MARK: Final = "\ufeff"
MAX_LISTED: Final = 20  # names of requests
MAX_SHOWN: Final = 60  # characters of a number
CACHE_BYTES: Final = 2 * 2**20

#: Status and outcome: what is counted of a verdict.
Kind: TypeAlias = "tuple[str, str]"
#: The end of a verdict row, after the id, and what is counted of it.
Ending: TypeAlias = "tuple[bytes, Kind]"


class JudgingLineError(GroundedClaimsError):
    """The program itself failed at a row; never counted as a rejection."""

    exit_code = EXIT_FAULT

    def __init__(self, number: int, cause: BaseException) -> None:
        super().__init__(f"line {number}: the judging itself failed: {type(cause).__name__}: {cause}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row that can be judged. `id` is its JSON text."""

    id: bytes
    candidate: str
    request: str | Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Why a row cannot be judged, and its id as far as it has one."""

    reason: str
    id: bytes = b"null"


class RowJudge:
    """Judges rows by a suite's contract, one at a time."""

    def __init__(self, suite: Suite) -> None:
        self._gate = Gate(suite)
        self._requests = Requests(suite, self._gate)

    def judge_chunk(self, data: bytes, first: int) -> tuple[bytes, Tally]:
        """Judge whole lines, the first of which has the number given."""
        judged = [self.judge(line, number) for number, line in enumerate(split_lines(data), first)]
        return b"".join(row for row, _ in judged), Tally.of(kind for _, kind in judged)

    def judge(self, line: bytes, number: int) -> tuple[bytes, Kind | None]:
        """Return the row that answers a line, and what is counted of it: None for an error."""
        row = read_row(line)
        if isinstance(row, Unjudged):
            return error_row(number, row), None
        request = self._requests.find(row.request)
        if isinstance(request, Unjudged):
            return error_row(number, Unjudged(request.reason, row.id)), None
        try:
            verdict = self._gate.judge(row.candidate, request)
        except Exception as error:
            raise JudgingLineError(number, error) from error
        end, counted = ending(verdict)
        return b'{"line":%d,"id":%b%b' % (number, row.id, end), counted


def split_lines(data: bytes) -> list[bytes]:
    """Cut whole lines apart; only LF ends one, and the last may lack it."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def read_row(line: bytes) -> Row | Unjudged:
    """Read a line as a row, or say why it is none."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        return Unjudged(f"the row is not UTF-8: byte {error.start + 1} of the line does not belong there")
    if not text.strip(" \t\r"):
        return Unjudged("the row is blank")
    if text.startswith(BYTE_ORDER_MARK):
        return Unjudged("the row begins with a byte order mark; save the file as UTF-8 without one")
    value = parse(text, max_units=None, max_depth=MAX_DEPTH)
    if isinstance(value, Malformed):
        return Unjudged(f"the row is not strict JSON: {value.reason}, at column {value.offset + 1}")
    if not isinstance(value, dict):
        return Unjudged(f"{_kind(value)} stands where an object belongs")
    return _read_members(value)


def _read_members(members: dict[str, Value]) -> Row | Unjudged:
    identity = read_id(members.get("id"))
    if identity is None:
        return Unjudged(f"id: {_kind(members['id'])} stands where a string, an integer or null belongs")
    for name in ("candidate", "request"):
        if name not in members:
            return Unjudged(f"{name!r} is missing", identity)
    candidate, request = members["candidate"], members["request"]
    if not isinstance(candidate, str):
        mend = "give the raw text, as a JSON string (json.dumps(text))"
        return Unjudged(f"candidate: {_kind(candidate)} stands where a string belongs; {mend}", identity)
    if not isinstance(request, str | dict):
        return Unjudged(
            f"request: {_kind(request)} stands where the name of a request or a request belongs", identity
        )
    return Row(id=identity, candidate=candidate, request=request)


def read_id(value: Value) -> bytes | None:
    """Return the JSON text of an id, or None for what is no id. An integer keeps its digits as written."""
    if value is None:
        return b"null"
    if isinstance(value, str):
        return json_text(value)
    if isinstance(value, Number) and _INTEGER.fullmatch(value.literal):
        return value.literal.encode()
    return None


_INTEGER: Final = re.compile(r"-?[0-9]+")


def ending(verdict: Verdict) -> Ending:
    """Write what follows the id in a verdict row, up to its line feed."""
    members = {
        "status": verdict.status,
        **{layer: verdict.passes(layer) for layer in LAYERS},
        "outcome": verdict.outcome,
        "claim": verdict.claim,
        "accepted": dict(verdict.accepted),
    }
    return b",%b\n" % json_text(members)[1:], (verdict.status, verdict.outcome)


def error_row(number: int, row: Unjudged) -> bytes:
    """Write the row that stands in the place of one that cannot be judged."""
    reason = row.reason if len(row.reason) <= MAX_REASON else row.reason[: MAX_REASON - 1] + "…"
    return b'{"line":%d,"id":%b,"error":%b}\n' % (number, row.id, json_text(reason))


def json_text(value: object) -> bytes:
    """Write a value as JSON, in the one way that all rows are written."""
    return _encode(value).encode()


_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _kind(value: Value) -> str:
    return f"the number {shown(value.literal)}" if isinstance(value, Number) else kind(value)


class Bounded(dict[bytes, Any]):
    """What was made from some bytes, kept while all those bytes together are few enough."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        super().__init__()
        self._limit = limit
        self._held = 0

    def keep(self, key: bytes, value: object) -> None:
        """Keep a value; where there is no room, everything goes first."""
        if self._held + len(key) > self._limit:
            self.clear()
            self._held = 0
        if len(key) <= self._limit:
            self[key] = value
            self._held += len(key)


class Requests:
    """The requests of rows: those of the suite by name, others built from their members and kept."""

    def __init__(self, suite: Suite, gate: Gate) -> None:
        self._named = suite.requests
        self._gate = gate
        self._built = Bounded()

    def find(self, value: str | Mapping[str, Value]) -> Any:
        """Return a request of the suite's contract, or an `Unjudged` that says why there is none."""
        if isinstance(value, str):
            return self._named[value] if value in self._named else self._unknown(value)
        number = next(_numbers(value), None)
        if number is not None:
            request = self._build(_spelled(value))
            within = Unjudged(f"request: the number {shown(number)} stands in it, where text belongs")
            return request if isinstance(request, Unjudged) else within
        key = json_text(value)
        request = self._built.get(key)
        if request is None:
            request = self._build(value)
            self._built.keep(key, request)
        return request

    def _build(self, members: Mapping[str, Any]) -> Any:
        try:
            return self._gate.request(members)
        except RequestError as error:
            faults = "; ".join(
                f"request.{fault}" if fault.path else f"request: {fault}" for fault in error.faults
            )
            return Unjudged(faults)

    def _unknown(self, name: str) -> Unjudged:
        known = f"; known: {listed(self._named)}" if 0 < len(self._named) <= MAX_LISTED else ""
        near = nearest(name, self._named) or known
        return Unjudged(f"request: {shown(name)} is not the name of a request of the suite{near}")


class _Spelled(int):
    """A number that stands in a request, where none belongs; it shows as it is written."""

    literal: str

    def __str__(self) -> str:
        return self.literal


def _spelled(value: Any) -> Any:
    """Return a value in which every number names itself in a message."""
    if isinstance(value, Number):
        number = _Spelled()
        number.literal = value.literal if len(value.literal) <= MAX_SHOWN else f"{value.literal[:MAX_SHOWN]}…"
        return number
    if isinstance(value, Mapping):
        return {name: _spelled(member) for name, member in value.items()}
    return [_spelled(item) for item in value] if isinstance(value, list) else value


def _numbers(value: object) -> Any:
    """Give the literals of the numbers in a value."""
    if isinstance(value, Number):
        yield value.literal
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _numbers(member)
    elif isinstance(value, list):
        for item in value:
            yield from _numbers(item)
