"""What every processor must keep, whichever file it came from."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from neuralexec.batches import Edges
from neuralexec.models.kernels import ReferenceKernels, using
from neuralexec.models.processors import find_processor, processors
from tests.models.processors.building import EVERY, FULL, LAYER, built
from tests.models.replicas import stacked
from tests.models.small_graphs import (
    LATENT,
    arcs_of,
    edges_from,
    edges_of,
    features,
    kite,
    many_problems,
    one_graph,
    union,
)

EQUIVARIANT = [name for name, kind in processors().items() if kind.equivariant]
SHARPENED = [(name, "none") for name in processors()]
SHARPENED += [(name, "entropy") for name, kind in processors().items() if kind.attends]
every_processor = pytest.mark.parametrize("name", EVERY)
every_own_processor = pytest.mark.parametrize("name", processors())


def test_the_papers_processors_are_there():
    assert set(processors()) >= {"mpnn-max", "mpnn-mean", "mpnn-sum", "gat", "gat-full", "lstm"}


@every_processor
def test_a_processor_says_of_every_node_and_edge_what_it_should(name):
    said = built(name)(features(kite()), kite())
    assert said.latent.shape == (4, LATENT)
    assert said.penalty is None
    if find_processor(name).attends:
        assert said.attention.shape == (kite().num_edges,)
    else:
        assert said.attention is None


@pytest.mark.parametrize("name", [*EQUIVARIANT, LAYER])
@given(edges=one_graph, seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=15)
def test_renumbering_the_nodes_renumbers_the_output(name, edges, seed):
    generator = torch.Generator().manual_seed(seed)
    new = torch.randperm(edges.num_nodes, generator=generator)
    moved = edges_from(
        [edges.num_nodes], [(int(new[j]), int(new[i]), weight) for j, i, weight in arcs_of(edges)]
    )
    encoded = features(edges, seed=seed)
    processor = built(name)
    there = processor(encoded[new.argsort()], moved).latent
    assert_close(there[new], processor(encoded, edges).latent)


@every_processor
@given(several=many_problems)
@settings(deadline=None, max_examples=15)
def test_a_graph_among_many_is_as_it_is_alone(name, several):
    edges = edges_of(several)
    encoded = features(edges)
    processor = built(name)
    together = processor(encoded, edges).latent
    sizes = edges.num_nodes_of_graph.tolist()
    parts = zip(several, encoded.split(sizes), together.split(sizes), strict=True)
    for problem, own, found in parts:
        assert_close(found, processor(own, edges_of([problem])).latent)


@every_processor
def test_nothing_crosses_from_one_graph_to_another(name):
    arcs = arcs_of(kite())
    others = [(j + 4, i + 4, weight) for j, i, weight in arcs]
    edges = edges_from([4, 4], [*arcs, *others])
    fewer = [(j, i, 9 * weight) for j, i, weight in others if (j, i) != (5, 4)]
    changed = edges_from([4, 4], [*arcs, *fewer])
    encoded = features(edges)
    other = torch.cat((encoded[:4], 7 - encoded[4:]))
    processor = built(name)
    before, after = processor(encoded, edges).latent, processor(other, changed).latent
    assert_close(after[:4], before[:4])
    assert not torch.allclose(after[4:], before[4:])


@every_processor
def test_a_node_hears_from_its_neighbours_and_the_full_kinds_from_all(name):
    """3 hangs on 2 only; an LSTM has read 0 by then, and attention over all pairs hears it."""
    encoded = features(kite())
    changed = encoded.clone()
    changed[0] += 3
    processor = built(name)
    before, after = processor(encoded, kite()).latent, processor(changed, kite()).latent
    deaf_to_it = torch.equal(after[3], before[3])
    assert deaf_to_it == (name not in (*FULL, "lstm"))
    assert not torch.allclose(after[2], before[2])


@every_processor
@given(several=many_problems)
@settings(deadline=None, max_examples=15)
def test_every_parameter_has_a_finite_gradient(name, several):
    edges = edges_of(several)
    processor = built(name)
    encoded = features(edges).requires_grad_()
    processor(encoded, edges).latent.square().sum().backward()
    for parameter, values in [("z", encoded), *processor.named_parameters()]:
        assert values.grad is not None, parameter
        assert torch.isfinite(values.grad).all(), parameter


def three_graphs() -> list[Edges]:
    """For each replica two graphs with five nodes, but no two alike."""
    line = [(0, 1, 0.2), (1, 2, 0.6), (2, 3, 0.4)]
    loops = [(node, node, 0.9 - 0.1 * node) for node in range(4)]
    return [
        edges_from([1, 4], [(0, 0, 0.5), *((j + 1, i + 1, w) for j, i, w in arcs_of(kite()))]),
        edges_from([4, 1], [*line, *loops, (4, 4, 0.35)]),
        edges_from([3, 2], [*line[:2], *loops, (3, 4, 0.8), (4, 4, 0.15)]),
    ]


@pytest.mark.parametrize(("name", "sharpening"), SHARPENED)
def test_each_replica_is_as_alone_on_graphs_of_its_own(name, sharpening):
    several = [built(name, seed=seed, sharpening=sharpening) for seed in range(3)]
    graphs = three_graphs()
    encoded = features(union(*graphs))
    together = stacked(several)(encoded, union(*graphs))
    alone = [
        processor(own, edges)
        for processor, own, edges in zip(several, encoded.chunk(3), graphs, strict=True)
    ]
    for found, *expected in zip(together, *alone, strict=True):
        if found is None:
            assert expected == [None] * 3
        else:
            assert_close(found, torch.cat(expected))


@every_own_processor
def test_each_replica_learns_as_alone(name):
    several = [built(name, seed=seed) for seed in range(3)]
    together, graphs = stacked(several), three_graphs()
    encoded = features(union(*graphs)).requires_grad_()
    together(encoded, union(*graphs)).latent.square().sum().backward()
    for place, (processor, edges) in enumerate(zip(several, graphs, strict=True)):
        own = encoded.detach().chunk(3)[place].requires_grad_()
        processor(own, edges).latent.square().sum().backward()
        assert_close(encoded.grad.chunk(3)[place], own.grad)
        for parameter, values in processor.named_parameters():
            found = together.get_parameter(parameter).grad[place]
            assert_close(found, values.grad, msg=parameter)


@every_own_processor
def test_the_same_with_the_kernels_everything_is_compared_with(name):
    processor, edges = built(name), union(*three_graphs())
    expected = processor(features(edges), edges).latent
    with using(ReferenceKernels()):
        assert_close(processor(features(edges), edges).latent, expected)
