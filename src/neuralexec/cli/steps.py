"""A run as tables: what each step changed, then where every node ended."""

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from neuralexec.algorithms import Algorithm, Kind, Signal, State, iterate
from neuralexec.cli.values import as_text
from neuralexec.graphs.problem import Problem

MOST_CHANGES = 8
MOST_NODES = 40


def watched_run(algorithm: Algorithm, problem: Problem) -> Iterator[State]:
    """Every state of a run, its steps counted on the terminal while it lasts."""
    with Console(stderr=True).status(algorithm.title) as status:
        for number, state in enumerate(iterate(algorithm, problem)):
            status.update(f"{algorithm.title}: step {number:,}")
            yield state


def print_steps(algorithm: Algorithm, problem: Problem, console: Console) -> State:
    """One row per step, with what it changed; returns the last state."""
    table = Table()
    table.add_column("step", justify="right")
    for name in algorithm.signals:
        table.add_column(name, overflow="fold")
    states = watched_run(algorithm, problem)
    state = next(states)
    table.add_row("start", *_describe_start(algorithm, state, problem))
    for number, after in enumerate(states, start=1):
        table.add_row(str(number), *_describe_step(algorithm, state, after, problem))
        state = after
    console.print(table)
    console.print("The last step changes nothing: the algorithm has terminated.")
    return state


def print_last(algorithm: Algorithm, problem: Problem, console: Console) -> State:
    """How many steps it took; returns the last state."""
    num_steps, state = deque(enumerate(watched_run(algorithm, problem)), maxlen=1).pop()
    console.print(f"Terminated at step {num_steps}.")
    return state


def print_result(algorithm: Algorithm, problem: Problem, state: State, console: Console) -> None:
    """The values of every node, of the first nodes where there are many."""
    names = problem.graph.names
    shown = {name: signal for name, signal in algorithm.signals.items() if signal.kind.per_node}
    table = Table("node", *shown)
    for node in range(min(problem.graph.num_nodes, MOST_NODES)):
        values = (
            as_text(signal.kind, state[name][node].item(), names) for name, signal in shown.items()
        )
        table.add_row(escape(names[node]), *map(escape, values))
    console.print(table)
    if problem.graph.num_nodes > MOST_NODES:
        left_out = problem.graph.num_nodes - MOST_NODES
        console.print(f"and {left_out:,} more nodes; --json prints all")


def _describe_start(algorithm: Algorithm, state: State, problem: Problem) -> Iterator[str]:
    for name, signal in algorithm.signals.items():
        known = problem.source is not None and signal.kind.per_node
        yield _change(signal, problem, problem.source, state[name]) if known else ""


def _describe_step(
    algorithm: Algorithm, before: State, after: State, problem: Problem
) -> Iterator[str]:
    for name, signal in algorithm.signals.items():
        if not signal.kind.per_node:
            yield escape(as_text(signal.kind, after[name].item(), problem.graph.names))
            continue
        changed = np.flatnonzero(before[name] != after[name])
        shown = [_change(signal, problem, node, after[name]) for node in changed[:MOST_CHANGES]]
        if len(changed) > MOST_CHANGES:
            shown.append(f"[dim]{len(changed) - MOST_CHANGES:,} more[/dim]")
        yield ", ".join(shown)


def _change(signal: Signal, problem: Problem, node: Any, values: NDArray[Any]) -> str:
    names = problem.graph.names
    name, value = escape(names[node]), escape(as_text(signal.kind, values[node].item(), names))
    if signal.kind is Kind.MASK:
        return name
    return f"{name} ← {value}" if signal.kind is Kind.POINTER else f"{name}: {value}"
