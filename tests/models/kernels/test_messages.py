"""What nodes receive, and the way back."""

import math

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from neuralexec.models.kernels import Form
from neuralexec.models.kernels.stepwise import messages
from tests.models.kernels.cases import GRAPHS, message_parts, numbers
from tests.models.kernels.implementations import (
    REFERENCE,
    compare,
    every_other,
    every_reduce,
    every_size,
    everywhere,
    on,
    one_or_three,
)
from tests.models.small_graphs import edges_from, features, uneven

NAN, INFINITY = math.nan, math.inf
every_graph = pytest.mark.parametrize("kind", GRAPHS)
every_relu = pytest.mark.parametrize("relu", [False, True], ids=["plain", "relu"])


def by_loops(receivers, senders, edge, edges, reduce, relu) -> Tensor:
    share = edges.num_nodes // len(edge)
    found = []
    for i in range(edges.num_nodes):
        into = [
            receivers[i] + senders[edges.senders[e]] + edges.weights[e] * edge[i // share]
            for e in range(edges.num_edges)
            if edges.receivers[e] == i
        ]
        into = [message.relu() if relu else message for message in into]
        if not into:
            found.append(torch.zeros_like(receivers[i]))
        elif reduce == "max":
            found.append(torch.stack(into).amax(0))
        else:
            found.append(sum(into) / (len(into) if reduce == "mean" else 1))
    return torch.stack(found)


@everywhere
@every_reduce
@every_relu
@every_graph
@one_or_three
def test_messages_are_as_by_loops(kernels, device, reduce, relu, kind, replicas):
    parts = message_parts(kind, 3, replicas)
    form = Form(reduce, False, relu, False)
    found, _ = messages(kernels, *on(device, parts), form, training=False)
    assert_close(found.cpu(), by_loops(*parts, reduce, relu))


@everywhere
@every_reduce
def test_of_no_messages_even_the_largest_is_zero(kernels, device, reduce):
    """Node 0 hears nothing."""
    given = (features(uneven(), seed=1), features(uneven(), seed=2), torch.ones(1, 5), uneven())
    form = Form(reduce, False, False, False)
    found, chosen = messages(kernels, *on(device, given), form, training=True)
    assert found[0].tolist() == [0] * 5
    if reduce == "max":
        assert chosen[0].tolist() == [-1] * 5


# ---- the largest


@every_other
@every_size
@every_graph
@one_or_three
def test_the_largest_is_the_reference_s_to_the_last_bit(kernels, device, size, kind, replicas):
    parts = message_parts(kind, size, replicas)
    out, chosen = compare(kernels, device, "largest", *parts, keep_chosen=True, exact=True)
    compare(kernels, device, "largest", *parts, keep_chosen=False, exact=True)
    grad = numbers(*out.shape, seed=9)
    edges = parts[-1]
    given = [on(device, part) for part in (grad, chosen, edges)]
    to_senders, to_edge = kernels.largest_backward(*given, replicas)
    expected, expected_edge = REFERENCE.largest_backward(grad, chosen, edges, replicas)
    if device == "cpu":
        assert torch.equal(to_senders, expected)
        assert torch.equal(to_edge.float(), expected_edge.float())
    assert to_edge.dtype == torch.float64
    assert_close(to_senders.cpu(), expected)
    assert_close(to_edge.cpu(), expected_edge)


@everywhere
@every_graph
@one_or_three
def test_receivers_need_not_add_anything(kernels, device, kind, replicas):
    receivers, *others = message_parts(kind, 5, replicas)
    given = on(device, tuple(others))
    found, _ = kernels.largest(None, *given, keep_chosen=False)
    zero = torch.zeros_like(receivers, device=device)
    expected, _ = kernels.largest(zero, *given, keep_chosen=False)
    assert torch.equal(found, expected)


@everywhere
@every_graph
@one_or_three
def test_the_edge_chosen_is_the_first_that_attains_the_largest(kernels, device, kind, replicas):
    receivers, senders, edge, edges = message_parts(kind, 5, replicas)
    out, chosen = kernels.largest(*on(device, (receivers, senders, edge, edges)), keep_chosen=True)
    out, chosen = out.cpu(), chosen.cpu()
    assert chosen.dtype == torch.int32
    share = edges.num_nodes // replicas
    for i in range(edges.num_nodes):
        start, end = edges.offsets[i : i + 2].tolist()
        own = senders[edges.senders[start:end]]
        own = own + edges.weights[start:end, None] * edge[i // share]
        for k in range(5):
            first = own[:, k].tolist().index(own[:, k].max()) if end > start else -1 - start
            assert chosen[i, k] == start + first


@everywhere
def test_of_a_tie_the_first_gets_all_of_the_gradient(kernels, device):
    """Two senders offer node 2 the same."""
    edges = edges_from([3], [(0, 2, 1.0), (1, 2, 1.0)])
    zero = torch.zeros(3, 1)
    given = on(device, (zero, torch.ones(3, 1), zero[:1], edges))
    _, chosen = kernels.largest(*given, keep_chosen=True)
    assert chosen.flatten().tolist() == [-1, -1, 0]
    grad = torch.tensor([[5.0], [6.0], [7.0]])
    to_senders, to_edge = kernels.largest_backward(*on(device, (grad, chosen)), given[-1], 1)
    assert to_senders.flatten().tolist() == [7, 0, 0]
    assert to_edge.tolist() == [[7]]


@everywhere
@pytest.mark.parametrize(
    ("offers", "best"),
    [
        ([1.0, NAN, 2.0], 1),
        ([NAN, 1.0, 2.0], 0),
        ([1.0, INFINITY, NAN], 2),
        ([1.0, NAN, NAN], 1),
        ([NAN, 3.0, NAN], 0),
        ([-INFINITY, -INFINITY, -INFINITY], 0),
    ],
    ids=["nan", "nan-first", "nan-above-infinity", "two-nans", "nans-around", "all-lowest"],
)
def test_what_is_not_a_number_is_the_largest_message(kernels, device, offers, best):
    edges = edges_from([3], [(j, 0, 1.0) for j in range(3)])
    zero = torch.zeros(3, 1)
    given = on(device, (zero, torch.tensor(offers)[:, None], zero[:1], edges))
    out, chosen = kernels.largest(*given, keep_chosen=True)
    assert_close(out.cpu()[0, 0], torch.tensor(offers[best]), equal_nan=True)
    assert chosen[0, 0] == best
    plain, _ = kernels.largest(*given, keep_chosen=False)
    assert_close(plain, out, equal_nan=True)


# ---- the sum


@every_other
@every_size
@every_graph
@one_or_three
@every_relu
def test_the_sum_is_the_reference_s(kernels, device, size, kind, replicas, relu):
    parts = message_parts(kind, size, replicas)
    out = compare(kernels, device, "total", *parts, relu=relu)
    grad = numbers(*out.shape, seed=9)
    compare(kernels, device, "total_backward", grad, *parts, relu=relu)


@everywhere
def test_a_message_below_zero_adds_nothing_and_learns_nothing_through_a_relu(kernels, device):
    """Into node 0: 2 - 3 from 0, and 2 + 4 from 1."""
    edges = edges_from([2], [(0, 0, 1.0), (1, 0, 1.0)])
    receivers = torch.tensor([[2.0], [0.0]])
    senders = torch.tensor([[-3.0], [4.0]])
    parts = on(device, (receivers, senders, torch.zeros(1, 1), edges))
    assert kernels.total(*parts, relu=True).tolist() == [[6], [0]]
    assert kernels.total(*parts, relu=False).tolist() == [[5], [0]]
    grad = torch.tensor([[10.0], [20.0]], device=device)
    to_receivers, to_senders, to_edge = kernels.total_backward(grad, *parts, relu=True)
    assert to_receivers.tolist() == [[10], [0]]
    assert to_senders.tolist() == [[0], [10]]
    assert to_edge.tolist() == [[10]]


@everywhere
def test_a_message_of_exactly_zero_has_no_gradient(kernels, device):
    edges = edges_from([1], [(0, 0, 1.0)])
    zero = torch.zeros(1, 1)
    parts = on(device, (zero, zero, zero, edges))
    for part in kernels.total_backward(torch.ones(1, 1, device=device), *parts, relu=True):
        assert part.tolist() == [[0]]


@everywhere
@every_relu
def test_a_message_that_is_not_a_number_is_not_hidden(kernels, device, relu):
    edges = edges_from([2], [(0, 0, 1.0), (1, 0, 1.0)])
    senders = torch.tensor([[NAN], [4.0]])
    zero = torch.zeros(2, 1)
    parts = on(device, (zero, senders, zero[:1], edges))
    assert kernels.total(*parts, relu=relu)[0].isnan().all()
