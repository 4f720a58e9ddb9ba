"""Several problems as one: their graphs side by side, so that one step serves them all.

A step on a small graph is mostly overhead; on the disjoint union of a thousand it is work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.errors import InputError
from neuralexec.graphs.build import offsets_of
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.names import NumberNames
from neuralexec.graphs.problem import NO_NODE, Problem


@dataclass(frozen=True, eq=False)
class Problems:
    """Nodes and arcs count through all graphs: those of one follow those of the one before."""

    members: tuple[Problem, ...]

    def __post_init__(self) -> None:
        if not self.members:
            raise InputError("at least one problem is needed; got none")

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def graph(self) -> Graph:
        """The disjoint union; of a single problem, its own graph."""
        graphs = [problem.graph for problem in self.members]
        if len(graphs) == 1:
            return graphs[0]
        return Graph(
            num_nodes=int(self.node_offsets[-1]),
            offsets=np.concatenate(
                [np.zeros(1, dtype=np.int64)]
                + [
                    graph.offsets[1:] + first
                    for graph, first in zip(graphs, self.edge_offsets, strict=False)
                ]
            ),
            senders=np.concatenate(
                [
                    graph.senders + np.int32(first)
                    for graph, first in zip(graphs, self.node_offsets, strict=False)
                ]
            ),
            weights=np.concatenate([graph.weights for graph in graphs]),
            directed=any(graph.directed for graph in graphs),
            names=NumberNames(range(int(self.node_offsets[-1]))),
        )

    @cached_property
    def node_offsets(self) -> NDArray[np.int64]:
        """[graphs + 1]: where the nodes of each graph begin."""
        return offsets_of([problem.graph.num_nodes for problem in self.members])

    @cached_property
    def edge_offsets(self) -> NDArray[np.int64]:
        """[graphs + 1]: where the arcs of each graph begin."""
        return offsets_of([problem.graph.num_arcs for problem in self.members])

    @cached_property
    def sources(self) -> NDArray[np.int64]:
        """[graphs]: the source of each problem, NO_NODE where it has none."""
        own = np.array(
            [NO_NODE if problem.source is None else problem.source for problem in self.members]
        )
        return np.where(own == NO_NODE, NO_NODE, own + self.node_offsets[:-1])

    @cached_property
    def is_source(self) -> NDArray[np.bool_]:
        """[nodes]"""
        return self.mark(self.sources)

    @cached_property
    def infinity(self) -> NDArray[np.float64]:
        """[nodes]: what stands for "no path" in each node's graph."""
        return self.per_node(np.array([problem.infinity for problem in self.members]))

    @cached_property
    def priorities(self) -> NDArray[np.float64]:
        """[nodes]"""
        return np.concatenate([problem.node_priorities for problem in self.members])

    def per_node(self, per_graph: NDArray[Any]) -> NDArray[Any]:
        """[nodes]: each graph's value at all of its nodes."""
        return per_graph.repeat(np.diff(self.node_offsets))

    def mark(self, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
        """[nodes]: is this the node its graph chose? `chosen` is one node a graph, or NO_NODE."""
        marked = np.zeros(self.node_offsets[-1], dtype=bool)
        marked[chosen[chosen != NO_NODE]] = True
        return marked

    def lowest(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """[graphs]: the first node of the lowest value; NO_NODE where every value is infinite."""
        firsts = self.node_offsets[:-1]
        if len(self) == 1:  # a sequential algorithm on a large graph asks this at every node
            node = np.array([values.argmin()])
            return np.where(values[node] < np.inf, node, NO_NODE)
        lowest = np.minimum.reduceat(values, firsts)
        attains = np.flatnonzero(values == self.per_node(lowest))
        node = attains[np.searchsorted(attains, firsts)]
        return np.where(lowest < np.inf, node, NO_NODE)

    def any(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """[graphs]: is the mask set anywhere in each graph?"""
        return np.logical_or.reduceat(mask, self.node_offsets[:-1])


def with_paper_infinity(problems: Sequence[Problem]) -> list[Problem]:
    """The paper's finite infinity: the longest shortest path from the source, plus 1.

    It is derived from the answer: good for reproducing the paper, not for running a network on a
    graph whose answer is unknown. A problem without a source keeps its own.
    """
    # SciPy takes long to import, and most of the package does without it.
    from scipy.sparse.csgraph import dijkstra

    from neuralexec.graphs.convert.scipy import to_scipy

    together = Problems(tuple(problems))
    sources = together.sources[together.sources != NO_NODE]
    if not len(sources):
        return list(problems)
    # On a disjoint union the nearest source is the graph's own.
    distances = dijkstra(to_scipy(together.graph), indices=sources, min_only=True)
    reached = np.where(np.isfinite(distances), distances, 0)
    longest = np.maximum.reduceat(reached, together.node_offsets[:-1])
    return [
        problem if problem.source is None else replace(problem, infinity=float(length) + 1)
        for problem, length in zip(problems, longest, strict=True)
    ]
