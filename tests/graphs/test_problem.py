import numpy as np
import pytest

from neuralexec import Graph, InputError, Problem


def test_a_problem_checks_its_source_and_infinity():
    graph = Graph.from_edges(2, [0], [1])
    with pytest.raises(InputError, match="source 2 is out of range"):
        Problem(graph, 2)
    with pytest.raises(InputError, match="infinity must be above 0"):
        Problem(graph, 0, infinity=0.0)
    for source in (1.5, "1"):
        with pytest.raises(InputError, match="a source is the index of a node"):
            Problem(graph, source)
    for priorities in (np.ones(1), np.ones((2, 1)), np.ones(2, dtype=int)):
        with pytest.raises(InputError, match="priorities must be 2 numbers of type float64"):
            Problem(graph, priorities=priorities)


def test_priorities_are_given_or_always_the_same():
    graph = Graph.from_edges(3, [0], [1])
    given = np.array([0.1, 0.3, 0.2])
    assert Problem(graph, priorities=given).node_priorities is given
    once, again = Problem(graph).node_priorities, Problem(graph).node_priorities
    assert np.array_equal(once, again)
    assert len(np.unique(once)) == 3
