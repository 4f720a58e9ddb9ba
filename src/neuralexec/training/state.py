"""A training between two epochs as one file, so that it can go on as if nothing had happened."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from neuralexec.errors import InputError
from neuralexec.training.checkpoint import load_tensors, save_tensors
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
    if Config.from_json(header["config"]) != trainer.config:
        raise InputError(f"{path}: belongs to a training with other settings")
    progress = header["progress"]
    if progress["best_score"] is None:
        progress["best_score"] = -math.inf
    trainer.progress = Progress(**progress)
    trainer.best = {
        name: tensors[f"best.{name}"].to(trainer.device) for name in trainer.executor.state_dict()
    }
    with torch.no_grad():
        for name, parameter in trainer.executor.named_parameters():
            parameter.copy_(tensors[f"now.{name}"])
            trainer.optimiser.state[parameter] = {
                # Adam keeps its count on the processor, whatever the device
                moment: value if moment == "step" else value.to(trainer.device)
                for moment in MOMENTS
                if (value := tensors.get(f"{moment}.{name}")) is not None
            }
