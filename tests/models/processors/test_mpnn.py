"""Message passing against its literal form: a linear map of (z_i, z_j, e_ij) on every edge."""

import pytest
import torch
from hypothesis import given, settings
from torch import nn
from torch.testing import assert_close

from neuralexec.batches import Course
from neuralexec.models.kernels import Form
from neuralexec.models.processors import Unrolls, processors
from tests.models.processors.building import built
from tests.models.replicas import stacked
from tests.models.small_graphs import (
    LATENT,
    edges_of,
    features,
    kite,
    many_problems,
    uneven,
    union,
)

SCATTER = {"mpnn-max": "amax", "mpnn-mean": "mean", "mpnn-sum": "sum"}


def literal(processor, encoded, edges, how: str, *, message_relu: bool) -> torch.Tensor:
    message, update = nn.Linear(2 * LATENT + 1, LATENT), nn.Linear(2 * LATENT, LATENT)
    message.load_state_dict(processor.message.state_dict())
    update.load_state_dict(processor.update.state_dict())
    ends = (encoded[edges.receivers], encoded[edges.senders], edges.weights[:, None])
    messages = message(torch.cat(ends, dim=1))
    messages = messages.relu() if message_relu else messages
    where = edges.receivers.long()[:, None].expand_as(messages)
    received = torch.zeros_like(encoded).scatter_reduce(0, where, messages, how, include_self=False)
    return update(torch.cat((encoded, received), dim=1)).relu()


@pytest.mark.parametrize("name", SCATTER)
@pytest.mark.parametrize("message_relu", [False, True], ids=["plain", "message-relu"])
@given(several=many_problems)
@settings(deadline=None, max_examples=15)
def test_factored_messages_are_the_concatenated_ones(name, message_relu, several):
    edges = edges_of(several)
    encoded, processor = features(edges), built(name, message_relu=message_relu)
    expected = literal(processor, encoded, edges, SCATTER[name], message_relu=message_relu)
    assert_close(processor(encoded, edges).latent, expected)


def test_message_passing_networks_unroll_and_no_others():
    unrolling = {name for name in processors() if isinstance(built(name), Unrolls)}
    assert unrolling == set(SCATTER)


@pytest.mark.parametrize("name", SCATTER)
@pytest.mark.parametrize("replicas", [1, 3])
def test_a_cell_has_a_row_of_parameters_for_each_replica(name, replicas):
    processor = stacked([built(name, seed=seed) for seed in range(replicas)])
    memory = torch.ones(replicas, LATENT, LATENT)
    cell = processor.cell(memory)
    assert {part.shape for part in cell} == {(replicas, LATENT, LATENT), (replicas, LATENT)}
    assert processor.cell().memory is None
    assert built(name).cell(memory[0]).memory.shape == (1, LATENT, LATENT)


@pytest.mark.parametrize("name", SCATTER)
def test_its_form_is_as_it_was_built(name):
    processor = built(name, message_relu=True, update_relu=False)
    reduce = name.removeprefix("mpnn-")
    assert processor.form(encoder_relu=True) == Form(reduce, True, True, False)


@pytest.mark.parametrize("name", SCATTER)
@pytest.mark.parametrize("encoder_relu", [False, True], ids=["plain", "encoder-relu"])
def test_unrolled_it_steps_as_one_by_one(name, encoder_relu):
    """On two graphs, then on the first alone; the second step remembers the first."""
    processor, memory = built(name), features(kite(), seed=7)[:1].T @ torch.ones(1, LATENT)
    course = Course((uneven(), uneven().first(1)))
    read = features(uneven()), features(uneven(), seed=1)[:3]
    first = read[0].relu() if encoder_relu else read[0]
    latent = processor(first, uneven()).latent
    second = read[1] + latent[:3] @ memory.T
    second = second.relu() if encoder_relu else second
    found = processor.unroll(torch.cat(read), course, memory, encoder_relu=encoder_relu)
    assert_close(found[0], torch.cat((first, second)))
    assert_close(found[1], torch.cat((latent, processor(second, uneven().first(1)).latent)))


# ---- blind along a direction


def direction(replicas: int = 1) -> torch.Tensor:
    found = torch.randn(replicas, LATENT, generator=torch.Generator().manual_seed(4))
    return found[0] if replicas == 1 else found


COMMUTING = ["mpnn-max", "mpnn-mean"]
in_turn = pytest.mark.parametrize("gated", [False, True], ids=["", "gated"])


def gate_of(edges, *, gated: bool) -> torch.Tensor | None:
    return torch.linspace(0.3, 1, edges.num_edges) if gated else None


@pytest.mark.parametrize("name", COMMUTING)
@pytest.mark.parametrize("update_relu", [True, False])
@in_turn
def test_a_shift_of_all_nodes_along_the_direction_is_not_seen(name, update_relu, gated):
    processor, encoded = built(name, update_relu=update_relu), features(kite())
    gate = gate_of(kite(), gated=gated)
    moved = encoded + 3 * direction()
    before = processor(encoded, kite(), gate, along=direction()).latent
    assert_close(processor(moved, kite(), gate, along=direction()).latent, before)
    assert before.abs().sum() > 0
    plain = [processor(given, kite(), gate).latent for given in (encoded, moved)]
    assert not torch.allclose(*plain, atol=1e-2)


@pytest.mark.parametrize("name", COMMUTING)
@in_turn
def test_what_is_across_the_direction_is_seen_as_ever(name, gated):
    processor, encoded = built(name), features(kite())
    unit = direction() / direction().norm()
    across = encoded - (encoded @ unit)[:, None] * unit
    gate = gate_of(kite(), gated=gated)
    found = processor(across, kite(), gate, along=direction()).latent
    assert_close(found, processor(across, kite(), gate).latent)


@pytest.mark.parametrize("name", COMMUTING)
def test_the_length_of_the_direction_does_not_count(name):
    processor, encoded = built(name), features(kite())
    found, same = (processor(encoded, kite(), along=k * direction()).latent for k in (1, -7))
    assert_close(found, same)


@pytest.mark.parametrize("name", COMMUTING)
def test_each_replica_is_blind_along_a_direction_of_its_own(name):
    several = [built(name, seed=seed) for seed in range(3)]
    edges, along = union(kite(), kite(), kite()), direction(3)
    encoded = features(edges)
    together = stacked(several)(encoded, edges, along=along).latent
    for processor, own, way, found in zip(
        several, encoded.chunk(3), along, together.chunk(3), strict=True
    ):
        assert_close(found, processor(own, kite(), along=way).latent)


@pytest.mark.parametrize("name", COMMUTING)
def test_unrolled_it_is_blind_at_every_step(name):
    processor, course = built(name), Course((kite(), kite()))
    read = features(kite()), features(kite(), seed=1)
    found = processor.unroll(torch.cat(read), course, None, encoder_relu=False, along=direction())[
        1
    ]
    steps = [processor(own, kite(), along=direction()).latent for own in read]
    assert_close(found, torch.cat(steps))
