"""Prim: grow a minimum spanning tree of the source's component by its lightest outgoing edge."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree

from neuralexec.algorithms.neighbours import cheapest_edge, pointing_at_sources
from neuralexec.algorithms.spec import UNDEFINED, Algorithm, Kind, Signal, State
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import Problems


def start(problems: Problems) -> State:
    return {
        "in_tree": problems.is_source.copy(),
        "next": np.full(len(problems), UNDEFINED),
        "predecessor": pointing_at_sources(problems),
    }


def step(problems: Problems, state: State) -> State:
    in_tree, predecessor = state["in_tree"], state["predecessor"]
    cost, sender = cheapest_edge(problems.graph, np.where(in_tree, 0.0, np.inf), predecessor)
    chosen = problems.lowest(np.where(in_tree, np.inf, cost))
    is_chosen = problems.mark(chosen)
    return {
        "in_tree": in_tree | is_chosen,
        "next": chosen,
        "predecessor": np.where(is_chosen, sender, predecessor),
    }


def oracle(problem: Problem) -> State:
    graph = problem.graph
    # SciPy drops tree edges of weight zero; the ranks of the weights give the same tree.
    ranks = np.unique(graph.weights, return_inverse=True)[1] + 1
    shape = (graph.num_nodes, graph.num_nodes)
    tree = minimum_spanning_tree(csr_array((ranks, graph.senders, graph.offsets), shape=shape))
    reached, predecessor = breadth_first_order(tree, problem.source, directed=False)
    predecessor[predecessor < 0] = UNDEFINED
    predecessor[problem.source] = problem.source
    in_tree = np.zeros(graph.num_nodes, dtype=bool)
    in_tree[reached] = True
    return {"in_tree": in_tree, "next": np.array([UNDEFINED]), "predecessor": predecessor}


algorithm = Algorithm(
    name="prim",
    title="Prim's algorithm",
    signals={
        "in_tree": Signal(
            Kind.MASK, "is i in the (partial) MST (built from s after t steps)?", fed_back=True
        ),
        "next": Signal(Kind.CHOICE, "the node added to the MST", grows="in_tree"),
        "predecessor": Signal(
            Kind.POINTER, "predecessor of i in the partial MST", supervised_where="next"
        ),
    },
    start=start,
    step=step,
    oracle=oracle,
    undirected_only=True,
)
