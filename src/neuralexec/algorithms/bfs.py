"""Breadth-first search for reachability: a node is reached once any neighbour is."""

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from neuralexec.algorithms.neighbours import largest_neighbour
from neuralexec.algorithms.spec import Algorithm, Kind, Signal, State
from neuralexec.graphs.convert.scipy import to_scipy
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import Problems


def start(problems: Problems) -> State:
    return {"reachable": problems.is_source.copy()}


def step(problems: Problems, state: State) -> State:
    return {"reachable": largest_neighbour(problems.graph, state["reachable"])}


def oracle(problem: Problem) -> State:
    reached = breadth_first_order(
        to_scipy(problem.graph), problem.source, return_predecessors=False
    )
    reachable = np.zeros(problem.graph.num_nodes, dtype=bool)
    reachable[reached] = True
    return {"reachable": reachable}


algorithm = Algorithm(
    name="bfs",
    title="Breadth-first search",
    signals={"reachable": Signal(Kind.MASK, "is i reachable from s in ≤ t hops?", fed_back=True)},
    start=start,
    step=step,
    oracle=oracle,
)
