"""Scores at every step of an execution, all models, after the paper's Figure 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from neuralexec.reports.figures.style import (
    drawing,
    legend_below,
    limit_percentages,
    look_of,
    new_panels,
)
from neuralexec.reports.layout import rows_in_order
from neuralexec.reports.records import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

METRICS = ("reachability accuracy", "distance mean squared error", "predecessor accuracy")


def draw_steps(curves: Sequence[Curve]) -> Figure:
    """A panel per metric; around each line its standard deviation over seeds."""
    found = {curve.metric for curve in curves}
    metrics = [metric for metric in METRICS if metric in found]
    metrics += sorted(found - set(metrics))
    rows = rows_in_order(curve.row for curve in curves)
    sizes = sorted({curve.num_nodes for curve in curves})
    with drawing():
        figure, [panels] = new_panels(1, len(metrics), (max(4.4, 3.7 * len(metrics)), 3.6))
        for panel, metric in zip(panels, metrics, strict=True):
            of_metric = [curve for curve in curves if curve.metric == metric]
            for curve in sorted(of_metric, key=lambda one: (rows.index(one.row), one.num_nodes)):
                _draw(panel, curve, rows, sizes)
            panel.set_title(metric if of_metric[0].is_error else f"{metric}, %")
            panel.set_xlabel("step of the execution")
            if of_metric[0].is_error:
                panel.set_yscale("log")
            else:
                limit_percentages(panel)
        legend_below(figure, panels)
    return figure


def _draw(panel: Axes, curve: Curve, rows: list[str], sizes: list[int]) -> None:
    colour, marker = look_of(curve.row, rows)
    mean, std = np.array(curve.mean), np.nan_to_num(np.array(curve.std), posinf=0.0)
    mean[~np.isfinite(mean)] = np.nan
    if curve.is_error:
        mean[mean <= 0] = np.nan  # a logarithmic scale has no place for it
        low, high = np.maximum(mean - std, mean / 10), mean + std
    else:
        low, high = np.maximum(mean - std, 0), np.minimum(mean + std, 100)
    steps = np.arange(1, len(mean) + 1)
    label = curve.row if len(sizes) == 1 else f"{curve.row}, {curve.num_nodes} nodes"
    panel.fill_between(steps, low, high, color=colour, alpha=0.15, linewidth=0)
    panel.plot(
        steps,
        mean,
        color=colour,
        marker=marker,
        markevery=max(1, len(mean) // 8),
        linestyle=("-", "--", ":", "-.")[sizes.index(curve.num_nodes) % 4],
        label=label,
    )
