"""Files that appear whole or not at all: written beside their place, then moved into it."""

import gzip
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from neuralexec.errors import InputError

LEVEL = 6
"""As the gzip command: the highest takes twice as long for a few percent."""


def find_place(path: Path) -> Path:
    """Where a file would be written, through a link so that the link stays one; or why not."""
    place = Path(os.path.realpath(path))
    if place.is_dir():
        raise InputError("is a folder; give the name of a file in it")
    if place.exists() and not place.is_file():
        raise InputError("is not a regular file; write to one")
    if not place.parent.is_dir():
        raise InputError(f"the folder {str(path.parent)!r} does not exist; make it first")
    return place


def check_place(path: Path) -> None:
    """Refuse, by name, a path where no file could be written."""
    try:
        find_place(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def is_leftover(path: Path) -> bool:
    """Is it what a crash in the middle of writing left behind?"""
    return path.name.startswith(".neuralexec-") and path.suffix == ".part"


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose content becomes `path` when the block ends without an error.

    A path that ends in .gz is compressed, without a time stamp: equal content, equal bytes.
    """
    place = find_place(path)
    beside = place.with_name(f".neuralexec-{secrets.token_hex(8)}.part")
    try:
        with beside.open("xb") as stream:
            if path.suffix.lower() == ".gz":
                with gzip.GzipFile("", "wb", LEVEL, stream, mtime=0) as zipped:
                    yield zipped  # type: ignore[misc]
            else:
                yield stream
        if place.exists():
            shutil.copymode(place, beside)
        os.replace(beside, place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
