"""Graphs from files and into files, one file per format; a new file here is a new format."""

import os
import sys
import warnings
from functools import cache
from pathlib import Path

from neuralexec.errors import InputError, InputWarning
from neuralexec.graphs.formats.complaints import complaint_about
from neuralexec.graphs.formats.format import Format
from neuralexec.graphs.formats.source import Source, extension_of
from neuralexec.graphs.formats.writing import find_place, replacing
from neuralexec.graphs.graph import Graph
from neuralexec.plugins import discover


@cache
def formats() -> dict[str, Format]:
    """Every format by name."""
    return discover(sys.modules[__name__], "format", Format)


def read_graph(
    path: str | os.PathLike[str], *, format: str | None = None, directed: bool | None = None
) -> Graph:
    """The graph in a file of any known format, gzipped or not.

    Without a `format` the content decides where it can, else the extension. `directed` overrules
    what the file says; edges then are taken as they are listed.
    """
    source = Source(Path(path))
    doing = "cannot be read"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            chosen = find_format(format)[0] if format is not None else None
            source.check()
            chosen = chosen or _recognise(source)
            doing = f"cannot be read as {chosen.title}"
            graph = chosen.read(source, directed)
        except Exception as error:  # a parser may raise anything at all on broken content
            raise complaint_about(source.path, error, doing) from error
    for warning in caught:  # what a parser warns of is its own business; what was changed is not
        if issubclass(warning.category, InputWarning):
            warnings.warn(f"{source.path}: {warning.message}", InputWarning, stacklevel=2)
    return graph


def write_graph(graph: Graph, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a file that reads back as an equal graph; the extension decides the format.

    Edge lists, Matrix Market and DIMACS have no place for coordinates and leave them out. The file
    appears whole or not at all, and gzipped if its name ends in .gz.
    """
    target = Path(path)
    try:
        chosen, extension = format_for_writing(target, format)
        with replacing(target) as stream:
            chosen.write(graph, stream, extension)
    except (OSError, ValueError, MemoryError) as error:
        raise complaint_about(target, error, "cannot be written") from error


def check_writable(path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Refuse what `write_graph` would refuse for its path alone, before any work is done."""
    target = Path(path)
    try:
        format_for_writing(target, format)
        find_place(target)
    except (OSError, ValueError) as error:
        raise complaint_about(target, error, "cannot be written") from error


def find_format(name: str) -> tuple[Format, str]:
    """A format and the extension to write it with, by the format's name or an extension."""
    if name in formats():
        return formats()[name], formats()[name].extensions[0]
    extension = "." + name.lower().removeprefix(".")
    found = _by_extension(extension)
    if found is None:
        raise InputError(f"unknown format {name!r}; choose one of {_choices()}")
    return found, extension


def format_for_writing(path: Path, name: str | None = None) -> tuple[Format, str]:
    """The format a file of this name is written in, and the extension whose style it takes."""
    extension = extension_of(path)
    if name is not None:
        chosen, default = find_format(name)
        if _by_extension(extension) not in (None, chosen):
            raise InputError(f"would not be read as {chosen.title}: name it {path.stem}{default}")
        own = name in formats() and extension in chosen.extensions
        return chosen, extension if own else default
    found = _by_extension(extension)
    if found is None:
        raise InputError(f"unknown extension {extension!r}; choose one of {_choices()}")
    return found, extension


def _recognise(source: Source) -> Format:
    for chosen in formats().values():
        if chosen.recognises(source.beginning):
            return chosen
    found = _by_extension(source.extension)
    if found is None and b"\0" in source.beginning:
        raise InputError(f"is not text and of no known format; choose one of {_choices()}")
    return found or formats()["edge-list"]


def _by_extension(extension: str) -> Format | None:
    return next((known for known in formats().values() if extension in known.extensions), None)


def _choices() -> str:
    return ", ".join(f"{each.name} ({' '.join(each.extensions)})" for each in formats().values())


__all__ = [
    "Format",
    "check_writable",
    "find_format",
    "format_for_writing",
    "formats",
    "read_graph",
    "write_graph",
]
