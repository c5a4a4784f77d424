"""The pages in two languages stay in step: the same headings, commands, figures and names."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAIR = ("docs/exercises.md", "docs/exercises.zh-Hant.md")
SUMMARY = ("README.md", "README.zh-Hant.md")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_CJK = "\u3400-\u9fff"
#: Characters of these pages' words as simplified writing has them, and traditional writing never.
SIMPLIFIED = (
    "们这说话对错请检证记录过时应该让编号练习预测个为么题与见单独"
    "执现实报档总关输项间层据问标签状态决骗应较结图"
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def prose(text: str) -> str:
    return _BLOCK.sub("", text)


def headings(text: str) -> list[tuple[int, str]]:
    """Return level and number of each heading."""
    found = re.findall(r"^(#+) (\d*)", prose(text), re.MULTILINE)
    return [(len(level), number) for level, number in found]


def code(text: str) -> Counter[str]:
    """Return the code spans, counted."""
    return Counter(re.findall(r"`([^`\n]+)`", prose(text)))


def figures(text: str) -> list[str]:
    """Return the figures of the layer table, as `17 / 22`."""
    return re.findall(r"\|\s*(\d+) / (\d+) \|", text)


def commands(text: str) -> list[str]:
    return [
        line[2:] for _, block in _BLOCK.findall(text) for line in block.splitlines() if line.startswith("$ ")
    ]


def terms(text: str) -> list[str]:
    """Return the English words of the glossary at the end of an exercises page."""
    glossary = text[text.rindex("\n## ") :]
    return re.findall(r"^\| ([a-z ]+) \|", glossary, re.MULTILINE)[1 if "| word |" in glossary else 0 :]


def test_the_exercises_have_the_same_parts():
    english, chinese = map(read, PAIR)
    assert headings(english) == headings(chinese)
    assert len(headings(english)) == 9


def test_the_exercises_have_the_same_commands_and_the_same_output():
    english, chinese = map(read, PAIR)
    assert _BLOCK.findall(english) == _BLOCK.findall(chinese)
    assert len(commands(english)) >= 6


def section_pairs() -> list[tuple[str, str]]:
    english, chinese = (re.split(r"^## ", read(name), flags=re.MULTILINE) for name in PAIR)
    return list(zip(english, chinese, strict=True))


@pytest.mark.parametrize("number", range(9))
def test_a_part_of_the_exercises_names_the_same_things(number):
    """Every code span, clause, list item and link stands in both, as often."""
    english, chinese = section_pairs()[number]
    assert code(english) == code(chinese)
    for what in (r"C\d\.\d", r"^- ", r"\]\(([^)]+)\)", r"^\|"):
        assert re.findall(what, prose(english), re.MULTILINE) == re.findall(
            what, prose(chinese), re.MULTILINE
        )


def test_the_glossaries_have_the_same_words():
    english, chinese = map(read, PAIR)
    assert terms(english) == terms(chinese)
    summary = read(SUMMARY[1])
    assert [word for word in terms(english) if word not in summary] == []
    translated = dict(re.findall("^\\| ([a-z ]+) \\| ([^\uff1a\n]+)\uff1a", chinese, re.MULTILINE))
    assert list(translated) == terms(english)
    assert [
        f"{theirs} {word}" for word, theirs in translated.items() if f"{theirs} {word}" not in summary
    ] == []


def test_the_summary_has_the_figures_of_the_readme():
    english, chinese = map(read, SUMMARY)
    assert figures(chinese) == [("17", "22"), ("13", "22"), ("3", "22")]
    assert figures(english)[:3] == figures(chinese)
    assert "10 violations pass the citation baseline" in english
    assert "10 個候選答案" in chinese


def test_the_summary_has_commands_of_the_readme():
    english, chinese = map(read, SUMMARY)
    ours = commands(chinese)
    assert ours[:2] == ["python3 bootstrap.py run --out evidence/MY-RUN", "python3 bootstrap.py test"]
    assert [command for command in ours if command not in commands(english)] == []


def test_the_summary_names_the_files_of_a_run_directory():
    english, chinese = map(read, SUMMARY)
    rows = [re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE) for text in (english, chinese)]
    assert rows[1] == ["inputs/", "results.json", "manifest.json", "SHA256SUMS"]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("name", [PAIR[1], SUMMARY[1]])
def test_the_chinese_is_set_as_chinese(name):
    """Full-width punctuation beside characters; traditional forms; no line break within a sentence."""
    text = re.sub(r"`[^`\n]*`|\]\([^)]*\)", "", prose(read(name)))
    assert re.findall(f"[{_CJK}][,:;?!()]|[,:;?!()][{_CJK}]", text) == []
    assert re.findall(f"[{_CJK}]\n[{_CJK}]", text) == []
    assert sorted(set(SIMPLIFIED) & set(text)) == []


@pytest.mark.parametrize("name", [*PAIR, SUMMARY[1]])
def test_links_lead_to_files(name):
    targets = re.findall(r"\]\(([^)#]+)\)", read(name))
    assert [target for target in targets if not ((ROOT / name).parent / target).is_file()] == []
