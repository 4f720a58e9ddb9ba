"""Is this a minimum spanning tree? By Kruskal's order: edges take their turn from light to heavy.

A chosen edge takes its turn as if it were lighter by the tolerance, and first among equals: edges
too close to tell apart never count against it.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from neuralexec.algorithms.spec import State
from neuralexec.compiled import compiled
from neuralexec.evaluation.agreement import TOLERANCE, Findings, share
from neuralexec.evaluation.predecessors import follow
from neuralexec.evaluation.truth import reachable
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.problem import NO_NODE, Problem


class Edges(NamedTuple):
    senders: NDArray[Any]
    receivers: NDArray[Any]
    weights: NDArray[np.float64]

    def where(self, mask: NDArray[np.bool_]) -> "Edges":
        return Edges(self.senders[mask], self.receivers[mask], self.weights[mask])

    @property
    def total(self) -> float:
        """Rounded once, so that the same weights in another order give the same."""
        return math.fsum(self.weights)


def check_spanning_tree(problem: Problem, answer: State) -> Findings:
    """Of the source's component."""
    reached = reachable(problem)
    paths = follow(problem, answer["predecessor"], reached)
    accuracy, valid = share(answer["in_tree"] == reached), paths.valid_tree
    is_edge = paths.parents != NO_NODE
    chosen = Edges(paths.parents, paths.nodes, paths.weights).where(is_edge)
    optimal = np.zeros(len(paths.nodes), dtype=bool)
    optimal[is_edge], forest = in_minimum_trees(problem.graph, chosen)
    least = forest.where(reached[forest.senders])
    return {
        "exact": accuracy == 1 and valid and is_minimum(problem.graph, chosen),
        "reached_accuracy": accuracy,
        "valid_tree": valid,
        "valid_paths": paths.valid_paths,
        "optimal_predecessors": share(optimal),
        "tree_weight_ratio": _ratio(chosen.total, least.total) if valid else None,
    }


def in_minimum_trees(graph: Graph, chosen: Edges) -> tuple[NDArray[np.bool_], Edges]:
    """For each chosen edge: is it in some minimum spanning tree? And the edges of one such tree.

    An edge is in none if and only if strictly lighter edges join its ends. On a graph in several
    parts the tree is a forest.
    """
    apart, in_forest = _in_turn(graph, chosen, joining=False)
    return apart, Edges(*graph.edges()).where(in_forest)


def is_minimum(graph: Graph, tree: Edges) -> bool:
    """Is a tree that spans a component of the graph a minimum one?

    Each of its edges can be in one without the tree being one: of a triangle that weighs 1, 2, 2
    both heavy edges. So they join nodes as they take their turns, and none may come too late.
    """
    return bool(_in_turn(graph, tree, joining=True)[0].all())


def _in_turn(
    graph: Graph, chosen: Edges, *, joining: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """For the chosen edges, and for all: were its ends apart when the edge took its turn?

    Edges join their ends in their turn; the chosen ones only if `joining`.
    """
    edges, num_chosen = Edges(*graph.edges()), len(chosen.weights)
    turns = np.concatenate((chosen.weights * (1 - TOLERANCE), edges.weights))
    order = np.argsort(turns, kind="stable")
    apart = np.empty(len(order), dtype=bool)
    apart[order] = _apart(
        graph.num_nodes,
        np.concatenate((chosen.senders, edges.senders))[order],
        np.concatenate((chosen.receivers, edges.receivers))[order],
        joining | (order >= num_chosen),
    )
    return apart[:num_chosen], apart[num_chosen:]


@compiled
def _apart(
    num_nodes: int,
    senders: NDArray[Any],
    receivers: NDArray[Any],
    joins: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Union-find: joined nodes have the same root above them; the way up is halved when taken."""
    above = np.arange(num_nodes)
    apart = np.empty(len(senders), dtype=np.bool_)
    for edge in range(len(senders)):
        one, other = senders[edge], receivers[edge]
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        while above[other] != other:
            above[other] = above[above[other]]
            other = above[other]
        apart[edge] = one != other
        if joins[edge]:
            above[other] = one
    return apart


def _ratio(found: float, least: float) -> float:
    if least > 0:
        return found / least
    return math.inf if found > 0 else 1.0
