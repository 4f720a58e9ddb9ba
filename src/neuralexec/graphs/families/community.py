"""4-community graphs: four dense Erdős–Rényi graphs, sparsely joined."""

import numpy as np

from neuralexec.graphs.families.family import Family, Topology
from neuralexec.graphs.families.trials import equal_groups, pairs_between, pairs_within

NUM_COMMUNITIES = 4
INSIDE, BETWEEN = 0.7, 0.01


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    sizes = equal_groups(num_nodes, NUM_COMMUNITIES)
    starts = np.cumsum(sizes) - sizes
    inside = [
        start + pairs_within(int(size), INSIDE, rng)
        for start, size in zip(starts, sizes, strict=True)
    ]
    pairs = np.concatenate((*inside, pairs_between(sizes, BETWEEN, rng)), axis=1)
    return Topology(*pairs)


family = Family(
    "4-community",
    "4-Community",
    draw,
    fewest_nodes=NUM_COMMUNITIES,
    reason="each of the four communities has a node",
)
