"""Settings small enough to train in a second or two, and trainings with them."""

from typing import Any

from neuralexec.training.config import Config
from neuralexec.training.loop import Trainer
from neuralexec.training.training import Training

TINY: dict[str, Any] = {
    "num_nodes": 8,
    "num_train": 3,
    "num_validation": 2,
    "batch_size": 7,
    "learning_rate": 5e-3,
    "number_weight": 1.0,  # so that no loss outweighs the others, and each has to get better
    "max_epochs": 3,
    "patience": 0,
}

RELATIVE: dict[str, Any] = {"relative": True, "recurrent": False, "scorer": "both"}
"""Distances count relative to each other only."""

Record = dict[str, Any]


def tiny(**changes: Any) -> Config:
    return Config(**{**TINY, **changes})


def trained(config: Config) -> tuple[Training, list[Record]]:
    """To its end."""
    [training], [records] = trained_together(config)
    return training, records


def trained_together(*configs: Config) -> tuple[list[Training], list[list[Record]]]:
    """Each to its end."""
    trainer = Trainer(configs)
    records: dict[Training, list[Record]] = {training: [] for training in trainer.trainings}
    while not trainer.over:
        for training, record in trainer.run_epoch():
            records[training].append(record)
    return trainer.trainings, list(records.values())
