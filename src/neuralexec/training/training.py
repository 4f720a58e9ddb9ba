"""One training between two epochs: how far it is, its weights, its best weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from neuralexec.errors import InputError
from neuralexec.graphs.splits import checksum
from neuralexec.models.executor import NeuralExecutor
from neuralexec.training.adam import Moments
from neuralexec.training.config import Config
from neuralexec.training.data import training_problems, validation_problems
from neuralexec.training.flat import Layout, Weights
from neuralexec.training.phases import Phase, phases_of


class NotFinite(InputError):
    """The loss became infinite or NaN."""


@dataclass
class Progress:
    """Where a training stands, between two epochs; enough, with the weights, to go on."""

    epoch: int = 0
    """Epochs done, over all phases."""
    phase: int = 0
    epoch_of_phase: int = 0
    best_score: float = -math.inf
    best_epoch: int = 0
    """The epoch of the best score; the last one where no score decides."""
    finished: bool = False


class Training:
    def __init__(self, config: Config) -> None:
        self.config = config
        self.phases = phases_of(config)
        self.progress = Progress(finished=config.max_epochs == 0)
        network = new_network(config)
        self.layout = Layout(network)
        self.now = self.layout.row(dict(network.named_parameters()))
        self.moments = Moments.of(self.now)
        self.best = self.now
        self.train_problems = training_problems(config)
        self.validation_problems = validation_problems(config)
        self.failure: NotFinite | None = None

    @property
    def phase(self) -> Phase:
        return self.phases[self.progress.phase]

    @property
    def over(self) -> bool:
        return self.progress.finished or self.failure is not None

    @property
    def num_parameters(self) -> int:
        return len(self.now)

    @property
    def best_weights(self) -> Weights:
        return self.layout.weights(self.best)

    @cached_property
    def data_checksum(self) -> str:
        """Of the training and validation problems."""
        return checksum((*self.train_problems, *self.validation_problems))

    @property
    def num_updates(self) -> int:
        """Per epoch."""
        return math.ceil(len(self.train_problems) / self.config.batch_size)

    @property
    def own_share(self) -> float:
        """The share of graphs that are trained on the network's own outputs."""
        ramp = self.config.own_outputs_ramp
        grown = min(1.0, self.progress.epoch / ramp) if ramp else 1.0
        return self.config.own_outputs * grown

    def learning_rate(self, part_of_epoch: float) -> float:
        rate = self.config.learning_rate
        if self.config.schedule == "cosine":
            done = (self.progress.epoch_of_phase + part_of_epoch) / self.phase.max_epochs
            rate *= (1 + math.cos(math.pi * done)) / 2
        return rate

    def learnt(
        self,
        row: torch.Tensor,
        moments: Moments,
        losses: dict[str, float],
        validation: dict[str, dict[str, float | None]],
        score: float,
    ) -> dict[str, Any] | None:
        """Take in an epoch and say how it went; nothing of an epoch that failed."""
        progress, phase = self.progress, self.phase
        if not (math.isfinite(math.fsum(losses.values())) and bool(torch.isfinite(row).all())):
            self.failure = NotFinite(
                f"the loss is not finite in epoch {progress.epoch + 1}: lower the learning "
                "rate or clip gradients (--clip 1); the last good checkpoint is kept"
            )
            return None
        self.now, self.moments = row, moments
        progress.epoch += 1
        progress.epoch_of_phase += 1
        record = {
            "epoch": progress.epoch,
            "phase": phase.name,
            "loss": math.fsum(losses.values()),
            "losses": losses,
            "validation": validation,
            "score": score,
        }
        self._judge(phase, score)
        return record

    def _judge(self, phase: Phase, score: float) -> None:
        """Keep the best weights, and end the phase when it is time."""
        progress = self.progress
        if score > progress.best_score or not phase.patience:
            progress.best_score, progress.best_epoch = score, progress.epoch
            self.best = self.now
        waited = progress.epoch - progress.best_epoch
        out_of_patience = bool(phase.patience) and waited >= phase.patience
        out_of_epochs = progress.epoch_of_phase >= phase.max_epochs
        if not (out_of_patience or out_of_epochs or score >= phase.enough):
            return
        self.now = self.best
        if progress.phase + 1 == len(self.phases):
            progress.finished = True
            return
        # What the next phase adds has no gradients yet, and they would count as small ones.
        self.moments = Moments.of(self.now)
        progress.phase += 1
        progress.epoch_of_phase = 0
        progress.best_score, progress.best_epoch = -math.inf, progress.epoch


def new_network(config: Config) -> NeuralExecutor:
    """With the initial weights of the seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        return NeuralExecutor(config.architecture, config.parsed_tasks)
