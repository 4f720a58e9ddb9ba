"""From a run and the true run to scores: one measure per kind of signal."""

from __future__ import annotations

from collections.abc import Callable, Collection

import torch
from torch import Tensor

from neuralexec.algorithms import UNDEFINED, Kind, Task
from neuralexec.batches import Batch
from neuralexec.batches.batch import nodes_named_by
from neuralexec.evaluation.scores import TERMINATION, GraphScore
from neuralexec.models.rollout import Rollout

MEASURES: dict[Kind, Callable[[Tensor, Tensor], Tensor]] = {
    Kind.MASK: lambda found, true: (found == true).double(),
    Kind.SCALAR: lambda found, true: (found.double() - true.double()).square(),
    Kind.POINTER: lambda found, true: (found == true).double(),
    Kind.CHOICE: lambda found, true: (found == true).double(),
}
"""[..., nodes or graphs]: 1 where it is right, 0 where it is wrong; or the squared error."""


def measure(run: Rollout, batch: Batch, predicted: tuple[str, ...]) -> list[GraphScore]:
    """The score of every graph: of what is predicted, and of the masks that its choices grow.

    Where run and true run differ in length, the shorter one's last state stands for the rest.
    """
    names = with_grown_masks(batch.task, predicted)
    most = max(batch.most_steps, len(run.terminated))
    lengths = torch.maximum(batch.num_steps, run.num_steps)
    per_graph = {name: _per_step_and_graph(run, batch, name, most) for name in names}
    right = run.stops == _extended(batch.terminated, len(run.stops))[: len(run.stops)]
    would_stop = first_true(run.stops)
    scores = []
    for graph in range(batch.num_graphs):
        length = int(lengths[graph])
        taken = int(run.num_steps[graph])
        columns = {name: _listed(values[:length, graph]) for name, values in per_graph.items()}
        true_steps = int(batch.num_steps[graph])
        stopped_at = would_stop[graph].item() + 1
        scores.append(
            GraphScore(
                family=batch.families[graph],
                num_nodes=int(batch.edges.num_nodes_of_graph[graph]),
                true_steps=true_steps,
                steps_taken=int(min(stopped_at, taken)),
                stopped_itself=stopped_at <= taken,
                per_step={**columns, TERMINATION: _listed(right[:taken, graph].double())},
                last={
                    name: next((v for v in reversed(values) if v is not None), None)
                    if batch.task.signals[name].kind is Kind.CHOICE
                    else values[-1]
                    for name, values in columns.items()
                },
            )
        )
    return scores


def mean_steps(run: Rollout, batch: Batch, predicted: tuple[str, ...]) -> dict[str, Tensor]:
    """[graphs]: each score's mean over a graph's steps, NaN where nothing counts."""
    most = max(batch.most_steps, len(run.terminated))
    steps = torch.arange(most, device=batch.edges.device)[:, None]
    lengths = torch.maximum(batch.num_steps, run.num_steps)
    means = {}
    for name in with_grown_masks(batch.task, predicted):
        values = _per_step_and_graph(run, batch, name, most)
        means[name] = values.masked_fill(steps >= lengths, torch.nan).nanmean(0)
    right = (run.stops == _extended(batch.terminated, len(run.stops))[: len(run.stops)]).double()
    taken = steps[: len(right)] >= run.num_steps
    return {**means, TERMINATION: right.masked_fill(taken, torch.nan).nanmean(0)}


def with_grown_masks(task: Task, predicted: Collection[str]) -> list[str]:
    """What is predicted, and the masks that its choices grow, in the order of the signals."""
    grown = {task.signals[name].grows for name in predicted}
    return [name for name in task.signals if name in predicted or name in grown]


def _per_step_and_graph(run: Rollout, batch: Batch, name: str, most_steps: int) -> Tensor:
    """[steps, graphs]: the mean over the nodes that count, NaN where none does."""
    kind = batch.task.signals[name].kind
    found = _extended(run.states[name][1:], most_steps)
    true = _extended(batch.targets(name), most_steps)
    values = MEASURES[kind](found, true)
    counts = _extended(counted(batch, name), most_steps)
    if not kind.per_node:
        return values.masked_fill(~counts, torch.nan)
    values = values.nan_to_num(nan=torch.inf, posinf=torch.inf)  # not a number is infinitely wrong
    totals = _per_graph(values.masked_fill(~counts, 0), batch)
    numbers = _per_graph(counts.double(), batch)
    return totals / numbers  # 0 / 0 is NaN: nothing was to be said


def counted(batch: Batch, name: str) -> Tensor:
    """[steps, nodes or graphs]: where the true value is defined, and what is predicted covers it.

    Where a pointer is supervised at some nodes only, it counts at every such node so far, but for
    those that were given at the start.
    """
    signal = batch.task.signals[name]
    targets = batch.targets(name)
    if signal.kind not in (Kind.POINTER, Kind.CHOICE):
        return torch.ones_like(targets, dtype=torch.bool)
    counts = targets != UNDEFINED
    where = signal.supervised_where
    if where is not None:
        where = batch.task.signals[where].grows or where
        named = nodes_named_by(batch.task, where, {where: batch.targets(where)}, batch.edges)
        counts = counts & named & (batch.states[name][0] == UNDEFINED)
    return counts


def first_true(flags: Tensor) -> Tensor:
    """[steps, graphs] -> [graphs]: the first step that is true, or the number of steps."""
    steps = torch.arange(len(flags), device=flags.device)[:, None]
    return torch.where(flags, steps, len(flags)).amin(0)


def _per_graph(values: Tensor, batch: Batch) -> Tensor:
    totals = values.new_zeros((*values.shape[:-1], batch.num_graphs))
    return totals.index_add(-1, batch.edges.graph_of_node, values)


def _extended(rows: Tensor, num_rows: int) -> Tensor:
    """The last row repeated."""
    missing = num_rows - len(rows)
    return rows if missing <= 0 else torch.cat((rows, rows[-1:].expand(missing, *rows.shape[1:])))


def _listed(values: Tensor) -> tuple[float | None, ...]:
    return tuple(None if value != value else value for value in values.tolist())
