import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Graph, InputError, Problem, Problems, with_paper_infinity
from tests.problem_strategies import problems


@given(st.lists(problems(directed=True), min_size=1, max_size=4))
@settings(deadline=None, max_examples=50)
def test_the_union_is_the_graphs_side_by_side(members):
    together = Problems(tuple(members))
    size = together.graph.num_nodes
    found = np.full((size, size), np.inf)
    found[together.graph.senders, together.graph.receivers] = together.graph.weights
    expected = np.full((size, size), np.inf)
    for first, problem in zip(together.node_offsets, members, strict=False):
        own = problem.graph
        expected[own.senders + first, own.receivers + first] = own.weights
    np.testing.assert_array_equal(found, expected)
    assert np.flatnonzero(together.is_source).tolist() == together.sources.tolist()
    assert (together.edge_offsets[-1], together.node_offsets[-1]) == (together.graph.num_arcs, size)


def three() -> Problems:
    graphs = [Graph.from_edges(size, [], []) for size in (2, 1, 3)]
    return Problems((Problem(graphs[0], 1), Problem(graphs[1]), Problem(graphs[2], 0, 7.0)))


def test_what_belongs_to_a_graph_is_spread_over_its_nodes():
    assert three().sources.tolist() == [1, -1, 3]
    assert three().is_source.tolist() == [False, True, False, True, False, False]
    assert three().infinity.tolist() == [np.inf] * 3 + [7.0] * 3


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([2, 1, 5, 4, 3, 3], [1, 2, 4]),
        ([1, 1, np.inf, np.inf, np.inf, 0], [0, -1, 5]),
        ([np.inf] * 6, [-1, -1, -1]),
    ],
)
def test_the_lowest_node_of_each_graph(values, expected):
    values = np.array(values, dtype=float)
    assert three().lowest(values).tolist() == expected
    alone = Problems(three().members[:1])
    assert alone.lowest(values[:2]).tolist() == expected[:1]


def test_a_mask_is_looked_up_graph_by_graph():
    mask = np.array([False, True, False, False, False, False])
    assert three().any(mask).tolist() == [True, False, False]
    assert Problems(three().members[:1]).any(mask[:2]).tolist() == [True]


def test_a_single_problem_keeps_its_own_graph():
    problem = three().members[2]
    assert Problems((problem,)).graph is problem.graph


def test_paths_follow_the_direction_of_edges():
    graph = Graph.from_edges(3, [0, 1], [1, 2], [0.0, 2.0], directed=True)
    there, back = with_paper_infinity([Problem(graph, 0), Problem(graph, 2)])
    assert (there.infinity, back.infinity) == (3.0, 1.0)


def test_no_problems_are_refused():
    with pytest.raises(InputError, match="at least one problem"):
        Problems(())


def test_the_papers_infinity_is_the_longest_shortest_path_plus_one():
    graph = Graph.from_edges(4, [0, 1], [1, 2], [0.5, 0.25])  # node 3 is out of reach
    problems = [Problem(graph, 0), Problem(graph, 3), Problem(graph), Problem(graph, 1)]
    infinities = [problem.infinity for problem in with_paper_infinity(problems)]
    assert infinities == [1.75, 1.0, np.inf, 1.5]
    assert with_paper_infinity(problems[2:3])[0].infinity == np.inf
