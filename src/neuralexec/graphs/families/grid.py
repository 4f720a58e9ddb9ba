"""Two-dimensional grids, as square as the number of nodes allows (a prime gives a path)."""

import math

import numpy as np

from neuralexec.graphs.families.family import Family
from neuralexec.graphs.topology import Topology


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    rows = next(rows for rows in range(math.isqrt(num_nodes), 0, -1) if num_nodes % rows == 0)
    nodes = np.arange(num_nodes).reshape(rows, num_nodes // rows)
    senders = np.concatenate((nodes[:, :-1].ravel(), nodes[:-1].ravel()))
    receivers = np.concatenate((nodes[:, 1:].ravel(), nodes[1:].ravel()))
    row, column = np.divmod(np.arange(num_nodes), num_nodes // rows)
    return Topology(senders, receivers, np.column_stack((column, row)).astype(float))


family = Family("grid", "2-D Grid", draw)
