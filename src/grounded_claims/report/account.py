"""The account of one case: its candidate, its request, what it cites, its story, its prediction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..contracts.base import AnyContract, Verdict
from ..runner import CaseResult
from ..stories import Change, Difference, MalformedAt, Source, Step, Story
from ..stories.story import Run
from ..strict_json import MAX_UNITS, units
from .html import Markup, el, hidden, inline, status_word, text
from .overview import anchor, badge, prediction_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A recorded case beside the story that the gate of today tells of it."""

    contract: AnyContract
    recorded: CaseResult
    story: Story
    request: Mapping[str, str]

    @property
    def differs(self) -> bool:
        """Tell whether the gate of today gives another verdict than the recorded one."""
        return self.recorded.verdict != self.story.verdict

    @property
    def titles(self) -> Mapping[str, str]:
        """Return the title of each layer."""
        return {layer.name: layer.title for layer in self.contract.layers}


def account(shown: Account) -> Markup:
    """Write one case, folded."""
    case, verdict = shown.recorded.case, shown.recorded.verdict
    summary = el(
        "summary",
        el("h4", case.id),
        [el("span", hidden(f"{layer.title}: "), badge(verdict, layer)) for layer in shown.contract.layers],
        status_word(verdict.status),
    )
    inside = el("div", list(_inside(shown)), class_="inside", id=anchor(case.id))
    return el("details", summary, inside)


def _inside(shown: Account) -> Iterator[Markup]:
    case, story = shown.recorded.case, shown.story
    yield el("p", case.note)
    if shown.differs:
        yield _contradiction(shown.recorded.verdict, story.verdict)
    yield _facts(shown)
    yield el("h5", "Candidate")
    yield el(
        "p",
        f"{units(case.candidate)} of at most {MAX_UNITS} UTF-16 code units, as it was judged.",
        class_="muted",
    )
    yield _candidate(story)
    if story.sources:
        yield el("h5", "What the verdict turns on")
        yield from (_source(source) for source in story.sources)
    yield el("h5", "Story")
    yield el("ol", [_step(step, shown) for step in story.steps], class_="steps")
    if story.malformed is not None:
        yield _malformed(story.malformed)
    yield from _mend(story, shown.titles)
    if story.difference is not None:
        yield el(
            "h5",
            "Smallest difference from the pair ",
            el("a", case.pair or "", href=f"#{anchor(case.pair or '')}"),
        )
        yield from _difference(story.difference)
    if case.prediction:
        yield el("h5", "Prediction")
        yield prediction_table(shown.recorded, shown.titles)


def _contradiction(recorded: Verdict, today: Verdict) -> Markup:
    return el(
        "p",
        el("strong", "The gate of today does not give the recorded verdict. "),
        "Recorded: ",
        _verdict(recorded),
        ". Today: ",
        _verdict(today),
        ". The story below is that of today.",
        class_="alarm",
        role="note",
    )


def _verdict(verdict: Verdict) -> Markup:
    claim = "" if verdict.claim is None else f", decided by claims[{verdict.claim}]"
    accepted = (", accepting ", inline(_mapping(verdict.accepted))) if verdict.accepted else ()
    outcome = verdict.outcome.replace("_", " ")
    return el("span", status_word(verdict.status), f" ({outcome}{claim}", accepted, ")")


def _mapping(accepted: Mapping[str, str | None]) -> str:
    return ", ".join(f"{field} = {'null' if value is None else value}" for field, value in accepted.items())


def _facts(shown: Account) -> Markup:
    case, verdict = shown.recorded.case, shown.recorded.verdict
    label = status_word(case.expected)
    if not shown.recorded.label_matched:
        label = el("span", label, " ", el("strong", "(the verdict is another)"))
    rows: list[tuple[str, Markup]] = [
        ("Verdict", _verdict(verdict)),
        ("Label", label),
        ("Request", el("span", case.request, ": ", _request(shown.request))),
    ]
    return el("dl", [(el("dt", term), el("dd", words)) for term, words in rows], class_="facts")


def _request(members: Mapping[str, str]) -> Markup:
    parts = [(el("span", f"{name} ", class_="muted"), inline(value)) for name, value in members.items()]
    return el("span", [(part, " " if index + 1 < len(parts) else None) for index, part in enumerate(parts)])


