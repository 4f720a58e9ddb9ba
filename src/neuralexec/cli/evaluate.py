"""neuralexec evaluate: how well does a trained executor do on graphs it has not seen?"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from neuralexec.algorithms import Task
    from neuralexec.evaluation.scores import Protocol, Scores
    from neuralexec.execution import Model
    from neuralexec.graphs.problem import Problem
    from neuralexec.models.executor import Executor


def command(
    model: Annotated[
        str,
        typer.Argument(help="A pretrained model, a checkpoint, or the folder of a training."),
    ],
    sizes: Annotated[str, typer.Option(help="Nodes of the test graphs.")] = "20,50,100",
    count: Annotated[int, typer.Option(help="Test graphs of each size and family.")] = 5,
    families: Annotated[
        str, typer.Option(help="Their families; all by default.", show_default=False)
    ] = "",
    seed: Annotated[
        int, typer.Option(help="Which test graphs; 0 are those of all results here.")
    ] = 0,
    protocol: Annotated[
        str,
        typer.Option(
            help="How it runs: for the true number of steps (true-length), until it stops by "
            "itself (own-termination), on the true inputs (teacher-forced), or all of these."
        ),
    ] = "true-length",
    by_family: Annotated[bool, typer.Option("--by-family", help="Each family apart.")] = False,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="95% bootstrap intervals over graphs.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Also save every score, as JSON.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print every score as JSON instead of tables.")
    ] = False,
    device: Annotated[str, typer.Option(help="Where to compute: cpu or cuda.")] = "cpu",
) -> None:
    """Score an executor on test graphs, step by step, beside the paper and beside doing nothing.

    [bold]neuralexec evaluate best-bfs-bellman-ford[/bold]

    [bold]neuralexec evaluate runs/first --sizes 20,500 --protocol all --out scores.json[/bold]
    """
    from rich.console import Console

    from neuralexec.cli.arguments import names, numbers, print_json
    from neuralexec.cli.score_table import MEANING, NONE
    from neuralexec.evaluation.scores import PROTOCOLS, save_scores
    from neuralexec.execution import load
    from neuralexec.graphs.formats.writing import check_place
    from neuralexec.graphs.splits import paper_splits
    from neuralexec.models.device import one_thread
    from neuralexec.plugins import choose

    ways = choose({**{name: (name,) for name in PROTOCOLS}, "all": PROTOCOLS}, protocol, "protocol")
    test_sizes = numbers(sizes, "--sizes")
    splits = paper_splits(test_sizes=test_sizes, num_test=count, families=names(families))
    problems = [splits[f"test-{size}"].draw(seed) for size in test_sizes]
    if out is not None:
        check_place(out)
    loaded = load(model, device)
    console = Console(stderr=as_json)
    scored = []
    with one_thread():
        for task in loaded.tasks:
            for way in ways:
                with console.status(f"{task.name}, {way}"):
                    ours, trivial = _scores(loaded, task, way, problems)
                scored += ours
                if not as_json:
                    _print_tables(console, loaded, ours, trivial, by_family, intervals)
    if as_json:
        print_json([one.to_json() for one in scored])
    else:
        console.print(f"{MEANING}\n{NONE}", style="dim")
    if out is not None:
        save_scores(scored, out)


def _scores(
    loaded: "Model", task: "Task", protocol: "Protocol", problems: Sequence[Sequence["Problem"]]
) -> "tuple[list[Scores], list[Scores]]":
    """At every size: the executor's, and those of doing nothing."""
    from neuralexec.evaluation.baselines import TrivialExecutor
    from neuralexec.evaluation.evaluate import evaluate

    executors: dict[str, Executor] = {loaded.name: loaded.executor, "none": TrivialExecutor()}
    ours, trivial = (
        [
            evaluate(
                executor,
                of_size,
                task,
                protocols=[protocol],
                model=name,
                predicted=loaded.predicted(task),
                device=loaded.device,
            )[0]
            for of_size in problems
        ]
        for name, executor in executors.items()
    )
    return ours, trivial


def _print_tables(
    console: "Console",
    loaded: "Model",
    ours: "list[Scores]",
    trivial: "list[Scores]",
    by_family: bool,
    intervals: bool,
) -> None:
    from neuralexec.cli.score_table import score_table
    from neuralexec.reports.rows import paper_model

    config = loaded.checkpoint.config
    title = f"{ours[0].task}, {ours[0].protocol}"
    # The paper's numbers are of runs for the true number of steps.
    has_paper = ours[0].protocol == "true-length"
    paper = paper_model(config.processor, config.variant) if has_paper else None
    families = [*ours[0].by_family()] if by_family else [None]
    for family in families:
        console.print(
            score_table(
                [one.of_family(family) for one in ours],
                title=title if family is None else f"{title}, {family}",
                paper=paper,
                family=family,
                baseline=[one.of_family(family) for one in trivial],
                intervals=intervals,
            )
        )
