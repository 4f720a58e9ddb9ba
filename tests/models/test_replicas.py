"""Several networks of one shape as one: each says what it says alone, of graphs of its own."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec import Problem, find_task
from neuralexec.batches import Batch, Steps, begin, side_by_side
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.processors import processors
from neuralexec.models.rollout import execute, rollout
from tests.batches.in_time import edges_of_graph, in_time, longest_first, nodes_of, of_graph
from tests.models.networks import (
    RELATIVE,
    UNTIED,
    batch_of,
    check_taught,
    executor_for,
    recurrent_or_not,
    sharpened,
)
from tests.models.replicas import stacked
from tests.models.small_graphs import TASKS, as_many_each, hubs

PAIRS = [
    (task, processor)
    for task in TASKS
    for processor in processors()
    if processor == "mpnn-max" or task in ("bfs+bellman-ford", "prim")
]


def three_alike(task: str, **options) -> list[NeuralExecutor]:
    return [executor_for(task, seed=seed, **options) for seed in range(3)]


def hubs_in_turn() -> list[Problem]:
    """The same three graphs for each replica, in orders of their own."""
    pair, hub, alone = hubs()
    return [pair, hub, alone, alone, pair, hub, hub, alone, pair]


def own_steps(batch: Batch, replica: int) -> Steps:
    return side_by_side(batch, torch.arange(3 * replica, 3 * replica + 3))


def test_an_executor_knows_how_many_it_is():
    several = three_alike("bfs")
    assert (stacked(several).replicas, several[0].replicas) == (3, 1)


def check_said(several: list[NeuralExecutor], task: str) -> None:
    """What is beyond the end of a run does not count, and is said by nobody alone."""
    batch = batch_of(task, as_many_each())
    steps = side_by_side(batch, replicas=3)
    together = stacked(several).teach(steps, at_nodes=True)
    places = list(in_time(steps, longest_first(batch, replicas=3)))
    for replica, executor in enumerate(several):
        own, graphs = own_steps(batch, replica), list(range(3 * replica, 3 * replica + 3))
        alone = executor.teach(own, at_nodes=True)
        order = longest_first(batch, graphs)
        found = {(t, graph): number for number, t, graph in places}
        for number, t, graph in in_time(own, order):
            there = found[t, graph]
            assert steps.counts[there]
            assert_close(together.termination[there], alone.termination[number])
            nodes = nodes_of(steps.edges, there)
            assert_close(together.settled[nodes], alone.settled[nodes_of(own.edges, number)])
            for name, scores in alone.scores.items():
                part = edges_of_graph if name == "predecessor" else nodes_of
                said = together.scores[name][part(steps.edges, there)]
                assert_close(said, scores[part(own.edges, number)])


@pytest.mark.parametrize(("task", "processor"), PAIRS)
@recurrent_or_not
@torch.no_grad()
def test_replicas_say_what_each_says(task, processor, recurrent):
    check_said(three_alike(task, processor=processor, recurrent=recurrent), task)


@pytest.mark.parametrize("task", ["bfs+bellman-ford", "dijkstra", "connected-components"])
@pytest.mark.parametrize("processor", ["mpnn-max", "mpnn-mean"])
@torch.no_grad()
def test_replicas_count_relatively_and_sharply_as_each_does(task, processor):
    several = three_alike(task, processor=processor, sharp=True, **RELATIVE)
    check_said([sharpened(executor) for executor in several], task)


@pytest.mark.parametrize("processor", processors())
@torch.no_grad()
def test_replicas_read_the_true_states_when_forced(processor):
    """Also beyond the end of a run, where it repeats its last state."""
    together = stacked(three_alike("prim", processor=processor))
    batch = batch_of("prim", as_many_each())
    steps = side_by_side(batch, replicas=3)
    moments = execute(together, batch.start, lengths=batch.num_steps, forced=batch.states)
    check_taught(together.teach(steps), steps, batch, list(moments))


@pytest.mark.parametrize("processor", ["mpnn-max", "mpnn-mean", "gat", "lstm"])
@recurrent_or_not
def test_replicas_learn_what_each_learns(processor, recurrent):
    check_learnt(three_alike("bfs+bellman-ford", processor=processor, recurrent=recurrent))


@pytest.mark.parametrize("processor", ["mpnn-max", "mpnn-mean"])
def test_replicas_learn_what_each_learns_relatively_and_sharply(processor):
    several = three_alike("bfs+bellman-ford", processor=processor, sharp=True, **RELATIVE)
    check_learnt([sharpened(executor) for executor in several])


def check_learnt(several: list[NeuralExecutor]) -> None:
    batch, together = batch_of("bfs+bellman-ford", as_many_each()), stacked(several)
    steps = side_by_side(batch, replicas=3)
    taught = together.teach(steps)
    counts = steps.counts[steps.edges.graph_of_node]
    total = (taught.scores["distance"].square() * counts).sum()
    (total + (taught.termination.square() * steps.counts).sum()).backward()
    for replica, executor in enumerate(several):
        alone = executor.teach(own_steps(batch, replica))
        (alone.scores["distance"].square().sum() + alone.termination.square().sum()).backward()
        for name, values in executor.named_parameters():
            found = together.get_parameter(name).grad
            if values.grad is None:
                assert found is None, name
            else:
                assert_close(found[replica], values.grad, rtol=1e-4, atol=1e-5, msg=name)


# ---- running


@pytest.mark.parametrize(("task", "processor"), [pair for pair in PAIRS if pair in UNTIED])
@torch.no_grad()
def test_replicas_run_as_each_runs(task, processor):
    check_runs(three_alike(task, processor=processor), task)


@torch.no_grad()
def test_replicas_that_count_relatively_run_as_each_runs():
    several = three_alike("bfs+bellman-ford", sharp=True, **RELATIVE)
    check_runs([sharpened(executor) for executor in several], "bfs+bellman-ford")


def check_runs(several: list[NeuralExecutor], task: str) -> None:
    everything = hubs_in_turn()
    start = begin(everything, find_task(task))
    lengths = torch.tensor([2, 4, 1, 1, 2, 4, 4, 1, 2])
    together = rollout(stacked(several), start, lengths=lengths)
    for replica, executor in enumerate(several):
        graphs = range(3 * replica, 3 * replica + 3)
        own = begin([everything[graph] for graph in graphs], find_task(task))
        alone = rollout(executor, own, lengths=lengths[graphs])
        assert_close(together.terminated[:, graphs], alone.terminated)
        for name, values in alone.states.items():
            kind = start.task.signals[name].kind
            for place, graph in enumerate(graphs):
                for t, row in enumerate(values):
                    found = of_graph(kind, together.states[name][t], start.edges, graph)
                    expected = of_graph(kind, row, own.edges, place)
                    assert found == pytest.approx(expected, rel=1e-4, abs=1e-6), name


@torch.no_grad()
def test_replicas_end_by_themselves_each_in_its_time():
    several = [executor_for("bfs+bellman-ford", seed=seed) for seed in range(8)]
    task, everything = find_task("bfs+bellman-ford"), as_many_each()[:3]
    together = rollout(stacked(several), begin(everything * 8, task))
    alone = [rollout(executor, begin(everything, task)) for executor in several]
    steps, stopped = (
        torch.cat([getattr(run, name) for run in alone]) for name in ("num_steps", "stopped_itself")
    )
    assert together.num_steps.tolist() == steps.tolist()
    assert together.stopped_itself.tolist() == stopped.tolist()
    assert len({str(run.num_steps.tolist()) for run in alone}) > 1
    last = torch.cat([run.states["distance"][-1] for run in alone])
    assert_close(together.states["distance"][-1], last)
