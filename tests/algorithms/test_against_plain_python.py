"""Every step of the paper's algorithms against the same equations in plain Python."""

import numpy as np
import pytest
from hypothesis import given, settings

from neuralexec import Graph, Problem, find_algorithm, trace, with_paper_infinity
from tests.algorithms import plain_python
from tests.problem_strategies import problems

PLAIN = {
    "bfs": plain_python.bfs,
    "bellman-ford": plain_python.bellman_ford,
    "prim": plain_python.prim,
}


def edges_of(graph: Graph) -> plain_python.Edges:
    return {
        (int(sender), int(receiver)): float(weight)
        for sender, receiver, weight in zip(
            graph.senders, graph.receivers, graph.weights, strict=True
        )
    }


def check(name: str, problem: Problem, *extra: float) -> None:
    run = trace(find_algorithm(name), problem)
    plain = PLAIN[name](problem.graph.num_nodes, edges_of(problem.graph), problem.source, *extra)
    assert run.num_steps == len(plain)
    for t, expected in enumerate(plain, start=1):
        for signal, values in expected.items():
            found = run.states[signal][t].tolist()
            assert found == (values if isinstance(values, list) else [values]), (signal, t)


@pytest.mark.parametrize("name", ["bfs", "bellman-ford"])
@given(problem=problems(distinct=True))
@settings(deadline=None, max_examples=150)
def test_every_step_on_any_graph(name, problem):
    check(name, problem)


@given(problem=problems(distinct=True, directed=False))
@settings(deadline=None, max_examples=150)
def test_every_step_of_prim(problem):
    check("prim", problem)


@given(problem=problems(directed=False))
@settings(deadline=None, max_examples=100)
def test_prim_breaks_ties_by_lowest_index(problem):
    check("prim", problem)


@given(problem=problems(distinct=True))
@settings(deadline=None, max_examples=100)
def test_every_step_with_the_papers_finite_infinity(problem):
    [problem] = with_paper_infinity([problem])
    check("bellman-ford", problem, problem.infinity)


def test_ties_between_positive_weights_go_to_the_lowest_index():
    """Two paths of length 2 from 3 to 0, through 1 or 2: the later, heavier first hop is 1's."""
    graph = Graph.from_edges(4, [3, 1, 3, 2], [1, 0, 2, 0], [1.5, 0.5, 0.5, 1.5])
    check("bellman-ford", Problem(graph, 3))


def test_nodes_at_no_distance_from_each_other_do_not_point_at_each_other():
    """1 and 0 are joined by an edge that weighs nothing; the literal argmin would be a cycle."""
    graph = Graph.from_edges(3, [2, 1], [1, 0], [1.0, 0.0])
    last = trace(find_algorithm("bellman-ford"), Problem(graph, 2)).last
    assert last["predecessor"].tolist() == [1, 2, 2]


def test_a_worked_example():
    """a -1- b -1- c with a direct a -3- c: the third node improves, and its predecessor moves."""
    graph = Graph.from_edges(3, [0, 1, 0], [1, 2, 2], [1.0, 1.0, 3.0], names="abc")
    run = trace(find_algorithm("bellman-ford"), Problem(graph, graph.node("a")))
    assert run.states["distance"].tolist() == [
        [0, np.inf, np.inf],
        [0, 1, 3],
        [0, 1, 2],
        [0, 1, 2],
    ]
    assert run.states["predecessor"].tolist() == [[0, -1, -1], [0, 0, 0], [0, 0, 1], [0, 0, 1]]


def test_an_unreached_sender_can_win_under_a_finite_infinity():
    """Longest + 1 is 1.9 here: far down a heavy path an unreached neighbour looks cheaper."""
    graph = Graph.from_edges(3, [0, 1], [1, 2], [0.5, 0.4])
    [problem] = with_paper_infinity([Problem(graph, 0)])
    assert problem.infinity == pytest.approx(1.9)
    first = trace(find_algorithm("bellman-ford"), problem).after(1)
    assert first["predecessor"].tolist() == [0, 0, 1]
