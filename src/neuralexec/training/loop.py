"""The training loop: epochs of updates, a validation after each, and an early end for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from neuralexec.errors import InputError
from neuralexec.training.config import Config
from neuralexec.training.group import Group
from neuralexec.training.training import Training

OWN = {
    "seed",
    "infinity_spread",
    "infinity_low",
    "offset",
    "offset_share",
    "learning_rate",
    "schedule",
    "max_epochs",
    "patience",
    "clip",
    "own_outputs",
    "own_outputs_ramp",
    "penalty_weight",
    "number_weight",
    "settled_weight",
    "curriculum_epochs",
}
"""The settings in which trainings that run together may differ: all that leave the shape alone."""


class Trainer:
    """One or more trainings: `run_epoch` until all are over."""

    def __init__(self, configs: Config | Sequence[Config], device: str = "cpu") -> None:
        configs = [configs] if isinstance(configs, Config) else list(configs)
        _require_one_shape(configs)
        self.trainings = [Training(config) for config in configs]
        self.device = device
        self._group: Group | None = None

    @property
    def over(self) -> bool:
        return all(training.over for training in self.trainings)

    @property
    def running(self) -> list[Training]:
        """Those of the next epoch: all that are not over, but one that is a phase ahead waits."""
        left = [training for training in self.trainings if not training.over]
        phase = min((training.progress.phase for training in left), default=0)
        return [training for training in left if training.progress.phase == phase]

    def run_epoch(
        self, on_update: Callable[[], None] = lambda: None
    ) -> list[tuple[Training, dict[str, Any]]]:
        """An epoch of each training that runs, and how it went."""
        running = self.running
        if not running:
            return []
        phase = running[0].phase
        group = self._group
        if group is None or group.trainings != running or group.phase != phase:
            self._group = None  # its memory is needed
            group = self._group = Group(running, self.device)
        records = zip(running, group.run_epoch(on_update), strict=True)
        return [(training, record) for training, record in records if record is not None]


def _require_one_shape(configs: Sequence[Config]) -> None:
    if not configs:
        raise InputError("there is nothing to train; give at least one set of settings")
    first, *others = configs
    if others and first.sharpening == "gumbel":
        raise InputError(
            "the noise of Gumbel softmax is drawn for all networks together, so each would "
            "learn something else than alone; train them apart"
        )
    different = sorted(
        {
            field.name.replace("_", "-")
            for other in others
            for field in fields(Config)
            if field.name not in OWN and getattr(other, field.name) != getattr(first, field.name)
        }
    )
    if different:
        raise InputError(
            f"trainings that run together have networks and batches of one shape; these differ "
            f"in {', '.join(different)}: train them apart"
        )
