"""Why a mutant may live: module and change, to the reason. See mutation.py, which prints them."""

from __future__ import annotations

from typing import Final

REASONS: Final[dict[tuple[str, str], str]] = {}
