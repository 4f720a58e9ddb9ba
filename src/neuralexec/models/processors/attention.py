"""Attention over the edges into each node, and the two ways to make it sharp.

`entropy` asks training to keep the entropy of the coefficients low; `gumbel` makes them one-hot:
in training a draw (Gumbel softmax, straight-through), afterwards the edge of the highest score.
"""

import torch

from neuralexec.batches import Edges
from neuralexec.models.architecture import Sharpening
from neuralexec.models.kernels import log_softmax, segment_argmax, segment_sum
from neuralexec.models.shapes import Float, Tensor


def attend(
    scores: Float[Tensor, " edges"],
    edges: Edges,
    *,
    sharpening: Sharpening,
    training: bool,
    gate: Float[Tensor, " edges"] | None = None,
) -> tuple[Float[Tensor, " edges"], Float[Tensor, " nodes"] | None]:
    """The coefficients of each node, which add up to 1, and a penalty where there is one."""
    if gate is not None:
        shut = gate == 0
        scores = (scores + gate.masked_fill(shut, 1).log()).masked_fill(shut, -torch.inf)
    if sharpening == "gumbel" and training:
        scores = scores - torch.empty_like(scores).exponential_().log()
    logs = log_softmax(scores, edges.offsets)
    coefficients = logs.exp()
    if sharpening == "gumbel":
        coefficients = _one_hot(scores.detach(), edges) + (coefficients - coefficients.detach())
    if gate is not None:
        coefficients = coefficients * (gate > 0)  # a node with no edge left attends to nothing
    if sharpening != "entropy":
        return coefficients, None
    # What never happens has coefficient 0 and logarithm -inf, and no entropy.
    products = coefficients * logs.clamp(min=torch.finfo(logs.dtype).min)
    return coefficients, -segment_sum(products, edges.offsets)


def _one_hot(scores: Float[Tensor, " edges"], edges: Edges) -> Float[Tensor, " edges"]:
    best = segment_argmax(scores, edges.offsets)
    numbers = torch.arange(edges.num_edges, device=scores.device)
    return (best.index_select(0, edges.receivers) == numbers).to(scores.dtype)
