from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import (
    Graph,
    InputError,
    Kind,
    Problem,
    Split,
    collate,
    find_algorithm,
    find_task,
    trace,
    with_paper_infinity,
)
from neuralexec.algorithms import UNDEFINED, Algorithm, Signal, Task, algorithms
from neuralexec.algorithms.neighbours import pointing_at_sources
from neuralexec.batches import begin
from neuralexec.batches.collate import DTYPES
from neuralexec.graphs.dress import with_self_edges
from tests.problem_strategies import problems

TASKS = ["bfs+bellman-ford", "bfs", "prim", "dijkstra", "connected-components"]


def prepared(problem: Problem) -> Problem:
    """What a batch is made of: self-edges everywhere, and a finite infinity."""
    dressed = Problem(with_self_edges(problem.graph), problem.source, priorities=problem.priorities)
    return with_paper_infinity([dressed])[0]


def test_every_kind_has_a_type():
    assert set(DTYPES) == set(Kind)


def test_every_algorithm_is_tried():
    assert {part for name in TASKS for part in name.split("+")} == set(algorithms())


@pytest.mark.parametrize("name", TASKS)
@given(several=st.lists(problems(directed=False, distinct=True), min_size=1, max_size=4))
@settings(deadline=None, max_examples=30)
def test_a_batch_holds_every_trace(name, several):
    task = find_task(name)
    batch = collate(several, task)
    assert batch.num_graphs == len(several)
    for graph, problem in enumerate(map(prepared, several)):
        first, stop = (
            batch.edges.node_offsets[graph].item(),
            batch.edges.node_offsets[graph + 1].item(),
        )
        nodes = slice(first, stop)
        runs = [trace(algorithm, problem) for algorithm in task.algorithms]
        length = max(run.num_steps for run in runs)
        assert batch.num_steps[graph] == length
        for run in runs:
            for signal, values in run.states.items():
                # finished graphs repeat their last state; their choices are undefined
                last = min(batch.most_steps, run.num_steps)
                column = nodes if task.signals[signal].kind.per_node else slice(graph, graph + 1)
                found = as_in_trace(batch, signal, first)[:, column]
                np.testing.assert_allclose(found[: last + 1], values, rtol=1e-6)
                if task.signals[signal].kind is Kind.CHOICE:
                    assert (found[last:] == UNDEFINED).all()
                else:
                    assert (found[last:] == found[last]).all()


def as_in_trace(batch, signal, first_node) -> np.ndarray:
    """A batch's values, its edges turned back into senders and its nodes counted per graph."""
    values = batch.states[signal].long() if "int" in str(batch.states[signal].dtype) else None
    if values is None:
        return batch.states[signal].numpy()
    if batch.task.signals[signal].kind is Kind.POINTER:
        nodes = torch.arange(batch.num_nodes).expand_as(values)
        defined = values != UNDEFINED
        assert (batch.edges.receivers[values[defined]] == nodes[defined]).all()
        values = torch.where(defined, batch.edges.senders[values.clamp(min=0)], UNDEFINED)
    return torch.where(values == UNDEFINED, UNDEFINED, values - first_node).numpy()


def test_the_union_is_disjoint_and_sorted_by_receiver():
    drawn = Split("train", 20, 2).draw()
    batch = collate(drawn, find_task("bfs"))
    assert batch.num_nodes == 20 * 14
    assert batch.edges.num_edges == sum(problem.graph.num_arcs for problem in drawn)
    assert (batch.edges.receivers.diff() >= 0).all()
    graph_of = batch.edges.graph_of_node
    assert torch.equal(graph_of[batch.edges.senders], graph_of[batch.edges.receivers])
    assert torch.equal(
        batch.edges.receivers.bincount(minlength=batch.num_nodes), batch.edges.offsets.diff()
    )
    for graph, problem in enumerate(drawn):
        edges = graph_of[batch.edges.receivers] == graph
        assert (batch.edges.senders[edges] - 20 * graph).tolist() == problem.graph.senders.tolist()
        np.testing.assert_allclose(batch.edges.weights[edges], problem.graph.weights, rtol=1e-6)
    assert batch.families[0] == drawn[0].family


def test_masks_tell_true_steps_and_the_end():
    path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    alone = Graph.from_edges(1, [], [])
    batch = collate([Problem(path, 0), Problem(alone, 0)], find_task("bfs"))
    assert batch.num_steps.tolist() == [4, 1]
    assert batch.running.tolist() == [[True, True], [True, False], [True, False], [True, False]]
    assert batch.terminated.tolist() == [[False, True], [False, True], [False, True], [True, True]]
    assert batch.supervised("reachable")[1:, 4].tolist() == [False] * 3


def test_a_task_lasts_as_long_as_its_longest_algorithm():
    """Reached in one hop, but cheaper in two: Bellman-Ford goes on when BFS has ended."""
    graph = Graph.from_edges(3, [0, 1, 0], [1, 2, 2], [1.0, 1.0, 3.0])
    batch = collate([Problem(graph, 0)], find_task("bfs+bellman-ford"))
    assert batch.num_steps.tolist() == [3]
    assert batch.targets("reachable").tolist() == [[True] * 3] * 3


