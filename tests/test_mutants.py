"""What docs/mutants.md says of the mutants that live is said of the lines as they are today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mutants import REASONS
from mutation import MODULES, ROOT, WANTED, Module

PAGE = (Path(ROOT) / "docs" / "mutants.md").read_text(encoding="utf-8")
SECTIONS = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])


def test_every_module_that_is_mutated_is_listed() -> None:
    assert SECTIONS.keys() == {module.title for module in MODULES.values()}


@pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
def test_each_survivor_is_there_with_its_reason(module: Module) -> None:
    section = SECTIONS[module.title]
    lines = (ROOT / module.file).read_text(encoding="utf-8").splitlines()
    [(killed, tried)] = re.findall(r"^(\d+) of (\d+) mutants killed", section, re.MULTILINE)
    listed = re.findall(r"^- line (\d+), `(.+)`: `(.+  ->  .+)`: (.+)$", section, re.MULTILINE)
    assert len(listed) == section.count("\n- ") == int(tried) - int(killed)
    assert 100 * int(killed) >= WANTED * int(tried)
    for number, source, change, reason in listed:
        assert lines[int(number) - 1].strip() == source
        assert REASONS[module.called, source, change] == reason
