"""What every family must keep, whichever file it came from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import InputError, draw_graph, families
from neuralexec.graphs.dress import HEAVIEST, LIGHTEST

every_family = pytest.mark.parametrize("family", families().values(), ids=families())


def test_the_papers_seven_families_are_discovered():
    assert set(families()) == {
        "ladder",
        "grid",
        "tree",
        "erdos-renyi",
        "barabasi-albert",
        "4-community",
        "4-caveman",
    }


@every_family
@given(size=st.integers(1, 60), seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=50)
def test_a_graph_has_exactly_n_nodes_or_is_refused(family, size, seed):
    fits = size >= family.fewest_nodes and size % family.multiple_of == 0
    if not fits:
        with pytest.raises(InputError, match=rf"has {size} nodes: .*; use \d"):
            draw_graph(family, size, np.random.default_rng(seed))
        return
    graph = draw_graph(family, size, np.random.default_rng(seed))
    assert graph.num_nodes == size
    assert not graph.directed
    assert graph.num_self_edges == size
    assert graph.weights.min() >= LIGHTEST
    assert graph.weights.max() <= HEAVIEST
    weight = {
        (s, r): w for s, r, w in zip(graph.senders, graph.receivers, graph.weights, strict=True)
    }
    assert all(weight[r, s] == w for (s, r), w in weight.items())


@every_family
def test_the_same_seed_draws_the_same_graph(family):
    one, same, other = (draw_graph(family, 20, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert one == same
    assert one != other


@every_family
def test_a_topology_has_no_self_edges_and_no_duplicates(family):
    for seed in range(30):
        topology = family.draw_topology(24, np.random.default_rng(seed))
        ends = np.sort(np.stack((topology.senders, topology.receivers)), axis=0)
        assert (ends[0] < ends[1]).all()
        assert len(np.unique(ends, axis=1).T) == len(ends.T)


@every_family
def test_leaving_self_edges_out_changes_nothing_else(family):
    with_them = draw_graph(family, 20, np.random.default_rng(0))
    without = draw_graph(family, 20, np.random.default_rng(0), self_edges=False)
    keep = with_them.senders != with_them.receivers
    assert without.num_self_edges == 0
    assert np.array_equal(without.senders, with_them.senders[keep])
    assert np.array_equal(without.weights, with_them.weights[keep])


@every_family
@pytest.mark.parametrize("size", [0, -3])
def test_no_nodes_are_refused(family, size):
    with pytest.raises(InputError, match="at least one node"):
        draw_graph(family, size, np.random.default_rng(0))


def test_what_fits_is_said():
    with pytest.raises(InputError, match=r"no Ladder graph has 21 nodes: .*; use 20 or 22"):
        draw_graph("ladder", 21, np.random.default_rng(0))


def test_an_unknown_family_lists_the_choices():
    with pytest.raises(InputError, match=r"'lader' \(did you mean 'ladder'\?\); choose one of"):
        draw_graph("lader", 20, np.random.default_rng(0))


def test_a_graph_no_machine_can_hold_is_refused():
    with pytest.raises(InputError, match="GB of memory"):
        draw_graph("4-community", 2**31 - 1, np.random.default_rng(0))
