import numpy as np

from neuralexec import Graph, draw_graph
from neuralexec.graphs.summary import summarise


def remarks(*arguments, **options) -> str:
    return " | ".join(summarise(Graph.from_edges(*arguments, **options)).unusual)


def test_the_papers_graphs_are_not_unusual():
    graph = draw_graph("grid", 20, np.random.default_rng(0))
    assert summarise(graph).unusual == ()


def test_degrees_leave_self_edges_out():
    undirected = Graph.from_edges(3, [0, 0, 1], [0, 1, 2])
    directed = Graph.from_edges(3, [0, 0, 1], [0, 1, 2], directed=True)
    for graph in (undirected, directed):
        summary = summarise(graph)
        assert (summary.most_neighbours, summary.isolated_nodes, summary.components) == (2, 0, 1)


def test_means_and_neighbours_count_edges_once():
    assert summarise(Graph.from_edges(2, [0, 0], [0, 1], [10.0, 1.0])).mean_weight == 5.5
    both_ways = Graph.from_edges(3, [0, 1], [1, 0], [3.0, 4.0], directed=True)
    assert summarise(both_ways).most_neighbours == 1
    assert summarise(both_ways).isolated_nodes == 1


def test_what_is_unusual_is_said():
    assert "2 components" in remarks(3, [0], [1], [0.5])
    assert "1 node without an edge" in remarks(3, [0], [1], [0.5])
    assert "directed" in remarks(2, [0], [1], [0.5], directed=True)
    assert "every edge weighs 1" in remarks(3, [0, 1], [1, 2])
    assert "only 2 different weights on 3 edges" in remarks(
        3, [0, 1, 2], [1, 2, 0], [0.5, 0.5, 0.6]
    )
    assert "1 edge of weight 0" in remarks(3, [0, 1], [1, 2], [0, 0.5])
    assert "weights leave [0.2, 1]" in remarks(2, [0], [1], [7])
    assert "9 orders of magnitude" in remarks(3, [0, 1], [1, 2], [1e-4, 1e5])


def test_a_graph_without_edges():
    summary = summarise(Graph.from_edges(1, [], []))
    assert summary.lightest is None
    assert [label for label, _ in summary.lines()][-1] == "most neighbours"
