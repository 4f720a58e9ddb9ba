"""Pictures of paths."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from neuralexec.reports.figures.explanations import draw_explanations, place_nodes
from neuralexec.reports.figures.style import BLUE, ORANGE, PURPLE, YELLOW, svg_of
from neuralexec.reports.records import Explanation
from tests.reports.fake_results import fake_explanations

to_hex = pytest.importorskip("matplotlib.colors").to_hex

PATH = Explanation(
    "some",
    "tree",
    5,
    0,
    (0, 1, 1, 2, 2, 3, 1, 4, 0),
    (1, 0, 2, 1, 3, 2, 4, 1, 0),
    3,
    ((3, 2, True), (2, 1, False), (1, 0, True)),
)


def test_a_panel_each():
    figure = draw_explanations(fake_explanations() * 2)
    titles = [panel.get_title(loc="left") for panel in figure.axes]
    assert titles == [one.title for one in fake_explanations()] * 2


def test_other_edges_are_drawn_once():
    [panel] = draw_explanations([PATH]).axes
    places = place_nodes(PATH)
    [line] = panel.lines  # the one edge that is not on the path
    assert line.get_color() == YELLOW
    ends = set(zip(line.get_xdata(), line.get_ydata(), strict=True))
    assert ends == {places[1], places[4]}


def test_the_path_leads_from_parent_to_child():
    [panel] = draw_explanations([PATH]).axes
    places = place_nodes(PATH)
    arrows = [text for text in panel.texts if getattr(text, "arrow_patch", None) is not None]
    drawn = {(arrow.xyann, arrow.xy): arrow.arrow_patch.get_linestyle() for arrow in arrows}
    assert drawn == {
        (places[2], places[3]): "-",
        (places[1], places[2]): "--",
        (places[0], places[1]): "-",
    }
    assert {to_hex(arrow.arrow_patch.get_edgecolor()) for arrow in arrows} == {PURPLE}


def test_the_ends_are_marked():
    [panel] = draw_explanations([PATH]).axes
    colours = {
        tuple(dots.get_offsets()[0]): to_hex(dots.get_facecolor()[0]) for dots in panel.collections
    }
    places = place_nodes(PATH)
    assert colours[places[0]] == ORANGE
    assert colours[places[3]] == BLUE
    assert Counter(colours.values())["#ffffff"] == 3


def test_a_part_that_is_not_reached_has_its_place_too():
    apart = replace(PATH, num_nodes=8)
    places = np.array(list(place_nodes(apart).values()))
    assert places.shape == (8, 2)
    assert np.isfinite(places).all()


@pytest.mark.parametrize("explanation", [*fake_explanations(), replace(PATH, num_nodes=8)])
def test_the_same_places_each_time(explanation):
    assert place_nodes(explanation) == place_nodes(explanation)


def test_a_ladder_lies_flat():
    """Rungs are parallel, so that none crosses another."""
    [ladder] = [one for one in fake_explanations() if one.family == "ladder"]
    places = {node: np.array(place) for node, place in place_nodes(ladder).items()}
    rungs = [places[node + 10] - places[node] for node in range(10)]
    for rung in rungs:
        assert rung @ rungs[0] > 0.95 * np.linalg.norm(rung) * np.linalg.norm(rungs[0])


def test_the_same_bytes_each_time():
    assert svg_of(draw_explanations([PATH])) == svg_of(draw_explanations([PATH]))
