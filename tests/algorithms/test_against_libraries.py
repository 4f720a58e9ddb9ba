"""Last states against SciPy and NetworkX, on hundreds of graphs of all seven families."""

from functools import cache

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import bellman_ford, breadth_first_order, minimum_spanning_tree

from neuralexec import Problem, Split, find_algorithm, run_to_end, to_networkx, to_scipy

SPLITS = (Split("check", 20, 30), Split("check", 50, 6), Split("check", 100, 4))


@cache
def many_problems() -> tuple[Problem, ...]:
    return tuple(problem for split in SPLITS for problem in split.draw(seed=1))


def last_states(name: str):
    algorithm = find_algorithm(name)
    assert len(many_problems()) == 7 * 40
    return ((problem, run_to_end(algorithm, problem)[0]) for problem in many_problems())


def test_bfs():
    for problem, last in last_states("bfs"):
        reached = breadth_first_order(
            to_scipy(problem.graph), problem.source, return_predecessors=False
        )
        assert sorted(reached) == np.flatnonzero(last["reachable"]).tolist()
        component = nx.node_connected_component(to_networkx(problem.graph), problem.source)
        assert sorted(component) == sorted(reached)


def test_bellman_ford():
    for problem, last in last_states("bellman-ford"):
        distance, predecessor = bellman_ford(
            to_scipy(problem.graph), indices=problem.source, return_predecessors=True
        )
        np.testing.assert_allclose(last["distance"], distance, rtol=1e-12)
        predecessor[problem.source] = problem.source
        np.testing.assert_array_equal(
            last["predecessor"], np.where(predecessor < 0, -1, predecessor)
        )
        lengths = nx.single_source_dijkstra_path_length(
            to_networkx(problem.graph), problem.source, weight="weight"
        )
        for node, length in lengths.items():
            assert last["distance"][node] == pytest.approx(length, rel=1e-12)


def test_prim():
    for problem, last in last_states("prim"):
        tree = {
            frozenset((node, int(parent)))
            for node, parent in enumerate(last["predecessor"])
            if parent not in (-1, node)
        }
        in_tree = np.flatnonzero(last["in_tree"]).tolist()
        assert len(tree) == len(in_tree) - 1
        component = to_networkx(problem.graph).subgraph(in_tree)
        by_networkx = nx.minimum_spanning_edges(component, algorithm="kruskal", data=False)
        assert tree == {frozenset(edge) for edge in by_networkx}
        rows, columns = minimum_spanning_tree(to_scipy(problem.graph)).nonzero()
        by_scipy = {frozenset(map(int, edge)) for edge in zip(rows, columns, strict=True)}
        assert tree == {edge for edge in by_scipy if edge <= set(in_tree)}
