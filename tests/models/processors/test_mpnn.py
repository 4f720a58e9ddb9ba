"""Message passing against its literal form: a linear map of (z_i, z_j, e_ij) on every edge."""

import pytest
import torch
from hypothesis import given, settings
from torch import nn
from torch.testing import assert_close

from tests.models.processors.building import built
from tests.models.small_graphs import LATENT, edges_of, features, many_problems

SCATTER = {"mpnn-max": "amax", "mpnn-mean": "mean", "mpnn-sum": "sum"}


def literal(processor, encoded, edges, how: str, *, message_relu: bool) -> torch.Tensor:
    message, update = nn.Linear(2 * LATENT + 1, LATENT), nn.Linear(2 * LATENT, LATENT)
    message.load_state_dict(processor.message.state_dict())
    update.load_state_dict(processor.update.state_dict())
    ends = (encoded[edges.receivers], encoded[edges.senders], edges.weights[:, None])
    messages = message(torch.cat(ends, dim=1))
    messages = messages.relu() if message_relu else messages
    where = edges.receivers[:, None].expand_as(messages)
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
