"""GraphML, by NetworkX: `weight` of edges (1 without), `x` and `y` of nodes, ids as names."""

import io
from typing import IO

import networkx as nx

from neuralexec.errors import InputError
from neuralexec.graphs.convert.networkx import from_networkx, to_networkx
from neuralexec.graphs.formats.complaints import quoted
from neuralexec.graphs.formats.format import Format
from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.graph import Graph

MEMORY_PER_BYTE = 20


def read(source: Source, directed: bool | None) -> Graph:
    content = source.content(MEMORY_PER_BYTE)
    graph = nx.read_graphml(io.BytesIO(content))
    if directed is not None and directed != graph.is_directed():
        graph = graph.to_directed() if directed else graph.to_undirected()
    return from_networkx(graph)


def write(graph: Graph, stream: IO[bytes], extension: str) -> None:
    for name in graph.names:
        if not name.isprintable():
            raise InputError(f"the name {quoted(name)} has no place in XML; use .json or .npz")
    nx.write_graphml_xml(to_networkx(graph), stream)


format = Format(
    name="graphml",
    title="GraphML",
    extensions=(".graphml", ".xml"),
    read=read,
    write=write,
    recognises=lambda beginning: beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"),
)
