"""The tables of the paper that hold numbers: their rows, and which scores stand in their cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from neuralexec import recipes
from neuralexec.errors import InputError
from neuralexec.evaluation.scores import TERMINATION, Scores
from neuralexec.graphs.families import families
from neuralexec.graphs.splits import PAPER_TEST_SIZES
from neuralexec.recipes import BFS_BELLMAN_FORD, PRIM
from neuralexec.reports.paper import DISTANCE, PREDECESSOR, REACHABILITY, SPANNING_TREE, STEPS
from neuralexec.reproduction import rows as of
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.rows import Row

Number = Callable[[Scores], float | None]


@dataclass(frozen=True)
class Metric:
    """A number of a cell, found in scores; of a share, the percentage."""

    name: str
    number: Number
    is_share: bool = True

    def of(self, scores: Scores) -> float | None:
        value = self.number(scores)
        return value if value is None or not self.is_share else 100 * value


@dataclass(frozen=True)
class Table:
    name: str
    rows: tuple[Row, ...]
    metrics: tuple[Metric, ...]
    sizes: tuple[int, ...] = PAPER_TEST_SIZES
    """Of the test graphs."""
    by_family: bool = False
    """Are its rows the families of the test graphs?"""

    @property
    def test_families(self) -> tuple[str | None, ...]:
        return (*families(),) if self.by_family else (None,)

    def exams(self, row: Row) -> list[Exam]:
        return [exam for exam in row.exams if exam.num_nodes in self.sizes]


def _mean(signal: str) -> Number:
    return lambda scores: scores.mean_step(signal) if signal in scores.metrics else None


def _last(signal: str) -> Number:
    return lambda scores: scores.last_step(signal) if signal in scores.metrics else None


def _steps(signal: str, names: tuple[str, str]) -> tuple[Metric, ...]:
    return (Metric(names[0], _mean(signal)), Metric(names[1], _last(signal)))


STOPS = Metric("stops exactly", lambda scores: scores.stopped_exactly)
"""At the right step. The paper has no such number, but who runs an executor needs it."""

_ENDS = (
    Metric(DISTANCE[0], _mean("distance"), is_share=False),
    Metric(DISTANCE[1], _mean(TERMINATION)),
    STOPS,
)
_TREES = (
    Metric(SPANNING_TREE[0], _mean("next")),
    Metric(SPANNING_TREE[1], _last("predecessor")),
    Metric(DISTANCE[1], _mean(TERMINATION)),
    STOPS,
)
_BOTH = (*_steps("reachable", REACHABILITY), *_steps("predecessor", PREDECESSOR))

_WITHOUT_REACHABILITY = ("MPNN-max (no-reach)", "MPNN-max (no-algo)")
_ONE_FAMILY = tuple(row for family in ("erdos-renyi", "tree") for row in of.one_family(family))

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(
            "table1",
            (*(row for row in of.PARALLEL if row.name not in _WITHOUT_REACHABILITY), of.BFS_ALONE),
            _steps("reachable", STEPS),
        ),
        Table("table2", of.PARALLEL, _steps("predecessor", STEPS)),
        Table(
            "table3",
            tuple(row for row in of.PARALLEL if row.name != "MPNN-max (no-algo)"),
            _ENDS,
        ),
        Table(
            "table4",
            tuple(of.mpnn_max(of.PARALLEL)),
            _steps("predecessor", STEPS),
            (*PAPER_TEST_SIZES, 500, 1000, 1500),
        ),
        Table("table5", _ONE_FAMILY, _BOTH, (100,), by_family=True),
        Table("table6", of.SEQUENTIAL, _TREES, (*PAPER_TEST_SIZES, 500)),
        Table("table8", tuple(of.trained_on_100_nodes()), _BOTH, (1000,)),
        Table(
            "choices",
            tuple(of.choices(BFS_BELLMAN_FORD, recipes.choices())),
            (*_BOTH, *_ENDS),
            (20, 100),
        ),
        Table(
            "choices-prim",
            tuple(of.choices(PRIM, recipes.choices_of_prim())),
            _TREES,
            (20, 100),
        ),
        Table("table9", tuple(of.mpnn_max(of.PARALLEL)), _BOTH, (100,), by_family=True),
    )
}
"""In table 7 are words; `choices` are what the paper leaves open, decided otherwise."""


def find_tables(names: list[str]) -> list[Table]:
    """By name, or a clear refusal."""
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        raise InputError(f"unknown table {unknown[0]!r}; choose from {', '.join(TABLES)}")
    return [TABLES[name] for name in names]
