import numpy as np
import pytest

from neuralexec import Graph
from neuralexec.algorithms import blocks
from neuralexec.algorithms.neighbours import cheapest_edge, largest_neighbour


@pytest.fixture
def graph() -> Graph:
    rng = np.random.default_rng(0)
    senders = np.repeat(np.arange(500), 6)
    receivers = (senders + np.tile(rng.permutation(400)[:6] + 1, 500)) % 500
    return Graph.from_edges(500, senders, receivers, rng.random(3000), directed=True)


@pytest.mark.parametrize("threads", ["1", "2", "3", "16"])
def test_blocks_cover_every_node_once(graph, threads, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    monkeypatch.setattr(blocks, "SMALLEST_SHARE", 200)
    visits = np.zeros(graph.num_nodes, dtype=int)

    def visit(first: int, stop: int) -> None:
        visits[first:stop] += 1

    blocks.in_blocks(graph, visit)
    assert (visits == 1).all()


def test_more_threads_change_nothing(graph, monkeypatch):
    values = np.random.default_rng(1).random(graph.num_nodes)
    pointers = np.full(graph.num_nodes, -1, dtype=np.int32)
    alone = cheapest_edge(graph, values, pointers), largest_neighbour(graph, values)
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    monkeypatch.setattr(blocks, "SMALLEST_SHARE", 100)
    shared = cheapest_edge(graph, values, pointers), largest_neighbour(graph, values)
    np.testing.assert_array_equal(alone[0], shared[0])
    np.testing.assert_array_equal(alone[1], shared[1])


@pytest.mark.parametrize(("setting", "expected"), [("3", 3), ("0", None), ("", None), ("x", None)])
def test_the_number_of_threads(setting, expected, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", setting)
    monkeypatch.setattr("os.cpu_count", lambda: 12)
    assert blocks.num_threads() == (expected or 12)
