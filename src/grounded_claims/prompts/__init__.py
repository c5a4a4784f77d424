"""Ready prompts and the schemas of candidates, by the name of the contract.

A prompt asks for what the contract takes; whether a model gave it is for the gate to say. Nothing here calls
a model, and nothing of the gate depends on what stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from . import config_claims, order_status
from .base import Prompt

PROMPTS: Final[Mapping[str, Prompt]] = MappingProxyType(
    {
        "config-claims": Prompt(text=config_claims.text, schema=config_claims.SCHEMA),
        "order-status": Prompt(text=order_status.text, schema=order_status.SCHEMA),
    }
)
