"""Each loss against the same written out by hand."""

import math
from dataclasses import replace

import pytest
import torch

from neuralexec.algorithms import Kind, find_task
from neuralexec.batches import collate, longest_first, side_by_side
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.splits import Split
from neuralexec.models.executor import Taught
from neuralexec.models.scope import scope_of
from neuralexec.training.losses import LOSSES, losses

TASKS = ("bfs+bellman-ford", "prim", "dijkstra", "connected-components")


def steps_of(name, per_family=1):
    batch = collate(Split("train", 8, per_family).draw(3), find_task(name))
    return side_by_side(longest_first(batch))


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


def by_hand(name, scores, steps):
    """The mean over what counts, one entry at a time."""
    edges, kind = steps.edges, steps.task.signals[name].kind
    counts, targets, found = steps.supervised(name), steps.targets[name], []
    for place in counts.nonzero().flatten().tolist():
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


@pytest.mark.parametrize("task", TASKS)
def test_losses_equal_the_same_by_hand(task):
    steps = steps_of(task)
    scope = scope_of(steps.task)
    taught = random_scores(steps, scope)
    found = losses(taught, steps, scope)
    assert set(found) == {*scope.predicted, "termination"}
    for name, scores in taught.scores.items():
        assert found[name].item() == pytest.approx(by_hand(name, scores, steps), rel=1e-5)
    stop = [
        math.log1p(math.exp(-logit if target else logit))
        for logit, target in zip(
            taught.termination.tolist(), steps.terminated.tolist(), strict=True
        )
    ]
    assert found["termination"].item() == pytest.approx(sum(stop) / len(stop), rel=1e-5)


def test_replicas_have_a_loss_each():
    steps = steps_of("bfs+bellman-ford")
    scope = scope_of(steps.task)
    alone = [random_scores(steps, scope), random_scores(steps, scope)]
    alone[1] = Taught({n: -v for n, v in alone[1].scores.items()}, -alone[1].termination, None)
    together = Taught(
        {name: torch.stack([one.scores[name] for one in alone]) for name in scope.predicted},
        torch.stack([one.termination for one in alone]),
        None,
    )
    found = losses(together, steps, scope)
    for place, one in enumerate(alone):
        for name, loss in losses(one, steps, scope).items():
            torch.testing.assert_close(found[name][place], loss)


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
