"""How a network reads "no path yet" on a graph whose answer nobody knows.

The paper's stand-in, the longest shortest path + 1, is derived from the answer. In a run it is
relative instead: the largest value so far, plus a margin that no single edge of the weights the
network was trained on can bridge. What comes out near the stand-in is infinite still.
"""

import torch

from neuralexec.batches import Edges
from neuralexec.models.kernels import segment_max
from neuralexec.models.shapes import Float, Tensor

MARGIN = 2.0  # weights are at most 1: a node just reached stays at least 1 below the stand-in


def readable(
    values: Float[Tensor, " nodes"], edges: Edges
) -> tuple[Float[Tensor, " nodes"], Float[Tensor, " nodes"]]:
    """The values with a number for infinity, and that number at every node."""
    finite = values.masked_fill(values.isinf(), -torch.inf)
    largest = segment_max(finite, edges.node_offsets)
    stand_in = largest.clamp(min=0).index_select(0, edges.graph_of_node) + MARGIN
    return torch.where(values.isinf(), stand_in, values), stand_in


def restored(
    predicted: Float[Tensor, " nodes"],
    before: Float[Tensor, " nodes"],
    stand_in: Float[Tensor, " nodes"],
) -> Float[Tensor, " nodes"]:
    """Infinite again where it was, and where what was predicted is still about that."""
    still = before.isinf() & (predicted > stand_in - MARGIN / 4)
    return predicted.masked_fill(still, torch.inf)
