"""One number of a table as it was measured here, over seeds, beside the paper's."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from neuralexec.errors import InputError
from neuralexec.reports.fields import read_records, write_records
from neuralexec.reports.paper import paper_value

_SLACK = 1e-6
"""Relative: a mean may have been rounded after the values were."""


@dataclass(frozen=True)
class ResultCell:
    table: str
    """Such as "table1"; "appendixE" for the explanations."""
    row: str
    """The model, as the paper calls it; a variant in brackets behind it."""
    preset: str
    """How it was trained: "paper", "best", or "none" for the executor that learnt nothing."""
    column: str
    """The size of the graphs that were executed, such as "100 nodes"."""
    metric: str
    """A name that ends in "error" is an error, and lower is better; else it is a percentage."""
    train_family: str | None
    test_family: str | None
    """The one family trained or tested on; all seven if None."""
    paper: float | None
    """What the paper reports, if it does."""
    mean: float
    std: float
    """Over seeds; the sample's standard deviation, 0 of one seed."""
    seeds: int
    values: tuple[float, ...]
    """One per seed."""
    graphs: int
    """Test graphs per family."""
    parameters: int | None = None
    note: str = ""

    def __post_init__(self) -> None:
        self._check_values()
        theirs = paper_value(
            self.table, self.row, self.column, self.metric, self.test_family, self.train_family
        )
        if self.paper is not None and theirs is not None and self.paper != theirs:
            raise InputError(f"'paper' is {self.paper:g}, but the paper has {theirs:g}; correct it")

    def _check_values(self) -> None:
        if self.seeds < 1 or self.seeds != len(self.values):
            raise InputError(
                f"'values' must have one number per seed, and has {len(self.values)} "
                f"for {self.seeds} seeds"
            )
        if self.std < 0:
            raise InputError(f"'std' must not be negative, and is {self.std:g}")
        if any(math.isnan(value) for value in (self.mean, *self.values)):
            return
        low, high = min(self.values), max(self.values)
        slack = 0 if math.isinf(high) else _SLACK * max(1.0, abs(high))
        if not low - slack <= self.mean <= high + slack:
            raise InputError(f"'mean' must lie between the 'values', and is {self.mean:g}")

    @property
    def is_error(self) -> bool:
        """Lower is better."""
        return self.metric.endswith("error")

    @property
    def place(self) -> tuple[object, ...]:
        """Where it stands: no two cells of a file stand in the same place."""
        return (
            self.table,
            self.row,
            self.preset,
            self.column,
            self.metric,
            self.train_family,
            self.test_family,
            self.graphs,
        )


def mean_and_std(values: Sequence[float]) -> tuple[float, float]:
    """As a cell has them.

    >>> mean_and_std([98.0, 100.0])
    (99.0, 1.4142135623730951)
    >>> mean_and_std([1.0, float("inf")])
    (inf, nan)
    """
    if not all(map(math.isfinite, values)):
        total = sum(values)
        return total, math.nan if len(values) > 1 else 0.0
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0


def most_precise(cells: Iterable[ResultCell]) -> list[ResultCell]:
    """What was measured on several numbers of test graphs, only on the most of them."""
    chosen: dict[tuple[object, ...], ResultCell] = {}
    for cell in sorted(cells, key=lambda cell: cell.graphs):
        chosen[cell.place[:-1]] = cell
    return list(chosen.values())


def read_cells(path: Path) -> list[ResultCell]:
    cells = read_records(path, ResultCell)
    if not cells:
        raise InputError(f"{path}: has no cells; save the results of at least one executor")
    (place, times), *_ = Counter(cell.place for cell in cells).most_common(1)
    if times > 1:
        where = ", ".join(str(part) for part in place if part is not None)
        raise InputError(f"{path}: has {times} cells for {where} graphs; keep one")
    return cells


def write_cells(path: Path, cells: Sequence[ResultCell]) -> None:
    write_records(path, cells)
