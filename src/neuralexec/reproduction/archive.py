"""What finished jobs have left: read back without torch."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from neuralexec.errors import InputError
from neuralexec.evaluation.explanations import Explanations, load_explanations
from neuralexec.evaluation.scores import Scores, load_scores
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.rows import NONE, Row, recipe_name
from neuralexec.reproduction.work import EXPLANATIONS, SECONDS, scores_file
from neuralexec.training.config import Config


@dataclass(frozen=True)
class Trained:
    """One seed of a recipe."""

    folder: Path

    @property
    def seed(self) -> int:
        return int(self.folder.name.removeprefix("seed-"))

    def scores(self, exam: Exam, task: str) -> Scores | None:
        path = self.folder / scores_file(exam)
        if not path.exists():
            return None
        return next((one for one in load_scores(path) if one.task == task), None)

    @cached_property
    def explanations(self) -> Explanations | None:
        path = self.folder / EXPLANATIONS
        return load_explanations(path) if path.exists() else None

    @cached_property
    def config(self) -> dict[str, Any]:
        found: dict[str, Any] = _read_json(self.folder / "config.json")
        return found

    @cached_property
    def device(self) -> str:
        return str(_read_json(self.folder / "environment.json")["device"])

    @cached_property
    def seconds(self) -> float:
        """Of the training alone; of several that ran together, its share."""
        return float(_read_json(self.folder / SECONDS)["seconds"])

    @cached_property
    def card(self) -> dict[str, Any]:
        """What the checkpoint says of itself."""
        from safetensors import safe_open

        with safe_open(self.folder / "model.safetensors", "numpy") as file:
            header = json.loads(next(iter(file.metadata().values())))
        card: dict[str, Any] = header["card"]
        return card

    @cached_property
    def validation(self) -> float:
        """The score, on validation graphs, of the weights that were kept."""
        lines = (self.folder / "metrics.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        [kept] = [one for one in records if one["epoch"] == self.card["best_epoch"]]
        return float(kept["score"])


class Archive:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def trained(self, row: Row, config: Config | None) -> list[Trained]:
        """The finished seeds of a recipe; of none, the executor that has learnt nothing."""
        if config is None:
            name = f"{NONE}-{row.task.replace('+', '-')}"
            return [Trained(path) for path in self._seeds(name)]
        found = [Trained(path) for path in self._seeds(recipe_name(row.preset, config))]
        finished = [one for one in found if (one.folder / SECONDS).exists()]
        for one in finished:
            _require_same(one, config)
        return finished if row.most_seeds is None else finished[: row.most_seeds]

    def chosen(self, row: Row) -> Config | None:
        """The candidate for a row that does best on validation, over the seeds that all have."""
        found = {config: self.trained(row, config) for config in row.candidates}
        found = {config: seeds for config, seeds in found.items() if seeds}
        if not found:
            return None
        common = set.intersection(*({one.seed for one in seeds} for seeds in found.values()))

        def score(config: Config) -> float:
            judged = [one.validation for one in found[config] if one.seed in common]
            return sum(judged) / len(judged) if judged else -1.0

        return max(found, key=score)

    def _seeds(self, name: str) -> list[Path]:
        home = self.folder / name
        found = [path for path in home.glob("seed-*") if path.name[5:].isdecimal()]
        return sorted(found, key=lambda path: int(path.name[5:]))


def _require_same(trained: Trained, config: Config) -> None:
    """A recipe that has changed since needs another folder."""
    theirs, ours = Config.from_json(trained.config), config.but(seed=trained.seed)
    if theirs != ours:
        different = [
            name.replace("_", "-")
            for name, value in ours.to_json().items()
            if theirs.to_json()[name] != value
        ]
        raise InputError(
            f"{trained.folder}: was trained with another {', '.join(different)}; move it away, or "
            "choose another folder for the results"
        )


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {error}; remove its folder") from None


def seeds_of(trained: Iterable[Trained]) -> tuple[int, ...]:
    return tuple(one.seed for one in trained)
