"""Each family against the numbers its definition implies; bounds are about five deviations."""

import itertools
import math
from collections import Counter

import networkx as nx
import numpy as np
import pytest

from neuralexec import families
from neuralexec.graphs.families.trials import equal_groups, pairs_between, pairs_within, successes


def draw(name: str, num_nodes: int, seed: int) -> nx.Graph:
    topology = families()[name].draw_topology(num_nodes, np.random.default_rng(seed))
    graph = nx.empty_graph(num_nodes)
    graph.add_edges_from(zip(topology.senders.tolist(), topology.receivers.tolist(), strict=True))
    return graph


def edge_counts(name: str, num_nodes: int, num_graphs: int) -> np.ndarray:
    return np.array([draw(name, num_nodes, seed).number_of_edges() for seed in range(num_graphs)])


@pytest.mark.parametrize("num_nodes", [2, 4, 20, 100])
def test_ladder(num_nodes):
    graph = draw("ladder", num_nodes, 0)
    assert nx.is_isomorphic(graph, nx.ladder_graph(num_nodes // 2))


@pytest.mark.parametrize(("num_nodes", "rows"), [(1, 1), (7, 1), (20, 4), (36, 6), (50, 5)])
def test_grid_takes_the_squarest_factors(num_nodes, rows):
    graph = draw("grid", num_nodes, 0)
    assert nx.is_isomorphic(graph, nx.grid_2d_graph(rows, num_nodes // rows))


@pytest.mark.parametrize("num_nodes", [1, 2, 3, 20, 101])
def test_tree(num_nodes):
    assert all(nx.is_tree(draw("tree", num_nodes, seed)) for seed in range(20))


def test_trees_decode_their_pruefer_sequence():
    from neuralexec.graphs.families.tree import decode

    for sequence in itertools.product(range(5), repeat=3):
        children, parents = decode(np.array(sequence), 5)
        expected = nx.from_prufer_sequence(list(sequence))
        found = nx.Graph(zip(children.tolist(), parents.tolist(), strict=True))
        assert set(map(frozenset, found.edges)) == set(map(frozenset, expected.edges))


def test_small_trees_are_uniform():
    """There are 4^2 labelled trees of 4 nodes; a chi-square test over all of them."""
    num_graphs = 4000
    seen = Counter(
        frozenset(map(frozenset, draw("tree", 4, seed).edges)) for seed in range(num_graphs)
    )
    assert len(seen) == 16
    expected = num_graphs / 16
    chi_square = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi_square < 44.3  # 99.99% quantile at 15 degrees of freedom


@pytest.mark.parametrize("num_nodes", [3, 20, 100])
def test_erdos_renyi_edge_count(num_nodes):
    probability = min(math.log2(num_nodes) / num_nodes, 0.5)
    num_pairs = num_nodes * (num_nodes - 1) / 2
    counts = edge_counts("erdos-renyi", num_nodes, 400)
    deviation = math.sqrt(num_pairs * probability * (1 - probability))
    assert abs(counts.mean() - num_pairs * probability) < 5 * deviation / math.sqrt(400)
    assert 0.8 < counts.std() / deviation < 1.2


def test_erdos_renyi_pairs_are_equally_likely():
    seen = Counter(edge for seed in range(3000) for edge in draw("erdos-renyi", 5, seed).edges)
    share = np.array([seen[pair] / 3000 for pair in itertools.combinations(range(5), 2)])
    assert np.abs(share - math.log2(5) / 5).max() < 0.05


def test_barabasi_albert_attaches_four_or_five():
    counts = Counter(edge_counts("barabasi-albert", 20, 400).tolist())
    # a star of m edges, then m for each later node
    assert set(counts) == {4 * (20 - 4), 5 * (20 - 5)}
    assert 140 < counts[64] < 260


def test_barabasi_albert_prefers_high_degrees():
    graph = draw("barabasi-albert", 20_000, 0)
    assert nx.is_connected(graph)
    degrees = np.array([degree for _, degree in graph.degree])
    smallest = degrees.min()
    assert smallest in (4, 5)
    # P(degree = m) = 2 / (m + 2), and a tail that an Erdős–Rényi graph of this size has not
    assert abs((degrees == smallest).mean() - 2 / (smallest + 2)) < 0.02
    assert degrees.max() > 200


def test_community_probabilities():
    inside, between = [], []
    for seed in range(200):
        graph = draw("4-community", 40, seed)
        group = {node: node // 10 for node in graph}
        same = sum(group[one] == group[other] for one, other in graph.edges)
        inside.append(same / (4 * 45))
        between.append((graph.number_of_edges() - same) / (6 * 100))
    assert abs(np.mean(inside) - 0.7) < 0.013
    assert abs(np.mean(between) - 0.01) < 0.0015


@pytest.mark.parametrize(("num_nodes", "num_shortcuts"), [(20, 1), (100, 2), (400, 10)])
def test_caveman_thinning_and_shortcuts(num_nodes, num_shortcuts):
    size = num_nodes // 4
    kept = []
    for seed in range(60):
        graph = draw("4-caveman", num_nodes, seed)
        same = sum(one // size == other // size for one, other in graph.edges)
        assert graph.number_of_edges() - same == num_shortcuts
        kept.append(same / (4 * size * (size - 1) / 2))
    deviation = math.sqrt(0.3 * 0.7 / (60 * 4 * size * (size - 1) / 2))
    assert abs(np.mean(kept) - 0.3) < 5 * deviation


@pytest.mark.parametrize("num_nodes", [4, 5, 6, 7, 21])
def test_groups_differ_by_at_most_one(num_nodes):
    sizes = equal_groups(num_nodes, 4)
    assert sizes.sum() == num_nodes
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("probability", [0.7, 0.3, 0.01, 1e-6, 1.0])
def test_successes_are_independent_trials(probability):
    num_trials = 2_000_000
    found = successes(num_trials, probability, np.random.default_rng(0))
    assert (np.diff(found) > 0).all()
    assert found.size == 0 or (found[0] >= 0 and found[-1] < num_trials)
    deviation = math.sqrt(num_trials * probability * (1 - probability))
    assert abs(len(found) - num_trials * probability) <= 5 * deviation
    halves = np.count_nonzero(found < num_trials // 2)
    assert abs(halves - len(found) / 2) <= 5 * math.sqrt(len(found)) / 2 + 1


def test_no_trials_or_no_chance_give_nothing():
    rng = np.random.default_rng(0)
    assert len(successes(0, 0.5, rng)) == len(successes(100, 0.0, rng)) == 0


def test_certain_pairs_are_all_pairs():
    rng = np.random.default_rng(0)
    within = set(map(tuple, pairs_within(np.array([6]), 1.0, rng).T.tolist()))
    assert within == set(itertools.combinations(range(6), 2))
    sizes = np.array([2, 1, 3])
    inside = set(map(tuple, pairs_within(sizes, 1.0, rng).T.tolist()))
    assert inside == {(0, 1), (3, 4), (3, 5), (4, 5)}
    between = set(map(tuple, pairs_between(sizes, 1.0, rng).T.tolist()))
    group = [0, 0, 1, 2, 2, 2]
    assert between == {(i, j) for i, j in within if group[i] != group[j]}
