"""From scores to decisions, and from decisions to the next state: one rule per kind of signal."""

from collections.abc import Callable

import torch

from neuralexec.algorithms import UNDEFINED, Kind, Task
from neuralexec.batches import Edges, Signals
from neuralexec.batches.batch import nodes_named_by
from neuralexec.models.kernels import segment_argmax
from neuralexec.models.shapes import Bool, Float, Int, Tensor

CLOSED = -1e9
"""The score of a node that cannot be chosen: low enough, and finite, so that sums stay finite."""


def open_scores(
    task: Task, choice: str, scores: Float[Tensor, " nodes"], inputs: Signals
) -> Float[Tensor, " nodes"]:
    """The scores of a CHOICE, with the nodes already in the mask it grows closed."""
    grows = task.signals[choice].grows
    return scores if grows is None else scores.masked_fill(inputs[grows], CLOSED)


def decide(task: Task, scores: Signals, inputs: Signals, edges: Edges) -> dict[str, Tensor]:
    """What the scores say, as signals: bits, numbers, edges and nodes."""
    return {
        name: _DECIDE[task.signals[name].kind](
            open_scores(task, name, values, inputs)
            if task.signals[name].kind is Kind.CHOICE
            else values,
            edges,
        )
        for name, values in scores.items()
    }


def _best_edge(scores: Float[Tensor, " edges"], edges: Edges) -> Int[Tensor, " nodes"]:
    return segment_argmax(scores, edges.offsets).to(torch.int32)


def _best_node(scores: Float[Tensor, " nodes"], edges: Edges) -> Int[Tensor, " graphs"]:
    node = segment_argmax(scores, edges.node_offsets)
    return torch.where(scores.index_select(0, node) <= CLOSED, UNDEFINED, node)


_DECIDE: dict[Kind, Callable[[Tensor, Edges], Tensor]] = {
    Kind.MASK: lambda logits, edges: logits > 0,
    Kind.SCALAR: lambda values, edges: values,
    Kind.POINTER: _best_edge,
    Kind.CHOICE: _best_node,
}


def advance(
    task: Task,
    before: Signals,
    decided: Signals,
    finishing: Bool[Tensor, " graphs"],
    edges: Edges,
) -> dict[str, Tensor]:
    """The state after a step.

    A choice adds its node to the mask it grows, unless this is the graph's last step, where no
    choice is defined. A pointer is written only where its supervision covers it; everywhere,
    if what would name those nodes is not decided (an executor that predicts predecessors alone).
    """
    after = dict(before)
    said = {*decided, *(task.signals[name].grows for name in decided)}
    kinds = {name: task.signals[name].kind for name in decided}
    for name in sorted(decided, key=lambda name: _ORDER.index(kinds[name])):
        signal, values = task.signals[name], decided[name]
        if signal.kind is Kind.CHOICE:
            values = torch.where(finishing, UNDEFINED, values)
            if signal.grows is not None:
                after[signal.grows] = before[signal.grows] | edges.mark(values)
        if signal.supervised_where is not None and signal.supervised_where in said:
            covered = nodes_named_by(task, signal.supervised_where, after, edges)
            values = torch.where(covered, values, before[name])
        after[name] = values
    return after


_ORDER = (Kind.CHOICE, Kind.MASK, Kind.SCALAR, Kind.POINTER)
"""What names the nodes a pointer is written at is known before the pointer."""
