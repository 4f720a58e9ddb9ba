"""Trainings that run together: networks of one shape as replicas, each with graphs of its own.

Small networks leave most of a GPU idle: many of them in one call cost little more than one. On a
CPU they share the cost of the calls. Everything random in an epoch comes from a training's own seed
and the number of its epoch, so that it does, up to rounding, what it would do alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from neuralexec.algorithms import Task
from neuralexec.batches import Batch, Steps, side_by_side
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.infinity import read_steps
from neuralexec.training.adam import Adam, clipped
from neuralexec.training.data import batches_of, training_problems
from neuralexec.training.losses import LossWeights, losses
from neuralexec.training.own_outputs import on_own_outputs
from neuralexec.training.presets import is_sequential
from neuralexec.training.recorded import Recorded, can_be_recorded
from neuralexec.training.training import Training, new_network
from neuralexec.training.validation import Validation, validate, validation_score


class Draws(NamedTuple):
    """Everything random of one update, [replicas, graphs of each]; on the host."""

    graphs: Tensor
    offsets: tuple[Tensor, ...]  # of each task
    own: tuple[Tensor, ...]  # of each task: is this graph trained on the network's own outputs?

    def to(self, device: str) -> Draws:
        def sent(values: Tensor) -> Tensor:
            return values.to(device, non_blocking=True)

        graphs, offsets, own = self
        return Draws(sent(graphs), tuple(map(sent, offsets)), tuple(map(sent, own)))


class Group:
    def __init__(self, trainings: Sequence[Training], device: str) -> None:
        self.trainings = list(trainings)
        self.device = device
        self.phase = trainings[0].phase
        self.config = trainings[0].config  # in what matters here they are all alike
        self.rows = torch.stack([training.now for training in trainings]).to(device)
        self.adam = Adam(self.rows, [training.moments for training in trainings])
        self.executor: NeuralExecutor = new_network(self.config).to(device)
        trainings[0].layout.attach(self.executor, self.rows)
        self.parameters = list(self.executor.parameters())
        self.clip = self._column([one.config.clip or torch.inf for one in trainings])
        self.weights = LossWeights(
            penalty=self._column([one.config.penalty_weight for one in trainings]).squeeze(1),
            number=self._column([one.config.number_weight for one in trainings]).squeeze(1),
            settled=self._column([one.config.settled_weight for one in trainings]).squeeze(1),
        )
        self.asks_nodes = any(one.config.settled_weight for one in trainings)
        together = [problem for one in trainings for problem in one.validation_problems]
        batches = batches_of(together, self.config, self.phase.only, device)
        self.validation = [Validation(batch, len(trainings)) for batch in batches]
        self.train = self._training_batches()
        self.totals: dict[str, Tensor] = {}
        self.recorded: Recorded | None = None

    def run_epoch(self, on_update: Callable[[], None]) -> list[dict[str, object] | None]:
        """Train all for one epoch and validate; what each has to say of it."""
        if self.config.fresh_graphs and self.drawn_at != self._epochs():
            self.train = self._training_batches()
        elif self.recorded is None and can_be_recorded(self):
            self.recorded = Recorded(self)
        seed = _mixed(self.config.seed, self.trainings[0].progress.epoch)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            means = self._train(on_update)
        validations = validate(self.executor, self.validation)
        return [
            training.learnt(row.cpu().clone(), moments, own_means, validation, score)
            for training, row, moments, own_means, validation, score in zip(
                self.trainings,
                self.rows,
                self.adam.moments(),
                means,
                validations,
                [validation_score(one, self.train) for one in validations],
                strict=True,
            )
        ]

    def _epochs(self) -> list[int]:
        return [one.progress.epoch for one in self.trainings]

    def _training_batches(self) -> tuple[Batch, ...]:
        self.drawn_at = self._epochs()
        fresh = self.config.fresh_graphs
        problems = [
            problem
            for one in self.trainings
            for problem in (
                training_problems(one.config, one.progress.epoch)
                if fresh and one.progress.epoch
                else one.train_problems
            )
        ]
        return batches_of(problems, self.config, self.phase.only, self.device)

    def _train(self, on_update: Callable[[], None]) -> list[dict[str, float]]:
        num_updates = self.trainings[0].num_updates
        rates = [
            [one.learning_rate(number / num_updates) for one in self.trainings]
            for number in range(num_updates)
        ]
        self.executor.train()
        self.totals.clear()
        for (step, root), draws in zip(self.adam.plan(rates), self.draws(), strict=True):
            if self.recorded is not None and self.recorded.fits(draws):
                self.recorded.replay(draws, step, root)
            else:
                sent = draws.to(self.device)
                self.add_up(self.update(self._side_by_side(draws.graphs), sent, step, root))
            on_update()
        if self.recorded is not None:
            self.add_up(self.recorded.collect())
        names = list(self.totals)
        means = (torch.stack([self.totals[name] for name in names], dim=1) / num_updates).tolist()
        return [dict(zip(names, own, strict=True)) for own in means]

    def add_up(self, losses: dict[str, Tensor]) -> None:
        for name, loss in losses.items():
            self.totals[name] = self.totals[name] + loss if name in self.totals else loss

    def update(
        self, of_tasks: Sequence[Steps], draws: Draws, step: Tensor, root: Tensor
    ) -> dict[str, Tensor]:
        """One update of all networks; [replicas]: the losses, each over all tasks."""
        parts = self._losses(of_tasks, draws)
        loss = torch.stack(list(parts.values())).sum()
        found = torch.autograd.grad(loss, self.parameters, allow_unused=True)
        grads = self.trainings[0].layout.gradients(found, len(self.rows))
        if any(one.config.clip for one in self.trainings):
            grads = clipped(grads, self.clip)
        self.adam.update(grads, step, root)
        return {name: loss.detach() for name, loss in parts.items()}

    def _side_by_side(self, graphs: Tensor) -> list[Steps]:
        return [
            side_by_side(batch, graphs.flatten(), **self.layout_of(batch)) for batch in self.train
        ]

    def layout_of(self, batch: Batch) -> dict[str, Any]:
        """How the steps of a batch are laid out."""
        return {
            "extra": self.config.extra_steps,
            "replicas": len(self.trainings),
            "start_only": self.executor.heads_of(batch.task).scope.feeds_start_only,
        }

    def _losses(self, of_tasks: Sequence[Steps], draws: Draws) -> dict[str, Tensor]:
        total: dict[str, Tensor] = {}
        for batch, steps, offsets, own in zip(
            self.train, of_tasks, draws.offsets, draws.own, strict=True
        ):
            scope = self.executor.heads_of(steps.task).scope
            settled = steps.settled if self.asks_nodes else None
            if self.config.relative:
                first = batch.start.signals
                names = [name for name in batch.start.unbounded if name in steps.inputs]
                steps = read_steps(
                    steps, {name: first[name].index_select(0, steps.nodes) for name in names}
                )
            if any(one.config.offset for one in self.trainings):
                steps = steps.translated(offsets.flatten())
            if self._learns_from_itself(steps.task):
                steps = on_own_outputs(self.executor, steps, own.flatten())
            taught = self.executor.teach(steps, at_nodes=self.asks_nodes)
            parts = losses(
                taught,
                steps,
                scope,
                weights=self.weights,
                settled=settled,
                written_only=self.config.written_only,
            )
            for name, loss in parts.items():
                total[name] = total[name] + loss if name in total else loss
        return total

    def _learns_from_itself(self, task: Task) -> bool:
        feeds = not self.executor.heads_of(task).scope.feeds_start_only
        return feeds and not is_sequential(task) and any(one.own_share for one in self.trainings)

    def draws(self) -> Iterator[Draws]:
        """One for each update of the epoch."""
        num_tasks, size = len(self.train), self.config.batch_size
        num_updates = self.trainings[0].num_updates
        orders, offsets, own = [], [], []
        first = 0
        for training in self.trainings:
            config = training.config
            generator = torch.Generator().manual_seed(_mixed(config.seed, training.progress.epoch))
            num_graphs = len(training.train_problems)
            orders.append(first + torch.randperm(num_graphs, generator=generator))
            drawn = torch.rand(3, num_tasks, num_updates, size, generator=generator)
            moved = torch.where(drawn[1] < config.offset_share, config.offset * drawn[0], 0)
            offsets.append(moved)
            own.append(drawn[2] < training.own_share)
            first += num_graphs
        moved, by_itself = torch.stack(offsets, dim=2), torch.stack(own, dim=2)
        for number, graphs in enumerate(torch.stack(orders).split(size, dim=1)):
            count = graphs.shape[1]
            yield Draws(
                graphs,
                tuple(of_task[number, :, :count] for of_task in moved),
                tuple(of_task[number, :, :count] for of_task in by_itself),
            )

    def _column(self, values: Sequence[float]) -> Tensor:
        return torch.tensor(values, dtype=self.rows.dtype, device=self.device).unsqueeze(1)


def _mixed(seed: int, epoch: int) -> int:
    """One seed from two numbers; neighbouring ones have nothing in common."""
    return (seed * 0x9E3779B97F4A7C15 + epoch * 0xBF58476D1CE4E5B9 + 1) % (1 << 63)
