"""JSON in the node-link layout of NetworkX and D3: lists of nodes and of edges (or links)."""

import json
import math
from typing import IO, Any

from neuralexec.errors import InputError
from neuralexec.graphs.formats.complaints import quoted
from neuralexec.graphs.formats.format import Format
from neuralexec.graphs.formats.source import Source
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.names import NumberNames

MEMORY_PER_BYTE = 12


def read(source: Source, directed: bool | None) -> Graph:
    data = json.loads(source.content(MEMORY_PER_BYTE))
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise InputError("has no list of 'nodes'; expected the node-link layout")
    edges = data.get("edges", data.get("links"))
    if not isinstance(edges, list):
        raise InputError("has no list of 'edges' or 'links'; expected the node-link layout")
    if not isinstance(data.get("directed", False), bool):
        raise InputError(f"'directed' must be true or false; got {quoted(data['directed'])}")
    names = [_name(place, node) for place, node in enumerate(data["nodes"])]
    places = {name: place for place, name in enumerate(names)}
    ends: tuple[list[int], list[int]] = ([], [])
    weights = []
    for number, edge in enumerate(edges):
        if not isinstance(edge, dict):
            raise InputError(f"edge {number} is not an object with 'source' and 'target'")
        for key, end in zip(("source", "target"), ends, strict=True):
            end.append(_place(number, edge, key, places))
        weights.append(_weight(number, edge))
    return Graph.from_edges(
        len(names),
        *ends,
        weights,
        directed=data.get("directed", False) if directed is None else directed,
        names=names,
        coordinates=_coordinates(data["nodes"]),
    )


def _name(place: int, node: Any) -> str:
    if not isinstance(node, dict) or not isinstance(node.get("id"), str | int | float):
        raise InputError(f"node {place} has no 'id' that is text or a number")
    return str(node["id"])


def _place(number: int, edge: dict[str, Any], key: str, places: dict[str, int]) -> int:
    if key not in edge:
        raise InputError(f"edge {number} has no {key!r}")
    name = str(edge[key])
    if name not in places:
        raise InputError(f"edge {number} names node {quoted(name)}, which is not among the nodes")
    return places[name]


def _weight(number: int, edge: dict[str, Any]) -> float:
    weight = edge.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise InputError(f"edge {number}: weight {quoted(weight)} is not a number")
    if not 0 <= weight < math.inf:
        raise InputError(
            f"edge {number}: weight {weight} cannot be used: weights must be finite, 0 or more"
        )
    return float(weight)


def _coordinates(nodes: list[dict[str, Any]]) -> list[tuple[float, float]] | None:
    """x and y, where every node has both."""
    pairs = [(node.get("x"), node.get("y")) for node in nodes]
    if not all(isinstance(value, int | float) for pair in pairs for value in pair):
        return None
    return pairs  # type: ignore[return-value]


def write(graph: Graph, stream: IO[bytes], extension: str) -> None:
    numbers = graph.names.numbers if isinstance(graph.names, NumberNames) else None
    ids = list(graph.names) if numbers is None else [int(number) for number in numbers]
    nodes: list[dict[str, Any]] = [{"id": name} for name in ids]
    if graph.coordinates is not None:
        for node, (x, y) in zip(nodes, graph.coordinates.tolist(), strict=True):
            node.update(x=x, y=y)
    edges = [
        {"source": ids[sender], "target": ids[receiver], "weight": weight}
        for sender, receiver, weight in zip(*(part.tolist() for part in graph.edges()), strict=True)
    ]
    data = {"directed": graph.directed, "multigraph": False, "graph": {}}
    stream.write(json.dumps({**data, "nodes": nodes, "edges": edges}).encode())


format = Format(
    name="json",
    title="JSON node-link",
    extensions=(".json",),
    read=read,
    write=write,
    recognises=lambda beginning: beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"),
)
