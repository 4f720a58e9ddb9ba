"""Cells: their checks, and their files."""

import json
import math
from dataclasses import replace

import pytest

from neuralexec.errors import InputError
from neuralexec.reports.cells import mean_and_std, most_precise, read_cells, write_cells
from neuralexec.reports.paper import PAPER
from tests.reports.fake_results import cell_of, fake_cells


def test_cells_come_back_as_they_were(tmp_path):
    write_cells(tmp_path / "cells.json", fake_cells())
    found = read_cells(tmp_path / "cells.json")
    assert [repr(cell) for cell in found] == [repr(cell) for cell in fake_cells()]
    assert {cell.paper for cell in found} >= {cell.value for cell in PAPER}


def test_infinity_is_a_string(tmp_path):
    write_cells(tmp_path / "cells.json", [cell_of([math.inf, 1.0], metric="mean squared error")])
    [entry] = json.loads((tmp_path / "cells.json").read_text())
    assert (entry["mean"], entry["std"], entry["values"]) == ("inf", "nan", ["inf", 1.0])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": 2}, "one number per seed, and has 3 for 2 seeds"),
        ({"std": -1.0}, "'std' must not be negative"),
        ({"mean": 99.1}, "'mean' must lie between"),
        ({"mean": 96.9}, "'mean' must lie between"),
        ({"row": "MPNN-max", "paper": 99.8, "column": "20 nodes"}, "but the paper has 100;"),
    ],
)
def test_what_cannot_be(changes, message):
    with pytest.raises(InputError, match=message):
        cell_of(**changes)


def test_no_seeds():
    with pytest.raises(InputError, match="has 0 for 0 seeds"):
        replace(cell_of(), seeds=0, values=())


def test_a_wrong_cell_of_a_file_is_named(tmp_path):
    path = tmp_path / "cells.json"
    write_cells(path, [cell_of(), cell_of(row="other")])
    path.write_text(path.read_text().replace('"seeds": 3', '"seeds": 4'))
    with pytest.raises(InputError, match=r"cells\.json, entry 1: 'values' must have one number"):
        read_cells(path)


def test_the_mean_of_infinities_is_checked_too():
    assert cell_of([math.inf, math.inf]).mean == math.inf
    assert cell_of([1.0, math.inf]).mean == math.inf
    with pytest.raises(InputError, match="'mean' must lie between"):
        cell_of([math.inf, math.inf], mean=3.0)


def test_what_is_not_a_number_is_let_through():
    assert math.isnan(cell_of([1.0, math.nan]).mean)


def test_a_place_is_taken_once(tmp_path):
    write_cells(tmp_path / "cells.json", [cell_of(), cell_of(graphs=50), cell_of([1.0])])
    with pytest.raises(InputError, match="2 cells for table1, ours, best, 100 nodes"):
        read_cells(tmp_path / "cells.json")


@pytest.mark.parametrize(
    "change",
    [
        {"table": "table2"},
        {"row": "other"},
        {"preset": "paper"},
        {"column": "50 nodes"},
        {"metric": "mean-step accuracy"},
        {"train_family": "tree"},
        {"test_family": "tree"},
        {"graphs": 50},
    ],
)
def test_what_makes_another_place(tmp_path, change):
    write_cells(tmp_path / "cells.json", [cell_of(), cell_of(**change)])
    assert len(read_cells(tmp_path / "cells.json")) == 2


def test_no_cells_are_no_results(tmp_path):
    write_cells(tmp_path / "cells.json", [])
    with pytest.raises(InputError, match="has no cells"):
        read_cells(tmp_path / "cells.json")


@pytest.mark.parametrize(
    ("metric", "is_error"),
    [
        ("mean squared error", True),
        ("distance mean squared error", True),
        ("termination accuracy", False),
        ("stops exactly", False),
    ],
)
def test_which_metrics_are_errors(metric, is_error):
    assert cell_of(metric=metric).is_error == is_error


def test_the_most_test_graphs_are_the_most_precise():
    few, many = cell_of(graphs=5), cell_of([1.0], graphs=50)
    other = cell_of(graphs=5, row="other")
    assert most_precise([many, few, other]) == [many, other]
    assert most_precise([replace(few, preset="paper"), many]) == [
        replace(few, preset="paper"),
        many,
    ]


def test_mean_and_spread():
    assert mean_and_std([98.0, 100.0]) == (99.0, math.sqrt(2))
    assert mean_and_std([98.0]) == (98.0, 0.0)
    assert mean_and_std([math.inf]) == (math.inf, 0.0)
