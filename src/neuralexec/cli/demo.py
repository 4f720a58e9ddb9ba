"""neuralexec demo: the three algorithms of the paper, step by step, on all seven families."""

from typing import Annotated

import typer

PAPER_ALGORITHMS = ("bfs", "bellman-ford", "prim")


def command(
    nodes: Annotated[int, typer.Option(help="Nodes of each graph.")] = 12,
    seed: Annotated[int, typer.Option(help="Where the random numbers start.")] = 0,
) -> None:
    """Watch BFS, Bellman-Ford and Prim run, step by step, on one graph of each family."""
    from rich.console import Console
    from rich.markup import escape

    from neuralexec.algorithms import find_algorithm
    from neuralexec.cli.steps import print_steps
    from neuralexec.graphs.families import families
    from neuralexec.graphs.splits import draw_problem

    console = Console()
    for family in families().values():
        family.check_size(nodes)
    for name, family in families().items():
        problem = draw_problem(name, nodes, (seed, "demo", 0))
        console.rule(f"[bold]{escape(family.title)}[/bold]: {problem.graph}")
        for algorithm in map(find_algorithm, PAPER_ALGORITHMS):
            console.print(f"[bold]{algorithm.title}[/bold] from node {problem.source}")
            print_steps(algorithm, problem, console)
