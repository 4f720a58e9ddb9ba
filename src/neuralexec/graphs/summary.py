"""What a graph holds and what is unusual about it, before anything is run on it."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph

from neuralexec.errors import InputWarning
from neuralexec.graphs.convert.scipy import to_scipy
from neuralexec.graphs.dress import HEAVIEST, LIGHTEST
from neuralexec.graphs.graph import Graph, counted

WIDE_SPAN = 1e6


@dataclass(frozen=True)
class Summary:
    nodes: int
    edges: int
    self_edges: int
    directed: bool
    components: int
    """Weak ones in a directed graph: parts that no edge joins."""
    largest_component: int
    isolated_nodes: int
    most_neighbours: int
    lightest: float | None
    heaviest: float | None
    mean_weight: float | None
    first_names: tuple[str, ...]
    unusual: tuple[str, ...]

    def lines(self) -> Iterator[tuple[str, str]]:
        """Label and value of each line a person reads."""
        more = ", ..." if self.nodes > len(self.first_names) else ""
        yield "nodes", f"{self.nodes:,} ({', '.join(self.first_names)}{more})"
        yield "edges", f"{self.edges:,} {'directed' if self.directed else 'undirected'}"
        yield "self-edges", f"{self.self_edges:,}"
        largest = counted(self.largest_component, "node")
        yield "components", f"{self.components:,} (largest: {largest})"
        yield "most neighbours", f"{self.most_neighbours:,}"
        if self.lightest is not None:
            yield "weights", f"{self.lightest:g} to {self.heaviest:g}, mean {self.mean_weight:.4g}"


def summarise(graph: Graph) -> Summary:
    num_components, component = csgraph.connected_components(to_scipy(graph), directed=False)
    weights = graph.edges()[2]
    degree = _count_neighbours(graph)
    return Summary(
        nodes=graph.num_nodes,
        edges=graph.num_edges,
        self_edges=graph.num_self_edges,
        directed=graph.directed,
        components=int(num_components),
        largest_component=int(np.bincount(component).max()),
        isolated_nodes=int((degree == 0).sum()),
        most_neighbours=int(degree.max()),
        lightest=float(weights.min()) if len(weights) else None,
        heaviest=float(weights.max()) if len(weights) else None,
        mean_weight=float(weights.mean()) if len(weights) else None,
        first_names=tuple(graph.names[:3]),
        unusual=tuple(_unusual(graph, int(num_components), degree == 0)),
    )


def _count_neighbours(graph: Graph) -> NDArray[np.int64]:
    """How many other nodes each node shares an edge with, whichever way the edge goes."""
    if graph.directed:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # of edges that go both ways
            graph = graph.as_undirected()
    self_edges = np.bincount(
        graph.senders[graph.senders == graph.receivers], minlength=graph.num_nodes
    )
    return np.diff(graph.offsets) - self_edges


def _unusual(graph: Graph, num_components: int, is_isolated: NDArray[np.bool_]) -> Iterator[str]:
    if num_components > 1:
        yield f"{num_components:,} components: from any source, some nodes cannot be reached"
    if is_isolated.any():
        first = graph.names[int(is_isolated.argmax())]
        lonely = counted(int(is_isolated.sum()), "node")
        yield f"{lonely} without an edge to another node, {first!r} the first"
    if graph.directed:
        yield "directed: Prim's algorithm and connected components need an undirected graph"
    if graph.num_arcs:
        yield from _unusual_weights(graph)


def _unusual_weights(graph: Graph) -> Iterator[str]:
    weights = graph.edges()[2]
    lightest, heaviest = weights.min(), weights.max()
    num_distinct = len(np.unique(weights))
    if num_distinct == 1 and len(weights) > 1:
        yield f"every edge weighs {lightest:g}: shortest paths are the ones with fewest edges"
    elif num_distinct < len(weights):
        yield f"only {num_distinct:,} different weights on {len(weights):,} edges: answers can tie"
    if lightest == 0:
        yield f"{counted(int((weights == 0).sum()), 'edge')} of weight 0"
    if lightest < LIGHTEST or heaviest > HEAVIEST:
        yield f"weights leave [{LIGHTEST}, {HEAVIEST:g}], the range networks are trained on"
    positive = weights[weights > 0]
    if len(positive) and heaviest / positive.min() > WIDE_SPAN:
        yield f"weights span {np.log10(heaviest / positive.min()):.0f} orders of magnitude"
