"""4-community graphs: four dense Erdős–Rényi graphs, sparsely joined."""

import numpy as np

from neuralexec.graphs.families.family import Family
from neuralexec.graphs.families.trials import equal_groups, pairs_between, pairs_within
from neuralexec.graphs.topology import Topology

NUM_COMMUNITIES = 4
INSIDE, BETWEEN = 0.7, 0.01


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    sizes = equal_groups(num_nodes, NUM_COMMUNITIES)
    inside, between = pairs_within(sizes, INSIDE, rng), pairs_between(sizes, BETWEEN, rng)
    return Topology(*np.concatenate((inside, between), axis=1))


family = Family(
    "4-community",
    "4-Community",
    draw,
    fewest_nodes=NUM_COMMUNITIES,
    reason="each of the four communities has a node",
)
