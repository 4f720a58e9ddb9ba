"""Better, close or worse; and how many of each."""

import math

import pytest

from neuralexec.reports.comparison import Tally, Verdict, tally, verdict, z_score
from neuralexec.reports.paper import PAPER
from tests.reports.fake_results import cell_of, fake_cells

ERROR = "mean squared error"
AS_GOOD, CLOSE, WORSE = Verdict.AS_GOOD, Verdict.CLOSE, Verdict.WORSE


@pytest.mark.parametrize(
    ("values", "paper", "metric", "expected"),
    [
        ([97.0, 99.0], 97.99, "accuracy", AS_GOOD),
        ([98.0, 98.0], 98.0, "accuracy", AS_GOOD),
        ([97.99999999999999], 98.0, "accuracy", AS_GOOD),
        ([99.999], 100.0, "accuracy", WORSE),
        ([97.0, 99.0], 98.01, "accuracy", CLOSE),
        ([97.0, 98.0, 99.0], 100.0, "accuracy", CLOSE),
        ([97.0, 98.0, 99.0], 100.01, "accuracy", WORSE),
        ([98.0, 98.0], 98.01, "accuracy", WORSE),
        ([0.5], 0.6, ERROR, AS_GOOD),
        ([0.6], 0.6, ERROR, AS_GOOD),
        ([0.6], 0.5, ERROR, WORSE),
        ([0.5, 0.7], 0.5, ERROR, CLOSE),
        ([0.0], 0.005, ERROR, AS_GOOD),
        ([1e9], math.inf, ERROR, AS_GOOD),
        ([math.inf], math.inf, ERROR, AS_GOOD),
        ([math.inf, math.inf], 3.0, ERROR, WORSE),
        ([math.nan], 3.0, ERROR, WORSE),
        ([math.nan], 3.0, "accuracy", WORSE),
        ([50.0], None, "accuracy", Verdict.NO_PAPER),
    ],
)
def test_verdict(values, paper, metric, expected):
    assert verdict(cell_of(values, paper=paper, metric=metric)) is expected


def test_distance_in_standard_deviations():
    assert z_score(cell_of([97.0, 98.0, 99.0], paper=95.0)) == 3.0
    assert z_score(cell_of([97.0, 98.0, 99.0], paper=99.5)) == -1.5
    assert z_score(cell_of([1.0, 2.0, 3.0], paper=1.0, metric=ERROR)) == 1.0


@pytest.mark.parametrize(
    ("values", "paper"),
    [([98.0], 97.0), ([98.0, 98.0], 97.0), ([98.0, 99.0], None), ([1.0, math.inf], 2.0)],
)
def test_no_distance_without_a_spread(values, paper):
    assert z_score(cell_of(values, paper=paper)) is None


def test_no_distance_from_infinity():
    assert z_score(cell_of([1.0, 2.0], paper=math.inf, metric=ERROR)) is None


def test_tally_of_a_table():
    cells = [
        cell_of([97.0, 99.0], paper=97.0, row="a"),
        cell_of([97.0, 99.0], paper=97.5, row="b"),
        cell_of([97.0, 99.0], paper=98.5, row="c"),
        cell_of([98.0], paper=99.0, row="d"),
        cell_of([98.0], row="e"),
        cell_of([98.0], paper=99.0, table="table2"),
    ]
    assert tally(cells, "table1") == Tally(as_good=2, close=1, measured=4, in_paper=36)
    assert tally(cells, "table2") == Tally(as_good=0, close=0, measured=1, in_paper=54)
    assert tally(cells) == Tally(as_good=2, close=1, measured=5, in_paper=len(PAPER))
    assert tally(cells, "ours") == Tally(0, 0, 0, 0)


def test_every_number_of_the_paper_is_counted():
    best = [cell for cell in fake_cells() if cell.preset == "best"]
    assert tally(best).measured == len(PAPER)
