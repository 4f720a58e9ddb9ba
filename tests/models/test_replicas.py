"""Several networks of one shape as one: each says what it says alone."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec import find_task
from neuralexec.batches import begin, side_by_side
from neuralexec.models.executor import NeuralExecutor, Taught
from neuralexec.models.processors import processors
from neuralexec.models.rollout import execute, rollout
from tests.models.networks import (
    UNTIED,
    batch_of,
    check_taught,
    executor_for,
    recurrent_or_not,
)
from tests.models.replicas import stacked
from tests.models.small_graphs import TASKS, hubs, three_problems

PAIRS = [
    (task, processor)
    for task in TASKS
    for processor in processors()
    if processor == "mpnn-max" or task in ("bfs+bellman-ford", "prim")
]


def three_alike(task: str, **options) -> list[NeuralExecutor]:
    return [executor_for(task, seed=seed, **options) for seed in range(3)]


@pytest.mark.parametrize(("task", "processor"), PAIRS)
@recurrent_or_not
@torch.no_grad()
def test_replicas_say_what_each_says(task, processor, recurrent):
    several = three_alike(task, processor=processor, recurrent=recurrent)
    together, steps = stacked(several), side_by_side(batch_of(task))
    assert (together.replicas, several[0].replicas) == ((3,), ())
    check_taught_alike(together.teach(steps), [executor.teach(steps) for executor in several])


@pytest.mark.parametrize(("task", "processor"), [pair for pair in PAIRS if pair in UNTIED])
@torch.no_grad()
def test_replicas_run_as_each_runs(task, processor):
    several = three_alike(task, processor=processor)
    start, lengths = begin(hubs(), find_task(task)), torch.tensor([2, 4, 1])
    together = rollout(stacked(several), start, lengths=lengths)
    for place, executor in enumerate(several):
        alone = rollout(executor, start, lengths=lengths)
        assert_close(together.terminated[:, place], alone.terminated)
        for name, values in alone.states.items():
            assert_close(together.states[name][:, place], values)


@pytest.mark.parametrize("processor", processors())
@torch.no_grad()
def test_replicas_read_the_true_states_when_forced(processor):
    several = three_alike("prim", processor=processor)
    batch = batch_of("prim")
    steps = side_by_side(batch)
    moments = execute(stacked(several), batch.start, lengths=batch.num_steps, forced=batch.states)
    check_taught(stacked(several).teach(steps), steps, list(moments))


def check_taught_alike(together: Taught, several: list[Taught]) -> None:
    for place, alone in enumerate(several):
        assert_close(together.termination[place], alone.termination)
        for name, scores in alone.scores.items():
            assert_close(together.scores[name][place], scores)


def test_replicas_end_by_themselves_each_in_its_time():
    several = [executor_for("bfs+bellman-ford", seed=seed) for seed in range(8)]
    start = begin(three_problems(), find_task("bfs+bellman-ford"))
    together = rollout(stacked(several), start)
    alone = [rollout(executor, start) for executor in several]
    assert together.num_steps.tolist() == [run.num_steps.tolist() for run in alone]
    assert together.stopped_itself.tolist() == [run.stopped_itself.tolist() for run in alone]
    assert len({str(run.num_steps.tolist()) for run in alone}) > 1
    for place, run in enumerate(alone):
        assert_close(together.states["distance"][-1, place], run.states["distance"][-1])
