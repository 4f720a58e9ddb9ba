"""Messages along edges that are taken away by degrees."""

import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck
from torch.testing import assert_close

from neuralexec.batches import Edges
from neuralexec.models.kernels import Form
from neuralexec.models.kernels.gated import gated_messages
from neuralexec.models.kernels.stepwise import messages
from tests.models.kernels.cases import message_parts
from tests.models.kernels.implementations import REFERENCE, every_reduce
from tests.models.small_graphs import features, uneven

every_relu = pytest.mark.parametrize("relu", [False, True], ids=["plain", "relu"])


def parts_of(edges: Edges) -> tuple[Tensor, Tensor, Tensor]:
    """Random parts of a receiver, a sender and an edge; no two messages are alike."""
    receivers, senders, edge = (features(edges, seed=seed, latent=3) for seed in (1, 2, 3))
    return receivers, senders, edge[:1]


def by_loops(receivers, senders, edge, edges, reduce, relu, gate) -> Tensor:
    rows = []
    for i in range(edges.num_nodes):
        into = [e for e in range(edges.num_edges) if edges.receivers[e] == i and gate[e] > 0]
        own = [receivers[i] + senders[edges.senders[e]] + edges.weights[e] * edge[0] for e in into]
        shares = [gate[e] for e in into]
        if not into:
            rows.append(torch.zeros_like(receivers[i]))
        elif reduce == "max":
            least = torch.stack(own).amin(0)
            left = [least + share * (one - least) for share, one in zip(shares, own, strict=True)]
            largest = torch.stack(left).amax(0)
            rows.append(largest.relu() if relu else largest)
        else:
            own = [message.relu() if relu else message for message in own]
            total = sum(share * message for share, message in zip(shares, own, strict=True))
            rows.append(total / sum(shares) if reduce == "mean" else total)
    return torch.stack(rows)


@every_reduce
@every_relu
@pytest.mark.parametrize("kind", ["some", "dense", "tied", "no-edges"])
def test_open_gates_change_nothing(reduce, relu, kind):
    parts = message_parts(kind, 3)
    gate = torch.ones(parts[-1].num_edges)
    plain, _ = messages(REFERENCE, *parts, Form(reduce, False, relu, False), training=False)
    assert_close(gated_messages(*parts, gate, reduce=reduce, relu=relu), plain)


@every_reduce
@every_relu
def test_an_edge_whose_gate_is_shut_is_not_there(reduce, relu):
    """Of 0 -> 1 and 2 -> 1 only the first is left."""
    parts, gate = parts_of(uneven()), torch.tensor([1.0, 0.0, 1.0, 1.0, 1.0])
    found = gated_messages(*parts, uneven(), gate, reduce=reduce, relu=relu)
    assert_close(found, by_loops(*parts, uneven(), reduce, relu, gate))


@every_reduce
@every_relu
def test_a_node_whose_gates_are_all_shut_is_a_node_without_edges(reduce, relu):
    parts, gate = parts_of(uneven()), torch.tensor([0.0, 0.0, 1.0, 1.0, 1.0])
    found = gated_messages(*parts, uneven(), gate, reduce=reduce, relu=relu)
    assert found[1].tolist() == [0, 0, 0]


@every_reduce
@every_relu
def test_a_gate_half_open_halves_the_share_of_its_message(reduce, relu):
    """Of a maximum: what it sends beyond the least that any edge into the node does."""
    parts, gate = parts_of(uneven()), torch.tensor([1.0, 0.5, 1.0, 1.0, 1.0])
    found = gated_messages(*parts, uneven(), gate, reduce=reduce, relu=relu)
    assert_close(found, by_loops(*parts, uneven(), reduce, relu, gate))


@every_relu
def test_edges_that_are_all_but_shut_send_the_least_of_their_messages(relu):
    parts, gate = parts_of(uneven()), torch.tensor([1e-30, 1e-30, 1.0, 1.0, 1.0])
    receivers, senders, edge = parts
    both = [receivers[1] + senders[j] + weight * edge[0] for j, weight in ((0, 0.4), (2, 0.8))]
    least = torch.minimum(*both)
    found = gated_messages(*parts, uneven(), gate, reduce="max", relu=relu)
    assert_close(found[1], least.relu() if relu else least)


@every_relu
def test_the_least_is_of_the_edges_that_are_there(relu):
    """With 0 -> 1 shut, 2 -> 1 is all there is, however far open."""
    parts = parts_of(uneven())
    half, whole = (
        gated_messages(
            *parts, uneven(), torch.tensor([0.0, gate, 1.0, 1.0, 1.0]), reduce="max", relu=relu
        )
        for gate in (0.5, 1.0)
    )
    assert_close(half, whole)


@every_reduce
@every_relu
def test_gradients_of_gated_messages(reduce, relu):
    edges = uneven(torch.float64)
    gate = torch.linspace(0.3, 0.9, edges.num_edges, dtype=torch.float64)
    given = [part.requires_grad_() for part in (*parts_of(edges), gate)]

    def run(receivers, senders, edge, gate):
        return gated_messages(receivers, senders, edge, edges, gate, reduce=reduce, relu=relu)

    assert gradcheck(run, given)


@every_reduce
@every_relu
def test_gates_that_are_all_shut_have_finite_gradients(reduce, relu):
    gate = torch.tensor([0.0, 0.0, 1.0, 1.0, 1.0], requires_grad=True)
    found = gated_messages(*parts_of(uneven()), uneven(), gate, reduce=reduce, relu=relu)
    found.sum().backward()
    assert torch.isfinite(gate.grad).all()
