"""Train a network on what it makes of its own outputs, where it will have to run on them."""

from __future__ import annotations

import torch
from torch import Tensor

from neuralexec.algorithms import Kind
from neuralexec.batches import Batch, Start
from neuralexec.models.executor import NeuralExecutor, State, Step
from neuralexec.models.rollout import rollout
from neuralexec.models.scope import Scope


def mixed_inputs(
    executor: NeuralExecutor,
    batch: Batch,
    scope: Scope,
    share: float,
    generator: torch.Generator,
) -> dict[str, Tensor]:
    """The states each step reads: true ones, but in a share of the graphs the network's own.

    Its own are found first, without gradients; training then treats them as it does true ones.
    """
    if scope.feeds_start_only:
        return {name: rows[:1].expand_as(rows) for name, rows in batch.states.items()}
    own = torch.rand(batch.num_graphs, generator=generator) < share if share else torch.zeros(1)
    if not own.any():
        return batch.states
    chosen = own.nonzero().squeeze(-1).to(batch.edges.device)
    selected = batch.edges.select(chosen)
    part = batch.select(chosen)
    executor.eval()
    with torch.no_grad():
        run = rollout(_Feeding(executor, scope), part.start, lengths=part.num_steps)
    executor.train()
    mixed = dict(batch.states)
    for name, rows in batch.states.items():
        if batch.task.signals[name].kind in (Kind.MASK, Kind.SCALAR):
            mixed[name] = rows.clone()
            mixed[name][: part.most_steps + 1, selected.nodes] = run.states[name].to(rows.dtype)
    return mixed


class _Feeding:
    """The same executor, saying only what the next step reads, and never stopping."""

    def __init__(self, executor: NeuralExecutor, scope: Scope) -> None:
        self.executor = executor
        self.scope = scope

    def start(self, start: Start) -> State:
        return self.executor.start(start)

    def step(self, start: Start, state: State) -> Step:
        signals = start.task.signals
        fed = [
            name
            for name in self.scope.predicted
            if name in self.scope.fed or signals[name].grows in self.scope.fed
        ]
        return self.executor.step(start, state, only=fed)

    def stop(self, step: Step) -> Tensor:
        return torch.zeros_like(step.terminated, dtype=torch.bool)
