"""Named settings: what the paper states, and what generalises best so far."""

from __future__ import annotations

from typing import Any

from neuralexec.plugins import choose
from neuralexec.training.config import Config

BEST: dict[str, Any] = {}

PRESETS: dict[str, dict[str, Any]] = {
    "paper": {},
    "best": BEST,
}


def preset(name: str, tasks: tuple[str, ...] = ("bfs+bellman-ford",)) -> Config:
    """The settings of this name for these tasks."""
    return Config(tasks=tasks).but(**choose(PRESETS, name, "preset"))
