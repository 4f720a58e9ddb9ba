"""The lines of a text file, decoded one by one, so that what is wrong has a line number."""

import io
from collections.abc import Iterator

from neuralexec.errors import InputError
from neuralexec.graphs.formats.complaints import BadLine
from neuralexec.graphs.formats.source import Source


def open_text(source: Source, ends: str | None = None) -> io.TextIOWrapper:
    """UTF-8, with or without a byte order mark; other bytes stay visible as surrogates."""
    _refuse_endless_line(source)
    return io.TextIOWrapper(
        source.open(), encoding="utf-8-sig", errors="surrogateescape", newline=ends
    )


def numbered_lines(source: Source, ends: str | None = None) -> Iterator[tuple[int, str]]:
    """Every line with its number from 1, without its end; refuses what is not text.

    Lines end in any of the usual ways, or only in `ends`.
    """
    with open_text(source, ends) as text:
        for number, line in enumerate(text, start=1):
            if "\0" in line:
                raise BadLine(number, "holds a zero byte, so this is no text file")
            if not line.isascii() and any("\udc80" <= character <= "\udcff" for character in line):
                raise BadLine(number, "is not UTF-8 text; save the file as UTF-8")
            yield number, line.rstrip("\r\n")


def _refuse_endless_line(source: Source) -> None:
    """A gigabyte without a line break would be read as one line before anything could be said."""
    start = source.beginning
    if source.is_long and b"\n" not in start and b"\r" not in start:
        raise InputError(f"has no line break in its first {len(start):,} bytes; is this text?")
