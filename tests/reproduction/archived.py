"""What a finished job leaves, without training: scores as they are told, graph by graph."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from neuralexec.algorithms import find_task
from neuralexec.evaluation.explanations import (
    Explanation,
    Explanations,
    GraphExplanations,
    save_explanations,
)
from neuralexec.evaluation.metrics import with_grown_masks
from neuralexec.evaluation.scores import TERMINATION, GraphScore, Scores, save_scores
from neuralexec.graphs.families import families
from neuralexec.models.scope import scope_of
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.work import EXPLANATIONS, SECONDS, Work, scores_file
from neuralexec.training.config import Config

PARAMETERS = 321


def metrics_of(task: str, config: Config | None) -> list[str]:
    """What is scored in an exam on this task."""
    variant = "full" if config is None else config.architecture.variant
    found = find_task(task)
    return [*with_grown_masks(found, scope_of(found, variant).predicted), TERMINATION]


def scores_of(
    task: str, exam: Exam, config: Config | None = None, share: float = 0.5, **values: float
) -> Scores:
    """Two steps of one graph a family: `share` and a little more for every family in the mean, as
    much again at the last step; or the value that is given for a signal, in all places."""
    names = metrics_of(task, config)
    graphs = []
    for number, family in enumerate(families()):
        mean = share + number / 100
        steps = {
            name: (values[name],) * 2 if name in values else (mean - 0.01, mean + 0.01)
            for name in names
        }
        graphs.append(
            GraphScore(
                family=family,
                num_nodes=exam.num_nodes,
                true_steps=2,
                steps_taken=2 if number else 1,
                stopped_itself=True,
                per_step=dict(steps),
                last={name: steps[name][-1] for name in names if name != TERMINATION},
            )
        )
    errors = tuple(name for name in names if name == "distance")
    return Scores("", task, "true-length", exam.num_nodes, "data", errors, tuple(graphs))


def finish(
    work: Work,
    folder: Path,
    *,
    share: float = 0.5,
    validation: float | Mapping[int, float] = 0.9,
    **values: float,
) -> None:
    """All that `perform` leaves in the folder of the job; the validation score by seed."""
    for own, config in work.folders(folder).items():
        own.mkdir(parents=True, exist_ok=True)
        tasks = [work.task] if config is None else config.tasks
        for exam in work.exams:
            found = [scores_of(task, exam, config, share, **values) for task in tasks]
            save_scores(found, own / scores_file(exam))
        if config is not None:
            given = validation if isinstance(validation, float) else validation[config.seed]
            _leave_training(own, config, given)
        if work.explained and config is not None:
            save_explanations(explanations_of(7 * config.num_train), own / EXPLANATIONS)


def _leave_training(own: Path, config: Config, validation: float) -> None:
    card = {"parameters": PARAMETERS, "epochs": 3, "best_epoch": 2, "finished": True}
    header = {"neuralexec": json.dumps({"config": config.to_json(), "card": card})}
    (own / "model.safetensors").write_bytes(save({"weights": np.zeros(1)}, header))
    (own / "config.json").write_text(json.dumps(config.to_json()))
    (own / "environment.json").write_text(json.dumps({"device": "cpu"}))
    # Only the score of the epoch that was kept counts.
    lines = [{"epoch": epoch, "score": validation - abs(2 - epoch)} for epoch in (1, 2, 3)]
    (own / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (own / SECONDS).write_text(json.dumps({"seconds": 1.5, "together": 1}))


def explanations_of(num_graphs: int) -> Explanations:
    """Of every graph: node 1 by the source 0, right; node 2 by node 1, right but not the first;
    node 3 by itself, wrong; 4 by 3 and 5 by 4, right but for what went wrong at 3."""
    nodes = (
        Explanation(1, 1, (0, 1), (0.9, 0.1), (0,)),
        Explanation(2, 2, (0, 1, 2), (0.1, 0.9, 0.0), (0, 1)),
        Explanation(3, 2, (1, 3), (0.2, 0.8), (1,)),
        Explanation(4, 3, (3, 4), (0.7, 0.3), (3,)),
        Explanation(5, 4, (4, 5), (0.7, 0.3), (4,)),
    )
    graph = GraphExplanations(None, 20, nodes)
    return Explanations(
        "", "bfs+bellman-ford", "reachable", True, 0.0, 1, 0.1, "data", (graph,) * num_graphs
    )
