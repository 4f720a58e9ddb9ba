from importlib.util import find_spec

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from neuralexec.models.kernels import ReferenceKernels, using
from neuralexec.models.processors import find_processor
from neuralexec.models.processors import lstm as module
from tests.models.processors.building import built
from tests.models.replicas import stacked
from tests.models.small_graphs import as_many_each, edges_from, edges_of, features, kite


def test_a_graph_is_its_list_of_edges():
    """torch's own LSTM, on the 12 edges of the kite; node i is read off at its self-edge."""
    processor, encoded, edges = built("lstm"), features(kite()), kite()
    tokens = torch.cat(
        (encoded[edges.receivers], encoded[edges.senders], edges.weights[:, None]), dim=1
    )
    assert isinstance(processor.lstm, nn.LSTM)
    outputs, _ = processor.lstm(tokens)
    at_self_edges = outputs[(edges.senders == edges.receivers).nonzero().squeeze()]
    assert_close(processor(encoded, edges).latent, at_self_edges)


def test_the_order_of_the_nodes_matters_and_it_says_so():
    both = edges_from([2], [(0, 0, 0.5), (0, 1, 0.5), (1, 0, 0.5), (1, 1, 0.5)])
    encoded, processor = features(both), built("lstm")
    assert not find_processor("lstm").equivariant
    swapped = processor(encoded.flip(0), both).latent.flip(0)
    assert not torch.allclose(swapped, processor(encoded, both).latent)


def test_every_node_needs_its_self_edge():
    edges = edges_from([2], [(0, 1, 0.5), (1, 0, 0.5), (1, 1, 0.5)])
    with pytest.raises(ValueError, match="self-edge"):
        built("lstm")(features(edges), edges)


def test_every_node_needs_its_self_edge_in_plain_torch():
    edges = edges_from([2], [(0, 1, 0.5), (1, 0, 0.5), (1, 1, 0.5)])
    with using(ReferenceKernels()), pytest.raises(ValueError, match="self-edge"):
        built("lstm")(features(edges), edges)


@pytest.mark.parametrize("replicas", [1, 3])
def test_compiled_and_in_plain_torch_it_learns_the_same(replicas):
    """All its parameters have the gradients torch finds for them."""
    edges = edges_of(as_many_each())
    several = [built("lstm", seed=seed) for seed in range(replicas)]
    processor = stacked(several) if replicas > 1 else several[0]
    encoded = features(edges).requires_grad_()
    given = [encoded, *processor.parameters()]

    def run():
        latent = processor(encoded, edges).latent
        return latent.detach(), *torch.autograd.grad(latent.square().sum(), given)

    found = run()
    with using(ReferenceKernels()):
        expected = run()
    assert_close(found, expected)


def test_loops_are_for_single_precision_where_they_can_be_compiled(monkeypatch):
    compiled = []

    def noted(encoded, edges, reader):
        compiled.append(encoded.dtype)
        return encoded

    monkeypatch.setattr(module, "read_lists", noted)
    processor = built("lstm")
    processor(features(kite()), kite())
    assert compiled == [torch.float32] * bool(find_spec("numba"))
    compiled.clear()
    with using(ReferenceKernels()):
        processor(features(kite()), kite())
    exact = kite(torch.float64)
    processor.double()(features(exact), exact)
    assert compiled == []


def test_its_parameters_are_those_of_torchs_lstm():
    """Their names, and what a seed draws: checkpoints depend on both."""
    processor = built("lstm", seed=3)
    torch.manual_seed(3)
    expected = nn.LSTM(2 * 5 + 1, 5, batch_first=True)
    assert [name for name, _ in processor.named_parameters()] == [
        f"lstm.{name}" for name, _ in expected.named_parameters()
    ]
    for found, drawn in zip(processor.parameters(), expected.parameters(), strict=True):
        assert torch.equal(found, drawn)
