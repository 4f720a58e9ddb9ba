"""Which lines and columns a table has, in the order of the paper's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from neuralexec.errors import InputError
from neuralexec.reports.cells import ResultCell
from neuralexec.reports.paper import PAPER

PRESETS = ("paper", "best", "none")

_ROWS = tuple(dict.fromkeys(cell.row for cell in PAPER))
_METRICS = tuple(dict.fromkeys(cell.metric for cell in PAPER))
_TABLES = tuple(dict.fromkeys(cell.table for cell in PAPER))
_TRAINED = tuple(dict.fromkeys(cell.train_family for cell in PAPER if cell.train_family))
_FAMILIES = tuple(dict.fromkeys(cell.test_family for cell in PAPER if cell.test_family))

_Rank = tuple[int, str]


@dataclass(frozen=True)
class Line:
    row: str
    preset: str
    graphs: int
    test_family: str | None


@dataclass(frozen=True)
class Column:
    column: str
    metric: str
    train_family: str | None

    @property
    def group(self) -> str:
        """What it shares with its neighbours."""
        return self.column if self.train_family is None else f"from {self.train_family}"


@dataclass(frozen=True)
class Layout:
    lines: tuple[Line, ...]
    columns: tuple[Column, ...]
    cells: Mapping[tuple[Line, Column], ResultCell]

    @property
    def by_family(self) -> bool:
        return any(line.test_family is not None for line in self.lines)

    @property
    def by_graphs(self) -> bool:
        """Was it measured on more than one number of graphs?"""
        return len({line.graphs for line in self.lines}) > 1

    def of_line(self, line: Line) -> list[ResultCell]:
        return [self.cells[line, column] for column in self.columns if (line, column) in self.cells]


def lay_out(cells: Iterable[ResultCell], table: str) -> Layout:
    of_table = [cell for cell in cells if cell.table == table]
    if not of_table:
        raise InputError(f"there are no results of {table!r}; measure it, or choose another")
    placed = {(_line(cell), _column(cell)): cell for cell in of_table}
    return Layout(
        lines=tuple(sorted({line for line, _ in placed}, key=_line_rank)),
        columns=tuple(sorted({column for _, column in placed}, key=_column_rank)),
        cells=placed,
    )


def tables_of(cells: Iterable[ResultCell]) -> list[str]:
    """Those there are results of, in the paper's order."""
    return sorted({cell.table for cell in cells}, key=lambda table: _rank(table, _TABLES))


def rows_in_order(rows: Iterable[str]) -> list[str]:
    return sorted(set(rows), key=lambda row: _rank(row, _ROWS))


def metrics_in_order(metrics: Iterable[str]) -> list[str]:
    return sorted(set(metrics), key=lambda metric: _rank(metric, _METRICS))


def families_in_order(families: Iterable[str]) -> list[str]:
    return sorted(set(families), key=lambda family: _rank(family, _FAMILIES))


def trained_in_order(families: Iterable[str]) -> list[str]:
    """Families trained on, which the paper has in another order than those tested on."""
    return sorted(set(families), key=lambda family: _rank(family, _TRAINED))


def presets_in_order(presets: Iterable[str]) -> list[str]:
    return sorted(set(presets), key=lambda preset: _rank(preset, PRESETS))


def size_of(column: str) -> int | None:
    """
    >>> size_of("100 nodes")
    100
    """
    found = re.match(r"\d+", column)
    return int(found[0]) if found else None


def _line(cell: ResultCell) -> Line:
    return Line(cell.row, cell.preset, cell.graphs, cell.test_family)


def _column(cell: ResultCell) -> Column:
    return Column(cell.column, cell.metric, cell.train_family)


def _rank(name: str, order: Sequence[str]) -> _Rank:
    """What the paper does not have stands behind what it has."""
    return (order.index(name) if name in order else len(order), name)


def _line_rank(line: Line) -> tuple[object, ...]:
    family = _rank(line.test_family or "", _FAMILIES)
    return (_rank(line.row, _ROWS), _rank(line.preset, PRESETS), line.graphs, family)


def _column_rank(column: Column) -> tuple[object, ...]:
    return (
        _rank(column.train_family or "", _TRAINED),
        size_of(column.column) or 0,
        column.column,
        _rank(column.metric, _METRICS),
    )
