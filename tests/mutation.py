"""Mutation testing: small changes of the deciding code, one at a time, each of which some test must notice.

    python tests/mutation.py [MODULE …] [--jobs N] [--every N]

prints for each module how many of its mutants the quick tests kill, and every survivor with the reason why it
may live; a survivor without a reason, or fewer than 95 of 100 killed, is exit code 1.
It is no part of the continuous checks; docs/decisions/mutation-testing.md says why, and why no
package does it.

Each mutant is tried in a process of its own, forked from one that has imported pytest; there the mutated
module takes the place of the real one, and the tests of its row run until the first fails.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import gc
import importlib.machinery
import os
import signal
import sys
import time
import types
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.abc import InspectLoader, MetaPathFinder
from pathlib import Path
from typing import Final

import jsonschema  # noqa: F401  # imported before anything is forked
import pytest
import tabulate  # noqa: F401
import yaml  # noqa: F401

ROOT: Final = Path(__file__).resolve().parent.parent
SECONDS: Final = 120  # for the tests of one mutant; what takes longer does not end
WANTED: Final = 95  # of 100

sys.path[:0] = [str(Path(__file__).parent)]

from mutants import REASONS  # noqa: E402


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """What is mutated: a file, the name that it is imported by, its functions (or all), and its tests.

    What survives those meets them again without the C accelerator of `json`, if `slow_json`.
    """

    file: str
    name: str
    tests: tuple[str, ...]
    functions: tuple[str, ...] = ()
    part: str = ""
    slow_json: bool = False

    @property
    def called(self) -> str:
        """What the command calls it."""
        end = f"-{self.part}" if self.part else ""
        return self.file.rpartition("/")[2].removesuffix(".py") + end

    @property
    def title(self) -> str:
        return f"{self.file}, {self.part}" if self.part else self.file


def package(file: str, *tests: str, slow_json: bool = False) -> Module:
    name = "grounded_claims." + file.removesuffix(".py").replace("/", ".")
    return Module(file=f"src/grounded_claims/{file}", name=name, tests=tests, slow_json=slow_json)


MODULES: Final = {
    module.called: module
    for module in (
        package(
            "strict_json.py",
            "test_strict_json.py",
            "test_survivors.py",
            "test_config_claims.py",
            slow_json=True,
        ),
        package("contracts/base.py", "test_config_claims.py", "test_order_status.py", "test_runner.py"),
        package(
            "contracts/config_claims.py",
            "test_config_claims.py",
            "test_survivors.py",
            "test_suite.py",
            "test_mistakes.py",
        ),
        package(
            "contracts/order_status.py",
            "test_order_status.py",
            "test_survivors.py",
            "test_order_registry.py",
            "test_suite.py",
        ),
        package("suite.py", "test_survivors.py", "test_suite.py", "test_mistakes.py", "test_new_contract.py"),
        package("cases.py", "test_survivors.py", "test_suite.py", "test_mistakes.py"),
        package("run_directory.py", "test_run_directory.py", "test_survivors.py", "test_runner.py"),
        Module(
            file="audit.py",
            name="audit",
            part="judging",
            tests=("test_archives.py", "test_agreement.py", "test_audit.py"),
            functions=(
                *("units", "finish_string", "tokens", "parse_json", "prepared", "in_scope", "is_current"),
                *("by_id", "config_decision", "order_decision", "judge"),
            ),
        ),
        Module(
            file="audit.py",
            name="audit",
            part="checks",
            tests=("test_archives.py", "test_audit.py", "test_agreement.py"),
            functions=(
                *("check", "check_rows", "check_members", "in_text", "paired", "known_names"),
                *("frozen_faults", "read_suite", "suite_digest", "recomputed_totals", "disagreements"),
                *("digests", "sums_form", "agreeing", "listed_names", "bound", "frozen"),
                *("verdicts", "totals"),
            ),
        ),
    )
}
#: Tests that start processes: these run the real files, and notice no mutant.
ELSEWHERE: Final = (
    "test_j7_the_interpreter or test_j7_reading_is_the_same or test_an_installed_package or sha256sum "
    "or test_the_same_everywhere or test_standard_output or takes_all_memory or names_that_are_hostile"
)


# Mutants


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change: where, what it was and what it is, and the whole module with it."""

    line: int
    was: str
    now: str
    code: types.CodeType

    def __str__(self) -> str:
        return f"{self.was}  ->  {self.now}"


