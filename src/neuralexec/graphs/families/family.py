"""What a family is: a name, a rule for which sizes exist, and a way to draw edges."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from neuralexec.errors import InputError
from neuralexec.graphs.graph import check_size
from neuralexec.graphs.memory import refuse_if_too_large
from neuralexec.graphs.topology import Topology

BYTES_PER_NODE_DRAWN = 100
"""What even the sparsest family needs for a node while it draws."""


@dataclass(frozen=True)
class Family:
    name: str
    title: str
    """As the paper's tables print it."""
    draw: Callable[[int, np.random.Generator], Topology]
    fewest_nodes: int = 1
    multiple_of: int = 1
    reason: str = ""
    """Why other sizes do not exist, for the message that refuses one."""

    def draw_topology(self, num_nodes: int, rng: np.random.Generator) -> Topology:
        self.check_size(num_nodes)
        return self.draw(num_nodes, rng)

    def check_size(self, num_nodes: int) -> None:
        check_size(num_nodes)
        refuse_if_too_large(BYTES_PER_NODE_DRAWN * num_nodes, f"drawing {num_nodes:,} nodes")
        if num_nodes >= self.fewest_nodes and num_nodes % self.multiple_of == 0:
            return
        below = num_nodes - num_nodes % self.multiple_of
        fitting = (below, below + self.multiple_of)
        fits = " or ".join(str(size) for size in fitting if size >= self.fewest_nodes)
        raise InputError(
            f"no {self.title} graph has {num_nodes} nodes: {self.reason}; "
            f"use {fits or self.fewest_nodes}"
        )
