"""From the tables that are asked for to the jobs that are left to do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from neuralexec.reproduction.rows import NONE, Row
from neuralexec.reproduction.tables import Table
from neuralexec.reproduction.work import Work, is_done
from neuralexec.sweeps import Job
from neuralexec.training.config import Config

_PER_STEP = {"lstm": 4.0, "gat": 3.0, "gat-transformer": 4.0}
_FULL = 2.0  # times as much over the full graph


def all_work(
    tables: Sequence[Table], num_seeds: int, *, variant_seeds: int | None = None, explained: bool
) -> list[Work]:
    """Each recipe once, with every exam that a table asks of it.

    Of the candidates for a row, only the first `variant_seeds` seeds, all by default.
    """
    return merged(
        work
        for table in tables
        for row in table.rows
        for work in _work_of(row, table, num_seeds, variant_seeds, explained=explained)
    )


def merged(works: Iterable[Work]) -> list[Work]:
    """Each recipe once, with all that is asked of it."""
    found: dict[str, Work] = {}
    for work in works:
        before = found.get(work.home, work)
        found[work.home] = replace(
            work,
            seeds=max(before.seeds, work.seeds, key=len),
            exams=tuple(dict.fromkeys((*before.exams, *work.exams))),
            explained=before.explained or work.explained,
        )
    return list(found.values())


def _work_of(
    row: Row, table: Table, num_seeds: int, variant_seeds: int | None, *, explained: bool
) -> Iterable[Work]:
    exams = tuple(table.exams(row))
    if row.preset == NONE:
        yield Work(NONE, None, row.task, (0,), exams)
        return
    most = num_seeds if row.most_seeds is None else min(num_seeds, row.most_seeds)
    if len(row.candidates) > 1 and variant_seeds is not None:
        most = min(most, variant_seeds)
    for config in row.candidates:
        seeds = tuple(range(most))
        yield Work(row.preset, config, row.task, seeds, exams, row.explained and explained)


def rest_of(row: Row, chosen: Config, table: Table, num_seeds: int) -> Work:
    """The candidate that was chosen for a row, with all seeds."""
    [work] = _work_of(replace(row, candidates=(chosen,)), table, num_seeds, None, explained=False)
    return work


def jobs_left(
    work: Iterable[Work], folder: Path, *, device: str = "cpu", together: bool = False
) -> list[Job]:
    """What is not done yet: the seeds of a recipe each alone, or together where they can be."""
    jobs = []
    for one in work:
        singles = [replace(one, seeds=(seed,), device=device) for seed in one.seeds]
        left = [single for single in singles if not is_done(folder / single.job, single)]
        if together and len(left) > 1 and one.recipe is not None and can_be_together(one.recipe):
            seeds = tuple(single.seeds[0] for single in left)
            left = [replace(one, seeds=seeds, device=device)]
        jobs += [Job(single.job, single, cost=_cost(single)) for single in left]
    return jobs


def can_be_together(config: Config) -> bool:
    return config.sharpening != "gumbel"


def _cost(work: Work) -> float:
    """About, in trainings of the paper's MPNN-max."""
    exams = 0.1 + sum(exam.num_nodes * exam.per_family for exam in work.exams) / 20_000
    if work.recipe is None:
        return exams
    config = work.recipe
    steps = _PER_STEP.get(config.processor.replace("-full", ""), 1.0)
    if "full" in config.processor:
        steps *= _FULL
    tasks = sum(1.5 if task == "prim" else 1.0 for task in config.tasks)
    size = math.pow(config.num_nodes / 20, 1.5) * (len(config.families) or 7) / 7
    return steps * tasks * size + exams
