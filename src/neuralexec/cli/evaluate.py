"""neuralexec evaluate: how well does a trained executor do on graphs it has not seen?"""

from pathlib import Path
from typing import Annotated

import typer


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
    import json

    from rich.console import Console

    from neuralexec.cli.score_table import MEANING, NONE, score_table
    from neuralexec.cli.values import numbers
    from neuralexec.evaluation.baselines import TrivialExecutor
    from neuralexec.evaluation.evaluate import evaluate
    from neuralexec.evaluation.scores import PROTOCOLS, save_scores
    from neuralexec.execution import load
    from neuralexec.graphs.formats.writing import find_place
    from neuralexec.graphs.splits import paper_splits
    from neuralexec.plugins import choose
    from neuralexec.reports.rows import paper_model
    from neuralexec.training.run import one_thread

    protocols = choose(
        {**{name: [name] for name in PROTOCOLS}, "all": [*PROTOCOLS]}, protocol, "protocol"
    )
    test_sizes = numbers(sizes, "--sizes")
    splits = paper_splits(
        test_sizes=test_sizes,
        num_test=count,
        families=[name.strip() for name in families.split(",") if name.strip()],
    )
    problems = {size: splits[f"test-{size}"].draw(seed) for size in test_sizes}
    if out is not None:
        find_place(out)
    loaded = load(model, device)
    config = loaded.checkpoint.config
    console = Console()
    everything = []
    with one_thread():
        for task in loaded.tasks:
            for way in protocols:
                with console.status(f"{task.name}, {way}"):
                    predicted = loaded.predicted(task)
                    ours, trivial = (
                        [
                            evaluate(
                                executor,
                                problems[size],
                                task,
                                protocols=[way],
                                model=name,
                                predicted=predicted,
                                device=device,
                            )[0]
                            for size in test_sizes
                        ]
                        for executor, name in (
                            (loaded.executor, model),
                            (TrivialExecutor(), "trivial"),
                        )
                    )
                everything += ours
                if as_json:
                    continue
                groups = {"": (ours, trivial)}
                if by_family:
                    parts = [one.by_family() for one in ours], [one.by_family() for one in trivial]
                    groups = {
                        f", {family}": tuple([p[family] for p in part] for part in parts)  # type: ignore[misc]
                        for family in parts[0][0]
                    }
                for words, (found, base) in groups.items():
                    console.print(
                        score_table(
                            found,
                            title=f"{task.name}, {way}{words}",
                            paper=paper_model(config.processor, config.variant)
                            if way == "true-length" and not words
                            else None,
                            baseline=base,
                            intervals=intervals,
                        )
                    )
    if not as_json:
        console.print(f"{MEANING}\n{NONE}", style="dim")
    if as_json:
        print(json.dumps([one.to_json() for one in everything], allow_nan=False))
    if out is not None:
        save_scores(everything, out)
