"""The neural executor: many graphs or one, unknown answers, and what it refuses."""

from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from neuralexec import InputError, collate, find_task
from neuralexec.batches import begin, side_by_side
from neuralexec.models.executor import State, Step
from neuralexec.models.infinity import MARGIN
from neuralexec.models.rollout import execute, rollout
from tests.batches.in_time import edges_of_graph, nodes_of, of_graph
from tests.models.networks import (
    RELATIVE,
    UNTIED,
    batch_of,
    every_processor,
    every_task,
    executor_for,
    recurrent_or_not,
)
from tests.models.processors.building import LAYER
from tests.models.small_graphs import LATENT, hubs, three_problems

# ---- many graphs, and one


@pytest.mark.parametrize(("task", "processor"), UNTIED)
@torch.no_grad()
def test_a_run_of_many_graphs_is_the_run_of_each(task, processor):
    executor, several = executor_for(task, processor=processor), hubs()
    batch = batch_of(task, several)
    together = rollout(executor, batch.start, lengths=batch.num_steps)
    for graph, problem in enumerate(several):
        own = batch_of(task, [problem])
        alone = rollout(executor, own.start, lengths=own.num_steps)
        for t in range(own.most_steps + 1):
            for name, values in alone.states.items():
                kind = batch.task.signals[name].kind
                found = of_graph(kind, together.states[name][t], batch.edges, graph)
                expected = of_graph(kind, values[t], own.edges, 0)
                assert found == pytest.approx(expected, rel=1e-4, abs=1e-6), name


@every_task
@every_processor
@torch.no_grad()
def test_a_step_of_many_graphs_is_the_step_of_each(task, processor):
    """Reading the same, each graph alone says the same, tied or not."""
    executor, batch = executor_for(task, processor=processor), batch_of(task)
    lengths, forced = batch.num_steps, batch.states
    together = list(execute(executor, batch.start, lengths=lengths, forced=forced))
    for graph, problem in enumerate(three_problems()):
        own = collate([problem], batch.task)
        alone = execute(executor, own.start, lengths=own.num_steps, forced=own.states)
        for moment, found in zip(alone, together, strict=False):
            assert_close(found.terminated[graph, None], moment.terminated)
            for name, scores in moment.scores.items():
                part = edges_of_graph if name == "predecessor" else nodes_of
                assert_close(found.scores[name][part(batch.edges, graph)], scores)


@every_task
def test_a_run_ends_by_itself_at_the_first_step_that_says_so(task):
    for seed in range(3):
        executor = executor_for(task, seed=seed)
        start = begin(three_problems(), find_task(task))
        run = rollout(executor, start)
        caps = (start.edges.num_nodes_of_graph + start.task.more_steps_than_nodes).tolist()
        for graph, (num_steps, cap) in enumerate(zip(run.num_steps.tolist(), caps, strict=True)):
            said = (run.terminated[:num_steps, graph] > 0.5).tolist()
            assert not any(said[:-1])
            assert said[-1] == run.stopped_itself[graph]
            assert said[-1] or num_steps == cap


# ---- graphs whose answer nobody knows


@every_processor
@pytest.mark.parametrize("task", ["bfs+bellman-ford", "dijkstra"])
@pytest.mark.parametrize("variant", ["full", "no-algo"])
def test_an_infinite_infinity_makes_no_nan(processor, task, variant):
    executor = executor_for(task, processor=processor, variant=variant)
    start = begin(three_problems(), find_task(task))
    assert start.signals["distance"].isinf().sum() == 6
    for moment in execute(executor, start):
        assert not moment.signals["distance"].isnan().any()
        assert torch.isfinite(moment.terminated).all()
        for scores in moment.scores.values():
            assert torch.isfinite(scores).all()


