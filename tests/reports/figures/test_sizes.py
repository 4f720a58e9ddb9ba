"""Curves over sizes."""

import math

import pytest

from neuralexec.reports.figures.sizes import draw_sizes, has_sizes
from neuralexec.reports.figures.style import png_of
from tests.reports.fake_results import cell_of, fake_cells

pytest.importorskip("matplotlib")


def of_table(table):
    return [cell for cell in fake_cells() if cell.table == table]


def drawn(panel):
    """What a panel shows: label -> size -> height."""
    return {
        container.get_label(): dict(
            zip(container[0].get_xdata(), container[0].get_ydata(), strict=True)
        )
        for container in panel.containers
    }


def test_which_tables_are_of_sizes():
    tables = ("table1", "table2", "table3", "table4", "table6")
    assert all(has_sizes(of_table(table)) for table in tables)
    assert not any(has_sizes(of_table(table)) for table in ("table5", "table8", "table9"))
    assert not has_sizes([cell_of(column="all"), cell_of(column="50 nodes")])
    assert not has_sizes([cell_of(train_family="tree"), cell_of(column="50 nodes")])


def test_many_models_stand_beside_the_papers():
    cells = of_table("table3")
    figure = draw_sizes(cells)
    top, bottom = figure.axes[:3], figure.axes[3:]
    titles = [panel.get_title(loc="left") for panel in top]
    assert titles == ["the paper’s", "ours, preset paper", "ours, preset best"]
    assert top[0].get_ylabel() == "mean squared error"
    assert bottom[0].get_ylabel() == "termination accuracy, %"
    assert {panel.get_yscale() for panel in top} == {"log"}
    assert {panel.get_yscale() for panel in bottom} == {"linear"}
    assert drawn(top[0])["MPNN-max"] == {20: 0.005, 50: 0.013, 100: 0.238}
    best = {
        int(cell.column.split()[0]): cell.mean
        for cell in cells
        if (cell.row, cell.preset, cell.metric) == ("LSTM", "best", "termination accuracy")
    }
    assert drawn(bottom[2])["LSTM"] == best


def test_panels_of_a_metric_share_their_scale():
    figure = draw_sizes(of_table("table2"))
    assert len({panel.get_ylim() for panel in figure.axes[:3]}) == 1


def test_what_is_infinite_is_left_out():
    figure = draw_sizes(of_table("table3"))
    assert drawn(figure.axes[0])["MPNN-sum"] == {20: 0.156, 50: 4.745}
    assert list(drawn(figure.axes[1])["MPNN-sum"]) == [20, 50]
    assert list(drawn(figure.axes[2])["MPNN-sum"]) == [20, 50, 100]


def test_having_learnt_nothing_is_drawn_in_every_panel():
    figure = draw_sizes(of_table("table2"))
    for panel in figure.axes[3:]:
        assert drawn(panel)["learnt nothing"] == {20: 30, 50: 29, 100: 28}


def test_one_model_shares_a_panel_with_the_papers():
    figure = draw_sizes(of_table("table4"))
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    assert titles == ["mean-step accuracy, %", "last-step accuracy, %"]
    shown = drawn(figure.axes[1])
    assert list(shown) == ["the paper’s", "ours, preset paper", "ours, preset best"]
    theirs = {20: 96.84, 50: 93.88, 100: 88.79, 500: 76.46, 1000: 72.74, 1500: 67.66}
    assert shown["the paper’s"] == theirs


def test_metrics_of_our_own_are_not_drawn_beside_the_papers():
    assert len(draw_sizes(of_table("table1")).axes) == 2 * 3
    ours = [cell_of([size], column=f"{size} nodes", metric="stops exactly") for size in (20, 50)]
    [panel] = draw_sizes(ours).axes
    assert drawn(panel)["ours, preset best"] == {20: 20, 50: 50}


def test_the_most_precise_numbers_are_drawn():
    cells = [
        cell_of([value], column=f"{size} nodes", graphs=graphs)
        for size in (20, 50)
        for value, graphs in ((70.0, 50), (60.0, 5))
    ]
    for order in (cells, cells[::-1]):
        assert drawn(draw_sizes(order).axes[0])["ours, preset best"] == {20: 70, 50: 70}


def test_errors_of_nothing_and_wide_spreads_can_be_drawn():
    cells = [
        cell_of(values, column=f"{size} nodes", metric="mean squared error")
        for size, values in ((20, [0.0]), (50, [0.01, 0.01, 9.0]), (100, [1.0, math.inf]))
    ]
    figure = draw_sizes(cells)
    assert list(drawn(figure.axes[0])["ours, preset best"]) == [50]
    assert png_of(figure)


def test_bars_are_standard_deviations():
    cells = [cell_of([90.0, 92.0, 94.0], column=f"{size} nodes") for size in (20, 50)]
    [panel] = draw_sizes(cells).axes
    [container] = panel.containers
    [bars] = container[2]
    assert bars.get_segments()[0].tolist() == [[20, 90], [20, 94]]
