"""A training between two epochs as one file, so that it can go on as if nothing had happened."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_type_hints

import torch
from torch import Tensor

from neuralexec.errors import InputError
from neuralexec.training.checkpoint import load_tensors, require_alike, save_tensors
from neuralexec.training.config import Config
from neuralexec.training.loop import Progress, Trainer

MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # of Adam


def save_state(path: Path, trainer: Trainer) -> None:
    tensors: dict[str, Tensor] = {}
    for name, parameter in trainer.executor.named_parameters():
        tensors[f"now.{name}"] = parameter
        for moment, value in trainer.optimiser.state[parameter].items():
            tensors[f"{moment}.{name}"] = value
    tensors.update({f"best.{name}": value for name, value in trainer.best.items()})
    progress: dict[str, Any] = asdict(trainer.progress)
    if not math.isfinite(progress["best_score"]):
        progress["best_score"] = None  # JSON has no infinity
    content = {"config": trainer.config.to_json(), "progress": progress}
    save_tensors(path, "training", tensors, content)


def load_state(path: Path, trainer: Trainer) -> None:
    """Put a training that has just been set up where the saved one was."""
    tensors, header = load_tensors(path, "training")
    try:
        if Config.from_json(header["config"]) != trainer.config:
            raise InputError("it belongs to a training with other settings")
        progress = _read_progress(header["progress"], len(trainer.phases))
        _restore(trainer, tensors)
    except (InputError, KeyError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        raise InputError(
            f"{path}: cannot be resumed from: {error}; delete it to train from the start"
        ) from None
    trainer.progress = progress


def _read_progress(saved: dict[str, Any], num_phases: int) -> Progress:
    if saved["best_score"] is None:
        saved["best_score"] = -math.inf
    progress = Progress(**saved)
    for name, kind in get_type_hints(Progress).items():
        if type(getattr(progress, name)) is not kind:
            raise InputError(f"{name} is not of type {kind.__name__}")
    if not (0 <= progress.phase < num_phases and progress.epoch >= 0):
        raise InputError("it is at a point that the training does not have")
    return progress


def _restore(trainer: Trainer, tensors: dict[str, Tensor]) -> None:
    parameters = dict(trainer.executor.named_parameters())
    parts: dict[str, dict[str, Tensor]] = {part: {} for part in ("now", "best", *MOMENTS)}
    for name, value in tensors.items():
        part, _, rest = name.partition(".")
        parts[part][rest] = value
    for part in ("now", "best"):
        require_alike(parts[part], parameters)
    # What has had no gradient yet, in the first phase of a curriculum, has no moments either.
    moving = {name: parameters[name] for name in parts["step"]}
    for part in ("exp_avg", "exp_avg_sq"):
        require_alike(parts[part], moving)
    require_alike(parts["step"], {name: torch.zeros(()) for name in moving})
    trainer.best = {name: value.to(trainer.device) for name, value in parts["best"].items()}
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(parts["now"][name])
            if name not in moving:
                continue
            trainer.optimiser.state[parameter] = {
                "step": parts["step"][name],  # kept on the processor, whatever the device
                "exp_avg": parts["exp_avg"][name].to(trainer.device),
                "exp_avg_sq": parts["exp_avg_sq"][name].to(trainer.device),
            }
