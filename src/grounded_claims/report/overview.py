"""What stands before the cases: tables of layers, outcomes, predictions; the matrix of cases and layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..contracts.base import Layer, Verdict
from ..runner import CaseResult, Results
from ..tables import baseline_sentence, labels_sentence
from .html import Markup, el, hidden, status_word

_ICONS: Final = {
    "pass": '<path d="M1.5 6.5l3 3 6-7" fill="none" stroke="currentColor" stroke-width="2"/>',
    "fooled": '<path d="M6 1.5L11.3 11H.7z" fill="none" stroke="currentColor" stroke-width="1.6"/>',
    "reject": '<path d="M2 2l8 8M10 2l-8 8" fill="none" stroke="currentColor" stroke-width="2.2"/>',
    "after": '<path d="M2 6h8" fill="none" stroke="currentColor" stroke-width="1.6"/>',
}


#: What each shape means, in the order of the legend.
_MEANINGS: Final = {
    "pass": "the layer passes, and the contract accepts",
    "fooled": "the layer passes, and the contract rejects: alone, this layer would be fooled",
    "reject": "this layer rejects, and decides",
    "after": "a layer before it rejects",
}
_SAID: Final = {"fooled": ", but the contract rejects", "after": ": a layer before it rejects"}


def badge(verdict: Verdict, layer: Layer) -> Markup:
    """Show what a layer said, by word, shape and colour."""
    if verdict.passes(layer.name):
        return _badge("pass" if verdict.full_contract else "fooled")
    return _badge("reject" if verdict.status in layer.rejects else "after")


def _badge(kind: str) -> Markup:
    icon = Markup(f'<svg viewBox="0 0 12 12" aria-hidden="true">{_ICONS[kind]}</svg>')
    word = "pass" if kind in ("pass", "fooled") else "reject"
    said = hidden(_SAID[kind]) if kind in _SAID else None
    return el("span", icon, word, said, class_=f"badge {kind}")


def anchor(case_id: str) -> str:
    """Return the id that a case's account has on the page."""
    return f"case-{case_id}"


def layer_table(results: Results) -> Markup:
    """Show how many cases pass each layer, and what the layer leaves: the published table."""
    of = len(results.cases)
    rows = [
        el(
            "tr",
            el("th", layer.title, scope="row"),
            el("td", f"{results.passed(layer.name)} / {of}", class_="number"),
            el("td", layer.leaves),
        )
        for layer in results.suite.contract.layers
    ]
    return _table(
        "How many cases pass each layer",
        _head(("Layer", None), ("Passed", "number"), ("What it still cannot rule out", None)),
        el("tbody", rows),
    )


def agreement(results: Results) -> Markup:
    """Say how many verdicts equal their labels, and what that is not."""
    if not results.suite.frozen:
        meaning = (
            "A label here may be that of the candidate before it was changed. None of this is an accuracy"
        )
    elif all(result.label_matched for result in results.cases):
        meaning = "That is agreement on a suite made to probe the gate, and never an accuracy"
    else:
        meaning = "In a frozen suite every verdict should equal its label. None of this is an accuracy"
    return el(
        "p",
        el("strong", labels_sentence(results)),
        ". ",
        el("strong", baseline_sentence(results)),
        f". {meaning} of anything.",
    )


def outcome_table(results: Results) -> Markup:
    """Show how many verdicts are of each kind."""
    rows = [
        el("tr", el("th", name.replace("_", " "), scope="row"), el("td", str(count), class_="number"))
        for name, count in results.totals()["outcomes"].items()
    ]
    return _table(
        "Outcomes: they sum to the cases, and are never added into one figure",
        _head(("Outcome", None), ("Cases", "number")),
        el("tbody", rows),
        class_="plain",
    )


def prediction_tables(results: Results) -> Markup:
    """Show how many predictions were made and hit for each layer, and each one that was missed."""
    made: Mapping[str, Mapping[str, int]] = results.totals()["predictions"]
    titles = layer_titles(results)
    totals = [
        el(
            "tr",
            el("th", titles[layer], scope="row"),
            el("td", str(counts["made"]), class_="number"),
            el("td", str(counts["hit"]), class_="number"),
        )
        for layer, counts in made.items()
    ]
    head = _head(("Layer", None), ("Made", "number"), ("Hit", "number"))
    table = _table("Predictions for each layer", head, el("tbody", totals), class_="plain")
    return Markup(table + _missed(results, titles))


