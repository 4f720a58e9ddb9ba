"""One job of a reproduction: train networks of one recipe, examine each, leave the scores.

    RECIPE/seed-K/   a training's own files, and then
                     seconds.json  scores-EXAM.json.gz  explanations.json.gz

Everything there is kept: a training goes on where it was, and an exam is taken once.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.rows import NONE, recipe_name

if TYPE_CHECKING:
    from neuralexec.training.checkpoint import Checkpoint
    from neuralexec.training.config import Config
    from neuralexec.training.training import NotFinite

SECONDS, EXPLANATIONS = "seconds.json", "explanations.json.gz"


@dataclass(frozen=True)
class Work:
    """Seeds of one recipe, trained together; without a recipe, nothing is learnt."""

    preset: str
    recipe: Config | None
    task: str
    """What an executor that has learnt nothing runs."""
    seeds: tuple[int, ...]
    exams: tuple[Exam, ...]
    explained: bool = False
    device: str = "cpu"

    @property
    def home(self) -> str:
        """The folder of the recipe; each seed has one below it."""
        if self.recipe is None:
            return f"{NONE}-{self.task.replace('+', '-')}"
        return recipe_name(self.preset, self.recipe)

    @property
    def job(self) -> str:
        """The folder of all that this leaves."""
        return self.home if len(self.seeds) > 1 else f"{self.home}/seed-{self.seeds[0]}"

    def folders(self, folder: Path) -> dict[Path, Config | None]:
        """Of each seed, where `folder` is that of the job."""
        return {
            folder / f"seed-{seed}" if len(self.seeds) > 1 else folder: (
                None if self.recipe is None else self.recipe.but(seed=seed)
            )
            for seed in self.seeds
        }


def scores_file(exam: Exam) -> str:
    return f"scores-{exam.name}.json.gz"


def is_done(folder: Path, work: Work) -> bool:
    """Is nothing left to do for the one seed whose folder this is?"""
    wanted = [scores_file(exam) for exam in work.exams]
    wanted += [EXPLANATIONS] if work.explained else []
    wanted += [SECONDS] if work.recipe is not None else []
    return all((folder / name).exists() for name in wanted)


def perform(work: Work, folder: Path) -> None:
    """Do what is left of it, in the folder of the job."""
    # Torch is loaded here, by those who perform, and not by those who only look.
    from neuralexec.models.device import one_thread

    with one_thread():
        folders = work.folders(folder)
        failure = None if work.recipe is None else _train(folders, work)
        for own, config in folders.items():
            if config is None or (own / SECONDS).exists():
                _examine(own, config, work)
    if failure is not None:
        raise failure


def _train(folders: dict[Path, Config | None], work: Work) -> NotFinite | None:
    """What is left; of several, one may fail, and the others are trained all the same."""
    from neuralexec.training.checkpoint import read_header
    from neuralexec.training.run import CONFIG, MODEL, train_together
    from neuralexec.training.training import NotFinite

    left = {
        folder: config
        for folder, config in folders.items()
        if config is not None and not (folder / SECONDS).exists()
    }
    if not left:
        return None
    begun, failure = time.monotonic(), None
    try:
        train_together(
            left, device=work.device, resume=any((folder / CONFIG).exists() for folder in left)
        )
    except NotFinite as error:
        failure = error
    seconds = (time.monotonic() - begun) / len(left)
    for folder in left:
        if read_header(folder / MODEL)["card"]["finished"]:
            _write_json(folder / SECONDS, {"seconds": seconds, "together": len(left)})
    return failure


def _examine(folder: Path, config: Config | None, work: Work) -> None:
    from neuralexec.evaluation.baselines import TrivialExecutor
    from neuralexec.evaluation.evaluate import evaluate
    from neuralexec.evaluation.scores import save_scores
    from neuralexec.training.checkpoint import load_checkpoint
    from neuralexec.training.run import MODEL

    checkpoint = None if config is None else load_checkpoint(folder / MODEL)
    for exam in work.exams:
        if (folder / scores_file(exam)).exists():
            continue
        problems = exam.draw()
        if checkpoint is None:
            from neuralexec.algorithms import find_task

            found = evaluate(TrivialExecutor(), problems, find_task(work.task))
        else:
            executor = checkpoint.executor()
            found = [
                scores
                for task in executor.tasks
                for scores in evaluate(
                    executor,
                    problems,
                    task,
                    predicted=executor.heads_of(task).scope.predicted,
                )
            ]
        save_scores(found, folder / scores_file(exam))
    if work.explained and checkpoint is not None and not (folder / EXPLANATIONS).exists():
        _explain(folder, checkpoint)


def _explain(folder: Path, checkpoint: Checkpoint) -> None:
    """On the graphs the network was trained on, as in the paper's Appendix E."""
    from neuralexec.evaluation.explain import explain
    from neuralexec.evaluation.explanations import save_explanations
    from neuralexec.training.data import training_problems

    executor = checkpoint.executor()
    found = explain(executor, training_problems(checkpoint.config), executor.tasks[0])
    save_explanations(found, folder / EXPLANATIONS)


def _write_json(path: Path, content: object) -> None:
    from neuralexec.graphs.formats.writing import replacing

    with replacing(path) as file:
        file.write((json.dumps(content) + "\n").encode())
