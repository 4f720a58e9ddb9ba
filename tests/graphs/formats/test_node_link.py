import json

import networkx as nx
import pytest

from neuralexec import Graph, InputError, InputWarning, from_networkx, read_graph, write_graph


def read(tmp_path, data, **options):
    path = tmp_path / "graph.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return read_graph(path, **options)


@pytest.mark.parametrize("edges", ["edges", "links"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_what_networkx_writes(tmp_path, edges, kind):
    graph = kind()
    graph.add_weighted_edges_from([("a", "b", 0.5), ("b", 3, 2)])
    data = nx.node_link_data(graph, edges=edges)
    assert read(tmp_path, data) == from_networkx(graph)


def test_networkx_reads_what_is_written(tmp_path):
    graph = Graph.from_edges(3, [0, 1], [1, 2], [0.5, 0.25], names=["x", "y", "z"])
    write_graph(graph, tmp_path / "graph.json")
    data = json.loads((tmp_path / "graph.json").read_text())
    assert from_networkx(nx.node_link_graph(data, edges="edges")) == graph


def test_parallel_edges_keep_the_lightest(tmp_path):
    nodes = [{"id": 0}, {"id": 1}]
    edges = [{"source": 0, "target": 1, "weight": w} for w in (2, 1)]
    with pytest.warns(InputWarning, match="1 duplicate edge"):
        assert set(read(tmp_path, {"nodes": nodes, "edges": edges}).weights) == {1.0}


def edge(**changes):
    return {
        "nodes": [{"id": "a"}, {"id": "b"}],
        "edges": [{"source": "a", "target": "b", **changes}],
    }


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", r"graph.json: cannot be read as JSON node-link: "),
        ("[" * 100_000, r"graph.json: "),
        ("{}", r"has no list of 'nodes'"),
        ({"nodes": []}, r"has no list of 'edges'"),
        ({"nodes": [], "edges": []}, r"at least one node"),
        ({"nodes": [1], "edges": []}, r"node 0 has no 'id'"),
        ({"nodes": [{"id": None}], "edges": []}, r"node 0 has no 'id'"),
        ({"nodes": [{"id": "a"}, {"id": "a"}], "edges": []}, r"two nodes are both named 'a'"),
        ({**edge(), "directed": "false"}, r"'directed' must be true or false; got 'false'"),
        (edge(target="z"), r"edge 0 names node 'z', which is not among the nodes"),
        ({"nodes": [{"id": "a"}], "edges": [{"source": "a"}]}, r"edge 0 has no 'target'"),
        ({"nodes": [{"id": "a"}], "edges": [1]}, r"edge 0 is not an object"),
        (edge(weight="x"), r"edge 0: weight 'x' is not a number"),
        (edge(weight=None), r"edge 0: weight 'None' is not a number"),
        (edge(weight=-1), r"edge 0: weight -1 cannot be used"),
        (edge(weight=float("nan")), r"edge 0: weight nan cannot be used"),
        (edge(weight=float("inf")), r"edge 0: weight inf cannot be used"),
        (edge(weight=10**400), r"graph.json: "),
    ],
)
def test_what_is_wrong_is_said(tmp_path, data, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, data, format="json")