def test_prim_is_supervised_at_the_node_just_chosen():
    graph = Graph.from_edges(3, [0, 1], [1, 2], [0.5, 0.25])
    batch = collate([Problem(graph, 0), Problem(graph, 2)], find_task("prim"))
    assert batch.targets("next").tolist() == [[1, 4], [2, 3], [-1, -1]]
    assert batch.supervised("next").tolist() == [[True, True], [True, True], [False, False]]
    supervised = batch.supervised("predecessor")
    assert supervised.nonzero().tolist() == [[0, 1], [0, 4], [1, 2], [1, 3]]
    chosen_edges = batch.targets("predecessor")[supervised].long()
    assert batch.edges.senders[chosen_edges].tolist() == [0, 5, 1, 4]


def test_a_pointer_to_nowhere_is_not_supervised():
    """An algorithm whose only pointer is undefined everywhere but at the source."""
    bfs = find_algorithm("bfs")
    pointing = Algorithm(
        name="pointing",
        title="Pointing",
        signals={**bfs.signals, "origin": Signal(Kind.POINTER, "the source, at the source")},
        start=lambda p: {**bfs.start(p), "origin": pointing_at_sources(p)},
        step=lambda p, state: {**bfs.step(p, state), "origin": pointing_at_sources(p)},
        oracle=bfs.oracle,
    )
    batch = collate([Problem(Graph.from_edges(3, [0], [1]), 1)], Task((pointing,)))
    assert batch.supervised("origin").tolist() == [[False, True, False]] * 2


def test_inputs_and_targets_are_one_step_apart():
    batch = collate(Split("train", 20, 1).draw(), find_task("bfs+bellman-ford"))
    assert torch.equal(batch.inputs("distance")[1:], batch.targets("distance")[:-1])
    assert torch.isfinite(batch.states["distance"]).all()
    assert batch.inputs("reachable")[0].sum() == batch.num_graphs


def test_a_given_infinity_is_kept():
    graph = Graph.from_edges(2, [], [])
    batch = collate([Problem(graph, 0, infinity=12.5)], find_task("bellman-ford"))
    assert batch.states["distance"][0].tolist() == [0, 12.5]


def test_a_batch_moves_to_a_device_whole():
    batch = collate(Split("train", 20, 1).draw(), find_task("prim")).to("meta")
    assert batch.edges.senders.is_meta
    assert batch.states["in_tree"].is_meta
    assert batch.running.is_meta
    assert batch.task.name == "prim"


def test_nothing_cannot_be_a_batch():
    with pytest.raises(InputError, match="at least one problem"):
        collate([], find_task("bfs"))


# ---- what an executor is given


@pytest.mark.parametrize("name", TASKS)
@given(several=st.lists(problems(directed=False), min_size=1, max_size=4))
@settings(deadline=None, max_examples=20)
def test_what_is_begun_is_what_is_collated_before_the_first_step(name, several):
    """But for infinity, which here stays infinite."""
    task = find_task(name)
    start, batch = begin(several, task), collate(several, task)
    for part in ("node_offsets", "senders", "receivers", "offsets", "weights"):
        assert torch.equal(getattr(start.edges, part), getattr(batch.edges, part))
    assert start.signals.keys() == batch.start.signals.keys()
    for signal, values in batch.start.signals.items():
        found = start.signals[signal]
        assert found.dtype == values.dtype
        known = ~found.isinf() if found.is_floating_point() else torch.ones_like(found) > 0
        assert torch.equal(found[known], values[known])
        if signal == "distance":
            assert known.sum() == len(several)  # the sources


def test_nothing_is_traced_to_begin():
    def refuse(*arguments):
        raise AssertionError("an answer was asked for")

    graph = Graph.from_edges(3, [0, 1], [1, 2])
    task = find_task("bfs+bellman-ford")
    stuck = Task(tuple(replace(part, step=refuse, oracle=refuse) for part in task.algorithms))
    start = begin([Problem(graph, 1)], stuck)
    assert start.signals["distance"].tolist() == [np.inf, 0, np.inf]
    assert start.signals["reachable"].tolist() == [False, True, False]
    predecessor = start.signals["predecessor"].tolist()
    assert (predecessor[0], predecessor[2]) == (UNDEFINED, UNDEFINED)
    assert start.edges.senders[predecessor[1]] == start.edges.receivers[predecessor[1]] == 1
    with pytest.raises(AssertionError, match="an answer was asked for"):
        collate([Problem(graph, 1)], stuck)


def test_a_given_infinity_is_begun_with():
    start = begin([Problem(Graph.from_edges(2, [], []), 0, infinity=12.5)], find_task("dijkstra"))
    assert start.signals["distance"].tolist() == [0, 12.5]


def test_what_an_algorithm_is_not_defined_on_is_not_begun():
    one_way = Graph.from_edges(2, [0], [1], directed=True)
    with pytest.raises(InputError, match="undirected"):
        begin([Problem(one_way, 0)], find_task("prim"))
    with pytest.raises(InputError, match="source"):
        begin([Problem(one_way)], find_task("bfs"))
    with pytest.raises(InputError, match="at least one problem"):
        begin([], find_task("bfs"))


def test_a_start_moves_to_a_device_whole():
    start = begin([Problem(Graph.from_edges(2, [0], [1]), 0)], find_task("prim")).to("meta")
    assert start.edges.senders.is_meta
    assert all(values.is_meta for values in start.signals.values())
    assert start.task.name == "prim"


def test_more_edges_than_a_number_can_name_are_refused(monkeypatch):
    monkeypatch.setattr(import_module("neuralexec.batches.collate"), "MOST_EDGES", 3)
    graph = Graph.from_edges(2, [0], [1])
    with pytest.raises(InputError, match=r"at most 3 edges.* there are 4"):
        begin([Problem(graph, 0)], find_task("bfs"))
