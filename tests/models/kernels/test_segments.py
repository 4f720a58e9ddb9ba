"""Sums, softmax and the best of segments of items."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from neuralexec.models.kernels import log_softmax, segment_argmax, segment_max, segment_sum, using
from tests.models.kernels.cases import GRAPHS, graph, numbers
from tests.models.kernels.implementations import compare, every_other, everywhere, on
from tests.models.small_graphs import edges_of, features, many_problems

NAN, INFINITY = math.nan, math.inf
every_graph = pytest.mark.parametrize("kind", GRAPHS)
AWKWARD = [NAN, INFINITY, -INFINITY, 0.0, 1.0, 1.0, -1e30]


@everywhere
@given(several=many_problems, scale=st.sampled_from([1.0, 1e4]))
@settings(deadline=None, max_examples=20)
def test_segments_are_as_each_alone(kernels, device, several, scale):
    edges = edges_of(several)
    values = scale * features(edges, latent=1).flatten().double()
    given = on(device, (values, edges.node_offsets))
    with using(kernels):
        logs, sums, highest, best = (
            operation(*given).cpu()
            for operation in (log_softmax, segment_sum, segment_max, segment_argmax)
        )
    sizes = edges.num_nodes_of_graph.tolist()
    parts = zip(values.split(sizes), logs.split(sizes), strict=True)
    for place, (own, softmax) in enumerate(parts):
        assert_close(softmax, own.log_softmax(-1))
        assert_close(sums[place], own.sum(-1))
        assert torch.equal(highest[place], own.amax(-1))
        assert best[place] == edges.node_offsets[place] + own.argmax(-1)


@everywhere
@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ([1.0, 5.0, 2.0, 9.0], [1, -1, 3]),
        ([5.0, 5.0, 5.0, 0.0], [0, -1, 3]),
        ([-7.0, NAN, -9.0, NAN], [0, -1, 3]),
        ([NAN, NAN, NAN, 0.0], [0, -1, 3]),
        ([-INFINITY, -INFINITY, INFINITY, -INFINITY], [2, -1, 3]),
        ([NAN, INFINITY, INFINITY, INFINITY], [1, -1, 3]),
    ],
    ids=["highest", "tie", "nan", "all-nan", "infinite", "nan-and-infinite"],
)
def test_the_first_of_the_highest(kernels, device, scores, best):
    """Three segments: three items, none, one."""
    offsets = torch.tensor([0, 3, 3, 4])
    found = kernels.argmax(*on(device, (torch.tensor(scores), offsets)))
    assert found.tolist() == best
    assert found.dtype == torch.int64


@everywhere
def test_of_nothing_there_is_no_best_and_the_highest_is_lowest(kernels, device):
    none, offsets = torch.empty(0, device=device), torch.tensor([0, 0, 0], device=device)
    with using(kernels):
        assert segment_argmax(none, offsets).tolist() == [-1, -1]
        assert segment_max(none, offsets).tolist() == [-INFINITY, -INFINITY]
        assert segment_sum(none, offsets).tolist() == [0, 0]
        assert log_softmax(none, offsets).tolist() == []
        part = segment_max(torch.tensor([2.0], device=device), torch.tensor([0, 0, 1]).to(device))
        assert part.tolist() == [-INFINITY, 2]


@everywhere
def test_where_nothing_is_possible_every_logarithm_is_lowest(kernels, device):
    scores = torch.tensor([-INFINITY, -INFINITY, 0.0, -INFINITY])
    found = kernels.log_softmax(*on(device, (scores, torch.tensor([0, 2, 4]))))
    assert found.tolist() == [-INFINITY, -INFINITY, 0, -INFINITY]


@every_other
@every_graph
@pytest.mark.parametrize("tied", [False, True], ids=["", "tied"])
def test_segments_are_the_reference_s(kernels, device, kind, tied):
    edges = graph(kind)
    scores = 10 * numbers(edges.num_edges, seed=1, tied=tied)
    offsets = edges.offsets
    compare(kernels, device, "argmax", scores, offsets, exact=True)
    compare(kernels, device, "segment_sum", scores, offsets)
    logs = compare(kernels, device, "log_softmax", scores, offsets, exact=True)
    grad = numbers(edges.num_edges, seed=2)
    compare(kernels, device, "log_softmax_backward", grad, logs, offsets)


@every_other
@given(scores=st.lists(st.sampled_from(AWKWARD), max_size=8), cut=st.integers(0, 8))
@settings(deadline=None, max_examples=60)
def test_awkward_scores_come_to_the_same(kernels, device, scores, cut):
    """Not numbers, infinite, very low or alike."""
    offsets = torch.tensor([0, min(cut, len(scores)), len(scores)])
    compare(kernels, device, "argmax", torch.tensor(scores), offsets, exact=True)
    compare(kernels, device, "log_softmax", torch.tensor(scores), offsets, exact=True)


@everywhere
@pytest.mark.parametrize("place", [0, 2])
def test_the_gradient_of_the_highest_goes_to_the_first(kernels, device, place):
    values = torch.tensor([5.0, 5.0, 7.0, 7.0], device=device, requires_grad=True)
    with using(kernels):
        found = segment_max(values, torch.tensor([0, 2, 4], device=device))
    found[place // 2].backward()
    assert values.grad.nonzero().tolist() == [[place]]
