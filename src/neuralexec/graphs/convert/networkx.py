"""NetworkX graphs: nodes by name, the edge attribute `weight`, the node attributes `x` and `y`."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import networkx as nx

from neuralexec.errors import InputError
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.names import NumberNames, WordNames


def from_networkx(
    graph: Any, *, weight: str = "weight", default: float = 1.0, directed: bool | None = None
) -> Graph:
    """Any NetworkX graph, directed as it is unless said otherwise.

    Edges without the attribute `weight` weigh `default`; of parallel ones the lightest stays.

    >>> from_networkx(nx.path_graph(3))
    Graph(3 nodes, 2 edges, undirected)
    """
    if not isinstance(graph, nx.Graph):
        raise InputError(f"expected a NetworkX graph; got {type(graph).__name__}")
    place = {node: index for index, node in enumerate(graph)}
    senders, receivers, weights = [], [], []
    for sender, receiver, value in graph.edges(data=weight, default=default):
        senders.append(place[sender])
        receivers.append(place[receiver])
        weights.append(_number(value, sender, receiver))
    as_given = Graph.from_edges(
        len(place),
        senders,
        receivers,
        weights,
        directed=graph.is_directed(),
        names=_names(place),
        coordinates=_coordinates(graph),
    )
    if directed is None or directed == as_given.directed:
        return as_given
    return replace(as_given, directed=True) if directed else as_given.as_undirected()


def _names(labels: Iterable[Any]) -> list[Any] | WordNames:
    """Labels as names; text stays text, even "7", so that it comes back as the label it was."""
    labels = list(labels)
    return WordNames(labels) if all(isinstance(label, str) for label in labels) else labels


def _number(value: Any, sender: Any, receiver: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(
            f"the weight of edge {sender!s} - {receiver!s} is not a number: {value!r}"
        ) from None


def _coordinates(graph: Any) -> list[Any] | None:
    """`x` and `y`, or `pos`, where every node has them."""
    pairs = [
        data["pos"] if "pos" in data else (data.get("x"), data.get("y"))
        for _, data in graph.nodes(data=True)
    ]
    try:
        found = [(float(x), float(y)) for x, y in pairs]
    except (TypeError, ValueError):
        return None
    return found or None


def to_networkx(graph: Graph) -> Any:
    """A `Graph` or `DiGraph` with the same names; whole numbers come back as numbers."""
    names: list[Any] = list(graph.names)
    if isinstance(graph.names, NumberNames):
        names = [int(number) for number in graph.names.numbers]
    made: Any = nx.DiGraph() if graph.directed else nx.Graph()
    made.add_nodes_from(names)
    if graph.coordinates is not None:
        for name, (x, y) in zip(names, graph.coordinates.tolist(), strict=True):
            made.add_node(name, x=x, y=y)
    made.add_weighted_edges_from(
        (names[sender], names[receiver], weight)
        for sender, receiver, weight in zip(*(part.tolist() for part in graph.edges()), strict=True)
    )
    return made
