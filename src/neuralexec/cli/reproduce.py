"""neuralexec reproduce: the paper's tables and figures, ours beside the paper's."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from neuralexec.sweeps import Backend


def command(
    parts: Annotated[
        list[str] | None,
        typer.Argument(
            help="Of table1 to table9, figure3, figure4, choices and choices-prim (what the paper "
            "leaves open, decided otherwise); all by default.",
            show_default=False,
        ),
    ] = None,
    seeds: Annotated[int, typer.Option(help="How many trainings of each row.", min=1)] = 5,
    variant_seeds: Annotated[
        int | None,
        typer.Option(
            help="How many of each candidate for GAT* and GAT-full*; all by default, and the one "
            "that is chosen has all.",
            min=1,
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(help="Trainings at a time, each in a process of its own; 0: in this one."),
    ] = 0,
    ray: Annotated[
        str | None,
        typer.Option(
            help="Train on a Ray cluster: auto, local, or an address.", show_default=False
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder of the results.")] = Path("results"),
    device: Annotated[str, typer.Option(help="Where to train: cpu or cuda.")] = "cpu",
    together: Annotated[
        bool | None,
        typer.Option(
            "--together/--apart",
            help="Train the seeds of a row together, in one job, or apart; by default together "
            "on a GPU, where many cost little more than one.",
            show_default=False,
        ),
    ] = None,
    only_collect: Annotated[
        bool,
        typer.Option("--only-collect", help="Train nothing: make the results of what there is."),
    ] = False,
) -> None:
    """Train, examine and tabulate what the paper does, over several seeds.

    [bold]neuralexec reproduce table2 --seeds 5 --workers 2[/bold]

    [bold]neuralexec reproduce all --ray auto --out results[/bold] on a cluster.

    What is finished is not done again: interrupt it as you like, and give the same command.
    """
    from neuralexec.cli.sweep_progress import SweepProgress
    from neuralexec.models.device import check_device
    from neuralexec.reproduction.reproduce import PARTS, Plan, collect, reproduce

    check_device(device)
    plan = Plan(
        parts=_expanded(parts or ["all"], PARTS),
        num_seeds=seeds,
        variant_seeds=variant_seeds,
        device=device,
        together=device == "cuda" if together is None else together,
    )
    backend = _backend(workers, ray)
    if only_collect:
        files, failed = collect(plan, out), {}
    else:
        try:
            with SweepProgress() as progress:
                found = reproduce(plan, out, backend, watcher=progress)
        except KeyboardInterrupt:
            print("what is done is kept: go on with the same command", file=sys.stderr)
            raise
        files, failed = found.files, found.outcome.failed
    for path in files:
        print(path)
    for name, message in failed.items():
        print(f"failed: {name}: {message}", file=sys.stderr)
    if failed:
        raise typer.Exit(1)


def _expanded(parts: list[str], everything: tuple[str, ...]) -> tuple[str, ...]:
    """Each once, `all` as what it stands for."""
    named = [everything if part == "all" else (part,) for part in parts]
    return tuple(dict.fromkeys(part for group in named for part in group))


def _backend(workers: int, ray: str | None) -> "Backend":
    from neuralexec.errors import InputError
    from neuralexec.sweeps import InProcess, LocalPool, RayCluster

    if workers < 0:
        raise InputError(f"--workers must be 0 or more; got {workers}")
    if ray is not None and workers:
        raise InputError("a cluster has workers of its own; leave out --workers or --ray")
    if ray is not None:
        return RayCluster(ray)
    return LocalPool(workers) if workers else InProcess()
