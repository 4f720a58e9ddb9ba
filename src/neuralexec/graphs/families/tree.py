"""Trees, uniform over all labelled trees: drawn as a Prüfer sequence and decoded."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.compiled import compiled
from neuralexec.graphs.families.family import Family
from neuralexec.graphs.topology import Topology


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    sequence = rng.integers(0, num_nodes, size=max(num_nodes - 2, 0))
    children, parents = decode(sequence, num_nodes)
    return Topology(children, parents)


@compiled
def decode(sequence: NDArray[Any], num_nodes: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The edges of the one tree with this Prüfer sequence, in linear time."""
    num_edges = num_nodes - 1
    children = np.empty(num_edges, dtype=np.int64)
    parents = np.empty(num_edges, dtype=np.int64)
    degree = np.ones(num_nodes, dtype=np.int64)
    for node in sequence:
        degree[node] += 1
    first_leaf = 0
    while num_edges > 0 and degree[first_leaf] != 1:
        first_leaf += 1
    leaf = first_leaf
    for place in range(num_edges - 1):
        parent = sequence[place]
        children[place], parents[place] = leaf, parent
        degree[parent] -= 1
        # The smallest leaf is next: the parent if it just became one below the scan, else scan on.
        if degree[parent] == 1 and parent < first_leaf:
            leaf = parent
        else:
            first_leaf += 1
            while degree[first_leaf] != 1:
                first_leaf += 1
            leaf = first_leaf
    if num_edges > 0:
        children[num_edges - 1], parents[num_edges - 1] = leaf, num_nodes - 1
    return children, parents


family = Family("tree", "Tree", draw)
