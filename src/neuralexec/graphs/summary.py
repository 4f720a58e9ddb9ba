"""What a graph holds and what is unusual about it, before anything is run on it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csgraph

from neuralexec.graphs.convert.scipy import to_scipy
from neuralexec.graphs.dress import HEAVIEST, LIGHTEST
from neuralexec.graphs.graph import Graph

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
        yield "components", f"{self.components:,} (largest: {self.largest_component:,} nodes)"
        yield "most neighbours", f"{self.most_neighbours:,}"
        if self.lightest is not None:
            yield "weights", f"{self.lightest:g} to {self.heaviest:g}, mean {self.mean_weight:.4g}"


def summarise(graph: Graph) -> Summary:
    num_components, component = csgraph.connected_components(to_scipy(graph), directed=False)
    is_self_edge = graph.senders == graph.receivers
    ends = np.concatenate((graph.senders, graph.receivers) if graph.directed else (graph.senders,))
    counts = ~np.concatenate((is_self_edge,) * (2 if graph.directed else 1))
    degree = np.bincount(ends[counts], minlength=graph.num_nodes)
    has_edges = graph.num_arcs > 0
    return Summary(
        nodes=graph.num_nodes,
        edges=graph.num_edges,
        self_edges=int(is_self_edge.sum()),
        directed=graph.directed,
        components=int(num_components),
        largest_component=int(np.bincount(component).max()),
        isolated_nodes=int((degree == 0).sum()),
        most_neighbours=int(degree.max()),
        lightest=float(graph.weights.min()) if has_edges else None,
        heaviest=float(graph.weights.max()) if has_edges else None,
        mean_weight=float(graph.weights.mean()) if has_edges else None,
        first_names=tuple(graph.names[:3]),
        unusual=tuple(_unusual(graph, int(num_components), degree == 0)),
    )


def _unusual(
    graph: Graph, num_components: int, is_isolated: "np.typing.NDArray[np.bool_]"
) -> Iterator[str]:
    if num_components > 1:
        yield f"{num_components:,} components: from any source, some nodes cannot be reached"
    if is_isolated.any():
        first = graph.names[int(is_isolated.argmax())]
        yield f"{is_isolated.sum():,} nodes have no edge to another node, {first!r} the first"
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
        yield f"{(weights == 0).sum():,} edges weigh nothing"
    if lightest < LIGHTEST or heaviest > HEAVIEST:
        yield f"weights leave [{LIGHTEST}, {HEAVIEST:g}], the range networks are trained on"
    positive = weights[weights > 0]
    if len(positive) and heaviest / positive.min() > WIDE_SPAN:
        yield f"weights span {np.log10(heaviest / positive.min()):.0f} orders of magnitude"