def _missed(results: Results, titles: Mapping[str, str]) -> Markup:
    rows = [
        el(
            "tr",
            el("th", el("a", result.case.id, href=f"#{anchor(result.case.id)}"), scope="row"),
            _prediction_cells(result, layer, titles)[:-1],
        )
        for result in results.cases
        for layer, hit in result.hits().items()
        if not hit
    ]
    if not rows:
        return el("p", "Every prediction was a hit.")
    head = _head(("Case", None), ("Layer", None), ("Predicted", None), ("Observed", None))
    return _table("Missed predictions: here there is something to learn", head, el("tbody", rows))


def layer_titles(results: Results) -> Mapping[str, str]:
    """Return the title of each layer."""
    return {layer.name: layer.title for layer in results.suite.contract.layers}


def prediction_table(result: CaseResult, titles: Mapping[str, str]) -> Markup:
    """Show what was predicted of one case, what was observed, and whether the two agree (F5.8)."""
    rows = [
        el("tr", el("th", titles[layer], scope="row"), _prediction_cells(result, layer, titles)[1:])
        for layer in result.hits()
    ]
    head = _head(("Layer", None), ("Predicted", None), ("Observed", None), ("", None))
    return _table(f"Predicted and observed: {result.case.id}", head, el("tbody", rows))


def _prediction_cells(result: CaseResult, layer: str, titles: Mapping[str, str]) -> list[Markup]:
    """Write the layer, what was predicted, what was observed, and hit or miss."""
    observed = "pass" if result.verdict.passes(layer) else status_word(result.verdict.status)
    return [
        el("td", titles[layer]),
        el("td", _predicted((result.case.prediction or {})[layer])),
        el("td", observed),
        el("td", "hit" if result.hits()[layer] else el("strong", "miss")),
    ]


def _predicted(word: str) -> Markup:
    return el("span", word) if word in ("pass", "reject") else status_word(word)


def matrix(results: Results) -> Markup:
    """Show every case against every layer, by group."""
    layers = results.suite.contract.layers
    head = _head(("Case, verdict", None), *((layer.title, "layer") for layer in layers))
    bodies = [
        el("tbody", el("tr", el("th", group, scope="rowgroup", colspan="4"), class_="group"), list(rows))
        for group, rows in _by_group(results)
    ]
    return _table("Cases and layers; each case links to its account", head, bodies, class_="matrix")


def _by_group(results: Results) -> Iterator[tuple[str, Iterator[Markup]]]:
    for group in results.suite.groups:
        cases = [result for result in results.cases if result.case.group == group]
        if cases:
            yield group, (_matrix_row(result, results) for result in cases)


def _matrix_row(result: CaseResult, results: Results) -> Markup:
    case, verdict = result.case, result.verdict
    flags = []
    if not result.label_matched:
        flags.append(el("span", "label: ", status_word(case.expected), class_="flag"))
    if not all(result.hits().values()):
        flags.append(el("span", "a prediction was missed", class_="flag"))
    named = el(
        "span", el("a", case.id, href=f"#{anchor(case.id)}"), status_word(verdict.status), class_="named"
    )
    return el(
        "tr",
        el("th", named, flags, scope="row"),
        [el("td", badge(verdict, layer)) for layer in results.suite.contract.layers],
    )


def matrix_legend() -> Markup:
    """Explain the four shapes."""
    items = [el("li", _badge(kind), " ", meaning) for kind, meaning in _MEANINGS.items()]
    return el("ul", items, class_="legend")


def _table(caption: str, head: Markup, *bodies: Markup | list[Markup], class_: str | None = None) -> Markup:
    return el("table", el("caption", caption), head, bodies, class_=class_)


def _head(*columns: tuple[str, str | None]) -> Markup:
    """Write the head of a table: (words, class) of each column."""
    cells = [el("th", words or hidden("Result"), scope="col", class_=class_) for words, class_ in columns]
    return el("thead", el("tr", cells))
