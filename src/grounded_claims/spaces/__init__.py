"""The spaces that can be explored, by contract."""

from __future__ import annotations

from typing import Any, Final

from ..contracts.base import AnyContract
from ..errors import UsageError
from .config_claims import ConfigClaimsSpace
from .order_status import OrderStatusSpace
from .space import Point, Space

__all__ = ["Point", "Space", "space_of"]

_SPACES: Final[dict[str, Any]] = {
    "config-claims": ConfigClaimsSpace,
    "order-status": OrderStatusSpace,
}


def space_of(contract: AnyContract, registry: Any, request: Any, *, most: int) -> Space:
    """Return the space of a contract for one request, with at most so many claims (or fact ids)."""
    if contract.name not in _SPACES:
        raise UsageError(
            f"the contract {contract.name} has no vocabulary to explore; {' and '.join(_SPACES)} have"
        )
    space: Space = _SPACES[contract.name](contract, registry, request, most=most)
    return space
