"""Bellman-Ford: distances from the source over ever more hops, and the neighbour they come by.

The predecessor is the paper's argmin over all in-edges, taken on the distances before the step.
With a finite infinity it is literal: a node not reached yet points along its lightest such edge.
"""

import numpy as np
from scipy.sparse.csgraph import dijkstra

from neuralexec.algorithms.neighbours import cheapest_edge, pointing_at_sources
from neuralexec.algorithms.spec import UNDEFINED, Algorithm, Kind, Signal, State
from neuralexec.graphs.convert.scipy import to_scipy
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import Problems


def start(problems: Problems) -> State:
    return {
        "distance": np.where(problems.is_source, 0.0, problems.infinity),
        "predecessor": pointing_at_sources(problems),
    }


def step(problems: Problems, state: State) -> State:
    distance, predecessor = state["distance"], state["predecessor"]
    cost, sender = cheapest_edge(problems.graph, distance, predecessor)
    return {
        "distance": np.minimum(distance, cost),
        "predecessor": np.where(problems.is_source, predecessor, sender),
    }


def oracle(problem: Problem) -> State:
    distance, predecessor = dijkstra(
        to_scipy(problem.graph), indices=problem.source, return_predecessors=True
    )
    predecessor[predecessor < 0] = UNDEFINED
    predecessor[problem.source] = problem.source
    return {"distance": np.minimum(distance, problem.infinity), "predecessor": predecessor}


algorithm = Algorithm(
    name="bellman-ford",
    title="Bellman-Ford",
    signals={
        "distance": Signal(
            Kind.SCALAR,
            "shortest distance from s to i (using ≤ t hops)",
            fed_back=True,
            translates=True,
            begins_infinite=True,
        ),
        "predecessor": Signal(
            Kind.POINTER, "predecessor of i in the shortest path tree (in ≤ t hops)"
        ),
    },
    start=start,
    step=step,
    oracle=oracle,
)
