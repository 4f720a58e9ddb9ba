"""DIMACS shortest-path files: `p sp NODES ARCS`, then `a FROM TO WEIGHT` for each arc.

Arcs given in both directions with equal weight make an undirected graph, if all are. Nodes are
named by the file's own numbers, from 1.
"""

import re
from typing import IO

from neuralexec.errors import InputError
from neuralexec.graphs.formats.arcs import Layout, read_arcs
from neuralexec.graphs.formats.complaints import BadLine, quoted
from neuralexec.graphs.formats.format import Format
from neuralexec.graphs.formats.lines import numbered_lines
from neuralexec.graphs.formats.notes import Notes, notes_of
from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.graph import Graph

LINES_AT_ONCE = 100_000


def read(source: Source, directed: bool | None) -> Graph:
    layout, notes = _read_head(source)
    names = notes.node_names or range(1, layout.num_nodes + 1)
    if directed is None:
        directed = notes.directed
    return Graph.from_arcs(
        layout.num_nodes, *read_arcs(source, layout), directed=directed, names=names
    )


def _read_head(source: Source) -> tuple[Layout, Notes]:
    notes = Notes()
    for number, line in numbered_lines(source, ends="\n"):
        if line.startswith("c"):
            notes.take(line[1:])
        elif line.strip():
            problem = re.fullmatch(r"p\s+sp\s+(\d{1,18})\s+(\d{1,18})\s*", line, re.ASCII)
            if problem is None:
                raise BadLine(number, f"expected 'p sp NODES ARCS'; found {quoted(line)}")
            layout = Layout(
                num_nodes=int(problem[1]),
                num_arcs=int(problem[2]),
                head_lines=number,
                letter="a",
                comment="c",
            )
            return layout, notes
    raise InputError("has no line 'p sp NODES ARCS'")


def write(graph: Graph, stream: IO[bytes], extension: str) -> None:
    for note in notes_of(graph):
        stream.write(f"c {note}\n".encode())
    stream.write(f"p sp {graph.num_nodes} {graph.num_arcs}\n".encode())
    for first in range(0, graph.num_arcs, LINES_AT_ONCE):
        part = slice(first, first + LINES_AT_ONCE)
        arcs = zip(
            (graph.senders[part] + 1).tolist(),
            (graph.receivers[part] + 1).tolist(),
            graph.weights[part].tolist(),
            strict=True,
        )
        text = "".join(
            f"a {sender} {receiver} {_number(weight)}\n" for sender, receiver, weight in arcs
        )
        stream.write(text.encode())


def _number(weight: float) -> str:
    """Whole numbers without a point, as other readers of this format expect."""
    return str(int(weight)) if weight.is_integer() and weight < 2**53 else repr(weight)


format = Format(
    name="dimacs",
    title="a DIMACS graph",
    extensions=(".gr",),
    read=read,
    write=write,
    recognises=lambda beginning: re.match(rb"(c[^\n]*\n|\s)*p\s+sp\s", beginning) is not None,
)
