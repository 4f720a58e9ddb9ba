"""neuralexec demo: train an executor, test it on larger graphs, and put the paper's beside it."""

from pathlib import Path
from typing import Annotated

import typer

TASK = "bfs+bellman-ford"


def command(
    out: Annotated[
        Path, typer.Option(help="Where the training goes; an unfinished one there goes on.")
    ] = Path("demo-run"),
    seed: Annotated[int, typer.Option(help="Which training.")] = 0,
    preset: Annotated[str, typer.Option(help="Which settings: best or paper.")] = "best",
    max_epochs: Annotated[
        int | None, typer.Option(help="Train for less, to see it work.", show_default=False)
    ] = None,
) -> None:
    """Teach MPNN-max BFS and Bellman-Ford on 20 nodes, and test it on up to 100."""
    from rich.console import Console

    from neuralexec.cli.score_table import MEANING, score_table
    from neuralexec.cli.training_progress import TrainingProgress
    from neuralexec.evaluation.evaluate import evaluate
    from neuralexec.evaluation.scores import save_scores
    from neuralexec.execution import load
    from neuralexec.graphs.splits import PAPER_TEST_SIZES, paper_splits
    from neuralexec.models.device import one_thread
    from neuralexec.reports.rows import paper_model
    from neuralexec.training.presets import preset as find_preset
    from neuralexec.training.run import CONFIG, train

    console = Console()
    config = find_preset(preset, (TASK,)).but(seed=seed)
    if max_epochs is not None:
        config = config.but(max_epochs=max_epochs)
    console.print(
        f"Training {paper_model(config.processor)} to execute {TASK}, on "
        f"{config.num_train} graphs of {config.num_nodes} nodes from each of seven families ..."
    )
    with TrainingProgress() as watcher:
        train(config, out, resume=(out / CONFIG).exists(), watcher=watcher)
    model = load(out)
    task = model.task_of(TASK)
    splits = paper_splits()
    with one_thread(), console.status("Testing on larger graphs"):
        scores = [
            evaluate(
                model.executor, splits[f"test-{size}"].draw(), task, model=f"{preset}, seed {seed}"
            )[0]
            for size in PAPER_TEST_SIZES
        ]
    save_scores(scores, out / "scores.json")
    console.print(
        score_table(
            scores,
            title=f"{task.name}: ours, trained just now, beside the paper's",
            paper=paper_model(config.processor),
        )
    )
    console.print(MEANING, style="dim")
    console.print(f"Every score, graph by graph and step by step: {out / 'scores.json'}")
    console.print(f"More: neuralexec evaluate {out} --protocol all --by-family")
