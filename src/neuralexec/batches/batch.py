"""Many graphs as one: a disjoint union, edges sorted by receiver, with every step of a task."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from neuralexec.algorithms import UNDEFINED, Kind, Task
from neuralexec.batches.edges import Edges, Selection
from neuralexec.batches.start import Start


@dataclass(frozen=True, eq=False)
class Batch:
    """`states[signal][t]` holds after step t, row 0 before the first.

    A graph that has finished repeats its last state, its choices undefined. A POINTER is the index
    of an edge of the batch, a CHOICE the index of a node of the batch.
    """

    task: Task
    families: tuple[str | None, ...]
    edges: Edges
    num_steps: Tensor  # [graphs]: the true length of each run, its last step included
    states: dict[str, Tensor]  # [steps + 1, nodes], or [steps + 1, graphs] for a CHOICE

    @property
    def num_graphs(self) -> int:
        return self.edges.num_graphs

    @property
    def num_nodes(self) -> int:
        return self.edges.num_nodes

    @property
    def most_steps(self) -> int:
        return len(next(iter(self.states.values()))) - 1

    @property
    def start(self) -> Start:
        """What is known before the first step."""
        return Start(self.task, self.edges, {name: rows[0] for name, rows in self.states.items()})

    @cached_property
    def lengths(self) -> Tensor:
        """`num_steps`, where it can be read without waiting."""
        return self.num_steps.cpu()

    @cached_property
    def running(self) -> Tensor:
        """[steps, graphs]: is this one of the graph's true steps?"""
        steps = torch.arange(self.most_steps, device=self.edges.device)
        return steps[:, None] < self.num_steps

    @cached_property
    def terminated(self) -> Tensor:
        """[steps, graphs]: the termination target, true from a run's last step on."""
        steps = torch.arange(self.most_steps, device=self.edges.device)
        return steps[:, None] >= self.num_steps - 1

    def inputs(self, signal: str) -> Tensor:
        """[steps, nodes or graphs]: the values a step reads."""
        return self.states[signal][:-1]

    def targets(self, signal: str) -> Tensor:
        """[steps, nodes or graphs]: the values a step must produce."""
        return self.states[signal][1:]

    def supervised(self, signal: str) -> Tensor:
        """[steps, nodes or graphs]: where the target of this signal is defined and counts."""
        counts = self.running
        if self.task.signals[signal].kind.per_node:
            counts = counts[:, self.edges.graph_of_node]
        targets = {name: self.targets(name) for name in self.states}
        return counts & covered(self.task, signal, targets, self.edges)

    def to(self, device: str | torch.device) -> Batch:
        """The same batch on another device."""
        return replace(
            self,
            edges=self.edges.to(device),
            num_steps=self.num_steps.to(device),
            states={name: values.to(device) for name, values in self.states.items()},
        )


def covered(task: Task, signal: str, targets: dict[str, Tensor], edges: Edges) -> Tensor:
    """[..., nodes or graphs]: where this signal is defined, and its supervision covers it."""
    spec = task.signals[signal]
    values = targets[signal]
    counts = torch.ones_like(values, dtype=torch.bool)
    if spec.kind in (Kind.POINTER, Kind.CHOICE):
        counts = values != UNDEFINED
    if spec.supervised_where is not None:
        counts = counts & nodes_named_by(task, spec.supervised_where, targets, edges)
    return counts


def nodes_named_by(task: Task, signal: str, values: dict[str, Tensor], edges: Edges) -> Tensor:
    """[..., nodes]: the nodes in a mask, or the node just chosen."""
    if task.signals[signal].kind is Kind.MASK:
        return values[signal]
    return edges.mark(values[signal])


def renumbered(kind: Kind, values: Tensor, chosen: Selection) -> Tensor:
    """Values [..., nodes or graphs] of selected graphs; indices as they count there."""
    if kind is Kind.CHOICE:
        by = chosen.nodes_moved
    elif kind is Kind.POINTER:
        by = chosen.edges_moved[chosen.edges.graph_of_node].to(values.dtype)
    else:
        return values
    return torch.where(values == UNDEFINED, values, values + by)
