"""Bars of families."""

import pytest

from neuralexec.reports.figures.families import draw_families, has_families
from neuralexec.reports.paper import paper_value
from tests.reports.fake_results import cell_of, fake_cells

pytest.importorskip("matplotlib")

FAMILIES = ["ladder", "grid", "tree", "erdos-renyi", "barabasi-albert", "4-community", "4-caveman"]


def of_table(table):
    return [cell for cell in fake_cells() if cell.table == table]


def bars_of(panel):
    found = {}
    for container in panel.containers:
        if hasattr(container, "patches"):
            found[container.get_label()] = [bar.get_height() for bar in container]
    return found


def test_which_tables_are_of_families():
    assert has_families(of_table("table5"))
    assert not has_families(of_table("table1"))


def test_a_panel_per_metric():
    cells = of_table("table9")
    figure = draw_families(cells[::-1])
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    metrics = [
        f"{what} {step}-step accuracy"
        for what in ("reachability", "predecessor")
        for step in ("mean", "last")
    ]
    assert titles == [f"{metric}, %" for metric in metrics]
    for panel, metric in zip(figure.axes, metrics, strict=True):
        bars = bars_of(panel)
        assert list(bars) == ["the paper’s", "ours, preset paper", "ours, preset best"]
        assert bars["the paper’s"] == [
            paper_value("table9", "MPNN-max", "100 nodes", metric, family) for family in FAMILIES
        ]
        best = {c.test_family: c.mean for c in cells if (c.metric, c.preset) == (metric, "best")}
        assert bars["ours, preset best"] == [best[family] for family in FAMILIES]
        assert panel.get_ylim()[0] == 0


def test_a_column_per_family_trained_on():
    figure = draw_families(of_table("table5"))
    titles = [panel.get_title(loc="left") for panel in figure.axes[:2]]
    assert titles == [
        "reachability mean-step accuracy, trained on erdos-renyi, %",
        "reachability mean-step accuracy, trained on tree, %",
    ]
    assert len(figure.axes) == 8
    assert bars_of(figure.axes[6])["the paper’s"][2] == 63.26
    assert bars_of(figure.axes[7])["the paper’s"][2] == 97.33


def test_names_stand_under_their_bars():
    panel = draw_families(of_table("table9")).axes[0]
    names = [label.get_text().replace("\n", "") for label in panel.get_xticklabels()]
    assert names == FAMILIES
    places = [bar.get_x() + bar.get_width() / 2 for bar in panel.containers[0]]
    assert [round(place + 0.8 / 3) for place in places] == list(range(7))


def test_spreads_are_drawn_only_where_there_are_some():
    cells = [cell_of([90.0, 92.0, 94.0], test_family="tree", paper=95.0)]
    [panel] = draw_families(cells).axes
    theirs, ours = [one for one in panel.containers if hasattr(one, "patches")]
    assert theirs.errorbar is None
    [bars] = ours.errorbar[2]
    assert bars.get_segments()[0][:, 1].tolist() == [90, 94]


def test_the_most_precise_numbers_are_drawn():
    cells = [cell_of([value], test_family="tree", graphs=n) for value, n in ((7.0, 50), (6.0, 5))]
    [panel] = draw_families(cells).axes
    assert bars_of(panel)["ours, preset best"] == [7]
