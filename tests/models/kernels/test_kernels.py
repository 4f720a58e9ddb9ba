"""What every implementation of the kernels must compute."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd import gradcheck
from torch.testing import assert_close

from neuralexec.batches import Edges
from neuralexec.models.kernels import ReferenceKernels, kernels_for
from tests.models.small_graphs import edges_from, edges_of, features, many_problems, uneven

NAN, INFINITY = math.nan, math.inf
EVERY = [ReferenceKernels()]
every_kernels = pytest.mark.parametrize("kernels", EVERY, ids=lambda one: type(one).__name__)
every_reduce = pytest.mark.parametrize("reduce", ["max", "mean", "sum"])
every_relu = pytest.mark.parametrize("relu", [False, True], ids=["plain", "relu"])
every_gate = pytest.mark.parametrize("gated", [False, True], ids=["", "gated"])


def message_parts(edges: Edges, *lead: int) -> tuple[Tensor, Tensor, Tensor]:
    """Random parts of a receiver, a sender and an edge; no two messages are alike."""
    return (
        features(edges, *lead, seed=1, latent=3),
        features(edges, *lead, seed=2, latent=3),
        features(edges, *lead, seed=3, latent=3)[..., :1, :],
    )


def by_loops(receiver, sender, edge, edges, reduce, relu, gate) -> Tensor:
    rows = []
    for i in range(edges.num_nodes):
        into = [e for e in range(edges.num_edges) if edges.receivers[e] == i and gate[e] > 0]
        messages = [receiver[i] + sender[edges.senders[e]] + edges.weights[e] * edge for e in into]
        messages = [message.relu() if relu else message for message in messages]
        shares = [gate[e] for e in into]
        if not into:
            rows.append(torch.zeros_like(receiver[i]))
        elif reduce == "max":
            rows.append(torch.stack(messages).amax(0))
        else:
            total = sum(share * message for share, message in zip(shares, messages, strict=True))
            rows.append(total / sum(shares) if reduce == "mean" else total)
    return torch.stack(rows)


def test_there_are_kernels_for_the_cpu():
    assert type(kernels_for("cpu")) in {type(kernels) for kernels in EVERY}


@every_kernels
@every_reduce
@every_relu
def test_messages_are_as_by_loops_and_nobody_s_are_zero(kernels, reduce, relu):
    """Node 0 hears nothing: of no messages even the largest is 0."""
    receiver, sender, edge = message_parts(uneven())
    found = kernels.pass_messages(receiver, sender, edge, uneven(), reduce=reduce, relu=relu)
    everything = torch.ones(uneven().num_edges)
    assert_close(found, by_loops(receiver, sender, edge[0], uneven(), reduce, relu, everything))
    assert found[0].tolist() == [0, 0, 0]


@every_kernels
@every_reduce
@every_relu
def test_an_edge_whose_gate_is_shut_is_not_there(kernels, reduce, relu):
    parts = message_parts(uneven())
    gate = torch.tensor([1.0, 0.0, 1.0, 1.0, 1.0])  # of 0 -> 1 and 2 -> 1 only the first is left
    found = kernels.pass_messages(*parts, uneven(), reduce=reduce, relu=relu, gate=gate)
    expected = by_loops(*parts[:2], parts[2][0], uneven(), reduce, relu, gate)
    assert_close(found, expected)


@every_kernels
@every_relu
@every_reduce
def test_a_node_whose_gates_are_all_shut_is_a_node_without_edges(kernels, reduce, relu):
    parts = message_parts(uneven())
    gate = torch.tensor([0.0, 0.0, 1.0, 1.0, 1.0])
    found = kernels.pass_messages(*parts, uneven(), reduce=reduce, relu=relu, gate=gate)
    assert found[1].tolist() == [0, 0, 0]


@every_kernels
@pytest.mark.parametrize("reduce", ["mean", "sum"])
def test_a_gate_half_open_halves_the_share_of_its_message(kernels, reduce):
    parts = message_parts(uneven())
    gate = torch.tensor([1.0, 0.5, 1.0, 1.0, 1.0])
    found = kernels.pass_messages(*parts, uneven(), reduce=reduce, relu=False, gate=gate)
    assert_close(found, by_loops(*parts[:2], parts[2][0], uneven(), reduce, False, gate))


@every_kernels
@every_reduce
@every_relu
@every_gate
@pytest.mark.parametrize("lead", [(), (2,)], ids=["", "lead"])
def test_gradients_of_messages(kernels, reduce, relu, gated, lead):
    edges = uneven(torch.float64)
    parts = [part.requires_grad_() for part in message_parts(edges, *lead)]
    gate = torch.linspace(0.3, 0.9, edges.num_edges, dtype=torch.float64, requires_grad=True)

    def run(receiver, sender, edge, gate=None):
        return kernels.pass_messages(
            receiver, sender, edge, edges, reduce=reduce, relu=relu, gate=gate
        )

    assert gradcheck(run, (*parts, gate) if gated else parts)


@every_kernels
@pytest.mark.parametrize("lead", [(), (2,)], ids=["", "lead"])
def test_gradients_of_attention(kernels, lead):
    edges = uneven(torch.float64)
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn((*lead, edges.num_edges), generator=generator, dtype=torch.float64)
    values = features(edges, *lead)
    assert gradcheck(
        lambda scores: kernels.log_softmax(scores, edges.offsets, edges.receivers),
        scores.requires_grad_(),
    )
    assert gradcheck(
        lambda scores, values: kernels.weighted_sum(scores, values, edges),
        (scores, values.requires_grad_()),
    )


@every_kernels
def test_gradients_of_a_tie_are_shared(kernels):
    """Two senders offer node 2 the same; half of the gradient goes to each."""
    edges = edges_from([3], [(0, 2, 1.0), (1, 2, 1.0)])
    sender = torch.ones(3, 1, requires_grad=True)
    zero = torch.zeros(3, 1)
    found = kernels.pass_messages(zero, sender, zero[:1], edges, reduce="max", relu=False)
    found.sum().backward()
    assert sender.grad.squeeze().tolist() == [0.5, 0.5, 0]


@every_kernels
@given(several=many_problems, scale=st.sampled_from([1.0, 1e4]))
@settings(deadline=None, max_examples=20)
def test_segments_are_as_each_alone(kernels, several, scale):
    edges = edges_of(several)
    scores = scale * features(edges, latent=2).T.double()
    found = {
        "softmax": kernels.log_softmax(scores, edges.node_offsets, edges.graph_of_node),
        "sum": kernels.segment_sum(scores, edges.node_offsets),
        "max": kernels.segment_max(scores, edges.node_offsets),
    }
    sizes = edges.num_nodes_of_graph.tolist()
    parts = zip(scores.split(sizes, 1), found["softmax"].split(sizes, 1), strict=True)
    for graph, (own, softmax) in enumerate(parts):
        assert_close(softmax, own.log_softmax(-1))
        assert_close(found["sum"][:, graph], own.sum(-1))
        assert torch.equal(found["max"][:, graph], own.amax(-1))


@every_kernels
def test_values_are_summed_by_the_edges_they_come_along(kernels):
    """Edges: 0 -> 1, 2 -> 1, 2 -> 2, 4 -> 3, 3 -> 4."""
    values = torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]])
    coefficients = torch.tensor([0.5, 10.0, 1.0, 2.0, -1.0])
    found = kernels.weighted_sum(coefficients, values, uneven())
    assert found.squeeze().tolist() == [0, 30.5, 3, 10, -4]


@every_kernels
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
def test_the_first_of_the_highest(kernels, scores, best):
    """Three segments: three items, none, one."""
    offsets, owners = torch.tensor([0, 3, 3, 4]), torch.tensor([0, 0, 0, 2])
    assert kernels.argmax(torch.tensor(scores), offsets, owners).tolist() == best


@every_kernels
def test_the_highest_of_each_of_several(kernels):
    offsets, owners = torch.tensor([0, 2, 3]), torch.tensor([0, 0, 1])
    scores = torch.tensor([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0]])
    assert kernels.argmax(scores, offsets, owners).tolist() == [[1, 2], [0, 2]]
