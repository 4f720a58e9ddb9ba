"""Dijkstra: settle the nearest unsettled node, then offer its neighbours a path through it."""

import numpy as np

from neuralexec.algorithms import bellman_ford
from neuralexec.algorithms.neighbours import cheapest_edge
from neuralexec.algorithms.spec import UNDEFINED, Algorithm, Kind, Signal, State
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import Problems


def start(problems: Problems) -> State:
    return {
        **bellman_ford.start(problems),
        "settled": np.zeros(problems.graph.num_nodes, dtype=bool),
        "next": np.full(len(problems), UNDEFINED),
    }


def step(problems: Problems, state: State) -> State:
    distance, settled, predecessor = state["distance"], state["settled"], state["predecessor"]
    closed = settled | (distance >= problems.infinity)
    chosen = problems.lowest(np.where(closed, np.inf, distance))
    is_chosen = problems.mark(chosen)
    through_chosen = np.where(is_chosen, distance, np.inf)
    cost, sender = cheapest_edge(problems.graph, through_chosen, predecessor)
    return {
        "distance": np.minimum(distance, cost),
        "predecessor": np.where(cost < distance, sender, predecessor),
        "settled": settled | is_chosen,
        "next": chosen,
    }


def oracle(problem: Problem) -> State:
    shortest = bellman_ford.oracle(problem)
    settled = shortest["distance"] < problem.infinity
    return {**shortest, "settled": settled, "next": np.array([UNDEFINED])}


algorithm = Algorithm(
    name="dijkstra",
    title="Dijkstra's algorithm",
    signals={
        "distance": Signal(
            Kind.SCALAR,
            "shortest distance from s to i (through settled nodes)",
            fed_back=True,
            translates=True,
            begins_infinite=True,
        ),
        "settled": Signal(Kind.MASK, "is the distance of i final?", fed_back=True),
        "next": Signal(Kind.CHOICE, "the node settled", grows="settled"),
        "predecessor": Signal(
            Kind.POINTER, "predecessor of i on that path", supervised_where="settled"
        ),
    },
    start=start,
    step=step,
    oracle=oracle,
    more_steps_than_nodes=1,  # every node is settled, the source too, and then nothing changes
)
