"""All true steps of a batch side by side, each a graph of its own: what a network is trained on.

Only the true steps are there, so that nothing is computed for graphs that have finished, and heads
and losses see all of time at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from neuralexec.algorithms import Task
from neuralexec.batches.batch import Batch, covered, renumbered
from neuralexec.batches.edges import Edges


@dataclass(frozen=True, eq=False)
class Steps:
    """The graphs of step t follow those of step t - 1; at each step the longest runs come first."""

    task: Task
    edges: Edges  # of all steps, one after the other
    graphs_at: tuple[int, ...]  # how many graphs run at each step, never more than before
    inputs: dict[str, Tensor]  # [nodes or graphs, over all steps]: what each step reads
    targets: dict[str, Tensor]  # the same shape: what it must produce
    terminated: Tensor  # [graphs, over all steps]
    last: Tensor  # [graphs, over all steps]: is this the last step of the true run?

    def supervised(self, signal: str) -> Tensor:
        """[nodes or graphs, over all steps]: where the target is defined and counts."""
        return covered(self.task, signal, self.targets, self.edges)


def longest_first(batch: Batch) -> Batch:
    """The same graphs, sorted by the length of their runs."""
    return batch.select(batch.num_steps.argsort(descending=True, stable=True))


def side_by_side(
    batch: Batch, extra: int = 0, reading: Mapping[str, Tensor] | None = None
) -> Steps:
    """Every step of a batch that is sorted longest first, and `extra` more after each run's end.

    A run does not go beyond the longest of its batch. `reading` are states that the steps read in
    place of the true ones.
    """
    reads = batch.states if reading is None else reading
    lengths = batch.num_steps + extra
    rows = torch.arange(batch.most_steps, device=batch.edges.device)
    step, graph = (rows[:, None] < lengths).nonzero(as_tuple=True)
    chosen = batch.edges.select(graph)
    step_of_node = step[chosen.edges.graph_of_node]

    def values(states: Mapping[str, Tensor], name: str, shift: int) -> Tensor:
        kind = batch.task.signals[name].kind
        where = (step_of_node + shift, chosen.nodes) if kind.per_node else (step + shift, graph)
        return renumbered(kind, states[name][where], chosen)

    return Steps(
        task=batch.task,
        edges=chosen.edges,
        graphs_at=tuple((rows[:, None] < lengths).sum(1).tolist()),
        inputs={name: values(reads, name, 0) for name in batch.states},
        targets={name: values(batch.states, name, 1) for name in batch.states},
        terminated=batch.terminated[step, graph],
        last=(step == batch.num_steps[graph] - 1),
    )
