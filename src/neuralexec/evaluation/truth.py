"""What is true of a problem, found by SciPy."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph

from neuralexec.graphs.convert.scipy import to_scipy
from neuralexec.graphs.problem import Problem


def reachable(problem: Problem) -> NDArray[np.bool_]:
    """[nodes]: does a path lead here from the source?"""
    order = csgraph.breadth_first_order(
        to_scipy(problem.graph), problem.source, return_predecessors=False
    )
    reached = np.zeros(problem.graph.num_nodes, dtype=bool)
    reached[order] = True
    return reached


def shortest_distances(problem: Problem) -> NDArray[np.float64]:
    """[nodes]: from the source, infinite where no path leads."""
    distances: NDArray[np.float64] = csgraph.dijkstra(
        to_scipy(problem.graph), indices=problem.source
    )
    return distances


def largest_priorities(problem: Problem) -> NDArray[np.float64]:
    """[nodes]: the largest priority of the node's component."""
    num_components, component = csgraph.connected_components(
        to_scipy(problem.graph), directed=False
    )
    largest = np.full(num_components, -np.inf)
    np.maximum.at(largest, component, problem.node_priorities)
    of_node: NDArray[np.float64] = largest[component]
    return of_node
