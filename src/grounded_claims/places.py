"""Where the project's own files lie: in a checkout, or in an installed package that carries the fixtures."""

from __future__ import annotations

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent


def checkout() -> Path | None:
    """Return the root of the checkout that this package is part of, or None for an installed package."""
    root = PACKAGE.parent.parent
    return root if (root / "run.py").is_file() and (root / "fixtures").is_dir() else None


def fixtures() -> Path:
    """Return the folder of the project's own suites and their pins."""
    root = checkout()
    return PACKAGE / "fixtures" if root is None else root / "fixtures"
