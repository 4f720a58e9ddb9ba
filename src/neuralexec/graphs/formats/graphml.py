"""GraphML, by NetworkX: `weight` of edges (1 without), `x` and `y` of nodes, ids as names."""

import io
from typing import IO
from xml.etree import ElementTree

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
    _check_structure(ElementTree.fromstring(content))
    graph = nx.read_graphml(io.BytesIO(content))
    default = graph.graph.get("edge_default", {}).get("weight", 1.0)
    return from_networkx(graph, default=default, directed=directed)


def _check_structure(root: ElementTree.Element) -> None:
    """Refuse what NetworkX passes over: further graphs, and edges to nodes that are not there."""
    graphs = [element for element in root.iter() if _tag(element) == "graph"]
    if len(graphs) != 1:
        raise InputError(f"cannot be read as GraphML: expected one graph; found {len(graphs)}")
    nodes = {element.get("id") for element in graphs[0] if _tag(element) == "node"}
    for element in graphs[0]:
        for end in ("source", "target"):
            if _tag(element) == "edge" and element.get(end) not in nodes:
                name = quoted(element.get(end))
                raise InputError(f"an edge names node {name}, which is not among the nodes")


def _tag(element: ElementTree.Element) -> str:
    """Without its namespace, which files may leave out."""
    return element.tag.rpartition("}")[2]


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
