"""Log a training elsewhere, beside its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from neuralexec.errors import InputError
from neuralexec.plugins import choose
from neuralexec.training.loop import Trainer
from neuralexec.training.run import Watcher
from neuralexec.training.training import Training


class TensorBoard:
    """Losses and validation scores as TensorBoard event files, in the folder of the training."""

    @staticmethod
    def check() -> None:
        """Refuse, before anything is trained, where TensorBoard is not installed."""
        if find_spec("tensorboard") is None:
            raise InputError(
                "--track tensorboard needs TensorBoard: pip install 'neuralexec[track]'"
            )

    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.writer = SummaryWriter(str(folder / "tensorboard"))

    def log(self, record: dict[str, Any]) -> None:
        validation = {
            f"validation/{task}/{name}": value
            for task, scores in record["validation"].items()
            for name, value in scores.items()
        }
        training = {f"loss/{name}": value for name, value in record["losses"].items()}
        for name, value in {"loss/total": record["loss"], **training, **validation}.items():
            if value is not None:
                self.writer.add_scalar(name, value, record["epoch"])

    def close(self) -> None:
        self.writer.close()


TRACKERS: dict[str, type[TensorBoard]] = {"tensorboard": TensorBoard}


class _Tracking:
    """A watcher that also logs; the log begins when the folder is there."""

    def __init__(self, watcher: Watcher, make: Callable[[], TensorBoard]) -> None:
        self.watcher = watcher
        self.make = make
        self.tracker: TensorBoard | None = None

    def begins(self, trainer: Trainer) -> None:
        self.tracker = self.make()
        self.watcher.begins(trainer)

    def updated(self) -> None:
        self.watcher.updated()

    def epoch_done(self, training: Training, record: dict[str, Any]) -> None:
        if self.tracker is not None:
            self.tracker.log(record)
        self.watcher.epoch_done(training, record)


@contextmanager
def tracked(watcher: Watcher, name: str | None, folder: Path) -> Iterator[Watcher]:
    """The watcher, logging to the tracker of this name as well, if any."""
    if name is None:
        yield watcher
        return
    make = choose(TRACKERS, name, "tracker")
    make.check()
    tracking = _Tracking(watcher, lambda: make(folder))
    try:
        yield tracking
    finally:
        if tracking.tracker is not None:
            tracking.tracker.close()
