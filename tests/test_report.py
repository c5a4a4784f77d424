"""The page of a run: what stands on it, that it is text and nothing else, that its bytes never vary.

What only a browser can tell is in tests/browser/.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import hostile
from test_recorded_run import make_run, rewrite

from grounded_claims import __version__, places
from grounded_claims.__main__ import main
from grounded_claims.recorded_run import read_run
from grounded_claims.report import differing, render
from grounded_claims.report.html import attribute, el, text
from grounded_claims.report.page import NOT_PROVED, POLICY
from grounded_claims.report.style import CSS

ROOT = Path(__file__).resolve().parent.parent
TAGS = set(
    "html head meta title style body a header h1 h2 h3 h4 h5 p code strong nav ul ol li main section figure "
    "figcaption svg desc defs pattern path polygon text rect table caption thead tbody tr th td span details "
    "summary div dl dt dd pre mark wbr".split()
)
ATTRIBUTES = set(
    "lang charset http-equiv content name class href id aria-label aria-labelledby aria-hidden role viewbox "
    "width height patternunits patterntransform d points x y fill stroke stroke-width scope colspan "
    "translate".split()
)


class Elements(HTMLParser):
    """The elements of a page, as a parser independent of ours sees them."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.style = ""
        self.texts: list[str] = []
        self.feed(page.decode("utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "wbr"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["style"]:
            self.style += data
        else:
            self.texts.append(data)

    @property
    def words(self) -> str:
        return " ".join("".join(self.texts).split())


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    work = tmp_path_factory.mktemp("runs")
    frozen = {
        name: make_run(work / name, name) for name in ("config-claims", "order-status", "order-status-field")
    }
    return frozen | {
        "hostile-claims": make_run(work / "hostile-claims", hostile.config_claims(work / "claims")),
        "hostile-orders": make_run(work / "hostile-orders", hostile.order_status(work / "orders")),
    }


@pytest.fixture(scope="module")
def pages(runs: dict[str, Path]) -> dict[str, bytes]:
    return {name: render(read_run(folder)) for name, folder in runs.items()}


SUITES = ("config-claims", "order-status", "order-status-field", "hostile-claims", "hostile-orders")


@pytest.fixture(params=SUITES)
def suite(request: pytest.FixtureRequest) -> str:
    return request.param


# Escaping

ESCAPED = {
    "markup": ('<a href="x">\'&', "&lt;a href=&quot;x&quot;&gt;&#39;&amp;"),
    "NUL": ("a\0b", 'a<span class="code-point">U+0000</span>b'),
    "a line feed within a line": ("a\nb", 'a<span class="code-point">U+000A</span>b'),
    "a tab": ("\t", '<span class="code-point">U+0009</span>'),
    "a no-break space": ("\xa0", '<span class="code-point">U+00A0</span>'),
    "right to left": ("\u202e", '<span class="code-point">U+202E</span>'),
    "zero width": (
        "\u200b\ufeff",
        '<span class="code-point">U+200B</span><span class="code-point">U+FEFF</span>',
    ),
    "a tag character": ("\U000e0041", '<span class="code-point">U+E0041</span>'),
    "a surrogate": ("\ud800", '<span class="code-point">U+D800</span>'),
    "letters of any script": ("é 中文 עברית 😀", "é 中文 עברית 😀"),
}


@pytest.mark.parametrize("name", ESCAPED)
def test_text_is_escaped(name):
    raw, written = ESCAPED[name]
    assert text(raw) == written
    assert el("p", raw) == f"<p>{written}</p>"


def test_lines_stay_lines_where_they_may():
    assert text("a\r\nb\n", lines=True) == 'a<span class="code-point">U+000D</span>\nb\n'


def test_an_attribute_holds_no_markup_and_nothing_unseen():
    assert attribute("\"><script>'\u202e\n") == "&quot;&gt;&lt;script&gt;&#39;U+202EU+000A"
    assert el("p", title='"><b>') == '<p title="&quot;&gt;&lt;b&gt;"></p>'


def test_no_character_is_left_that_cannot_be_seen():
    """Whatever this Python's tables call a control, format, private or unusual space character is shown."""
    unseen = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs"}
    chars = (chr(point) for point in range(0x110000))
    left = [char for char in chars if unicodedata.category(char) in unseen and text(char) == char]
    assert left == [" "]


# The page


def test_the_page_holds_known_elements_and_nothing_else(pages, suite):
    found = Elements(pages[suite])
    assert found.open == []
    assert {tag for tag, _ in found.elements} - TAGS == set()
    assert {name for _, attributes in found.elements for name in attributes} - ATTRIBUTES == set()
    assert [a["href"] for tag, a in found.elements if tag == "a" and not a["href"].startswith("#")] == []
    assert b"url(" not in pages[suite].replace(b"url(#hatch)", b"").replace(b"url(http://127.0.0.1:9/b)", b"")


def test_the_policy_allows_this_style_and_nothing_else(pages, suite):
    found = Elements(pages[suite])
    digest = base64.b64encode(hashlib.sha256(found.style.encode()).digest()).decode()
    wanted = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    policies = [a["content"] for _, a in found.elements if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies == [wanted] == [POLICY]
    assert [a for tag, a in found.elements if tag == "meta"][0] == {"charset": "utf-8"}  # noqa: RUF015


def test_every_attack_is_shown_as_text(pages):
    words = Elements(pages["hostile-claims"]).words
    for attack in hostile.ATTACKS[:10]:
        assert " ".join(attack.split()) in words
    assert re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", pages["hostile-claims"]) is None


WORDS = {
    "config-claims": [
        "Funnel of 22 cases. Strict JSON: 17 of 22 pass; Citation exists: 13 of 22 pass; ",
        "Of the 13 that pass Citation exists, the labels accept 3 and reject 10.",
        "22 of 22 verdicts equal their frozen labels. 10 violations pass the citation baseline. That is ",
        "the label accepts it (3 of 22)",
        "right document. A gate that refused these",
        "If accepted: ",
        "grounded3ungrounded14malformed5",
        "VALUE_MISMATCH (ungrounded, decided by claims[0])",
        "ACCEPT (grounded, accepting read_timeout_ms = 5000, retry_enabled = false)",
        "frozen suite config-claims: 22 cases, judged by the contract config-claims.",
        "Frozenyes, by this program's pins",
        "It was not audited: with the name of the run directory for DIR, python3 bootstrap.py audit DIR ",
        "the member 'claims' stands twice in one object",
    ],
    "order-status": [
        "8 of 8 verdicts equal their frozen labels. 3 violations pass the citation baseline. That is ",
        "grounded1honest refusal3needless refusal1ungrounded3malformed0",
        "ACCEPT (honest refusal, accepting status = null)",
        "The parcel of DEMO-104 was handed over, so the order counts as [quoted: shipped].",
    ],
    "order-status-field": ["verdicts equal their frozen labels"],
    "hostile-claims": [
        "exercise hostile: 17 cases",
        "Frozenno: this is not a published suite",
        "Strict JSON1715Citation exists00Full contract1716",
        "calmStrict JSONrejectpass",
        "Predicted and observed: calm",
    ],
    "hostile-orders": ["ANSWER_MISMATCH (ungrounded)"],
}


@pytest.mark.parametrize("name", WORDS)
def test_the_page_says(pages, name):
    words = Elements(pages[name]).words
    assert [sentence for sentence in WORDS[name] if sentence not in words] == []


def test_a_group_without_harm_is_not_told_as_harm(pages):
    assert "If accepted: None" not in Elements(pages["config-claims"]).words


def test_an_exercise_is_coloured_by_its_verdicts(tmp_path):
    """Its label, ACCEPT, is that of the answer as it was; the answer now is wrong."""
    suite = shutil.copytree(ROOT / "fixtures" / "config-claims", tmp_path / "exercise")
    cases = (suite / "cases.yaml").read_text(encoding="utf-8")
    case = re.search(r"  - id: old-revision\n.*?(?=\n  - id: |\Z)", cases, re.DOTALL)[0]
    case = re.sub(r"\n    pair: .*", "", case).replace("expected: STALE_REVISION", "expected: ACCEPT")
    head = cases[: cases.index("  - id: ")]
    (suite / "cases.yaml").write_text(f"{head}{case.rstrip()}\n", encoding="utf-8")
    main_suite = (suite / "suite.yaml").read_text(encoding="utf-8")
    (suite / "suite.yaml").write_text(re.sub(r"(?m)^totals:\n(  .*\n)+", "", main_suite), encoding="utf-8")
    page = render(read_run(make_run(tmp_path / "run", suite)))
    words = Elements(page).words
    said = [
        "Funnel of 1 case. Strict JSON: 1 of 1 pass; Citation exists: 1 of 1 pass; ",
        "Of the 1 that pass Citation exists, the contract accepts 0 and rejects 1.",
        "the contract accepts it (0 of 1)",
        "the contract rejects it (1 of 1)",
        "0 of 1 verdicts equal their labels. 1 of 1 candidates that the contract rejects passes ",
        "the citation baseline. A label here may be that of the candidate before it was changed.",
    ]
    assert [sentence for sentence in said if sentence not in words] == []
    assert "That is agreement" not in words
    assert re.findall(rb'<rect[^>]*height="34"[^>]*class="core"', page) == []


def test_every_case_is_there_with_its_candidate_character_for_character(runs, pages, suite):
    accounts = pages[suite].decode("utf-8").split("<details>")[1:]
    shown = {}
    for account in accounts:
        case_id = re.search(r'<div class="inside" id="case-([a-z0-9-]+)">', account)[1]
        shown[case_id] = raw_text(re.search(r"<pre[^>]*>\n(.*?)</pre>", account, re.DOTALL)[1])
    cases = read_run(runs[suite]).suite.cases
    assert {case.id: case.candidate for case in cases} == shown


def raw_text(written: str) -> str:
    """Read a text back from the page: as it is seen, with its codes turned into characters again."""
    seen = re.sub(r'<span class="said">.*?</span>', "", written)
    seen = re.sub(r'<span class="code-point">U\+([0-9A-F]+)</span>', lambda code: chr(int(code[1], 16)), seen)
    return unescape(re.sub(r"</?mark[^>]*>", "", seen))


def test_what_acceptance_does_not_prove_is_what_the_contract_says():
    contract = (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")
    section = contract[contract.index("## What acceptance does not prove") :].split("\n## ")[0]
    beginnings = [re.split(r"[:,]", line)[0] for line in re.findall(r"^- (.*)", section, re.MULTILINE)]
    assert [re.split(r"[:,]", words)[0] for words in NOT_PROVED] == beginnings
    assert len(beginnings) == 5


# The same bytes


def test_two_pages_of_a_run_have_the_same_bytes(runs, pages, suite):
    assert render(read_run(runs[suite])) == pages[suite]


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Asia/Taipei"},
        {"PYTHONOPTIMIZE": "1", "SOURCE_DATE_EPOCH": "1"},
    ],
)
def test_no_setting_changes_the_bytes(runs, pages, tmp_path, environment):
    out = tmp_path / "page.html"
    report(runs["hostile-claims"], out, environment)
    assert out.read_bytes() == pages["hostile-claims"]


def report(run: Path, out: Path, environment: dict[str, str] | None = None) -> None:
    """Make a page in a process of its own."""
    settings = os.environ | {"PYTHONPATH": str(ROOT / "src")} | (environment or {})
    command = [sys.executable, "-m", "grounded_claims", "report", str(run), "--out", str(out)]
    subprocess.run(command, env=settings, check=True, capture_output=True)


def test_the_place_of_the_run_is_not_on_the_page(pages, tmp_path):
    elsewhere = make_run(tmp_path / "another name", "config-claims")
    assert render(read_run(elsewhere)) == pages["config-claims"]


# Colours


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


LIGHT = colours(CSS[: CSS.index("@media")])
DARK = LIGHT | colours(CSS[CSS.index("@media (prefers-color-scheme: dark)") : CSS.index("* { box-sizing")])
PRINT = LIGHT | colours(CSS[CSS.index("@media print") :])
#: Text and what it stands on: at least 4.5 to 1 (WCAG 2.2, 1.4.3).
TEXTS = [
    *((ink, paper) for ink in ("ink", "muted", "link") for paper in ("paper", "panel")),
    *(("pass", "pass-paper"), ("reject", "reject-paper"), ("reject", "paper"), ("fooled", "fooled-paper")),
    ("mark-ink", "mark"),
]
#: Shapes that mean something: at least 3 to 1 (1.4.11).
SHAPES = [
    ("core", "paper"),
    ("focus", "paper"),
    ("wanted", "paper"),
    ("wanted", "panel"),
    ("reject", "panel"),
]


def contrast(first: str, second: str) -> float:
    lights = sorted(map(luminance, (first, second)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast_is_measured_right():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_colours_are_far_enough_apart(scheme):
    known = {"light": LIGHT, "dark": DARK, "print": PRINT}[scheme]
    measured = {pair: round(contrast(known[pair[0]], known[pair[1]]), 2) for pair in (*TEXTS, *SHAPES)}
    assert {pair: ratio for pair, ratio in measured.items() if ratio < (4.5 if pair in TEXTS else 3)} == {}


def test_no_colour_of_a_text_is_unmeasured():
    inks = set(re.findall(r"(?<![-a-z])(?:color|fill): var\(--([a-z-]+)\)", CSS)) - {"core", "paper", "panel"}
    assert inks == {ink for ink, _ in TEXTS}
    assert len(LIGHT) == len(DARK) == len(PRINT) == 18
    assert colours(CSS[CSS.index("@media print") :]).keys() == LIGHT.keys() - {"focus"}


# The command


def test_the_next_command_works_from_where_it_is_read(runs, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = runs["config-claims"]
    assert main(["report", str(run), "--out", "page.html"]) == 0
    path = os.path.relpath(ROOT / "bootstrap.py", tmp_path)
    assert capsys.readouterr().out.endswith(f"Not audited. Next: python3 {path} audit {run}\n")
    monkeypatch.setattr(places, "PACKAGE", tmp_path / "grounded_claims")
    (tmp_path / "grounded_claims").mkdir()
    shutil.copytree(ROOT / "fixtures", tmp_path / "grounded_claims" / "fixtures")
    assert main(["report", str(run), "--out", "again.html"]) == 0
    assert capsys.readouterr().out.endswith(
        f"Not audited. Next, in a checkout: python3 bootstrap.py audit {run}\n"
    )


def test_the_command_writes_the_page_and_says_what_it_is(runs, pages, tmp_path, capsys):
    out, run = tmp_path / "page.html", runs["config-claims"]
    assert main(["report", str(run), "--out", str(out)]) == 0
    assert out.read_bytes() == pages["config-claims"]
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    digest = hashlib.sha256(pages["config-claims"]).hexdigest()
    assert capsys.readouterr().out == (
        f"{out}: 22 cases of config-claims, {len(pages['config-claims'])} bytes\n"
        f"page       sha256 {digest}\n"
        f"run digest sha256 {read_run(run).run_digest}\n"
        f"Not audited. Next: python3 bootstrap.py audit {run}\n"
    )
    assert f'content="grounded-claims {__version__}"'.encode() in pages["config-claims"]


def test_where_the_gate_of_today_differs_page_and_exit_code_say_so(tmp_path, capsys):
    run = make_run(tmp_path / "run", "config-claims")

    def accept(results):
        results["cases"][3].update(status="ACCEPT", full_contract=True, outcome="grounded", claim=None)
        results["totals"].update(full_contract=4, labels_matched=21)
        results["totals"]["outcomes"].update(grounded=4, ungrounded=13)

    rewrite(run, "results.json", accept)
    assert differing(read_run(run)) == ["wrong-value"]
    assert main(["report", str(run), "--out", str(tmp_path / "page.html")]) == 1
    assert (
        "  case wrong-value: today's gate gives another verdict than the recorded one"
        in capsys.readouterr().out
    )
    words = Elements((tmp_path / "page.html").read_bytes()).words
    assert "Today's gate gives another verdict than was recorded in 1 case: wrong-value." in words
    assert (
        "The gate of today does not give the recorded verdict. Recorded: ACCEPT (grounded). "
        "Today: VALUE_MISMATCH (ungrounded, decided by claims[0])." in words
    )
    assert "21 of 22 verdicts equal their frozen labels" in words
    assert (
        "Totals that the suite pins, and this run does not meet: full_contract: pinned 3, counted 4." in words
    )


def taken(path: Path) -> None:
    path.write_bytes(b"mine")


REFUSED = {
    "a file": (taken, "exists already, and nothing is overwritten; name another file"),
    "a folder": (Path.mkdir, "exists already, and nothing is overwritten; name another file"),
    "a dangling link": (
        lambda path: path.symlink_to("nowhere"),
        "exists already, and nothing is overwritten; name another file",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_existing_page_is_never_touched(runs, tmp_path, capsys, name):
    out = tmp_path / "page.html"
    REFUSED[name][0](out)
    before = (out.lstat(), sorted(tmp_path.iterdir()))
    assert main(["report", str(runs["config-claims"]), "--out", str(out)]) == 2
    assert (out.lstat(), sorted(tmp_path.iterdir())) == before
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"{out} {REFUSED[name][1]}\n")


def test_no_name_is_no_page(runs, capsys):
    assert main(["report", str(runs["config-claims"]), "--out", ""]) == 2
    assert capsys.readouterr() == ("", "'' names no file; name a new one\n")


def test_a_page_has_no_place_in_the_run_directory(tmp_path, capsys):
    run = make_run(tmp_path / "run", "order-status")
    assert main(["report", str(run), "--out", str(run / "inputs" / "page.html")]) == 2
    assert "lies in the run directory, which holds its own files alone" in capsys.readouterr().err
    assert read_run(run).results.passed("full_contract") == 4


def test_a_missing_folder_is_named(runs, tmp_path, capsys):
    out = tmp_path / "none" / "page.html"
    assert main(["report", str(runs["order-status"]), "--out", str(out)]) == 2
    assert capsys.readouterr().err == (
        f"{out.parent} is not a folder; make it first, or name another place for page.html\n"
    )


def test_a_damaged_run_gets_no_page(tmp_path, capsys):
    run = make_run(tmp_path / "run", "order-status")
    (run / "SHA256SUMS").unlink()
    assert main(["report", str(run), "--out", str(tmp_path / "page.html")]) == 2
    assert capsys.readouterr().err == (
        f"{run} holds no SHA256SUMS: it is no run directory, or one that was not finished\n"
    )
    assert not (tmp_path / "page.html").exists()


def test_a_full_disk_leaves_nothing(runs, tmp_path):
    """A limit on the size of files stands for the full disk: the write fails half-way."""
    command = (
        f"{sys.executable} -m grounded_claims report {runs['config-claims']} --out {tmp_path / 'page.html'}"
    )
    limited = ["bash", "-c", f"trap '' XFSZ; ulimit -f 20; exec {command}"]
    done = subprocess.run(
        limited,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_run_py_mentions_the_report(tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "run.py"), "--suite", "order-status", "--out", "my run"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"Look: python3 \S+bootstrap\.py report 'my run' --out 'my run\.html'", last)
