"""The contracts that a suite can name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from .base import AnyContract
from .config_claims import ConfigClaims
from .order_status import OrderStatus

CONTRACTS: Final[Mapping[str, AnyContract]] = MappingProxyType(
    {contract.name: contract for contract in (ConfigClaims(), OrderStatus())}
)
