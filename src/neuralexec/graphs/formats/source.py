"""A file to read from: opened as often as a reader likes, and unzipped on the way."""

import gzip
import io
import stat
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

from neuralexec.errors import InputError
from neuralexec.graphs.memory import refuse_if_too_large

GZIP_MAGIC = b"\x1f\x8b"
BEGINNING = 1 << 16
READ_AT_ONCE = 1 << 24


@dataclass(frozen=True)
class Source:
    path: Path

    def check(self) -> None:
        """Refuse what has no content to read, before a parser says so in its own words."""
        kind = self.path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise InputError("is a folder, not a file")
        if not stat.S_ISREG(kind):
            raise InputError("is not a regular file; save its content to one first")
        if not self.beginning:
            raise InputError("is empty")

    @cached_property
    def zipped(self) -> bool:
        with self.path.open("rb") as stream:
            return stream.read(len(GZIP_MAGIC)) == GZIP_MAGIC

    @cached_property
    def beginning(self) -> bytes:
        """The first bytes of the content, enough to tell its format."""
        with self.open() as stream:
            return stream.read(BEGINNING)

    @cached_property
    def size(self) -> int:
        """Bytes on disk: the size of the content, or less than it where that is zipped."""
        return self.path.stat().st_size

    @cached_property
    def is_long(self) -> bool:
        """Is there more content than `beginning` holds?"""
        return len(self.beginning) == BEGINNING

    @property
    def extension(self) -> str:
        return extension_of(self.path)

    def open(self) -> IO[bytes]:
        if self.zipped:
            return io.BufferedReader(gzip.open(self.path, "rb"))
        return self.path.open("rb")

    def content(self, memory_per_byte: float) -> bytes:
        """All of it, for a parser that then needs `memory_per_byte` times as much memory."""
        refuse_if_too_large(self.size * memory_per_byte, "this file")
        pieces: list[bytes] = []
        size = 0
        with self.open() as stream:
            while piece := stream.read(READ_AT_ONCE):
                pieces.append(piece)
                size += len(piece)
                # A small zipped file may hold more than the memory does.
                refuse_if_too_large(size * memory_per_byte, "this file")
        return b"".join(pieces)


def extension_of(path: Path) -> str:
    """In lower case, with its dot, and past a final .gz."""
    inner = path.with_suffix("") if path.suffix.lower() == ".gz" else path
    return inner.suffix.lower()
