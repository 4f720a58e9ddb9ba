"""What a user holds: a trained executor, what it makes of a graph, and whether that is right."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from neuralexec import pretrained
from neuralexec.algorithms import UNDEFINED, Algorithm, Kind, Task
from neuralexec.batches import Signals, Start, begin
from neuralexec.errors import InputError, InputWarning
from neuralexec.evaluation.certificate import Certificate, certify
from neuralexec.evaluation.metrics import with_grown_masks
from neuralexec.graphs.dress import HEAVIEST, LIGHTEST
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.problem import Problem
from neuralexec.models.device import check_device, one_thread
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.rollout import execute
from neuralexec.training.checkpoint import Checkpoint, load_checkpoint
from neuralexec.training.run import MODEL

EDGES_FOR_MORE_THREADS = 200_000

StoppedBy = Literal["termination", "cap"]


def load(name_or_path: str | Path, device: str = "cpu") -> Model:
    """A pretrained executor by its name, or one of your own by its file or folder.

    >>> load("best-bfs-bellman-ford")
    Model('best-bfs-bellman-ford', for bfs+bellman-ford)
    """
    check_device(device)
    path = pretrained.path_of(str(name_or_path))
    if path is None:
        path = Path(name_or_path)
        path = path / MODEL if path.is_dir() else path
        if not path.exists():
            raise InputError(
                f"{name_or_path}: neither a file nor a pretrained model; "
                f"those are {', '.join(pretrained.names())}"
            )
    checkpoint = load_checkpoint(path)
    return Model(str(name_or_path), checkpoint, checkpoint.executor().to(device), device)


@dataclass(frozen=True, eq=False)
class Model:
    """A trained executor."""

    name: str
    checkpoint: Checkpoint
    executor: NeuralExecutor
    device: str = "cpu"

    @property
    def tasks(self) -> tuple[Task, ...]:
        return self.executor.tasks

    def task_of(self, algorithm: str | None = None) -> Task:
        """The task with this algorithm; the first by default."""
        for task in self.tasks:
            if algorithm is None or algorithm in (task.name, *task.name.split("+")):
                return task
        known = ", ".join(task.name for task in self.tasks)
        raise InputError(f"{self.name} was trained for {known}, not for {algorithm}")

    def predicted(self, task: Task) -> tuple[str, ...]:
        """The signals of this task that it predicts."""
        return self.executor.heads_of(task).scope.predicted

    def run(
        self,
        graph: Graph,
        source: int | str | None = None,
        *,
        algorithm: str | None = None,
        max_steps: int | None = None,
        keep_steps: bool = False,
    ) -> Execution:
        """Execute on a graph until it stops by itself, or after about as many steps as nodes.

        The source is a node's index or its name. Nothing but the graph, its weights and the source
        is used. `keep_steps` keeps the state after every step; without it, memory beyond the graph
        and what the network sees of it (8 bytes an edge) is about six arrays of latent features
        and a number an edge, however many steps there are.
        """
        if max_steps is not None and not isinstance(max_steps, int):
            raise InputError(f"max_steps must be a whole number, at least 1; got {max_steps}")
        task = self.task_of(algorithm)
        problem = Problem(graph, graph.node(source) if isinstance(source, str) else source)
        _warn_of_weights(graph)
        start = begin([problem], task).to(self.device)
        kept: list[dict[str, NDArray[Any]]] = []
        num_steps = 0
        small = start.edges.num_edges < EDGES_FOR_MORE_THREADS
        with torch.no_grad(), one_thread() if small else nullcontext():
            for moment in execute(self.executor, start, max_steps=max_steps):
                num_steps += 1
                if keep_steps:
                    kept.append(self._read(moment.signals, start))
        return Execution(
            model=self.name,
            task=task,
            problem=problem,
            num_steps=num_steps,
            stopped_by="termination" if bool(moment.stopped_itself.all()) else "cap",
            signals=kept[-1] if kept else self._read(moment.signals, start),
            steps=tuple(kept),
        )

    def _read(self, signals: Signals, start: Start) -> dict[str, NDArray[Any]]:
        """What it says, nodes numbered as in the graph."""
        names = with_grown_masks(start.task, self.predicted(start.task))
        values = {name: _as_nodes(start, name, signals[name]) for name in names}
        for algorithm in start.task.algorithms:
            _forget_beyond_reach(algorithm, values)
        return values

    def __repr__(self) -> str:
        return f"Model({self.name!r}, for {', '.join(task.name for task in self.tasks)})"


@dataclass(frozen=True, eq=False)
class Execution:
    """What an executor made of a graph."""

    model: str
    task: Task
    problem: Problem
    num_steps: int
    stopped_by: StoppedBy
    """By its own termination, or by the cap on the number of steps."""
    signals: dict[str, NDArray[Any]]
    """The state it ended in; a pointer is the node pointed at, -1 for none."""
    steps: tuple[dict[str, NDArray[Any]], ...] = ()
    """The state after every step, where they were kept."""

    def check(self) -> dict[str, Certificate]:
        """Is it right? Each algorithm's answer against an independent classical one."""
        certificates = {
            algorithm.name: certify(algorithm, self.problem, self.signals)
            for algorithm in self.task.algorithms
            if all(
                name in self.signals
                for name, signal in algorithm.signals.items()
                if signal.kind is not Kind.CHOICE
            )
        }
        if not certificates:
            raise InputError(
                f"{self.model} predicts {', '.join(self.signals)} only: not enough to be checked"
            )
        return certificates

    @cached_property
    def exact(self) -> bool:
        """Is everything right?"""
        return all(certificate.exact for certificate in self.check().values())

    def __repr__(self) -> str:
        return (
            f"Execution({self.task.name} on {self.problem.graph}, {self.num_steps} steps, "
            f"stopped by {self.stopped_by})"
        )


def _as_nodes(start: Start, name: str, values: Tensor) -> NDArray[Any]:
    if start.task.signals[name].kind is Kind.POINTER:
        senders = start.edges.senders[values.clamp(min=0).long()]
        values = torch.where(values == UNDEFINED, UNDEFINED, senders)
    found: NDArray[Any] = values.cpu().numpy()
    return found


def _forget_beyond_reach(algorithm: Algorithm, values: dict[str, NDArray[Any]]) -> None:
    """A node at infinity has no predecessor, whatever the scores of its edges."""
    scalars = [
        values[name]
        for name, signal in algorithm.signals.items()
        if signal.kind is Kind.SCALAR and name in values
    ]
    if not scalars:
        return
    beyond = np.any([np.isinf(scalar) for scalar in scalars], axis=0)
    for name, signal in algorithm.signals.items():
        if signal.kind is Kind.POINTER and name in values:
            values[name] = np.where(beyond, UNDEFINED, values[name])


def _warn_of_weights(graph: Graph) -> None:
    if graph.num_arcs and not (graph.weights.min() >= LIGHTEST and graph.weights.max() <= HEAVIEST):
        warnings.warn(
            f"networks are trained on weights between {LIGHTEST} and {HEAVIEST}; these go from "
            f"{graph.weights.min():g} to {graph.weights.max():g}: check the answer",
            InputWarning,
            stacklevel=3,
        )
