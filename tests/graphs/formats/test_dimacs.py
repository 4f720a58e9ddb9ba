import pytest

from neuralexec import Graph, InputError, read_graph, write_graph


def read(tmp_path, text, **options):
    path = tmp_path / "roads.gr"
    path.write_text(text)
    return read_graph(path, **options)


BOTH_WAYS = "c a comment\np sp 3 4\na 1 2 5\na 2 1 5\nc in between\na 2 3 7\na 3 2 7\n"


def test_arcs_both_ways_make_an_undirected_graph(tmp_path):
    graph = read(tmp_path, BOTH_WAYS)
    assert graph == Graph.from_edges(3, [0, 1], [1, 2], [5.0, 7.0], names=range(1, 4))


@pytest.mark.parametrize(
    "text",
    [
        "p sp 3 3\na 1 2 5\na 2 1 5\na 2 3 7\n",
        "p sp 2 2\na 1 2 5\na 2 1 6\n",
        "p  sp\t2 1\na\t1  2\t0.5",
    ],
)
def test_other_arcs_make_a_directed_graph(tmp_path, text):
    assert read(tmp_path, text).directed


def test_a_sign_in_front_of_a_weight(tmp_path):
    assert read(tmp_path, "p sp 2 1\na 1 2 +3e+1\n").weights.tolist() == [30]


def test_lines_end_in_newlines_only(tmp_path):
    """A carriage return inside a comment ends no line, so that head and arcs are counted alike."""
    graph = read(tmp_path, "c a\rc b\np sp 3 2\na 1 2 3\r\na 2 3 4\r\n")
    assert graph.weights.tolist() == [3, 4]


def test_directedness_can_be_forced(tmp_path):
    assert read(tmp_path, BOTH_WAYS, directed=True).directed
    assert read(tmp_path, "p sp 2 1\na 1 2 5\n", directed=False).num_arcs == 2


def test_a_symmetric_directed_graph_stays_directed(tmp_path):
    graph = Graph.from_edges(2, [0, 1], [1, 0], [5.0, 5.0], directed=True)
    write_graph(graph, tmp_path / "graph.gr")
    assert read_graph(tmp_path / "graph.gr") == graph


def test_other_programs_can_read_what_is_written(tmp_path):
    graph = Graph.from_edges(2, [0], [1], [5.0], names=range(1, 3))
    write_graph(graph, tmp_path / "graph.gr")
    lines = (tmp_path / "graph.gr").read_text().splitlines()
    assert [line for line in lines if line[0] != "c"] == ["p sp 2 2", "a 2 1 5", "a 1 2 5"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p sp 3 1\na 1 4 5\n", r"roads.gr, line 2: node '4' is out of range: nodes are 1 to 3"),
        ("c x\nc y\np sp 3 1\na 0 1 5\n", r"line 4: node '0' is out of range"),
        ("p sp 3 2\na 1 2 5\nc z\na 1 3 x\n", r"line 4: weight 'x' is not a number"),
        ("p sp 3 2\na 1 2 5\nc z\na 1 3 -1\n", r"line 4: weight '-1' cannot be used"),
        ("p sp 3 2\na 1 2 5\nc z\na 1 3 inf\n", r"line 4: weight 'inf' cannot be used"),
        ("p sp 3 1\na 1 2 0.\0", r"line 2: weight '0.\\x00' is not a number"),
        ("p sp 3 1\na 1 2\n", r"line 2: expected 3 columns; found 2"),
        ("p sp 3 1\na 1 2 3 4\n", r"line 2: expected 3 columns; found 4"),
        ("p sp 3 1\n1 2 3\n", r"line 2: expected 'a FROM TO WEIGHT'; found '1 2 3'"),
        ("p sp 3 1\ne 1 2 3\n", r"line 2: expected 'a FROM TO WEIGHT'"),
        ("p sp 3 2\na 1 2 3\n", r"does not hold the 2 edges its head promises"),
        ("p sp 3 1\na 1 2 3\na 1 3 3\n", r"does not hold the 1 edges"),
        ("p sp 0 0\n", r"at least one node"),
        ("p sp 3\n", r"line 1: expected 'p sp NODES ARCS'; found 'p sp 3'"),
        ("a 1 2 3\n", r"line 1: expected 'p sp NODES ARCS'"),
        ("c nothing\n", r"has no line 'p sp NODES ARCS'"),
        ("p sp 99999999999 1\na 1 2 3\n", r"at most 2,147,483,647 nodes"),
        ("p sp 3 99999999999999\na 1 2 3\n", r"needs about"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


def test_lines_are_counted_through_all_parts(tmp_path, monkeypatch):
    monkeypatch.setattr("neuralexec.graphs.formats.arcs.CHUNK", 10)
    rows = [f"a {i} {i + 1} 1\n" for i in range(1, 30)]
    rows[7] += "c comment\n"
    assert read(tmp_path, "p sp 30 29\n" + "".join(rows)).num_arcs == 29
    rows[20] = "a 1 x 2\n"
    with pytest.raises(InputError, match="line 23: node 'x' is not a whole number"):
        read(tmp_path, "p sp 30 29\n" + "".join(rows))
