"""What the benchmarks compare with computes the same as what it is compared with."""

import pytest
import torch
from benchmarks.plain_training import PlainTraining
from benchmarks.random_edges import random_edges
from benchmarks.training import WITH_OWN_OUTPUTS
from torch.testing import assert_close

from neuralexec.models.processors.mpnn import Mpnn
from neuralexec.training.loop import Trainer
from neuralexec.training.training import Training


def test_plain_training_learns_the_same():
    """Twenty updates of the paper preset, half of the graphs on the network's own outputs."""
    config = WITH_OWN_OUTPUTS.but(num_train=15)
    losses = PlainTraining(Training(config)).run_epoch()
    [(_, record)] = Trainer(config).run_epoch()
    assert sum(losses) / len(losses) == pytest.approx(record["loss"], rel=1e-4)


def test_the_step_in_pytorch_geometric_is_ours():
    pytest.importorskip("torch_geometric")
    from benchmarks.pyg_step import PygMpnn

    edges = random_edges(50, 200)
    ours, encoded = Mpnn(8, "max"), torch.randn(50, 8)
    theirs = PygMpnn.with_weights_of(ours)
    pairs = torch.stack((edges.senders, edges.receivers)).long()
    assert_close(theirs(encoded, pairs, edges.weights), ours(encoded, edges).latent)


def test_random_edges_are_a_graph_with_self_edges():
    edges = random_edges(1_000, 10_000)
    assert (edges.num_nodes, edges.num_edges) == (1_000, 11_000)
    assert edges.offsets[-1] == edges.num_edges
    assert torch.equal(edges.senders[edges.offsets[:-1]].long(), torch.arange(1_000))
    assert edges.weights.min() >= 0.2
    assert edges.weights.max() <= 1.0
