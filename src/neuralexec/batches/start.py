"""What an executor is given: the graphs, and every signal before the first step. No answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from neuralexec.algorithms import Task
from neuralexec.batches.edges import Edges

Signals = Mapping[str, Tensor]
"""Signal name -> its values now: [..., nodes], or [..., graphs] for a CHOICE. A POINTER is the
index of an edge, a CHOICE the index of a node; the leading axes are replicas, if there are any."""


@dataclass(frozen=True, eq=False)
class Start:
    task: Task
    edges: Edges
    signals: Signals

    def to(self, device: str | torch.device) -> Start:
        signals = {name: values.to(device) for name, values in self.signals.items()}
        return Start(self.task, self.edges.to(device), signals)
