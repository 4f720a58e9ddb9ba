"""What a file format is: a name, its extensions, how to tell it, how to read and write it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.graph import Graph

Reader = Callable[[Source, bool | None], Graph]
"""From a file, and whether its edges are to be directed (None: as the format has it)."""
Writer = Callable[[Graph, IO[bytes], str], None]
"""Onto a stream, in the style of one of the format's extensions."""


def never(beginning: bytes) -> bool:
    return False


@dataclass(frozen=True)
class Format:
    name: str
    title: str
    """As a sentence has it: "cannot be read as <title>"."""
    extensions: tuple[str, ...]
    read: Reader
    write: Writer
    recognises: Callable[[bytes], bool] = never
    """Is this beginning of a file unmistakably of this format?"""
