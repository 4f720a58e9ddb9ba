"""An answer as the checks read it: every signal there, of the right shape and one fixed type."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.algorithms.spec import Algorithm, Kind, Signal, State
from neuralexec.errors import InputError
from neuralexec.graphs.problem import Problem

TYPES = {
    Kind.MASK: np.bool_,
    Kind.SCALAR: np.float64,
    Kind.POINTER: np.int64,
    Kind.CHOICE: np.int64,
}
ACCEPTED = {Kind.MASK: "b", Kind.SCALAR: "fiu", Kind.POINTER: "iu", Kind.CHOICE: "iu"}
"""By NumPy's letters: bits, floating-point numbers, whole numbers with and without a sign."""
IN_WORDS = {
    Kind.MASK: "bits",
    Kind.SCALAR: "real numbers",
    Kind.POINTER: "indices of nodes",
    Kind.CHOICE: "the index of a node",
}


def is_answer(signal: Signal) -> bool:
    """A choice that grows a mask tells what the last step did; the answer is in the mask."""
    return signal.grows is None


def read_answer(
    algorithm: Algorithm, problem: Problem, answer: Mapping[str, NDArray[Any]]
) -> State:
    """The algorithm's own signals: the answer to a task has those of others too."""
    return {
        name: _read(name, signal, problem, answer)
        for name, signal in algorithm.signals.items()
        if is_answer(signal)
    }


def _read(
    name: str, signal: Signal, problem: Problem, answer: Mapping[str, NDArray[Any]]
) -> NDArray[Any]:
    if name not in answer:
        raise InputError(f"the answer lacks {name!r}; it has {', '.join(answer) or 'no signals'}")
    values = np.asarray(answer[name])
    shape = (problem.graph.num_nodes if signal.kind.per_node else 1,)
    if values.shape != shape or values.dtype.kind not in ACCEPTED[signal.kind]:
        raise InputError(
            f"{name!r} must hold {IN_WORDS[signal.kind]} in the shape {shape}; "
            f"got {values.dtype} in the shape {values.shape}"
        )
    return values.astype(TYPES[signal.kind])
