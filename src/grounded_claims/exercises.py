"""A suite to a small exercise made from it: its registry, its requests, and one accepted case. Pure."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from .cases import PASS
from .contracts.base import ACCEPT, LAYERS
from .errors import UsageError
from .gate import Gate
from .plain_yaml import block, scalar, single_quoted
from .shapes import SLUG
from .stories import teller_of
from .strict_json import parse
from .strict_yaml import load
from .suite import Case, Suite

CASE_ID: Final = "mine"
_WIDTH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """What the commands to type are made of: the program, and two run directories that are free.

    Where there is no checkout, nothing can be run, only explained: `runs` is None.
    """

    program: str
    runs: tuple[str, str] | None

    def of(self, which: int, place: str) -> Iterator[str]:
        """Give the commands that follow a change: the first, 0, or the second, 1."""
        if self.runs is None:
            yield f"{self.program} explain {place} {CASE_ID}"
            return
        yield f"{self.program} run --suite {place} --out {self.runs[which]}"
        if which == 0:
            yield f"{self.program} explain {self.runs[0]} {CASE_ID}"
        else:
            yield f"{self.program} compare {self.runs[0]} {self.runs[1]}"


def exercise_files(suite: Suite, *, folder: str, name: str, commands: Commands) -> Mapping[str, bytes]:
    """Return the three files of an exercise that will lie in a folder, by file name.

    `folder` is what the user calls it, and stands in the commands to type; `name` is its last part.
    """
    case = accepted_case(suite)
    suite_name = name if SLUG.fullmatch(name) and name != suite.name else f"{suite.name}-exercise"
    place = shlex.quote(folder) if folder.isprintable() else "FOLDER"
    lines = {
        "suite.yaml": _suite_lines(suite, suite_name),
        "cases.yaml": _case_lines(suite, case, place, commands),
    }
    texts = {file: "".join(f"{line}\n" for line in content).encode() for file, content in lines.items()}
    return {"registry.yaml": suite.files["registry.yaml"], **texts}


def accepted_case(suite: Suite) -> Case:
    """Return the first case that is labelled ACCEPT, and is accepted."""
    gate = Gate(suite)
    for case in suite.cases:
        verdict = gate.judge(case.candidate, suite.requests[case.request])
        if case.expected == ACCEPT == verdict.status:
            return case
    raise UsageError(f"the suite {suite.name!r} has no accepted case to begin with")


def _suite_lines(suite: Suite, name: str) -> Iterator[str]:
    yield from _comment(
        f"An exercise made from the suite {suite.name}. It is not frozen: every file here is yours to change."
    )
    yield f"suite: {scalar(name)}"
    yield f"contract: {suite.contract.name}"
    yield f"title: {scalar(f'An exercise made from the suite {suite.name}')}"
    yield "groups:"
    groups = {
        key: {"description": group.description, "effect": group.effect} for key, group in suite.groups.items()
    }
    yield from block(groups, indent=2)


def _case_lines(suite: Suite, case: Case, place: str, commands: Commands) -> Iterator[str]:
    yield from _instructions(suite, case, place, commands)
    yield "requests:"
    requests = load(suite.files["cases.yaml"]).value["requests"]
    yield from block(requests, indent=2)
    yield ""
    yield "cases:"
    yield f"  - id: {CASE_ID}"
    yield f"    group: {scalar(case.group)}"
    yield f"    note: {scalar(f'The accepted case {case.id} of {suite.name}, ready to be changed.')}"
    yield f"    request: {scalar(case.request)}"
    yield f"    candidate: {single_quoted(case.candidate)}"
    yield "    # The label says what was right before you changed anything. Leave it as it is."
    yield f"    expected: {ACCEPT}"
    yield "    # Your prediction: pass, reject, or the status by which it rejects. First write, then run."
    yield "    prediction:"
    for layer in LAYERS:
        yield f"      {layer}: {PASS}"


def _instructions(suite: Suite, case: Case, place: str, commands: Commands) -> Iterator[str]:
    request = suite.requests[case.request]
    first, second = teller_of(suite.contract).exercises(parse(case.candidate), request, suite.registry)
    yield from _comment(f"An exercise made from the suite {suite.name}. What to do next:")
    yield "#"
    yield from _comment(
        "Predict. Write below, as the prediction, what each layer will say after step 2.", "1. "
    )
    yield from _comment(f"{first} registry.yaml has the texts.", "2. ")
    run = "Run it, and look at your prediction; then let the verdict be explained:"
    yield from _comment(run if commands.runs else "Let the verdict be explained, and your prediction:", "3. ")
    yield from (f"#        {command}" for command in commands.of(0, place))
    yield from _comment(f"Put it back as it was, and predict again. {second}", "4. ")
    run = "Run it into another directory, and say why the two fail differently:"
    yield from _comment(
        run if commands.runs else "Explain it again, and say why the two fail differently:", "5. "
    )
    yield from (f"#        {command}" for command in commands.of(1, place))
    yield "#"
    yield from _comment(
        "A verdict unlike the label, and a prediction that misses, are shown and are no error: "
        "that is how one learns here."
    )
    yield ""


def _comment(text: str, label: str = "") -> Iterator[str]:
    """Wrap a comment. What a suite brings along cannot end it: a line break in it becomes visible."""
    shown = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    head = f"# {label:>5}" if label else "# "
    yield from textwrap.wrap(
        shown,
        width=_WIDTH,
        initial_indent=head,
        subsequent_indent=f"#{' ' * (len(head) - 1)}",
        break_long_words=False,
        break_on_hyphens=False,
    )
