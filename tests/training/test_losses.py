"""Each loss against the same written out by hand."""

import math
from dataclasses import replace

import pytest
import torch

from neuralexec.algorithms import Kind, find_task
from neuralexec.batches import collate, side_by_side
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.splits import Split
from neuralexec.models.executor import Taught
from neuralexec.models.scope import scope_of
from neuralexec.training.losses import LOSSES, losses

TASKS = ("bfs+bellman-ford", "prim", "dijkstra", "connected-components")


def steps_of(name, replicas=1):
    """Seven graphs for each replica."""
    batch = collate(Split("train", 8, replicas).draw(3), find_task(name))
    return side_by_side(batch, replicas=replicas)


def random_scores(steps, scope):
    generator = torch.Generator().manual_seed(0)
    sizes = {Kind.POINTER: steps.edges.num_edges}
    scores = {
        name: torch.randn(
            sizes.get(steps.task.signals[name].kind, steps.edges.num_nodes), generator=generator
        )
        for name in scope.predicted
    }
    return Taught(scores, torch.randn(steps.edges.num_graphs, generator=generator), None)


def share(count, replica, replicas):
    """The places of a replica."""
    return range(replica * count // replicas, (replica + 1) * count // replicas)


def by_hand(name, scores, steps, replica):
    """The mean over what counts, one entry at a time."""
    edges, kind = steps.edges, steps.task.signals[name].kind
    counts, targets, found = steps.supervised(name).tolist(), steps.targets[name], []
    for place in share(len(counts), replica, steps.replicas):
        if not counts[place]:
            continue
        target = targets[place].item()
        if kind is Kind.MASK:
            probability = 1 / (1 + math.exp(-scores[place].item()))
            found.append(-math.log(probability if target else 1 - probability))
        elif kind is Kind.SCALAR:
            found.append((scores[place].item() - target) ** 2)
        elif kind is Kind.POINTER:
            into = range(edges.offsets[place].item(), edges.offsets[place + 1].item())
            total = sum(math.exp(scores[edge].item()) for edge in into)
            found.append(-math.log(math.exp(scores[target].item()) / total))
        else:
            mask = steps.inputs[steps.task.signals[name].grows]
            first, last = edges.node_offsets[place : place + 2].tolist()
            out = [node for node in range(first, last) if not mask[node]]
            total = sum(math.exp(scores[node].item()) for node in out)
            found.append(-math.log(math.exp(scores[target].item()) / total))
    return sum(found) / len(found)


def test_every_kind_has_a_loss():
    assert set(LOSSES) == set(Kind)


def termination_by_hand(logits, steps, replica):
    found = [
        math.log1p(math.exp(-logit if target else logit))
        for logit, target, counts in zip(
            logits.tolist(), steps.terminated.tolist(), counting(steps).tolist(), strict=True
        )
        if counts
    ]
    places = counting(steps).view(steps.replicas, -1).sum(1).tolist()
    first = sum(places[:replica])
    return sum(found[first : first + places[replica]]) / places[replica]


def counting(steps):
    """[graphs, over all steps]"""
    return torch.ones_like(steps.terminated) if steps.counts is None else steps.counts


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("replicas", [1, 3])
def test_losses_equal_the_same_by_hand(task, replicas):
    steps = steps_of(task, replicas)
    scope = scope_of(steps.task)
    taught = random_scores(steps, scope)
    found = losses(taught, steps, scope)
    assert set(found) == {*scope.predicted, "termination"}
    for replica in range(replicas):
        for name, scores in taught.scores.items():
            expected = by_hand(name, scores, steps, replica)
            assert found[name][replica].item() == pytest.approx(expected, rel=1e-5)
        expected = termination_by_hand(taught.termination, steps, replica)
        assert found["termination"][replica].item() == pytest.approx(expected, rel=1e-5)
    assert all(loss.shape == (replicas,) for loss in found.values())


@pytest.mark.parametrize("task", TASKS)
def test_what_a_replica_says_after_the_end_costs_nothing(task):
    """Replicas keep graphs that have finished until the last has."""
    steps = steps_of(task, replicas=2)
    scope = scope_of(steps.task)
    taught = replace(random_scores(steps, scope), penalty=torch.ones(steps.edges.num_nodes))
    over = ~steps.counts
    of_nodes = over[steps.edges.graph_of_node]
    assert over.any()
    other = {
        name: scores.masked_fill(
            of_nodes[steps.edges.receivers] if name == "predecessor" else of_nodes, 99.0
        )
        for name, scores in taught.scores.items()
    }
    changed = Taught(
        other, taught.termination.masked_fill(over, 99.0), taught.penalty.masked_fill(of_nodes, 99)
    )
    expected = losses(taught, steps, scope, penalty_weight=1.0)
    for name, loss in losses(changed, steps, scope, penalty_weight=1.0).items():
        assert torch.equal(loss, expected[name]), name


def test_a_choice_that_was_already_made_costs_nothing():
    """On its own outputs a network may have chosen, early, the node that is now the target."""
    steps = steps_of("prim")
    scope = scope_of(steps.task)
    taught = random_scores(steps, scope)
    everything = {**steps.inputs, "in_tree": torch.ones_like(steps.inputs["in_tree"])}
    assert losses(taught, replace(steps, inputs=everything), scope)["next"] == 0


def test_no_algo_is_taught_the_whole_answer_at_the_end_only():
    path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [0.5, 0.25, 0.75])
    batch = collate([Problem(path, 1)], find_task("prim"))
    steps = side_by_side(batch)
    scope = scope_of(steps.task, "no-algo")
    right = torch.zeros(steps.edges.num_edges)
    last = steps.edges.node_offsets[-2].item()
    for node in range(last, last + 4):  # its true predecessors, at the last step alone
        right[steps.targets["predecessor"][node]] = 50.0
    taught = Taught({"predecessor": right}, torch.zeros(steps.edges.num_graphs), None)
    assert losses(taught, steps, scope)["predecessor"].item() == pytest.approx(0, abs=1e-6)
    assert losses(taught, steps, scope_of(steps.task))["predecessor"].item() > 0.1


def test_the_penalty_is_weighed():
    steps = steps_of("bfs+bellman-ford")
    scope = scope_of(steps.task)
    taught = random_scores(steps, scope)
    penalised = replace(taught, penalty=torch.full((steps.edges.num_nodes,), 3.0))
    assert losses(penalised, steps, scope, penalty_weight=0.5)["penalty"] == 1.5


def test_each_replica_weighs_its_own_penalty():
    steps = steps_of("bfs+bellman-ford", replicas=2)
    scope = scope_of(steps.task)
    penalty = torch.full((steps.edges.num_nodes,), 3.0)
    taught = replace(random_scores(steps, scope), penalty=penalty)
    found = losses(taught, steps, scope, penalty_weight=torch.tensor([0.5, 2.0]))
    assert found["penalty"].tolist() == [1.5, 6.0]
