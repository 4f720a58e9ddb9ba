"""The files of a folder as bytes, for machines that share no disk."""

import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from neuralexec.graphs.formats.writing import is_leftover

Parcel: TypeAlias = dict[str, bytes]
"""Content by path below the folder, in the order the files were last written."""


def pack(folder: Path) -> Parcel:
    """Every file in a folder and below, but for what a crash left half-written."""
    files = [path for path in folder.rglob("*") if path.is_file() and not is_leftover(path)]
    # A file that is written last may say that the others are there: it must also arrive last.
    files.sort(key=lambda path: (path.stat().st_mtime_ns, path.as_posix()))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def unpack(parcel: Parcel, folder: Path, sent: Iterable[str] = ()) -> None:
    """Write the files one by one, in order, each whole or not at all.

    Those of the names `sent` that did not come back were removed where they went, and so are here.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in parcel.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".neuralexec-{secrets.token_hex(8)}.part")
        try:
            beside.write_bytes(content)  # as it is: `replacing` would compress a .gz once more
            os.replace(beside, path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    for name in set(sent) - set(parcel):
        (folder / name).unlink(missing_ok=True)
