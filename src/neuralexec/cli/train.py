"""neuralexec train: teach an executor, into a folder."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from neuralexec.cli.settings import with_settings
from neuralexec.training.config import Config


@with_settings(Config)
def command(
    out: Annotated[
        Path,
        typer.Option(
            help="The folder of the training: settings, metrics, checkpoint.", show_default=False
        ),
    ],
    preset: Annotated[
        str | None,
        typer.Option(
            help="Which settings to start from: paper, the default, or best.", show_default=False
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the training in that folder.")
    ] = False,
    replicas: Annotated[
        int,
        typer.Option(
            help="Train so many at once, with this seed and the next ones, each into a folder "
            "of its own below: seed-0, seed-1 ...",
            min=1,
        ),
    ] = 1,
    device: Annotated[str, typer.Option(help="Where to compute: cpu or cuda.")] = "cpu",
    track: Annotated[
        str | None, typer.Option(help="Also log the training elsewhere: tensorboard.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    **changes: Any,
) -> None:
    """Teach an executor on graphs of 20 nodes, and keep its best weights.

    [bold]neuralexec train --out runs/first[/bold] trains as the paper does.

    [bold]neuralexec train --preset best --tasks prim --seed 3 --out runs/prim[/bold]

    [bold]neuralexec train --processor gat --sharpening entropy --out runs/gat[/bold]

    [bold]neuralexec train --replicas 8 --out runs/many[/bold] trains seeds 0 to 7 at once.

    [bold]neuralexec train --resume --out runs/first[/bold] goes on after an interruption.
    """
    from contextlib import nullcontext

    from neuralexec.cli.training_progress import TrainingProgress
    from neuralexec.errors import InputError
    from neuralexec.graphs.graph import counted
    from neuralexec.training.presets import preset as find_preset
    from neuralexec.training.run import MODEL, Quiet, load_config, train_together
    from neuralexec.training.track import tracked

    if resume and preset is not None:
        raise InputError("a training that is resumed keeps its settings; leave out --preset")
    if replicas > 1 and track is not None:
        raise InputError("only a single training can be tracked; leave out --track or --replicas")
    if resume:
        begun = out if replicas == 1 else _begun(out, changes.get("seed"))
        config = load_config(begun).but(**changes)
    else:
        config = find_preset(preset or "paper", changes.get("tasks", Config.tasks)).but(**changes)
    configs = {out: config}
    if replicas > 1:
        seeds = range(config.seed, config.seed + replicas)
        configs = {out / f"seed-{seed}": config.but(seed=seed) for seed in seeds}
    shown = nullcontext(Quiet()) if quiet else TrainingProgress()
    try:
        with shown as showing, tracked(showing, track, out) as watcher:
            trainings = train_together(configs, device=device, resume=resume, watcher=watcher)
    except KeyboardInterrupt:
        again = f" --seed {config.seed} --replicas {replicas}" if replicas > 1 else ""
        again += f" --device {device}" if device != "cpu" else ""
        print(f"go on with: neuralexec train --resume{again} --out {out}", file=sys.stderr)
        raise
    for folder, training in zip(configs, trainings, strict=True):
        progress = training.progress
        print(
            f"{folder / MODEL}: {counted(progress.epoch, 'epoch')}, "
            f"the weights of epoch {progress.best_epoch} kept"
        )


def _begun(folder: Path, seed: int | None) -> Path:
    """The folder of this seed, or of the lowest."""
    if seed is not None and (folder / f"seed-{seed}").exists():
        return folder / f"seed-{seed}"
    seeds = [path for path in folder.glob("seed-*") if path.name[len("seed-") :].isdecimal()]
    return min(seeds, key=lambda path: int(path.name[len("seed-") :]), default=folder)
