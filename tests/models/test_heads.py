"""Encoder, decoders and termination against their literal form: a linear map of a concatenation."""

import math

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


def sharpen(heads: nn.Module, by: float) -> None:
    """All that can be sharpened, by e to this."""
    for name, values in heads.named_parameters():
        if name.endswith("sharpness"):
            values.data.fill_(by)


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


@pytest.mark.parametrize("readout", ["mean", "min", "max"])
def test_every_node_sees_termination_as_its_graph_does(readout):
    """Which is their mean, minimum or maximum."""
    module, latent = Termination(LATENT, readout), features(uneven())
    numbers = numbers_of(module, features(uneven(), seed=9), latent)
    found, of_graphs = module.of_nodes(numbers, uneven()), module(numbers, uneven())
    for graph, (own, logits) in enumerate(
        zip(latent.split([3, 2]), found.split([3, 2]), strict=True)
    ):
        mean = own.mean(0).expand_as(own)
        assert_close(logits, literal(module.linear)(torch.cat((own, mean), dim=1)).squeeze(1))
        expected = {"mean": logits.mean(), "min": logits.min(), "max": logits.max()}[readout]
        assert_close(of_graphs[graph], expected)


def test_how_nodes_see_termination_is_said_where_it_is_asked_for():
    heads, edges = heads_for("dijkstra", readout="min"), uneven()
    encoded, latent = features(edges, seed=1), features(edges, seed=2)
    said = heads(encoded, latent, edges, at_nodes=True)
    least = torch.stack([logits.min() for logits in said.settled.split([3, 2])])
    assert_close(least, said.termination)


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
    decoded, termination, settled = heads(encoded, latent, edges)
    assert termination.shape == (1,)
    assert settled is None
    shapes = {name: tuple(values.shape) for name, values in decoded.items()}
    assert shapes == {"distance": (4,), "next": (4,), "predecessor": (edges.num_edges,)}
    some, *nothing = heads(encoded, latent, edges, only=["next"])
    assert list(some) == ["next"]
    assert nothing == [None, None]
    assert_close(some["next"], decoded["next"])
    assert heads(encoded, latent, edges, only=[]) == ({}, None, None)
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
@pytest.mark.parametrize("options", [{}, {"sharp": True, "relative": True}], ids=str)
def test_heads_of_replicas_say_what_each_says_of_its_graphs(scorer, readout, options):
    """Each replica has a graph of 3 nodes and one of 2, in its own order."""
    several = [heads_for("dijkstra", scorer=scorer, readout=readout, **options) for _ in range(3)]
    for number, heads in enumerate(several):
        sharpen(heads, by=number / 4)
    swapped = edges_from([2, 3], [(0, 1, 0.3), (2, 3, 0.1), (4, 2, 0.7), (4, 4, 0.9)])
    graphs = [uneven(), swapped, uneven()]
    own = [(features(one, seed=k), features(one, seed=9 + k)) for k, one in enumerate(graphs)]
    encoded, latent = (torch.cat(parts) for parts in zip(*own, strict=True))
    together = stacked(several)(encoded, latent, union(*graphs), at_nodes=True)
    alone = [
        heads(*parts, edges, at_nodes=True)
        for heads, parts, edges in zip(several, own, graphs, strict=True)
    ]
    assert_close(together.termination, torch.cat([said.termination for said in alone]))
    assert_close(together.settled, torch.cat([said.settled for said in alone]))
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


# ---- sharp heads


@pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
def test_heads_that_can_be_sharpened_begin_as_those_that_cannot(scorer):
    def made(*, sharp: bool) -> Heads:
        torch.manual_seed(0)
        return heads_for("dijkstra", scorer=scorer, sharp=sharp)

    given = features(kite(), seed=1), features(kite(), seed=2), kite()
    found, expected = made(sharp=True)(*given), made(sharp=False)(*given)
    assert torch.equal(found.termination, expected.termination)
    for name, scores in expected.scores.items():
        assert torch.equal(found.scores[name], scores)


