"""All steps at once say what one by one they say, forced to read the same."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec.batches import side_by_side
from neuralexec.models.rollout import execute, rollout
from tests.batches.in_time import in_time, longest_first, nodes_of
from tests.models.networks import (
    CHOOSING,
    batch_of,
    check_taught,
    every_processor,
    every_task,
    executor_for,
    recurrent_or_not,
)


@every_task
@every_processor
@recurrent_or_not
def test_teaching_says_what_forced_steps_say(task, processor, recurrent):
    executor = executor_for(task, processor=processor, recurrent=recurrent)
    batch = batch_of(task)
    steps = side_by_side(batch)
    moments = execute(executor, batch.start, lengths=batch.num_steps, forced=batch.states)
    with torch.no_grad():
        check_taught(executor.teach(steps), steps, batch, list(moments))


@pytest.mark.parametrize("readout", ["min", "max"])
@pytest.mark.parametrize("scorer", ["linear", "both"])
def test_teaching_says_what_forced_steps_say_with_other_heads(readout, scorer):
    executor = executor_for(
        "bfs+bellman-ford", readout=readout, scorer=scorer, encoder_relu=True, message_relu=True
    )
    batch = batch_of("bfs+bellman-ford")
    steps = side_by_side(batch)
    moments = execute(executor, batch.start, lengths=batch.num_steps, forced=batch.states)
    check_taught(executor.teach(steps), steps, batch, list(moments))


@pytest.mark.parametrize("task", ["bfs+bellman-ford", "prim", "dijkstra"])
def test_without_the_algorithm_every_step_reads_the_first_input(task):
    executor = executor_for(task, variant="no-algo")
    batch = batch_of(task)
    steps = side_by_side(batch, start_only=True)
    taught = executor.teach(steps)
    assert list(taught.scores) == ["predecessor"]
    moments = list(execute(executor, batch.start, lengths=batch.num_steps))
    check_taught(taught, steps, batch, moments)
    forced = execute(executor, batch.start, lengths=batch.num_steps, forced=batch.states)
    check_taught(taught, steps, batch, list(forced))


@pytest.mark.parametrize("task", CHOOSING)
def test_without_the_algorithm_predecessors_are_still_said(task):
    batch = batch_of(task)
    run = rollout(executor_for(task, variant="no-algo"), batch.start, lengths=batch.num_steps)
    assert not torch.equal(run.states["predecessor"][-1], run.states["predecessor"][0])


@pytest.mark.parametrize("processor", ["gat", "gat-full-transformer"])
@recurrent_or_not
def test_the_penalty_is_of_every_node_at_every_step(processor, recurrent):
    executor = executor_for("bfs", processor=processor, recurrent=recurrent, sharpening="entropy")
    steps = side_by_side(batch_of("bfs"))
    penalty = executor.teach(steps).penalty
    assert penalty.shape == (steps.edges.num_nodes,)
    assert executor_for("bfs", processor=processor).teach(steps).penalty is None
    for graph in range(3):
        alone = side_by_side(batch_of("bfs"), torch.tensor([graph]))
        places = in_time(steps, longest_first(batch_of("bfs")))
        own = [penalty[nodes_of(steps.edges, place)] for place, _, of in places if of == graph]
        assert_close(torch.cat(own), executor.teach(alone).penalty)


@every_processor
def test_everything_is_taught(processor):
    """Every parameter of a recurrent network has a gradient through time."""
    executor = executor_for("dijkstra", processor=processor).train()
    taught = executor.teach(side_by_side(batch_of("dijkstra")))
    total = sum(scores.square().sum() for scores in taught.scores.values())
    (total + taught.termination.square().sum()).backward()
    for name, parameter in executor.named_parameters():
        assert torch.isfinite(parameter.grad).all(), name
