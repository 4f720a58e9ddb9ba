"""Curves over steps."""

import math

import numpy as np
import pytest

from neuralexec.reports.figures.steps import draw_steps
from neuralexec.reports.figures.style import MODELS, png_of
from neuralexec.reports.records import Curve
from tests.reports.fake_results import METRICS, fake_curves

pytest.importorskip("matplotlib")


def test_a_panel_per_metric_in_the_papers_order():
    curves = [curve for curve in fake_curves() if curve.preset == "best"]
    figure = draw_steps(curves[::-1])
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    assert titles == ["reachability accuracy, %", METRICS[1], "predecessor accuracy, %"]
    assert [panel.get_yscale() for panel in figure.axes] == ["linear", "log", "linear"]
    for panel, metric in zip(figure.axes, METRICS, strict=True):
        drawn = {line.get_label(): tuple(line.get_ydata()) for line in panel.lines}
        assert drawn == {curve.row: curve.mean for curve in curves if curve.metric == metric}
        assert {line.get_label(): line.get_color() for line in panel.lines} == {
            row: MODELS[row][0] for row in drawn
        }


def test_steps_are_counted_from_one():
    [panel] = draw_steps([Curve("a", "best", "accuracy", 20, (1.0, 2.0, 3.0), (0.0,) * 3, 1)]).axes
    assert list(panel.lines[0].get_xdata()) == [1, 2, 3]


def test_the_spread_is_drawn_around_the_mean():
    [panel] = draw_steps([Curve("a", "best", "accuracy", 20, (50.0, 99.0), (5.0, 5.0), 3)]).axes
    [band] = panel.collections
    corners = band.get_paths()[0].vertices
    assert {tuple(corner) for corner in corners} >= {(1, 45), (1, 55), (2, 94), (2, 100)}
    assert corners[:, 1].max() == 100


def test_a_logarithmic_scale_has_no_zero_and_no_infinity():
    curve = Curve("a", "best", METRICS[1], 20, (0.0, 2.0, math.inf), (0.0, 3.0, math.nan), 3)
    figure = draw_steps([curve])
    drawn = figure.axes[0].lines[0].get_ydata()
    assert np.isnan(drawn).tolist() == [True, False, True]
    [band] = figure.axes[0].collections
    assert np.nanmin(band.get_paths()[0].vertices[:, 1]) == pytest.approx(0.2)
    assert png_of(figure)


def test_sizes_are_named_where_they_differ():
    curves = [Curve("a", "best", "accuracy", size, (1.0,), (0.0,), 1) for size in (100, 20)]
    [panel] = draw_steps(curves).axes
    assert [line.get_label() for line in panel.lines] == ["a, 20 nodes", "a, 100 nodes"]
    assert len({line.get_linestyle() for line in panel.lines}) == 2
