"""A folder on whichever machine a job comes to; a killed attempt leaves it to the next one."""

import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from neuralexec.sweeps.parcel import Parcel, unpack


@contextmanager
def workspace(key: str, parcel: Parcel) -> Iterator[Path]:
    """A temporary folder with the files of `parcel`, removed at the end.

    An attempt with the same key that was killed on this machine could not remove its own: its
    files are further on than the parcel, and are taken over.
    """
    place, lock = _claim(Path(tempfile.gettempdir()) / f"neuralexec-{key}")
    try:
        folder = place / "files"
        if not folder.exists():
            half = place / "unpacking"
            shutil.rmtree(half, ignore_errors=True)
            unpack(parcel, half)
            half.rename(folder)
        yield folder
    finally:
        shutil.rmtree(place, ignore_errors=True)
        os.close(lock)


def _claim(place: Path) -> tuple[Path, int]:
    """The place and its lock; or a new place, where an attempt given up for dead still runs."""
    place.mkdir(mode=0o700, exist_ok=True)
    lock = os.open(place / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return _claim(place.with_name(f"{place.name}-{secrets.token_hex(4)}"))
    return place, lock
