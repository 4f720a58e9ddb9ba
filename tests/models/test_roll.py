"""Many steps on a network's own outputs in one call say what one by one they say."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec import find_task
from neuralexec.batches import side_by_side
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.rollout import rollout
from neuralexec.training.own_outputs import _rolled
from tests.batches.in_time import in_time, longest_first, nodes_of
from tests.models.networks import (
    CHOOSING,
    batch_of,
    every_processor,
    executor_for,
    recurrent_or_not,
    sharpened,
)
from tests.models.replicas import stacked
from tests.models.small_graphs import TASKS, as_many_each

UNROLLING = ["mpnn-max", "mpnn-mean", "mpnn-sum"]
FEEDING = [task for task in TASKS if task != "prim"]
"""Those that are fed what is predicted: of Prim's, a choice grows what it is fed."""
every_feeding = pytest.mark.parametrize("task", FEEDING)
every_unrolling = pytest.mark.parametrize("processor", UNROLLING)


def one_by_one(executor: NeuralExecutor, steps) -> dict[str, torch.Tensor]:
    with torch.no_grad():
        found = _rolled(executor, steps)
    executor.eval()
    return found


def check(found: dict[str, torch.Tensor], expected: dict[str, torch.Tensor]) -> None:
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name].dtype == values.dtype
        assert_close(found[name], values, rtol=1e-4, atol=1e-5)


@every_processor
def test_what_can_roll(processor):
    """Message passing, unless it chooses nodes one by one."""
    for task in TASKS:
        executor = executor_for(task, processor=processor)
        expected = processor in UNROLLING and task not in CHOOSING
        assert executor.can_roll(find_task(task)) == expected


def _fed_back(executor: NeuralExecutor, task: str) -> list[str]:
    scope = executor.heads_of(find_task(task)).scope
    return [name for name in scope.fed if name in scope.predicted]


@every_feeding
@every_unrolling
@recurrent_or_not
@torch.no_grad()
def test_rolling_is_stepping_on_its_own_outputs(task, processor, recurrent):
    executor = executor_for(task, processor=processor, recurrent=recurrent)
    steps = side_by_side(batch_of(task, as_many_each()), extra=1)
    found = executor.roll(steps)
    assert set(found) == set(_fed_back(executor, task))
    check(found, one_by_one(executor, steps))


@every_feeding
@every_unrolling
@torch.no_grad()
def test_replicas_roll_as_they_step(task, processor):
    several = [executor_for(task, seed=seed, processor=processor) for seed in range(3)]
    batch, together = batch_of(task, as_many_each()), stacked(several)
    steps = side_by_side(batch, replicas=3)
    found = together.roll(steps)
    check(found, one_by_one(together, steps))
    there = {(t, g): n for n, t, g in in_time(steps, longest_first(batch, replicas=3))}
    for replica, executor in enumerate(several):
        graphs = list(range(3 * replica, 3 * replica + 3))
        own = side_by_side(batch, torch.tensor(graphs))
        alone = executor.roll(own)
        for number, t, graph in in_time(own, longest_first(batch, graphs)):
            for name, values in alone.items():
                said = found[name][nodes_of(steps.edges, there[t, graph])]
                expected = values[nodes_of(own.edges, number)]
                assert_close(said, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("options", [{"encoder_relu": True}, {"message_relu": True}], ids=str)
@torch.no_grad()
def test_rolling_keeps_every_relu(options):
    executor = executor_for("bfs+bellman-ford", **options)
    steps = side_by_side(batch_of("bfs+bellman-ford"))
    check(executor.roll(steps), one_by_one(executor, steps))


@torch.no_grad()
def test_rolling_is_as_sharp_as_stepping():
    executor = sharpened(executor_for("bfs+bellman-ford", sharp=True))
    steps = side_by_side(batch_of("bfs+bellman-ford"))
    check(executor.roll(steps), one_by_one(executor, steps))


@torch.no_grad()
def test_rolling_is_a_run_until_the_end_of_each_graph():
    """What each step reads is the state after the last, as in a roll-out of as many steps."""
    executor, batch = executor_for("bfs+bellman-ford"), batch_of("bfs+bellman-ford")
    steps = side_by_side(batch)
    found = executor.roll(steps)
    run = rollout(executor, batch.start, lengths=batch.num_steps)
    for number, t, graph in in_time(steps, longest_first(batch)):
        for name, values in found.items():
            read = run.states[name][t][nodes_of(batch.edges, graph)]
            assert_close(values[nodes_of(steps.edges, number)], read)


@torch.no_grad()
def test_without_a_signal_the_others_are_rolled():
    """Trained on Bellman-Ford alone, what is reachable is fed as zeros."""
    executor = executor_for("bfs+bellman-ford", variant="no-reach")
    steps = side_by_side(batch_of("bfs+bellman-ford"))
    found = executor.roll(steps)
    assert list(found) == ["distance"]
    check(found, one_by_one(executor, steps))
