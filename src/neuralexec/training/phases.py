"""A training has one phase, but for the curriculum, which learns reachability first."""

from __future__ import annotations

import math
from dataclasses import dataclass

from neuralexec.training.config import Config


@dataclass(frozen=True)
class Phase:
    name: str
    max_epochs: int
    patience: int
    enough: float = math.inf
    """The validation score at which it ends."""
    only: str | None = None
    """The one algorithm of each task that is learnt, if not all."""


def phases_of(config: Config) -> list[Phase]:
    main = Phase("all", config.max_epochs, config.patience)
    if config.variant != "curriculum" or not config.curriculum_epochs:
        return [main]
    return [Phase("bfs", config.curriculum_epochs, 0, enough=1.0, only="bfs"), main]
