"""What the steps of several algorithms share: questions to the edges into each node."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.algorithms.blocks import in_blocks
from neuralexec.algorithms.spec import UNDEFINED
from neuralexec.compiled import compiled
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.problems import Problems


def pointing_at_sources(problems: Problems) -> NDArray[np.int32]:
    """How predecessors start: each source its own, every other node's undefined."""
    nodes = np.arange(problems.graph.num_nodes, dtype=np.int32)
    return np.where(problems.is_source, nodes, np.int32(UNDEFINED))


def largest_neighbour(graph: Graph, values: NDArray[Any]) -> NDArray[Any]:
    """The largest of a node's own value and its neighbours'; of bits: is any of them set?"""
    largest = np.empty_like(values)

    def run(first: int, stop: int) -> None:
        _largest(graph.offsets, graph.senders, values, first, stop, largest)

    in_blocks(graph, run)
    return largest


def cheapest_edge(
    graph: Graph, values: NDArray[np.float64], pointers: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """min over the edges (j, i) of values[j] + weight, and the j that attains it, for every i.

    Where the minimum is infinite, j is undefined. Of several that attain it, the lowest index
    among those cheaper than i itself wins. If none is (their edges weigh nothing), the current
    pointer stays if it is among them: two nodes at the same distance then never point at each
    other, and pointers always lead back to the source.
    """
    costs = np.empty(graph.num_nodes)
    cheapest = np.empty(graph.num_nodes, dtype=np.int32)

    def run(first: int, stop: int) -> None:
        edges = graph.offsets, graph.senders, graph.weights
        _cheapest(*edges, values, pointers, first, stop, costs, cheapest)

    in_blocks(graph, run)
    return costs, cheapest


@compiled
def _largest(
    offsets: NDArray[np.int64],
    senders: NDArray[np.int32],
    values: NDArray[Any],
    first: int,
    stop: int,
    largest: NDArray[Any],
) -> None:
    for receiver in range(first, stop):
        found = values[receiver]
        for edge in range(offsets[receiver], offsets[receiver + 1]):
            found = max(found, values[senders[edge]])
        largest[receiver] = found


@compiled
def _cheapest(
    offsets: NDArray[np.int64],
    senders: NDArray[np.int32],
    weights: NDArray[np.float64],
    values: NDArray[np.float64],
    pointers: NDArray[np.int32],
    first: int,
    stop: int,
    costs: NDArray[np.float64],
    cheapest: NDArray[np.int32],
) -> None:
    for receiver in range(first, stop):
        lowest = np.inf
        best = -1
        for edge in range(offsets[receiver], offsets[receiver + 1]):
            cost = values[senders[edge]] + weights[edge]
            if cost < lowest:
                lowest, best = cost, edge
        sender = senders[best] if best >= 0 else np.int32(-1)
        if best >= 0 and values[sender] == lowest:  # its edge weighs nothing: look for better ties
            for edge in range(best + 1, offsets[receiver + 1]):
                other = senders[edge]
                if values[other] + weights[edge] == lowest:
                    if values[other] < lowest:
                        sender = other
                        break
                    if other == pointers[receiver]:
                        sender = other
        costs[receiver] = lowest
        cheapest[receiver] = sender
