import numpy as np

from neuralexec import Graph
from neuralexec.algorithms.neighbours import cheapest_edge, largest_neighbour

CHAIN = Graph.from_edges(4, [0, 1], [1, 2], [0.5, 0.25], directed=True)


def test_the_largest_of_a_node_and_its_neighbours():
    values = np.array([3.0, 1.0, 2.0, 0.0])
    assert largest_neighbour(CHAIN, values).tolist() == [3, 3, 2, 0]
    assert largest_neighbour(CHAIN, values > 2).tolist() == [True, True, False, False]


def test_the_cheapest_edge_into_a_node():
    values, nowhere = np.array([1.0, 2.0, 9.0, 9.0]), np.full(4, -1, dtype=np.int32)
    cost, sender = cheapest_edge(CHAIN, values, nowhere)
    assert cost.tolist() == [np.inf, 1.5, 2.25, np.inf]
    assert sender.tolist() == [-1, 0, 1, -1]


def test_of_equal_offers_one_from_nearer_beats_one_from_as_near():
    """Node 2 gets 1.0 from 0, over an edge that weighs nothing, and from 1, which is nearer."""
    graph = Graph.from_edges(3, [0, 1], [2, 2], [0.0, 0.5], directed=True)
    values, nowhere = np.array([1.0, 0.5, 9.0]), np.full(3, -1, dtype=np.int32)
    cost, sender = cheapest_edge(graph, values, nowhere)
    assert (cost[2], sender[2]) == (1.0, 1)


def test_of_offers_from_as_near_the_current_one_stays():
    graph = Graph.from_edges(3, [0, 1], [2, 2], [0.0, 0.0], directed=True)
    values = np.array([1.0, 1.0, 9.0])
    for current, expected in ((-1, 0), (0, 0), (1, 1)):
        pointers = np.full(3, current, dtype=np.int32)
        assert cheapest_edge(graph, values, pointers)[1][2] == expected
