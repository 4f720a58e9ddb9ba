"""One loss per kind of signal, all added up (Section 3 of the paper), each a mean over what counts.

Binary cross-entropy for bits and for termination, squared error for numbers, cross-entropy over
the edges into a node for pointers, and over the nodes still out for choices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional

from neuralexec.algorithms import UNDEFINED, Kind
from neuralexec.batches import Edges, Steps
from neuralexec.batches.batch import nodes_named_by
from neuralexec.models.decide import CLOSED, open_scores
from neuralexec.models.executor import Taught
from neuralexec.models.kernels import log_softmax
from neuralexec.models.scope import Scope
from neuralexec.models.shapes import Bool, Float, Tensor


@dataclass(frozen=True)
class LossWeights:
    """How much each loss counts that has a weight of its own; one number for all replicas, or one
    for each."""

    penalty: float | Tensor = 0.0
    number: float | Tensor = 1.0
    settled: float | Tensor = 0.0


def losses(
    taught: Taught,
    steps: Steps,
    scope: Scope,
    *,
    weights: LossWeights = LossWeights(),  # noqa: B008 - it never changes
    settled: Bool[Tensor, " nodes"] | None = None,
    written_only: bool = True,
) -> dict[str, Float[Tensor, " replicas"]]:
    """Each replica's loss of every signal that has a target, and of termination; with `settled`,
    also of termination as every node sees it. Pointers count where a step writes them only, or
    wherever they are defined."""
    parts = {
        name: _of_signal(name, scores, steps, scope, written_only=written_only)
        for name, scores in taught.scores.items()
        if name in steps.targets
    }
    target = steps.terminated.to(taught.termination.dtype)
    values = functional.binary_cross_entropy_with_logits(
        taught.termination, target, reduction="none"
    )
    parts["termination"] = _mean(values, steps.counts, steps.replicas)
    for name, loss in parts.items():
        if name in steps.task.signals and steps.task.signals[name].kind is Kind.SCALAR:
            parts[name] = weights.number * loss
    counts = None if steps.counts is None else steps.counts[steps.edges.graph_of_node]
    if settled is not None and taught.settled is not None:
        values = _binary(taught.settled, settled, steps.edges)
        parts["settled"] = weights.settled * _mean(values, counts, steps.replicas)
    if taught.penalty is not None:
        parts["penalty"] = weights.penalty * _mean(taught.penalty, counts, steps.replicas)
    return parts


def _of_signal(
    name: str, scores: Float[Tensor, " _"], steps: Steps, scope: Scope, *, written_only: bool
) -> Float[Tensor, " replicas"]:
    kind = steps.task.signals[name].kind
    if kind is Kind.POINTER and not written_only:
        counts = _defined(name, steps)
    else:
        counts = _counting(name, steps, scope)
    if kind is Kind.CHOICE:
        scores = open_scores(steps.task, name, scores, steps.inputs)
        # On its own outputs a network may have chosen the node already.
        is_open = scores.detach().index_select(0, steps.targets[name].clamp(min=0)) > CLOSED
        counts = counts & is_open
    values = LOSSES[kind](scores, steps.targets[name], steps.edges)
    return _mean(values, counts, steps.replicas).to(steps.edges.weights.dtype)


def _mean(
    values: Float[Tensor, " rows"], counts: Bool[Tensor, " rows"] | None, replicas: int
) -> Float[Tensor, " replicas"]:
    """Of what counts, in each replica."""
    if counts is None:
        return values.view(replicas, -1).mean(1)
    total = torch.where(counts, values, 0).view(replicas, -1).sum(1)
    return total / counts.view(replicas, -1).sum(1).clamp(min=1)


def _defined(name: str, steps: Steps) -> Bool[Tensor, " nodes"]:
    defined = steps.targets[name] != UNDEFINED
    if steps.counts is None:
        return defined
    return defined & steps.counts.index_select(0, steps.edges.graph_of_node)


def _counting(name: str, steps: Steps, scope: Scope) -> Bool[Tensor, " _"]:
    if not scope.teaches_end_only:
        return steps.supervised(name)
    # The whole answer at the last step: also where a choice made it node by node before.
    counts = steps.last.index_select(0, steps.edges.graph_of_node) & (steps.targets[name] >= 0)
    where = steps.task.signals[name].supervised_where
    if where is not None:
        where = steps.task.signals[where].grows or where
        counts = counts & nodes_named_by(steps.task, where, steps.targets, steps.edges)
    return counts


def _binary(scores: Tensor, targets: Tensor, edges: Edges) -> Tensor:
    return functional.binary_cross_entropy_with_logits(
        scores, targets.to(scores.dtype), reduction="none"
    )


def _squared(scores: Tensor, targets: Tensor, edges: Edges) -> Tensor:
    return (scores - targets).square()


def _over_edges(scores: Tensor, targets: Tensor, edges: Edges) -> Tensor:
    return -log_softmax(scores, edges.offsets).index_select(0, targets.clamp(min=0))


def _over_nodes(scores: Tensor, targets: Tensor, edges: Edges) -> Tensor:
    return -log_softmax(scores, edges.node_offsets).index_select(0, targets.clamp(min=0))


LOSSES: dict[Kind, Callable[[Tensor, Tensor, Edges], Tensor]] = {
    Kind.MASK: _binary,
    Kind.SCALAR: _squared,
    Kind.POINTER: _over_edges,
    Kind.CHOICE: _over_nodes,
}
