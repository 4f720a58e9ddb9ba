"""Tables in Markdown, word by word."""

import math

import pytest

from neuralexec.errors import InputError
from neuralexec.reports.layout import lay_out, tables_of
from neuralexec.reports.tables import LEGEND, Z_LEGEND, escape, markdown_table, remarks_of
from tests.reports.fake_results import cell_of, fake_cells

ERROR = "mean squared error"


def lines_of(text: str) -> list[list[str]]:
    """The grids of a text, without their rules."""
    grid = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [line for line in grid if not set("".join(line)) <= set("-: ")]


def test_a_whole_file():
    cells = [
        cell_of([97.0, 98.0, 99.0], row="GAT*", preset="paper", paper=99.97, note="sharp"),
        cell_of([100.0, 99.0], row="GAT*", paper=99.97, parameters=None),
        cell_of([99.98], row="MPNN-max", paper=99.80, metric="last-step accuracy"),
        cell_of([51.0, 52.0], row="MPNN-max", metric="stops exactly"),
    ]
    assert markdown_table(cells, "table1") == "\n".join(
        [
            "# Table 1: reachability",
            "",
            "Breadth-first search: the share of nodes whose reachability is right, over all steps "
            "and at the end. Trained on 20 nodes.",
            "",
            "| model | preset | 100 nodes<br>last-step accuracy | 100 nodes<br>stops exactly "
            "| seeds | parameters |",
            "| --- | --- | ---: | ---: | ---: | ---: |",
            "| GAT\\* | paper | 98.00 ± 1.00 (99.97) | – | 3 | 11000 |",
            "| GAT\\* | best | 99.50 ± 0.71 (99.97) | – | 2 | – |",
            "| MPNN-max | best | **99.98** (99.80) | 51.50 ± 0.71 | 1–2 | 11000 |",
            "",
            LEGEND,
            "",
            "## Standard deviations from the paper",
            "",
            "| model | preset | 100 nodes<br>last-step accuracy | 100 nodes<br>stops exactly |",
            "| --- | --- | ---: | ---: |",
            "| GAT\\* | paper | −2.0 | – |",
            "| GAT\\* | best | −0.7 | – |",
            "",
            Z_LEGEND,
            "",
            "## Remarks",
            "",
            "- 5 test graphs per family and size.",
            "- GAT\\*, paper: sharp",
            "",
        ]
    )


def test_lower_errors_are_bold():
    cells = [
        cell_of([0.2], row="LSTM", table="table3", column="20 nodes", metric=ERROR, paper=3.857),
        cell_of([5.0], row="ours", table="table3", column="20 nodes", metric=ERROR, paper=3.0),
        cell_of(
            [7.123, math.inf],
            row="MPNN-sum",
            table="table3",
            column="100 nodes",
            metric=ERROR,
            paper=math.inf,
        ),
    ]
    text = markdown_table(cells, "table3")
    assert "| **0.2** (3.857) |" in text
    assert "| 5 (3) |" in text
    assert "| **∞** (∞) |" in text
    assert "Standard deviations" not in text


def test_a_table_of_families():
    grid = lines_of(markdown_table(fake_cells(), "table5"))
    assert grid[0][:3] == ["graph type", "model", "preset"]
    assert grid[0][3] == "from erdos-renyi<br>reachability mean-step accuracy"
    assert grid[0][7] == "from tree<br>reachability mean-step accuracy"
    assert grid[1][:3] == ["ladder", "MPNN-max", "paper"]
    assert grid[1][3].endswith("(93.16)")
    assert grid[1][7].endswith("(99.93)")


def test_numbers_of_graphs_stand_where_they_differ():
    text = markdown_table([cell_of(graphs=50), cell_of([1.0])], "table1")
    assert lines_of(text)[0][:3] == ["model", "preset", "test graphs per family"]
    assert lines_of(text)[1][:3] == ["ours", "best", "5"]
    assert "test graphs per family and size" not in text


@pytest.mark.parametrize("table", tables_of(fake_cells()))
def test_lines_are_as_long_as_their_heading(table):
    grids = markdown_table(fake_cells(), table).split("## ")
    for grid in grids:
        assert len({len(line) for line in lines_of(grid)}) <= 1
    assert len(lines_of(grids[0])) == 1 + len(lay_out(fake_cells(), table).lines)


def test_nothing_breaks_a_line():
    text = markdown_table([cell_of(row="a|b\nc<i>", note="x|y\n\n# z")], "table1")
    assert lines_of(text)[1][0] == "a\\|b c\\<i\\>"
    assert "\n# z" not in text
    assert escape("a_b[c](d)\\") == "a\\_b\\[c\\](d)\\\\"


def test_a_note_is_said_once():
    cells = [
        cell_of(row="a", note="same"),
        cell_of(row="a", column="20 nodes", note="same"),
        cell_of(row="b", note="same"),
        cell_of(row="b", column="20 nodes", note="other"),
    ]
    assert remarks_of(lay_out(cells, "table1"))[1:] == ["a, best; b, best: same", "b, best: other"]


def test_a_table_without_results():
    with pytest.raises(InputError, match="no results of 'table7'"):
        markdown_table(fake_cells(), "table7")
