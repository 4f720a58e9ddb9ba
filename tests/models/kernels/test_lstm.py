"""Compiled lists against torch's own LSTM in double precision, one graph after the other."""

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

pytest.importorskip("numba")

from neuralexec.batches import Edges
from neuralexec.models.kernels import lstm
from neuralexec.models.kernels.lstm import ListReader, read_lists
from tests.models.kernels.cases import numbers
from tests.models.kernels.implementations import one_or_three
from tests.models.small_graphs import as_many_each, edges_from, edges_of, features, three_problems

every_size = pytest.mark.parametrize("size", [1, 3, 5, 8, 32])


def graphs(replicas: int) -> Edges:
    """Lists of different lengths, of one token too; replicas do not have as many edges."""
    return edges_of(as_many_each() if replicas > 1 else three_problems())


def parameters(size: int, replicas: int = 1) -> ListReader:
    return ListReader(
        numbers(replicas, 4 * size, 2 * size + 1, seed=1) / size**0.5,
        numbers(replicas, 4 * size, size, seed=2) / size**0.5,
        numbers(replicas, 4 * size, seed=3),
        numbers(replicas, 4 * size, seed=4),
    )


def by_torch(encoded: Tensor, edges: Edges, reader: ListReader) -> Tensor:
    tokens = torch.cat(
        (encoded[edges.receivers], encoded[edges.senders], edges.weights[:, None].double()), dim=1
    )
    model, size = nn.LSTM(tokens.shape[1], encoded.shape[1]).double(), encoded.shape[1]
    names = [name for name, _ in model.named_parameters()]
    assert names == ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"]
    outputs = []
    for graph, own in enumerate(tokens.split(edges.sizes[1].tolist())):
        replica = graph * len(reader.recurrent) // edges.num_graphs
        own_weights = {name: part[replica] for name, part in zip(names, reader, strict=True)}
        outputs.append(torch.func.functional_call(model, own_weights, (own,))[0])
    assert outputs[0].shape[1] == size
    return torch.cat(outputs)[edges.senders == edges.receivers]


def there_and_back(read, encoded, edges, reader, grad) -> list[Tensor]:
    leaves = [part.detach().clone().requires_grad_() for part in (encoded, *reader)]
    out = read(leaves[0], edges, ListReader(*leaves[1:]))
    return [out.detach(), *torch.autograd.grad(out, leaves, grad.to(out.dtype))]


def check(found: list[Tensor], expected: list[Tensor]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == torch.float32
        assert_close(one.double(), other, rtol=2e-6, atol=2e-6 * max(other.abs().max().item(), 1))


def compare(encoded: Tensor, edges: Edges, reader: ListReader) -> None:
    grad = numbers(*encoded.shape, seed=9)
    exact = ListReader(*(part.double() for part in reader))
    check(
        there_and_back(read_lists, encoded, edges, reader, grad),
        there_and_back(by_torch, encoded.double(), edges, exact, grad),
    )


@every_size
@one_or_three
def test_values_and_gradients_are_those_of_torchs_lstm(size, replicas):
    edges = graphs(replicas)
    compare(features(edges, latent=size), edges, parameters(size, replicas))


@pytest.mark.parametrize("large", [10, 1e3, 1e30])
def test_gates_may_be_wide_open_or_shut(large):
    edges = graphs(1)
    encoded, reader = large * features(edges), parameters(5)
    with torch.no_grad():
        exact = ListReader(*(part.double() for part in reader))
        expected = by_torch(encoded.double(), edges, exact)
        assert_close(read_lists(encoded, edges, reader).double(), expected, rtol=1e-5, atol=1e-6)


def test_lists_of_one_token():
    alone = edges_from([1, 1, 1], [(node, node, 0.3 + node) for node in range(3)])
    compare(features(alone), alone, parameters(5, 3))


def test_a_long_list():
    """Rounding does not grow with its length."""
    chain = range(300)
    arcs = [(j, i, 0.01 * ((7 * i + j) % 90)) for i in chain for j in chain if abs(i - j) < 2]
    edges = edges_from([300], arcs)
    compare(features(edges), edges, parameters(5))


def test_parameters_may_be_parts_of_larger_arrays():
    """As those of trainings that run together are."""
    edges, reader = graphs(3), parameters(5, 3)
    apart = ListReader(*(torch.stack((part, 0 * part), dim=1)[:, 0] for part in reader))
    assert not any(part.is_contiguous() for part in apart)
    encoded, grad = features(edges), numbers(edges.num_nodes, 5, seed=9)
    turned = encoded.T.contiguous().T
    assert not turned.is_contiguous()
    expected = there_and_back(read_lists, encoded, edges, reader, grad)
    assert torch.equal(read_lists(turned, edges, apart), expected[0])
    leaves = [part.requires_grad_() for part in (turned, *apart)]
    out = read_lists(leaves[0], edges, ListReader(*leaves[1:]))
    found = torch.autograd.grad(out, leaves, grad.T.contiguous().T)
    for one, other in zip(found, expected[1:], strict=True):
        assert torch.equal(one, other)


def test_without_gradients_the_same_comes_out_and_nothing_is_kept():
    edges, reader = graphs(3), parameters(5, 3)
    encoded = features(edges).requires_grad_()
    with torch.no_grad():
        found = read_lists(encoded, edges, reader)
    assert not found.requires_grad
    assert torch.equal(found, read_lists(encoded, edges, reader).detach())
    _, kept = lstm._read(encoded, edges, reader, training=False)
    assert [part.numel() for part in kept] == [0] * 4


def test_going_back_twice_finds_the_same():
    edges, reader = graphs(1), parameters(5)
    encoded = features(edges).requires_grad_()
    total = read_lists(encoded, edges, reader).square().sum()
    first, second = (torch.autograd.grad(total, encoded, retain_graph=True)[0] for _ in range(2))
    assert torch.equal(first, second)


def test_what_is_not_a_number_stays_in_its_graph():
    edges, reader = graphs(1), parameters(5)
    encoded = features(edges)
    expected = read_lists(encoded, edges, reader)
    first, second = edges.node_offsets[1:3].tolist()
    encoded[first] = torch.nan
    found = read_lists(encoded, edges, reader)
    assert found[first:second].isnan().all()
    assert torch.equal(found[:first], expected[:first])
    assert torch.equal(found[second:], expected[second:])


@pytest.mark.parametrize("self_edges", [[], [(0, 0, 0.5), (0, 0, 0.6)]], ids=["none", "two"])
def test_every_node_has_one_self_edge(self_edges):
    edges = edges_from([2], [*self_edges, (0, 1, 0.5), (1, 0, 0.5), (1, 1, 0.5)])
    with pytest.raises(ValueError, match="exactly one self-edge"):
        read_lists(features(edges), edges, parameters(5))
