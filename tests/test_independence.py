"""The two implementations share no code, and within src/ each module imports only from those before it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "grounded_claims"
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

#: The names in the first column of the table of docs/layout.md, in its order: files, patterns and folders.
ORDER = tuple(
    name
    for row in re.findall(
        r"^\| (`.+?`) \|", (ROOT / "docs" / "layout.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    for name in re.findall(r"`([^`]+)`", row)
)


def places(name: str) -> list[int]:
    """Return the places of a module in the order: one, if the table is right."""
    return [
        number
        for number, pattern in enumerate(ORDER)
        if fnmatch(name, f"{pattern}*" if pattern.endswith("/") else pattern)
    ]


def statements(path: Path) -> Iterator[ast.AST]:
    yield from ast.walk(ast.parse(path.read_text(encoding="utf-8"), filename=str(path)))


def imported(path: Path) -> set[str]:
    """Return the full names of the modules that a file imports, anywhere in it, but for type checkers."""
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
                base = ".".join((*parts[: -node.level], *([base] if base else [])))
            found.update(f"{base}.{alias.name}" for alias in node.names)
            found.add(base)
    return found


def module_of(name: str) -> str | None:
    """Return the file of the package in which an imported name lives, or None for one that is elsewhere."""
    if name != "grounded_claims" and not name.startswith("grounded_claims."):
        return None
    parts = name.split(".")[1:]
    while parts:
        for candidate in ("/".join(parts) + ".py", "/".join(parts) + "/__init__.py"):
            if candidate in MODULES:
                return candidate
        parts.pop()
    return "__init__.py"


def used_by(name: str) -> set[str]:
    """Return the modules of the package that a module imports, but for the packages in which it stands."""
    own = {"__init__.py", (Path(name).parent / "__init__.py").as_posix(), name}
    return {found for found in map(module_of, imported(PACKAGE / name)) if found} - own


def test_every_module_stands_once_in_the_table_of_the_layout() -> None:
    assert {name: places(name) for name in MODULES if len(places(name)) != 1} == {"__init__.py": []}
    assert {number for name in MODULES for number in places(name)} == set(range(len(ORDER)))


@pytest.mark.parametrize("name", [name for name in MODULES if name != "__init__.py"])
def test_a_module_imports_only_from_those_before_it(name: str) -> None:
    assert {each for each in used_by(name) if places(each) > places(name)} == set()


def test_the_package_imports_its_modules_only_when_they_are_asked_for() -> None:
    assert used_by("__init__.py") == set()


def test_no_module_imports_itself_by_way_of_others() -> None:
    reached = {name: used_by(name) for name in MODULES}
    for _ in MODULES:
        reached = {name: uses.union(*(reached[each] for each in uses)) for name, uses in reached.items()}
    assert [name for name, uses in reached.items() if name in uses] == []


@pytest.mark.parametrize(
    "name", ["contracts/config_claims.py", "contracts/order_status.py", "strict_json.py", "gate.py"]
)
def test_deciding_code_has_no_clock_no_files_and_no_environment(name: str) -> None:
    impure = {
        "os",
        "sys",
        "io",
        "time",
        "datetime",
        "pathlib",
        "random",
        "subprocess",
        "socket",
        "locale",
        "logging",
    }
    assert {each.split(".")[0] for each in imported(PACKAGE / name)} & impure == set()
    called = {
        node.func.id
        for node in statements(PACKAGE / name)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert called & {"open", "print", "input", "eval", "exec"} == set()


def test_the_contracts_do_not_know_each_other() -> None:
    files = {module_of(name) for name in imported(PACKAGE / "contracts/config_claims.py")}
    assert "contracts/order_status.py" not in files
    files = {module_of(name) for name in imported(PACKAGE / "contracts/order_status.py")}
    assert "contracts/config_claims.py" not in files


@pytest.mark.parametrize("name", ["run.py", "audit.py", *(f"src/grounded_claims/{each}" for each in MODULES)])
def test_nothing_is_decided_by_an_assert_statement(name: str) -> None:
    """They are gone under `python -O`; one that tells a type checker what is not None decides nothing."""
    asserted = [ast.unparse(node.test) for node in statements(ROOT / name) if isinstance(node, ast.Assert)]
    assert [each for each in asserted if not each.endswith(" is not None")] == []


def is_wide(node: ast.AST) -> bool:
    """Tell whether a handler catches any exception."""
    return isinstance(node, ast.ExceptHandler) and (
        node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
    )


def raises_at_its_end(node: ast.AST) -> bool:
    """Tell whether what a handler caught goes on, as itself or as the cause of a named error."""
    return isinstance(node, ast.ExceptHandler) and isinstance(node.body[-1], ast.Raise)


#: Where any exception ends: the shells of the two programs, and the auditor's around each directory, so that
#: the others are still audited; the gate and the sender of a worker's rows hand it to the waiting thread.
SHELLS = {
    "audit.py": 2,
    "src/grounded_claims/command_line.py": 1,
    "src/grounded_claims/gate.py": 1,
    "src/grounded_claims/judging/workers.py": 1,
}


def test_any_exception_ends_only_in_a_shell() -> None:
    ends = {
        name: sum(is_wide(node) and not raises_at_its_end(node) for node in statements(ROOT / name))
        for name in ("run.py", "audit.py", *(f"src/grounded_claims/{each}" for each in MODULES))
    }
    assert {name: count for name, count in ends.items() if count} == SHELLS


# The auditor


def test_the_auditor_imports_nothing_of_the_runner() -> None:
    names = {name.split(".")[0] for name in imported(ROOT / "audit.py")}
    outside = names - set(sys.stdlib_module_names) - {"__future__"}
    assert outside <= {"yaml", "jsonschema", "tabulate"}
    text = (ROOT / "audit.py").read_text(encoding="utf-8")
    words = ("__import__", "runpy", "exec(", "eval(", "sys.path", "import grounded", "from grounded")
    assert [word for word in words if word in text] == []


def test_the_runner_imports_nothing_of_the_auditor() -> None:
    for name in MODULES:
        assert not {each for each in imported(PACKAGE / name) if each.split(".")[0] == "audit"}


def test_the_auditor_runs_where_there_is_no_runner(tmp_path: Path) -> None:
    run = [sys.executable, str(ROOT / "run.py"), "--out", str(tmp_path / "run")]
    subprocess.run(run, check=True, capture_output=True)
    for name in ("audit.py", "manifest.schema.json", "results.schema.json", "fixtures/frozen.sha256"):
        (tmp_path / "alone" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / "alone" / name)
    audit = [sys.executable, "-I", str(tmp_path / "alone" / "audit.py"), str(tmp_path / "run")]
    alone = subprocess.run([*audit, "--without-sources"], capture_output=True, text=True, check=False)
    assert (alone.returncode, alone.stderr) == (0, "")
    assert "22 of 22" in alone.stdout
    compared = subprocess.run(audit, capture_output=True, text=True, check=False)
    assert compared.returncode == 2
