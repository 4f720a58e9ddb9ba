import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Graph, InputError, InputWarning


def adjacency(num_nodes, senders, receivers, weights, directed) -> np.ndarray:
    """The lightest weight from i to j, infinite without an edge: written the slow way."""
    matrix = np.full((num_nodes, num_nodes), np.inf)
    for i, j, weight in zip(senders, receivers, weights, strict=True):
        matrix[i, j] = min(matrix[i, j], weight)
        if not directed:
            matrix[j, i] = min(matrix[j, i], weight)
    return matrix


@given(st.integers(1, 40), st.integers(0, 200), st.booleans(), st.integers(0, 2**32))
@settings(deadline=None, max_examples=150)
@pytest.mark.filterwarnings("ignore::neuralexec.errors.InputWarning")
def test_edges_are_sorted_mirrored_and_unique(num_nodes, num_edges, directed, seed):
    rng = np.random.default_rng(seed)
    senders, receivers = rng.integers(0, num_nodes, (2, num_edges))
    weights = rng.integers(0, 4, num_edges) / 4
    graph = Graph.from_edges(num_nodes, senders, receivers, weights, directed=directed)
    expected = adjacency(num_nodes, senders, receivers, weights, directed)
    found = np.full_like(expected, np.inf)
    found[graph.senders, graph.receivers] = graph.weights
    np.testing.assert_array_equal(found, expected)
    assert graph.num_arcs == np.isfinite(expected).sum()
    keys = graph.receivers.astype(int) * num_nodes + graph.senders
    assert (np.diff(keys) > 0).all()
    assert np.array_equal(np.bincount(graph.receivers, minlength=num_nodes), np.diff(graph.offsets))


def test_a_long_row_is_sorted_too():
    rng = np.random.default_rng(0)
    senders = rng.permutation(5000)
    graph = Graph.from_edges(5000, senders, np.zeros(5000, int), senders / 8, directed=True)
    assert graph.senders.tolist() == list(range(5000))
    assert np.array_equal(graph.weights, np.arange(5000) / 8)


def test_edges_are_given_back_once():
    graph = Graph.from_edges(3, [1, 2, 1], [0, 1, 1], [0.5, 0.25, 1.0])
    assert repr(graph) == "Graph(3 nodes, 3 edges, undirected)"
    assert repr(Graph.from_edges(1, [0], [0])) == "Graph(1 node, 1 edge, undirected)"
    assert graph.num_arcs == 5
    assert graph.num_edges == 3
    assert graph.num_self_edges == 1
    again = Graph.from_edges(3, *graph.edges())
    assert again == graph
    assert again.checksum() == graph.checksum()


@pytest.mark.parametrize(
    ("directed", "count"), [(False, "1 duplicate edge:"), (True, "1 duplicate edge:")]
)
def test_of_duplicate_edges_the_lightest_stays_with_a_warning(directed, count):
    with pytest.warns(InputWarning, match=count):
        graph = Graph.from_edges(2, [0, 0], [1, 1], [0.9, 0.4], directed=directed)
    assert set(graph.weights) == {0.4}


def test_both_directions_of_an_undirected_edge_are_one_duplicate():
    with pytest.warns(InputWarning, match="1 duplicate edge:"):
        Graph.from_edges(2, [0, 1], [1, 0], [0.9, 0.4])


def test_arcs_decide_whether_a_graph_is_directed():
    both = Graph.from_arcs(2, [0, 1], [1, 0], [0.5, 0.5])
    unequal = Graph.from_arcs(2, [0, 1], [1, 0], [0.5, 0.6])
    one_way = Graph.from_arcs(2, [0], [1])
    assert [g.directed for g in (both, unequal, one_way)] == [False, True, True]
    with pytest.warns(InputWarning, match="1 duplicate edge"):
        forced = Graph.from_arcs(2, [0, 1], [1, 0], [0.5, 0.6], directed=False)
    assert forced.weights.tolist() == [0.5, 0.5]
    assert Graph.from_arcs(2, [0, 1], [1, 0], [0.5, 0.5], directed=True).directed


def test_a_graph_cannot_be_changed():
    graph = Graph.from_edges(2, [0], [1], coordinates=[[0, 0], [1, 1]])
    numbers = Graph.from_edges(2, [0], [1], names=[7, 3]).names.numbers
    arrays = (graph.offsets, graph.senders, graph.receivers, graph.weights, graph.coordinates)
    for array in (*arrays, numbers):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        graph.directed = True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, [], []), "at least one node"),
        ((2**31, [], []), "at most"),
        ((2.5, [], []), "a number of nodes is whole; got 2.5"),
        ((2, [0], [1], ["x"]), "weights must be real numbers"),
        ((2, [0], [1], [1j]), "weights must be real numbers; got complex128"),
        ((3, [0, 1], [1, 2], [1e308, 1e308]), "add up to more than a number can hold"),
        ((2, [0], [2]), "node 2 is out of range: nodes are 0 to 1"),
        ((2, [-1], [0]), "node -1 is out of range"),
        ((2, [0.5], [0]), "whole numbers"),
        ((2, [0, 1], [0]), "2 senders need 2 receivers; got 1"),
        ((2, [0], [1], [1.0, 2.0]), "1 edges need 1 weights; got 2"),
        ((2, [0], [1], [-1.0]), "weight -1 cannot be used"),
        ((2, [0], [1], [np.nan]), "weight nan cannot be used"),
        ((2, [0], [1], [np.inf]), "weight inf cannot be used"),
    ],
)
def test_bad_edges_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Graph.from_edges(*arguments)


def test_bad_coordinates_are_refused():
    with pytest.raises(InputError, match="2 finite x, y pairs"):
        Graph.from_edges(2, [0], [1], coordinates=[[0, 0]])


def test_a_graph_too_large_for_memory_is_refused_before_it_is_built(monkeypatch):
    monkeypatch.setattr("neuralexec.graphs.memory.physical_memory", lambda: 1e9)
    with pytest.raises(InputError, match=r"a graph of 200,000,000 nodes .* 3.2 GB, .* 1.0 GB"):
        Graph.from_edges(200_000_000, [], [])


def test_nodes_are_found_by_name():
    graph = Graph.from_edges(3, [0], [1], names=["Paris", "Rome", "Bonn"])
    assert graph.node("Bonn") == 2
    with pytest.raises(InputError, match="no node is named 'Oslo'; the graph has 3 nodes"):
        graph.node("Oslo")
    numbered = Graph.from_edges(3, [0], [1])
    assert numbered.node("2") == numbered.node(2) == 2
    with pytest.raises(InputError, match="no node is named '3'"):
        numbered.node(3)
