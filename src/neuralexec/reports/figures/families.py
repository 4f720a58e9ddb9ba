"""Scores of single families of graphs as bars, beside the paper's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from neuralexec.reports.cells import ResultCell, most_precise
from neuralexec.reports.figures.style import (
    GREY,
    INK,
    PRESET_NAMES,
    PRESETS,
    THEIRS,
    THEIRS_NAME,
    drawing,
    legend_below,
    new_panels,
)
from neuralexec.reports.layout import (
    families_in_order,
    metrics_in_order,
    presets_in_order,
    trained_in_order,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def has_families(cells: Iterable[ResultCell]) -> bool:
    return any(cell.test_family is not None for cell in cells)


def draw_families(cells: Sequence[ResultCell]) -> Figure:
    """Of one table and model: a row of panels per metric, a column per family trained on."""
    cells = [cell for cell in most_precise(cells) if cell.test_family is not None]
    metrics = metrics_in_order(cell.metric for cell in cells)
    trained = trained_in_order(cell.train_family or "" for cell in cells)
    if trained == [""]:  # then the metrics have room beside one another
        places = [(metric, "") for metric in metrics]
        num_columns = 2 if len(metrics) > 1 else 1
    else:
        places = [(metric, family) for metric in metrics for family in trained]
        num_columns = len(trained)
    num_rows = -(-len(places) // num_columns)
    with drawing():
        figure, grid = new_panels(num_rows, num_columns, (5.2 * num_columns, 2.3 * num_rows + 0.6))
        panels = [panel for panels in grid for panel in panels]
        for panel in panels[len(places) :]:
            panel.set_axis_off()
        for panel, (metric, family) in zip(panels, places, strict=False):
            here = [
                cell
                for cell in cells
                if cell.metric == metric and (cell.train_family or "") == family
            ]
            _draw(panel, here)
            trained_on = f", trained on {family}" if family else ""
            panel.set_title(f"{metric}{trained_on}, %")
        legend_below(figure, panels)
    return figure


def _draw(panel: Axes, cells: list[ResultCell]) -> None:
    families = families_in_order(cell.test_family for cell in cells if cell.test_family)
    presets = presets_in_order(cell.preset for cell in cells)
    theirs = {cell.test_family: cell.paper for cell in cells if cell.paper is not None}
    bars: list[tuple[str, str, dict[str | None, tuple[float, float]]]] = [
        (THEIRS_NAME, THEIRS, {family: (value, 0.0) for family, value in theirs.items()})
    ]
    for preset in presets:
        ours = {
            cell.test_family: (cell.mean, cell.std if math.isfinite(cell.std) else 0.0)
            for cell in cells
            if cell.preset == preset and math.isfinite(cell.mean)
        }
        bars.append((PRESET_NAMES.get(preset, preset), PRESETS.get(preset, GREY), ours))
    width = 0.8 / len(bars)
    for number, (label, colour, values) in enumerate(bars):
        places = [place for place, family in enumerate(families) if family in values]
        spreads = [values[families[place]][1] for place in places]
        panel.bar(
            [place + (number - (len(bars) - 1) / 2) * width for place in places],
            [values[families[place]][0] for place in places],
            0.92 * width,
            yerr=spreads if any(spreads) else None,
            color=colour,
            label=label,
            error_kw={"elinewidth": 1, "capsize": 1.5, "ecolor": INK},
        )
    panel.set_xticks(range(len(families)), [_on_two_lines(family) for family in families])
    panel.tick_params(axis="x", length=0, labelsize=8)
    panel.grid(visible=False, axis="x")
    panel.set_axisbelow(True)
    panel.set_ylim(0, 104)


def _on_two_lines(family: str) -> str:
    return family.replace("-", "-\n", 1) if len(family) > 8 else family
