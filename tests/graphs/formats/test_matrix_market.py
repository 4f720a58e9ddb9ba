import numpy as np
import pytest
from scipy import sparse
from scipy.io import mmwrite

from neuralexec import InputError, InputWarning, from_scipy, read_graph, to_scipy

HEAD = "%%MatrixMarket matrix coordinate real general\n"


def read(tmp_path, text, **options):
    path = tmp_path / "graph.mtx"
    path.write_text(text)
    return read_graph(path, **options)


@pytest.mark.parametrize("symmetric", [True, False])
def test_matrices_written_by_scipy(tmp_path, symmetric):
    rng = np.random.default_rng(0)
    matrix = sparse.random_array((30, 30), density=0.1, rng=rng).tocsr()
    if symmetric:
        matrix = matrix + matrix.T
    mmwrite(tmp_path / "graph.mtx", matrix)
    graph = read_graph(tmp_path / "graph.mtx")
    assert graph.directed != symmetric
    assert list(graph.names) == [str(number) for number in range(1, 31)]
    assert (to_scipy(graph) != matrix).nnz == 0
    assert np.array_equal(graph.weights, from_scipy(matrix).weights)


def test_an_entry_is_an_edge_from_row_to_column(tmp_path):
    graph = read(tmp_path, HEAD + "3 3 1\n1 3 0.5\n")
    assert graph.directed
    assert (graph.senders.tolist(), graph.receivers.tolist()) == ([0], [2])


def test_a_symmetric_file_is_undirected(tmp_path):
    text = "%%MatrixMarket matrix coordinate integer symmetric\n% hello\n3 3 2\n2 1 7\n3 3 1\n"
    graph = read(tmp_path, text)
    assert not graph.directed
    assert (graph.num_edges, graph.num_arcs) == (2, 3)
    arcs = read(tmp_path, text, directed=True)
    assert arcs.directed
    assert arcs.num_arcs == 3


def test_a_general_file_is_undirected_if_it_equals_its_transpose(tmp_path):
    assert not read(tmp_path, HEAD + "2 2 2\n1 2 5\n2 1 5\n").directed
    assert read(tmp_path, HEAD + "2 2 2\n1 2 5\n2 1 6\n").directed
    assert read(tmp_path, HEAD + "2 2 2\n1 2 5\n2 1 5\n", directed=True).directed


def test_a_general_file_can_be_read_as_undirected(tmp_path):
    assert read(tmp_path, HEAD + "3 3 1\n1 3 0.5\n", directed=False).num_arcs == 2
    with pytest.warns(InputWarning, match="1 duplicate edge"):
        graph = read(tmp_path, HEAD + "2 2 2\n1 2 5\n2 1 6\n", directed=False)
    assert graph.weights.tolist() == [5, 5]


def test_patterns_weigh_one_and_zeros_are_edges(tmp_path):
    pattern = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"
    assert read(tmp_path, pattern).weights.tolist() == [1]
    assert read(tmp_path, HEAD + "2 2 1\n% late comment\n 1  2\t0 \r\n\n").weights.tolist() == [0]


def test_duplicates_keep_the_lightest(tmp_path):
    with pytest.warns(InputWarning, match="1 duplicate edge"):
        graph = read(tmp_path, HEAD + "2 2 2\n1 2 5\n1 2 3\n")
    assert graph.weights.tolist() == [3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "3 3 1\n1 4 1\n", r"graph.mtx, line 3: node '4' is out of range: nodes are 1 to 3"),
        (HEAD + "% c\n\n3 3 1\n0 1 1\n", r"line 5: node '0' is out of range"),
        (HEAD + "3 3 2\n1 2 1\n\n1 3 x\n", r"line 5: weight 'x' is not a number"),
        (HEAD + "3 3 2\n1 2 1\n\n1 3 nan\n", r"line 5: weight 'nan' cannot be used"),
        (HEAD + "3 3 1\n1 3 -2\n", r"line 3: weight '-2' cannot be used"),
        (HEAD + "3 3 1\n1 3\n", r"line 3: expected 3 columns; found 2"),
        (HEAD + "3 3 2\n1 2 1\n1 3 1 1\n", r"line 4: expected 3 columns; found 4"),
        (HEAD + "3 3 2\n1 2 1\n1 3 0.\0", r"line 4: weight '0.\\x00' is not a number"),
        (HEAD + "3 3 1\n1 3 0.5abc\n", r"line 3: weight '0.5abc' is not a number"),
        (HEAD + "3 3 1\n1 3 0x5\n", r"line 3: weight '0x5' is not a number"),
        (HEAD + "3 3 1\n1 3 1.2.3\n", r"line 3: weight '1.2.3' is not a number"),
        (HEAD + "3 3 1\n1 99999999999999999999 1\n", r"line 3: node '9+' is out of range"),
        (HEAD + "3 3 1\n1.5 3 1\n", r"line 3: node '1.5' is not a whole number"),
        (HEAD + "3 3 2\n1 2 1\n", r"does not hold the 2 edges its head promises"),
        (HEAD + "3 3 1\n1 2 1\n1 3 1\n", r"does not hold the 1 edges its head promises"),
        (HEAD + "3 4 1\n1 2 1\n", r"line 2: an adjacency matrix is square; got 3 x 4"),
        (HEAD + "3 3\n", r"line 2: expected 'ROWS COLUMNS ENTRIES'; found '3 3'"),
        (HEAD + "0 0 0\n", r"at least one node"),
        (HEAD + "% nothing\n", r"ends before the line with its size"),
        (HEAD + "1000000000000 1000000000000 1\n1 2 3\n", r"at most 2,147,483,647 nodes"),
        (HEAD + "3 3 999999999999\n1 2 3\n", r"3 nodes and 999,999,999,999 edges needs about"),
        (HEAD.replace("coordinate", "array") + "2 2\n1\n2\n", r"'array' files hold no edge list"),
        (HEAD.replace("real", "complex") + "2 2 1\n1 2 1 1\n", r"weights must be real"),
        (HEAD.replace("general", "skew-symmetric") + "2 2 1\n2 1 1\n", r"'general' or 'symmetric'"),
        ("%%MatrixMarket\n", r"line 1: expected '%%MatrixMarket matrix coordinate"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


def test_lines_are_counted_through_all_parts(tmp_path, monkeypatch):
    monkeypatch.setattr("neuralexec.graphs.formats.arcs.CHUNK", 10)
    rows = [f"{i} {i + 1} 1\n" for i in range(1, 30)]
    head = HEAD + "% c\n30 30 29\n"
    assert read(tmp_path, head + "".join(rows)).num_arcs == 29
    for bad, message in (
        ("x y 1\n", "'x' is not"),
        ("1 2 3 4\n", "found 4"),
        ("1 2 -1\n", "'-1'"),
    ):
        text = head + "".join([*rows[:20], bad, *rows[21:]])
        with pytest.raises(InputError, match=rf"line 24: .*{message}"):
            read(tmp_path, text)
