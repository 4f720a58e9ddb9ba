"""neuralexec trace: watch a classical algorithm step by step on any graph."""

from __future__ import annotations

import json
import sys
from collections import deque
from typing import TYPE_CHECKING, Annotated

import typer

from neuralexec.cli.arguments import AsJson, Directed, FormatName, GraphFile, load_graph

if TYPE_CHECKING:
    from neuralexec.algorithms import Algorithm
    from neuralexec.graphs.problem import Problem


def command(
    graph: GraphFile,
    algorithm: Annotated[
        str, typer.Option(help="Which algorithm; `neuralexec algorithms` lists them.")
    ],
    source: Annotated[
        str | None, typer.Option(help="The name of the node to start from.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    last: Annotated[bool, typer.Option("--last", help="The last step only.")] = False,
    directed: Directed = None,
    format_name: FormatName = None,
) -> None:
    """Run a classical algorithm and show what changes at each step.

    [bold]neuralexec trace roads.csv --algorithm bellman-ford --source Paris[/bold]

    [bold]neuralexec trace ladder.json --algorithm prim --source 0 --json[/bold]
    """
    from neuralexec.algorithms import find_algorithm
    from neuralexec.graphs.problem import Problem

    chosen = find_algorithm(algorithm)
    loaded = load_graph(graph, format_name, directed)
    problem = Problem(loaded, None if source is None else loaded.node(source))
    chosen.check(problem)
    if as_json:
        _print_json(chosen, problem, last)
    else:
        _print_tables(chosen, problem, last)


def _print_tables(algorithm: Algorithm, problem: Problem, last_only: bool) -> None:
    from rich.console import Console

    from neuralexec.cli.steps import MOST_NODES, print_last, print_result, print_steps

    console = Console()
    console.print(f"[bold]{algorithm.title}[/bold] on {problem.graph}")
    state = (print_last if last_only else print_steps)(algorithm, problem, console)
    if last_only or problem.graph.num_nodes <= MOST_NODES:
        print_result(algorithm, problem, state, console)


def _print_json(algorithm: Algorithm, problem: Problem, last_only: bool) -> None:
    """One object, written step by step: a long run on a large graph is never held whole."""
    from neuralexec.cli.steps import watched_run
    from neuralexec.cli.values import as_json_values

    names = problem.graph.names
    head = {
        "algorithm": algorithm.name,
        "source": None if problem.source is None else names[problem.source],
        "nodes": list(names),
    }
    sys.stdout.write(json.dumps(head)[:-1] + ', "steps": [')
    states = watched_run(algorithm, problem)
    next(states)  # the start is before the first step
    for number, state in enumerate(deque(states, maxlen=1) if last_only else states):
        values = {
            name: as_json_values(signal.kind, state[name], names)
            for name, signal in algorithm.signals.items()
        }
        sys.stdout.write((", " if number else "") + json.dumps(values))
    sys.stdout.write("]}\n")
