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
    """What each node receives; an edge whose gate is 1 is as always, at 0 as if not there.

    In between, a maximum is brought down to the least that any edge into the node sends, feature
    by feature: there an edge decides nothing, and a network has seen such messages. (Brought down
    to minus infinity, all edges together would take a network to where its answers mean nothing.)
    """
    messages = senders[edges.senders] + edges.weights[:, None] * edge
    if reduce == "max":
        shut = (gate == 0)[:, None]
        least = torch.segment_reduce(
            messages.masked_fill(shut, torch.inf), "min", offsets=edges.offsets, axis=0
        )
        # Where all are shut nothing is the least, and nothing is sent.
        least = least.masked_fill(least == torch.inf, 0)[edges.receivers]
        messages = least + gate[:, None] * (messages - least)
        messages = messages.masked_fill(shut, -torch.inf)
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
