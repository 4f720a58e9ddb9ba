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
from tests.models.replicas import stacked
from tests.models.small_graphs import LATENT, edges_from, features, kite, uneven, union


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


def numbers_of(module, encoded, latent) -> list[torch.Tensor]:
    """What a decoder wants of every node, one product each."""
    found = []
    for number in module.numbers():
        own = latent @ number.latent.squeeze(0)
        own = own if number.encoded is None else own + encoded @ number.encoded.squeeze(0)
        found.append(own if number.bias is None else own + number.bias)
    return found


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
    numbers = numbers_of(readout, encoded, latent)
    assert_close(readout(numbers, latent, kite()), expected)


@pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
def test_an_edge_is_scored_from_its_ends_and_weight(scorer):
    module, latent = EdgeScorer(LATENT, scorer), features(uneven())
    expected = torch.zeros(uneven().num_edges)
    if scorer != "mlp":
        expected = expected + literal(module.linear)(ends(latent, uneven())).squeeze(1)
    if scorer != "linear":
        network = nn.Sequential(literal(module.hidden), nn.ReLU(), literal(module.out))
        expected = expected + network(ends(latent, uneven())).squeeze(1)
    numbers = numbers_of(module, features(uneven(), seed=9), latent)
    assert len(numbers) == (0 if scorer == "mlp" else 2)
    assert_close(module(numbers, latent, uneven()), expected)
    layers = {"linear": {"linear"}, "mlp": {"hidden", "out"}, "both": {"linear", "hidden", "out"}}
    assert {name.split(".")[0] for name, _ in module.named_parameters()} == layers[scorer]


@pytest.mark.parametrize("readout", ["mean", "min", "max"])
def test_termination_reads_every_node_beside_the_mean_of_its_graph(readout):
    module, latent = Termination(LATENT, readout), features(uneven())
    found = module(numbers_of(module, features(uneven(), seed=9), latent), uneven())
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
    decoded, termination = heads(encoded, latent, edges)
    assert termination.shape == (1,)
    shapes = {name: tuple(values.shape) for name, values in decoded.items()}
    assert shapes == {"distance": (4,), "next": (4,), "predecessor": (edges.num_edges,)}
    some, nothing = heads(encoded, latent, edges, only=["next"])
    assert list(some) == ["next"]
    assert nothing is None
    assert_close(some["next"], decoded["next"])
    assert heads(encoded, latent, edges, only=[]) == ({}, None)
    assert list(find_algorithm("dijkstra").signals) != list(decoded)  # settled is grown, not read


@pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
@pytest.mark.parametrize("readout", ["mean", "min", "max"])
def test_all_heads_together_say_what_each_says(scorer, readout):
    heads, edges = heads_for("dijkstra", scorer=scorer, readout=readout), uneven()
    encoded, latent = features(edges, seed=1), features(edges, seed=2)
    said = heads(encoded, latent, edges)
    for name, decoder in heads.decoders.items():
        alone = decoder(numbers_of(decoder, encoded, latent), latent, edges)
        assert_close(said.scores[name], alone)
    numbers = numbers_of(heads.termination, encoded, latent)
    assert_close(said.termination, heads.termination(numbers, edges))


@pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
@pytest.mark.parametrize("readout", ["mean", "max"])
def test_heads_of_replicas_say_what_each_says_of_its_graphs(scorer, readout):
    """Each replica has a graph of 3 nodes and one of 2, in its own order."""
    several = [heads_for("dijkstra", scorer=scorer, readout=readout) for _ in range(3)]
    swapped = edges_from([2, 3], [(0, 1, 0.3), (2, 3, 0.1), (4, 2, 0.7), (4, 4, 0.9)])
    graphs = [uneven(), swapped, uneven()]
    own = [(features(one, seed=k), features(one, seed=9 + k)) for k, one in enumerate(graphs)]
    encoded, latent = (torch.cat(parts) for parts in zip(*own, strict=True))
    together = stacked(several)(encoded, latent, union(*graphs))
    alone = [heads(*parts, edges) for heads, parts, edges in zip(several, own, graphs, strict=True)]
    assert_close(together.termination, torch.cat([said.termination for said in alone]))
    for name, scores in together.scores.items():
        assert_close(scores, torch.cat([said.scores[name] for said in alone]))


def test_feedback_is_of_what_is_both_predicted_and_fed():
    heads = heads_for("bfs+bellman-ford")
    back = heads.feedback(["reachable", "distance", "predecessor"])
    assert heads.scope.fed == ("reachable", "distance")
    assert (back.columns, back.bits) == ((0, 1), (True, False))
    encoded, latent = features(kite(), seed=1), features(kite(), seed=2)
    found = encoded @ back.encoded[0].T + latent @ back.latent[0].T + back.bias[0]
    said = heads(encoded, latent, kite()).scores
    assert_close(found, torch.stack([said["reachable"], said["distance"]], dim=1))
    signals = features(kite(), seed=3, latent=2)
    assert_close(signals @ back.read[0].T + back.read_bias[0], heads.encoder.read(signals))
    some = heads.feedback(["distance"])
    assert (some.columns, some.bits) == ((1,), (False,))
    assert_close(some.bias, back.bias[:, 1:])
