"""How well networks do on their validation graphs after an epoch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import torch
from torch import Tensor

from neuralexec.algorithms import UNDEFINED, Kind
from neuralexec.batches import Batch, Steps, side_by_side
from neuralexec.evaluation.evaluate import run_under
from neuralexec.evaluation.metrics import MEASURES, mean_steps
from neuralexec.evaluation.scores import TERMINATION
from neuralexec.models.decide import decide
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.kernels import segment_sum

Means = dict[str, dict[str, float | None]]
"""Task -> metric -> its mean over the steps of each graph, then over graphs."""


class Validation:
    """The validation graphs of one task, of all replicas, run for the true number of steps."""

    def __init__(self, batch: Batch, replicas: int) -> None:
        self.batch = batch
        self.replicas = replicas

    @cached_property
    def steps(self) -> Steps:
        return side_by_side(self.batch, replicas=self.replicas)

    def means(self, executor: NeuralExecutor) -> list[dict[str, float | None]]:
        """Of every replica."""
        executor.eval()
        task = self.batch.task
        predicted = tuple(
            name for name in executor.heads_of(task).scope.predicted if name in self.batch.states
        )
        writes_all = all(signal.supervised_where is None for signal in task.signals.values())
        with torch.no_grad():
            if executor.can_roll(task) and writes_all:
                of_graphs = self._at_once(executor, predicted)
            else:
                run = run_under("true-length", executor, self.batch)
                of_graphs = mean_steps(run, self.batch, predicted)
        shares = {name: values.view(self.replicas, -1) for name, values in of_graphs.items()}
        found = {name: values.nanmean(1).tolist() for name, values in shares.items()}
        return [
            {
                name: None if math.isnan(values[own]) else values[own]
                for name, values in found.items()
            }
            for own in range(self.replicas)
        ]

    def _at_once(self, executor: NeuralExecutor, predicted: Sequence[str]) -> dict[str, Tensor]:
        """The same means in a few calls: all inputs first, then all that is said of them."""
        steps = replace(self.steps, inputs={**self.steps.inputs, **executor.roll(self.steps)})
        taught = executor.teach(steps)
        decided = decide(steps.task, taught.scores, steps.inputs, steps.edges)
        means = {}
        for name in predicted:
            kind, target = steps.task.signals[name].kind, steps.targets[name]
            values = MEASURES[kind](decided[name], target)
            values = values.nan_to_num(nan=torch.inf, posinf=torch.inf)
            counts = target != UNDEFINED if kind is Kind.POINTER else torch.ones_like(values)
            counts = counts.double()
            totals = segment_sum(values * counts, steps.edges.node_offsets)
            means[name] = self._over_steps(totals / segment_sum(counts, steps.edges.node_offsets))
        right = (taught.termination > 0) == steps.terminated
        return {**means, TERMINATION: self._over_steps(right.double())}

    def _over_steps(self, per_graph_and_step: Tensor) -> Tensor:
        """[graphs]: the mean over a graph's steps where anything counts."""
        steps = self.steps
        counts = ~per_graph_and_step.isnan()
        counts = counts if steps.counts is None else counts & steps.counts
        values = torch.where(counts, per_graph_and_step, 0)
        zero = values.new_zeros(self.batch.num_graphs)
        total = zero.index_add(0, steps.place, values)
        return total / zero.index_add(0, steps.place, counts.to(values.dtype))


def validation_score(means: Means, batches: Sequence[Batch]) -> float:
    """What early stopping goes by: accuracy of the predecessors; without any, of what there is.

    A task of numbers alone is judged by its squared error.
    """
    parts = []
    for batch in batches:
        own, signals = means[batch.task.name], batch.task.signals
        kinds = {name: signals[name].kind for name in own if name in signals}
        pointers = [name for name, kind in kinds.items() if kind is Kind.POINTER]
        others = [name for name, kind in kinds.items() if kind is not Kind.SCALAR]
        if chosen := pointers or others:
            parts.append(math.fsum(own[name] or 0.0 for name in chosen) / len(chosen))
        else:
            parts.append(-math.fsum(own[name] or 0.0 for name in kinds))
    score = math.fsum(parts) / len(parts)
    return score if math.isfinite(score) else -math.inf


def validate(executor: NeuralExecutor, several: Sequence[Validation]) -> list[Means]:
    """Of every replica, every task."""
    of_tasks = {one.batch.task.name: one.means(executor) for one in several}
    return [
        {task: own[place] for task, own in of_tasks.items()} for place in range(executor.replicas)
    ]
