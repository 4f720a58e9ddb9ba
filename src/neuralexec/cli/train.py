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

    [bold]neuralexec train --resume --out runs/first[/bold] goes on after an interruption.
    """
    from contextlib import nullcontext

    from neuralexec.cli.training_progress import TrainingProgress
    from neuralexec.errors import InputError
    from neuralexec.graphs.graph import counted
    from neuralexec.training.presets import preset as find_preset
    from neuralexec.training.run import MODEL, Quiet, load_config, train
    from neuralexec.training.track import tracked

    if resume and preset is not None:
        raise InputError("a training that is resumed keeps its settings; leave out --preset")
    if resume:
        config = load_config(out).but(**changes)
    else:
        config = find_preset(preset or "paper", changes.get("tasks", Config.tasks)).but(**changes)
    shown = nullcontext(Quiet()) if quiet else TrainingProgress()
    try:
        with shown as showing, tracked(showing, track, out) as watcher:
            trainer = train(config, out, device=device, resume=resume, watcher=watcher)
    except KeyboardInterrupt:
        print(f"go on with: neuralexec train --resume --out {out}", file=sys.stderr)
        raise
    progress = trainer.progress
    print(
        f"{out / MODEL}: {counted(progress.epoch, 'epoch')}, "
        f"the weights of epoch {progress.best_epoch} kept"
    )
