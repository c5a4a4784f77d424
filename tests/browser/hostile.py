"""Suites whose every text attacks the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

NUL_AND_CONTROLS = "\x00\x07\x1b[31m\x7f\x85\u2028"
BIDI = "\u202eevil\u202c \u2066isolated\u2069 \u200f\u200b\ufeff"
LONG = "x" * 1500
ATTACKS = (
    "<script>document.title='owned';window.owned=1</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</style><script>window.owned=1</script>",
    "</pre></details></main><h1>Forged</h1>",
    "\"' autofocus onfocus='window.owned=1' x=\"",
    '<svg onload=window.owned=1><a href="javascript:window.owned=1">click</a></svg>',
    '<iframe src="http://127.0.0.1:9/stolen"></iframe><link rel=stylesheet href=http://127.0.0.1:9/a.css>',
    "<style>*{display:none!important;background:url(http://127.0.0.1:9/b)}</style>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'><base href=http://127.0.0.1:9/>",
    "&lt;b&gt; &amp;nbsp; ]]> --> <!-- <![CDATA[",
    NUL_AND_CONTROLS,
    BIDI,
    LONG,
)
EVERYTHING = " ".join(ATTACKS)


def yaml(text: str) -> str:
    """Write any text as a double-quoted scalar of YAML, in ASCII."""
    plain = (char if " " <= char <= "~" and char not in '"\\' else f"\\U{ord(char):08x}" for char in text)
    return f'"{"".join(plain)}"'


def json(text: str) -> str:
    """Write any text of the basic plane as a string of JSON, in ASCII."""
    plain = (char if " " <= char <= "~" and char not in '"\\' else f"\\u{ord(char):04x}" for char in text)
    return f'"{"".join(plain)}"'


def members(**texts: str) -> str:
    """Write an object of JSON whose members are texts."""
    return "{" + ",".join(f'"{name}":{json(text)}' for name, text in texts.items()) + "}"


def config_claims(folder: Path) -> Path:
    """Write an exercise of config-claims: hostile documents, hostile candidates, missed predictions."""
    value = EVERYTHING.replace("\u2028", "").replace("\x85", "")  # YAML and F3.4 have one line here
    line, calm = f"hostile={value}", f"v{ATTACKS[0]}"
    claim = members(field="hostile", value=value[:900], doc=ATTACKS[0], quote=line[:900])
    good = members(field="hostile", value=calm, doc="calm", quote=f"hostile={calm}")
    candidates = {
        "calm": f'{{"claims":[{good}]}}',
        "hostile-claim": f'{{"claims":[{claim}]}}',
        **{f"raw-{index}": attack for index, attack in enumerate(ATTACKS)},
        "leading-lines": "\n\n{",
        "long-word": '{"claims":"' + "y" * 7000 + '"}',
    }
    scope = {"service": EVERYTHING, "environment": ATTACKS[1], "revision": BIDI}
    texts = {ATTACKS[0]: (value, f"{EVERYTHING}\n{line}"), "calm": (calm, f"hostile={calm}")}
    documents = "".join(
        entry({"id": name, **scope}, indent=4)
        + f"    facts: {{hostile: {yaml(fact)}}}\n    text: {yaml(text)}\n"
        for name, (fact, text) in texts.items()
    )
    request = f"{mapping(scope, indent=4)}    fields: [hostile]\n    supplied: [{yaml(ATTACKS[0])}, calm]\n"
    prediction = "    prediction: {strict_json: reject, full_contract: reject}\n"
    cases = [
        case(name, text, "ACCEPT" if name == "calm" else "INVALID_JSON") + prediction
        for name, text in candidates.items()
    ]
    return write(
        folder, "config-claims", registry=f"documents:\n{documents}", request=request, cases="".join(cases)
    )


def order_status(folder: Path) -> Path:
    """Write an exercise of order-status whose ids, values, texts and answers are hostile."""
    fact_id, order_id, value = ATTACKS[4], ATTACKS[1], ATTACKS[0]
    fact = entry({"id": fact_id, "order_id": order_id, "value": value, "text": EVERYTHING}, indent=4)
    asked = "    field: status\n    revision: null\n"
    answers = {"calm": (value, "ACCEPT"), "invented": (EVERYTHING[:900], "ANSWER_MISMATCH")}
    cases = [
        case(
            name,
            members(status="answered", order_id=order_id, answer=answer)[:-1]
            + f',"evidence":[{json(fact_id)}]}}',
            label,
        )
        for name, (answer, label) in answers.items()
    ]
    return write(
        folder,
        "order-status",
        registry=f"facts:\n{fact}{asked}",
        request=f"    order_id: {yaml(order_id)}\n{asked}    supplied: [{yaml(fact_id)}]\n",
        cases="".join(cases),
    )


def case(name: str, candidate: str, label: str) -> str:
    """Write a case; a reject is held against the case calm."""
    texts = {"note": EVERYTHING, "candidate": candidate}
    pair = "" if label == "ACCEPT" else "    pair: calm\n"
    words = f"    group: attack\n    request: ask\n    expected: {label}\n"
    return f"  - id: {name}\n{words}{mapping(texts, indent=4)}{pair}"


def mapping(texts: Mapping[str, str], *, indent: int) -> str:
    """Write members of a mapping that are texts."""
    return "".join(f"{' ' * indent}{name}: {yaml(text)}\n" for name, text in texts.items())


def entry(texts: Mapping[str, str], *, indent: int) -> str:
    """Write the first members of an item of a list."""
    return f"{' ' * (indent - 2)}- {mapping(texts, indent=indent)[indent:]}"


def write(folder: Path, contract: str, *, registry: str, request: str, cases: str) -> Path:
    """Write the three files of a suite with one group and one request."""
    group = mapping({"description": EVERYTHING, "effect": EVERYTHING}, indent=4)
    files = {
        "suite.yaml": f"suite: hostile\ncontract: {contract}\ntitle: {yaml(EVERYTHING)}\n"
        f"groups:\n  attack:\n{group}",
        "registry.yaml": registry,
        "cases.yaml": f"requests:\n  ask:\n{request}cases:\n{cases}",
    }
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content, encoding="ascii")
    return folder
