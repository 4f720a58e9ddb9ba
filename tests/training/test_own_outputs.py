"""What a network reads of its own outputs is what it would read if it ran by itself."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec.algorithms import find_task
from neuralexec.batches import collate, side_by_side
from neuralexec.evaluation.evaluate import run_under
from neuralexec.graphs.splits import Split
from neuralexec.training.own_outputs import on_own_outputs
from neuralexec.training.training import new_network
from tests.training.tiny import tiny

TASKS = ["bfs", "bfs+bellman-ford", "connected-components"]


def batch_of(task):
    return collate(Split("train", 8, 2).draw(), find_task(task))


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("processor", ["mpnn-max", "mpnn-sum", "gat", "lstm"])
@pytest.mark.parametrize("recurrent", [True, False])
def test_it_reads_what_it_would_by_itself(task, processor, recurrent):
    network = new_network(tiny(tasks=(task,), processor=processor, recurrent=recurrent))
    batch = batch_of(task)
    steps = side_by_side(batch)
    run = run_under("true-length", network.eval(), batch)
    network.train()
    found = on_own_outputs(network, steps, torch.ones(batch.num_graphs, dtype=torch.bool))
    assert network.training
    order = batch.num_steps.argsort(descending=True, stable=True)  # of the graphs in steps
    nodes = batch.edges.select(order).nodes
    for name in network.heads_of(batch.task).scope.fed:
        rows = steps.course.split(found.inputs[name])
        assert len(rows) == batch.most_steps
        for number, values in enumerate(rows):
            expected = run.states[name][number][nodes[: len(values)]]
            assert_close(values, expected, msg=f"{name} at step {number}")
        assert rows[0].equal(steps.course.split(steps.inputs[name])[0])


@pytest.mark.parametrize("processor", ["mpnn-max", "gat"])
def test_only_some_graphs_do(processor):
    network = new_network(tiny(processor=processor)).train()
    batch = batch_of("bfs+bellman-ford")
    steps = side_by_side(batch)
    own = torch.arange(batch.num_graphs) % 3 == 0
    every = on_own_outputs(network, steps, torch.ones_like(own))
    some = on_own_outputs(network, steps, own)
    chosen = steps.of_nodes(own)
    for name, values in some.inputs.items():
        assert_close(values, torch.where(chosen, every.inputs[name], steps.inputs[name]))
        assert not values.requires_grad
    assert not torch.equal(some.inputs["distance"], every.inputs["distance"])
    assert some.targets is steps.targets


def test_none_do_without_a_share():
    network = new_network(tiny()).train()
    batch = batch_of("bfs+bellman-ford")
    steps = side_by_side(batch)
    found = on_own_outputs(network, steps, torch.zeros(batch.num_graphs, dtype=torch.bool))
    for name, values in steps.inputs.items():
        assert torch.equal(found.inputs[name], values)
