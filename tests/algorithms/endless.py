"""An algorithm that never ends, to see what stops it."""

import numpy as np

from neuralexec import Graph, Problem
from neuralexec.algorithms.spec import Algorithm, Kind, Signal


def counting(**changes) -> Algorithm:
    """An algorithm that never ends, to see the runner stop it."""
    settings = {
        "name": "counting",
        "title": "Counting",
        "signals": {"count": Signal(Kind.SCALAR, "how many steps", fed_back=True)},
        "start": lambda problems: {"count": np.zeros(problems.graph.num_nodes)},
        "step": lambda problems, state: {"count": state["count"] + 1},
        "oracle": lambda problem: {},
    }
    return Algorithm(**{**settings, **changes})


def one_edge() -> Problem:
    return Problem(Graph.from_edges(2, [0], [1]), 0)
