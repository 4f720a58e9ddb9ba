"""The training loop: epochs of updates, a validation after each, and an early end.

Everything random in an epoch comes from the seed and the number of the epoch, so that a training
that goes on from a checkpoint does what it would have done.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from neuralexec.algorithms import Kind, find_task
from neuralexec.batches import Batch, longest_first, side_by_side
from neuralexec.errors import InputError
from neuralexec.evaluation.evaluate import scores_of
from neuralexec.evaluation.scores import Scores
from neuralexec.graphs.splits import checksum
from neuralexec.models.executor import NeuralExecutor
from neuralexec.training.config import Config
from neuralexec.training.data import (
    batches_of,
    shuffled,
    training_problems,
    validation_problems,
)
from neuralexec.training.losses import losses
from neuralexec.training.own_outputs import mixed_inputs
from neuralexec.training.phases import Phase, phases_of
from neuralexec.training.presets import is_sequential

Weights = dict[str, Tensor]


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


class Trainer:
    """A training between epochs: `run_epoch` until `progress.finished`."""

    def __init__(self, config: Config, device: str = "cpu") -> None:
        self.config = config
        self.device = device
        self.phases = phases_of(config)
        self.progress = Progress(finished=config.max_epochs == 0)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            executor = NeuralExecutor(config.architecture, config.parsed_tasks)
        self.executor = executor.to(device)
        self.optimiser = torch.optim.Adam(self.executor.parameters(), config.learning_rate)
        self.best = self._weights()
        self.train_problems = training_problems(config)
        self.validation_problems = validation_problems(config)
        self._phase_ready = -1

    @cached_property
    def data_checksum(self) -> str:
        """Of the training and validation problems."""
        return checksum((*self.train_problems, *self.validation_problems))

    @property
    def num_updates(self) -> int:
        """Per epoch."""
        return math.ceil(len(self.train_problems) / self.config.batch_size)

    def run_epoch(self, on_update: Callable[[], None] = lambda: None) -> dict[str, Any]:
        """Train for one epoch, validate, and say how it went."""
        progress, phase = self.progress, self.phases[self.progress.phase]
        self._prepare(phase)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(_mixed(self.config.seed, progress.epoch))
            means = self._train(phase, on_update)
        scores = self._validate()
        score = validation_score(scores)
        progress.epoch += 1
        progress.epoch_of_phase += 1
        record = {
            "epoch": progress.epoch,
            "phase": phase.name,
            "loss": math.fsum(means.values()),
            "losses": means,
            "validation": {
                one.task: {name: one.mean_step(name) for name in one.metrics} for one in scores
            },
            "score": score,
        }
        self._judge(phase, score)
        return record

    def _prepare(self, phase: Phase) -> None:
        """The batches of this phase and epoch."""
        config, epoch = self.config, self.progress.epoch
        if self._phase_ready != self.progress.phase:
            self.validation = batches_of(self.validation_problems, config, phase.only, self.device)
            self.train = batches_of(self.train_problems, config, phase.only, self.device)
            self._phase_ready = self.progress.phase
        if config.fresh_graphs and epoch:
            fresh = training_problems(config, epoch)
            self.train = batches_of(fresh, config, phase.only, self.device)

    def _train(self, phase: Phase, on_update: Callable[[], None]) -> dict[str, float]:
        config, num_updates = self.config, self.num_updates
        generator = torch.Generator().manual_seed(_mixed(config.seed, self.progress.epoch))
        self.executor.train()
        totals: dict[str, Tensor] = {}
        num_graphs = len(self.train_problems)
        for number, chosen in enumerate(shuffled(num_graphs, config.batch_size, generator)):
            self._set_learning_rate(phase, number / num_updates)
            parts: dict[str, Tensor] = {}
            for batch in self.train:
                for name, loss in self._losses(batch, chosen, generator).items():
                    parts[name] = parts[name] + loss if name in parts else loss
            self._update(sum(parts.values(), start=torch.zeros((), device=self.device)))
            for name, loss in parts.items():
                totals[name] = totals.get(name, 0) + loss.detach()
            on_update()
        weights = [weight.detach().sum() for weight in self.executor.parameters()]
        self._require_finite(torch.stack(weights).sum())
        return {name: (total / num_updates).item() for name, total in totals.items()}

    def _losses(
        self, batch: Batch, chosen: Tensor, generator: torch.Generator
    ) -> dict[str, Tensor]:
        config = self.config
        graphs = longest_first(batch.select(chosen.to(self.device)))
        if config.offset:
            graphs = graphs.translated(_offsets(graphs, config, generator))
        heads = self.executor.heads_of(batch.task)
        share = 0.0 if is_sequential(batch.task) else self._own_share()
        inputs = mixed_inputs(self.executor, graphs, heads.scope, share, generator)
        steps = side_by_side(graphs, config.extra_steps, inputs)
        return losses(
            self.executor.teach(steps), steps, heads.scope, penalty_weight=config.penalty_weight
        )

    def _own_share(self) -> float:
        ramp = self.config.own_outputs_ramp
        grown = min(1.0, self.progress.epoch / ramp) if ramp else 1.0
        return self.config.own_outputs * grown

    def _update(self, loss: Tensor) -> None:
        self._require_finite(loss)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if self.config.clip:
            torch.nn.utils.clip_grad_norm_(self.executor.parameters(), self.config.clip)
        self.optimiser.step()

    def _require_finite(self, loss: Tensor) -> None:
        if not math.isfinite(loss.item()):
            raise NotFinite(
                f"the loss is not finite in epoch {self.progress.epoch + 1}: lower the learning "
                "rate or clip gradients (--clip 1); the last good checkpoint is kept"
            )

    def _set_learning_rate(self, phase: Phase, part_of_epoch: float) -> None:
        rate = self.config.learning_rate
        if self.config.schedule == "cosine":
            done = (self.progress.epoch_of_phase + part_of_epoch) / phase.max_epochs
            rate *= (1 + math.cos(math.pi * done)) / 2
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def _validate(self) -> list[Scores]:
        self.executor.eval()
        return [
            scores_of(
                self.executor,
                [batch],
                "true-length",
                self.validation_problems,
                predicted=tuple(
                    name
                    for name in self.executor.heads_of(batch.task).scope.predicted
                    if name in batch.states
                ),
            )
            for batch in self.validation
        ]

    def _judge(self, phase: Phase, score: float) -> None:
        """Keep the best weights, and end the phase when it is time."""
        progress = self.progress
        if score > progress.best_score or not phase.patience:
            progress.best_score, progress.best_epoch = score, progress.epoch
            self.best = self._weights()
        waited = progress.epoch - progress.best_epoch
        out_of_patience = bool(phase.patience) and waited >= phase.patience
        out_of_epochs = progress.epoch_of_phase >= phase.max_epochs
        if not (out_of_patience or out_of_epochs or score >= phase.enough):
            return
        self.executor.load_state_dict(self.best)
        if progress.phase + 1 == len(self.phases):
            progress.finished = True
            return
        progress.phase += 1
        progress.epoch_of_phase = 0
        progress.best_score, progress.best_epoch = -math.inf, progress.epoch

    def _weights(self) -> Weights:
        return {name: value.clone() for name, value in self.executor.state_dict().items()}


def validation_score(scores: list[Scores]) -> float:
    """What early stopping goes by: accuracy of the predecessors; without any, of what there is.

    A task of numbers alone is judged by its squared error.
    """
    parts = []
    for one in scores:
        signals = _signals(one)
        pointers = [name for name, kind in signals.items() if kind is Kind.POINTER]
        others = [name for name, kind in signals.items() if kind is not Kind.SCALAR]
        if chosen := pointers or others:
            parts.append(math.fsum(one.mean_step(name) or 0.0 for name in chosen) / len(chosen))
        else:
            parts.append(-math.fsum(one.mean_step(name) or 0.0 for name in signals))
    score = math.fsum(parts) / len(parts)
    return score if math.isfinite(score) else -math.inf


def _signals(scores: Scores) -> dict[str, Kind]:
    task = find_task(scores.task)
    return {name: task.signals[name].kind for name in scores.metrics if name in task.signals}


def _offsets(batch: Batch, config: Config, generator: torch.Generator) -> Tensor:
    drawn = config.offset * torch.rand(batch.num_graphs, generator=generator)
    moved = torch.rand(batch.num_graphs, generator=generator) < config.offset_share
    return torch.where(moved, drawn, 0).to(batch.edges.device)


def _mixed(seed: int, epoch: int) -> int:
    """One seed from two numbers; neighbouring ones have nothing in common."""
    return (seed * 0x9E3779B97F4A7C15 + epoch * 0xBF58476D1CE4E5B9 + 1) % (1 << 63)
