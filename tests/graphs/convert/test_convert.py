import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from neuralexec import (
    Graph,
    InputError,
    InputWarning,
    from_networkx,
    from_pyg,
    from_scipy,
    to_networkx,
    to_pyg,
    to_scipy,
)
from tests.graphs.graph_strategies import graphs


@given(graphs())
@settings(deadline=None, max_examples=100)
def test_networkx_there_and_back(graph):
    assert from_networkx(to_networkx(graph)) == graph


@given(graphs())
@settings(deadline=None, max_examples=100)
def test_scipy_there_and_back(graph):
    found = from_scipy(to_scipy(graph), directed=graph.directed)
    assert found.checksum() == graph.checksum()


@given(graphs())
@settings(deadline=None, max_examples=50)
def test_pyg_there_and_back(graph):
    pytest.importorskip("torch_geometric")
    assert from_pyg(to_pyg(graph), directed=graph.directed) == graph


def test_numbers_come_back_as_numbers():
    graph = nx.path_graph(4)
    assert list(to_networkx(from_networkx(graph))) == [0, 1, 2, 3]
    relabelled = nx.relabel_nodes(graph, {0: 70, 1: 5, 2: 12, 3: 9})
    assert nx.utils.graphs_equal(
        nx.Graph(relabelled.edges), nx.Graph(to_networkx(from_networkx(relabelled)).edges)
    )


def test_text_comes_back_as_text():
    graph = nx.Graph([("7", "8"), ("8", "10")])
    assert list(to_networkx(from_networkx(graph))) == ["7", "8", "10"]
    assert from_networkx(graph) == Graph.from_edges(3, [0, 1], [1, 2], names=[7, 8, 10])


def test_networkx_attributes():
    graph = nx.Graph()
    graph.add_node("a", pos=(1, 2))
    graph.add_node("b", x=3.0, y=4.0)
    graph.add_edge("a", "b", km=7)
    found = from_networkx(graph, weight="km")
    assert found.weights.tolist() == [7, 7]
    assert found.coordinates.tolist() == [[1, 2], [3, 4]]
    assert from_networkx(graph).weights.tolist() == [1, 1]
    graph.add_node("c")
    assert from_networkx(graph).coordinates is None


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.Graph(), "at least one node"),
        (nx.Graph([(1, "1")]), "two nodes are both named '1'"),
        (nx.Graph([("a", "b", {"weight": "heavy"})]), "edge a - b is not a number: 'heavy'"),
        (nx.Graph([("a", "b", {"weight": -1})]), "weight -1 cannot be used"),
        ([1, 2], "expected a NetworkX graph; got list"),
    ],
)
def test_what_networkx_graphs_cannot_be(graph, message):
    with pytest.raises(InputError, match=message):
        from_networkx(graph)


def test_parallel_edges_of_networkx_keep_the_lightest():
    graph = nx.MultiDiGraph([("a", "b", {"weight": 2}), ("a", "b", {"weight": 1})])
    with pytest.warns(InputWarning, match="1 duplicate edge"):
        assert from_networkx(graph).weights.tolist() == [1]


def test_scipy_decides_by_symmetry():
    matrix = sparse.csr_array(np.array([[0, 2.0], [2.0, 0]]))
    assert not from_scipy(matrix).directed
    assert from_scipy(matrix, directed=True).directed
    assert from_scipy(sparse.csr_array(np.array([[0, 2.0], [0, 0]]))).directed


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(2), "expected a SciPy sparse matrix; got ndarray"),
        (sparse.csr_array((2, 3)), "an adjacency matrix is square"),
        (sparse.csr_array(np.array([[1j]])), "weights must be real numbers"),
        (sparse.csr_array(np.array([[-1.0]])), "weight -1 cannot be used"),
    ],
)
def test_what_matrices_cannot_be(matrix, message):
    with pytest.raises(InputError, match=message):
        from_scipy(matrix)


def test_the_direction_of_networkx_edges_can_be_overruled():
    one_way = nx.DiGraph([("a", "b", {"weight": 1}), ("b", "a", {"weight": 5})])
    with pytest.warns(InputWarning, match="1 duplicate edge"):
        assert from_networkx(one_way, directed=False).weights.tolist() == [1, 1]
    both = from_networkx(nx.Graph([("a", "b")]), directed=True)
    assert (both.directed, both.num_arcs) == (True, 2)


def test_pyg_weights_and_positions():
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data").Data
    arcs = torch.tensor([[0, 1], [1, 0]])
    graph = from_pyg(data(edge_index=arcs, edge_attr=torch.tensor([[2.0], [2.0]]), num_nodes=3))
    assert (graph.directed, graph.num_nodes, graph.weights.tolist()) == (False, 3, [2, 2])
    assert from_pyg(data(edge_index=arcs[:, :1], num_nodes=2)).directed
    with pytest.raises(InputError, match="edge_attr has 2 columns"):
        from_pyg(data(edge_index=arcs, edge_attr=torch.ones(2, 2), num_nodes=2))
    with pytest.raises(InputError, match="edge_index and num_nodes"):
        from_pyg(data(x=torch.ones(2, 1)))


def test_without_torch_geometric_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch_geometric", None)
    with pytest.raises(InputError, match=r"pip install 'neuralexec\[pyg\]'"):
        to_pyg(Graph.from_edges(1, [], []))
