"""4-caveman graphs: four thinned cliques, with shortcuts from clique to clique."""

import numpy as np
from numpy.typing import NDArray

from neuralexec.graphs.families.family import Family
from neuralexec.graphs.families.trials import equal_groups, pairs_within
from neuralexec.graphs.topology import Topology

NUM_CAVES = 4
REMOVED = 0.7
SHORTCUTS_PER_NODE = 0.025


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    sizes = equal_groups(num_nodes, NUM_CAVES)
    inside = pairs_within(sizes, 1 - REMOVED, rng)
    cave_of = np.repeat(np.arange(NUM_CAVES), sizes)
    return Topology(*np.concatenate((inside, draw_shortcuts(cave_of, rng)), axis=1))


def draw_shortcuts(cave_of: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Shape [2, shortcuts]: distinct pairs of nodes in different caves, all equally likely."""
    num_nodes = len(cave_of)
    num_shortcuts = max(1, int(SHORTCUTS_PER_NODE * num_nodes))
    drawn: dict[tuple[int, int], None] = {}  # a set that keeps the order of drawing
    while len(drawn) < num_shortcuts:
        one, other = sorted(rng.integers(0, num_nodes, size=2).tolist())
        if cave_of[one] != cave_of[other]:
            drawn[one, other] = None
    return np.array(list(drawn)).T


family = Family(
    "4-caveman",
    "4-Caveman",
    draw,
    fewest_nodes=NUM_CAVES,
    reason="each of the four caves has a node",
)
