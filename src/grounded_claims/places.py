"""Where the project's own files lie: in a checkout, or in an installed package that carries the fixtures."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent


def checkout() -> Path | None:
    """Return the root of the checkout that this package is part of, or None for an installed package."""
    root = PACKAGE.parent.parent
    return root if (root / "run.py").is_file() and (root / "fixtures").is_dir() else None


def program() -> str:
    """Say what to type before the name of a command, from the working directory of now."""
    import os
    import shlex

    root = checkout()
    if root is None:
        return "grounded-claims"
    path = str(root / "bootstrap.py")
    with suppress(ValueError):  # on Windows another drive has no relative path
        path = os.path.relpath(path)
    return f"python3 {shlex.quote(path)}"


def fixtures() -> Path:
    """Return the folder of the project's own suites and their pins."""
    root = checkout()
    return PACKAGE / "fixtures" if root is None else root / "fixtures"
