"""A run directory is a payload like any other: a BagIt bag around it is made, checked, and taken apart again.

`bagit` is a development tool and the reference implementation of RFC 8493; it is run as an archivist runs it.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tampering.engine import fast_folder, lay
from tampering.good_runs import PATHS, SUMS, Lab, make_lab

import audit


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with fast_folder() as folder:
        yield make_lab(folder / "checkout")


def bagit(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bagit", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def bag(lab: Lab, tmp_path: Path) -> Path:
    """A bag with one run directory in it: bagit moves what is in the folder to data/."""
    lay(tmp_path / "bag" / "run", lab.runs["config-claims"])
    made = bagit("--sha256", "--source-organization", "None", str(tmp_path / "bag"))
    assert made.returncode == 0, made.stderr
    return tmp_path / "bag"


def test_a_bag_around_a_run_is_valid_and_the_run_audits_clean(
    bag: Path, lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bagit("--validate", str(bag)).returncode == 0
    assert audit.main([str(bag / "data" / "run")], str(lab.root)) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "PASS"


def test_the_digests_of_the_bag_are_those_of_the_sums(bag: Path, lab: Lab) -> None:
    """Both list the SHA-256 of the bytes as they are; the bag lists the sums, and so the run digest, too."""
    listed = dict(
        reversed(line.split(maxsplit=1)) for line in (bag / "manifest-sha256.txt").read_text().splitlines()
    )
    run = lab.runs["config-claims"]
    assert listed == {f"data/run/{path}": hashlib.sha256(run.files[path]).hexdigest() for path in PATHS}
    assert listed[f"data/run/{SUMS}"] == run.run_digest


def test_a_run_directory_itself_can_be_the_payload(lab: Lab, tmp_path: Path) -> None:
    lay(tmp_path / "run", lab.runs["order-status"])
    assert bagit("--sha256", str(tmp_path / "run")).returncode == 0
    assert bagit("--validate", str(tmp_path / "run")).returncode == 0
    assert audit.main([str(tmp_path / "run" / "data")], str(lab.root)) == 0


@pytest.mark.parametrize("path", PATHS)
def test_a_change_is_noticed_by_both(
    path: str, bag: Path, lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    place = bag / "data" / "run" / path
    data = place.read_bytes()
    place.write_bytes(data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])
    done = bagit("--validate", str(bag))
    assert done.returncode == 1
    assert f"data/run/{path}" in done.stderr
    assert audit.main([str(bag / "data" / "run")], str(lab.root)) == 1
    place.write_bytes(data)
    assert bagit("--validate", str(bag)).returncode == 0


def test_an_extra_file_is_noticed_by_both(bag: Path, lab: Lab) -> None:
    shutil.copy(bag / "data/run/results.json", bag / "data/run/results (1).json")
    assert bagit("--validate", str(bag)).returncode == 1
    assert audit.main([str(bag / "data" / "run")], str(lab.root)) == 1
