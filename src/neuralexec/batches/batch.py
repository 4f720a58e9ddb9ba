"""Many graphs as one: a disjoint union, edges sorted by receiver, with every step of a task."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from neuralexec.algorithms import UNDEFINED, Kind, Task


@dataclass(frozen=True, eq=False)
class Batch:
    """Nodes and edges count through all graphs: those of graph g follow those of graph g - 1.

    `states[signal][t]` holds after step t, row 0 before the first. A graph that has finished
    repeats its last state, its choices undefined. A POINTER is the index of an edge of the batch,
    a CHOICE the index of a node of the batch.
    """

    task: Task
    families: tuple[str | None, ...]
    node_offsets: Tensor  # [graphs + 1]
    senders: Tensor  # [edges]
    receivers: Tensor  # [edges], ascending
    offsets: Tensor  # [nodes + 1]: where the edges into each node begin
    weights: Tensor  # [edges]
    sources: Tensor  # [graphs], UNDEFINED where there is none
    infinity: Tensor  # [graphs]
    num_steps: Tensor  # [graphs]: the true length of each run, its last step included
    states: dict[str, Tensor]  # [steps + 1, nodes], or [steps + 1, graphs] for a CHOICE

    @property
    def num_graphs(self) -> int:
        return len(self.num_steps)

    @property
    def num_nodes(self) -> int:
        return len(self.offsets) - 1

    @property
    def num_edges(self) -> int:
        return len(self.senders)

    @property
    def most_steps(self) -> int:
        return len(next(iter(self.states.values()))) - 1

    @cached_property
    def graph_of_node(self) -> Tensor:
        """[nodes]"""
        graphs = torch.arange(self.num_graphs, device=self.node_offsets.device)
        return graphs.repeat_interleave(self.node_offsets.diff())

    @cached_property
    def running(self) -> Tensor:
        """[steps, graphs]: is this one of the graph's true steps?"""
        steps = torch.arange(self.most_steps, device=self.num_steps.device)
        return steps[:, None] < self.num_steps

    @cached_property
    def terminated(self) -> Tensor:
        """[steps, graphs]: the termination target, true from a run's last step on."""
        steps = torch.arange(self.most_steps, device=self.num_steps.device)
        return steps[:, None] >= self.num_steps - 1

    def inputs(self, signal: str) -> Tensor:
        """[steps, nodes or graphs]: the values a step reads."""
        return self.states[signal][:-1]

    def targets(self, signal: str) -> Tensor:
        """[steps, nodes or graphs]: the values a step must produce."""
        return self.states[signal][1:]

    def supervised(self, signal: str) -> Tensor:
        """[steps, nodes or graphs]: where the target of this signal is defined and counts."""
        spec = self.task.signals[signal]
        counts = self.running if not spec.kind.per_node else self.running[:, self.graph_of_node]
        if spec.kind in (Kind.POINTER, Kind.CHOICE):
            counts = counts & (self.targets(signal) != UNDEFINED)
        if spec.supervised_where is not None:
            counts = counts & self._nodes_named_by(spec.supervised_where)
        return counts

    def _nodes_named_by(self, signal: str) -> Tensor:
        """[steps, nodes]: the nodes in a mask, or the node just chosen."""
        targets = self.targets(signal)
        if self.task.signals[signal].kind is Kind.MASK:
            return targets
        nodes = torch.arange(self.num_nodes, device=targets.device)
        return targets[:, self.graph_of_node] == nodes

    def to(self, device: str | torch.device) -> Batch:
        """The same batch on another device."""
        moved: dict[str, Any] = {
            field.name: value.to(device)
            for field in fields(self)
            if isinstance(value := getattr(self, field.name), Tensor)
        }
        moved["states"] = {name: values.to(device) for name, values in self.states.items()}
        return replace(self, **moved)
