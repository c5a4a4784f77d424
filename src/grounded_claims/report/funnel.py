"""The funnel as a picture: how many cases are left after each layer, and how many of them are violations.

The middle column is what is right to accept; it stays the same where the gate is right. What stands to either
side of it, hatched, is what a layer lets through and should not. In a frozen suite the labels say which is
which. In an exercise a label is that of the candidate as it was before somebody changed it, so there the
contract says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..contracts.base import ACCEPT
from ..runner import CaseResult, Results
from ..tables import counted
from .html import Markup, el

WIDTH: Final = 320  # units of the picture, and so about the pixels of a small phone
LABELS: Final = 116
BAR: Final = 34
FLOW: Final = 26
DIGIT: Final = 13.5  # the width of a digit of a count
_HATCHING: Final = Markup(
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path class="hatching" d="M0 0V6"/></pattern></defs>'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What is left at one place: how many cases, and how many of them are right to accept."""

    title: str
    left: int
    accepted: int


def stages(results: Results) -> list[Stage]:
    """Return all cases, and what each layer leaves of them."""
    frozen = results.suite.frozen

    def right(result: CaseResult) -> bool:
        return result.case.expected == ACCEPT if frozen else result.verdict.full_contract

    by_layer = [
        (layer.title, [case for case in results.cases if case.verdict.passes(layer.name)])
        for layer in results.suite.contract.layers
    ]
    return [
        Stage(title=title, left=len(cases), accepted=sum(map(right, cases)))
        for title, cases in [("case" if len(results.cases) == 1 else "cases", list(results.cases)), *by_layer]
    ]


def funnel(results: Results) -> Markup:
    """Draw the funnel, with its text alternative and its legend."""
    shown = stages(results)
    judge = "label" if results.suite.frozen else "contract"
    height = len(shown) * (BAR + FLOW) - FLOW + 4
    drawing = el(
        "svg",
        el("title", _title(shown), id="funnel-title"),
        el(
            "desc",
            _description(shown, f"{judge}s" if results.suite.frozen else judge),
            id="funnel-description",
        ),
        _HATCHING,
        list(_shapes(shown)),
        role="img",
        aria_labelledby="funnel-title funnel-description",
        viewBox=f"0 0 {WIDTH} {height}",
        class_="funnel",
    )
    return el("figure", drawing, el("figcaption", _legend(shown[0], judge)))


def _title(shown: Sequence[Stage]) -> str:
    first, *layers = shown
    passed = "; ".join(f"{stage.title}: {stage.left} of {first.left} pass" for stage in layers)
    return f"Funnel of {counted(first.left, 'case')}. {passed}."


def _description(shown: Sequence[Stage], judges: str) -> str:
    s = "" if judges.endswith("s") else "s"
    sentences = [
        f"Of the {stage.left} that pass {stage.title}, the {judges} accept{s} {stage.accepted} and reject{s} "
        f"{stage.left - stage.accepted}."
        for stage in shown[1:]
    ]
    return " ".join(sentences)


def _shapes(shown: Sequence[Stage]) -> Iterator[Markup]:
    unit = (WIDTH - LABELS - 2) / max(shown[0].left, 1)
    for index, stage in enumerate(shown):
        top = index * (BAR + FLOW) + 1
        if index + 1 < len(shown) and stage.left:
            yield _flow(top + BAR, stage.left * unit, shown[index + 1].left * unit)
        if stage.left > stage.accepted:
            yield _bar(top, stage.left * unit, class_="violation")
            yield _bar(top, stage.left * unit, fill="url(#hatch)")
        if stage.accepted:
            yield _bar(top, stage.accepted * unit, class_="core")
        yield _text(str(stage.left), 0, top + 20, class_="count")
        if index:
            beside = 8 + DIGIT * len(str(stage.left))
            yield _text(f"{shown[index - 1].left - stage.left} rejected", beside, top + 20, class_="lost")
        yield _text(stage.title, 0, top + 35)


def _bar(top: float, width: float, *, class_: str | None = None, fill: str | None = None) -> Markup:
    left = LABELS + (WIDTH - LABELS - width) / 2
    return el(
        "rect",
        x=_number(left),
        y=_number(top),
        width=_number(width),
        height=str(BAR),
        class_=class_,
        fill=fill,
    )


def _flow(top: float, above: float, below: float) -> Markup:
    middle = LABELS + (WIDTH - LABELS) / 2
    corners = (
        (middle - above / 2, top),
        (middle + above / 2, top),
        (middle + below / 2, top + FLOW),
        (middle - below / 2, top + FLOW),
    )
    return el("polygon", points=" ".join(f"{_number(x)},{_number(y)}" for x, y in corners), class_="flow")


def _text(words: str, x: float, y: float, *, class_: str | None = None) -> Markup:
    return el("text", words, x=_number(x), y=_number(y), class_=class_)


def _number(value: float) -> str:
    """Write a coordinate in hundredths, as an integer would be where it is one."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _legend(first: Stage, judge: str) -> Markup:
    core = el(
        "svg", el("rect", width="16", height="10", class_="core"), viewBox="0 0 16 10", aria_hidden="true"
    )
    other = el(
        "svg",
        el("rect", x=".5", y=".5", width="15", height="9", class_="violation"),
        el("rect", x=".5", y=".5", width="15", height="9", fill="url(#hatch)"),
        viewBox="0 0 16 10",
        aria_hidden="true",
    )
    return el(
        "ul",
        el("li", core, f"the {judge} accepts it ({first.accepted} of {first.left})"),
        el("li", other, f"the {judge} rejects it ({first.left - first.accepted} of {first.left})"),
        class_="legend",
    )