def test_where_the_distance_comes_out_high_it_is_infinite_still():
    """An executor that says 100 everywhere, then one that says 0.5."""
    executor = executor_for("bellman-ford")
    start = begin(three_problems(), find_task("bellman-ford"))
    readout = executor.heads_of(start.task).decoders["distance"].linear
    infinite = start.signals["distance"].isinf()
    with torch.no_grad():
        readout.weight.zero_()
        readout.bias.fill_(100)
        high = executor.step(start, executor.start(start)).decided["distance"]
        readout.bias.fill_(0.5)
        low = executor.step(start, executor.start(start)).decided["distance"]
    assert torch.equal(high.isinf(), infinite)
    assert (high[~infinite] == 100).all()
    assert (low == 0.5).all()


def test_the_paper_s_finite_infinity_is_read_as_it_is():
    batch = batch_of("bellman-ford")
    executor = executor_for("bellman-ford")
    step = executor.step(batch.start, executor.start(batch.start))
    assert torch.equal(step.decided["distance"], step.scores["distance"])


def reading_of(executor, start, state) -> torch.Tensor:
    """The distances as the encoder is fed them."""
    heads = executor.heads_of(start.task)
    fed = []
    with pytest.MonkeyPatch.context() as patch:
        plain = heads.features
        patch.setattr(heads, "features", lambda *given: fed.append(plain(*given)) or fed[-1])
        executor.step(start, state)
    return fed[0][:, heads.scope.fed.index("distance")]


@pytest.mark.parametrize("relative", [True, False])
def test_relatively_the_paper_s_infinity_is_read_as_any_other(relative):
    """Of a triangle with a node out of reach, a path and a node alone, before the first step."""
    executor = executor_for("bellman-ford", **{**RELATIVE, "relative": relative})
    for infinity in (50.0, torch.inf):
        several = [replace(problem, infinity=infinity) for problem in three_problems()]
        start = begin(several, find_task("bellman-ford"))
        plain = infinity == 50 and not relative
        no_path = 50 if plain else MARGIN
        found = reading_of(executor, start, executor.start(start)).tolist()
        assert found == [*(no_path, 0, no_path, no_path), *(0, no_path, no_path, no_path), 0]


def test_relatively_what_comes_out_high_is_the_paper_s_infinity_still():
    """An executor that adds nothing, or 0.25, to every distance."""
    executor = executor_for("bellman-ford", **RELATIVE)
    several = [replace(problem, infinity=50.0) for problem in three_problems()]
    start = begin(several, find_task("bellman-ford"))
    heads = executor.heads_of(start.task)
    with torch.no_grad():
        for values in (heads.decoders["distance"].linear.weight, heads.encoder.linear.bias):
            values.zero_()
        for by, after in ((0.25, 50.0), (-0.25, 50.0), (-1.0, MARGIN - 1)):
            heads.decoders["distance"].linear.bias.fill_(by)
            found = executor.step(start, executor.start(start)).decided["distance"]
            expected = torch.where(start.signals["distance"] > 0, after, by)
            assert_close(found, expected)


def test_how_nodes_see_termination_is_taught_where_it_is_asked_for():
    executor, steps = executor_for("bfs+bellman-ford"), side_by_side(batch_of("bfs+bellman-ford"))
    assert executor.teach(steps).settled is None
    taught = executor.teach(steps, at_nodes=True)
    assert taught.settled.shape == (steps.edges.num_nodes,)
    for number, termination in enumerate(taught.termination):
        assert_close(taught.settled[nodes_of(steps.edges, number)].min(), termination)


# ---- what a step can be asked, and what cannot be built


def test_what_stops_it_is_a_probability_above_one_half():
    executor = executor_for("bfs")
    step = Step({}, {}, torch.tensor([0.4, 0.5, 0.6]))
    assert executor.stop(step).tolist() == [False, False, True]


@recurrent_or_not
def test_the_latent_is_remembered_if_it_is_recurrent(recurrent):
    executor, start = executor_for("bfs", recurrent=recurrent), batch_of("bfs").start
    fresh = executor.step(start, executor.start(start))
    assert (fresh.memory is not None) == recurrent
    memory = torch.ones(start.edges.num_nodes, LATENT)
    remembering = executor.step(start, State(start.signals, memory))
    same = torch.equal(fresh.scores["reachable"], remembering.scores["reachable"])
    assert same != recurrent


