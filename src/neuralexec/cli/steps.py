"""A run as tables: what each step changed, then where every node ended."""

from collections import deque
from collections.abc import Iterator

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from neuralexec.algorithms import Algorithm, State, iterate
from neuralexec.cli.values import as_change, as_text, printable
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
        table.add_row(*map(Text, (printable(names[node]), *values)))
    console.print(table)
    if problem.graph.num_nodes > MOST_NODES:
        left_out = problem.graph.num_nodes - MOST_NODES
        console.print(f"and {left_out:,} more nodes; --json prints all")


def _describe_start(algorithm: Algorithm, state: State, problem: Problem) -> Iterator[Text]:
    for name, signal in algorithm.signals.items():
        if problem.source is None or not signal.kind.per_node:
            yield Text()
        else:
            value = state[name][problem.source].item()
            yield Text(as_change(signal.kind, problem.source, value, problem.graph.names))


def _describe_step(
    algorithm: Algorithm, before: State, after: State, problem: Problem
) -> Iterator[Text]:
    """What changed in each signal. Names are text, never markup."""
    names = problem.graph.names
    for name, signal in algorithm.signals.items():
        if not signal.kind.per_node:
            yield Text(as_text(signal.kind, after[name].item(), names))
            continue
        changed = np.flatnonzero(before[name] != after[name])
        shown = [
            as_change(signal.kind, int(node), after[name][node].item(), names)
            for node in changed[:MOST_CHANGES]
        ]
        if len(changed) > MOST_CHANGES:
            shown.append(f"{len(changed) - MOST_CHANGES:,} more")
        yield Text(", ".join(shown))
