"""Graphs out of a union of graphs, and edges out of a graph, by compiled loops."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.compiled import compiled

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]

NOT_THERE = -2


@compiled
def find_edges(offsets: Ints, senders: Ints, pointers: Ints, edges: Ints) -> None:
    """[rows, nodes]: the edge from the node pointed at, which is none where that is negative.

    The senders of each node ascend.
    """
    for row in range(len(pointers)):
        for node in range(pointers.shape[1]):
            wanted = pointers[row, node]
            if wanted < 0:
                edges[row, node] = -1
                continue
            low, high = offsets[node], offsets[node + 1]
            end = high
            while low < high:
                middle = (low + high) // 2
                if senders[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            edges[row, node] = low if low < end and senders[low] == wanted else NOT_THERE


@compiled
def take_graphs(
    node_offsets: Ints,
    edge_offsets: Ints,
    offsets: Ints,
    senders: Ints,
    weights: Floats,
    graphs: Ints,
    new_node_offsets: Ints,
    new_offsets: Ints,
    new_senders: Ints,
    new_weights: Floats,
    nodes: Ints,
    graph_of_node: Ints,
    nodes_moved: Ints,
    edges_moved: Ints,
) -> None:
    node, edge = 0, 0
    for number in range(len(graphs)):
        graph = graphs[number]
        first_node, first_edge = node_offsets[graph], edge_offsets[graph]
        nodes_by, edges_by = node - first_node, edge - first_edge
        new_node_offsets[number] = node
        nodes_moved[number], edges_moved[number] = nodes_by, edges_by
        for old in range(first_node, node_offsets[graph + 1]):
            nodes[node] = old
            graph_of_node[node] = number
            new_offsets[node] = offsets[old] + edges_by
            node += 1
        for old in range(first_edge, edge_offsets[graph + 1]):
            new_senders[edge] = senders[old] + nodes_by
            new_weights[edge] = weights[old]
            edge += 1
    new_node_offsets[len(graphs)] = node
    new_offsets[node] = edge