def _candidate(story: Story) -> Markup:
    """Write the raw text, with the piece that decides marked."""
    raw = story.candidate
    if story.place is None or story.place[0] == story.place[1]:
        return _raw(text(raw, lines=True) if raw else hidden("(an empty text)"))
    start, end = story.place
    return _raw(
        text(raw[:start], lines=True),
        hidden("[deciding: "),
        el("mark", text(raw[start:end], lines=True), class_="place"),
        hidden("]"),
        text(raw[end:], lines=True),
    )


def _raw(*children: Markup | None) -> Markup:
    """Write a text as it stands. The line feed that HTML drops at the start of a `pre` is one of our own."""
    return el("pre", Markup("\n"), *children, translate="no")


def _source(source: Source) -> Markup:
    about = [(el("span", f"{name} ", class_="muted"), inline(value), " ") for name, value in source.about]
    tags = [
        "cited" if source.cited else "not cited",
        "supplied" if source.supplied else "not supplied for this request",
    ]
    if source.deciding:
        tags.append("decides")
    caption = el(
        "figcaption",
        el("strong", inline(source.id)),
        el("span", about),
        el("span", ", ".join(tags), class_="muted"),
    )
    runs = [_run(run) for run in source.runs()]
    return el("figure", caption, _raw(*runs), class_=f"source{' deciding' if source.deciding else ''}")


def _run(run: Run) -> Markup:
    shown = text(run.text, lines=True)
    roles = [name for name, is_so in (("quoted", run.quoted), ("wanted", run.wanted)) if is_so]
    if not roles:
        return shown
    said = f"[{' and '.join(roles)}: "
    return Markup(hidden(said) + el("mark", shown, class_=" ".join(roles)) + hidden("]"))


def _step(step: Step, shown: Account) -> Markup:
    kind = None
    if step.decided:
        kind = "accepted" if step.passed else "decided"
    layer = next(layer for layer in shown.contract.layers if layer.name == step.layer)
    head = el(
        "p",
        el("strong", layer.title),
        " ",
        badge(shown.story.verdict, layer),
        el("span", f" clause {step.clause}", class_="muted") if step.clause else None,
    )
    found = [
        (el("dt", word), el("dd", inline(value)))
        for word, value in (("Found", step.found), ("Expected", step.expected))
        if value
    ]
    return el(
        "li", head, el("p", step.sentence), el("dl", found, class_="facts") if found else None, class_=kind
    )


def _malformed(at: MalformedAt) -> Markup:
    """Point at the place of a malformed text, with a caret that stays under its character."""
    before, here, after = (
        at.excerpt[: at.caret],
        at.excerpt[at.caret : at.caret + 1],
        at.excerpt[at.caret + 1 :],
    )
    cut = text("…")
    pointed = _raw(
        cut if at.cut_before else None,
        text(before),
        hidden("[here: "),
        el("mark", text(here) if here else Markup("&nbsp;"), class_="place"),
        hidden("]"),
        text(after),
        cut if at.cut_after else None,
    )
    return Markup(el("p", f"Line {at.line}, column {at.column}: ", at.reason, ".") + pointed)


def _mend(story: Story, titles: Mapping[str, str]) -> Iterable[Markup]:
    if story.mend:
        yield el("h5", "What to change")
        yield el("ul", [el("li", sentence) for sentence in story.mend])
    if story.fooled:
        yield el(
            "p",
            "Fooled, had it been the only check: ",
            ", ".join(titles[layer] for layer in story.fooled),
            ".",
        )


def _difference(difference: Difference) -> Iterator[Markup]:
    if not (difference.changes or difference.text or difference.requests):
        yield el("p", "None: the same answer to the same request.")
    if difference.changes:
        yield _changes(difference.changes, "In the answer")
    if difference.text is not None:
        change = difference.text
        yield _changes(
            (
                Change(
                    kind="changed",
                    path=f"from character {change.start + 1} on",
                    pair=change.pair,
                    here=change.here,
                ),
            ),
            "In the text",
        )
    if difference.requests:
        yield _changes(difference.requests, "In the request")


def _changes(changes: Iterable[Change], caption: str) -> Markup:
    rows = [
        el(
            "tr",
            el("th", change.path or "the whole text", scope="row"),
            el("td", inline(change.pair) if change.pair else _nothing()),
            el("td", inline(change.here) if change.here else _nothing()),
        )
        for change in changes
    ]
    head = el("thead", el("tr", [el("th", words, scope="col") for words in ("Where", "In the pair", "Here")]))
    return el("table", el("caption", caption), head, el("tbody", rows))


def _nothing() -> Markup:
    return el("span", "nothing", class_="muted")
