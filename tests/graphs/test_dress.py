import numpy as np
import pytest

from neuralexec import Graph, InputError, draw_graph
from neuralexec.graphs.dress import with_self_edges


def test_self_edges_are_added_only_where_absent():
    graph = Graph.from_edges(3, [0, 1], [0, 2], [0.3, 0.5], names="abc")
    dressed = with_self_edges(graph, weight=0.7)
    assert dressed.num_self_edges == 3
    assert dressed.weights[dressed.senders == dressed.receivers].tolist() == [0.3, 0.7, 0.7]
    assert dressed.names == graph.names
    assert with_self_edges(dressed) is dressed
    assert with_self_edges(Graph.from_edges(2, [0], [1], directed=True)).directed


def test_a_self_edge_cannot_weigh_less_than_nothing():
    with pytest.raises(InputError, match="must weigh 0 or more; got -1"):
        with_self_edges(Graph.from_edges(2, [0], [1]), weight=-1)


def test_weights_are_uniform():
    weights = draw_graph("tree", 50_000, np.random.default_rng(0)).edges()[2]
    share, _ = np.histogram(weights, bins=8, range=(0.2, 1.0))
    assert np.abs(share / len(weights) - 1 / 8).max() < 0.005
