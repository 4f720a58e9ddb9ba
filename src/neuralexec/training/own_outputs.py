"""Train a network on what it makes of its own outputs, where it will have to run on them."""

from __future__ import annotations

import torch
from torch import Tensor

from neuralexec.batches import Batch, Start
from neuralexec.models.executor import NeuralExecutor, State
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
    if not share:
        return batch.states
    own = torch.rand(batch.num_graphs, generator=generator) < share
    chosen = own.nonzero().squeeze(-1).to(batch.edges.device)
    if not len(chosen):
        return batch.states
    part = batch.select(chosen)  # the longest runs come first here, too
    executor.eval()
    with torch.no_grad():
        rows = _own_states(executor, part, scope)
    executor.train()
    nodes = batch.edges.select(chosen).nodes
    mixed = dict(batch.states)
    for name in rows[0]:
        mixed[name] = mixed[name].clone()
        for step, values in enumerate(rows, start=1):
            mixed[name][step, nodes[: values[name].shape[-1]]] = values[name]
    return mixed


def _own_states(executor: NeuralExecutor, batch: Batch, scope: Scope) -> list[dict[str, Tensor]]:
    """What is fed back after each step, of the graphs that still run; the longest come first."""
    edges = batch.edges
    fed = [name for name in scope.fed if name in scope.predicted and name in batch.states]
    state = State({name: batch.states[name][0] for name in scope.fed if name in batch.states})
    rows = []
    for num_graphs in batch.running.sum(1).tolist():
        if num_graphs < edges.num_graphs:
            edges = edges.first(num_graphs)
            state = _first_nodes(state, edges.num_nodes)
        step = executor.step(Start(batch.task, edges, state.signals), state, only=fed)
        state = State({**state.signals, **step.decided}, step.memory)
        rows.append(dict(step.decided))
    return rows


def _first_nodes(state: State, num_nodes: int) -> State:
    signals = {name: values[:num_nodes] for name, values in state.signals.items()}
    return State(signals, state.memory[:num_nodes])
