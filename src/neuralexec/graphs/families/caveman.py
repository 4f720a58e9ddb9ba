"""4-caveman graphs: four thinned cliques, with shortcuts from clique to clique."""

import numpy as np
from numpy.typing import NDArray

from neuralexec.graphs.families.family import Family, Topology
from neuralexec.graphs.families.trials import equal_groups, pairs_within

NUM_CAVES = 4
REMOVED = 0.7
SHORTCUTS_PER_NODE = 0.025


def draw(num_nodes: int, rng: np.random.Generator) -> Topology:
    sizes = equal_groups(num_nodes, NUM_CAVES)
    starts = np.cumsum(sizes) - sizes
    caves = [
        start + pairs_within(int(size), 1 - REMOVED, rng)
        for start, size in zip(starts, sizes, strict=True)
    ]
    cave_of = np.repeat(np.arange(NUM_CAVES), sizes)
    return Topology(*np.concatenate((*caves, draw_shortcuts(cave_of, rng)), axis=1))


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
