"""All steps of a batch side by side are the steps of the batch."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Graph, Kind, Problem, collate, find_task
from neuralexec.batches import Batch, Steps, longest_first, side_by_side
from neuralexec.batches.edges import Edges
from tests.models.small_graphs import TASKS, arcs_of, three_problems
from tests.problem_strategies import problems

several_problems = st.lists(problems(directed=False), min_size=1, max_size=4)


def of_graph(kind: Kind, values: torch.Tensor, edges: Edges, graph: int) -> list:
    """What a signal says of one graph, its nodes and edges counted from 0."""
    nodes = slice(*edges.node_offsets[graph : graph + 2].tolist())
    first = {Kind.CHOICE: edges.node_offsets, Kind.POINTER: edges.edge_offsets}
    own = values[nodes] if kind.per_node else values[graph : graph + 1]
    if kind in first:
        own = torch.where(own < 0, own, own - first[kind][graph])
    return own.tolist()


def check(steps: Steps, batch: Batch, extra: int = 0, reading=None) -> None:
    """Go through time and graphs, as they must come, and compare each."""
    reading = batch.states if reading is None else reading
    place = 0
    for t in range(batch.most_steps):
        running = [g for g in range(batch.num_graphs) if t < batch.num_steps[g] + extra]
        assert steps.graphs_at[t] == len(running)
        assert running == list(range(len(running)))
        for graph in running:
            for name, signal in batch.task.signals.items():
                for found, true in (
                    (steps.inputs, reading[name][t]),
                    (steps.targets, batch.states[name][t + 1]),
                ):
                    own = of_graph(signal.kind, found[name], steps.edges, place)
                    assert own == of_graph(signal.kind, true, batch.edges, graph), name
            assert steps.terminated[place] == batch.terminated[t, graph]
            assert steps.last[place] == (t == batch.num_steps[graph] - 1)
            place += 1
    assert place == steps.edges.num_graphs == len(steps.terminated)


@given(several=several_problems)
@settings(deadline=None, max_examples=20)
def test_longest_first_is_the_same_graphs_by_length(several):
    batch = collate(several, find_task("prim"))
    found = longest_first(batch)
    order = sorted(range(len(several)), key=lambda graph: -int(batch.num_steps[graph]))
    expected = collate([several[graph] for graph in order], find_task("prim"))
    assert found.num_steps.tolist() == expected.num_steps.tolist()
    assert arcs_of(found.edges) == arcs_of(expected.edges)
    assert torch.equal(found.states["predecessor"], expected.states["predecessor"])


@pytest.mark.parametrize("name", TASKS)
@given(several=several_problems, extra=st.integers(0, 3))
@settings(deadline=None, max_examples=20)
def test_every_true_step_is_there_and_as_many_more_as_asked(name, several, extra):
    batch = longest_first(collate(several, find_task(name)))
    check(side_by_side(batch, extra), batch, extra)


def test_steps_can_read_other_states_than_the_true_ones():
    batch = longest_first(collate(three_problems(), find_task("bfs+bellman-ford")))
    wrong = {**batch.states, "distance": batch.states["distance"] + 1}
    steps = side_by_side(batch, reading=wrong)
    check(steps, batch, reading=wrong)


@pytest.mark.parametrize("name", TASKS)
def test_what_is_supervised_is_as_in_the_batch(name):
    batch = longest_first(collate(three_problems(), find_task(name)))
    steps = side_by_side(batch)
    for signal, spec in batch.task.signals.items():
        per_step = [
            (row[: steps.edges.first(running).num_nodes] if spec.kind.per_node else row[:running])
            for row, running in zip(batch.supervised(signal), steps.graphs_at, strict=True)
        ]
        assert torch.equal(steps.supervised(signal), torch.cat(per_step)), signal


def test_a_worked_example():
    """BFS takes 3 steps on a path of three nodes, and 1 on a node alone."""
    path = Problem(Graph.from_edges(3, [0, 1], [1, 2]), 0)
    alone = Problem(Graph.from_edges(1, [], []), 0)
    batch = longest_first(collate([alone, path], find_task("bfs")))
    steps = side_by_side(batch)
    assert steps.graphs_at == (2, 1, 1)
    assert steps.edges.num_nodes_of_graph.tolist() == [3, 1, 3, 3]
    x, o = True, False
    assert steps.inputs["reachable"].tolist() == [x, o, o, x, x, x, o, x, x, x]
    assert steps.targets["reachable"].tolist() == [x, x, o, x, x, x, x, x, x, x]
    assert steps.terminated.tolist() == steps.last.tolist() == [o, x, o, x]
    assert side_by_side(batch, 1).graphs_at == (2, 2, 1)
    assert side_by_side(batch, 1).last.tolist() == [o, x, o, o, x]
    assert side_by_side(batch, 1).terminated.tolist() == [o, x, o, x, x]
