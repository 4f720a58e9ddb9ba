"""Tables in HTML: what a cell shows, and what resting on it does."""

import math
import re

import pytest

from neuralexec.reports.html_tables import html_table
from neuralexec.reports.layout import lay_out, tables_of
from tests.reports.fake_results import cell_of, fake_cells


def cell_html(cell):
    [found] = re.findall(
        r'<td class="(?:as-good|close|worse|alone)".*?</td>',
        html_table(lay_out([cell], cell.table)),
        re.DOTALL,
    )
    return found


@pytest.mark.parametrize(
    ("values", "paper", "kind", "sign"),
    [
        ([97.0, 98.0, 99.0], 97.5, "as-good", "▲"),
        ([97.0, 98.0, 99.0], 99.0, "close", "▽"),
        ([97.0, 98.0, 99.0], 100.5, "worse", "▼"),
    ],
)
def test_better_and_worse_can_be_seen(values, paper, kind, sign):
    text = cell_html(cell_of(values, paper=paper))
    assert f'<td class="{kind}"' in text
    assert f'<span class="sign">{sign}</span>' in text
    assert "<b>98.00</b>" in text
    assert "± 1.00" in text
    assert f"paper {paper:.2f}" in text


def test_distance_from_the_paper():
    assert "paper 97.50 · z +0.5<" in cell_html(cell_of(paper=97.5))
    assert "paper 97.50<" in cell_html(cell_of([98.0], paper=97.5))


def test_what_the_paper_does_not_have():
    text = cell_html(cell_of())
    assert 'class="alone"' in text
    assert "paper" not in text
    assert "sign" not in text


def test_resting_on_a_cell_shows_the_seeds():
    text = cell_html(cell_of([97.125, 98.999], paper=90.0, note="sharp & <wide>"))
    assert "by seed: 97.12, 98.99\n5 test graphs per family\nas good or better" in text
    assert "sharp &amp; &lt;wide&gt;" in text


def test_infinity():
    cell = cell_of([math.inf, 1.0], metric="mean squared error", paper=math.inf)
    assert "<b>∞</b>" in cell_html(cell)
    assert "by seed: ∞, 1" in cell_html(cell)


@pytest.mark.parametrize("table", tables_of(fake_cells()))
def test_every_line_is_as_wide_as_the_head(table):
    layout = lay_out(fake_cells(), table)
    text = html_table(layout)
    [head] = re.findall(r"<thead>(.*?)</thead>", text, re.DOTALL)
    first, second = head.split("</tr><tr>")
    spans = sum(int(span) for span in re.findall(r'colspan="(\d+)"', first))
    width = spans + first.count('rowspan="2"')
    assert second.count("<th ") == spans
    lines = re.findall(r"<tr[^>]*>(.*?)</tr>", text[text.index("<tbody>") :], re.DOTALL)
    assert len(lines) == len(layout.lines)
    assert {len(re.findall(r"<t[hd][ >]", line)) for line in lines} == {width}


def test_models_are_set_apart():
    assert html_table(lay_out(fake_cells(), "table1")).count("<tbody>") == 6
    assert html_table(lay_out(fake_cells(), "table9")).count("<tbody>") == 2


def test_having_learnt_nothing_stands_back():
    assert html_table(lay_out(fake_cells(), "table2")).count('class="preset-none"') == 1
