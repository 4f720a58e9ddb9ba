"""The graph families of the paper, one file each; a new file here is a new family."""

import sys
from functools import cache

import numpy as np

from neuralexec.graphs.dress import dress
from neuralexec.graphs.families.family import Family
from neuralexec.graphs.graph import Graph
from neuralexec.plugins import choose, discover


@cache
def families() -> dict[str, Family]:
    """Every family by name."""
    return discover(sys.modules[__name__], "family", Family)


def find_family(name: str) -> Family:
    return choose(families(), name, "family")


def draw_graph(
    family: str | Family, num_nodes: int, rng: np.random.Generator, *, self_edges: bool = True
) -> Graph:
    """One graph of the family with exactly `num_nodes` nodes, dressed as in the paper."""
    if isinstance(family, str):
        family = find_family(family)
    return dress(num_nodes, family.draw_topology(num_nodes, rng), rng, self_edges=self_edges)


__all__ = ["Family", "draw_graph", "families", "find_family"]
