"""Are these shortest paths? Their lengths, and where each node's predecessor leads."""

import math

import numpy as np
from numpy.typing import NDArray

from neuralexec.algorithms.spec import State
from neuralexec.evaluation.agreement import TOLERANCE, Findings, close, share
from neuralexec.evaluation.predecessors import Paths, follow
from neuralexec.evaluation.truth import shortest_distances
from neuralexec.graphs.problem import Problem


def check_shortest_paths(problem: Problem, answer: State) -> Findings:
    """A node no nearer than the problem's infinity counts as out of reach.

    Where there are settled nodes, in the end they are those within reach.
    """
    shortest = shortest_distances(problem)
    reached = shortest < problem.infinity
    paths = _check_paths(follow(problem, answer["predecessor"], reached), shortest)
    settled = answer.get("settled", reached)
    return {
        **paths,
        "exact": bool(
            paths["exact"]
            and close(answer["distance"][reached], shortest[reached]).all()
            and (answer["distance"][~reached] >= problem.infinity * (1 - TOLERANCE)).all()
            and np.array_equal(settled, reached)
        ),
        "reached_accuracy": share(settled == reached) if "settled" in answer else None,
        "distance_error": _largest_error(answer["distance"][reached], shortest[reached]),
    }


def _check_paths(paths: Paths, shortest: NDArray[np.float64]) -> Findings:
    least = shortest[paths.nodes]
    optimal = _are_optimal(paths, shortest)
    mean_stretch, worst_stretch = _stretch(paths.costs, least)
    return {
        # Steps that are each within tolerance can add up to a path that is not.
        "exact": paths.valid_tree and bool(optimal.all() and close(paths.costs, least).all()),
        "valid_tree": paths.valid_tree,
        "valid_paths": paths.valid_paths,
        "optimal_predecessors": share(optimal),
        "mean_stretch": mean_stretch,
        "worst_stretch": worst_stretch,
    }


def _are_optimal(paths: Paths, shortest: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Does a shortest path come by this predecessor?"""
    to_parent, to_node = shortest[paths.parents], shortest[paths.nodes]
    # Far from the source the tolerance can exceed a weight: a step away from it stays wrong.
    return close(to_parent + paths.weights, to_node) & (to_parent <= to_node)


def _stretch(
    costs: NDArray[np.float64], least: NDArray[np.float64]
) -> tuple[float | None, float | None]:
    """Mean and worst of what paths cost, relative to the least they could."""
    counted = np.isfinite(costs) & (least > 0)
    if not counted.any():
        return None, None
    with np.errstate(over="ignore"):  # the least can be next to nothing
        stretch = costs[counted] / least[counted]
        return float(stretch.mean()), float(stretch.max())


def _largest_error(found: NDArray[np.float64], expected: NDArray[np.float64]) -> float:
    with np.errstate(over="ignore"):  # huge nonsense
        error = float(np.abs(found - expected).max())
    return math.inf if math.isnan(error) else error
