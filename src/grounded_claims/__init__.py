"""Grounded Claims: a gate between a generated answer and the application that would use it.

    suite = load_suite(find_suite("config-claims"))
    gate = Gate(suite)
    verdict = gate.judge(candidate, suite.requests["both-fields"])
    if verdict.full_contract:
        use(verdict.accepted)

docs/contract.md states what is decided. Names are imported on first use, so that a command pays only for what
it needs, and is soon where an interrupt is caught.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it, without importing typing
if TYPE_CHECKING:
    from .contracts.base import Contract, Verdict
    from .errors import GroundedClaimsError, RequestError, SuiteError
    from .gate import Gate
    from .suite import Case, Suite, load_suite
    from .suite_files import find_suite

__version__ = "0.1.0"
__all__ = [
    "Case",
    "Contract",
    "Gate",
    "GroundedClaimsError",
    "RequestError",
    "Suite",
    "SuiteError",
    "Verdict",
    "__version__",
    "find_suite",
    "load_suite",
]

_HOME = {
    "Case": "suite",
    "Contract": "contracts.base",
    "Gate": "gate",
    "GroundedClaimsError": "errors",
    "RequestError": "errors",
    "Suite": "suite",
    "SuiteError": "errors",
    "Verdict": "contracts.base",
    "find_suite": "suite_files",
    "load_suite": "suite",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOME[name]}", __name__), name)
