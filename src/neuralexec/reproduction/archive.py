"""What finished jobs have left: read back without torch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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
        with _readable(path, "remove it, and reproduce again: the exam is taken once more"):
            found = load_scores(path)
        return next((one for one in found if one.task == task), None)

    @cached_property
    def explanations(self) -> Explanations | None:
        path = self.folder / EXPLANATIONS
        if not path.exists():
            return None
        with _readable(path, "remove it, and reproduce again: they are made once more"):
            return load_explanations(path)

    @cached_property
    def config(self) -> dict[str, Any]:
        path = self.folder / "config.json"
        with _readable(path):
            found: dict[str, Any] = Config.from_json(json.loads(path.read_text())).to_json()
        return found

    @cached_property
    def device(self) -> str:
        path = self.folder / "environment.json"
        with _readable(path):
            return str(json.loads(path.read_text())["device"])

    @cached_property
    def seconds(self) -> float:
        """Of the training alone, since it was last begun; of several that ran together, a share."""
        path = self.folder / SECONDS
        with _readable(path):
            return float(json.loads(path.read_text())["seconds"])

    @cached_property
    def card(self) -> dict[str, Any]:
        """What the checkpoint says of itself."""
        from safetensors import safe_open

        path = self.folder / "model.safetensors"
        with _readable(path), safe_open(path, "numpy") as file:
            card: dict[str, Any] = json.loads(file.metadata()["neuralexec"])["card"]
        return card

    @cached_property
    def validation(self) -> float:
        """The score, on validation graphs, of the weights that were kept."""
        path, best_epoch = self.folder / "metrics.jsonl", self.card["best_epoch"]
        with _readable(path):
            records = map(json.loads, path.read_text().splitlines())
            return {one["epoch"]: float(one["score"]) for one in records}[best_epoch]


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

    def require_same_settings(self, rows: Iterable[Row]) -> None:
        """Refuse what was trained otherwise, before anything is added to it."""
        for row in rows:
            for config in row.candidates:
                self.trained(row, config)

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


@contextmanager
def _readable(path: Path, advice: str = "remove its folder, and reproduce again") -> Iterator[None]:
    """What is damaged is named, with what to do."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, AttributeError, SafetensorError) as error:
        message = " ".join(str(error).removeprefix(f"{path}: ").splitlines())
        raise InputError(f"{path}: cannot be read: {message}; {advice}") from None
