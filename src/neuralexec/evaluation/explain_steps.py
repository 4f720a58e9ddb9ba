"""What there is to explain in the true runs: which nodes, at which step, by which edges.

A bit of a MASK is explained where it is first set: an edge is right if its sender had the bit
before. A POINTER is explained where it has its last value, and what it points at is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from neuralexec.algorithms import UNDEFINED, Kind, Task
from neuralexec.batches import Batch

NEVER = -1


@dataclass(frozen=True, eq=False)
class ToExplain:
    step: Tensor  # [nodes]: the step, from 0, in which the node is explained, or NEVER
    right: Tensor  # [edges]: can the node into which this edge leads have it from its sender?


def to_explain(batch: Batch, signal: str) -> ToExplain:
    """The nodes that this signal reaches after the start."""
    return TO_EXPLAIN[batch.task.signals[signal].kind](batch, signal)


def _of_mask(batch: Batch, signal: str) -> ToExplain:
    bits, edges = batch.states[signal], batch.edges
    step = _first(bits[1:] & ~bits[0])
    before = step[edges.receivers].clamp(min=0)
    right = bits[before, edges.senders] & (step[edges.receivers] != NEVER)
    # A bit that no neighbour had before came along no edge.
    by_an_edge = _any_into(right, batch)
    return ToExplain(step.masked_fill(~by_an_edge, NEVER), right)


def _of_pointer(batch: Batch, signal: str) -> ToExplain:
    pointers, edges = batch.states[signal], batch.edges
    settled = torch.ones_like(pointers[1:], dtype=torch.bool)
    for name in _settling(batch.task, signal):
        values = batch.states[name]
        settled &= _stays_from(values[1:] != values[:-1])
    started = pointers[0] != UNDEFINED
    step = _first(settled & batch.supervised(signal))
    step = step.masked_fill(started | ~_led_to(started, pointers[-1], batch), NEVER)
    numbers = torch.arange(edges.num_edges, device=edges.device)
    right = (pointers[-1][edges.receivers] == numbers) & (step[edges.receivers] != NEVER)
    return ToExplain(step, right)


def _settling(task: Task, pointer: str) -> list[str]:
    """The pointer and the numbers of its algorithm: it may point right before it has reason to."""
    [signals] = [one.signals for one in task.algorithms if pointer in one.signals]
    return [
        name for name, signal in signals.items() if name == pointer or signal.kind is Kind.SCALAR
    ]


def _first(flags: Tensor) -> Tensor:
    """The first row with a flag, of each column, or NEVER.

    >>> _first(torch.tensor([[False, False, True], [True, False, True]])).tolist()
    [1, -1, 0]
    """
    return torch.where(flags.any(0), flags.int().argmax(0), NEVER)


def _stays_from(changed: Tensor) -> Tensor:
    """Is this row the last that changes, or after it?"""
    later = changed.int().flip(0).cumsum(0).flip(0) - changed.int()
    return later == 0


def _led_to(reached: Tensor, pointers: Tensor, batch: Batch) -> Tensor:
    """The nodes from which pointers lead back to one that is reached."""
    targets = batch.edges.senders[pointers.clamp(min=0)].long()
    while True:
        more = reached | (reached[targets] & (pointers != UNDEFINED))
        if torch.equal(more, reached):
            return reached
        reached = more


def _any_into(flags: Tensor, batch: Batch) -> Tensor:
    """[nodes]: does any edge into the node have the flag?"""
    found = torch.zeros(batch.num_nodes, dtype=torch.bool, device=flags.device)
    found[batch.edges.receivers[flags].long()] = True
    return found


TO_EXPLAIN: dict[Kind, Callable[[Batch, str], ToExplain]] = {
    Kind.MASK: _of_mask,
    Kind.POINTER: _of_pointer,
}
"""The kinds of signal that can be explained by an edge."""