def test_an_executor_says_everything_or_some_signals_only():
    executor, start = executor_for("dijkstra"), batch_of("dijkstra").start
    given = start.task, start.signals, None, start.edges
    everything, latent = executor.say(*given)
    some, same = executor.say(*given, only=["next"])
    assert list(everything.scores) == ["distance", "next", "predecessor"]
    assert list(some.scores) == ["next"]
    assert some.termination is None
    assert_close(some.scores["next"], everything.scores["next"])
    assert torch.equal(latent, same)
    step = executor.step(start, executor.start(start))
    assert_close(step.scores["distance"], everything.scores["distance"])
    assert_close(step.terminated, everything.termination.sigmoid())


def test_a_gate_reaches_the_processor():
    executor, start = executor_for("bfs"), batch_of("bfs").start
    state = executor.start(start)
    plain = executor.step(start, state).scores["reachable"]
    is_open = torch.ones(start.edges.num_edges)
    shut = (start.edges.senders == start.edges.receivers).float()
    assert_close(executor.step(start, state, gate=is_open).scores["reachable"], plain)
    assert not torch.allclose(executor.step(start, state, gate=shut).scores["reachable"], plain)
    with pytest.raises(InputError, match="gate"):
        executor_for("bfs", processor="lstm").step(start, state, gate=is_open)


def test_tasks_share_the_processor_and_nothing_else():
    both = executor_for("bfs+bellman-ford", "prim")
    assert set(both.heads) == {"bfs+bellman-ford", "prim"}
    parts = [both.processor, *both.heads.values()]
    assert both.num_parameters == sum(
        parameter.numel() for part in parts for parameter in part.parameters()
    )
    both.teach(side_by_side(batch_of("prim"))).termination.sum().backward()
    heads = both.heads["bfs+bellman-ford"]
    assert all(parameter.grad is None for parameter in heads.parameters())
    assert any(parameter.grad is not None for parameter in both.processor.parameters())


def test_a_task_it_was_not_made_for_is_refused():
    executor, start = executor_for("bfs", "prim"), batch_of("dijkstra").start
    with pytest.raises(InputError, match="trained for bfs, prim, not for dijkstra"):
        executor.start(start)


@pytest.mark.parametrize("processor", ["mpnn-max", "lstm", LAYER])
@pytest.mark.parametrize("sharpening", ["entropy", "gumbel"])
def test_there_is_nothing_to_sharpen_without_attention(processor, sharpening):
    with pytest.raises(InputError, match=f"{processor} has no attention to sharpen"):
        executor_for("bfs", processor=processor, sharpening=sharpening)


@pytest.mark.parametrize(
    ("task", "variant"), [("bfs", "no-algo"), ("prim", "no-reach"), ("bfs", "no-reach")]
)
def test_a_variant_without_meaning_for_the_task_is_refused(task, variant):
    with pytest.raises(InputError, match=variant):
        executor_for(task, variant=variant)


def test_no_reach_neither_reads_nor_says_what_is_reachable():
    executor, batch = (
        executor_for("bfs+bellman-ford", variant="no-reach"),
        batch_of("bfs+bellman-ford"),
    )
    blind = {**batch.states, "reachable": ~batch.states["reachable"]}
    steps, misled = side_by_side(batch), side_by_side(replace(batch, states=blind))
    taught = executor.teach(steps)
    assert list(taught.scores) == ["distance", "predecessor"]
    assert torch.equal(taught.scores["distance"], executor.teach(misled).scores["distance"])
    full = executor_for("bfs+bellman-ford")
    assert not torch.equal(
        full.teach(steps).scores["distance"], full.teach(misled).scores["distance"]
    )
    run = rollout(executor, batch.start, lengths=batch.num_steps)
    assert torch.equal(run.states["reachable"][-1], batch.states["reachable"][0])
