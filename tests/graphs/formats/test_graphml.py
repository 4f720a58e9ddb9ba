import networkx as nx
import pytest

from neuralexec import Graph, InputError, InputWarning, from_networkx, read_graph, write_graph


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_what_networkx_writes(tmp_path, kind):
    graph = kind()
    graph.add_weighted_edges_from([("a", "b", 0.5), ("b", "c", 2.0)])
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    assert read_graph(tmp_path / "graph.graphml") == from_networkx(graph)


def test_networkx_reads_what_is_written(tmp_path):
    graph = Graph.from_edges(3, [0, 1], [1, 2], [0.5, 0.25], names=["x", "y", "<script>"])
    write_graph(graph, tmp_path / "graph.graphml")
    assert from_networkx(nx.read_graphml(tmp_path / "graph.graphml")) == graph


def test_parallel_edges_keep_the_lightest(tmp_path):
    graph = nx.MultiGraph([("a", "b", {"weight": 2.0}), ("a", "b", {"weight": 1.0})])
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    with pytest.warns(InputWarning, match="1 duplicate edge"):
        assert set(read_graph(tmp_path / "graph.graphml").weights) == {1.0}


def test_undirected_keeps_the_lighter_of_two_directions(tmp_path):
    graph = nx.MultiDiGraph()
    for ends, weight in ((("a", "b"), 3.0), (("a", "b"), 1.0), (("b", "a"), 5.0)):
        graph.add_edge(*ends, weight=weight)
    nx.write_graphml(graph, tmp_path / "graph.graphml")
    with pytest.warns(InputWarning, match="duplicate edge"):
        found = read_graph(tmp_path / "graph.graphml", directed=False)
    assert found.weights.tolist() == [1, 1]


KEY = '<key id="w" for="edge" attr.name="weight" attr.type="double"><default>3</default></key>'
EDGE = '<node id="a"/><node id="b"/><edge source="a" target="b"/>'


@pytest.mark.parametrize("space", ["", ' xmlns="http://graphml.graphdrawing.org/xmlns"'])
def test_a_weight_may_have_a_default(tmp_path, space):
    path = tmp_path / "graph.graphml"
    path.write_text(f"<graphml{space}>{KEY}<graph edgedefault='directed'>{EDGE}</graph></graphml>")
    graph = read_graph(path)
    assert graph.directed
    assert graph.weights.tolist() == [3]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"<graph>{EDGE}</graph><graph>{EDGE}</graph>", "expected one graph; found 2"),
        (f"<graph>{EDGE}<node id='c'><graph/></node></graph>", "expected one graph; found 2"),
        (f"<graph>{EDGE}<edge source='a' target='z'/></graph>", "an edge names node 'z'"),
    ],
)
def test_what_networkx_would_pass_over_is_refused(tmp_path, body, message):
    path = tmp_path / "graph.graphml"
    path.write_text(f"<graphml>{body}</graphml>")
    with pytest.raises(InputError, match=message):
        read_graph(path)


def test_directedness_can_be_forced(tmp_path):
    path = tmp_path / "graph.graphml"
    write_graph(Graph.from_edges(2, [0], [1]), path)
    assert read_graph(path, directed=True).num_arcs == 2
    write_graph(Graph.from_edges(2, [0], [1], directed=True), path)
    assert read_graph(path, directed=False).num_arcs == 2


BOMB = """<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">
<!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;"><!ENTITY h "&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;">]>
<graphml>&h;</graphml>"""


@pytest.mark.parametrize("text", ["<", "<graphml>", "<html></html>", "<graphml></graphml>", BOMB])
def test_what_is_no_graphml_is_refused(tmp_path, text):
    path = tmp_path / "graph.graphml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"graph.graphml: cannot be read as GraphML"):
        read_graph(path)


@pytest.mark.parametrize("weight", ["nan", "-1", "inf"])
def test_bad_weights_are_refused(tmp_path, weight):
    path = tmp_path / "graph.graphml"
    write_graph(Graph.from_edges(2, [0], [1], [7.0]), path)
    path.write_text(path.read_text().replace("7.0", weight))
    with pytest.raises(InputError, match=r"weight .* cannot be used"):
        read_graph(path)


def test_names_that_xml_cannot_hold_are_refused(tmp_path):
    graph = Graph.from_edges(2, [0], [1], names=["a\x01", "b"])
    with pytest.raises(InputError, match=r"has no place in XML; use .json or .npz"):
        write_graph(graph, tmp_path / "graph.graphml")
