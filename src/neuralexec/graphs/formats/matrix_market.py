"""Matrix Market coordinate files: entry (i, j) is the weight of the edge from i to j.

A symmetric matrix is an undirected graph; a general one is if it equals its transpose. Nodes are
named by the file's own numbers, from 1.
"""

import io
import re
from typing import IO

import numpy as np
from scipy.io import mmwrite
from scipy.sparse import coo_array

from neuralexec.errors import InputError
from neuralexec.graphs.formats.arcs import Layout, read_arcs
from neuralexec.graphs.formats.complaints import BadLine, quoted
from neuralexec.graphs.formats.format import Format
from neuralexec.graphs.formats.lines import numbered_lines
from neuralexec.graphs.formats.notes import Notes, notes_of
from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.graph import Graph

BANNER = "%%matrixmarket"
FIELDS = ("real", "double", "integer", "pattern")
SYMMETRIES = ("general", "symmetric")


def read(source: Source, directed: bool | None) -> Graph:
    layout, symmetric, notes = _read_head(source)
    names = notes.node_names or range(1, layout.num_nodes + 1)
    arcs = read_arcs(source, layout)
    if directed is None:
        directed = notes.directed
    if symmetric and not directed:
        # Only one triangle is stored: each entry is an edge.
        return Graph.from_edges(layout.num_nodes, *arcs, directed=False, names=names)
    if symmetric:
        below = arcs.senders != arcs.receivers
        arcs = type(arcs)(
            np.concatenate((arcs.senders, arcs.receivers[below])),
            np.concatenate((arcs.receivers, arcs.senders[below])),
            np.concatenate((arcs.weights, arcs.weights[below])),
        )
    return Graph.from_arcs(layout.num_nodes, *arcs, directed=directed, names=names)


def _read_head(source: Source) -> tuple[Layout, bool, Notes]:
    notes = Notes()
    has_weights = symmetric = False
    for number, line in numbered_lines(source, ends="\n"):
        if number == 1:
            has_weights, symmetric = _read_banner(line)
        elif line.startswith("%"):
            notes.take(line[1:])
        elif line.strip():
            num_nodes, num_arcs = _read_sizes(number, line)
            layout = Layout(num_nodes, num_arcs, head_lines=number, has_weights=has_weights)
            return layout, symmetric, notes
    raise InputError("ends before the line with its size: 'ROWS COLUMNS ENTRIES'")


def _read_banner(line: str) -> tuple[bool, bool]:
    """Does it have weights? Is it symmetric?"""
    words = line.lower().split()
    if not words or words[0] != BANNER or words[1:2] != ["matrix"] or len(words) != 5:
        raise BadLine(1, "expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'")
    layout, field, symmetry = words[2:]
    if layout != "coordinate":
        raise BadLine(1, f"{quoted(layout)} files hold no edge list; write it as 'coordinate'")
    if field not in FIELDS:
        raise BadLine(1, f"weights must be real; got {quoted(field)}")
    if symmetry not in SYMMETRIES:
        raise BadLine(1, f"a graph is 'general' or 'symmetric'; got {quoted(symmetry)}")
    return field != "pattern", symmetry == "symmetric"


def _read_sizes(number: int, line: str) -> tuple[int, int]:
    sizes = line.split()
    if len(sizes) != 3 or not all(re.fullmatch(r"[0-9]{1,18}", size) for size in sizes):
        raise BadLine(number, f"expected 'ROWS COLUMNS ENTRIES'; found {quoted(line)}")
    rows, columns, entries = map(int, sizes)
    if rows != columns:
        raise BadLine(number, f"an adjacency matrix is square; got {rows} x {columns}")
    return rows, entries


def write(graph: Graph, stream: IO[bytes], extension: str) -> None:
    senders, receivers, weights = graph.edges()
    # of an undirected edge the lower triangle is stored: the larger index is the row
    entries = (senders, receivers) if graph.directed else (receivers, senders)
    shape = (graph.num_nodes, graph.num_nodes)
    text = io.BytesIO()
    mmwrite(
        text,
        coo_array((weights, entries), shape=shape),
        comment="\n".join(notes_of(graph)),
        field="real",
        symmetry="general" if graph.directed else "symmetric",
    )
    stream.write(text.getbuffer())


format = Format(
    name="matrix-market",
    title="Matrix Market",
    extensions=(".mtx",),
    read=read,
    write=write,
    recognises=lambda beginning: beginning[: len(BANNER)].lower() == BANNER.encode(),
)
