"""A training as a folder: settings, environment, metrics, the checkpoint, and how to go on.

    config.json  environment.json  metrics.jsonl  model.safetensors  state.safetensors

Every file appears whole or not at all; after a crash at any moment, at most one epoch is lost.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch

from neuralexec import __version__
from neuralexec.errors import InputError
from neuralexec.graphs.formats.writing import is_leftover, replacing
from neuralexec.models.device import check_device, one_thread
from neuralexec.training.checkpoint import save_checkpoint
from neuralexec.training.config import Config
from neuralexec.training.loop import Trainer
from neuralexec.training.state import load_state, save_state

CONFIG, ENVIRONMENT, METRICS = "config.json", "environment.json", "metrics.jsonl"
MODEL, STATE = "model.safetensors", "state.safetensors"


class Watcher(Protocol):
    """Told how a training goes; one that does nothing is `Quiet`."""

    def begins(self, trainer: Trainer) -> None: ...

    def updated(self) -> None: ...

    def epoch_done(self, trainer: Trainer, record: dict[str, Any]) -> None: ...


class Quiet:
    def begins(self, trainer: Trainer) -> None:
        pass

    def updated(self) -> None:
        pass

    def epoch_done(self, trainer: Trainer, record: dict[str, Any]) -> None:
        pass


def train(
    config: Config,
    folder: Path,
    *,
    device: str = "cpu",
    resume: bool = False,
    watcher: Watcher | None = None,
) -> Trainer:
    """Train into a new folder, or go on in one; the best weights end up in its checkpoint."""
    watcher = watcher or Quiet()
    check_device(device)
    if resume:
        _require_same_config(folder, config)
    else:
        _require_free(folder)
    trainer = Trainer(config, device)  # before anything is written: it may refuse
    if not resume:
        _make_folder(folder)
    with _alone_in(folder), one_thread():
        if not resume:
            _write_json(folder / CONFIG, config.to_json())
        if (folder / STATE).exists():
            load_state(folder / STATE, trainer)
        _write_json(folder / ENVIRONMENT, environment(device))
        _forget_after(folder / METRICS, trainer.progress.epoch)
        watcher.begins(trainer)
        if not (folder / MODEL).exists():
            _save_model(folder, trainer)
        while not trainer.progress.finished:
            record = trainer.run_epoch(watcher.updated)
            _append(folder / METRICS, record)
            _save_model(folder, trainer)
            save_state(folder / STATE, trainer)
            watcher.epoch_done(trainer, record)
    return trainer


def load_config(folder: Path) -> Config:
    """The settings of the training in this folder."""
    path = folder / CONFIG
    try:
        saved = json.loads(path.read_text())
        return Config.from_json(saved)
    except FileNotFoundError:
        raise InputError(f"{folder}: no training to resume: there is no {CONFIG}") from None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{path}: the settings cannot be read: {error}") from None


def environment(device: str) -> dict[str, Any]:
    return {
        "neuralexec": __version__,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "numpy": np.__version__,
        "system": platform.system(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
    }


def _require_free(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; name a folder")
    if folder.exists() and any(not is_leftover(path) for path in folder.iterdir()):
        raise InputError(
            f"{folder}: is not empty; go on with the training in it with --resume, "
            "or choose another folder"
        )


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Two trainings in one folder would overwrite each other: the second is refused."""
    try:
        import fcntl
    except ImportError:  # not on this system
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise InputError(
            f"{folder}: another training is running in it; wait for it, or choose another folder"
        ) from None
    finally:
        os.close(handle)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from None


def _require_same_config(folder: Path, config: Config) -> None:
    saved = load_config(folder).to_json()
    different = [
        name.replace("_", "-") for name, value in config.to_json().items() if saved[name] != value
    ]
    if different:
        raise InputError(
            f"{folder}: was begun with another {', '.join(different)}; "
            "leave out what changes it, or train into another folder"
        )


def _save_model(folder: Path, trainer: Trainer) -> None:
    progress = trainer.progress
    card = {
        "data": trainer.data_checksum,
        "seed": trainer.config.seed,
        "parameters": trainer.executor.num_parameters,
        "epochs": progress.epoch,
        "best_epoch": progress.best_epoch,
        "finished": progress.finished,
    }
    save_checkpoint(folder / MODEL, trainer.config, trainer.best, card)


def _write_json(path: Path, content: Any) -> None:
    with replacing(path) as file:
        file.write((json.dumps(content, indent=2) + "\n").encode())


def _append(path: Path, record: dict[str, Any]) -> None:
    with path.open("a") as file:
        file.write(json.dumps(_finite(record)) + "\n")


def _finite(value: Any) -> Any:
    """JSON has no infinity and no NaN."""
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value


def _forget_after(path: Path, epoch: int) -> None:
    """Drop the metrics of an epoch whose end was not saved: it will be done again."""
    if not path.exists():
        return
    kept = []
    for line in path.read_text(errors="replace").splitlines(keepends=True):
        try:
            if json.loads(line)["epoch"] <= epoch:
                kept.append(line)
        except (ValueError, KeyError, TypeError):
            continue  # cut short by the crash
    with replacing(path) as file:
        file.write("".join(kept).encode())
