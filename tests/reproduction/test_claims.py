"""Sentences of the paper, held against cells."""

from dataclasses import replace

import pytest

from neuralexec.graphs.families import families
from neuralexec.reports.paper import PAPER
from neuralexec.reproduction.claims import claims_of
from tests.reports.fake_results import cell_of


def as_in_the_paper():
    return [
        cell_of(
            [cell.value],
            table=cell.table,
            row=cell.row,
            preset="paper",
            column=cell.column,
            metric=cell.metric,
            train_family=cell.train_family,
            test_family=cell.test_family,
            paper=cell.value,
        )
        for cell in PAPER
    ]


def test_the_papers_own_numbers_bear_it_out():
    claims = list(claims_of(as_in_the_paper()))
    assert len(claims) == 16
    assert {claim.title for claim in claims if not claim.holds} == set()


def test_every_claim_can_fail():
    """The same rows with errors for accuracies: what was better is worse."""
    turned = [
        replace(cell, mean=100 - cell.mean, values=(100 - cell.mean,), paper=None)
        for cell in as_in_the_paper()
        if not cell.is_error
    ]
    claims = list(claims_of(turned))
    assert len(claims) == 16
    assert {claim.title for claim in claims if claim.holds} == set()


@pytest.mark.parametrize("changes", [{"preset": "best"}, {"graphs": 50}, {"column": "50 nodes"}])
def test_only_networks_trained_and_tested_as_in_the_paper_count(changes):
    assert list(claims_of([replace(one, **changes) for one in as_in_the_paper_table(2)])) == []


def as_in_the_paper_table(number):
    return [
        replace(cell, paper=None)
        for cell in as_in_the_paper()
        if cell.table == f"table{number}" and cell.column == "100 nodes"
    ]


def test_without_cells_nothing_is_claimed():
    assert list(claims_of([])) == []
    some = [one for one in as_in_the_paper_table(2) if one.row in ("MPNN-max", "LSTM")]
    [claim] = claims_of(some)
    assert claim.title == "MPNN-max finds better shortest paths than LSTM"
    assert claim.text == "MPNN-max 88.79, LSTM 27.31 (last-step accuracy)"


def test_the_sentence_on_families_has_both_kinds_of_graphs():
    metric = "predecessor last-step accuracy"
    numbers = {
        ("tree", True): 90.0,
        ("tree", False): 50.0,
        ("erdos-renyi", True): 60.0,
        ("erdos-renyi", False): 80.0,
    }
    cells = [
        cell_of(
            [numbers[trained, family in ("ladder", "grid", "tree")]],
            table="table5",
            row="MPNN-max",
            preset="paper",
            metric=metric,
            train_family=trained,
            test_family=family,
        )
        for trained in ("tree", "erdos-renyi")
        for family in families()
    ]
    [claim] = claims_of(cells)
    assert claim.holds
    assert claim.text == (
        "predecessors at the last step, trained on trees 90.00 on ladders, grids and trees and "
        "50.00 on the others; trained on Erdős–Rényi graphs 60.00 and 80.00"
    )


def test_what_reachability_alone_comes_to_is_added_where_it_is_known():
    cells = [one for one in as_in_the_paper() if "MPNN-max" in one.row]
    alone = cell_of([97.5], row="MPNN-max (BFS alone)", preset="paper")
    title = "Knowing reachability makes shortest paths easier (Appendix B)"
    without, beside = (
        {claim.title: claim.text for claim in claims_of(given)}[title]
        for given in (cells, [*cells, alone])
    )
    assert without == (
        "predecessors at the last step 88.79 with reachability learnt beside them, 81.06 without"
    )
    assert beside == f"{without}; reachability 99.80 beside shortest paths, 97.50 alone"
