"""Lines and columns, in the paper's order."""

import random

import pytest

from neuralexec.errors import InputError
from neuralexec.reports.layout import Column, Line, lay_out, size_of, tables_of
from tests.reports.fake_results import cell_of, fake_cells


def shuffled():
    cells = fake_cells()
    random.Random(0).shuffle(cells)
    return cells


def test_models_in_the_papers_order_then_presets():
    layout = lay_out(shuffled(), "table2")
    names = [(line.row, line.preset) for line in layout.lines]
    models = ["LSTM", "GAT*", "GAT-full*", "MPNN-mean", "MPNN-sum", "MPNN-max"]
    models += ["MPNN-max (curriculum)", "MPNN-max (no-reach)", "MPNN-max (no-algo)"]
    pairs = [(model, preset) for model in models for preset in ("paper", "best")]
    assert names == [*pairs, ("none", "none")]
    assert not layout.by_family


def test_sizes_by_number_then_metrics():
    columns = lay_out(shuffled(), "table4").columns
    assert columns == tuple(
        Column(f"{size} nodes", metric, None)
        for size in (20, 50, 100, 500, 1000, 1500)
        for metric in ("mean-step accuracy", "last-step accuracy")
    )


def test_metrics_of_our_own_come_last():
    columns = lay_out(shuffled(), "table1").columns
    assert columns[-1] == Column("100 nodes", "stops exactly", None)


def test_errors_before_termination():
    assert [column.metric for column in lay_out(shuffled(), "table3").columns][:2] == [
        "mean squared error",
        "termination accuracy",
    ]


def test_families_as_lines_and_trained_families_as_groups():
    layout = lay_out(shuffled(), "table5")
    families = ["ladder", "grid", "tree", "erdos-renyi", "barabasi-albert"]
    families += ["4-community", "4-caveman"]
    assert [line.test_family for line in layout.lines] == families * 2
    assert [line.preset for line in layout.lines] == ["paper"] * 7 + ["best"] * 7
    assert layout.by_family
    assert [column.group for column in layout.columns] == ["from erdos-renyi"] * 4 + [
        "from tree"
    ] * 4
    assert [column.metric for column in layout.columns[:4]] == [
        "reachability mean-step accuracy",
        "reachability last-step accuracy",
        "predecessor mean-step accuracy",
        "predecessor last-step accuracy",
    ]


def test_every_cell_has_its_place():
    cells = shuffled()
    for table in tables_of(cells):
        layout = lay_out(cells, table)
        placed = [cell for line in layout.lines for cell in layout.of_line(line)]
        assert len(placed) == len([cell for cell in cells if cell.table == table])
    cell = lay_out(cells, "table9").cells[
        Line("MPNN-max", "best", 5, "grid"),
        Column("100 nodes", "predecessor last-step accuracy", None),
    ]
    assert (cell.paper, cell.preset, cell.test_family) == (83.77, "best", "grid")


def test_numbers_of_graphs_are_lines_of_their_own():
    layout = lay_out([cell_of(graphs=50), cell_of([1.0])], "table1")
    assert [line.graphs for line in layout.lines] == [5, 50]
    assert layout.by_graphs
    assert not lay_out([cell_of()], "table1").by_graphs


def test_tables_in_the_papers_order():
    cells = [*shuffled(), cell_of(table="extra")]
    numbered = [f"table{number}" for number in (1, 2, 3, 4, 5, 6, 8, 9)]
    assert tables_of(cells) == [*numbered, "appendixE", "extra"]


def test_a_table_without_results():
    with pytest.raises(InputError, match="no results of 'table7'"):
        lay_out(shuffled(), "table7")


def test_what_has_no_size():
    assert size_of("all") is None
    assert size_of("1500 nodes") == 1500
