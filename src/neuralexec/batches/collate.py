"""Trace all problems together and turn the traces into one batch of tensors.

Every node gets a self-edge where it lacks one, and an infinite infinity becomes the paper's
finite one, since a network reads numbers: the longest shortest path of that graph, plus 1.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from neuralexec.algorithms import Kind, Task, Traces, trace_all
from neuralexec.batches.batch import Batch
from neuralexec.batches.edges import Edges
from neuralexec.batches.start import Start
from neuralexec.batches.taking import NOT_THERE, find_edges
from neuralexec.errors import InputError
from neuralexec.graphs.dress import with_self_edges
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import Problems, with_paper_infinity

MOST_EDGES = 2**31 - 1  # an edge is a 32-bit number

DTYPES = {
    Kind.MASK: torch.bool,
    Kind.SCALAR: torch.float32,
    Kind.POINTER: torch.int32,
    Kind.CHOICE: torch.int64,
}


def collate(problems: Sequence[Problem], task: Task) -> Batch:
    """One batch of all the problems, with every step of the task's algorithms."""
    together = Problems(tuple(_with_finite_infinity(_with_self_edges(problems))))
    runs = [trace_all(algorithm, together) for algorithm in task.algorithms]
    num_steps = np.max([run.num_steps for run in runs], axis=0)
    return Batch(
        task=task,
        families=tuple(problem.family for problem in problems),
        edges=_edges(together),
        num_steps=torch.from_numpy(num_steps),
        states={
            name: torch.from_numpy(values).to(DTYPES[task.signals[name].kind])
            for run in runs
            for name, values in _in_batch(run, int(num_steps.max())).items()
        },
    )


def begin(problems: Sequence[Problem], task: Task) -> Start:
    """What an executor is given of the problems: nothing is traced, and infinity stays infinite."""
    together = Problems(tuple(_with_self_edges(problems)))
    signals = {}
    for algorithm in task.algorithms:
        for problem in together.members:
            algorithm.check(problem)
        for name, values in algorithm.start(together).items():
            kind = algorithm.signals[name].kind
            if kind is Kind.POINTER:
                values = _edges_from(together.graph, values)
            signals[name] = torch.from_numpy(values.copy()).to(DTYPES[kind])
    return Start(task, _edges(together), signals)


def _edges(together: Problems) -> Edges:
    graph = together.graph
    if graph.num_arcs > MOST_EDGES:
        raise InputError(
            f"networks run on at most {MOST_EDGES:,} edges, self-edges and both directions "
            f"counted; there are {graph.num_arcs:,}"
        )
    return Edges(
        node_offsets=torch.from_numpy(together.node_offsets),
        senders=torch.from_numpy(graph.senders.copy()),
        offsets=torch.from_numpy(graph.offsets.copy()),
        weights=torch.from_numpy(graph.weights.astype(np.float32)),
    )


def _with_self_edges(problems: Sequence[Problem]) -> list[Problem]:
    return [replace(problem, graph=with_self_edges(problem.graph)) for problem in problems]


def _with_finite_infinity(problems: list[Problem]) -> list[Problem]:
    endless = [place for place, problem in enumerate(problems) if math.isinf(problem.infinity)]
    finite = with_paper_infinity([problems[place] for place in endless]) if endless else []
    replaced = dict(zip(endless, finite, strict=True))
    return [replaced.get(place, problem) for place, problem in enumerate(problems)]


def _in_batch(run: Traces, most_steps: int) -> dict[str, NDArray[Any]]:
    """A run's states, up to the end of the longest run of the task, pointers as edges."""
    states = {}
    for name, signal in run.algorithm.signals.items():
        values = run.states[name]
        if signal.kind is Kind.POINTER:
            values = _edges_from(run.problems.graph, values)
        missing = most_steps + 1 - len(values)  # where another algorithm of the task goes on
        states[name] = np.concatenate((values, values[-1:].repeat(missing, axis=0)))
    return states


def _edges_from(graph: Graph, pointers: NDArray[np.int32]) -> NDArray[np.int64]:
    """The index of the edge that leads to each node from the node it points at."""
    edges = np.empty(pointers.shape, dtype=np.int64)
    rows = pointers.reshape(-1, graph.num_nodes), edges.reshape(-1, graph.num_nodes)
    find_edges(graph.offsets, graph.senders, *rows)
    if (edges == NOT_THERE).any():
        raise ValueError("a pointer names a node that is not a neighbour")
    return edges
