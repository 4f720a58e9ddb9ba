"""Saved drawings: the same bytes each time, and fit for a page."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from neuralexec.errors import InputError
from neuralexec.reports.figures.style import (
    FAINT,
    INK,
    MODELS,
    PAPER_WHITE,
    drawing,
    inline_svg,
    legend_below,
    look_of,
    new_panels,
    png_of,
    svg_of,
)
from neuralexec.reports.paper import PAPER

matplotlib = pytest.importorskip("matplotlib")


def example():
    with drawing():
        figure, [[left, right]] = new_panels(1, 2, (4, 2))
        left.plot([1, 2], [3, 4], label="both", color=INK)
        right.plot([1, 2], [3, 4], label="both")
        right.plot([1, 2], [5, 4], label="one", color=PAPER_WHITE)
        legend_below(figure, [left, right])
    return figure


def test_the_same_bytes_each_time():
    assert png_of(example()) == png_of(example())
    assert svg_of(example()) == svg_of(example())


def test_formats():
    assert png_of(example()).startswith(b"\x89PNG")
    assert "<svg" in svg_of(example())
    assert not re.search(r"\b20\d\d-\d\d-\d\d", svg_of(example()))


def test_a_legend_names_each_once():
    [legend] = example().legends
    assert [text.get_text() for text in legend.get_texts()] == ["both", "one"]


def test_the_users_settings_stay():
    with matplotlib.rc_context({"axes.grid": False, "font.size": 33}):
        example()
        assert matplotlib.rcParams["font.size"] == 33
        assert not matplotlib.rcParams["axes.grid"]


def test_the_users_settings_do_not_matter():
    before = svg_of(example())
    with matplotlib.rc_context({"lines.linewidth": 7, "svg.hashsalt": "x", "font.size": 20}):
        assert svg_of(example()) == before


class Names(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids: list[str] = []
        self.used: list[str] = []

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key == "id":
                self.ids.append(value)
            if key == "href":
                self.used.append(value.removeprefix("#"))
            self.used += re.findall(r"url\(#([^)]*)\)", value or "")


def test_names_in_a_page_are_the_drawings_own():
    names = Names()
    names.feed(inline_svg(svg_of(example()), "some"))
    assert names.ids
    assert names.used
    assert all(name.startswith("some-") for name in names.ids)
    assert set(names.used) <= set(names.ids)
    assert len(names.ids) == len(set(names.ids))


def test_in_a_page_nothing_is_declared_or_loaded():
    text = inline_svg(svg_of(example()), "some")
    assert text.startswith("<svg")
    assert text.endswith("</svg>")
    for part in ("http", "xmlns", "xlink", "<metadata", "<style", "<!DOCTYPE", "font-family"):
        assert part not in text
    assert "viewBox" in text
    assert not re.match(r"<svg[^>]*\s(width|height)=", text)


def test_in_a_page_colours_follow_the_theme():
    before, text = svg_of(example()), inline_svg(svg_of(example()), "some")
    for colour, name in (
        (INK, "currentColor"),
        (FAINT, "var(--faint)"),
        (PAPER_WHITE, "var(--page)"),
    ):
        assert colour in before
        assert colour not in text
        assert name in text


def test_the_papers_models_look_different():
    assert set(MODELS) == {cell.row for cell in PAPER}
    assert len(set(MODELS.values())) == len(MODELS)
    assert len({marker for _, marker in MODELS.values()}) == len(MODELS)


def test_other_models_look_different_too():
    rows = ["MPNN-max", "pgn", "deep-sets"]
    assert len({look_of(row, rows) for row in rows}) == 3


def test_without_matplotlib_there_is_a_way_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'neuralexec\[plots\]'"), drawing():
        pass


def test_matplotlib_is_imported_only_to_draw():
    script = (
        "import sys, neuralexec.reports.build\n"
        "sys.exit(any(name in sys.modules for name in ('matplotlib', 'torch', 'networkx')))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
