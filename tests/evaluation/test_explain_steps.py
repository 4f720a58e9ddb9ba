"""Which nodes are explained, when, and by which edges."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Algorithm, Graph, Kind, Problem, Signal, Task, collate, find_task
from neuralexec.evaluation.explain_steps import NEVER, to_explain
from tests.evaluation.executors import alone, bypass, trail
from tests.problem_strategies import problems


def asked(several: list[Problem], task: str, signal: str) -> tuple[list[int], list[list[int]]]:
    """Of each node, the step and the right senders."""
    batch = collate(several, find_task(task))
    found = to_explain(batch, signal)
    right: list[list[int]] = [[] for _ in range(batch.num_nodes)]
    for edge in found.right.nonzero().flatten().tolist():
        right[int(batch.edges.receivers[edge])].append(int(batch.edges.senders[edge]))
    return found.step.tolist(), right


def test_a_node_is_explained_when_it_is_reached_by_those_reached_before():
    steps, right = asked([trail()], "bfs", "reachable")
    assert steps == [NEVER, 0, 1, 2, NEVER]
    assert right == [[], [0], [1], [2], []]


def test_all_neighbours_reached_before_are_right():
    """From 0 to 1, 2 and 3, which are joined; 4 is next to 1 and 3, and to 5."""
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (1, 4), (3, 4), (4, 5)]
    graph = Graph.from_edges(6, *map(list, zip(*pairs, strict=True)))
    steps, right = asked([Problem(graph, 0)], "bfs", "reachable")
    assert steps == [NEVER, 0, 0, 0, 1, 2]
    assert right == [[], [0], [0], [0], [1, 3], [4]]


def test_nodes_count_through_all_graphs():
    steps, right = asked([alone(), trail(), bypass()], "bfs+bellman-ford", "reachable")
    assert steps == [NEVER, NEVER, 0, 1, 2, NEVER, NEVER, 0, 0, 1, NEVER]
    assert right == [[], [], [1], [2], [3], [], [], [6], [6], [8], []]


@given(st.lists(problems(), min_size=1, max_size=3))
@settings(deadline=None, max_examples=60)
def test_reached_in_plain_python(several):
    found = asked(several, "bfs", "reachable")
    steps, right, first = [], [], 0
    for problem in several:
        graph = problem.graph
        arcs = list(zip(graph.senders.tolist(), graph.receivers.tolist(), strict=True))
        hops = {problem.source: 0}
        for _ in range(graph.num_nodes):
            hops = {
                **{node: hops[j] + 1 for j, node in reversed(arcs) if j in hops},
                **hops,
            }
        for node in range(graph.num_nodes):
            reached = hops.get(node, 0) > 0
            steps.append(hops[node] - 1 if reached else NEVER)
            closer = [j for j, i in arcs if i == node and reached and j in hops]
            right.append([j + first for j in closer if hops[j] < hops[node]])
        first += graph.num_nodes
    assert found == (steps, right)


def test_a_pointer_is_explained_when_its_distance_is_final():
    """Through 1 the way to 2 is shorter, but one step longer."""
    graph = Graph.from_edges(4, [0, 0, 1, 2], [1, 2, 2, 3], [0.25, 1.0, 0.25, 0.5])
    steps, right = asked([Problem(graph, 0)], "bfs+bellman-ford", "predecessor")
    assert steps == [NEVER, 0, 1, 2]
    assert right == [[], [0], [1], [2]]


def test_a_pointer_that_was_right_by_chance_is_explained_when_it_has_reason_to_be():
    """3 points at 2 from the first step on, since that is its lightest edge."""
    steps, right = asked([trail()], "bfs+bellman-ford", "predecessor")
    states = collate([trail()], find_task("bfs+bellman-ford")).states["predecessor"]
    assert states[1, 2] == states[2, 2]
    assert steps == [NEVER, 0, 1, 2, NEVER]
    assert right == [[], [0], [1], [2], []]


def test_pointers_of_prim_are_explained_when_the_node_is_added():
    steps, right = asked([bypass()], "prim", "predecessor")
    assert steps == [NEVER, 0, 1, 2, NEVER]
    assert right == [[], [0], [1], [2], []]


def test_pointers_of_dijkstra_are_explained_when_the_node_is_settled():
    """0 is settled first; 2 has its distance then, but is settled after 1."""
    graph = Graph.from_edges(3, [0, 0], [1, 2], [0.25, 0.5])
    steps, right = asked([Problem(graph, 0)], "dijkstra", "predecessor")
    assert steps == [NEVER, 1, 2]
    assert right == [[], [0], [0]]


def test_where_no_pointer_leads_to_the_source_there_is_nothing_to_explain():
    """2 and 3, out of reach, point at each other."""
    graph = Graph.from_edges(4, [0, 2], [1, 3], [0.5, 0.25])
    batch = collate([Problem(graph, 0)], find_task("bellman-ford"))
    assert (batch.states["predecessor"][-1] >= 0).all()
    steps, right = asked([Problem(graph, 0)], "bellman-ford", "predecessor")
    assert steps == [NEVER, 0, NEVER, NEVER]
    assert right == [[], [0], [], []]


@pytest.mark.parametrize("task", ["bellman-ford", "prim", "dijkstra"])
@given(st.data())
@settings(deadline=None, max_examples=40)
def test_pointers_that_are_explained_lead_back_to_the_source(task, data):
    problem = data.draw(problems().filter(lambda one: not one.graph.directed))
    steps, right = asked([problem], task, "predecessor")
    batch = collate([problem], find_task(task))
    answer = find_task(task).algorithms[0].oracle(problem)
    for node, (step, senders) in enumerate(zip(steps, right, strict=True)):
        reached = answer["predecessor"][node] >= 0 and node != problem.source
        assert (step != NEVER) == reached == (len(senders) == 1)
        if step == NEVER:
            continue
        while node != problem.source:
            [node] = right[node]
        assert batch.supervised("predecessor")[step].any()


def test_a_bit_that_comes_along_no_edge_is_not_explained():
    """Every node has its bit after the first step, whether a neighbour had one or not."""
    bits = {"lit": Signal(Kind.MASK, "is i lit?", fed_back=True)}
    everywhere = Algorithm(
        name="light",
        title="Light",
        signals=bits,
        start=lambda problems: {"lit": problems.is_source.copy()},
        step=lambda problems, state: {"lit": np.ones_like(state["lit"])},
        oracle=lambda problem: {"lit": np.ones(problem.graph.num_nodes, dtype=bool)},
    )
    found = to_explain(collate([trail()], Task((everywhere,))), "lit")
    assert found.step.tolist() == [NEVER, 0, NEVER, NEVER, NEVER]
    assert int(found.right.sum()) == 1
    assert isinstance(found.right, torch.Tensor)
