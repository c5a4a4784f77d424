"""The report in a real Chromium. `python3 tests/run_browser_checks.py` sets up what this needs, and runs it.

Every page is opened from a file, as a reader opens it. Each test sees every request, every message of the
console and every error of a page, and expects none but the page itself.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import hostile
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent.parent
#: As root, in a container, and without any talk of the browser's own.
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
SUITES = ("config-claims", "order-status", "hostile-claims", "hostile-orders")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=FLAGS)


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Make a report of a run of each suite, the hostile ones written here."""
    work = tmp_path_factory.mktemp("reports")
    folders = {
        "config-claims": "config-claims",
        "order-status": "order-status",
        "hostile-claims": str(hostile.config_claims(work / "claims")),
        "hostile-orders": str(hostile.order_status(work / "orders")),
    }
    made = {}
    for name, suite in folders.items():
        made[name] = work / f"{name}.html"
        python("run.py", "--suite", suite, "--out", str(work / name))
        python("-m", "grounded_claims", "report", str(work / name), "--out", str(made[name]))
    return made


def python(*arguments: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=True, capture_output=True)


class Watched:
    """A page, and everything it asked for, said and stumbled over."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.url = file.as_uri()
        self.requests: list[str] = []
        self.messages: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("dialog", lambda dialog: self.messages.append(dialog.message))
        page.goto(self.url)

    def unfold(self) -> None:
        """Open every case at once."""
        self.page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")


@pytest.fixture
def watch(browser: Browser, pages: dict[str, Path]) -> Iterator[object]:
    opened: list[Watched] = []

    def opening(name: str, **context: object) -> Watched:
        opened.append(Watched(browser.new_page(**context), pages[name]))
        return opened[-1]

    yield opening
    for watched in opened:
        asked, said = watched.requests, watched.messages
        watched.page.context.close()
        assert asked == [watched.url]
        assert said == []


@pytest.fixture(params=SUITES)
def suite(request: pytest.FixtureRequest) -> str:
    return request.param


def test_renders(watch):
    page = watch("config-claims").page
    assert page.title() == "config-claims: report of a run"
    counts = page.locator(".funnel .count").all_text_contents()
    assert counts == ["22", "17", "13", "3"]
    assert page.locator(".matrix tbody tr:not(.group)").count() == 22
    assert page.locator("details").count() == 22
    assert page.locator("details[open]").count() == 0
    assert page.get_by_role("img").get_attribute("aria-labelledby") == "funnel-title funnel-description"


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_unfolds_by_keyboard(watch, key):
    page = watch("config-claims").page
    summary = page.locator("summary", has_text="wrong-value")
    summary.focus()
    page.keyboard.press(key)
    assert page.locator("#case-wrong-value").is_visible()
    page.keyboard.press(key)
    assert not page.locator("#case-wrong-value").is_visible()


def test_unfolds_by_click(watch):
    page = watch("config-claims").page
    page.locator("summary", has_text="wrong-value").click()
    account = page.locator("#case-wrong-value")
    assert account.is_visible()
    assert account.locator("mark.place").first.inner_text() == '"value":"2000"'
    assert account.locator(".source mark").first.inner_text() == "read_timeout_ms=5000"
    assert "C3.5" in account.inner_text()


def test_a_link_of_the_matrix_opens_its_case(watch):
    page = watch("config-claims").page
    page.locator(".matrix a", has_text="old-revision").click()
    assert page.locator("#case-old-revision").is_visible()


def test_the_keyboard_reaches_everything_in_order(watch):
    page = watch("order-status").page
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    assert skip.inner_text() == "Skip to the results"
    assert skip.bounding_box()["y"] >= 0  # it shows itself once it has the focus
    reached = []
    for _ in range(100):
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.tagName")
        if name == "BODY":
            break
        reached.append(name)
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    focusable = page.locator("a:not(.skip), summary")
    assert len(reached) == focusable.evaluate_all("all => all.filter(e => e.checkVisibility()).length")
    assert set(reached) == {"A", "SUMMARY"}


@pytest.mark.parametrize("name", ["hostile-claims", "hostile-orders"])
def test_a_hostile_run_stays_text(watch, name):
    watched = watch(name)
    watched.unfold()
    page = watched.page
    assert page.evaluate("window.owned") is None
    assert page.title() == "hostile: report of a run"
    forbidden = (
        "script,img,iframe,object,embed,link,base,form,input,audio,video,style:not(head style),foreignObject"
    )
    assert page.locator(forbidden).count() == 0
    assert page.locator("h1").count() == 1
    assert page.evaluate(
        "[...document.querySelectorAll('a')].every(a => a.getAttribute('href').startsWith('#'))"
    )
    names = page.evaluate("[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames())")
    assert [name for name in names if name.startswith("on") or name == "style"] == []
    shown = page.locator("body").inner_text()
    for attack in hostile.ATTACKS[:10]:
        assert " ".join(attack.split()) in " ".join(shown.split())
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]", shown)
    assert "U+202E" in shown
    assert "U+0000" in shown


def test_lines_at_the_start_are_not_lost(watch):
    page = watch("hostile-claims").page
    assert page.locator("#case-leading-lines pre").first.evaluate("e => e.textContent").startswith("\n\n{")


def test_the_policy_would_stop_what_escaping_let_through(browser, pages, tmp_path):
    """The second wall: with the escaping broken on purpose, the policy still lets nothing run or load."""
    text = pages["config-claims"].read_text(encoding="utf-8")
    attack = (
        "<script>window.owned=1</script><style>h1{}</style>"
        "<img src='http://127.0.0.1:9/x' onerror='window.owned=1'>"
    )
    broken = tmp_path / "broken.html"
    broken.write_text(text.replace("<main", f"{attack}<main", 1), encoding="utf-8")
    page = browser.new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(broken.as_uri())
    assert page.evaluate("window.owned") is None
    blocked = " ".join(message for message in messages if "Content Security Policy" in message)
    assert [kind for kind in ("script-src", "img-src", "style-src") if kind not in blocked] == []
    page.context.close()


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_scrolls_sideways(watch, suite, width):
    watched = watch(suite, viewport={"width": width, "height": 800})
    assert watched.page.evaluate("document.documentElement.scrollWidth") == width
    watched.unfold()
    assert watched.page.evaluate("document.documentElement.scrollWidth") == width
    assert watched.page.evaluate(BEYOND_THE_EDGE, width) == []


#: What reaches beyond the right edge, hidden words apart.
BEYOND_THE_EDGE = """width => [...document.querySelectorAll('main *, header *')]
  .filter(e => !e.closest('.said, defs') && e.getBoundingClientRect().right > width + 0.5)
  .map(e => e.outerHTML.slice(0, 80))"""


def test_large_print_does_not_scroll_sideways(watch):
    """At a zoom of 200 %, which is half the width at twice the scale (WCAG 2.2, 1.4.4)."""
    page = watch("config-claims", viewport={"width": 640, "height": 450}, device_scale_factor=2).page
    assert page.evaluate("document.documentElement.scrollWidth") == 640


def test_prints_unfolded_and_on_white(watch, suite):
    watched = watch(suite, color_scheme="dark")
    page = watched.page
    page.emulate_media(media="print")
    folded = page.locator("details:not([open]) .inside")
    assert folded.count() == page.locator("details").count()
    heights = folded.evaluate_all(
        "all => all.map(e => e.checkVisibility() ? e.getBoundingClientRect().height : 0)"
    )
    assert min(heights) > 100
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert len(page.pdf(format="A4")) > 20_000


def test_dark_and_light_differ(watch):
    seen = set()
    for scheme in ("light", "dark"):
        page = watch("config-claims", color_scheme=scheme).page
        seen.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert seen == {"rgb(255, 255, 255)", "rgb(17, 21, 26)"}


@pytest.mark.parametrize("media", ["screen", "print"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_every_text(watch, suite, scheme, media):
    """WCAG 2.2, 1.4.3: at least 4.5 to 1, measured on what the browser computed, text by text."""
    watched = watch(suite, color_scheme=scheme)
    watched.unfold()
    watched.page.emulate_media(media=media)
    measured = watched.page.evaluate(CONTRASTS)
    assert len(measured) > 5
    assert [row for row in measured if row[0] < 4.5] == []


CONTRASTS = """() => {
  const linear = v => v <= 10.31475 ? v / 3294.6 : ((v / 255 + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
  const parts = c => c.match(/[\\d.]+/g).map(Number);
  const seen = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || e.closest('.said, .skip, title, desc')) continue;
    if (!e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const ink = e.closest('svg') ? style.fill : style.color;
    let paper = null;
    for (let p = e; p && !paper; p = p.parentElement) {
      const c = parts(getComputedStyle(p).backgroundColor);
      if (c.length === 3 || c[3] === 1) paper = c;
    }
    const [a, b] = [light(parts(ink)), light(paper ?? [255, 255, 255])].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    seen.set(ink + ' on ' + paper, [ratio, ink, String(paper), e.outerHTML.slice(0, 80)]);
  }
  return [...seen.values()];
}"""

#: Simple checks of what assistive technology needs: a rule to the elements that break it.
RULES = {
    "one main landmark": "[...document.querySelectorAll('main')].slice(1)",
    "a banner, a named navigation": """document.querySelector('body > header nav[aria-label]')
        ? [] : [document.body]""",
    "a language": "document.documentElement.lang === 'en' ? [] : [document.documentElement]",
    "ids are unique": "all('[id]').filter(e => document.querySelectorAll('#' + CSS.escape(e.id)).length > 1)",
    "links go somewhere": "all('a').filter(a => !document.getElementById(a.getAttribute('href').slice(1)))",
    "links and summaries have a name": "all('a, summary').filter(e => !e.textContent.trim())",
    "tables have a caption": "all('table').filter(t => !t.caption || !t.caption.textContent.trim())",
    "header cells have a scope and a name": "all('th').filter(e => !e.scope || !e.textContent.trim())",
    "rows are as wide as their head": """all('table').flatMap(t => [...t.rows].filter(r =>
        [...r.cells].reduce((n, c) => n + c.colSpan, 0) !== t.rows[0].cells.length))""",
    "pictures are named or hidden": """all('svg').filter(s =>
        !(s.getAttribute('aria-hidden') || s.querySelector('title')))""",
    "sections are named": """all('section').filter(s =>
        !document.getElementById(s.getAttribute('aria-labelledby')))""",
    "headings skip no level": """(() => { let before = 0; return all('h1,h2,h3,h4,h5,h6').filter(h => {
        const level = +h.tagName[1], skips = level > before + 1; before = level; return skips; }); })()""",
    "lists hold items": "all('ul, ol').filter(l => [...l.children].some(c => c.tagName !== 'LI'))",
    "description lists hold pairs": """all('dl').filter(l =>
        [...l.children].some((c, i) => c.tagName !== (i % 2 ? 'DD' : 'DT')))""",
    "details begin with their summary": """all('details').filter(d =>
        d.firstElementChild.tagName !== 'SUMMARY')""",
    "targets are tall enough": "all('summary').filter(e => e.getBoundingClientRect().height < 24)",
}


def test_assistive_technology(watch, suite):
    page = watch(suite).page
    head = "() => { const all = s => [...document.querySelectorAll(s)]; return "
    tail = ".map(e => e.outerHTML.slice(0, 120)); }"
    broken = {name: page.evaluate(f"{head}({rule}){tail}") for name, rule in RULES.items()}
    assert {name: elements for name, elements in broken.items() if elements} == {}


def test_the_tree_that_a_screen_reader_gets(watch):
    page = watch("config-claims").page
    tree = page.locator("body").aria_snapshot()
    for line in (
        "- banner:",
        '- navigation "Parts of this page":',
        "- main:",
        '- heading "What is left after each layer" [level=2]',
        '- table "How many cases pass each layer":',
        'img "Funnel of 22 cases. Strict JSON: 17 of 22 pass; Citation exists: 13 of 22 pass; ',
        '- rowheader "Citation exists"',
    ):
        assert line in tree
