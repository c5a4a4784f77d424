"""A file that is written whole or not at all, never over another, and whose failures name it."""

from __future__ import annotations

import errno
import gzip
import os

import pytest

from grounded_claims import whole_file as module
from grounded_claims.errors import UsageError
from grounded_claims.whole_file import whole_file


def written(path, data=b"whole", **options):
    with whole_file(path, **options) as write:
        write(data)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refusing(number):
    def link(*_, **__):
        raise OSError(number, os.strerror(number))

    return link


def test_only_who_asks_for_gzip_gets_it(tmp_path):
    written(tmp_path / "plain.gz")
    written(tmp_path / "packed", gzipped=True)
    written(tmp_path / "again", gzipped=True)
    found = contents(tmp_path)
    assert found["plain.gz"] == b"whole"
    assert gzip.decompress(found["packed"]) == b"whole"
    assert found["packed"] == found["again"]


def test_another_file_is_replaced_on_demand_alone(tmp_path):
    written(tmp_path / "out", b"older")
    with pytest.raises(UsageError, match="exists already, and nothing is overwritten"):
        written(tmp_path / "out", b"newer")
    assert contents(tmp_path) == {"out": b"older"}
    written(tmp_path / "out", b"newer", replace=True)
    assert contents(tmp_path) == {"out": b"newer"}


def test_what_goes_wrong_in_the_block_leaves_nothing_and_keeps_its_name(tmp_path):
    def write_half():
        with whole_file(tmp_path / "out") as write:
            write(b"half")
            raise OSError(errno.EIO, "odd")

    with pytest.raises(OSError, match="odd") as caught:
        write_half()
    assert caught.value.filename is None
    assert contents(tmp_path) == {}


def test_a_folder_that_may_not_be_written_to_names_the_file(tmp_path, monkeypatch):
    """An administrator may write anywhere, so that the system is played."""

    def refused(path, *_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(PermissionError) as caught:
        written(tmp_path / "out")
    assert caught.value.filename == str(tmp_path / "out")


@pytest.mark.parametrize("gzipped", [False, True])
@pytest.mark.parametrize("size", [1, 2**22])
def test_a_full_disk_names_the_file(tmp_path, monkeypatch, size, gzipped):
    real = os.open
    monkeypatch.setattr(
        os,
        "open",
        lambda path, *rest: real("/dev/full", os.O_WRONLY) if ".unf" in str(path) else real(path, *rest),
    )
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)) as caught:
        written(tmp_path / "out", os.urandom(size), gzipped=gzipped)
    assert caught.value.filename == str(tmp_path / "out")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_comes_into_being_meanwhile_is_kept(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", refusing(errno.EPERM))
    writing = whole_file(tmp_path / "out")
    writing.__enter__()(b"ours")
    (tmp_path / "out").write_bytes(b"theirs")
    with pytest.raises(UsageError, match=r"out .*, and nothing is overwritten"):
        writing.__exit__(None, None, None)
    assert contents(tmp_path) == {"out": b"theirs"}


# Where there are no hard links, or folders cannot be opened


def test_a_file_is_named_where_there_are_no_links(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "link", refusing(errno.EPERM))
    written(tmp_path / "out")
    assert contents(tmp_path) == {"out": b"whole"}


def test_a_folder_that_cannot_be_opened_is_not_flushed(tmp_path, monkeypatch):
    opened = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, *rest: opened.append(str(path)) or real(path, *rest))
    monkeypatch.setattr(module.os, "name", "nt")
    module._flush_folder(os.fspath(tmp_path))
    monkeypatch.undo()
    assert opened == []
