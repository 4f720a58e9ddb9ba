"""The end of the page: what the trainings cost, and every one of them with its settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from neuralexec.reports.layout import presets_in_order, rows_in_order
from neuralexec.reports.markup import Markup, element, join, simple_table
from neuralexec.reports.numbers import NOTHING
from neuralexec.reports.records import Training
from neuralexec.reports.tables import range_of


def costs(trainings: Sequence[Training]) -> Markup:
    devices = ", ".join(sorted({training.device for training in trainings}))
    words = (
        f"{len(trainings)} trainings took {core_hours(trainings):.2f} core-hours together, "
        f"on: {devices}."
    )
    lines = []
    for row in rows_in_order(training.row for training in trainings):
        of_row = [training for training in trainings if training.row == row]
        for preset in presets_in_order(training.preset for training in of_row):
            some = [training for training in of_row if training.preset == preset]
            lines += [
                _cost(row, preset, task, [one for one in some if one.task == task])
                for task in sorted({training.task for training in some})
            ]
    headings = ["model", "preset", "task", "trainings", "parameters", "core-hours"]
    every = element(
        "details",
        element("summary", f"All {len(trainings)} trainings, with their settings"),
        simple_table(
            ["name", "seed", "epochs", "best epoch", "validation", "seconds", "device", "settings"],
            [_training(training) for training in sorted(trainings, key=lambda one: one.name)],
            "trainings",
        ),
    )
    return join(element("p", words), simple_table(headings, lines), every)


def core_hours(trainings: Iterable[Training]) -> float:
    return sum(training.seconds for training in trainings) / 3600


def _cost(row: str, preset: str, task: str, some: list[Training]) -> list[str]:
    parameters = range_of(training.parameters for training in some)
    return [row, preset, task, str(len(some)), parameters, f"{core_hours(some):.2f}"]


def _training(training: Training) -> list[str]:
    best = NOTHING if training.best_epoch is None else str(training.best_epoch)
    validation = NOTHING if training.validation is None else f"{training.validation:.4g}"
    settings = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in training.config.items()
    )
    return [
        training.name,
        str(training.seed),
        str(training.epochs),
        best,
        validation,
        f"{training.seconds:.1f}",
        training.device,
        element("details", element("summary", "show"), element("code", settings)),
    ]
