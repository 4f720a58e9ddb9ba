"""The gate, in [0, 1], takes an edge away by degrees."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from neuralexec import InputError
from neuralexec.models.processors import find_processor, processors
from tests.models.processors.building import FULL, LAYER, built
from tests.models.small_graphs import arcs_of, edges_from, features, kite, one_graph

GATED = [name for name, kind in processors().items() if kind.gates]
UNGATED = [name for name, kind in processors().items() if not kind.gates]
SHARPENED = [(name, "none") for name in GATED if name not in FULL]
SHARPENED += [
    (name, "entropy") for name in GATED if find_processor(name).attends and name not in FULL
]


@pytest.mark.parametrize("name", GATED)
def test_a_gate_that_is_open_changes_nothing(name):
    processor, encoded = built(name), features(kite())
    gated = processor(encoded, kite(), torch.ones(kite().num_edges))
    assert_close(gated.latent, processor(encoded, kite()).latent)


@pytest.mark.parametrize(("name", "sharpening"), SHARPENED)
@given(edges=one_graph, seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=15)
def test_a_gate_that_is_shut_takes_the_edge_away(name, sharpening, edges, seed):
    """Any edges but self-edges, so that some edge is left at every node."""
    drawn = torch.rand(edges.num_edges, generator=torch.Generator().manual_seed(seed)) < 0.5
    stays = drawn | (edges.senders == edges.receivers)
    kept = [arc for arc, stay in zip(arcs_of(edges), stays.tolist(), strict=True) if stay]
    left = edges_from([edges.num_nodes], kept)
    processor, encoded = built(name, sharpening=sharpening), features(edges)
    gated, without = processor(encoded, edges, stays.float()), processor(encoded, left)
    assert_close(gated.latent, without.latent)
    if without.attention is not None:
        assert_close(gated.attention[stays], without.attention)
        assert (gated.attention[~stays] == 0).all()
    if without.penalty is not None:
        assert_close(gated.penalty, without.penalty)


@pytest.mark.parametrize("name", GATED)
def test_a_node_without_open_gates_is_finite(name):
    gate = (kite().receivers != 3).float()
    assert torch.isfinite(built(name)(features(kite()), kite(), gate).latent).all()


@pytest.mark.parametrize("name", GATED)
def test_the_gate_has_gradients(name):
    gate = torch.linspace(0.01, 0.99, kite().num_edges, requires_grad=True)
    built(name)(features(kite()), kite(), gate).latent.square().sum().backward()
    assert torch.isfinite(gate.grad).all()
    assert (gate.grad != 0).any()


@pytest.mark.parametrize("name", GATED)
def test_the_gate_has_finite_gradients_where_it_is_shut(name):
    """A sigmoid far below 0 is 0."""
    gate = (torch.arange(kite().num_edges) != 1).float().requires_grad_()
    built(name)(features(kite()), kite(), gate).latent.square().sum().backward()
    assert torch.isfinite(gate.grad).all()


@pytest.mark.parametrize(("name", "sharpening"), SHARPENED)
def test_a_shut_gate_leaves_the_gradients_of_the_parameters_finite(name, sharpening):
    processor = built(name, sharpening=sharpening)
    gate = (torch.arange(kite().num_edges) != 1).float()
    said = processor(features(kite()), kite(), gate)
    penalty = 0 if said.penalty is None else said.penalty.sum()
    (said.latent.sum() + penalty).backward()
    assert all(torch.isfinite(values.grad).all() for values in processor.parameters())


@pytest.mark.parametrize("name", [*UNGATED, LAYER])
def test_what_has_no_gate_says_so(name):
    processor = built(name)
    assert not find_processor(name).gates
    with pytest.raises(InputError, match="gate"):
        processor(features(kite()), kite(), torch.ones(kite().num_edges))
