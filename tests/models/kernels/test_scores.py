"""Scores of edges, sums by coefficients, and the way back."""

import pytest
import torch
from torch.testing import assert_close

from tests.models.kernels.cases import GRAPHS, graph, message_parts, numbers, scoring
from tests.models.kernels.implementations import (
    compare,
    every_other,
    every_size,
    everywhere,
    on,
    one_or_three,
)
from tests.models.small_graphs import uneven

every_scorer = pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
every_graph = pytest.mark.parametrize("kind", GRAPHS)


@everywhere
@every_scorer
@every_graph
@one_or_three
def test_an_edge_is_scored_as_by_its_formula(kernels, device, scorer, kind, replicas):
    given, edges = scoring(scorer, kind, 5, replicas)
    expected = []
    share = edges.num_nodes // replicas
    ends = zip(edges.senders, edges.receivers, edges.weights, strict=True)
    for sender, receiver, weight in ends:
        r, total = receiver // share, torch.tensor(0.0)
        if scorer != "linear":
            hidden = given.receivers[receiver] + given.senders[sender] + weight * given.edge[r]
            total = total + given.out[r] @ hidden.relu()
        if scorer != "mlp":
            total = total + given.linear_receivers[receiver] + given.linear_senders[sender]
            total = total + weight * given.linear_edge[r]
        expected.append(total)
    found = kernels.score(*on(device, (given, edges)))
    assert_close(found.cpu(), torch.tensor(expected, dtype=torch.float32))


@every_other
@every_scorer
@every_size
@every_graph
@one_or_three
def test_scores_are_the_reference_s_to_the_last_bit(kernels, device, scorer, size, kind, replicas):
    given, edges = scoring(scorer, kind, size, replicas)
    scores = compare(kernels, device, "score", given, edges, exact=True)
    grad = numbers(len(scores), seed=9)
    compare(kernels, device, "score_backward", grad, given, edges, exact=True)


@every_other
@every_graph
def test_the_way_back_is_the_same_where_some_scores_do_not_matter(kernels, device, kind):
    given, edges = scoring("both", kind, 5, 3)
    grad = numbers(edges.num_edges, seed=9).relu()
    compare(kernels, device, "score_backward", grad, given, edges, exact=True)


@everywhere
@pytest.mark.parametrize("size", [1, 2, 3, 5, 6, 7])
def test_a_score_is_added_up_by_halves(kernels, device, size):
    """The second half of the terms onto the first: an order that shows in the last bits."""
    given, edges = scoring("mlp", "dense", size)
    found = kernels.score(*on(device, (given, edges)))
    hidden = given.receivers[edges.receivers] + given.senders[edges.senders]
    terms = (hidden + edges.weights[:, None] * given.edge).relu() * given.out
    while terms.shape[1] > 1:
        half = (terms.shape[1] + 1) // 2
        second = torch.nn.functional.pad(terms[:, half:], (0, 2 * half - terms.shape[1]))
        terms = terms[:, :half] + second
    if device == "cpu":
        assert torch.equal(found, terms[:, 0])
    assert_close(found.cpu(), terms[:, 0])


@everywhere
def test_values_are_summed_by_the_edges_they_come_along(kernels, device):
    """Edges: 0 -> 1, 2 -> 1, 2 -> 2, 4 -> 3, 3 -> 4."""
    values = torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]])
    coefficients = torch.tensor([0.5, 10.0, 1.0, 2.0, -1.0])
    found = kernels.weighted_sum(*on(device, (coefficients, values, uneven())))
    assert found.squeeze().tolist() == [0, 30.5, 3, 10, -4]


@every_other
@every_size
@every_graph
def test_sums_by_coefficients_are_the_reference_s(kernels, device, size, kind):
    edges = graph(kind)
    values, grad, _, _ = message_parts(kind, size)
    coefficients = numbers(edges.num_edges, seed=8)
    compare(kernels, device, "weighted_sum", coefficients, values, edges)
    compare(kernels, device, "weighted_sum_backward", grad, coefficients, values, edges)
