"""A training between two epochs as one file, so that it can go on as if nothing had happened."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_type_hints

from neuralexec.errors import InputError
from neuralexec.training.adam import Moments
from neuralexec.training.checkpoint import load_tensors, require_alike, save_tensors
from neuralexec.training.config import Config
from neuralexec.training.training import Progress, Training


def save_state(path: Path, training: Training) -> None:
    moments = training.moments
    rows = {
        "now": training.now,
        "best": training.best,
        "first": moments.first,
        "second": moments.second,
    }
    progress: dict[str, Any] = asdict(training.progress)
    if not math.isfinite(progress["best_score"]):
        progress["best_score"] = None  # JSON has no infinity
    content = {
        "config": training.config.to_json(),
        "progress": progress,
        "updates": moments.count,
    }
    save_tensors(path, "training", rows, content)


def load_state(path: Path, training: Training) -> None:
    """Put a training that has just been set up where the saved one was."""
    rows, header = load_tensors(path, "training")
    try:
        if Config.from_json(header["config"]) != training.config:
            raise InputError("it belongs to a training with other settings")
        progress = _read_progress(header["progress"], len(training.phases))
        require_alike(rows, dict.fromkeys(("now", "best", "first", "second"), training.now))
        count = header["updates"]
        if type(count) is not int or count < 0:
            raise InputError("its number of updates cannot be")
    except (InputError, KeyError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        raise InputError(
            f"{path}: cannot be resumed from: {error}; delete it to train from the start"
        ) from None
    training.now, training.best = rows["now"], rows["best"]
    training.moments = Moments(rows["first"], rows["second"], count)
    training.progress = progress


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