COMPARED: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
CALLED: Final = {"any": "all", "all": "any", "sorted": "list", "reversed": "iter", "min": "max", "max": "min"}
ADDED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mult: ast.FloorDiv,
}


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a node."""
    if isinstance(node, ast.expr):
        yield from expressions(node)
    elif isinstance(node, (ast.If, ast.While)):
        yield type(node)(ast.Constant(False), node.body, node.orelse)
        if isinstance(node, ast.If):
            yield ast.If(ast.Constant(True), node.body, node.orelse)
    elif isinstance(node, ast.Return) and node.value and not isinstance(node.value, ast.Constant):
        yield ast.Return(ast.Constant(None))
    elif isinstance(node, LEFT_OUT) or (isinstance(node, ast.Assign) and isinstance(node.targets[0], INTO)):
        yield ast.Pass()


LEFT_OUT: Final = (ast.Expr, ast.Raise, ast.AugAssign, ast.Continue, ast.Break, ast.Delete)
INTO: Final = (ast.Attribute, ast.Subscript)


def expressions(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what may stand in the place of an expression."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in COMPARED[type(node.ops[0])]:
            yield ast.Compare(node.left, [other()], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for at in range(len(node.values)):
            rest = node.values[:at] + node.values[at + 1 :]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, others(node.value))
    elif isinstance(node, ast.IfExp):
        yield from (node.body, node.orelse)
    elif isinstance(node, ast.BinOp) and type(node.op) in ADDED:
        yield ast.BinOp(node.left, ADDED[type(node.op)](), node.right)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
        yield ast.Call(ast.Name(CALLED[node.func.id], ast.Load()), node.args, [])


def others(value: object) -> Sequence[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    return [value + "x"] if isinstance(value, str) else []


Place = tuple[ast.AST, str, int | None]


def places(tree: ast.AST) -> Iterator[tuple[Place, ast.AST]]:
    """Yield each node that runs with its place: no docstring, annotation, decorator, import or type alias."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_comment", "bases", "format_spec"):
            continue
        for at, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or is_text(node):
                continue
            yield (tree, name, at), node
            yield from places(node)


def is_text(node: ast.AST) -> bool:
    """Tell whether a node is a docstring, or says something to other tools alone."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        return True
    alias = isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias"
    return alias or called == "TypeVar" or isinstance(node, (ast.Import, ast.ImportFrom))


def mutants(module: Module) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of its lines."""
    tree = ast.parse((ROOT / module.file).read_text(encoding="utf-8"))
    chosen = list(tops(tree, module.functions))
    assert len(chosen) >= len(module.functions)
    for place, top in chosen:
        for (holder, name, at), node in [(place, top), *places(top)]:
            for variant in variants(node):
                if module.functions and is_message(node):
                    continue
                changed = ast.copy_location(variant, node)
                put(holder, name, at, changed)
                yield Mutant(
                    line=getattr(node, "lineno", 0),
                    was=written(node),
                    now=written(variant),
                    code=compile(ast.fix_missing_locations(tree), str(ROOT / module.file), "exec"),
                )
                put(holder, name, at, node)


def tops(tree: ast.Module, functions: Sequence[str]) -> Iterator[tuple[Place, ast.stmt]]:
    """Yield the statements of a module, or these functions and methods, each with its place."""
    for at, node in enumerate(tree.body):
        wanted = isinstance(node, ast.FunctionDef) and node.name in functions
        if wanted or (not functions and not is_text(node)):
            yield (tree, "body", at), node
        elif isinstance(node, ast.ClassDef):
            for index, method in enumerate(node.body if functions else ()):
                if isinstance(method, ast.FunctionDef) and method.name in functions:
                    yield (node, "body", index), method


