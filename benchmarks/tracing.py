"""Bellman-Ford's last state on a large uniform random graph, against SciPy's Dijkstra."""

import numpy as np
from scipy.sparse.csgraph import dijkstra

from benchmarks.measure import Line, no_more, seconds
from neuralexec import Graph, Problem, find_algorithm, run_to_end, to_scipy


def random_graph(num_nodes: int, num_edges: int) -> Graph:
    """Directed, both ends of every edge uniform."""
    rng = np.random.default_rng(0)
    ends = rng.choice(num_nodes * num_nodes, num_edges, replace=False)
    weights = 0.2 + 0.8 * rng.random(num_edges)
    return Graph.from_edges(num_nodes, ends // num_nodes, ends % num_nodes, weights, directed=True)


def bellman_ford(num_nodes: int = 1_000_000, num_edges: int = 10_000_000) -> Line:
    graph = random_graph(num_nodes, num_edges)
    problem, matrix = Problem(graph, 0), to_scipy(graph)
    algorithm = find_algorithm("bellman-ford")
    last, _ = run_to_end(algorithm, problem)
    assert np.array_equal(last["distance"], dijkstra(matrix, indices=0))
    return no_more(
        f"Bellman-Ford to its end, {num_nodes:,} nodes, {num_edges:,} edges",
        seconds(lambda: run_to_end(algorithm, problem)),
        seconds(lambda: dijkstra(matrix, indices=0, return_predecessors=True)),
        at_most=3,
        names=("s", "SciPy's Dijkstra with predecessors"),
    )
