"""The page as a whole: its head with the content-security policy, its parts, and what it cannot vouch for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .. import __version__
from ..recorded_run import RecordedRun
from ..stories import TELLERS, Pair, tell
from ..stories.story import spelt
from ..tables import counted
from .account import Account, account
from .funnel import funnel
from .html import Markup, el, inline
from .overview import agreement, layer_table, matrix, matrix_legend, outcome_table, prediction_tables
from .style import CSS, CSS_HASH

POLICY: Final = f"default-src 'none'; style-src '{CSS_HASH}'; base-uri 'none'; form-action 'none'"

#: docs/contract.md says the same at more length, under the same heading.
NOT_PROVED: Final = (
    "that the registry is true, current, or meant for whoever asks: a wrong one is accepted faithfully",
    "that the asker may see the answer, or that anybody may act on it: acceptance is not authorisation",
    "that prompts cannot be injected: the gate follows no document, and it guards nothing beyond itself",
    "that a sentence in ordinary language is supported by its source: no paraphrase is accepted here",
    "how good any model or any retrieval is: verdicts equal to labels are agreement on a directed suite",
)


def accounts(run: RecordedRun) -> list[Account]:
    """Put beside each recorded case the story that the gate of today tells."""
    suite = run.suite
    teller = TELLERS.get(suite.contract.name)
    shown = []
    for recorded in run.results.cases:
        case = recorded.case
        pair = None
        if case.pair is not None:
            other = suite.case(case.pair)
            pair = Pair(candidate=other.candidate, request=suite.requests[other.request])
        request = suite.requests[case.request]
        members = teller.request_members(request) if teller is not None else {}
        shown.append(
            Account(
                contract=suite.contract,
                recorded=recorded,
                story=tell(suite.contract, case.candidate, request, registry=suite.registry, pair=pair),
                request={
                    name: value if isinstance(value, str) else spelt(value) for name, value in members.items()
                },
            )
        )
    return shown


def differing(run: RecordedRun) -> list[str]:
    """Return the ids of the cases of which the gate of today gives another verdict than the recorded one."""
    return [shown.recorded.case.id for shown in accounts(run) if shown.differs]


def render(run: RecordedRun) -> bytes:
    """Write the page."""
    page = el("html", _head(run), el("body", list(_body(run))), lang="en")
    return f"<!doctype html>\n{page}\n".encode()


def _head(run: RecordedRun) -> Markup:
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="referrer", content="no-referrer"),
        el("meta", name="generator", content=f"grounded-claims {__version__}"),
        el("title", f"{run.suite.name}: report of a run"),
        el("style", Markup(CSS)),
    )


def _body(run: RecordedRun) -> Iterator[Markup]:
    parts = list(_parts(run))
    links = [el("li", el("a", title, href=f"#{name}")) for name, title, _ in parts]
    suite = run.suite
    kind = "frozen suite" if suite.frozen else "exercise"
    yield el("a", "Skip to the results", href="#results", class_="skip")
    yield el(
        "header",
        el("h1", suite.title),
        el(
            "p",
            f"Report of one run of the {kind} ",
            inline(suite.name),
            f": {counted(len(suite.cases), 'case')}, judged by the contract ",
            inline(suite.contract.name),
            ".",
            class_="lead",
        ),
        _not_audited(run),
        el("nav", el("ul", links), aria_label="Parts of this page"),
        class_="page",
    )
    sections = [
        el("section", el("h2", title, id=f"{name}-title"), content, id=name, aria_labelledby=f"{name}-title")
        for name, title, content in parts
    ]
    yield el("main", sections, class_="page")


def _not_audited(run: RecordedRun) -> Markup:
    command = ("python3", "bootstrap.py", "audit", "DIR", "--expect")
    words = [(el("span", word, class_="whole"), " ") for word in command]
    return el(
        "p",
        "This page shows what the run recorded. It was ",
        el("strong", "not audited"),
        ": ",
        "with the name of the run directory for DIR, ",
        el("code", words, run.run_digest, class_="raw", translate="no"),
        " recomputes it.",
        class_="note",
    )


def _parts(run: RecordedRun) -> Iterator[tuple[str, str, list[Markup]]]:
    """Give each part of the page: its id, its title, its content."""
    results = run.results
    told = accounts(run)
    yield "results", "What is left after each layer", [*_contradictions(told), *_results(run)]
    yield "outcomes", "Outcomes", [outcome_table(results)]
    if results.totals()["predictions"] is not None:
        yield "predictions", "Predictions", [prediction_tables(results)]
    yield "matrix", "Cases and layers", [matrix_legend(), matrix(results)]
    yield "cases", "The cases", list(_groups(run, told))
    yield (
        "limits",
        "What acceptance does not prove",
        [el("ul", [el("li", words) for words in NOT_PROVED])],
    )
    yield "origin", "Where this comes from", list(_origin(run))


def _results(run: RecordedRun) -> Iterator[Markup]:
    yield funnel(run.results)
    yield agreement(run.results)
    yield layer_table(run.results)
    pinned = run.results.differing_totals()
    if pinned:
        words = "; ".join(
            f"{name}: pinned {ours}, counted {counts}" for name, (ours, counts) in pinned.items()
        )
        yield el("p", f"Totals that the suite pins, and this run does not meet: {words}.", class_="alarm")


def _contradictions(told: list[Account]) -> Iterator[Markup]:
    cases = [shown.recorded.case.id for shown in told if shown.differs]
    if cases:
        yield el(
            "p",
            el(
                "strong",
                f"Today's gate gives another verdict than was recorded in {counted(len(cases), 'case')}: ",
            ),
            ", ".join(cases),
            ". What is shown and counted here is what was recorded; the audit says more.",
            class_="alarm",
        )


def _groups(run: RecordedRun, told: list[Account]) -> Iterator[Markup]:
    yield el(
        "p",
        "Open a case to read its candidate, the documents or facts that its verdict turns on, and its story. "
        "In these, ",
        el("mark", "this is quoted", class_="quoted"),
        " by the candidate, ",
        el("mark", "this is wanted", class_="wanted"),
        " by the contract, and ",
        el("mark", "this decides", class_="place"),
        ".",
    )
    for name, group in run.suite.groups.items():
        cases = [account(shown) for shown in told if shown.recorded.case.group == name]
        if cases:
            yield el("h3", name)
            yield el("p", group.description, " ", el("span", _effect(group.effect), class_="muted"))
            yield from cases


def _effect(effect: str) -> str:
    """Say what follows if a gate accepted the cases of a group; nothing follows where they are right."""
    return effect[5:].lstrip() if effect.startswith("None.") else f"If accepted: {effect}"


def _origin(run: RecordedRun) -> Iterator[Markup]:
    manifest = run.manifest
    environment = manifest["environment"]
    digests = (
        ("Run digest (of SHA256SUMS)", run.run_digest),
        ("results.json", run.results_digest),
        ("Suite", run.suite.digest),
        *((name, sum_) for name, sum_ in manifest["inputs"].items()),
    )
    rows = [
        el("tr", el("th", name, scope="row"), el("td", inline(sum_), class_="digest"))
        for name, sum_ in digests
    ]
    yield el(
        "table",
        el("caption", "SHA-256 digests"),
        el("thead", el("tr", el("th", "Of", scope="col"), el("th", "Digest", scope="col"))),
        el("tbody", rows),
    )
    facts = (
        (
            "Frozen",
            "yes, by this program's pins" if run.suite.frozen else "no: this is not a published suite",
        ),
        ("Recorded at", manifest["created"]),
        ("Commit", _commit(manifest["git"])),
        ("Python", f"{environment['python']} ({environment['implementation']})"),
        ("System", environment["platform"]),
        ("Packages", ", ".join(f"{name} {version}" for name, version in environment["packages"].items())),
    )
    yield el("dl", [(el("dt", term), el("dd", words)) for term, words in facts], class_="facts")
    yield el(
        "p",
        "Digests tie the directory to itself, and to a digest published elsewhere. They do not say who made "
        "it, when or where, nor that the registry is true.",
    )


def _commit(git: Mapping[str, Any]) -> str:
    if "unavailable" in git:
        return f"unknown: {git['unavailable']}"
    return f"{git['commit']}{', with changes beside it' if git['dirty'] else ''}"
