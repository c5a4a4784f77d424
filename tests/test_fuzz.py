"""A little of what fuzz.py does, the same each time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from fuzz import archive_faults, suite_disagreements, yaml_disagreements


def test_both_readers_of_yaml_agree_on_edited_texts() -> None:
    seen: Counter[str] = Counter()
    assert list(yaml_disagreements(seed=1, count=4000, seen=seen)) == []
    assert seen["taken"] >= 400
    assert seen["refused"] >= 2000


def test_both_readers_of_suites_agree_on_edited_suites(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    assert list(suite_disagreements(seed=1, count=300, folder=tmp_path / "suite", seen=seen)) == []
    assert seen["taken"] >= 30
    assert seen["refused"] >= 150


def test_no_edited_archive_passes(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()
    assert list(archive_faults(seed=1, count=100, folder=tmp_path / "run", seen=seen)) == []
    assert sum(seen.values()) >= 95
    assert seen["bytes: exit 1"] >= 10
    assert seen["sealed results: exit 1"] >= 10
