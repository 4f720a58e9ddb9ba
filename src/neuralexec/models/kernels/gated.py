"""Messages along edges that are taken away by degrees: plain torch, differentiable in the gate.

Only explanations need it, on graphs small enough to look at.
"""

from __future__ import annotations

import torch

from neuralexec.batches import Edges
from neuralexec.models.kernels.interface import Reduce
from neuralexec.models.shapes import Float, Tensor


def gated_messages(
    receivers: Float[Tensor, "nodes latent"],
    senders: Float[Tensor, "nodes latent"],
    edge: Float[Tensor, "one latent"],
    edges: Edges,
    gate: Float[Tensor, " edges"],
    *,
    reduce: Reduce,
    relu: bool,
) -> Float[Tensor, "nodes latent"]:
    """What each node receives; an edge whose gate is 1 is as always, at 0 as if not there."""
    messages = senders[edges.senders] + edges.weights[:, None] * edge
    if reduce == "max":
        shut = gate == 0  # where the logarithm is infinite, and so would be its gradient
        messages = messages + gate.masked_fill(shut, 1).log()[:, None]
        messages = messages.masked_fill(shut[:, None], -torch.inf)
        largest = torch.segment_reduce(messages, "max", offsets=edges.offsets, axis=0)
        nothing = largest == -torch.inf
        highest = receivers + largest.masked_fill(nothing, 0)
        return (highest.relu() if relu else highest).masked_fill(nothing, 0)
    messages = messages + receivers[edges.receivers]
    messages = (messages.relu() if relu else messages) * gate[:, None]
    total = torch.zeros_like(receivers).index_add(0, edges.receivers, messages)
    if reduce == "sum":
        return total
    counts = gate.new_zeros(edges.num_nodes).index_add(0, edges.receivers, gate)
    return total / counts.clamp(min=torch.finfo(total.dtype).tiny)[:, None]
