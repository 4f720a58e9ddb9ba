"""The kernels in plain torch, differentiated by autograd: what the others are compared with.

Gradients of a maximum are shared evenly between the edges that attain it.
"""

import torch

from neuralexec.batches import Edges
from neuralexec.models.kernels.interface import Reduce
from neuralexec.models.shapes import Float, Int, Tensor


class ReferenceKernels:
    def pass_messages(
        self,
        receiver_part: Float[Tensor, "*lead nodes latent"],
        sender_part: Float[Tensor, "*lead nodes latent"],
        edge_part: Float[Tensor, "*lead_or_one one latent"],
        edges: Edges,
        *,
        reduce: Reduce,
        relu: bool,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Float[Tensor, "*lead nodes latent"]:
        messages = sender_part.index_select(-2, edges.senders) + edges.weights[:, None] * edge_part
        if reduce == "max":
            # What the receiver adds is the same on all its edges, and ReLU keeps their order.
            if gate is not None:
                shut = gate == 0  # where the logarithm is infinite, and so would be its gradient
                messages = messages + gate.masked_fill(shut, 1).log()[:, None]
                messages = messages.masked_fill(shut[:, None], -torch.inf)
            largest = _reduced(messages, edges.offsets, "max")
            if gate is None and edges.reach_every_node:
                highest = receiver_part + largest
                return highest.relu() if relu else highest
            nothing = largest == -torch.inf
            highest = receiver_part + largest.masked_fill(nothing, 0)
            return (highest.relu() if relu else highest).masked_fill(nothing, 0)
        messages = messages + receiver_part.index_select(-2, edges.receivers)
        messages = messages.relu() if relu else messages
        if gate is not None:
            messages = messages * gate[:, None]
        total = _reduced(messages, edges.offsets, "sum")
        if reduce == "sum":
            return total
        counts = edges.offsets.diff() if gate is None else self.segment_sum(gate, edges.offsets)
        smallest = torch.finfo(total.dtype).tiny
        return total / counts.to(total.dtype).clamp(min=smallest)[:, None]

    def log_softmax(
        self,
        scores: Float[Tensor, "*lead items"],
        offsets: Int[Tensor, " segments_and_one"],
        owners: Int[Tensor, " items"],
    ) -> Float[Tensor, "*lead items"]:
        highest = self.segment_max(scores.detach(), offsets)
        highest = highest.masked_fill(highest == -torch.inf, 0)  # nothing is possible there
        shifted = scores - highest.index_select(-1, owners)
        total = self.segment_sum(shifted.exp(), offsets).index_select(-1, owners)
        return shifted - total.clamp(min=torch.finfo(total.dtype).tiny).log()

    def weighted_sum(
        self,
        coefficients: Float[Tensor, "*lead edges"],
        values: Float[Tensor, "*lead nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, "*lead nodes latent"]:
        weighted = coefficients.unsqueeze(-1) * values.index_select(-2, edges.senders)
        return _reduced(weighted, edges.offsets, "sum")

    def segment_sum(
        self, values: Float[Tensor, "*lead items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, "*lead segments"]:
        return _reduced(values.unsqueeze(-1), offsets, "sum").squeeze(-1)

    def segment_max(
        self, values: Float[Tensor, "*lead items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, "*lead segments"]:
        return _reduced(values.unsqueeze(-1), offsets, "max").squeeze(-1)

    def argmax(
        self,
        scores: Float[Tensor, "*lead items"],
        offsets: Int[Tensor, " segments_and_one"],
        owners: Int[Tensor, " items"],
    ) -> Int[Tensor, "*lead segments"]:
        scores = scores.nan_to_num(nan=-torch.inf, posinf=torch.inf, neginf=-torch.inf)
        highest = self.segment_max(scores, offsets)
        items = torch.arange(len(owners), device=owners.device)
        none = len(owners)
        attains = torch.where(scores == highest.index_select(-1, owners), items, none)
        first = torch.full_like(highest, none, dtype=torch.int64)
        first = first.scatter_reduce(-1, owners.expand_as(attains), attains, "amin")
        return torch.where(first == none, -1, first)


def _reduced(
    values: Float[Tensor, "*lead items size"], offsets: Int[Tensor, " segments_and_one"], how: str
) -> Float[Tensor, "*lead segments size"]:
    """Over the items of each segment; torch does so along the first axis only."""
    if values.ndim == 2:
        return torch.segment_reduce(values, how, offsets=offsets, axis=0)
    items_first = values.movedim(-2, 0).contiguous()
    return torch.segment_reduce(items_first, how, offsets=offsets, axis=0).movedim(0, -2)