def is_message(node: ast.AST) -> bool:
    """Tell whether a text is for people; the auditor's are not promised word by word."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value


def put(holder: ast.AST, name: str, at: int | None, node: ast.AST) -> None:
    if at is None:
        setattr(holder, name, node)
    else:
        getattr(holder, name)[at] = node


def written(node: ast.AST) -> str:
    """Write a node on one line: of a statement with a body, its head."""
    if isinstance(node, (ast.If, ast.While)):
        return f"{type(node).__name__.lower()} {ast.unparse(node.test)}"
    return " ".join(ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).split())


# Trying one


class Loader(InspectLoader):
    """Makes the mutated module."""

    def __init__(self, file: Path, code: types.CodeType) -> None:
        self.file, self.code = file, code

    def get_source(self, fullname: str) -> str:
        return self.file.read_text(encoding="utf-8")

    def get_code(self, fullname: str) -> types.CodeType:
        return self.code

    def exec_module(self, module: types.ModuleType) -> None:
        module.__file__ = str(self.file)
        exec(self.code, module.__dict__)


class Finder(MetaPathFinder):
    """Finds the mutated module before the real one."""

    def __init__(self, module: Module, code: types.CodeType) -> None:
        self.name, self.file, self.code = module.name, ROOT / module.file, code

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        return importlib.machinery.ModuleSpec(fullname, Loader(self.file, self.code), origin=str(self.file))


def tried(module: Module, mutant: Mutant) -> str:
    """Run the tests on a mutant: killed, survived, or endless."""
    end = in_a_process(module, mutant, module.tests, slow_json=False)
    if end == "survived" and module.slow_json:
        end = in_a_process(module, mutant, module.tests, slow_json=True)
    return end


def in_a_process(module: Module, mutant: Mutant, tests: Sequence[str], *, slow_json: bool) -> str:
    process = os.fork()
    if not process:
        code = 3
        try:
            code = child(module, mutant, tests, slow_json=slow_json)
        finally:
            os._exit(code)
    _, status = os.waitpid(process, 0)
    code = os.waitstatus_to_exitcode(status)
    return "endless" if code == -signal.SIGALRM else "survived" if code == 0 else "killed"


def child(module: Module, mutant: Mutant, tests: Sequence[str], *, slow_json: bool) -> int:
    """Run test files one after another until one fails, and return its exit code."""
    signal.alarm(SECONDS)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.chdir(ROOT)
    sys.meta_path.insert(0, Finder(module, mutant.code))
    if slow_json:
        sys.modules["_json"] = None  # type: ignore[assignment]
        for name in ("json", "json.decoder", "json.scanner", "json.encoder"):
            sys.modules.pop(name, None)
    words = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", f"not ({ELSEWHERE})"]
    return next((code for name in tests if (code := int(pytest.main([*words, f"tests/{name}"])))), 0)


def measured(name: str, *, jobs: int, every: int) -> tuple[Counter[str], list[Mutant]]:
    """Try the mutants of a module, and return how they ended and those that no test noticed."""
    module = MODULES[name]
    whole = compile((ROOT / module.file).read_bytes(), str(ROOT / module.file), "exec")
    assert tried(module, Mutant(line=0, was="", now="", code=whole)) == "survived", "the tests fail as it is"
    chosen = list(mutants(module))[::every]
    gc.collect()
    gc.freeze()  # so that no process forked from here goes through what is there already
    with ThreadPoolExecutor(jobs) as pool:
        ends = []
        for mutant, end in zip(chosen, pool.map(lambda mutant: tried(module, mutant), chosen), strict=True):
            ends.append(end)
            if end != "killed" or not len(ends) % 50:
                print(
                    f"{len(ends)} of {len(chosen)}: {end}: line {mutant.line}: {mutant}",
                    file=sys.stderr,
                    flush=True,
                )
    survivors = [mutant for mutant, end in zip(chosen, ends, strict=True) if end == "survived"]
    return Counter(ends), survivors


def main() -> int:
    """Measure the modules asked for, and print what survives."""
    parser = argparse.ArgumentParser(description="Mutate the deciding code, and see whether a test notices.")
    parser.add_argument(
        "modules", metavar="MODULE", nargs="*", help=f"of {', '.join(MODULES)} (default: all)"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes at once (default: %(default)s)")
    parser.add_argument("--every", type=int, default=1, help="each N-th mutant only (default: %(default)s)")
    options = parser.parse_args()
    failed = False
    for name in options.modules or MODULES:
        begun = time.monotonic()
        ends, survivors = measured(name, jobs=options.jobs, every=options.every)
        total, alive = sum(ends.values()), ends["survived"]
        failed |= 100 * (total - alive) < WANTED * total
        print(f"\n## {MODULES[name].title}\n")
        print(
            f"{total - alive} of {total} mutants killed ({100 * (total - alive) / total:.1f} of 100)",
            flush=True,
        )
        print(f"in {time.monotonic() - begun:.0f} s", file=sys.stderr)
        lines = (ROOT / MODULES[name].file).read_text(encoding="utf-8").splitlines()
        for mutant in survivors:
            source = lines[mutant.line - 1].strip()
            reason = REASONS.get((name, source, str(mutant)))
            failed |= reason is None
            print(f"- line {mutant.line}, `{source}`: `{mutant}`: {reason or 'NO REASON IS GIVEN'}")
        with contextlib.suppress(OSError):
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
