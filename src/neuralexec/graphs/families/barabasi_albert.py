"""Barabási–Albert graphs: each new node attaches to 4 or 5 (drawn per graph) others, by degree."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.compiled import compiled
from neuralexec.graphs.families.family import Family
from neuralexec.graphs.graph import BYTES_PER_ARC
from neuralexec.graphs.memory import refuse_if_too_large
from neuralexec.graphs.topology import Topology

FEWEST_ATTACHED, MOST_ATTACHED = 4, 5


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    num_attached = int(rng.integers(FEWEST_ATTACHED, MOST_ATTACHED + 1))
    bytes_needed = num_nodes * num_attached * (8 + 2 * BYTES_PER_ARC)
    refuse_if_too_large(bytes_needed, f"drawing {num_nodes * num_attached:,} edges")
    ends = attach(num_nodes, num_attached, rng)
    return Topology(ends[0::2], ends[1::2])


@compiled
def attach(num_nodes: int, num_attached: int, rng: np.random.Generator) -> NDArray[Any]:
    """The ends of all edges in pairs. Starts from a star; every later node picks distinct others.

    A uniform pick from the ends so far is a pick by degree.
    """
    ends = np.empty(2 * num_attached * (num_nodes - num_attached), dtype=np.int32)
    filled = 0
    for leaf in range(1, num_attached + 1):
        ends[filled], ends[filled + 1] = leaf, 0
        filled += 2
    for node in range(num_attached + 1, num_nodes):
        num_ends = filled  # only edges of earlier nodes attract
        first = filled
        while filled < first + 2 * num_attached:
            picked = ends[int(rng.random() * num_ends)]
            is_new = True
            for earlier in range(first + 1, filled, 2):
                if ends[earlier] == picked:
                    is_new = False
            if is_new:
                ends[filled], ends[filled + 1] = node, picked
                filled += 2
    return ends


family = Family(
    "barabasi-albert",
    "Barabási–Albert",
    draw,
    fewest_nodes=MOST_ATTACHED + 1,
    reason=f"each new node attaches to up to {MOST_ATTACHED} others",
)
