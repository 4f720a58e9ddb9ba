"""A certificate: is this answer right, and if not, how far off is it?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from numpy.typing import NDArray

from neuralexec.algorithms.spec import Algorithm
from neuralexec.errors import InputError
from neuralexec.evaluation.answer import read_answer
from neuralexec.evaluation.checks import CHECKS, compare_with_oracle
from neuralexec.graphs.problem import Problem

SHARES = {
    "reached_accuracy",
    "valid_paths",
    "optimal_predecessors",
    "label_accuracy",
}


@dataclass(frozen=True)
class Certificate:
    """What does not apply to an algorithm is None. Of ties, each counts as right.

    >>> certificate = Certificate("bfs", exact=False, reached_accuracy=0.75)
    >>> print(certificate)
    bfs: not exact; reached accuracy 75%
    >>> Certificate.from_json(certificate.to_json()) == certificate
    True
    """

    algorithm: str
    exact: bool
    """Is all right that the algorithm defines?"""
    reached_accuracy: float | None = None
    """Share of nodes correctly said to be, or not to be, within reach or in the tree."""
    valid_tree: bool | None = None
    """Do the predecessors of the nodes within reach make a tree of edges, the source its root?"""
    valid_paths: float | None = None
    """Share of nodes within reach, source excluded, whose predecessors lead to the source."""
    optimal_predecessors: float | None = None
    """Share of those nodes whose predecessor is on a shortest path, or in a minimum tree."""
    mean_stretch: float | None = None
    """Cost of a path by predecessors over the least cost; where both are, and that is above 0."""
    worst_stretch: float | None = None
    tree_weight_ratio: float | None = None
    """Weight of the tree over that of a minimum one; of a valid tree only."""
    distance_error: float | None = None
    """The largest of a node within reach; infinite if one is not a number."""
    label_accuracy: float | None = None
    """Share of nodes with the label of their component and of no other."""

    def to_json(self) -> dict[str, Any]:
        return {name: "inf" if value == math.inf else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> Certificate:
        known = [field.name for field in fields(cls)]
        unknown = [name for name in saved if name not in known]
        if unknown or not isinstance(saved.get("exact"), bool) or "algorithm" not in saved:
            wrong = f"unknown {unknown[0]!r}" if unknown else "no 'algorithm' or 'exact'"
            raise InputError(f"this is not a certificate: it has {wrong}")
        values = {name: math.inf if value == "inf" else value for name, value in saved.items()}
        return cls(**{**values, "algorithm": saved["algorithm"]})

    def __str__(self) -> str:
        """One line; a share is rounded down, so that 100% is all."""
        measured = {name: value for name, value in asdict(self).items() if value is not None}
        verdict = "exact" if self.exact else "not exact"
        details = ", ".join(
            f"{name.replace('_', ' ')} {_in_words(name, value)}"
            for name, value in measured.items()
            if name not in ("algorithm", "exact")
        )
        return f"{self.algorithm}: {verdict}" + (f"; {details}" if details else "")


def certify(
    algorithm: Algorithm, problem: Problem, answer: Mapping[str, NDArray[Any]]
) -> Certificate:
    """Check the signals with which a run ended, in near-linear time and however wrong they are.

    Nodes are numbered as in the problem's graph; a POINTER is the node pointed at, -1 for none.
    Of a task, certify one algorithm at a time: signals of others are ignored.

    >>> import numpy as np
    >>> from neuralexec import Graph, find_algorithm
    >>> graph = Graph.from_edges(3, [0, 1, 0], [1, 2, 2], [1.0, 1.0, 3.0])
    >>> detour = {"distance": np.array([0.0, 1.0, 3.0]), "predecessor": np.array([0, 0, 0])}
    >>> certificate = certify(find_algorithm("bellman-ford"), Problem(graph, source=0), detour)
    >>> certificate.exact, certificate.valid_tree, certificate.optimal_predecessors
    (False, True, 0.5)
    """
    algorithm.check(problem)
    signals = read_answer(algorithm, problem, answer)
    if algorithm.name in CHECKS:
        return Certificate(algorithm.name, **CHECKS[algorithm.name](problem, signals))
    return Certificate(algorithm.name, **compare_with_oracle(algorithm, problem, signals))


def _in_words(name: str, value: float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name in SHARES:
        return f"{math.floor(round(1000 * value, 9)) / 10:g}%"
    return f"{value:.6g}"
