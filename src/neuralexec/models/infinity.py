"""How a network reads "no path yet": as a number near the distances it has found so far.

The paper's stand-in, the longest shortest path + 1, is derived from the answer, and on a large
graph it is far from every distance so far. Relative to those it is the largest of them, plus a
margin that no single edge of the weights the network was trained on can bridge, and never more
than infinity itself: which in a run is infinite, so that nothing of the answer enters, and on the
paper's data is the paper's. What comes out near the stand-in is infinite still.
"""

from dataclasses import replace
from typing import NamedTuple

import torch

from neuralexec.batches import Edges, Steps
from neuralexec.models.kernels import segment_max
from neuralexec.models.shapes import Bool, Float, Tensor

MARGIN = 2.0  # weights are at most 1: a node just reached stays at least 1 below the stand-in
SLACK = 0.5  # of what is predicted for a node that stays unreached
SLACK_AT_THE_TOP = 0.05  # where the stand-in is infinity itself, and distances come close to it


class Reading(NamedTuple):
    values: Float[Tensor, " nodes"]
    """With the stand-in in place of infinity."""
    no_path: Bool[Tensor, " nodes"]
    stand_in: Float[Tensor, " nodes"]
    infinity: Float[Tensor, " nodes"]


def read(values: Float[Tensor, " nodes"], first: Float[Tensor, " nodes"], edges: Edges) -> Reading:
    """What is read of a signal that was `first` before the first step."""
    # Nothing but infinity is kept to the bit, and the source begins at 0.
    no_path = (values == first) & (first > 0)
    largest = segment_max(values.masked_fill(no_path, -torch.inf), edges.node_offsets)
    stand_in = largest.clamp(min=0).index_select(0, edges.graph_of_node) + MARGIN
    stand_in = stand_in.minimum(first)
    return Reading(torch.where(no_path, stand_in, values), no_path, stand_in, first)


def restored(predicted: Float[Tensor, " nodes"], reading: Reading) -> Float[Tensor, " nodes"]:
    """Infinite again where it was, and where what was predicted is still about that."""
    _, no_path, stand_in, infinity = reading
    slack = torch.where(stand_in < infinity, SLACK, SLACK_AT_THE_TOP)
    return torch.where(no_path & (predicted > stand_in - slack), infinity, predicted)


def read_steps(steps: Steps, first: dict[str, Tensor]) -> Steps:
    """The same steps as they are read; a node that stays unreached keeps what is read of it."""
    inputs, targets = dict(steps.inputs), dict(steps.targets)
    for name, values in first.items():
        reading = read(inputs[name], values, steps.edges)
        inputs[name] = reading.values
        still = reading.no_path & (targets[name] == values)
        targets[name] = torch.where(still, reading.stand_in, targets[name])
    return replace(steps, inputs=inputs, targets=targets)
