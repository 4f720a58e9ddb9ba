"""What an executor is given: the graphs, and every signal before the first step. No answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from neuralexec.algorithms import Kind, Task
from neuralexec.batches.edges import Edges

Signals = Mapping[str, Tensor]
"""Signal name -> its values now: [nodes], or [graphs] for a CHOICE. A POINTER is the index of an
edge, a CHOICE the index of a node."""


@dataclass(frozen=True, eq=False)
class Start:
    task: Task
    edges: Edges
    signals: Signals

    @property
    def unbounded(self) -> tuple[str, ...]:
        """The scalars that begin infinite, or with a stand-in for that."""
        return tuple(name for name in self.signals if self.task.signals[name].begins_infinite)

    @cached_property
    def endless(self) -> tuple[str, ...]:
        """The scalars that begin infinite."""
        return tuple(
            name
            for name, values in self.signals.items()
            if self.task.signals[name].kind is Kind.SCALAR and bool(values.isinf().any())
        )

    def to(self, device: str | torch.device) -> Start:
        signals = {name: values.to(device) for name, values in self.signals.items()}
        return Start(self.task, self.edges.to(device), signals)
