"""What an algorithm is asked: a graph, where to start, and what stands for "no path"."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from neuralexec.errors import InputError
from neuralexec.graphs.graph import Graph

NO_NODE = -1
"""The index that stands for no node: where a problem has no source, or a pointer no target."""


@dataclass(frozen=True, eq=False)
class Problem:
    graph: Graph
    source: int | None = None
    """Where to start; algorithms over the whole graph need none."""
    infinity: float = np.inf
    """The distance of a node without a path: true infinity, or a number a network can read."""
    priorities: NDArray[np.float64] | None = None
    """Random values that tell nodes apart, for algorithms that label components."""
    family: str | None = None
    """The family the graph was drawn from, if it was."""

    def __post_init__(self) -> None:
        if self.source is not None:
            _check_source(self.source, self.graph.num_nodes)
        if self.priorities is not None:
            _check_priorities(self.priorities, self.graph.num_nodes)
        if not self.infinity > 0:
            raise InputError(f"infinity must be above 0; got {self.infinity}")

    @cached_property
    def node_priorities(self) -> NDArray[np.float64]:
        """The given priorities, or a fixed drawing that is the same every time."""
        if self.priorities is not None:
            return self.priorities
        return np.random.default_rng(0).random(self.graph.num_nodes)


def _check_source(source: int, num_nodes: int) -> None:
    if not isinstance(source, int | np.integer) or isinstance(source, bool):
        raise InputError(
            f"a source is the index of a node; got {source!r} (graph.node finds one by its name)"
        )
    if not 0 <= source < num_nodes:
        raise InputError(f"source {source} is out of range: nodes are 0 to {num_nodes - 1}")


def _check_priorities(priorities: NDArray[np.float64], num_nodes: int) -> None:
    if priorities.shape != (num_nodes,) or priorities.dtype != np.float64:
        raise InputError(
            f"priorities must be {num_nodes} numbers of type float64; "
            f"got {priorities.shape} of {priorities.dtype}"
        )
