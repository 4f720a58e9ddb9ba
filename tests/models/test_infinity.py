import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from neuralexec.models.infinity import MARGIN, readable, restored
from tests.models.small_graphs import edges_from

INFINITY = math.inf
HEAVIEST = 1.0  # of the weights that networks are trained on

distances = st.one_of(st.just(INFINITY), st.floats(0, 100, width=32))


def test_infinity_reads_as_the_largest_so_far_and_a_margin():
    """Three graphs: each has its own largest; where nothing is finite, that is 0."""
    edges = edges_from([3, 2, 1], [])
    values = torch.tensor([0.0, 1.5, INFINITY, INFINITY, 7.0, INFINITY])
    found, stand_in = readable(values, edges)
    assert found.tolist() == [0, 1.5, 1.5 + MARGIN, 7 + MARGIN, 7, MARGIN]
    assert stand_in.tolist() == [1.5 + MARGIN] * 3 + [7 + MARGIN] * 2 + [MARGIN]


@pytest.mark.parametrize(
    ("before", "predicted", "after"),
    [
        (INFINITY, 5.0, INFINITY),
        (INFINITY, 4.6, INFINITY),
        (INFINITY, 6.0, INFINITY),
        (INFINITY, 4.0, 4.0),
        (INFINITY, 0.3, 0.3),
        (4.0, 5.0, 5.0),
        (2.0, 1.0, 1.0),
    ],
    ids=["exact", "near", "above", "reached", "low", "finite-stays-finite", "improved"],
)
def test_what_comes_out_near_the_stand_in_is_infinite_still(before, predicted, after):
    """The largest was 3, so that 5 stands in for infinity."""
    found = restored(torch.tensor([predicted]), torch.tensor([before]), torch.tensor([5.0]))
    assert_close(found, torch.tensor([after]))


@given(st.lists(st.lists(distances, min_size=1, max_size=6), min_size=1, max_size=4))
@settings(deadline=None, max_examples=50)
def test_what_is_read_is_finite_and_comes_back(graphs):
    edges = edges_from([len(graph) for graph in graphs], [])
    values = torch.tensor(np.concatenate(graphs), dtype=torch.float32)
    found, stand_in = readable(values, edges)
    assert torch.isfinite(found).all()
    assert torch.equal(restored(found, values, stand_in), values)


@given(st.lists(distances, min_size=2, max_size=6), st.floats(0, HEAVIEST, width=32))
@settings(deadline=None, max_examples=50)
def test_a_node_just_reached_is_not_taken_for_infinite(graph, weight):
    """One edge beyond the furthest node so far."""
    values = torch.tensor([*graph, INFINITY], dtype=torch.float32)
    _, stand_in = readable(values, edges_from([len(values)], []))
    finite = values[values.isfinite()]
    reached = (finite.max() if len(finite) else torch.tensor(0.0)) + weight
    assert restored(reached[None], values[-1:], stand_in[-1:]).isfinite().all()


def test_only_what_is_within_half_of_the_stand_in_is_infinite_still():
    """A node just reached is at least 1 below it: no weight is above 1."""
    before = torch.full((4,), torch.inf)
    stand_in = torch.full((4,), 7.0)
    found = restored(torch.tensor([6.0, 6.45, 6.55, 7.2]), before, stand_in)
    assert found.tolist() == pytest.approx([6.0, 6.45, torch.inf, torch.inf])
