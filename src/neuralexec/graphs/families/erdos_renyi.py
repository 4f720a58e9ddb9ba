"""Erdős–Rényi graphs with edge probability min(log2 n / n, 0.5); may be disconnected."""

import math

import numpy as np

from neuralexec.graphs.families.family import Family
from neuralexec.graphs.families.trials import pairs_within
from neuralexec.graphs.topology import Topology


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    return Topology(*pairs_within(np.array([num_nodes]), edge_probability(num_nodes), rng))


def edge_probability(num_nodes: int) -> float:
    return min(math.log2(num_nodes) / num_nodes, 0.5)


family = Family("erdos-renyi", "Erdős–Rényi", draw)
