"""Named settings: what the paper states, and what generalises best so far.

`paper` keeps everything the paper states and chooses only among what it leaves open: the batch
size, the minimum over nodes for termination, the weights of the losses, true inputs in training.
"""

from __future__ import annotations

from typing import Any

from neuralexec.algorithms import Kind, Task, find_task
from neuralexec.plugins import choose
from neuralexec.training.config import Config

PAPER: dict[str, Any] = {}

BEST: dict[str, Any] = {
    "scorer": "both",
    # All a step needs is in its input; what a memory adds misleads on graphs of other sizes.
    "recurrent": False,
    # Larger graphs have longer distances than any of 20 nodes.
    "relative": True,
    # The paper's infinity is so low that a node can be reached and still be infinite: seldom on
    # 20 nodes, often on more, and reachability must not rest on the distance.
    "infinity_low": 0.5,
    # Errors of a step add up over a run, and decide when it ends: distances must be exact to a
    # thousandth, and what tells "a little shorter" from "no shorter" as sharp.
    "number_weight": 1e4,
    "settled_weight": 3.0,
    "sharp": True,
    "learning_rate": 5e-3,
    "schedule": "cosine",
    "batch_size": 7,
    "max_epochs": 80,
    "patience": 0,
    "clip": 1.0,
}

BEST_SEQUENTIAL: dict[str, Any] = {
    **BEST,
    "infinity_low": 1.0,
    "settled_weight": 0.0,
    "max_epochs": 50,
}
"""One node at a time: all others stay as they are in every step, and have nothing to tell."""

PRESETS = ("paper", "best")


def preset(name: str, tasks: tuple[str, ...] = ("bfs+bellman-ford",)) -> Config:
    """The settings of this name for these tasks."""
    sequential = all(is_sequential(find_task(task)) for task in tasks)
    settings = {"paper": PAPER, "best": BEST_SEQUENTIAL if sequential else BEST}
    return Config(tasks=tasks).but(**choose(settings, name, "preset"))


def is_sequential(task: Task) -> bool:
    """Does it choose one node after the other?"""
    return any(signal.kind is Kind.CHOICE for signal in task.signals.values())
