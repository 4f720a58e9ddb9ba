"""A folder for each attempt, taken over from one that was killed."""

import multiprocessing
import os
import signal
import tempfile
from pathlib import Path

import pytest

from neuralexec.sweeps.parcel import pack, unpack
from neuralexec.sweeps.workspace import workspace

PARCEL = {"earlier": b"earlier"}


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def be_killed(place: str, half_unpacked: bool) -> None:
    tempfile.tempdir = place
    with workspace("key", PARCEL) as folder:
        (folder / "half").write_bytes(b"half")
        if half_unpacked:
            folder.rename(folder.with_name("unpacking"))
        os.kill(os.getpid(), signal.SIGKILL)


def kill_one(place: Path, half_unpacked: bool = False) -> None:
    process = multiprocessing.get_context("spawn").Process(
        target=be_killed, args=(str(place), half_unpacked)
    )
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_it_holds_the_parcel_and_is_removed(tmp_path: Path) -> None:
    with workspace("key", PARCEL) as folder:
        assert pack(folder) == PARCEL
        assert folder.is_relative_to(tmp_path)
        (folder / "more").touch()
    assert list(tmp_path.iterdir()) == []


def test_it_is_removed_when_interrupted(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), workspace("key", PARCEL):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_others_cannot_look_into_it(tmp_path: Path) -> None:
    with workspace("key", PARCEL):
        [place] = tmp_path.iterdir()
        assert place.stat().st_mode & 0o777 == 0o700


def test_what_a_killed_attempt_left_is_taken_over(tmp_path: Path) -> None:
    kill_one(tmp_path)
    with workspace("key", {"earlier": b"sent again"}) as folder:
        assert dict(sorted(pack(folder).items())) == {"earlier": b"earlier", "half": b"half"}
    assert list(tmp_path.iterdir()) == []


def test_what_was_only_half_unpacked_is_not(tmp_path: Path) -> None:
    kill_one(tmp_path, half_unpacked=True)
    with workspace("key", PARCEL) as folder:
        assert pack(folder) == PARCEL


def test_an_attempt_that_still_runs_keeps_its_own(tmp_path: Path) -> None:
    with workspace("key", PARCEL) as first:
        (first / "own").touch()
        with workspace("key", PARCEL) as second:
            assert pack(second) == PARCEL
        assert (first / "own").exists()
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_not_another(tmp_path: Path) -> None:
    with workspace("key", PARCEL) as first, workspace("other", {}) as second:
        unpack({"file": b""}, first)
        assert pack(second) == {}
