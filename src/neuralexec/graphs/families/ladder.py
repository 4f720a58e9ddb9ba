"""Ladders: two paths of n / 2 nodes, joined rung by rung."""

import numpy as np

from neuralexec.graphs.families.family import Family
from neuralexec.graphs.topology import Topology


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    rungs = num_nodes // 2
    left = np.arange(rungs)
    right = left + rungs
    senders = np.concatenate((left[:-1], right[:-1], left))
    receivers = np.concatenate((left[1:], right[1:], right))
    side, height = np.divmod(np.arange(num_nodes), rungs)
    return Topology(senders, receivers, np.column_stack((height, side)).astype(float))


family = Family(
    "ladder", "Ladder", draw, fewest_nodes=2, multiple_of=2, reason="it is two equal paths"
)
