"""Attention over the full graph: what its second head sees, and how large a graph may be."""

import pytest
import torch
from hypothesis import given, settings
from torch.testing import assert_close

from neuralexec import Graph, InputError, Problem
from neuralexec.batches import edges as edges_module
from tests.models.processors.building import FULL, built
from tests.models.small_graphs import (
    LATENT,
    arcs_of,
    edges_from,
    edges_of,
    features,
    kite,
    many_problems,
)

every_full = pytest.mark.parametrize("name", FULL)


def seen_by(head, run) -> list:
    """The edges that a head is given."""
    seen = []
    handle = head.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[1]))
    run()
    handle.remove()
    return seen


@every_full
@given(several=many_problems)
@settings(deadline=None, max_examples=15)
def test_the_second_head_sees_the_pairs_that_no_edge_joins(name, several):
    edges, processor = edges_of(several), built(name)
    [far] = seen_by(processor.on_non_edges, lambda: processor(features(edges), edges))
    graph = edges.graph_of_node.tolist()
    pairs = {(j, i) for j in range(len(graph)) for i in range(len(graph)) if graph[j] == graph[i]}
    joined = {(j, i) for j, i, _ in arcs_of(edges)}
    assert sorted((j, i) for j, i, _ in arcs_of(far)) == sorted(pairs - joined)


@every_full
def test_the_first_head_sees_the_edges_and_its_attention_is_told(name):
    processor, encoded = built(name, sharpening="entropy"), features(kite())
    said = processor(encoded, kite())
    near = processor.on_edges(encoded, kite())
    far = processor.on_non_edges(encoded, kite().non_edges)
    assert torch.equal(said.attention, near.attention)
    assert_close(said.penalty, near.penalty + far.penalty)


@every_full
def test_the_second_head_has_no_weights_to_read(name):
    processor = built(name)
    near, far = (
        sum(parameter.numel() for parameter in head.parameters())
        for head in (processor.on_edges, processor.on_non_edges)
    )
    assert near - far == {"gat-full": 1, "gat-full-transformer": LATENT}[name]


@every_full
def test_a_gate_takes_an_edge_from_the_first_head_and_gives_it_to_none(name):
    """Not as if the edge had never been: the second head still does not see the pair."""
    processor, encoded = built(name), features(kite())
    gate = (torch.arange(kite().num_edges) != 1).float()
    without = edges_from([4], [arc for place, arc in enumerate(arcs_of(kite())) if place != 1])
    near = processor.on_edges(encoded, without).latent
    far = processor.on_non_edges(encoded, kite().non_edges).latent
    assert_close(processor(encoded, kite(), gate).latent, processor.project(near, far))


@every_full
def test_a_graph_whose_pairs_are_too_many_is_refused(name):
    path = Graph.from_edges(2_001, range(2_000), range(1, 2_001))
    edges = edges_of([Problem(path, 0)])
    with pytest.raises(InputError, match="limited to graphs of 2,000 nodes; this one has 2,001"):
        built(name)(features(edges), edges)


@every_full
def test_the_largest_graph_of_a_batch_decides_and_the_limit_itself_is_allowed(name, monkeypatch):
    monkeypatch.setattr(edges_module, "MOST_NODES_WITH_NON_EDGES", 4)
    arcs = arcs_of(kite())
    twice = edges_from([4, 4], [*arcs, *((j + 4, i + 4, weight) for j, i, weight in arcs)])
    assert built(name)(features(twice), twice).latent.shape == (8, 5)
    monkeypatch.setattr(edges_module, "MOST_NODES_WITH_NON_EDGES", 3)
    again = edges_from([4, 1], [*arcs, (4, 4, 1.0)])
    with pytest.raises(InputError, match="limited to graphs of 3 nodes; this one has 4"):
        built(name)(features(again), again)
