"""Encoder, decoders and termination against their literal form: a linear map of a concatenation."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from neuralexec import InputError, Kind, Signal, Task, find_algorithm, find_task
from neuralexec.models.heads import (
    DECODERS,
    FEATURES,
    EdgeScorer,
    Encoder,
    Heads,
    NodeReadout,
    Termination,
)
from neuralexec.models.scope import scope_of
from tests.algorithms.endless import counting
from tests.models.small_graphs import LATENT, features, kite, uneven


def literal(ours: nn.Module) -> nn.Linear:
    """torch's linear map of the whole concatenation, with the same weights."""
    size, inputs = ours.weight.shape
    theirs = nn.Linear(inputs, size, bias=ours.bias is not None)
    theirs.load_state_dict(ours.state_dict())
    return theirs


def heads_for(name: str, **options) -> Heads:
    task = find_task(name)
    settings = {
        "recurrent": True,
        "encoder_relu": False,
        "scorer": "mlp",
        "readout": "mean",
        **options,
    }
    return Heads(task, scope_of(task), LATENT, **settings)


def ends(latent, edges) -> torch.Tensor:
    """(h_i, h_j, e_ij) of every edge."""
    return torch.cat(
        (latent[edges.receivers], latent[edges.senders], edges.weights[:, None]), dim=1
    )


def test_every_kind_is_covered():
    assert set(FEATURES) == set(DECODERS) == set(Kind)


@pytest.mark.parametrize("relu", [False, True], ids=["plain", "relu"])
def test_the_encoder_reads_signals_and_the_latent_before(relu):
    encoder = Encoder(2, LATENT, recurrent=True, relu=relu)
    signals, latent = features(kite(), seed=1, latent=2), features(kite(), seed=2)
    expected = literal(encoder.linear)(torch.cat((signals, latent), dim=1))
    found = encoder(encoder.read(signals), latent)
    assert_close(found, expected.relu() if relu else expected)


def test_before_the_first_step_the_latent_is_zero():
    encoder = Encoder(2, LATENT, recurrent=True, relu=False)
    read = encoder.read(features(kite(), latent=2))
    assert_close(encoder(read, None), encoder(read, torch.zeros(4, LATENT)))


def test_without_recurrence_the_latent_is_not_read():
    encoder = Encoder(2, LATENT, recurrent=False, relu=False)
    signals = features(kite(), latent=2)
    assert encoder.linear.weight.shape == (LATENT, 2)
    found = encoder(encoder.read(signals), features(kite()))
    assert_close(found, literal(encoder.linear)(signals))


def test_a_node_is_read_from_encoding_and_latent():
    readout = NodeReadout(LATENT, "mlp")
    encoded, latent = features(kite(), seed=1), features(kite(), seed=2)
    expected = literal(readout.linear)(torch.cat((encoded, latent), dim=1)).squeeze(1)
    assert_close(readout(encoded, latent, kite()), expected)


@pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
def test_an_edge_is_scored_from_its_ends_and_weight(scorer):
    module, latent = EdgeScorer(LATENT, scorer), features(uneven())
    expected = torch.zeros(uneven().num_edges)
    if scorer != "mlp":
        expected = expected + literal(module.linear)(ends(latent, uneven())).squeeze(1)
    if scorer != "linear":
        network = nn.Sequential(literal(module.hidden), nn.ReLU(), literal(module.out))
        expected = expected + network(ends(latent, uneven())).squeeze(1)
    assert_close(module(features(uneven(), seed=9), latent, uneven()), expected)
    layers = {"linear": {"linear"}, "mlp": {"hidden", "out"}, "both": {"linear", "hidden", "out"}}
    assert {name.split(".")[0] for name, _ in module.named_parameters()} == layers[scorer]


@pytest.mark.parametrize("readout", ["mean", "min", "max"])
def test_termination_reads_every_node_beside_the_mean_of_its_graph(readout):
    module, latent = Termination(LATENT, readout), features(uneven())
    found = module(latent, uneven())
    assert found.shape == (2,)
    for graph, own in enumerate(latent.split([3, 2])):
        mean = own.mean(0).expand_as(own)
        logits = literal(module.linear)(torch.cat((own, mean), dim=1)).squeeze(1)
        expected = {"mean": logits.mean(), "min": logits.min(), "max": logits.max()}[readout]
        assert_close(found[graph], expected)


def test_features_are_the_fed_signals_in_order():
    heads = heads_for("bfs+bellman-ford")
    signals = {
        "distance": torch.tensor([0.0, 1.5, 2.0, 9.0]),
        "reachable": torch.tensor([True, True, False, False]),
        "predecessor": torch.zeros(4, dtype=torch.int32),
    }
    found = heads.features(signals, kite())
    assert found.tolist() == [[1, 0], [1, 1.5], [0, 2], [0, 9]]
    assert found.dtype == torch.float32


def test_a_signal_that_is_not_there_is_fed_as_zeros():
    reachable = torch.tensor([True, True, False, False])
    found = heads_for("bfs+bellman-ford").features({"reachable": reachable}, kite())
    assert found.tolist() == [[1, 0], [1, 0], [0, 0], [0, 0]]


def test_a_choice_is_fed_as_the_node_chosen():
    """In the first graph node 2, in the second none."""
    found = FEATURES[Kind.CHOICE](torch.tensor([2, -1]), uneven())
    assert found.tolist() == [False, False, True, False, False]


def test_a_pointer_cannot_be_fed():
    pointing = counting(
        signals={"origin": Signal(Kind.POINTER, "where it came from", fed_back=True)}
    )
    task = Task((pointing,))
    heads = Heads(
        task,
        scope_of(task),
        LATENT,
        recurrent=True,
        encoder_relu=False,
        scorer="mlp",
        readout="mean",
    )
    with pytest.raises(InputError, match="POINTER"):
        heads.features({"origin": torch.zeros(4, dtype=torch.int32)}, kite())


def test_every_predicted_signal_is_decoded_or_those_asked_for():
    heads, edges = heads_for("dijkstra"), kite()
    encoded, latent = features(edges, seed=1), features(edges, seed=2)
    decoded = heads.decode(encoded, latent, edges)
    shapes = {name: tuple(values.shape) for name, values in decoded.items()}
    assert shapes == {"distance": (4,), "next": (4,), "predecessor": (edges.num_edges,)}
    some = heads.decode(encoded, latent, edges, only=["next"])
    assert list(some) == ["next"]
    assert torch.equal(some["next"], decoded["next"])
    assert list(find_algorithm("dijkstra").signals) != list(decoded)  # settled is grown, not read
