"""Edge lists: a line for each edge, two nodes and maybe a weight (1 without), in text or CSV.

With or without a header; separated by commas, semicolons, tabs or blanks; # or % begins a comment.
Undirected unless said otherwise. Coordinates have no place here.
"""

import csv
import io
import re
import warnings
from array import array
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.errors import InputError
from neuralexec.graphs.formats.complaints import BadLine, quoted
from neuralexec.graphs.formats.format import Format
from neuralexec.graphs.formats.lines import open_text
from neuralexec.graphs.formats.notes import notes_of
from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.formats.table import Table, is_comment, is_whole, look_at
from neuralexec.graphs.formats.weights import parse_weight
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.memory import refuse_if_too_large
from neuralexec.graphs.names import Names, NumberNames, make_names

QUOTED = (".csv", ".tsv")
"""Where a name may hold blanks and commas, in quotes."""
ROWS_AT_ONCE = 200_000
ROWS_WRITTEN_AT_ONCE = 50_000
BYTES_PER_ROW = 60
"""What a row needs while it is read and built."""

_MORE_THAN_A_NUMBER = re.compile(r"(?m)(?:^|[\s,;])(?:[+-]|0\d)")
"""A sign, or a zero in front: 007 is a name, and NumPy would make it 7."""


def read(source: Source, directed: bool | None) -> Graph:
    table = look_at(source)
    if directed is None:
        directed = bool(table.notes.directed)
    lines_per_byte = source.beginning.count(b"\n") / len(source.beginning)
    _refuse_too_many(int(lines_per_byte * source.size))  # more, if zipped: counted when read
    edges = _read_numbers(source, table) or _read_names(source, table)
    names, senders, receivers, weights = edges
    return Graph.from_edges(len(names), senders, receivers, weights, directed=directed, names=names)


def _refuse_too_many(rows: int) -> None:
    refuse_if_too_large(BYTES_PER_ROW * rows, f"an edge list of {rows:,} lines or so")


