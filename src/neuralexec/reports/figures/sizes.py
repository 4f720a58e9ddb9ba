"""Scores against the size of the graphs, beside the paper's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from neuralexec.reports.cells import ResultCell, most_precise
from neuralexec.reports.figures.style import (
    GREY,
    PRESET_NAMES,
    PRESETS,
    THEIRS,
    THEIRS_NAME,
    drawing,
    legend_below,
    limit_percentages,
    look_of,
    new_panels,
)
from neuralexec.reports.layout import metrics_in_order, presets_in_order, rows_in_order, size_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class _Series:
    label: str
    colour: str
    marker: str
    style: str
    points: tuple[tuple[int, float, float], ...]
    """Size, mean, standard deviation."""


def has_sizes(cells: Iterable[ResultCell]) -> bool:
    """Are they of all families, and of more than one size?"""
    cells = list(cells)
    one_line = all(cell.test_family is None and cell.train_family is None for cell in cells)
    return one_line and len({size_of(cell.column) for cell in cells} - {None}) > 1


def draw_sizes(cells: Sequence[ResultCell]) -> Figure:
    """Of one table; the paper and ours in one panel, or side by side if there are many models."""
    cells = most_precise(cells)
    in_paper = {cell.metric for cell in cells if cell.paper is not None}
    cells = [cell for cell in cells if not in_paper or cell.metric in in_paper]
    metrics = metrics_in_order(cell.metric for cell in cells)
    rows = rows_in_order(cell.row for cell in cells if cell.preset != "none")
    with drawing():
        return _of_one(cells, metrics) if len(rows) <= 1 else _of_many(cells, metrics, rows)


def _of_one(cells: list[ResultCell], metrics: list[str]) -> Figure:
    figure, [panels] = new_panels(1, len(metrics), (max(4.4, 4.6 * len(metrics)), 3.6))
    for panel, metric in zip(panels, metrics, strict=True):
        here = [cell for cell in cells if cell.metric == metric]
        series = [_Series(THEIRS_NAME, THEIRS, "s", "--", _points(here, _theirs))]
        series += [
            _Series(
                PRESET_NAMES.get(preset, preset),
                PRESETS.get(preset, GREY),
                "o",
                "-" if preset != "none" else ":",
                _points([cell for cell in here if cell.preset == preset], _ours),
            )
            for preset in presets_in_order(cell.preset for cell in here)
        ]
        _draw(panel, series, is_error=here[0].is_error)
        if not here[0].is_error:
            limit_percentages(panel)
        panel.set_title(_titled(here[0]))
        panel.set_xlabel("nodes")
    legend_below(figure, panels)
    return figure


def _of_many(cells: list[ResultCell], metrics: list[str], rows: list[str]) -> Figure:
    """A column of panels each for the paper and our presets, a row each for the metrics."""
    presets = [one for one in presets_in_order(cell.preset for cell in cells) if one != "none"]
    sources = [None, *presets]
    size = (3.3 * len(sources), 2.6 * len(metrics) + 0.8)
    figure, grid = new_panels(len(metrics), len(sources), size, share_y=True)
    for panels, metric in zip(grid, metrics, strict=True):
        here = [cell for cell in cells if cell.metric == metric]
        nothing = [cell for cell in here if cell.preset == "none"]
        for panel, source in zip(panels, sources, strict=True):
            series = [_of_row(here, row, source, rows) for row in rows]
            series.append(_Series(PRESET_NAMES["none"], GREY, "", ":", _points(nothing, _ours)))
            _draw(panel, series, is_error=here[0].is_error)
            name = THEIRS_NAME if source is None else PRESET_NAMES.get(source, source)
            panel.set_title(name if panels is grid[0] else "")
        if not here[0].is_error:
            limit_percentages(panels[0])
        panels[0].set_ylabel(_titled(here[0]))
    for panel in grid[-1]:
        panel.set_xlabel("nodes")
    legend_below(figure, [panel for panels in grid for panel in panels])
    return figure


def _of_row(cells: list[ResultCell], row: str, preset: str | None, rows: list[str]) -> _Series:
    """One model's line: the paper's if no preset is given."""
    of_row = [cell for cell in cells if cell.row == row and cell.preset != "none"]
    colour, marker = look_of(row, rows)
    if preset is None:
        return _Series(row, colour, marker, "--", _points(of_row, _theirs))
    ours = [cell for cell in of_row if cell.preset == preset]
    return _Series(row, colour, marker, "-", _points(ours, _ours))


_Value = Callable[[ResultCell], tuple[float | None, float]]


def _ours(cell: ResultCell) -> tuple[float | None, float]:
    return cell.mean, cell.std if math.isfinite(cell.std) else 0.0


def _theirs(cell: ResultCell) -> tuple[float | None, float]:
    return cell.paper, 0.0


def _points(cells: list[ResultCell], value: _Value) -> tuple[tuple[int, float, float], ...]:
    points = {}
    for cell in cells:
        size, (mean, std) = size_of(cell.column), value(cell)
        if size is not None and mean is not None and math.isfinite(mean):
            points[size] = (size, mean, std)
    return tuple(points[size] for size in sorted(points))


def _draw(panel: Axes, series: list[_Series], *, is_error: bool) -> None:
    if is_error:
        panel.set_yscale("log")
    panel.set_xscale("log")
    sizes = sorted({size for one in series for size, _, _ in one.points})
    panel.set_xticks(sizes, [str(size) for size in sizes])
    panel.set_xticks([], minor=True)
    for one in series:
        if not one.points:
            continue
        x, mean, std = (np.array(part, dtype=float) for part in zip(*one.points, strict=True))
        drawn = mean > 0 if is_error else np.full(len(mean), True)
        low = np.minimum(std, 0.9 * mean) if is_error else std  # a logarithmic scale ends above 0
        panel.errorbar(
            x[drawn],
            mean[drawn],
            yerr=(low[drawn], std[drawn]) if std.any() else None,
            color=one.colour,
            marker=one.marker,
            linestyle=one.style,
            capsize=2,
            elinewidth=1,
            label=one.label,
        )


def _titled(cell: ResultCell) -> str:
    return cell.metric if cell.is_error else f"{cell.metric}, %"
