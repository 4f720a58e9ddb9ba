"""Settings small enough to train in a second or two."""

from typing import Any

from neuralexec.training.config import Config

TINY: dict[str, Any] = {
    "num_nodes": 8,
    "num_train": 3,
    "num_validation": 2,
    "batch_size": 7,
    "learning_rate": 5e-3,
    "max_epochs": 3,
    "patience": 0,
}


def tiny(**changes: Any) -> Config:
    return Config(**{**TINY, **changes})
