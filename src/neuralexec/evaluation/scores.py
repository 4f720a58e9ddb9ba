"""What an evaluation found, graph by graph and step by step: JSON that loads without torch."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from neuralexec.errors import InputError
from neuralexec.graphs.formats.writing import replacing

Protocol = Literal["true-length", "own-termination", "teacher-forced"]
PROTOCOLS: tuple[Protocol, ...] = ("true-length", "own-termination", "teacher-forced")
TERMINATION = "termination"
UNREADABLE = (OSError, EOFError, zlib.error, ValueError, TypeError, KeyError, AttributeError)
"""What reading a damaged JSON file, zipped or not, may raise."""
FORMAT = 1


@dataclass(frozen=True)
class GraphScore:
    """One graph. Accuracies are shares of nodes in [0, 1]; a scalar has its mean squared error."""

    family: str | None
    num_nodes: int
    true_steps: int
    steps_taken: int
    """When the executor stopped, or first would have, where its length was given."""
    stopped_itself: bool
    per_step: dict[str, tuple[float | None, ...]]
    """Signal, or "termination" -> its score at each step; None where nothing was to be said."""
    last: dict[str, float | None]
    """The same for the state in which the run ended."""

    @property
    def stopped_exactly(self) -> bool:
        return self.stopped_itself and self.steps_taken == self.true_steps

    def mean(self, metric: str) -> float | None:
        """Over the steps."""
        return _mean(self.per_step[metric])


@dataclass(frozen=True)
class Scores:
    """An executor on a set of graphs under one protocol."""

    model: str
    task: str
    protocol: Protocol
    num_nodes: int
    data: str
    """Checksum of the problems."""
    errors: tuple[str, ...]
    """The metrics that are squared errors; the others are accuracies."""
    graphs: tuple[GraphScore, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.graphs[0].per_step)

    @property
    def _decisive(self) -> tuple[str, ...]:
        """The metrics of bits, pointers and choices; of numbers where there is nothing else."""
        decisions = tuple(name for name in self.metrics if name not in (*self.errors, TERMINATION))
        return decisions or self.errors

    def _right(self, metric: str, value: float | None) -> bool:
        return value is None or value == (0 if metric in self.errors else 1)

    def mean_step(self, metric: str) -> float | None:
        """Averaged over the steps of each graph, then over graphs."""
        return _mean(graph.mean(metric) for graph in self.graphs)

    def last_step(self, metric: str) -> float | None:
        return _mean(graph.last.get(metric) for graph in self.graphs)

    def curve(self, metric: str) -> list[float | None]:
        """At each step, over the graphs that still run."""
        longest = max(len(graph.per_step[metric]) for graph in self.graphs)
        return [
            _mean(
                graph.per_step[metric][step]
                for graph in self.graphs
                if step < len(graph.per_step[metric])
            )
            for step in range(longest)
        ]

    @property
    def exact(self) -> float:
        """The share of graphs that end with every bit, pointer and choice right.

        Where there are none, with every number right.
        """
        return _share(
            all(self._right(metric, graph.last.get(metric)) for metric in self._decisive)
            for graph in self.graphs
        )

    @property
    def exact_throughout(self) -> float:
        """The same of every step."""
        return _share(
            all(
                self._right(metric, value)
                for metric in self._decisive
                for value in graph.per_step[metric]
            )
            for graph in self.graphs
        )

    @property
    def stopped_exactly(self) -> float:
        """The share of graphs that stop at exactly the right step."""
        return _share(graph.stopped_exactly for graph in self.graphs)

    def interval(
        self,
        statistic: Callable[[Scores], float | None],
        *,
        level: float = 0.95,
        resamples: int = 1000,
    ) -> tuple[float, float]:
        """Bootstrap over graphs: where the statistic of other graphs like these would fall."""
        rng = np.random.default_rng(0)
        drawn = []
        for _ in range(resamples):
            places = rng.integers(0, len(self.graphs), len(self.graphs))
            again = replace(self, graphs=tuple(self.graphs[place] for place in places))
            value = statistic(again)
            if value is not None:
                drawn.append(value)
        if not drawn:
            return math.nan, math.nan
        tail = (1 - level) / 2
        # One of the values drawn: between two infinite ones there is nothing.
        low, high = np.quantile(drawn, (tail, 1 - tail), method="nearest")
        return float(low), float(high)

    def by_family(self) -> dict[str, Scores]:
        """The same scores, each family apart; graphs of none are left out."""
        families = dict.fromkeys(graph.family for graph in self.graphs)
        return {family: self.of_family(family) for family in families if family is not None}

    def of_family(self, family: str | None) -> Scores:
        """Only the graphs of this family; all if None."""
        if family is None:
            return self
        return replace(self, graphs=tuple(one for one in self.graphs if one.family == family))

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **_with_words(asdict(self))}

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> Scores:
        if saved.get("format") != FORMAT:
            raise InputError(
                f"scores of format {saved.get('format')!r}; this version reads format {FORMAT}"
            )
        plain = {name: value for name, value in saved.items() if name != "format"}
        graphs = tuple(_graph_from_json(graph) for graph in plain.pop("graphs"))
        return cls(**{**plain, "errors": tuple(plain["errors"]), "graphs": graphs})


def save_scores(scores: Iterable[Scores], path: Path) -> None:
    with replacing(path) as file:
        file.write(json.dumps([one.to_json() for one in scores], allow_nan=False).encode())


def load_scores(path: Path) -> list[Scores]:
    try:
        data = path.read_bytes()
        saved = json.loads(gzip.decompress(data) if path.suffix.lower() == ".gz" else data)
        if not isinstance(saved, list):
            raise InputError(f"{path}: no scores can be read: not a list of them")
        return [Scores.from_json(one) for one in saved]
    except UNREADABLE as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: no scores can be read: {error}") from None


def _graph_from_json(saved: dict[str, Any]) -> GraphScore:
    per_step = {metric: tuple(map(_number, values)) for metric, values in saved["per_step"].items()}
    last = {metric: _number(value) for metric, value in saved["last"].items()}
    return GraphScore(**{**saved, "per_step": per_step, "last": last})


def _with_words(value: Any) -> Any:
    """JSON has no infinity and no NaN: they are written as words."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: _with_words(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_with_words(part) for part in value]
    return value


def _number(saved: float | str | None) -> float | None:
    return None if saved is None else float(saved)


def _mean(values: Iterable[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return math.fsum(given) / len(given) if given else None


def _share(flags: Iterable[bool]) -> float:
    found = list(flags)
    return sum(found) / len(found)
