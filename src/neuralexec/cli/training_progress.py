"""How a training is shown while it runs: a bar, or a line now and then where none can move."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from neuralexec.training.loop import Trainer
    from neuralexec.training.training import Training


EPOCHS_PER_LINE = 10


class TrainingProgress:
    """A context: the bar goes away when it ends."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        self.progress = Progress(
            TextColumn("epoch {task.fields[epoch]}"),
            BarColumn(),
            TextColumn("{task.fields[told]}"),
            TimeElapsedColumn(),
            TextColumn("at most"),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self.bar = self.progress.add_task("", epoch=1, told="", total=None)

    def __enter__(self) -> TrainingProgress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.progress.stop()

    def begins(self, trainer: Trainer) -> None:
        self.trainer = trainer
        first = trainer.trainings[0]
        most = max(
            sum(phase.max_epochs for phase in training.phases) for training in trainer.trainings
        )
        done = min(training.progress.epoch for training in trainer.trainings)
        self.progress.update(
            self.bar,
            total=most * first.num_updates,
            completed=done * first.num_updates,
            epoch=done + 1,
        )
        self.progress.start()

    def updated(self) -> None:
        self.progress.advance(self.bar)

    def epoch_done(self, training: Training, record: dict[str, Any]) -> None:
        """Of trainings that run together, the first that runs is shown."""
        several = self.trainer.trainings
        if training is not next(iter(self.trainer.running), training):
            return
        progress = training.progress
        told = f"loss {record['loss']:.3g}, validation {_percent(record['score'])}"
        if training.config.patience:
            told += f", best {_percent(progress.best_score)} at {progress.best_epoch}"
        if len(several) > 1:
            finished = sum(one.progress.finished for one in several)
            told = f"seed {training.config.seed}: {told}; {finished} of {len(several)} finished"
        self.progress.update(self.bar, epoch=progress.epoch + 1, told=told)
        if self.progress.disable and progress.epoch % EPOCHS_PER_LINE == 0:
            self.console.print(f"epoch {progress.epoch}: {told}")


def _percent(score: float) -> str:
    return f"{100 * score:.1f}%" if 0 <= score <= 1 else f"{score:.3g}"
