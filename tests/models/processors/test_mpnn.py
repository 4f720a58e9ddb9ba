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
from tests.models.small_graphs import LATENT, edges_of, features, kite, many_problems, uneven

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
