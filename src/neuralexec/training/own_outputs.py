"""Train a network on what it makes of its own outputs, where it will have to run on them."""

from __future__ import annotations

from dataclasses import replace

import torch

from neuralexec.batches import Steps
from neuralexec.models.decide import decide
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.shapes import Bool, Tensor


def on_own_outputs(executor: NeuralExecutor, steps: Steps, own: Bool[Tensor, " graphs"]) -> Steps:
    """The same steps, but in some of the graphs each reads what the network made of the last.

    That is found first, without gradients; training then treats it as it does true inputs.
    """
    with torch.no_grad():
        found = executor.roll(steps) if executor.can_roll(steps.task) else _rolled(executor, steps)
    of_nodes = steps.of_nodes(own)
    mixed = {
        name: torch.where(of_nodes, values, steps.inputs[name]) for name, values in found.items()
    }
    return replace(steps, inputs={**steps.inputs, **mixed})


def _rolled(executor: NeuralExecutor, steps: Steps) -> dict[str, Tensor]:
    """The same as `roll`, of any executor: one step after the other."""
    task, scope, course = steps.task, executor.heads_of(steps.task).scope, steps.course
    given = [name for name in scope.fed if name in steps.inputs]
    fed = [name for name in given if name in scope.predicted]
    signals = {name: course.split(steps.inputs[name])[0] for name in given}
    read = {name: [signals[name]] for name in fed}
    memory = None
    executor.eval()
    for edges, after in zip(course.moments, course.moments[1:], strict=False):
        said, memory = executor.say(task, signals, memory, edges, only=fed)
        decided = {**signals, **decide(task, said.scores, signals, edges)}
        signals = {name: values[: after.num_nodes] for name, values in decided.items()}
        memory = memory[: after.num_nodes]
        for name in fed:
            read[name].append(signals[name])
    executor.train()
    return {name: course.join(values) for name, values in read.items()}
