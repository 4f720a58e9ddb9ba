"""Executors that are no networks: always right, wrong in one place, or right now and then."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import torch

from neuralexec import Graph, Kind, Problem
from neuralexec.algorithms import UNDEFINED
from neuralexec.batches import Edges, Start
from neuralexec.models.executor import Executor, State, Step
from tests.models.true_executor import TrueExecutor

TASKS = ["bfs", "bfs+bellman-ford", "prim", "dijkstra", "connected-components"]


def trail() -> Problem:
    """0 - 1 - 2 - 3, and 4 apart; infinity becomes 2.75. Four steps, Dijkstra takes five.

    distance     0   I   I   I   I     label  .50 .25 .12 1.0 .75
                 0  .5   I   I   I            .50 .50 1.0 1.0 .75
                 0  .5 .75   I   I            .50 1.0 1.0 1.0 .75
                 0  .5 .75 1.75  I            1.0 1.0 1.0 1.0 .75
    """
    graph = Graph.from_edges(5, [0, 1, 2], [1, 2, 3], [0.5, 0.25, 1.0])
    return Problem(graph, 0, priorities=np.array([0.5, 0.25, 0.125, 1.0, 0.75]))


def bypass() -> Problem:
    """Prim adds 1, 2 and 3 along 0 - 1 - 2 - 3; 0 - 2 is heavier, 4 is apart. Four steps."""
    return Problem(Graph.from_edges(5, [0, 1, 2, 0], [1, 2, 3, 2], [0.25, 0.5, 0.75, 1.0]), 0)


def alone() -> Problem:
    return Problem(Graph.from_edges(1, [], []), 0)


def on_a_grid(problem: Problem) -> Problem:
    """Every number a multiple of 1/1024: single precision then adds them without rounding."""
    weights = np.ceil(problem.graph.weights * 1024) / 1024
    priorities = np.ceil(problem.node_priorities * 1024) / 1024
    graph = replace(problem.graph, weights=weights)
    return replace(problem, graph=graph, priorities=priorities)


class PerfectExecutor:
    """Reads the problems off what it is given, and takes the algorithms' own steps on them."""

    def start(self, start: Start) -> State:
        self.true = TrueExecutor(problems_in(start), start.task)
        return self.true.start(start)

    def step(self, start: Start, state: State) -> Step:
        return self.true.step(start, state)

    def stop(self, step: Step) -> torch.Tensor:
        return step.terminated > 0.5


@dataclass(frozen=True)
class Fault:
    """What is said instead. Steps count from 1; a node is pointed at by its index."""

    step: int
    signal: str
    """Or "termination"."""
    place: int
    """The node; the graph for a choice and for termination."""
    value: float


class Faulty:
    """Right but for these faults, whatever they lead to."""

    def __init__(self, *faults: Fault) -> None:
        self.inner: Executor = PerfectExecutor()
        self.faults = faults

    def start(self, start: Start) -> State:
        first = self.inner.start(start)
        return State(first.signals, memory=(1, first.memory))

    def step(self, start: Start, state: State) -> Step:
        number, memory = state.memory
        step = self.inner.step(start, State(state.signals, memory))
        said = {name: values.clone() for name, values in step.decided.items()}
        said["termination"] = step.terminated.clone()
        for fault in self.faults:
            if fault.step == number:
                value = fault.value
                if fault.signal == "predecessor":
                    value = edge_between(start.edges, int(value), fault.place)
                assert said[fault.signal][fault.place] != value, "this would be no fault"
                said[fault.signal][fault.place] = value
        terminated = said.pop("termination")
        return Step(said, {}, terminated, memory=(number + 1, step.memory))

    def stop(self, step: Step) -> torch.Tensor:
        return step.terminated > 0.5


class Erratic:
    """Right at most places and times, and anything at the others."""

    def __init__(self, seed: int) -> None:
        self.inner: Executor = PerfectExecutor()
        self.seed = seed

    def start(self, start: Start) -> State:
        first = self.inner.start(start)
        return State(first.signals, memory=(0, first.memory))

    def step(self, start: Start, state: State) -> Step:
        number, memory = state.memory
        step = self.inner.step(start, State(state.signals, memory))
        rng = np.random.default_rng([self.seed, number])
        edges, signals = start.edges, start.task.signals
        said = {
            name: torch.tensor(
                [
                    value if rng.random() < 0.7 else anything(signals[name].kind, place, edges, rng)
                    for place, value in enumerate(values.tolist())
                ],
                dtype=values.dtype,
            )
            for name, values in step.decided.items()
        }
        sure = torch.from_numpy(rng.random(edges.num_graphs) < 0.7)
        terminated = torch.where(sure, step.terminated, 1 - step.terminated)
        return Step(said, {}, terminated, memory=(number + 1, step.memory))

    def stop(self, step: Step) -> torch.Tensor:
        return step.terminated > 0.5


def anything(kind: Kind, place: int, edges: Edges, rng: np.random.Generator) -> float:
    """Something that a signal of this kind can say at a node, or of a graph."""
    if kind is Kind.MASK:
        return bool(rng.integers(2))
    if kind is Kind.SCALAR:
        return float(rng.integers(9)) / 4
    offsets = edges.offsets if kind is Kind.POINTER else edges.node_offsets
    first, stop = offsets[place : place + 2].tolist()
    return int(rng.integers(first, stop)) if rng.random() < 0.8 else UNDEFINED


def edge_between(edges: Edges, sender: int, receiver: int) -> int:
    [edge] = ((edges.senders == sender) & (edges.receivers == receiver)).nonzero().flatten()
    return int(edge)


def problems_in(start: Start) -> list[Problem]:
    """The problems whose first states these are."""
    edges, signals = start.edges, start.signals
    problems = []
    for first, stop in pairwise(edges.node_offsets.tolist()):
        arcs = (edges.receivers >= first) & (edges.receivers < stop)
        own = {name: values[first:stop].tolist() for name, values in signals.items()}
        graph = Graph.from_arcs(
            stop - first,
            (edges.senders[arcs] - first).numpy(),
            (edges.receivers[arcs] - first).numpy(),
            edges.weights[arcs].double().numpy(),
        )
        infinity = max(own.get("distance", [0]))
        problems.append(
            Problem(
                graph,
                _source(own),
                infinity=infinity if infinity > 0 else np.inf,
                priorities=np.array(own["label"]) if "label" in own else None,
            )
        )
    return problems


def _source(own: dict[str, Sequence[float]]) -> int | None:
    if "predecessor" in own:
        return next(node for node, edge in enumerate(own["predecessor"]) if edge != UNDEFINED)
    return own["reachable"].index(True) if "reachable" in own else None
