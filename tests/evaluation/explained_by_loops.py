"""The explainer as Appendix E tells it: one node at a time, one whole step for every gradient."""

import torch
from torch.nn import functional

from neuralexec import Problem, Task, collate
from neuralexec.batches import Batch
from neuralexec.models.decide import advance
from neuralexec.models.executor import NeuralExecutor, State

Weights = dict[int, list[float]]


def states_of(executor: NeuralExecutor, batch: Batch, *, forced: bool) -> list[State]:
    """What each step of a run reads."""
    states, state = [], executor.start(batch.start)
    for number in range(batch.most_steps):
        if forced:
            true = {name: values[number] for name, values in batch.states.items()}
            state = State(true, state.memory)
        states.append(state)
        with torch.no_grad():
            step = executor.step(batch.start, state)
        ends = torch.tensor([number == batch.most_steps - 1])
        signals = advance(batch.task, state.signals, step.decided, ends, batch.edges)
        state = State(signals, step.memory)
    return states


def mask_of(
    executor: NeuralExecutor,
    batch: Batch,
    state: State,
    signal: str,
    number: int,
    node: int,
    *,
    sparsity: float,
    iterations: int,
    learning_rate: float,
) -> list[float]:
    """σ(M) of the edges into a node."""
    edges = batch.edges
    first, stop = edges.offsets[node : node + 2].tolist()
    logits = torch.ones(stop - first, requires_grad=True)
    adam = torch.optim.Adam([logits], lr=learning_rate)
    target = batch.targets(signal)[number, node]
    for _ in range(iterations):
        gate = torch.ones(edges.num_edges)
        gate[first:stop] = logits.sigmoid()
        scores = executor.step(batch.start, state, gate=gate).scores[signal]
        if target.dtype == torch.bool:
            loss = functional.binary_cross_entropy_with_logits(scores[node], target.float())
        else:
            loss = functional.cross_entropy(scores[first:stop], target.long() - first)
        adam.zero_grad()
        (loss + sparsity * logits.sigmoid().sum()).backward()
        adam.step()
    found: list[float] = logits.sigmoid().tolist()
    return found


def weights_by_loops(
    executor: NeuralExecutor,
    problem: Problem,
    task: Task,
    signal: str,
    steps: dict[int, int],
    *,
    forced: bool = True,
    **search: float,
) -> Weights:
    """Of each node, explained at the step given, from 1."""
    batch = collate([problem], task)
    states = states_of(executor, batch, forced=forced)
    return {
        node: mask_of(executor, batch, states[step - 1], signal, step - 1, node, **search)
        for node, step in steps.items()
    }