@pytest.mark.parametrize("scorer", ["linear", "mlp", "both"])
def test_sharpened_heads_say_as_much_more_of_all_but_numbers(scorer):
    heads = heads_for("bfs+bellman-ford", scorer=scorer, sharp=True)
    given = features(kite(), seed=1), features(kite(), seed=2), kite()
    before = heads(*given, at_nodes=True)
    sharpen(heads, by=math.log(8))
    after = heads(*given, at_nodes=True)
    bias = heads.termination.linear.bias
    assert_close(after.termination - bias, 8 * (before.termination - bias))
    assert_close(after.settled - bias, 8 * (before.settled - bias))
    bias = heads.decoders["reachable"].linear.bias
    assert_close(after.scores["reachable"] - bias, 8 * (before.scores["reachable"] - bias))
    assert_close(after.scores["predecessor"], 8 * before.scores["predecessor"])
    assert torch.equal(after.scores["distance"], before.scores["distance"])


@pytest.mark.parametrize("relative", [False, True])
def test_feedback_is_as_sharp_as_the_heads_and_as_relative(relative):
    heads = heads_for("bfs+bellman-ford", sharp=True, relative=relative)
    sharpen(heads, by=1.5)
    back = heads.feedback(["reachable", "distance"])
    encoded, latent = features(kite(), seed=1), features(kite(), seed=2)
    found = encoded @ back.encoded[0].T + latent @ back.latent[0].T + back.bias[0]
    said = heads(encoded, latent, kite()).scores
    assert_close(found, torch.stack([said["reachable"], said["distance"]], dim=1))


# ---- distances that count relatively


@pytest.mark.parametrize("task", ["bfs+bellman-ford", "dijkstra"])
def test_along_the_distance_only_the_distance_answers(task):
    heads = heads_for(task, relative=True, recurrent=False, scorer="both")
    along = heads.along
    column = heads.scope.fed.index("distance")
    assert torch.equal(along, heads.encoder.linear.weight[:, column])
    encoded, latent = features(kite(), seed=1), features(kite(), seed=2)
    by = torch.tensor([1.0, -2.0, 3.0, 0.0])  # not even the same at all nodes
    before = heads(encoded, latent, kite())
    after = heads(encoded + by[:, None] * along, latent, kite())
    assert torch.equal(after.termination, before.termination)
    for name in before.scores.keys() - {"predecessor"}:
        moved = by if name == "distance" else 0
        assert_close(after.scores[name], before.scores[name] + moved)


def test_what_is_across_the_distance_is_read_as_ever():
    torch.manual_seed(0)
    heads = heads_for("bfs+bellman-ford", relative=True, recurrent=False)
    encoded, latent = features(kite(), seed=1), features(kite(), seed=2)
    along = heads.along / heads.along.norm()
    across = encoded - (encoded @ along)[:, None] * along
    said = heads(across, latent, kite())
    for name in ("reachable", "distance"):
        own = numbers_of(heads.decoders[name], across, latent)[0]
        assert_close(said.scores[name], own)


@pytest.mark.parametrize("scorer", ["linear", "both"])
def test_where_distances_count_relatively_the_scorer_sees_the_encoded_sender(scorer):
    plain = heads_for("bellman-ford", scorer=scorer)
    heads = heads_for("bellman-ford", scorer=scorer, relative=True)
    assert plain.decoders["predecessor"].encoded is None
    scorer = heads.decoders["predecessor"]
    encoded, latent = features(kite(), seed=1), features(kite(), seed=2)
    found = heads(encoded, latent, kite()).scores["predecessor"]
    of_nodes = heads(0 * encoded, latent, kite()).scores["predecessor"]
    seen = (encoded @ scorer.encoded.weight[0])[kite().senders]
    assert_close(found, of_nodes + seen)


def test_a_task_without_distances_has_nothing_that_counts_relatively():
    heads = heads_for("prim", relative=True, scorer="both")
    assert (heads.moving, heads.along) == (None, None)
    assert heads.decoders["predecessor"].encoded is None
    assert heads_for("bellman-ford").along is None
