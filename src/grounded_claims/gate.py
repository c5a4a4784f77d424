"""The gate: judges candidates against one suite's registry, by its contract."""

from __future__ import annotations

import _thread
from collections.abc import Callable, Mapping
from typing import Any

from .contracts.base import Verdict
from .errors import RequestError
from .shapes import Checker, kind
from .suite import Suite


class Gate:
    """A contract and a registry, ready to judge. Thread-safe: nothing in it changes.

    A request is one of `suite.requests`, or made from plain members by `request`. Judging is pure, and the
    same on every Python (V2).
    """

    __slots__ = ("_decide", "_request_type", "_suite")

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._decide: Callable[[str, Any], Verdict] = suite.contract.judge
        self._request_type = suite.contract.request_type

    def request(self, members: Mapping[str, object]) -> Any:
        """Build a request from its members, or raise a RequestError that lists every fault."""
        checker = Checker()
        request = self._suite.contract.read_request(members, self._suite.registry, checker, ())
        if checker.faults:
            raise RequestError(checker.faults)
        return request

    def judge(self, candidate: str, request: Any) -> Verdict:
        """Decide on one candidate; never raises on a candidate, whatever text it is.

        What is no text, or no request of this contract, is a mistake of the caller's, and a TypeError.

        A caller may stand so deep in the stack that the decision does not fit below it. The decision is then
        made on the empty stack of another thread. What follows the first attempt calls built-in functions
        only, which take no further frame.
        """
        if not isinstance(candidate, str):
            raise TypeError(f"a candidate is the raw text, a str; found {_found(candidate)}")
        if not isinstance(request, self._request_type):
            raise TypeError(
                "a request is suite.requests[name] or gate.request(members), of the contract "
                f"{self._suite.contract.name}; found {_found(request)}"
            )
        try:
            return self._decide(candidate, request)
        except RecursionError:
            answer: list[Verdict | BaseException] = []
            done = _thread.allocate_lock()
            done.acquire()
            _thread.start_new_thread(_decide_elsewhere, (self._decide, candidate, request, answer, done))
            done.acquire()
        if isinstance(answer[0], BaseException):
            raise answer[0]
        return answer[0]


def _found(value: object) -> str:
    """Name what was given in the place of something else."""
    if value is None or isinstance(value, str | bool | int):
        return kind(value)
    return f"an object of {type(value).__module__}.{type(value).__qualname__}"


def _decide_elsewhere(
    decide: Callable[[str, Any], Verdict],
    candidate: str,
    request: Any,
    answer: list[Verdict | BaseException],
    done: _thread.LockType,
) -> None:
    """Decide, and hand over the verdict, or what was raised, so that the waiting thread can raise it."""
    try:
        answer.append(decide(candidate, request))
    except BaseException as error:  # noqa: BLE001  # handed over, never swallowed
        answer.append(error)
    finally:
        done.release()
