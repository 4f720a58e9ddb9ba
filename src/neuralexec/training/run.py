"""A training as a folder: settings, environment, metrics, the checkpoint, and how to go on.

    config.json  environment.json  metrics.jsonl  model.safetensors  state.safetensors

Every file appears whole or not at all; after a crash at any moment, at most one epoch is lost.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
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
from neuralexec.training.training import NotFinite, Training

CONFIG, ENVIRONMENT, METRICS = "config.json", "environment.json", "metrics.jsonl"
MODEL, STATE = "model.safetensors", "state.safetensors"


class Watcher(Protocol):
    """Told how a training goes; one that does nothing is `Quiet`."""

    def begins(self, trainer: Trainer) -> None: ...

    def updated(self) -> None: ...

    def epoch_done(self, training: Training, record: dict[str, Any]) -> None: ...


class Quiet:
    def begins(self, trainer: Trainer) -> None:
        pass

    def updated(self) -> None:
        pass

    def epoch_done(self, training: Training, record: dict[str, Any]) -> None:
        pass


def train(
    config: Config,
    folder: Path,
    *,
    device: str = "cpu",
    resume: bool = False,
    watcher: Watcher | None = None,
) -> Training:
    """Train into a new folder, or go on in one; the best weights end up in its checkpoint."""
    [training] = train_together({folder: config}, device=device, resume=resume, watcher=watcher)
    return training


def train_together(
    configs: Mapping[Path, Config] | Mapping[str, Config],
    *,
    device: str = "cpu",
    resume: bool = False,
    watcher: Watcher | None = None,
) -> list[Training]:
    """Train networks of one shape at once, each into a folder of its own, as if it were alone.

    To resume, some of the folders may be new, or finished. If one fails, the others go on, and
    its failure is raised at the end.
    """
    watcher = watcher or Quiet()
    check_device(device)
    configs = {Path(folder): config for folder, config in configs.items()}
    known = {folder for folder in configs if resume and (folder / CONFIG).exists()}
    if resume and len(configs) == 1:
        known = set(configs)  # without settings in it there is nothing to resume
    for folder, config in configs.items():
        if folder in known:
            _require_same_config(folder, config)
        else:
            _require_free(folder)
    trainer = Trainer(list(configs.values()), device)  # before anything is written: it may refuse
    folders = dict(zip(trainer.trainings, configs, strict=True))
    with ExitStack() as held, one_thread():
        for training, folder in folders.items():
            if folder not in known:
                _make_folder(folder)
            held.enter_context(_alone_in(folder))
            if folder not in known:
                _write_json(folder / CONFIG, training.config.to_json())
            if (folder / STATE).exists():
                load_state(folder / STATE, training)
            _write_json(folder / ENVIRONMENT, environment(device))
            _forget_after(folder / METRICS, training.progress.epoch)
        watcher.begins(trainer)
        for training, folder in folders.items():
            if not (folder / MODEL).exists():
                _save_model(folder, training)
        while not trainer.over:
            for training, record in trainer.run_epoch(watcher.updated):
                folder = folders[training]
                _append(folder / METRICS, record)
                _save_model(folder, training)
                save_state(folder / STATE, training)
                watcher.epoch_done(training, record)
    for training, folder in folders.items():
        if training.failure is not None:
            where = f"{folder}: " if len(folders) > 1 else ""
            raise NotFinite(f"{where}{training.failure}")
    return trainer.trainings


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
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{folder}: another training is running in it; wait for it, or choose another "
                "folder"
            ) from None
        yield
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


def _save_model(folder: Path, training: Training) -> None:
    progress = training.progress
    card = {
        "data": training.data_checksum,
        "seed": training.config.seed,
        "parameters": training.num_parameters,
        "epochs": progress.epoch,
        "best_epoch": progress.best_epoch,
        "finished": progress.finished,
    }
    save_checkpoint(folder / MODEL, training.config, training.best_weights, card)


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
