"""Which figures are drawn."""

import pytest

from neuralexec.reports import drawings
from neuralexec.reports.drawings import drawings_of
from neuralexec.reports.results import Results
from tests.reports.fake_results import cell_of, fake_cells, fake_curves, fake_explanations

pytest.importorskip("matplotlib")


@pytest.fixture
def unsaved(monkeypatch):
    """Saving takes most of the time, and is not asked about here."""
    monkeypatch.setattr(drawings, "svg_of", lambda figure: "<svg/>")
    monkeypatch.setattr(drawings, "png_of", lambda figure: b"png")


@pytest.mark.usefixtures("unsaved")
def test_every_figure_that_there_can_be():
    results = Results(tuple(fake_cells()), tuple(fake_curves()), tuple(fake_explanations()))
    found = {drawing.name: drawing for drawing in drawings_of(results)}
    assert {name: drawing.section for name, drawing in found.items()} == {
        "table1-sizes": "table1",
        "table2-sizes": "table2",
        "table3-sizes": "table3",
        "table4-sizes": "table4",
        "table5-families": "table5",
        "table6-sizes": "table6",
        "table9-families": "table9",
        "figure3-paper": "figure3",
        "figure3-best": "figure3",
        "figure4": "figure4",
    }
    assert "infinite" in found["table3-sizes"].caption
    assert "infinite" not in found["table1-sizes"].caption
    assert "100 nodes, preset best" in found["figure3-best"].caption


@pytest.mark.usefixtures("unsaved")
def test_models_of_families_have_a_figure_each():
    cells = [cell_of(row=row, test_family="tree") for row in ("GAT*", "MPNN-max")]
    cells.append(cell_of(row="none", preset="none", test_family="tree"))
    names = [drawing.name for drawing in drawings_of(Results(tuple(cells)))]
    assert names == ["table1-families-gat", "table1-families-mpnn-max"]


def test_nothing_to_draw():
    assert drawings_of(Results((cell_of(),))) == []


def test_a_drawing_has_both_files():
    cells = tuple(cell_of(column=f"{size} nodes") for size in (20, 50))
    [drawing] = drawings_of(Results(cells))
    assert drawing.png.startswith(b"\x89PNG")
    assert "</svg>" in drawing.svg
