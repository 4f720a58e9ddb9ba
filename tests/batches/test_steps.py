"""All steps of a batch side by side are the steps of the batch."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Graph, Kind, Problem, Problems, collate, find_task
from neuralexec.batches import Batch, Course, Steps, side_by_side, side_by_side_of_one_shape
from neuralexec.graphs.dress import with_self_edges
from tests.batches.in_time import in_time, longest_first, nodes_of, of_graph
from tests.models.small_graphs import (
    TASKS,
    arcs_of,
    as_many_each,
    features,
    kite,
    three_problems,
    uneven,
    without_padding,
)
from tests.problem_strategies import problems

several_problems = st.lists(problems(directed=False), min_size=1, max_size=4)
MOVING = [
    name for name in TASKS if any(signal.translates for signal in find_task(name).signals.values())
]
every_task = pytest.mark.parametrize("name", TASKS)


def check(
    steps: Steps, batch: Batch, order: list[int], extra: int = 0, *, start_only: bool = False
) -> None:
    """Go through time and graphs, as they must come, and compare each."""
    assert len(steps.place) == steps.edges.num_graphs == len(steps.terminated)
    for number, t, graph in in_time(steps, order):
        for name, signal in batch.task.signals.items():
            for found, true in (
                (steps.inputs, batch.states[name][0 if start_only else t]),
                (steps.targets, batch.states[name][t + 1]),
            ):
                own = of_graph(signal.kind, found[name], steps.edges, number)
                assert own == of_graph(signal.kind, true, batch.edges, graph), name
        own_nodes, nodes = nodes_of(steps.edges, number), nodes_of(batch.edges, graph)
        assert steps.nodes[own_nodes].tolist() == list(range(nodes.start, nodes.stop))
        assert steps.terminated[number] == batch.terminated[t, graph]
        assert steps.last[number] == (t == batch.num_steps[graph] - 1)
        counts = steps.counts is None or bool(steps.counts[number])
        longest = max(int(batch.num_steps[other]) for other in _with(graph, order, steps))
        assert counts == (t < min(batch.num_steps[graph] + extra, longest))


def _with(graph: int, order: list[int], steps: Steps) -> list[int]:
    """The graphs of the replica that has this one."""
    share = len(order) // steps.replicas
    shares = [order[first : first + share] for first in range(0, len(order), share)]
    return next(own for own in shares if graph in own)


def check_order(steps: Steps, lengths: list[int], extra: int = 0) -> None:
    """Of one network: at each step those that still run, the longest first."""
    assert lengths == sorted(lengths, reverse=True)
    running = [sum(t < length + extra for length in lengths) for t in range(max(lengths))]
    assert steps.graphs_at == tuple(running)
    assert steps.place.tolist() == [place for number in running for place in range(number)]
    assert steps.counts is None


@every_task
@given(several=several_problems, extra=st.integers(0, 3))
@settings(deadline=None, max_examples=20)
def test_every_true_step_is_there_and_as_many_more_as_asked(name, several, extra):
    batch = collate(several, find_task(name))
    steps = side_by_side(batch, extra=extra)
    order = longest_first(batch)
    check(steps, batch, order, extra)
    check_order(steps, batch.num_steps[order].tolist(), extra)


@every_task
@given(several=several_problems, data=st.data())
@settings(deadline=None, max_examples=20)
def test_some_graphs_are_as_the_batch_of_their_problems(name, several, data):
    """In any order, left out or more than once."""
    graph = st.integers(0, len(several) - 1)
    graphs = data.draw(st.lists(graph, min_size=1, max_size=5))
    batch = collate(several, find_task(name))
    steps = side_by_side(batch, torch.tensor(graphs))
    order = longest_first(batch, graphs)
    check(steps, batch, order)
    check_order(steps, batch.num_steps[order].tolist())
    alone = side_by_side(collate([several[graph] for graph in graphs], find_task(name)))
    for part in ("node_offsets", "senders", "offsets", "weights"):
        assert torch.equal(getattr(steps.edges, part), getattr(alone.edges, part)), part


def test_graphs_of_one_length_keep_their_order():
    batch = collate(three_problems() * 2, find_task("bfs"))
    assert batch.num_steps.tolist() == [2, 4, 1] * 2
    check(side_by_side(batch), batch, [1, 4, 0, 3, 2, 5])


def test_every_step_can_read_the_start():
    batch = collate(three_problems(), find_task("bfs+bellman-ford"))
    steps = side_by_side(batch, start_only=True)
    check(steps, batch, longest_first(batch), start_only=True)


@every_task
def test_what_is_supervised_is_as_in_the_batch(name):
    batch = collate(three_problems(), find_task(name))
    steps = side_by_side(batch)
    for signal, spec in batch.task.signals.items():
        found, true = steps.supervised(signal), batch.supervised(signal)
        for number, t, graph in in_time(steps, longest_first(batch)):
            here, there = number, graph
            if spec.kind.per_node:
                here, there = nodes_of(steps.edges, number), nodes_of(batch.edges, graph)
            assert torch.equal(found[here], true[t][there]), signal


def test_the_edges_of_each_step_are_those_of_the_graphs_that_run():
    batch = collate(three_problems(), find_task("bfs"))
    steps = side_by_side(batch)
    assert [moment.num_graphs for moment in steps.course.moments] == [3, 2, 1, 1]
    for moment in steps.course.moments:
        graphs = torch.tensor([1, 0, 2])[: moment.num_graphs]
        assert arcs_of(moment) == arcs_of(batch.edges.select(graphs).edges)


def test_a_worked_example():
    """BFS takes 3 steps on a path of three nodes, and 1 on a node alone."""
    path = Problem(Graph.from_edges(3, [0, 1], [1, 2]), 0)
    alone = Problem(Graph.from_edges(1, [], []), 0)
    batch = collate([alone, path], find_task("bfs"))
    steps = side_by_side(batch)
    assert steps.place.tolist() == [0, 1, 0, 0]
    assert steps.graphs_at == (2, 1, 1)
    assert steps.edges.num_nodes_of_graph.tolist() == [3, 1, 3, 3]
    x, o = True, False
    assert steps.inputs["reachable"].tolist() == [x, o, o, x, x, x, o, x, x, x]
    assert steps.targets["reachable"].tolist() == [x, x, o, x, x, x, x, x, x, x]
    assert steps.terminated.tolist() == steps.last.tolist() == [o, x, o, x]
    assert side_by_side(batch, extra=1).graphs_at == (2, 2, 1)
    assert side_by_side(batch, extra=1).last.tolist() == [o, x, o, o, x]
    assert side_by_side(batch, extra=1).terminated.tolist() == [o, x, o, x, x]


# ---- replicas


@every_task
@pytest.mark.parametrize("extra", [0, 1])
def test_replicas_have_as_many_steps_and_what_is_beyond_a_run_does_not_count(name, extra):
    batch = collate(as_many_each(), find_task(name))
    steps = side_by_side(batch, extra=extra, replicas=3)
    check(steps, batch, longest_first(batch, replicas=3), extra)
    assert steps.replicas == 3
    assert steps.graphs_at == (3,) * batch.most_steps
    assert steps.edges.num_nodes == 27 * batch.most_steps
    order = [
        3 * replica + place
        for replica in range(3)
        for _ in range(batch.most_steps)
        for place in range(3)
    ]
    assert steps.place.tolist() == order


@every_task
def test_what_does_not_count_is_not_supervised(name):
    batch = collate(as_many_each(), find_task(name))
    steps = side_by_side(batch, replicas=3)
    assert not steps.counts.all()
    alone = side_by_side(batch)
    for signal, spec in batch.task.signals.items():
        assert steps.supervised(signal).sum() == alone.supervised(signal).sum()
        graphs = steps.edges.graph_of_node if spec.kind.per_node else torch.arange(len(steps.place))
        assert not (steps.supervised(signal) & ~steps.counts[graphs]).any()


def test_replicas_may_be_given_the_same_graphs():
    batch = collate(three_problems(), find_task("bfs"))
    steps = side_by_side(batch, torch.tensor([2, 0, 1, 0, 1, 2]), replicas=2)
    check(steps, batch, [1, 0, 2, 1, 0, 2])


@pytest.mark.parametrize("replicas", [1, 3])
def test_a_course_splits_rows_into_steps_and_joins_them_again(replicas):
    steps = side_by_side(collate(as_many_each(), find_task("bfs")), replicas=replicas)
    rows = features(steps.edges)
    split = steps.course.split(rows)
    assert [len(part) for part in split] == steps.course.sizes
    assert torch.equal(steps.course.join(split), rows)
    times = torch.tensor([t for _, t, _ in in_time(steps, list(range(9)))])
    for t, part in enumerate(steps.course.split(times[steps.edges.graph_of_node])):
        assert (part == t).all()


def test_a_course_by_hand():
    """Two replicas of two nodes, three steps; and one network of five nodes, then three."""
    course = Course((kite(),) * 3, 2)
    rows = torch.arange(12)
    assert [part.tolist() for part in course.split(rows)] == [
        [0, 1, 6, 7],
        [2, 3, 8, 9],
        [4, 5, 10, 11],
    ]
    fewer = Course((uneven(), uneven().first(1)))
    assert fewer.sizes == [5, 3]
    assert [part.tolist() for part in fewer.split(rows[:8])] == [[0, 1, 2, 3, 4], [5, 6, 7]]


# ---- of one shape, whichever graphs they are


def six_of_a_size() -> list[Problem]:
    """Graphs of four nodes with 1 to 6 edges, whose runs differ in length."""
    pairs = [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (1, 3)]
    graphs = [
        Graph.from_edges(4, *zip(*pairs[:number], strict=True), np.linspace(0.2, 0.9, number))
        for number in range(1, 7)
    ]
    return [Problem(graph, number % 4) for number, graph in enumerate(graphs)]


@every_task
@pytest.mark.parametrize("replicas", [1, 2])
@pytest.mark.parametrize("start_only", [False, True], ids=["", "start-only"])
def test_steps_of_one_shape_are_the_same_steps(name, replicas, start_only):
    """All until the longest of the batch has finished."""
    batch = collate(six_of_a_size(), find_task(name))
    for graphs in ([0, 2, 4, 5], [1, 1, 3, 0]):
        steps = side_by_side_of_one_shape(
            batch, torch.tensor(graphs), extra=1, replicas=replicas, start_only=start_only
        )
        order = longest_first(batch, graphs, replicas)
        check(steps, batch, order, 1, start_only=start_only)
        assert steps.replicas == replicas
        assert steps.graphs_at == (4 // replicas,) * batch.most_steps
        expected = batch.edges.select(torch.tensor(order)).edges
        for moment in steps.course.moments:
            assert arcs_of(without_padding(moment)) == arcs_of(expected)


def test_of_one_shape_every_array_has_the_shape_of_any_other():
    batch = collate(six_of_a_size(), find_task("dijkstra"))
    several = [side_by_side_of_one_shape(batch, torch.tensor(own)) for own in ([0, 1], [4, 5])]
    shapes = [
        [tuple(values.shape) for values in (*vars(steps.edges).values(), *steps.inputs.values())]
        for steps in several
    ]
    assert shapes[0] == shapes[1]


# ---- moved along


@pytest.mark.parametrize("name", MOVING)
@pytest.mark.parametrize("replicas", [1, 2])
@given(several=several_problems, seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=10)
def test_a_run_that_is_translated_is_still_a_run(name, replicas, several, seed):
    """Every step of the algorithms leads from each input to its target, infinity moved along."""
    task = find_task(name)
    finite = [replace(problem, infinity=99.0) for problem in several * replicas]
    by = np.random.default_rng(seed).integers(-8, 9, len(finite)).astype(float)
    batch = collate(finite, task)
    steps, order = side_by_side(batch, replicas=replicas), longest_first(batch, replicas=replicas)
    moved = steps.translated(torch.tensor(by, dtype=torch.float32))
    together = Problems(
        tuple(_moved(finite[order[place]], by[place]) for place in steps.place.tolist())
    )
    names = [name for name in moved.inputs if task.signals[name].kind is not Kind.POINTER]
    nowhere = np.full(moved.edges.num_nodes, -1, dtype=np.int32)
    for algorithm in task.algorithms:
        state = {
            name: moved.inputs[name].numpy() if name in names else nowhere
            for name in algorithm.signals
        }
        after = algorithm.step(together, state)
        for name in set(names) & set(after):
            found = moved.targets[name].numpy()
            np.testing.assert_allclose(after[name], found, rtol=1e-5, err_msg=name)


def _moved(problem: Problem, by: float) -> Problem:
    graph = with_self_edges(problem.graph)
    return replace(problem, graph=graph, infinity=problem.infinity + by)


def test_only_scalars_that_commute_with_it_are_translated():
    """By a number for each graph as the steps have them: the path, the triangle, the node."""
    steps = side_by_side(collate(three_problems(), find_task("bfs+bellman-ford")))
    moved = steps.translated(torch.tensor([1.0, 0.0, 10.0]))
    for before, after in ((steps.inputs, moved.inputs), (steps.targets, moved.targets)):
        added = (after["distance"] - before["distance"]).tolist()
        assert added[:9] == pytest.approx([1.0] * 4 + [0.0] * 4 + [10.0])
        for number, _, graph in in_time(steps, [1, 0, 2]):
            own = nodes_of(steps.edges, number)
            assert added[own] == pytest.approx([{0: 0.0, 1: 1.0, 2: 10.0}[graph]] * len(added[own]))
        for name in ("reachable", "predecessor"):
            assert torch.equal(after[name], before[name])
    assert moved.edges is steps.edges


def test_a_value_of_each_graph_is_spread_over_its_nodes():
    steps = side_by_side(collate(three_problems(), find_task("bfs")))
    found = steps.of_nodes(torch.tensor([7, 8, 9]))
    assert found[:9].tolist() == [7] * 4 + [8] * 4 + [9]
    assert found[9:17].tolist() == [7] * 4 + [8] * 4


# ---- what a step leaves as it is


def test_settled_is_what_a_step_leaves_as_it_reads_it():
    """0 - 1 - 2 by BFS; 2 is reached at once but nearer through 1, which Bellman-Ford finds."""
    graph = Graph.from_edges(3, [0, 1, 0], [1, 2, 2], [0.25, 0.25, 1.0])
    x, o = True, False
    found = side_by_side(collate([Problem(graph, 0)], find_task("bfs"))).settled
    assert found.tolist() == [x, o, o, x, x, x]
    together = side_by_side(collate([Problem(graph, 0)], find_task("bfs+bellman-ford"))).settled
    assert together.tolist() == [x, o, o, x, x, o, x, x, x]
    # A choice is no node's.
    prim = side_by_side(collate([Problem(graph, 0)], find_task("prim"))).settled
    assert prim.tolist() == [x, o, x, x, x, o, x, x, x]


def test_a_pointer_that_moves_unsettles_nothing():
    """0 - 1 - 2 - 3: in the first step 2 and 3 point somewhere, but are as far as before."""
    path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [0.5, 0.25, 0.75])
    steps = side_by_side(collate([Problem(path, 0)], find_task("bellman-ford")))
    moved = steps.inputs["predecessor"] != steps.targets["predecessor"]
    assert moved[:4].tolist() == [False, True, True, True]
    assert steps.settled[:4].tolist() == [True, False, True, True]


@every_task
@pytest.mark.parametrize("replicas", [1, 3])
def test_a_run_ends_when_all_its_nodes_have_settled(name, replicas):
    steps = side_by_side(collate(as_many_each(), find_task(name)), extra=1, replicas=replicas)
    for number, terminated in enumerate(steps.terminated.tolist()):
        assert bool(steps.settled[nodes_of(steps.edges, number)].all()) == terminated


def test_without_a_signal_the_others_settle():
    """The first phase of a curriculum has no distances."""
    task = find_task("bfs+bellman-ford")
    alone = collate(three_problems(), find_task("bfs"))
    found = side_by_side(replace(alone, task=task)).settled
    assert torch.equal(found, side_by_side(alone).settled)
