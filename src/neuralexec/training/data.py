"""The graphs of a training: drawn from its seed, traced once, kept as one batch per task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from neuralexec.algorithms import find_task
from neuralexec.batches import Batch, collate
from neuralexec.graphs.dress import with_self_edges
from neuralexec.graphs.memory import refuse_if_too_large
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.problems import with_paper_infinity
from neuralexec.graphs.splits import Split
from neuralexec.training.config import Config

BYTES_PER_NODE = 1_000
"""Of a training graph with its trace, and more rather than less."""


def training_problems(config: Config, epoch: int = 0) -> tuple[Problem, ...]:
    """Those of the seed; fresh ones have a name of their own in every epoch but the first."""
    name = f"train-{epoch}" if config.fresh_graphs and epoch else "train"
    refuse_if_too_large(
        BYTES_PER_NODE * config.num_nodes * config.num_train * (len(config.families) or 7),
        f"{config.num_train:,} training graphs of {config.num_nodes:,} nodes a family",
    )
    split = Split(name, config.num_nodes, config.num_train, config.families)
    problems = split.draw(config.seed)
    if not config.infinity_spread and config.infinity_low == 1:
        return problems
    rng = np.random.default_rng([config.seed, epoch, 1])
    above = config.infinity_spread * rng.random(len(problems))
    times = 1 - (1 - config.infinity_low) * rng.random(len(problems))
    dressed = [replace(problem, graph=with_self_edges(problem.graph)) for problem in problems]
    return tuple(
        replace(problem, infinity=float(problem.infinity * factor + more))
        for problem, factor, more in zip(with_paper_infinity(dressed), times, above, strict=True)
    )


def validation_problems(config: Config) -> tuple[Problem, ...]:
    split = Split("validation", config.num_nodes, config.num_validation, config.families)
    return split.draw(config.seed)


def batches_of(
    problems: Sequence[Problem], config: Config, only: str | None, device: str
) -> tuple[Batch, ...]:
    """One batch per task; `only` keeps one algorithm's signals, and runs as long as it takes."""
    return tuple(
        replace(collate(problems, find_task(only) if only else task), task=task).to(device)
        for task in config.parsed_tasks
    )
