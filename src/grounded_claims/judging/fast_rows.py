"""Rows by typed decoding with msgspec, as far as it can prove them; the rest goes to rows.py.

msgspec takes exactly the texts of RFC 8259 with strict UTF-8 and paired surrogates, with two differences that
matter: it keeps the last of doubled names, and where it skips a value it does not look into its strings. So a
row is proved by what follows from its closed shape, in which the number of strings is known.

Let a line hold one object, of which the decoder kept some names and strings. Each of them stands between two
quotation marks, and each mark within a string is written `\\"`, if the line holds no `\\u0022`. A doubled
name that was dropped adds at least two marks more. So if the marks of the line are exactly those that the
kept names and strings account for, nothing was dropped. The same proves the candidate, and a request.

    1. the line is UTF-8 and holds no `u0022` (looked for in a whole chunk first, since that is cheap)
    2. it decodes into the closed `Row`; or, with further members, into plain values of which an encoding has
       as many quotation marks as the line
    3. the request's text was met before, or its reading is proved by the contract's fast path
    4. the marks of the line are counted, without those around its names and strings, and those of the request
    5. so are those of the id, which is a string, an integer or null
    6. what is left is the candidate's: the contract's fast path accounts for them, and proves the verdict
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import DecodeError, Raw, Struct, ValidationError

from ..contracts.base import NOTHING, Verdict
from ..gate import Gate
from ..strict_json import MAX_UNITS, Malformed, is_longer, parse
from ..suite import Suite
from .rows import (
    MAX_DEPTH,
    Bounded,
    Ending,
    Kind,
    Requests,
    RowJudge,
    Unjudged,
    ending,
    read_id,
    split_lines,
)
from .tally import Tally

_ABSENT: Final = Raw(b"null")
_MARK: Final = ord('"')
_BACKSLASH: Final = ord("\\")


class Row(Struct, forbid_unknown_fields=True, gc=False):
    """A row of the closed shape."""

    candidate: str
    request: Raw
    id: Raw = _ABSENT


class OpenRow(Struct, gc=False):
    """A row with further members."""

    candidate: str
    request: Raw
    id: Raw = _ABSENT


_decode_row: Final = msgspec.json.Decoder(Row).decode
_decode_open_row: Final = msgspec.json.Decoder(OpenRow).decode
_decode_any: Final = msgspec.json.Decoder().decode
_encode_any: Final = msgspec.json.Encoder().encode


class FastContract(ABC):
    """What one contract can prove by typed decoding."""

    def __init__(self, suite: Suite) -> None:
        self.registry = suite.registry
        self.gate = Gate(suite)
        self._endings: dict[tuple[str, str, int | None], Ending] = {}

    def read_request(self, text: bytes) -> Any:  # noqa: ARG002  # a contract may prove nothing here
        """Return the request that `Contract.read_request` would build from a JSON text, or None."""
        return None

    @abstractmethod
    def plan(self, request: Any) -> Any:
        """Prepare what `prove` needs of a request."""

    @abstractmethod
    def prove(self, candidate: str, left: int, plan: Any) -> Ending | None:
        """Return the ending of the verdict row, or None where it cannot be proved.

        `left` marks of the line are the candidate's, unless a doubled name was dropped; so there are at least
        as many as the candidate holds, and the row is proved only if there are no more.
        """

    def decide(self, candidate: str, left: int, request: Any) -> Ending | None:
        """Let the contract judge a candidate that cannot be proved, if the rest of the row is proved.

        A text beyond the limit of J1 has the verdict of the empty text, and need not be looked at.
        """
        if left != candidate.count('"'):
            return None
        return self.end(self.gate.judge("" if is_longer(candidate, MAX_UNITS) else candidate, request))

    def end(self, verdict: Verdict) -> Ending:
        """Return the ending of a verdict; there are few, apart from the accepted mapping."""
        key = verdict.status, verdict.outcome, verdict.claim
        found = self._endings.get(key)
        if found is None:
            found = self._endings[key] = ending(replace(verdict, accepted=NOTHING))
        if not verdict.accepted:
            return found
        text, kind = found
        return b"%b%b}\n" % (text.removesuffix(b"{}}\n"), _encode_any(dict(verdict.accepted))), kind


@dataclass(frozen=True, slots=True)
class _Bound:
    """What some text of a request stands for, and how many quotation marks the text holds."""

    plan: Any
    marks: int


#: From a line to its id and the ending of its verdict row, or None where there is no proof.
Prove: TypeAlias = "Callable[[bytes], tuple[bytes, Ending] | None]"


class FastRowJudge:
    """Judges rows to the same bytes as a `RowJudge`, which it asks where it has no proof."""

    def __init__(self, suite: Suite, contract: FastContract) -> None:
        self._reference = RowJudge(suite)
        self._requests = Requests(suite, Gate(suite))
        self._contract = contract
        self._bound = Bounded()
        self.handed_over = 0

    def judge_chunk(self, data: bytes, first: int) -> tuple[bytes, Tally]:
        """Judge whole lines, the first of which has the number given.

        The loop proves the commonest row by itself: its request was met before, and its id is absent, all
        digits, or a string without escapes. `_prove` says the same at leisure.
        """
        rows: list[bytes] = []
        kinds: list[Kind | None] = []
        decode, bounds, prove = _decode_row, self._bound, self._contract.prove
        end: Ending | None
        plain = _plain(data)  # 1
        for number, line in enumerate(split_lines(data), first):
            end, prove_oddity = None, self._prove
            if plain:
                try:
                    row = decode(line)  # 2
                    bound = bounds[bytes(row.request)]  # 3
                    identity = bytes(row.id)
                    if identity[0] == _MARK and _BACKSLASH not in identity:  # 5
                        around = 10
                    else:
                        around = 8 if identity.isdigit() else 6 if row.id is _ABSENT else 0
                    if around:
                        end = prove(
                            row.candidate, line.count(b'"') - bound.marks - around, bound.plan
                        )  # 4, 6
                except ValidationError:
                    prove_oddity = self._prove_open
                except (DecodeError, KeyError, RecursionError):
                    pass
            if end is not None:
                rows.append(b'{"line":%d,"id":%b%b' % (number, identity, end[0]))
                kinds.append(end[1])
            else:
                written, kind = self._carefully(line, number, prove_oddity)
                rows.append(written)
                kinds.append(kind)
        return b"".join(rows), Tally.of(kinds)

    def _carefully(self, line: bytes, number: int, prove: Prove) -> tuple[bytes, Kind | None]:
        """Prove a row that is out of the ordinary, or let the reference judge it."""
        found = prove(line) if _plain(line) else None
        if found is None:
            self.handed_over += 1
            return self._reference.judge(line, number)
        identity, (text, kind) = found
        return b'{"line":%d,"id":%b%b' % (number, identity, text), kind

    def _prove(self, line: bytes) -> tuple[bytes, Ending] | None:
        """Return the id and the ending of the row that a `RowJudge` would write, or None."""
        try:
            row = _decode_row(line)  # 2
        except ValidationError:
            return self._prove_open(line)
        except (DecodeError, RecursionError):
            return None
        raw = bytes(row.request)
        bound = self._bound.get(raw) or self._bind(raw)  # 3
        if bound is None:
            return None
        raw = bytes(row.id)
        identity = _write_id(raw)  # 5
        if identity is None:
            return None
        left = line.count(b'"') - bound.marks - raw.count(b'"') - (6 if row.id is _ABSENT else 8)  # 4
        end = self._contract.prove(row.candidate, left, bound.plan)  # 6
        return None if end is None else (identity, end)

    def _prove_open(self, line: bytes) -> tuple[bytes, Ending] | None:
        """Do the same for a row with further members, of which an encoding shows what was kept."""
        try:
            row = _decode_open_row(line)
            value = _decode_any(line)
        except (DecodeError, RecursionError):
            return None
        deep = line.count(b"[") + line.count(b"{") > MAX_DEPTH and _nests_deeper(value, MAX_DEPTH)
        if deep or _encode_any(value).count(b'"') != line.count(b'"'):
            return None
        raw = bytes(row.request)
        bound = self._bound.get(raw) or self._bind(raw)
        identity = _write_id(bytes(row.id))
        if bound is None or identity is None:
            return None
        end = self._contract.prove(row.candidate, row.candidate.count('"'), bound.plan)
        return None if end is None else (identity, end)

    def _bind(self, text: bytes) -> _Bound | None:
        """Prepare the request that a JSON text stands for, or return None for what is none."""
        request = self._contract.read_request(text)
        if request is None:
            value = parse(text.decode(), max_units=None, max_depth=MAX_DEPTH)
            if isinstance(value, Malformed) or not isinstance(value, str | dict):
                return None
            request = self._requests.find(value)
            if isinstance(request, Unjudged):
                return None
        bound = _Bound(self._contract.plan(request), text.count(b'"'))
        self._bound.keep(text, bound)
        return bound


def _plain(data: bytes) -> bool:
    """Tell whether some bytes are UTF-8 and write no quotation mark by its number."""
    if b"u0022" in data:
        return False
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def _nests_deeper(value: Any, limit: int) -> bool:
    """Tell whether objects and arrays nest deeper than a limit."""
    level = [value]
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
        if not level:
            return False
    return True


_NUMBER_ID: Final = re.compile(rb"-?[0-9]+|null")


def _write_id(text: bytes) -> bytes | None:
    """Write an id, a JSON value, as rows.py does, or return None for what is no id."""
    if _NUMBER_ID.fullmatch(text):
        return text
    if text[0] != _MARK:
        return None
    return text if _BACKSLASH not in text else read_id(_decode_any(text))
