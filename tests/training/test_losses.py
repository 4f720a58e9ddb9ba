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
from neuralexec.training.losses import LOSSES, LossWeights, losses

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


def by_hand(name, scores, steps, replica, counting=None):
    """The mean over what counts, one entry at a time."""
    edges, kind = steps.edges, steps.task.signals[name].kind
    counts = (steps.supervised(name) if counting is None else counting).tolist()
    targets, found = steps.targets[name], []
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
@pytest.mark.parametrize("written_only", [True, False], ids=["written", "defined"])
def test_what_a_replica_says_after_the_end_costs_nothing(task, written_only):
    """Replicas keep graphs that have finished until the last has."""
    steps = steps_of(task, replicas=2)
    scope = scope_of(steps.task)
    ones = torch.ones(steps.edges.num_nodes)
    taught = replace(random_scores(steps, scope), penalty=ones, settled=ones)
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
        other,
        taught.termination.masked_fill(over, 99.0),
        taught.penalty.masked_fill(of_nodes, 99),
        taught.settled.masked_fill(of_nodes, 99),
    )
    options = {
        "weights": LossWeights(penalty=1.0, settled=1.0),
        "settled": steps.settled,
        "written_only": written_only,
    }
    expected = losses(taught, steps, scope, **options)
    assert expected.keys() > {"penalty", "settled"}
    for name, loss in losses(changed, steps, scope, **options).items():
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


# ---- weights


def everything_said(steps, scope):
    """With a penalty of 3 at every node, and random logits of how it sees termination."""
    generator = torch.Generator().manual_seed(1)
    num_nodes = steps.edges.num_nodes
    return replace(
        random_scores(steps, scope),
        penalty=torch.full((num_nodes,), 3.0),
        settled=torch.randn(num_nodes, generator=generator),
    )


def numbers_of(task):
    return {name for name, signal in task.signals.items() if signal.kind is Kind.SCALAR}


def test_by_default_numbers_count_as_all_else_and_nothing_is_added():
    assert LossWeights() == LossWeights(penalty=0.0, number=1.0, settled=0.0)
    steps = steps_of("bfs+bellman-ford")
    scope = scope_of(steps.task)
    found = losses(everything_said(steps, scope), steps, scope, settled=steps.settled)
    assert (found["penalty"], found["settled"]) == (0, 0)


def test_the_penalty_is_weighed():
    steps = steps_of("bfs+bellman-ford")
    scope = scope_of(steps.task)
    taught = everything_said(steps, scope)
    assert losses(taught, steps, scope, weights=LossWeights(penalty=0.5))["penalty"] == 1.5


@pytest.mark.parametrize("task", TASKS)
def test_numbers_are_weighed_and_nothing_else(task):
    steps = steps_of(task)
    scope = scope_of(steps.task)
    taught = everything_said(steps, scope)
    plain = losses(taught, steps, scope, settled=steps.settled)
    found = losses(taught, steps, scope, weights=LossWeights(number=8.0), settled=steps.settled)
    assert found.keys() == plain.keys()
    for name, loss in plain.items():
        assert found[name] == (8 * loss if name in numbers_of(steps.task) else loss), name


def settled_by_hand(taught, steps, replica):
    """Does each node see what the step does to it?"""
    counts = counting(steps)[steps.edges.graph_of_node].tolist()
    found = [
        math.log1p(math.exp(-logit if target else logit))
        for logit, target, counts in list(
            zip(taught.settled.tolist(), steps.settled.tolist(), counts, strict=True)
        )[slice_of(len(counts), replica, steps.replicas)]
        if counts
    ]
    return sum(found) / len(found)


def slice_of(count, replica, replicas):
    places = share(count, replica, replicas)
    return slice(places.start, places.stop)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("replicas", [1, 3])
def test_every_node_tells_whether_the_step_leaves_it_as_it_is(task, replicas):
    steps = steps_of(task, replicas)
    scope = scope_of(steps.task)
    taught = everything_said(steps, scope)
    weights = LossWeights(settled=4.0)
    found = losses(taught, steps, scope, weights=weights, settled=steps.settled)["settled"]
    assert found.shape == (replicas,)
    for replica in range(replicas):
        expected = 4 * settled_by_hand(taught, steps, replica)
        assert found[replica].item() == pytest.approx(expected, rel=1e-5)


def test_nodes_tell_nothing_unless_they_are_asked():
    steps = steps_of("bfs+bellman-ford")
    scope = scope_of(steps.task)
    weights = LossWeights(settled=4.0)
    taught = everything_said(steps, scope)
    assert "settled" not in losses(taught, steps, scope, weights=weights)
    silent = replace(taught, settled=None)
    assert "settled" not in losses(silent, steps, scope, weights=weights, settled=steps.settled)


def test_each_replica_has_weights_of_its_own():
    steps = steps_of("bfs+bellman-ford", replicas=2)
    scope = scope_of(steps.task)
    taught = everything_said(steps, scope)
    first, second = LossWeights(0.5, 3.0, 2.0), LossWeights(2.0, 100.0, 7.0)
    own = LossWeights(*(torch.tensor(pair) for pair in ((0.5, 2.0), (3.0, 100.0), (2.0, 7.0))))
    found = losses(taught, steps, scope, weights=own, settled=steps.settled)
    for replica, weights in enumerate((first, second)):
        alone = losses(taught, steps, scope, weights=weights, settled=steps.settled)
        for name, loss in alone.items():
            assert found[name][replica] == loss[replica], name
    assert found["penalty"].tolist() == [1.5, 6.0]


# ---- where a pointer counts


@pytest.mark.parametrize("task", ["prim", "dijkstra", "bfs+bellman-ford"])
@pytest.mark.parametrize("replicas", [1, 3])
def test_a_pointer_counts_where_it_is_written_or_wherever_it_is_defined(task, replicas):
    steps = steps_of(task, replicas)
    scope = scope_of(steps.task)
    taught = random_scores(steps, scope)
    written, defined = (losses(taught, steps, scope, written_only=only) for only in (True, False))
    somewhere = (steps.targets["predecessor"] >= 0) & counting(steps)[steps.edges.graph_of_node]
    for replica in range(replicas):
        scores = taught.scores["predecessor"]
        expected = by_hand("predecessor", scores, steps, replica, somewhere)
        assert defined["predecessor"][replica].item() == pytest.approx(expected, rel=1e-5)
    same = torch.equal(somewhere, steps.supervised("predecessor"))
    assert same == (task == "bfs+bellman-ford")
    assert torch.equal(written["predecessor"], defined["predecessor"]) == same
    for name in written.keys() - {"predecessor"}:
        assert torch.equal(written[name], defined[name]), name
