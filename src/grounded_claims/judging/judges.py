"""The judge for a suite: the fast path where it is installed and wanted, else the reference."""

from __future__ import annotations

import io
import pickle
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Final, Protocol

from ..suite import Suite
from .lines import MAX_LINE, Chunk
from .rows import RowJudge, Unjudged, error_row
from .tally import Tally

#: Contract to the module and the class of its fast path. A contract without one is judged by the reference.
FAST: Final = {
    "config-claims": ("fast_config_claims", "FastConfigClaims"),
    "order-status": ("fast_order_status", "FastOrderStatus"),
}


class Judge(Protocol):
    """Judges whole lines to rows, and counts them."""

    def judge_chunk(self, data: bytes, first: int) -> tuple[bytes, Tally]:
        """Judge whole lines, the first of which has the number given."""


def has_fast_path(contract: str) -> bool:
    """Tell whether a contract has a fast path, and its library is installed."""
    return contract in FAST and find_spec("msgspec") is not None


def make_judge(suite: Suite, *, reference: bool = False) -> Judge:
    """Make the fastest judge there is, or the reference."""
    name = suite.contract.name
    if reference or not has_fast_path(name):
        return RowJudge(suite)
    module, contract = FAST[name]
    rows = import_module(".fast_rows", __package__)
    prover = getattr(import_module(f".{module}", __package__), contract)(suite)
    judge: Judge = rows.FastRowJudge(suite, prover)
    return judge


def judge_chunk(judge: Judge, chunk: Chunk) -> tuple[bytes, Tally]:
    """Judge a chunk, or say of a line that it is too long."""
    return too_long(chunk) if chunk.data is None else judge.judge_chunk(chunk.data, chunk.first)


def too_long(chunk: Chunk) -> tuple[bytes, Tally]:
    """Return the error row of a line that is too long to be held."""
    return error_row(chunk.first, Unjudged(f"the row is longer than {MAX_LINE} bytes")), Tally.of([None])


def pickled(value: object) -> bytes:
    """Write a suite for another process of ours: a pickle, in which read-only mappings stay what they are."""
    target = io.BytesIO()
    _Pickler(target, pickle.HIGHEST_PROTOCOL).dump(value)
    return target.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        return (_read_only, (dict(value),)) if type(value) is MappingProxyType else NotImplemented


def _read_only(members: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(members)
