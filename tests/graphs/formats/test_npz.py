import numpy as np
import pytest
from scipy import sparse

from neuralexec import Graph, InputError, from_scipy, read_graph, write_graph

GOOD = {
    "num_nodes": np.array(2),
    "directed": np.array(False),
    "senders": np.array([0]),
    "receivers": np.array([1]),
    "weights": np.array([0.5]),
}


def test_a_matrix_saved_by_scipy(tmp_path):
    matrix = sparse.random_array((9, 9), density=0.3, rng=np.random.default_rng(0))
    sparse.save_npz(tmp_path / "matrix.npz", matrix.tocsr())
    assert read_graph(tmp_path / "matrix.npz") == from_scipy(matrix)


def test_one_long_name_does_not_make_all_long(tmp_path):
    names = ["x" * 100_000, *(f"n{i}" for i in range(999))]
    graph = Graph.from_edges(1000, [0], [1], names=names)
    write_graph(graph, tmp_path / "graph.npz")
    assert (tmp_path / "graph.npz").stat().st_size < 200_000
    assert read_graph(tmp_path / "graph.npz") == graph


class Bomb:
    def __reduce__(self):
        return (print, ("this must never run",))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"senders": np.array([2])}, r"graph.npz: node 2 is out of range"),
        ({"senders": np.array([0.5])}, r"whole numbers"),
        ({"senders": np.array([[0]])}, r"one list of whole numbers"),
        ({"weights": np.array([np.nan])}, r"weight nan cannot be used"),
        ({"weights": np.array([1.0, 2.0])}, r"1 edges need 1 weights"),
        ({"weights": np.array(["x"])}, r"graph.npz: weights must be real numbers"),
        ({"weights": np.array([1j])}, r"graph.npz: weights must be real numbers"),
        ({"directed": np.array("false")}, r"directed true or false"),
        ({"num_nodes": np.array(3.7)}, r"num_nodes must be whole"),
        ({"words": np.zeros(3, np.uint8), "word_lengths": np.array([1, 9])}, r"not as long as"),
        ({"num_nodes": np.array(0)}, r"at least one node"),
        ({"num_nodes": np.array(2**40)}, r"at most"),
        ({"num_nodes": np.array([1, 2])}, r"graph.npz: "),
        ({"coordinates": np.array([1.0])}, r"2 finite x, y pairs"),
        ({"numbers": np.array([1])}, r"2 nodes need 2 names"),
        ({"senders": np.array([Bomb()], dtype=object)}, r"cannot be read as a NumPy archive"),
    ],
)
def test_nothing_in_an_archive_is_trusted(tmp_path, capsys, changes, message):
    path = tmp_path / "graph.npz"
    np.savez(path, **{**GOOD, **changes})
    with pytest.raises(InputError, match=message):
        read_graph(path)
    assert capsys.readouterr().out == ""


def test_a_list_that_begins_like_an_archive(tmp_path):
    (tmp_path / "rails.csv").write_text("PKP,Lodz,5\n")
    assert list(read_graph(tmp_path / "rails.csv").names) == ["PKP", "Lodz"]


def test_rubbish_is_not_called_unsafe(tmp_path):
    (tmp_path / "graph.npz").write_bytes(b"rubbish")
    with pytest.raises(InputError, match="is no NumPy archive, or a damaged one"):
        read_graph(tmp_path / "graph.npz")


def test_an_archive_without_a_graph_is_refused(tmp_path):
    np.savez(tmp_path / "graph.npz", senders=np.array([0]))
    with pytest.raises(InputError, match=r"has no num_nodes, directed, receivers, weights"):
        read_graph(tmp_path / "graph.npz")
