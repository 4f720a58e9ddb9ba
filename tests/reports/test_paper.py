import math
import subprocess
import sys
from collections import Counter

import pytest

from neuralexec import families
from neuralexec.reports.paper import PAPER, paper_value

MEAN = "mean-step accuracy"
LAST = "last-step accuracy"
REACHABLE_MEAN = "reachability mean-step accuracy"
REACHABLE_LAST = "reachability last-step accuracy"
PREDECESSOR_MEAN = "predecessor mean-step accuracy"
PREDECESSOR_LAST = "predecessor last-step accuracy"
DISTANCE = "mean squared error"
TERMINATION = "termination accuracy"
NEXT = "next accuracy"
TREE = "predecessor accuracy"


def test_every_table_is_complete():
    assert Counter(cell.table for cell in PAPER) == {
        "table1": 6 * 3 * 2,
        "table2": 9 * 3 * 2,
        "table3": 8 * 3 * 2,
        "table4": 6 * 2,
        "table5": 7 * 4 * 2,
        "table6": 7 * 3 * 2 - 3,  # three dashes
        "table8": 3 * 2 * 2,
        "table9": 7 * 2 * 2,
        "appendixE": 2,
    }


@pytest.mark.parametrize(
    ("table", "row", "column", "metric", "value"),
    [
        ("table1", "LSTM", "20 nodes", MEAN, 81.97),
        ("table1", "GAT*", "100 nodes", LAST, 99.97),
        ("table1", "GAT-full*", "50 nodes", MEAN, 85.76),
        ("table1", "MPNN-mean", "100 nodes", LAST, 21.40),
        ("table1", "MPNN-max", "100 nodes", MEAN, 99.92),
        ("table2", "LSTM", "100 nodes", LAST, 27.31),
        ("table2", "MPNN-sum", "50 nodes", MEAN, 54.78),
        ("table2", "MPNN-max", "20 nodes", MEAN, 97.13),
        ("table2", "MPNN-max (curriculum)", "50 nodes", LAST, 88.74),
        ("table2", "MPNN-max (no-reach)", "100 nodes", MEAN, 81.04),
        ("table2", "MPNN-max (no-algo)", "20 nodes", LAST, 95.56),
        ("table3", "LSTM", "20 nodes", DISTANCE, 3.857),
        ("table3", "GAT*", "100 nodes", TERMINATION, 82.16),
        ("table3", "MPNN-sum", "100 nodes", DISTANCE, math.inf),
        ("table3", "MPNN-sum", "100 nodes", TERMINATION, 87.71),
        ("table3", "MPNN-max", "50 nodes", DISTANCE, 0.013),
        ("table3", "MPNN-max (no-reach)", "50 nodes", TERMINATION, 91.77),
        ("table4", "MPNN-max", "20 nodes", LAST, 96.84),
        ("table4", "MPNN-max", "500 nodes", LAST, 76.46),
        ("table4", "MPNN-max", "1500 nodes", MEAN, 74.90),
        ("table6", "LSTM", "50 nodes", NEXT, 3.54),
        ("table6", "MPNN-mean", "20 nodes", TREE, 93.63),
        ("table6", "MPNN-max", "100 nodes", NEXT, 41.37),
        ("table6", "MPNN-max (no-algo)", "100 nodes", TREE, 23.61),
        ("table8", "LSTM", "1000 nodes", REACHABLE_LAST, 72.62),
        ("table8", "GAT*", "1000 nodes", PREDECESSOR_MEAN, 37.53),
        ("table8", "MPNN-max", "1000 nodes", PREDECESSOR_LAST, 96.25),
        ("appendixE", "MPNN-max", "20 nodes", "faultless path explanations", 82.16),
        ("appendixE", "MPNN-max", "20 nodes", "correct predecessor explanations", 93.85),
    ],
)
def test_numbers_copied_by_hand(table, row, column, metric, value):
    assert paper_value(table, row, column, metric) == value


@pytest.mark.parametrize(
    ("table", "train_family", "test_family", "metric", "value"),
    [
        ("table5", "erdos-renyi", "ladder", REACHABLE_MEAN, 93.16),
        ("table5", "tree", "grid", REACHABLE_LAST, 99.32),
        ("table5", "erdos-renyi", "tree", PREDECESSOR_MEAN, 70.16),
        ("table5", "tree", "tree", PREDECESSOR_LAST, 97.33),
        ("table5", "tree", "4-caveman", PREDECESSOR_MEAN, 80.02),
        ("table9", None, "ladder", REACHABLE_LAST, 98.63),
        ("table9", None, "grid", PREDECESSOR_MEAN, 87.90),
        ("table9", None, "erdos-renyi", PREDECESSOR_LAST, 89.65),
        ("table9", None, "barabasi-albert", REACHABLE_MEAN, 100.0),
        ("table9", None, "4-community", PREDECESSOR_LAST, 79.65),
    ],
)
def test_numbers_of_single_families_copied_by_hand(table, train_family, test_family, metric, value):
    found = paper_value(table, "MPNN-max", "100 nodes", metric, test_family, train_family)
    assert found == value


@pytest.mark.parametrize(
    "place",
    [
        ("table6", "MPNN-max (no-algo)", "20 nodes", NEXT),
        ("table9", "MPNN-max", "100 nodes", REACHABLE_MEAN),
        ("table7", "MPNN-max", "100 nodes", REACHABLE_MEAN),
    ],
)
def test_what_the_paper_does_not_report_is_none(place):
    assert paper_value(*place) is None


def test_no_cell_is_given_twice():
    places = Counter(
        (cell.table, cell.row, cell.column, cell.metric, cell.train_family, cell.test_family)
        for cell in PAPER
    )
    assert set(places.values()) == {1}


def test_table_4_begins_with_the_row_of_table_2():
    for cell in PAPER:
        if cell.table == "table4" and cell.column in ("20 nodes", "50 nodes", "100 nodes"):
            assert paper_value("table2", cell.row, cell.column, cell.metric) == cell.value


def test_percentages_are_percentages():
    shares = [cell.value for cell in PAPER if cell.metric != DISTANCE]
    assert all(1 < share <= 100 for share in shares)


def test_every_family_is_one_of_ours():
    tested = {cell.test_family for cell in PAPER if cell.table in ("table5", "table9")}
    assert tested == set(families())
    assert {cell.train_family for cell in PAPER} == {None, "erdos-renyi", "tree"}


def test_the_numbers_need_no_torch():
    script = "import sys, neuralexec.reports.paper; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
