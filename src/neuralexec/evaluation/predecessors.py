"""Where predecessors lead: followed from every node, in linear time, whatever they point at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from neuralexec.compiled import compiled
from neuralexec.evaluation.agreement import share
from neuralexec.graphs.problem import NO_NODE, Problem


@dataclass(frozen=True, eq=False)
class Paths:
    """What the predecessors of the nodes within reach, the source left out, amount to."""

    nodes: NDArray[np.int64]
    """The nodes within reach; the other arrays have a value for each."""
    parents: NDArray[np.int64]
    """NO_NODE where the predecessor is the node itself, or no edge leads from there to here."""
    weights: NDArray[np.float64]
    """Of the edge from the parent; infinite where there is none."""
    costs: NDArray[np.float64]
    """Of the path from the source; infinite where the parents do not lead back to it."""
    has_root: bool
    """Does the source point at itself?"""

    @property
    def valid_tree(self) -> bool:
        return self.has_root and bool(np.isfinite(self.costs).all())

    @property
    def valid_paths(self) -> float:
        return share(np.isfinite(self.costs))


def follow(problem: Problem, pointers: NDArray[np.int64], reached: NDArray[np.bool_]) -> Paths:
    """Paths end at the source, whatever it points at itself."""
    graph, source = problem.graph, problem.source
    assert source is not None
    weights = _edge_weights(graph.offsets, graph.senders, graph.weights, pointers)
    parents = np.where(np.isfinite(weights), pointers, NO_NODE)
    costs = _path_costs(parents, weights, source)
    nodes = np.flatnonzero(reached)
    nodes = nodes[nodes != source]
    has_root = bool(pointers[source] == source)
    return Paths(nodes, parents[nodes], weights[nodes], costs[nodes], has_root)


@compiled
def _edge_weights(
    offsets: NDArray[np.int64],
    senders: NDArray[np.int32],
    weights: NDArray[np.float64],
    pointers: NDArray[np.int64],
) -> NDArray[np.float64]:
    found = np.full(len(pointers), np.inf)
    for node in range(len(pointers)):
        first, stop = offsets[node], offsets[node + 1]
        edge = first + np.searchsorted(senders[first:stop], pointers[node])
        if edge < stop and senders[edge] == pointers[node] != node:
            found[node] = weights[edge]
    return found


@compiled
def _path_costs(
    parents: NDArray[np.int64], weights: NDArray[np.float64], source: int
) -> NDArray[np.float64]:
    costs = np.full(len(parents), np.nan)
    costs[source] = 0.0
    way = np.empty(len(parents), dtype=np.int64)
    for start in range(len(parents)):
        node, length = start, 0
        while np.isnan(costs[node]):
            costs[node] = np.inf  # so it stays if the way ends here, or comes by again: a cycle
            way[length] = node
            length += 1
            if parents[node] >= 0:
                node = parents[node]
        cost = costs[node]
        for place in range(length - 1, -1, -1):
            cost += weights[way[place]]
            costs[way[place]] = cost
    return costs
