"""Our processors against PyTorch Geometric's layers, given the same weights."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from tests.models.processors.building import LAYER, built
from tests.models.small_graphs import LATENT, features, kite

layers = pytest.importorskip("torch_geometric.nn")


class MessagePassing(layers.MessagePassing):
    """The paper's MPNN as a PyTorch Geometric user would write it."""

    def __init__(self, aggr: str) -> None:
        super().__init__(aggr=aggr)
        self.message_map = nn.Linear(2 * LATENT + 1, LATENT)
        self.update_map = nn.Linear(2 * LATENT, LATENT)

    def forward(self, x, edge_index, edge_attr):
        received = self.propagate(edge_index, x=x, edge_attr=edge_attr)
        return self.update_map(torch.cat((x, received), dim=1)).relu()

    def message(self, x_i, x_j, edge_attr):
        return self.message_map(torch.cat((x_i, x_j, edge_attr), dim=1))


def as_pyg(edges) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.stack((edges.senders, edges.receivers)).long(), edges.weights[:, None]


@pytest.mark.parametrize(
    ("name", "aggr"), [("mpnn-max", "max"), ("mpnn-mean", "mean"), ("mpnn-sum", "add")]
)
def test_mpnn_is_a_message_passing_layer(name, aggr):
    processor, layer = built(name), MessagePassing(aggr)
    layer.message_map.load_state_dict(processor.message.state_dict())
    layer.update_map.load_state_dict(processor.update.state_dict())
    encoded = features(kite())
    assert_close(processor(encoded, kite()).latent, layer(encoded, *as_pyg(kite())))


def test_gat_is_gat_conv():
    """GATConv scores an edge by att_edge · (lin_edge e_ij): any pair with our product is ours."""
    processor = built("gat")
    layer = layers.GATConv(LATENT, LATENT, edge_dim=1, add_self_loops=False, bias=False)
    of_receiver, of_sender, of_edge = processor.score.parts()
    with torch.no_grad():
        layer.lin.weight.copy_(processor.values.weight)
        layer.att_dst.copy_(of_receiver[None])
        layer.att_src.copy_(of_sender[None])
        layer.att_edge.copy_(torch.arange(1.0, LATENT + 1))
        layer.lin_edge.weight.copy_(of_edge / layer.att_edge.sum())
    encoded = features(kite())
    expected, (_, coefficients) = layer(encoded, *as_pyg(kite()), return_attention_weights=True)
    said = processor(encoded, kite())
    assert_close(said.latent, expected.relu())
    assert_close(said.attention, coefficients[:, 0])


def test_a_named_layer_is_that_layer():
    processor = built(LAYER)
    encoded = features(kite())
    expected = processor.layer(encoded, *as_pyg(kite())).relu()
    assert isinstance(processor.layer, layers.GATv2Conv)
    assert_close(processor(encoded, kite()).latent, expected)
    assert (processor.layer.edge_dim, processor.layer.add_self_loops) == (1, False)


def test_layers_with_edge_weights_are_given_them():
    processor = built("pyg:GraphConv")
    encoded, (pairs, weights) = features(kite()), as_pyg(kite())
    assert_close(
        processor(encoded, kite()).latent, processor.layer(encoded, pairs, weights[:, 0]).relu()
    )
