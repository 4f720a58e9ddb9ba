"""Connected components: every node ends with the largest priority of its component."""

import numpy as np
from scipy.sparse import csgraph

from neuralexec.algorithms.neighbours import largest_neighbour
from neuralexec.algorithms.spec import Algorithm, Kind, Signal, State
from neuralexec.graphs.convert.scipy import to_scipy
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import Problems


def start(problems: Problems) -> State:
    return {"label": problems.priorities.copy()}


def step(problems: Problems, state: State) -> State:
    return {"label": largest_neighbour(problems.graph, state["label"])}


def oracle(problem: Problem) -> State:
    num_components, component = csgraph.connected_components(to_scipy(problem.graph))
    largest = np.full(num_components, -np.inf)
    np.maximum.at(largest, component, problem.node_priorities)
    return {"label": largest[component]}


algorithm = Algorithm(
    name="connected-components",
    title="Connected components",
    signals={
        "label": Signal(
            Kind.SCALAR,
            "the largest priority within ≤ t hops of i",
            fed_back=True,
            translates=True,
        )
    },
    start=start,
    step=step,
    oracle=oracle,
    needs_source=False,
    undirected_only=True,
)
