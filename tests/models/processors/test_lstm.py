import pytest
import torch
from torch import nn
from torch.testing import assert_close

from neuralexec.models.processors import find_processor
from tests.models.processors.building import built
from tests.models.small_graphs import edges_from, features, kite


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
