"""An executor without a network: it takes the algorithms' own steps, and so is always right."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from neuralexec import Kind, Problem, Problems, Task
from neuralexec.algorithms import UNDEFINED
from neuralexec.batches import Edges, Start
from neuralexec.models.executor import State, Step

DTYPES = {
    Kind.MASK: (np.bool_, torch.bool),
    Kind.SCALAR: (np.float64, torch.float32),
    Kind.POINTER: (np.int32, torch.int32),
    Kind.CHOICE: (np.int64, torch.int64),
}


class TrueExecutor:
    """What it remembers are the pointers, which the protocol does not let it write everywhere."""

    def __init__(self, problems: Sequence[Problem], task: Task) -> None:
        self.problems = Problems(tuple(problems))
        self.task = task

    def start(self, start: Start) -> State:
        return State(start.signals, memory={})

    def step(self, start: Start, state: State) -> Step:
        kinds = {name: signal.kind for name, signal in self.task.signals.items()}
        before = {
            name: self._read(kinds[name], values, start.edges)
            for name, values in state.signals.items()
        }
        before |= state.memory
        after: dict[str, Any] = {}
        changed = np.zeros(len(self.problems), dtype=bool)
        for algorithm in self.task.algorithms:
            own = algorithm.step(self.problems, {name: before[name] for name in algorithm.signals})
            for name in algorithm.fed_back:
                changed |= self.problems.any(own[name] != before[name])
            after |= own
        grown = {signal.grows for signal in self.task.signals.values()}
        return Step(
            decided={
                name: self._said(kinds[name], values, start.edges)
                for name, values in after.items()
                if name not in grown
            },
            scores={},
            terminated=torch.from_numpy(~changed).float(),
            memory={name: values for name, values in after.items() if kinds[name] is Kind.POINTER},
        )

    def stop(self, step: Step) -> torch.Tensor:
        return step.terminated > 0.5

    @staticmethod
    def _read(kind: Kind, values: torch.Tensor, edges: Edges) -> np.ndarray:
        if kind is Kind.POINTER:
            senders = [*edges.senders.tolist(), UNDEFINED]  # an edge of -1 is no edge
            values = torch.tensor([senders[edge] for edge in values.tolist()])
        return values.numpy().astype(DTYPES[kind][0])

    @staticmethod
    def _said(kind: Kind, values: np.ndarray, edges: Edges) -> torch.Tensor:
        said = values.tolist()
        if kind is Kind.POINTER:
            ends = zip(edges.senders.tolist(), edges.receivers.tolist(), strict=True)
            edge_of = {pair: edge for edge, pair in enumerate(ends)}
            said = [edge_of.get((sender, node), UNDEFINED) for node, sender in enumerate(said)]
        return torch.tensor(said, dtype=DTYPES[kind][1])
