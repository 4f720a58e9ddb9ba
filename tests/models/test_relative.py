"""Networks for which distances count relative to each other only."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from neuralexec import Problem, Split, collate, find_task
from neuralexec.batches import Batch, Edges, begin, side_by_side
from neuralexec.models.decide import decide
from neuralexec.models.executor import NeuralExecutor, State, Step
from neuralexec.models.heads import Said
from neuralexec.models.kernels import log_softmax, using
from neuralexec.models.rollout import execute, rollout
from neuralexec.models.scope import scope_of
from neuralexec.training.losses import losses
from tests.models.kernels.implementations import everywhere, one_or_three
from tests.models.networks import RELATIVE, batch_of, executor_for, sharpened
from tests.models.replicas import stacked
from tests.models.small_graphs import (
    as_many_each,
    edges_from,
    hubs,
    kite,
    three_problems,
    union,
)
from tests.models.written_by_hand import written_by_hand

PATHS = ["bellman-ford", "bfs+bellman-ford", "dijkstra"]
MOVING = [*PATHS, "connected-components"]
STILL = ["bfs", "prim"]
every_path = pytest.mark.parametrize("task", PATHS)
every_moving = pytest.mark.parametrize("task", MOVING)
max_or_mean = pytest.mark.parametrize("processor", ["mpnn-max", "mpnn-mean"])


def relative(task: str, **options) -> NeuralExecutor:
    return sharpened(executor_for(task, sharp=True, **{**RELATIVE, **options}))


def two_graphs() -> Edges:
    """Every node has a self-edge."""
    pair = edges_from([2], [(0, 0, 0.9), (1, 0, 0.4), (0, 1, 0.3), (1, 1, 0.7)], torch.float64)
    return union(kite(torch.float64), pair)


BY = torch.tensor([1000.0] * 4 + [-70.0] * 2, dtype=torch.float64)
"""Added to the distances of two graphs: to those of each, one number."""


def number_of(task: str) -> str:
    """The signal that is moved."""
    return "label" if task == "connected-components" else "distance"


def signals(task: str, edges: Edges, by: Tensor) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(1)
    drawn = torch.rand(2, edges.num_nodes, generator=generator, dtype=torch.float64)
    fed, moved = scope_of(find_task(task)).fed, number_of(task)
    return {name: 5 * drawn[0] + by if name == moved else drawn[1] < 0.5 for name in fed}


def said_and_latent(
    executor: NeuralExecutor, task: str, edges: Edges, by: Tensor, gate: Tensor | None = None
) -> tuple[Said, Tensor]:
    return executor.say(find_task(task), signals(task, edges, by), None, edges, gate=gate)


def assert_moved(before: Said, after: Said, edges: Edges, by: Tensor, task: str, **closely) -> None:
    """The distances by so much, all else not at all: of edges into one node, what tells them
    apart."""
    moved = number_of(task)
    assert_close(after.termination, before.termination, **closely)
    for name, scores in before.scores.items():
        found = after.scores[name]
        if name == "predecessor":
            found, scores = (log_softmax(values, edges.offsets) for values in (found, scores))
        assert_close(found, scores + by if name == moved else scores, **closely)
    nothing = {"settled": torch.zeros(edges.num_nodes, dtype=torch.bool, device=by.device)}
    decided = [decide(find_task(task), one.scores, nothing, edges) for one in (before, after)]
    for name in decided[0].keys() - {moved}:
        assert torch.equal(decided[0][name], decided[1][name]), name


EXACTLY = {"rtol": 0, "atol": 1e-9}


@every_moving
@max_or_mean
@pytest.mark.parametrize("scorer", ["linear", "both"])
@pytest.mark.parametrize("gated", [False, True], ids=["", "gated"])
@torch.no_grad()
def test_what_is_added_to_all_distances_is_added_to_the_outcome(task, processor, scorer, gated):
    executor = relative(task, processor=processor, scorer=scorer).double()
    edges = two_graphs()
    gate = torch.linspace(0.2, 1, edges.num_edges, dtype=torch.float64) if gated else None
    before, latent = said_and_latent(executor, task, edges, 0 * BY, gate)
    after, same_latent = said_and_latent(executor, task, edges, BY, gate)
    assert_close(same_latent, latent, **EXACTLY)
    assert_moved(before, after, edges, BY, task, **EXACTLY)


@max_or_mean
@torch.no_grad()
def test_what_no_edge_carries_does_not_count(processor):
    """A number added around a node moves that node, whatever happens further away."""
    executor, edges = relative("bfs+bellman-ford", processor=processor).double(), two_graphs()
    by = torch.tensor([0, 0, 40.0, 40.0, 0, 0], dtype=torch.float64)  # 3 hangs on 2 only
    before, latent = said_and_latent(executor, "bfs+bellman-ford", edges, 0 * by)
    after, moved = said_and_latent(executor, "bfs+bellman-ford", edges, by)
    assert_close(moved[3], latent[3], **EXACTLY)
    assert not torch.allclose(moved[2], latent[2])
    assert_close(after.scores["distance"][3], before.scores["distance"][3] + 40, **EXACTLY)


@pytest.mark.parametrize(
    "changes",
    [
        {"relative": False},
        {"processor": "mpnn-sum"},
        {"message_relu": True},
        {"encoder_relu": True},
    ],
    ids=str,
)
@torch.no_grad()
def test_of_other_networks_that_does_not_hold(changes):
    executor, edges = relative("bellman-ford", **changes).double(), two_graphs()
    by = BY / 100
    before, latent = said_and_latent(executor, "bellman-ford", edges, 0 * by)
    after, moved = said_and_latent(executor, "bellman-ford", edges, by)
    found = after.scores["distance"] - before.scores["distance"]
    assert not torch.allclose(moved, latent, atol=1e-3)
    assert not torch.allclose(found, by, atol=1e-3)


# ---- all steps at once


@every_moving
@max_or_mean
@everywhere
@one_or_three
@torch.no_grad()
def test_all_steps_of_all_replicas_move_along(task, processor, kernels, device, replicas):
    several = [relative(task, seed=seed, processor=processor) for seed in range(replicas)]
    executor = stacked(several).to(device)
    steps = side_by_side(batch_of(task, as_many_each()).to(device), replicas=replicas)
    by = torch.linspace(-3, 5, 9, device=device)
    moved = steps.translated(by)
    scope = executor.heads_of(steps.task).scope
    with using(kernels):
        before, after = (executor.teach(one, at_nodes=True) for one in (steps, moved))
        assert_moved(before, after, steps.edges, steps.of_nodes(by), task, rtol=1e-4, atol=1e-4)
        assert_close(after.settled, before.settled, rtol=1e-4, atol=1e-4)
        expected = losses(before, steps, scope, settled=steps.settled)
        for name, loss in losses(after, moved, scope, settled=steps.settled).items():
            assert_close(loss, expected[name], rtol=1e-3, atol=1e-3)


@every_moving
@max_or_mean
def test_everything_is_taught(task, processor):
    executor = executor_for(task, sharp=True, processor=processor, **RELATIVE).train()
    taught = executor.teach(side_by_side(batch_of(task, as_many_each())))
    total = sum(scores.square().sum() for scores in taught.scores.values())
    (total + taught.termination.square().sum()).backward()
    for name, parameter in executor.named_parameters():
        assert torch.isfinite(parameter.grad).all(), name
        assert parameter.grad.any(), name


@every_moving
@max_or_mean
@torch.no_grad()
def test_teaching_says_what_a_step_says(task, processor):
    executor = relative(task, processor=processor)
    start = batch_of(task, hubs()).start
    batch = Batch(
        start.task,
        (None,) * 3,
        start.edges,
        torch.ones(3, dtype=torch.int64),
        {name: torch.stack((values, values)) for name, values in start.signals.items()},
    )
    taught = executor.teach(side_by_side(batch))
    said, _ = executor.say(start.task, start.signals, None, start.edges)
    assert_close(taught.termination, said.termination)
    for name, scores in said.scores.items():
        assert_close(taught.scores[name], scores)


# ---- steps and runs


def moved_state(batch: Batch, step: int, by: float) -> State:
    """The true one with what is reached moved, and no path where there is none."""
    signals = {name: values[step] for name, values in batch.states.items()}
    no_path = signals["distance"] == batch.states["distance"][0]
    no_path = no_path & (signals["distance"] > 0)
    distance = torch.where(no_path, torch.inf, signals["distance"] + by)
    return State({**signals, "distance": distance})


def step_at(executor: NeuralExecutor, task: str, by: float) -> Step:
    """The second step of three graphs."""
    return executor.step(begin(hubs(), find_task(task)), moved_state(batch_of(task, hubs()), 1, by))


@every_path
@torch.no_grad()
def test_with_no_path_yet_a_step_moves_along_too(task):
    for seed in range(5):
        executor = relative(task, seed=seed)
        before, after = step_at(executor, task, 0), step_at(executor, task, 16)
        infinite = before.decided["distance"].isinf()
        assert torch.equal(after.decided["distance"].isinf(), infinite)
        known = ~infinite
        found = after.decided["distance"][known] - before.decided["distance"][known]
        assert_close(found, torch.full_like(found, 16), rtol=0, atol=1e-4)
        assert_close(after.terminated, before.terminated, rtol=0, atol=1e-4)
        for name in before.decided.keys() - {"distance", "next"}:
            assert torch.equal(after.decided[name], before.decided[name]), name
        if task == "dijkstra":  # nodes may be tied
            assert_close(after.scores["next"], before.scores["next"], rtol=0, atol=1e-4)


def drawn() -> list[Problem]:
    """Every family; of 24 nodes, some of them out of reach."""
    return [*Split("test", 24, 2).draw(), *three_problems(), *hubs()]


def assert_right(executor: NeuralExecutor, several: list[Problem], *, paper: bool) -> None:
    """It stops when the algorithms do, and every state on the way is theirs."""
    truth = collate(several, find_task("bfs+bellman-ford"))
    start = truth.start if paper else begin(several, truth.task)
    run = rollout(executor, start)
    assert run.num_steps.tolist() == truth.num_steps.tolist()
    assert run.stopped_itself.all()
    assert torch.equal(run.states["reachable"], truth.states["reachable"])
    infinity = truth.states["distance"].amax(0)
    found = torch.where(run.states["distance"].isinf(), infinity, run.states["distance"])
    assert_close(found, truth.states["distance"], rtol=0, atol=1e-5)
    assert run.states["distance"].isinf().any() != paper
    others = truth.states["distance"][0] > 0  # the source points at itself, which nobody learns
    predecessors = [one.states["predecessor"][1:, others] for one in (run, truth)]
    assert torch.equal(*predecessors)


@pytest.mark.parametrize("paper", [True, False], ids=["longest-plus-1", "infinite"])
@torch.no_grad()
def test_bellman_ford_can_be_written_as_such_a_network(paper):
    """And so runs the same, whichever infinity it is given."""
    assert_right(written_by_hand(), drawn(), paper=paper)


@torch.no_grad()
def test_written_by_hand_it_answers_nothing_along_the_distance_as_it_is():
    """The corrections leave alone what is right."""
    executor = written_by_hand()
    along = executor.heads_of(executor.tasks[0]).along
    assert along.tolist() == [1, 0, 0]
    corrected, plain = executor.processor.cell(along=along), executor.processor.cell()
    assert torch.equal(corrected.own, plain.own)


@torch.no_grad()
def test_far_from_the_end_any_network_runs_the_same_whichever_infinity_it_is_given():
    """The paper's is not read until distances come close to it."""
    several, task = drawn(), find_task("bfs+bellman-ford")
    remote = [replace(problem, infinity=1e6) for problem in several]
    for seed in range(3):
        executor = relative("bfs+bellman-ford", seed=seed)
        endless, finite = (
            list(execute(executor, begin(given, task), lengths=torch.full((len(given),), 4)))
            for given in (several, remote)
        )
        for one, other in zip(endless, finite, strict=True):
            assert torch.equal(one.terminated, other.terminated)
            for name in ("reachable", "predecessor"):
                assert torch.equal(one.signals[name], other.signals[name])
            distance = other.signals["distance"]
            distance = distance.masked_fill(distance == 1e6, torch.inf)
            assert torch.equal(one.signals["distance"], distance)


# ---- where nothing counts relatively, and what cannot roll


@pytest.mark.parametrize("task", STILL)
@torch.no_grad()
def test_a_task_without_distances_is_as_it_would_be(task):
    ours, plain = (
        executor_for(task, **{**RELATIVE, "relative": relative}) for relative in (True, False)
    )
    assert ours.heads_of(find_task(task)).along is None
    assert ours.state_dict().keys() == plain.state_dict().keys()
    steps = side_by_side(batch_of(task))
    found, expected = ours.teach(steps), plain.teach(steps)
    assert torch.equal(found.termination, expected.termination)
    for name, scores in expected.scores.items():
        assert torch.equal(found.scores[name], scores)


def test_what_is_read_relatively_cannot_be_rolled_in_one():
    for task in [*MOVING, *STILL]:
        plain, ours = executor_for(task, recurrent=False), executor_for(task, **RELATIVE)
        rolls = plain.can_roll(find_task(task))
        assert ours.can_roll(find_task(task)) == (rolls and task in STILL)
