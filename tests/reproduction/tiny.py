"""Tables of rows that train in a moment, in the place of the paper's."""

from __future__ import annotations

from typing import Any

import pytest

from neuralexec import recipes
from neuralexec.recipes import BFS_BELLMAN_FORD
from neuralexec.reproduction import reproduce
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.rows import NONE, Row
from neuralexec.reproduction.tables import TABLES, Table
from neuralexec.training.config import Config

TINY: dict[str, Any] = {"latent": 4, "num_train": 1, "num_validation": 1, "max_epochs": 1}
EXAM = Exam(20, 1)


def tiny(config: Config, **changes: Any) -> Config:
    return config.but(**{**TINY, **changes})


MPNN_MAX = tiny(recipes.mpnn_max())
GATS = (tiny(recipes.gat()[0]), tiny(recipes.gat()[3]))
DIVERGING = tiny(recipes.mpnn_sum(), learning_rate=1e30)


def row_of(name: str, *candidates: Config, **changes: Any) -> Row:
    preset = "paper" if candidates else NONE
    return Row(name, preset, BFS_BELLMAN_FORD, candidates, **{"exams": (EXAM,), **changes})


NOTHING = row_of("nothing learnt")
EXPLAINED = row_of("MPNN-max", MPNN_MAX, explained=True)
GAT = row_of("GAT*", *GATS)


def put(monkeypatch: pytest.MonkeyPatch, **rows: tuple[Row, ...]) -> None:
    """These rows in the place of those of the tables that are named; no drawings."""
    for name, own in rows.items():
        table = TABLES[name]
        replaced = Table(name, own, table.metrics, table.sizes, table.by_family)
        monkeypatch.setitem(TABLES, name, replaced)
    everything = tuple(dict.fromkeys(row for own in rows.values() for row in own))
    monkeypatch.setattr(reproduce, "PARALLEL", everything)
    monkeypatch.setattr("neuralexec.reports.build.build", lambda folder: [])
