"""Numbers as they are printed."""

import math

import pytest

from neuralexec.reports.numbers import shown, shown_paper, shown_spread, shown_values
from tests.reports.fake_results import cell_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (100.0, "100.00"),
        (99.999999, "99.99"),
        (99.98, "99.98"),
        (88.79, "88.79"),
        (0.29, "0.29"),
        (57.99999999999999, "58.00"),
        (0.0, "0.00"),
        (math.nan, "–"),
        (None, "–"),
    ],
)
def test_percentages_are_rounded_down(value, text):
    assert shown(value) == text


def test_two_digits_stay_as_they_are():
    for hundredths in range(10_001):
        assert shown(hundredths / 100) == f"{hundredths / 100:.2f}"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0051249, "0.00512"),
        (0.5, "0.5"),
        (74.361, "74.4"),
        (1234.0, "1230"),
        (0.0, "0"),
        (1.26e-7, "1.26e-07"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "–"),
    ],
)
def test_errors_have_three_digits(value, text):
    assert shown(value, is_error=True) == text


def test_the_paper_keeps_its_digits():
    assert shown_paper(cell_of(paper=88.8)) == "88.80"
    assert shown_paper(cell_of(paper=3.857, metric="mean squared error")) == "3.857"
    assert shown_paper(cell_of(paper=0.005, metric="mean squared error")) == "0.005"
    assert shown_paper(cell_of(paper=math.inf, metric="mean squared error")) == "∞"
    assert shown_paper(cell_of()) == "–"


def test_spread():
    assert shown_spread(cell_of([97.0, 98.0, 99.0])) == " ± 1.00"
    assert shown_spread(cell_of([97.0])) == ""
    assert shown_spread(cell_of([97.0, 97.0])) == " ± 0.00"
    assert shown_spread(cell_of([1.0, math.inf], metric="mean squared error")) == ""
    assert shown_spread(cell_of([1.0, 1.01], metric="mean squared error")) == " ± 0.00707"


def test_values_of_seeds():
    assert shown_values(cell_of([97.001, 99.999])) == "97.00, 99.99"
    assert shown_values(cell_of([0.12345, math.inf], metric="mean squared error")) == "0.123, ∞"
