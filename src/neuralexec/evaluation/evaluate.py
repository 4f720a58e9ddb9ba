"""Run an executor on problems whose true runs are known, and score it under a protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch

from neuralexec.algorithms import Kind, Task
from neuralexec.batches import Batch, collate
from neuralexec.errors import InputError
from neuralexec.evaluation.metrics import measure
from neuralexec.evaluation.scores import Protocol, Scores
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.splits import checksum
from neuralexec.models.executor import Executor
from neuralexec.models.rollout import Rollout, rollout
from neuralexec.models.scope import scope_of


def run_under(protocol: Protocol, executor: Executor, batch: Batch) -> Rollout:
    """Run for the true number of steps, until it stops by itself, or on the true inputs."""
    with torch.no_grad():
        if protocol == "own-termination":
            return rollout(executor, batch.start)
        forced = batch.states if protocol == "teacher-forced" else None
        return rollout(executor, batch.start, lengths=batch.num_steps, forced=forced)


def evaluate(
    executor: Executor,
    problems: Sequence[Problem],
    task: Task,
    *,
    protocols: Iterable[Protocol] = ("true-length",),
    model: str = "",
    predicted: tuple[str, ...] | None = None,
    device: str | torch.device = "cpu",
    nodes_at_once: int = 20_000,
) -> list[Scores]:
    """Scores under each protocol; `predicted` names the signals that the executor predicts."""
    if not problems:
        raise InputError("there are no problems to evaluate on; give at least one")
    batches = [collate(part, task).to(device) for part in _parts(problems, nodes_at_once)]
    return [
        scores_of(executor, batches, protocol, problems, model=model, predicted=predicted)
        for protocol in protocols
    ]


def scores_of(
    executor: Executor,
    batches: Sequence[Batch],
    protocol: Protocol,
    problems: Sequence[Problem],
    *,
    model: str = "",
    predicted: tuple[str, ...] | None = None,
) -> Scores:
    task = batches[0].task
    names = scope_of(task).predicted if predicted is None else predicted
    graphs = [
        score
        for batch in batches
        for score in measure(run_under(protocol, executor, batch), batch, names)
    ]
    errors = tuple(name for name in names if task.signals[name].kind is Kind.SCALAR)
    return Scores(
        model=model,
        task=task.name,
        protocol=protocol,
        num_nodes=max(problem.graph.num_nodes for problem in problems),
        data=checksum(problems),
        errors=errors,
        graphs=tuple(graphs),
    )


def _parts(problems: Sequence[Problem], most_nodes: int) -> Iterable[list[Problem]]:
    """Consecutive problems of at most so many nodes together."""
    part: list[Problem] = []
    held = 0
    for problem in problems:
        if part and held + problem.graph.num_nodes > most_nodes:
            yield part
            part, held = [], 0
        part.append(problem)
        held += problem.graph.num_nodes
    if part:
        yield part
