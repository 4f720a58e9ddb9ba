"""When masks stop moving, and what they are where nothing is explained."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from neuralexec import Problem, collate, find_task
from neuralexec.algorithms import Kind
from neuralexec.evaluation import explain_masks
from neuralexec.evaluation.explain_masks import LOSSES, ROUND, STILL, Scene, Search, find_masks
from neuralexec.evaluation.explain_steps import TO_EXPLAIN
from tests.evaluation.executors import bypass, trail
from tests.evaluation.explained_by_loops import mask_of, states_of
from tests.models.networks import executor_for

TASK = find_task("bfs+bellman-ford")
LONG = Search(sparsity=0.3, iterations=400, learning_rate=0.1)
# Adam hears the louder of the two: to tell what the network's loss says, sparsity has to whisper.
QUIET = Search(sparsity=0.003, iterations=ROUND, learning_rate=0.1)


def scene(problems: list[Problem], signal: str = "reachable", *nodes: int, seed: int = 0) -> Scene:
    """The first step of a random network, these nodes explained."""
    executor, batch = executor_for(TASK.name, seed=seed), collate(problems, TASK)
    heads = executor.heads_of(TASK)
    with torch.no_grad():
        features = heads.features(batch.start.signals, batch.edges)
        encoded = heads.encoder(heads.encoder.read(features), None)
    explained = torch.zeros(batch.num_nodes, dtype=torch.bool)
    explained[list(nodes)] = True
    target = batch.targets(signal)[0]
    return Scene(executor, heads, signal, batch.edges, encoded, target, explained)


def test_what_can_be_explained_has_a_loss():
    assert set(LOSSES) == set(TO_EXPLAIN) == {Kind.MASK, Kind.POINTER}


def test_other_edges_stay_open():
    found = find_masks(scene([trail(), bypass()], "reachable", 1, 7), LONG)
    edges = scene([trail(), bypass()]).edges
    into = torch.isin(edges.receivers, torch.tensor([1, 7]))
    assert (found.weights[~into] == 1).all()
    assert (found.weights[into] < 0.99).all()


@pytest.mark.parametrize("signal", ["reachable", "predecessor"])
def test_masks_of_neighbours_do_not_meddle(signal):
    several = scene([bypass(), trail()], signal, 1, 2, 3, 6, 7)
    together = find_masks(several, QUIET).weights
    for node in (1, 2, 3, 6, 7):
        single = find_masks(scene([bypass(), trail()], signal, node), QUIET).weights
        into = several.edges.receivers == node
        assert_close(together[into], single[into], atol=1e-4, rtol=0)


@pytest.mark.parametrize("signal", ["reachable", "predecessor"])
def test_rounds_go_on_where_the_last_ended(signal, monkeypatch):
    """As long as nothing counts as still, they are nothing but Adam."""
    monkeypatch.setattr(explain_masks, "STILL", -1.0)
    search = replace(QUIET, iterations=2 * ROUND + 3)
    found = find_masks(scene([bypass()], signal, 1, 2), search)
    batch = collate([bypass()], TASK)
    executor = executor_for(TASK.name)
    state = states_of(executor, batch, forced=True)[0]
    for node in (1, 2):
        expected = mask_of(
            executor,
            batch,
            state,
            signal,
            0,
            node,
            sparsity=search.sparsity,
            iterations=search.iterations,
            learning_rate=search.learning_rate,
        )
        into = batch.edges.receivers == node
        assert found.weights[into].tolist() == pytest.approx(expected, abs=2e-4)
    assert not found.converged.any()


def test_what_has_converged_does_not_move_any_more():
    given = scene([bypass(), trail()], "reachable", 1, 2, 6)
    long, longer = (find_masks(given, replace(LONG, iterations=n)) for n in (400, 4000))
    assert long.converged.tolist() == [node in (1, 2, 6) for node in range(10)]
    assert torch.equal(long.weights, longer.weights)


def test_one_round_more_moves_what_has_not_converged():
    given = scene([bypass(), trail()], "reachable", 1, 2, 6)
    short, more = (find_masks(given, replace(LONG, iterations=n * ROUND)) for n in (1, 2))
    assert not short.converged.any()
    moved = (more.weights - short.weights).abs() > STILL
    assert set(given.edges.receivers[moved].tolist()) == {1, 2, 6}


def test_a_node_has_converged_when_all_edges_into_it_have():
    """At no rate at all, nothing moves."""
    given = scene([bypass()], "reachable", 1)
    assert find_masks(given, replace(LONG, learning_rate=1e-9)).converged.tolist()[1]
    weights = find_masks(given, replace(LONG, learning_rate=1e-9)).weights
    into = given.edges.receivers == 1
    assert_close(weights[into], torch.ones(int(into.sum())).sigmoid())


def test_nothing_to_explain():
    found = find_masks(scene([trail()]), LONG)
    assert (found.weights == 1).all()
    assert not found.converged.any()


def test_sparsity_alone_takes_all_edges_away():
    light, heavy = (
        find_masks(scene([bypass()], "reachable", 1, 2), replace(LONG, sparsity=sparsity)).weights
        for sparsity in (0.01, 100.0)
    )
    into = torch.isin(scene([bypass()]).edges.receivers, torch.tensor([1, 2]))
    assert (heavy[into] < 0.03).all()
    assert light[into].max() > heavy[into].max()
