"""What the paper puts on every graph: a self-edge at each node, and a weight on each edge."""

import numpy as np

from neuralexec.errors import InputError
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.topology import Topology

LIGHTEST, HEAVIEST = 0.2, 1.0
MIDDLE = (LIGHTEST + HEAVIEST) / 2


def dress(
    num_nodes: int, topology: Topology, rng: np.random.Generator, *, self_edges: bool = True
) -> Graph:
    """Draw one weight per undirected edge, uniform in [0.2, 1], self-edges included."""
    nodes = np.arange(num_nodes if self_edges else 0)
    senders = np.concatenate((topology.senders, nodes))
    receivers = np.concatenate((topology.receivers, nodes))
    weights = LIGHTEST + (HEAVIEST - LIGHTEST) * rng.random(len(senders))
    return Graph.from_edges(
        num_nodes, senders, receivers, weights, coordinates=topology.coordinates
    )


def with_self_edges(graph: Graph, weight: float = MIDDLE) -> Graph:
    """Add the self-edges a graph lacks, as the network needs one at every node.

    No algorithm here prefers a self-edge, so the weight changes no answer. With a finite infinity
    it can be where a node points that cannot be reached, as any other weight can.
    """
    if weight < 0:
        raise InputError(f"a self-edge must weigh 0 or more; got {weight}")
    has_one = np.zeros(graph.num_nodes, dtype=bool)
    has_one[graph.senders[graph.senders == graph.receivers]] = True
    if has_one.all():
        return graph
    lacking = np.flatnonzero(~has_one).astype(np.int32)
    senders, receivers, weights = graph.edges()
    return Graph.from_edges(
        graph.num_nodes,
        np.concatenate((senders, lacking)),
        np.concatenate((receivers, lacking)),
        np.concatenate((weights, np.full(len(lacking), weight))),
        directed=graph.directed,
        names=graph.names,
        coordinates=graph.coordinates,
    )
