"""Which check belongs to which algorithm: all classical, none by the algorithm's own steps.

An algorithm without an entry in `CHECKS` is compared with its oracle.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.algorithms.spec import UNDEFINED, Algorithm, Kind, State
from neuralexec.errors import InputError
from neuralexec.evaluation.agreement import Findings, close, share
from neuralexec.evaluation.shortest_paths import check_shortest_paths
from neuralexec.evaluation.spanning_tree import check_spanning_tree
from neuralexec.evaluation.truth import largest_priorities, reachable
from neuralexec.graphs.problem import Problem


def check_reachable(problem: Problem, answer: State) -> Findings:
    accuracy = share(answer["reachable"] == reachable(problem))
    return {"exact": accuracy == 1, "reached_accuracy": accuracy}


def check_labels(problem: Problem, answer: State) -> Findings:
    """A label is right if it is the largest priority of the node's component and no other's."""
    found, expected = answer["label"], largest_priorities(problem)
    accuracy = share(close(found, expected) & _nearest_is(found, expected))
    return {"exact": accuracy == 1, "label_accuracy": accuracy}


def compare_with_oracle(algorithm: Algorithm, problem: Problem, answer: State) -> Findings:
    """Every signal that the oracle answers."""
    expected = algorithm.oracle(problem)
    shared = [name for name in answer if name in expected]
    if not shared:
        raise InputError(f"{algorithm.title} cannot be certified: its oracle answers no signal")
    kinds = {name: algorithm.signals[name].kind for name in shared}
    return {
        "exact": all(
            bool(SAME[kind](answer[name], expected[name]).all()) for name, kind in kinds.items()
        )
    }


def _nearest_is(found: NDArray[np.float64], expected: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Is no other of the numbers expected nearer than the own one?

    In single precision: what it cannot tell apart, a network cannot.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # nonsense can be huge or infinite
        wanted, own = found.astype(np.float32), expected.astype(np.float32)
        levels = np.unique(own)
        place = np.searchsorted(levels, wanted).clip(max=len(levels) - 1)
        higher, lower = levels[place], levels[np.maximum(place - 1, 0)]
        nearest = np.where(wanted - lower < higher - wanted, lower, higher)
    same: NDArray[np.bool_] = nearest == own
    return same


def _same_node(found: NDArray[np.int64], expected: NDArray[Any]) -> NDArray[np.bool_]:
    """A network points somewhere even where there is nothing to point at."""
    same: NDArray[np.bool_] = (found == expected) | (expected == UNDEFINED)
    return same


CHECKS: dict[str, Callable[[Problem, State], Findings]] = {
    "bfs": check_reachable,
    "bellman-ford": check_shortest_paths,
    "dijkstra": check_shortest_paths,
    "prim": check_spanning_tree,
    "connected-components": check_labels,
}
"""By the algorithm's name."""

SAME: dict[Kind, Callable[[NDArray[Any], NDArray[Any]], NDArray[np.bool_]]] = {
    Kind.MASK: np.equal,
    Kind.SCALAR: close,
    Kind.POINTER: _same_node,
    Kind.CHOICE: np.equal,
}
