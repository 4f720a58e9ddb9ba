"""Files there and back."""

import os
from pathlib import Path

import pytest

from neuralexec.sweeps.parcel import pack, unpack

PARCEL = {"b": b"second", "deep/a": b"first", "log.gz": b"not gzip", "empty": b""}


def test_what_is_unpacked_packs_to_the_same(tmp_path: Path) -> None:
    unpack(PARCEL, tmp_path / "new" / "folder")
    assert pack(tmp_path / "new" / "folder") == PARCEL


def test_files_come_in_the_order_they_were_written(tmp_path: Path) -> None:
    for second, name in enumerate(["z", "b", "a", "y"]):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, second // 2))
    assert list(pack(tmp_path)) == ["b", "z", "a", "y"]


def test_files_appear_in_the_order_of_the_parcel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    replace = os.replace

    def noting(old: Path, new: Path) -> None:
        order.append(new.relative_to(tmp_path).as_posix())
        replace(old, new)

    monkeypatch.setattr(os, "replace", noting)
    unpack(PARCEL, tmp_path)
    assert order == list(PARCEL)


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert pack(tmp_path / "missing") == {}


def test_half_written_files_stay(tmp_path: Path) -> None:
    (tmp_path / ".neuralexec-0123.part").touch()
    (tmp_path / "whole").touch()
    assert pack(tmp_path) == {"whole": b""}


def test_what_was_sent_and_did_not_return_is_removed(tmp_path: Path) -> None:
    for name in ("sent", "returned", "unrelated"):
        (tmp_path / name).write_bytes(b"old")
    unpack({"returned": b"new"}, tmp_path, sent=["sent", "returned", "gone already"])
    assert dict(sorted(pack(tmp_path).items())) == {"returned": b"new", "unrelated": b"old"}


def test_a_failure_leaves_the_old_file_and_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"old")

    def fail(old: Path, new: Path) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        unpack({"file": b"new"}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"
