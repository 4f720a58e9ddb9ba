"""The top of the page."""

import re

from neuralexec.reports.comparison import tally
from neuralexec.reports.page_summary import claims, summary
from neuralexec.reports.records import Claim
from tests.reports.fake_results import cell_of, fake_cells


def text_of(markup):
    return " ".join(re.sub(r"<[^>]*>", " ", markup).split())


def some_cells():
    return [
        cell_of([98.0], row="a", paper=97.0),
        cell_of([97.0, 99.0], row="b", paper=98.5),
        cell_of([98.0], row="c", paper=99.0),
        cell_of([98.0], row="d"),
        cell_of([98.0], row="a", preset="paper", paper=98.5),
        cell_of([98.0], row="a", preset="none", paper=90.0),
    ]


def test_headlines_of_both_presets():
    text = text_of(summary(some_cells()))
    assert (
        "1 of 3 of the paper’s numbers are equalled or beaten by preset best (the paper has 287); "
        "1 more are within two standard deviations."
    ) in text
    assert "0 of 1 of the paper’s numbers are equalled or beaten by preset paper" in text
    assert "preset none" not in text


def test_bars_are_shares_of_what_was_measured():
    [line] = re.findall(r"<tbody>(.*?)</tbody>", summary(some_cells()), re.DOTALL)
    best, paper = line.split("</td>")[:2]
    assert re.findall(r'class="([a-z-]*)" style="width:([\d.]*)%"', best) == [
        ("as-good", "33.33"),
        ("close", "33.33"),
        ("worse", "33.33"),
    ]
    assert re.findall(r'class="([a-z-]*)" style="width:([\d.]*)%"', paper) == [("worse", "100.00")]
    assert "33 not measured" in best


def test_every_table_and_their_sum():
    cells = fake_cells()
    text = summary(cells)
    best = [cell for cell in cells if cell.preset == "best"]
    for table in ("table1", "table5", "appendixE"):
        count = tally(best, table)
        [line] = re.findall(rf'<tr>(?:(?!<tr>).)*href="#{table.lower()}".*?</tr>', text, re.DOTALL)
        assert f"{count.as_good} of {count.measured}<" in line
    [foot] = re.findall(r"<tfoot>(.*?)</tfoot>", text, re.DOTALL)
    assert f"{tally(best).as_good} of 287<" in foot
    assert "the paper has" not in text


def test_only_the_most_precise_number_counts():
    cells = [cell_of([98.0], paper=99.0, graphs=5), cell_of([99.5], paper=99.0, graphs=50)]
    assert "1 of 1 of the paper’s" in text_of(summary(cells))


def test_a_preset_without_a_table():
    cells = [cell_of([1.0], paper=2.0), cell_of([1.0], paper=2.0, table="table2", preset="paper")]
    [body] = re.findall(r"<tbody>(.*?)</tbody>", summary(cells), re.DOTALL)
    assert body.count('class="absent"') == 2


def test_claims_have_a_sign_and_words_for_it():
    text = claims([Claim("A.", "b < c", True), Claim("D.", "", False), Claim("E.")])
    found = re.findall(r'title="([^"]*)"[^>]*>(.)</span>', text)
    assert found == [("holds", "✓"), ("does not hold", "✗"), ("cannot be decided", "?")]
    assert "<b>A.</b> b &lt; c" in text
