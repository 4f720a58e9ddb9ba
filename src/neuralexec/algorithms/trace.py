"""Run an algorithm to its fixed point and keep what it did.

A run ends with, and includes, the first step in which no fed-back signal changes. Many problems
run together, as one graph; each ends on its own, and from then on its state only repeats.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.algorithms.spec import UNDEFINED, Algorithm, Kind, State
from neuralexec.graphs.memory import refuse_if_too_large
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import Problems


@dataclass(frozen=True, eq=False)
class Trace:
    """Every state of a run: `states[signal][t]` holds after step t, row 0 before the first step."""

    algorithm: Algorithm
    problem: Problem
    states: dict[str, NDArray[Any]]

    @property
    def num_steps(self) -> int:
        return len(next(iter(self.states.values()))) - 1

    def after(self, step: int) -> State:
        return {name: values[step] for name, values in self.states.items()}

    @property
    def last(self) -> State:
        return self.after(self.num_steps)


@dataclass(frozen=True, eq=False)
class Traces(Sequence[Trace]):
    """The runs of many problems together; item i is the trace of problem i alone."""

    algorithm: Algorithm
    problems: Problems
    states: dict[str, NDArray[Any]]
    """[steps + 1, nodes], or [steps + 1, graphs] for a CHOICE; nodes count through all graphs."""
    num_steps: NDArray[np.int64]
    """[graphs]: how many steps each took, the last included."""

    def __len__(self) -> int:
        return len(self.problems)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        rows = slice(int(self.num_steps[index]) + 1)
        nodes = slice(*self.problems.node_offsets[index : index + 2].tolist())
        states = {
            name: self._own_states[name][rows, nodes if signal.kind.per_node else [index]]
            for name, signal in self.algorithm.signals.items()
        }
        return Trace(self.algorithm, self.problems.members[index], states)

    @cached_property
    def _own_states(self) -> dict[str, NDArray[Any]]:
        """The states with the nodes of each graph counted from 0, as a trace alone has them."""
        firsts = self.problems.node_offsets[:-1]
        shifts = {Kind.POINTER: self.problems.per_node(firsts), Kind.CHOICE: firsts}
        return {
            name: _shifted(self.states[name], shifts[signal.kind])
            if signal.kind in shifts
            else self.states[name]
            for name, signal in self.algorithm.signals.items()
        }


def _shifted(nodes: NDArray[Any], by: NDArray[np.int64]) -> NDArray[Any]:
    return np.where(nodes == UNDEFINED, UNDEFINED, nodes - by).astype(nodes.dtype)


def iterate(algorithm: Algorithm, problem: Problem) -> Iterator[State]:
    """The starting state, then the state after each step up to and with the fixed point.

    Only two states live at a time, whatever the number of steps.
    """
    return (state for state, _ in _iterate(algorithm, Problems((problem,))))


def trace(algorithm: Algorithm, problem: Problem) -> Trace:
    """Run and keep every state."""
    single: Trace = trace_all(algorithm, [problem])[0]
    return single


def trace_all(algorithm: Algorithm, problems: Sequence[Problem] | Problems) -> Traces:
    """Run many problems together and keep every state."""
    if not isinstance(problems, Problems):
        problems = Problems(tuple(problems))
    rows: dict[str, list[NDArray[Any]]] = {name: [] for name in algorithm.signals}
    num_steps = np.zeros(len(problems), dtype=np.int64)
    num_bytes = 0
    for state, changed in _iterate(algorithm, problems):
        num_steps += changed
        num_bytes += sum(values.nbytes for values in state.values())
        refuse_if_too_large(2 * num_bytes, f"every state of {algorithm.title} on this graph")
        for name, values in rows.items():
            values.append(state[name])
    states = {name: np.stack(values) for name, values in rows.items()}
    return Traces(algorithm, problems, states, num_steps)


def run_to_end(algorithm: Algorithm, problem: Problem) -> tuple[State, int]:
    """Run and keep the last state only; also the number of steps it took."""
    num_steps, state = deque(enumerate(iterate(algorithm, problem)), maxlen=1).pop()
    return state, num_steps


def _iterate(algorithm: Algorithm, problems: Problems) -> Iterator[tuple[State, NDArray[np.bool_]]]:
    """Each state, and which graphs had changed on the way to the state before it.

    The start counts as a change, so that summing what is yielded counts steps, the last included.
    """
    for problem in problems.members:
        algorithm.check(problem)
    state = _protect(algorithm.start(problems))
    yield state, np.zeros(len(problems), dtype=bool)
    changed = np.ones(len(problems), dtype=bool)
    most_steps = max(problem.graph.num_nodes for problem in problems.members) + 1
    for _ in range(most_steps):
        before, state = state, _protect(algorithm.step(problems, state))
        yield state, changed
        changes = [before[name] != state[name] for name in algorithm.fed_back]
        changed = problems.any(reduce(np.logical_or, changes))
        if not changed.any():
            return
    raise RuntimeError(f"{algorithm.name} was still changing after {most_steps} steps")


def _protect(state: State) -> State:
    """A state is shared by everyone who keeps it: a step that writes into one fails at once."""
    for values in state.values():
        values.flags.writeable = False
    return state