Edges = tuple[Any, NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _read_numbers(source: Source, table: Table) -> Edges | None:
    """Nodes called by whole numbers, by NumPy; None if any line is not so simple."""
    blocks = []
    with open_text(source) as text:
        for _ in islice(text, table.header_line):
            pass
        while lines := list(islice(text, ROWS_AT_ONCE)):
            block = _parse_numbers([line for line in lines if not is_comment(line)], table)
            if block is None:
                return None
            blocks.append(block)
            _refuse_too_many(len(blocks) * ROWS_AT_ONCE)
    if not blocks:
        return None
    ends = np.concatenate([ends for ends, _ in blocks], axis=1)
    weights = np.concatenate([weights for _, weights in blocks])
    del blocks
    names = table.notes.node_names
    if isinstance(names, list):
        return None
    if names is not None:
        if ends.size and not (names.start <= ends.min() and ends.max() < names.stop):
            return None
        return names, *(ends - names.start), weights
    return _number_nodes(ends, weights)


def _parse_numbers(
    lines: list[str], table: Table
) -> tuple[NDArray[np.int64], NDArray[np.float64]] | None:
    """Ends [2, rows] and weights; None where NumPy would fail, or see less than is there."""
    text = "".join(lines)
    if not text.isascii() or _MORE_THAN_A_NUMBER.search(text):
        return None
    columns = [("sender", np.int64), ("receiver", np.int64), ("weight", np.float64)]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where there are no lines
            rows = np.loadtxt(
                lines,
                dtype=columns[: table.columns],
                delimiter=table.separator or None,
                comments=None,
                ndmin=1,
            )
    except ValueError:
        return None
    weights = rows["weight"] if table.columns == 3 else np.ones(len(rows))
    if not ((weights >= 0) & (weights < np.inf)).all():
        return None
    return np.stack((rows["sender"], rows["receiver"])), weights.copy()


def _number_nodes(ends: NDArray[np.int64], weights: NDArray[np.float64]) -> Edges:
    """From the numbers that nodes are called by to their places in ascending order."""
    largest = int(ends.max())
    if largest < 4 * ends.size + 1000:
        present = np.zeros(largest + 1, dtype=bool)
        present[ends] = True
        numbers = np.flatnonzero(present)
        places = np.cumsum(present) - 1
        return numbers, *places[ends], weights
    numbers, places = np.unique(ends, return_inverse=True)
    return numbers, *places.reshape(ends.shape), weights


def _read_names(source: Source, table: Table) -> Edges:
    """Nodes called by anything, line by line; says which line is wrong."""
    listed = table.notes.node_names
    known = None if listed is None else make_names(listed, len(listed))
    places: dict[str, int] = {}
    senders, receivers, weights = array("q"), array("q"), array("d")
    first_negative: tuple[int, str] | None = None
    for number, fields in table.rows(source):
        for name, end in zip(fields[:2], (senders, receivers), strict=True):
            if not name:
                raise BadLine(number, "names no node")
            if known is not None:
                end.append(_find(name, known, number))
                continue
            if first_negative is None and name.startswith("-") and is_whole(name):
                first_negative = (number, name)
            end.append(places.setdefault(name, len(places)))
        try:
            weights.append(parse_weight(fields[2]) if table.columns == 3 else 1.0)
        except InputError as error:
            raise BadLine(number, error) from None
        if len(weights) % ROWS_AT_ONCE == 0:
            _refuse_too_many(len(weights))
    ends = np.array([senders, receivers])
    if known is not None:
        return known, *ends, np.array(weights)
    names = list(places)
    if all(is_whole(name) and str(int(name)) == name for name in names):
        if first_negative is not None:
            number, name = first_negative
            raise BadLine(number, f"node {name} is out of range: numbers of nodes are 0 and up")
        order = sorted(range(len(names)), key=lambda place: int(names[place]))
        names = [names[place] for place in order]
        ends = np.argsort(order)[ends]
    return names, *ends, np.array(weights)


def _find(name: str, known: Names, number: int) -> int:
    try:
        return known.index(name)
    except ValueError:
        raise BadLine(number, f"node {quoted(name)} is not among the nodes listed above") from None


def write(graph: Graph, stream: IO[bytes], extension: str) -> None:
    _check_names(graph, extension)
    head = [f"# {note}\n" for note in notes_of(graph)]
    if extension == ".csv":
        head.append("source,target,weight\n")
    stream.write("".join(head).encode())
    names = list(graph.names)
    quotes = extension in QUOTED and not _numbered(graph)  # so that no name looks like a comment
    for rows in _blocks(graph):
        text = io.StringIO()
        writer = csv.writer(
            text,
            delimiter={".csv": ",", ".tsv": "\t"}.get(extension, " "),
            lineterminator="\n",
            quoting=csv.QUOTE_NONNUMERIC if quotes else csv.QUOTE_MINIMAL,
        )
        writer.writerows(
            (names[sender], names[receiver], weight) for sender, receiver, weight in rows
        )
        stream.write(text.getvalue().encode())


def _blocks(graph: Graph) -> Iterator[Iterator[tuple[int, int, float]]]:
    """The edges as Python numbers, not all at once."""
    edges = graph.edges()
    for first in range(0, len(edges[0]), ROWS_WRITTEN_AT_ONCE):
        parts = (part[first : first + ROWS_WRITTEN_AT_ONCE].tolist() for part in edges)
        yield zip(*parts, strict=True)


def _numbered(graph: Graph) -> bool:
    return isinstance(graph.names, NumberNames)


def _check_names(graph: Graph, extension: str) -> None:
    if _numbered(graph):
        return
    allowed = r"[^\x00-\x1f\x7f-\x9f]+" if extension in QUOTED else r"[^\s\"',;#%]+"
    for name in graph.names:
        if not re.fullmatch(allowed, name) or name != name.strip():
            raise InputError(f"the name {quoted(name)} has no place here; use .json or .npz")


format = Format(
    name="edge-list",
    title="an edge list",
    extensions=(".txt", ".csv", ".tsv", ".edges", ".edgelist"),
    read=read,
    write=write,
)
