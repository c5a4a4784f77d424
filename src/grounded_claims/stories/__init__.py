"""The story of a verdict: each layer in turn, what was found, what was expected, and what to change.

    story = tell(suite.contract, case.candidate, request, registry=suite.registry, pair=Pair(…))

Pure, and the same on every Python. A story holds raw text: whoever shows it escapes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..contracts.base import INVALID_JSON, LAYERS, AnyContract, Verdict
from ..strict_json import Malformed, Value, parse
from .config_claims import ConfigClaimsTeller
from .differences import difference
from .json_mends import clause_of
from .json_text import malformed_at, member_places
from .order_status import OrderStatusTeller
from .story import (
    Broken,
    Change,
    Difference,
    MalformedAt,
    Mark,
    Path,
    Run,
    Source,
    Step,
    Story,
    TextChange,
    listed,
    named,
)
from .teller import Teller

__all__ = [
    "Change",
    "Difference",
    "MalformedAt",
    "Mark",
    "Pair",
    "Run",
    "Source",
    "Step",
    "Story",
    "TextChange",
    "Undecoded",
    "read_bytes",
    "tell",
    "teller_of",
]

TELLERS: Final[Mapping[str, Teller]] = {
    "config-claims": ConfigClaimsTeller(),
    "order-status": OrderStatusTeller(),
}
_BOM: Final = "\ufeff"
_NO_SHAPE: Final = Broken(
    clause=None,
    sentence="The text is JSON, and not of the closed shape that this contract asks for.",
    found="another shape",
    expected="the closed shape of the contract",
    mend=("Give the answer the shape that docs/contract.md states, with no member more or less.",),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The accepted case that a reject is held against: its candidate, and the request it answers."""

    candidate: str
    request: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecoded:
    """Bytes that are no text (J8): where, and what stands there. `text` shows them as well as can be."""

    text: str
    offset: int
    reason: str


def read_bytes(data: bytes) -> str | Undecoded:
    """Read bytes as UTF-8, without guessing (J8)."""
    try:
        text = data.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        offset = len(data[: error.start].decode("utf-8"))
        reason = f"the byte 0x{data[error.start]:02x} is not UTF-8"
        return Undecoded(text=data.decode("utf-8", "replace"), offset=offset, reason=reason)
    if text.startswith(_BOM):
        return Undecoded(text=text, offset=0, reason="the bytes begin with a byte order mark")
    return text


def teller_of(contract: AnyContract) -> Teller:
    """Return what tells the stories of a contract; one that knows no contract where there is none."""
    return TELLERS.get(contract.name, _FALLBACK)


def tell(
    contract: AnyContract,
    candidate: str | Undecoded,
    request: Any,
    *,
    registry: Mapping[str, Any],
    pair: Pair | None = None,
) -> Story:
    """Tell the story of the verdict on one candidate."""
    teller = teller_of(contract)
    if isinstance(candidate, str):
        text, value = candidate, parse(candidate)
        verdict = contract.judge(text, request)
    else:
        text, value = candidate.text, Malformed(candidate.reason, candidate.offset)
        verdict = contract.judge(_BOM + text, request)  # J8: whatever the bytes stand for, it is no JSON text
    broken = _broken(teller, verdict, value, text=text, request=request, registry=registry)
    place = None if broken is None or broken.path is None else _place(text, value, broken.path)
    return Story(
        verdict=verdict,
        candidate=text,
        request=tuple((name, _plain(member)) for name, member in teller.request_members(request).items()),
        steps=tuple(_steps(verdict, broken, teller=teller, value=value, request=request)),
        sources=() if isinstance(value, Malformed) else teller.sources(verdict, value, request, registry),
        place=place,
        mend=() if broken is None else broken.mend,
        fooled=() if verdict.full_contract else tuple(layer for layer in LAYERS if verdict.passes(layer)),
        malformed=_malformed(text, value, broken, place) if verdict.status == INVALID_JSON else None,
        difference=_difference(teller, text, request, pair),
    )


_FALLBACK: Final = Teller()


def _plain(member: Value) -> str:
    """Write a member of a request as a person would; ids keep their ends apart."""
    if isinstance(member, list):
        return listed([named(str(item)) for item in member])
    return "none" if member is None else named(str(member))


def _broken(
    teller: Teller,
    verdict: Verdict,
    value: Value | Malformed,
    *,
    text: str,
    request: Any,
    registry: Mapping[str, Any],
) -> Broken | None:
    """Return the clause that decided, or None for an accepted candidate."""
    if isinstance(value, Malformed):
        clause, mend = clause_of(text, value)
        return Broken(
            clause=clause,
            sentence=f"This is not exactly one JSON value: {value.reason}.",
            found=value.reason,
            expected="exactly one JSON value",
            mend=(mend,),
        )
    if verdict.full_contract:
        return None
    if verdict.strict_json:
        return teller.broken_rule(verdict, value, request, registry)
    return teller.broken_shape(value) or _NO_SHAPE


def _place(text: str, value: Value | Malformed, path: Path) -> tuple[int, int]:
    """Return the deciding piece of the candidate: one character if it is malformed, else a value."""
    if isinstance(value, Malformed):
        return value.offset, min(value.offset + 1, len(text))
    return member_places(text)[path]


def _malformed(
    text: str, value: Value | Malformed, broken: Broken | None, place: tuple[int, int] | None
) -> MalformedAt:
    if isinstance(value, Malformed):
        return malformed_at(text, value.reason, value.offset)
    return malformed_at(text, broken.sentence if broken else "", place[0] if place else 0)


def _steps(
    verdict: Verdict, broken: Broken | None, *, teller: Teller, value: Value | Malformed, request: Any
) -> Iterator[Step]:
    """Tell each layer: it passes, it decides, or a layer before it rejects."""
    decided_by: str | None = None
    for layer in LAYERS:
        if verdict.passes(layer) and not isinstance(value, Malformed):
            yield Step(
                layer=layer,
                passed=True,
                decided=broken is None and layer == LAYERS[-1],
                clause=None,
                sentence=teller.passed(layer, value, request),
            )
        elif decided_by is None and broken is not None:
            decided_by = layer
            yield Step(
                layer=layer,
                passed=False,
                decided=True,
                clause=broken.clause,
                sentence=broken.sentence,
                found=broken.found,
                expected=broken.expected,
            )
        else:
            sentence = f"A layer before it rejects: {decided_by}."
            yield Step(layer=layer, passed=False, decided=False, clause=None, sentence=sentence)


def _difference(teller: Teller, text: str, request: Any, pair: Pair | None) -> Difference | None:
    if pair is None:
        return None
    return difference(
        text,
        pair.candidate,
        request=teller.request_members(request),
        pair_request=teller.request_members(pair.request),
    )
