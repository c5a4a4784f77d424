"""Loads the package with one piece of its source replaced, beside the real one and under another name.

    package = Planted("strict_json.py", "MAX_UNITS: Final = 8192", "MAX_UNITS: Final = 8193")
    package.module("suite").load_suite(folder)

Every module of the package is made anew, so that a fault in one is a fault in all that use it; nothing of the
real package is changed. What is not replaced is compiled once.
"""

from __future__ import annotations

import functools
import importlib
import importlib.machinery
import itertools
import sys
import types
from collections.abc import Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "grounded_claims"
COUNT = itertools.count()


@functools.cache
def compiled(path: Path) -> types.CodeType:
    return compile(path.read_bytes(), str(path), "exec")


def replaced(file: str, old: str, new: str) -> types.CodeType:
    """Compile a file of the package with one piece replaced, which stands there exactly once."""
    path = PACKAGE / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    return compile(text.replace(old, new), str(path), "exec")


class Loader(InspectLoader):
    """Makes a module of a code object."""

    def __init__(self, path: Path, code: types.CodeType) -> None:
        self.path, self.code = path, code

    def get_source(self, fullname: str) -> str:
        return self.path.read_text(encoding="utf-8")

    def get_code(self, fullname: str) -> types.CodeType:
        return self.code

    def exec_module(self, module: types.ModuleType) -> None:
        module.__file__ = str(self.path)
        exec(self.code, module.__dict__)


class Planted(MetaPathFinder):
    """The package under a name of its own, with one fault; a context, since it stands in `sys.modules`."""

    def __init__(self, file: str, old: str, new: str) -> None:
        self.name = f"planted_{next(COUNT)}"
        self.fault = {PACKAGE / file: replaced(file, old, new)} if old else {}

    def __enter__(self) -> Planted:  # noqa: PYI034  # Self is not in Python 3.10
        sys.meta_path.insert(0, self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        for name in [name for name in sys.modules if (name + ".").startswith(self.name + ".")]:
            del sys.modules[name]

    def module(self, name: str) -> Any:
        """Import a module of the package: `suite`, `contracts.base`."""
        return importlib.import_module(f"{self.name}.{name}" if name else self.name)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        top, *parts = fullname.split(".")
        if top != self.name:
            return None
        place = PACKAGE.joinpath(*parts)
        folder = place.is_dir()
        file = place / "__init__.py" if folder else place.with_suffix(".py")
        code = self.fault[file] if file in self.fault else compiled(file)
        spec = importlib.machinery.ModuleSpec(
            fullname, Loader(file, code), origin=str(file), is_package=folder
        )
        if folder:
            spec.submodule_search_locations = [str(place)]
        return spec
