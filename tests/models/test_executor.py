"""The neural executor: all steps at once or one by one, many graphs or one, alone or replicated."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch
from torch.testing import assert_close

from neuralexec import InputError, Problem, collate, find_task
from neuralexec.batches import Batch, Steps, begin, longest_first, side_by_side
from neuralexec.models.executor import Architecture, NeuralExecutor, State, Step, Taught
from neuralexec.models.processors import processors
from neuralexec.models.rollout import Moment, Rollout, execute, rollout
from tests.models.processors.building import EVERY, LAYER
from tests.models.replicas import stacked
from tests.models.small_graphs import LATENT, TASKS, hubs, three_problems

CHOOSING = ["prim", "dijkstra"]
# Attention over nodes that are alike makes nodes that are alike, and rounding chooses among them.
UNTIED = [
    (task, processor)
    for task in TASKS
    for processor in EVERY
    if task not in CHOOSING or processor in ("mpnn-max", "mpnn-mean", "mpnn-sum", "lstm")
]
every_task = pytest.mark.parametrize("task", TASKS)
every_processor = pytest.mark.parametrize("processor", EVERY)


def executor_for(*tasks: str, seed: int = 0, **options) -> NeuralExecutor:
    architecture = Architecture(**{"latent": LATENT, **options})
    if architecture.processor.startswith("pyg:"):
        pytest.importorskip("torch_geometric")
    torch.manual_seed(seed)
    return NeuralExecutor(architecture, map(find_task, tasks)).eval()


def batch_of(task: str, several: list[Problem] | None = None):
    return longest_first(collate(several or three_problems(), find_task(task)))


# ---- all steps at once, and one by one


def check_taught(taught: Taught, steps: Steps, moments: list[Moment]) -> None:
    """Of every step, what is said of the graphs that still run: they are the first."""
    assert len(moments) == len(steps.graphs_at)
    first = {"graphs": 0, "nodes": 0, "edges": 0}
    for num_graphs, moment in zip(steps.graphs_at, moments, strict=True):
        now = steps.edges.first(num_graphs)
        size = {"graphs": num_graphs, "nodes": now.num_nodes, "edges": now.num_edges}

        def at_once(values, axis, size=size):
            return values[..., first[axis] : first[axis] + size[axis]]

        said = moment.terminated[..., :num_graphs]
        assert_close(at_once(taught.termination, "graphs").sigmoid(), said)
        for name, scores in taught.scores.items():
            axis = "edges" if name == "predecessor" else "nodes"
            own = moment.scores[name][..., : size[axis]]
            assert_close(at_once(scores, axis), own, msg=lambda text, name=name: f"{name}: {text}")
        first = {axis: start + size[axis] for axis, start in first.items()}
    assert first["nodes"] == steps.edges.num_nodes


@every_task
@every_processor
@pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not-recurrent"])
def test_teaching_says_what_forced_steps_say(task, processor, recurrent):
    executor = executor_for(task, processor=processor, recurrent=recurrent)
    batch = batch_of(task)
    steps = side_by_side(batch)
    moments = execute(executor, batch.start, lengths=batch.num_steps, forced=batch.states)
    with torch.no_grad():
        check_taught(executor.teach(steps), steps, list(moments))


@pytest.mark.parametrize("readout", ["min", "max"])
@pytest.mark.parametrize("scorer", ["linear", "both"])
def test_teaching_says_what_forced_steps_say_with_other_heads(readout, scorer):
    executor = executor_for(
        "bfs+bellman-ford", readout=readout, scorer=scorer, encoder_relu=True, message_relu=True
    )
    batch = batch_of("bfs+bellman-ford")
    steps = side_by_side(batch)
    moments = execute(executor, batch.start, lengths=batch.num_steps, forced=batch.states)
    check_taught(executor.teach(steps), steps, list(moments))


@pytest.mark.parametrize("task", ["bfs+bellman-ford", "prim", "dijkstra"])
def test_without_the_algorithm_every_step_reads_the_first_input(task):
    executor = executor_for(task, variant="no-algo")
    batch = batch_of(task)
    only_start = {name: rows[:1].expand_as(rows) for name, rows in batch.states.items()}
    steps = side_by_side(batch, reading=only_start)
    taught = executor.teach(steps)
    assert list(taught.scores) == ["predecessor"]
    moments = list(execute(executor, batch.start, lengths=batch.num_steps))
    check_taught(taught, steps, moments)
    forced = execute(executor, batch.start, lengths=batch.num_steps, forced=batch.states)
    check_taught(taught, steps, list(forced))


@pytest.mark.xfail(reason="advance never writes the pointers of prim and dijkstra; see test_decide")
@pytest.mark.parametrize("task", CHOOSING)
def test_without_the_algorithm_predecessors_are_still_said(task):
    batch = batch_of(task)
    run = rollout(executor_for(task, variant="no-algo"), batch.start, lengths=batch.num_steps)
    assert not torch.equal(run.states["predecessor"][-1], run.states["predecessor"][0])


@pytest.mark.parametrize("processor", ["gat", "gat-full-transformer"])
@pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not-recurrent"])
def test_the_penalty_is_of_every_node_at_every_step(processor, recurrent):
    executor = executor_for("bfs", processor=processor, recurrent=recurrent, sharpening="entropy")
    steps = side_by_side(batch_of("bfs"))
    penalty = executor.teach(steps).penalty
    assert penalty.shape == (steps.edges.num_nodes,)
    assert executor_for("bfs", processor=processor).teach(steps).penalty is None
    longest = side_by_side(batch_of("bfs").select(torch.tensor([0])))
    alone = executor.teach(longest).penalty.split(4)
    firsts = steps.edges.node_offsets[torch.tensor([0, *steps.graphs_at]).cumsum(0)[:-1]]
    for first, own in zip(firsts.tolist(), alone, strict=True):
        assert_close(penalty[first : first + 4], own)


# ---- many graphs, and one


def the_run_of_each(executor: NeuralExecutor, batch: Batch) -> Iterator[tuple[Batch, Rollout]]:
    """Each graph as it went among the others, and on its own."""
    run = rollout(executor, batch.start, lengths=batch.num_steps)
    for graph in range(batch.num_graphs):
        own = replace(batch, states=run.states).select(torch.tensor([graph]))
        yield own, rollout(executor, own.start, lengths=own.num_steps)


@pytest.mark.parametrize(("task", "processor"), UNTIED)
@torch.no_grad()
def test_a_run_of_many_graphs_is_the_run_of_each(task, processor):
    executor, batch = executor_for(task, processor=processor), batch_of(task, hubs())
    for own, alone in the_run_of_each(executor, batch):
        for name, values in alone.states.items():
            assert_close(own.states[name], values, msg=lambda text, name=name: f"{name}: {text}")


@every_task
@every_processor
@torch.no_grad()
def test_a_step_of_many_graphs_is_the_step_of_each(task, processor):
    """Where it went among the others, each graph alone says the same, tied or not."""
    executor, batch = executor_for(task, processor=processor), batch_of(task)
    together = list(execute(executor, batch.start, lengths=batch.num_steps))
    for graph, (own, _) in enumerate(the_run_of_each(executor, batch)):
        alone = execute(executor, own.start, lengths=own.num_steps, forced=own.states)
        nodes = slice(*batch.edges.node_offsets[graph : graph + 2].tolist())
        edges = slice(*batch.edges.edge_offsets[graph : graph + 2].tolist())
        for moment, found in zip(alone, together, strict=False):
            assert_close(found.terminated[graph, None], moment.terminated)
            for name, scores in moment.scores.items():
                where = edges if name == "predecessor" else nodes
                assert_close(found.scores[name][where], scores)


@every_task
def test_a_run_ends_by_itself_at_the_first_step_that_says_so(task):
    for seed in range(3):
        executor = executor_for(task, seed=seed)
        start = begin(three_problems(), find_task(task))
        run = rollout(executor, start)
        sizes = start.edges.num_nodes_of_graph.tolist()
        for graph, (num_steps, size) in enumerate(zip(run.num_steps.tolist(), sizes, strict=True)):
            said = (run.terminated[:num_steps, graph] > 0.5).tolist()
            assert not any(said[:-1])
            assert said[-1] == run.stopped_itself[graph]
            assert said[-1] or num_steps == size


# ---- replicas


def three_alike(task: str, **options) -> list[NeuralExecutor]:
    return [executor_for(task, seed=seed, **options) for seed in range(3)]


@every_task
@pytest.mark.parametrize("processor", processors())
@pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not-recurrent"])
@torch.no_grad()
def test_replicas_say_what_each_says(task, processor, recurrent):
    several = three_alike(task, processor=processor, recurrent=recurrent)
    together, steps = stacked(several), side_by_side(batch_of(task))
    assert (together.replicas, several[0].replicas) == ((3,), ())
    check_taught_alike(together.teach(steps), [executor.teach(steps) for executor in several])


@pytest.mark.parametrize(("task", "processor"), [pair for pair in UNTIED if LAYER not in pair])
@torch.no_grad()
def test_replicas_run_as_each_runs(task, processor):
    several = three_alike(task, processor=processor)
    start, lengths = begin(hubs(), find_task(task)), torch.tensor([2, 4, 1])
    together = rollout(stacked(several), start, lengths=lengths)
    for place, executor in enumerate(several):
        alone = rollout(executor, start, lengths=lengths)
        assert_close(together.terminated[:, place], alone.terminated)
        for name, values in alone.states.items():
            assert_close(together.states[name][:, place], values)


@pytest.mark.parametrize("processor", processors())
@torch.no_grad()
def test_replicas_read_the_true_states_when_forced(processor):
    several = three_alike("prim", processor=processor)
    batch = batch_of("prim")
    steps = side_by_side(batch)
    moments = execute(stacked(several), batch.start, lengths=batch.num_steps, forced=batch.states)
    check_taught(stacked(several).teach(steps), steps, list(moments))


def check_taught_alike(together: Taught, several: list[Taught]) -> None:
    for place, alone in enumerate(several):
        assert_close(together.termination[place], alone.termination)
        for name, scores in alone.scores.items():
            assert_close(together.scores[name][place], scores)


def test_replicas_end_by_themselves_each_in_its_time():
    several = [executor_for("bfs+bellman-ford", seed=seed) for seed in range(8)]
    start = begin(three_problems(), find_task("bfs+bellman-ford"))
    together = rollout(stacked(several), start)
    alone = [rollout(executor, start) for executor in several]
    assert together.num_steps.tolist() == [run.num_steps.tolist() for run in alone]
    assert together.stopped_itself.tolist() == [run.stopped_itself.tolist() for run in alone]
    assert len({str(run.num_steps.tolist()) for run in alone}) > 1
    for place, run in enumerate(alone):
        assert_close(together.states["distance"][-1, place], run.states["distance"][-1])


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


# ---- what a step can be asked, and what cannot be built


def test_what_stops_it_is_a_probability_above_one_half():
    executor = executor_for("bfs")
    step = Step({}, {}, torch.tensor([0.4, 0.5, 0.6]))
    assert executor.stop(step).tolist() == [False, False, True]


@pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not-recurrent"])
def test_the_latent_is_remembered_if_it_is_recurrent(recurrent):
    executor, start = executor_for("bfs", recurrent=recurrent), batch_of("bfs").start
    fresh = executor.step(start, executor.start(start))
    remembering = executor.step(start, State(start.signals, fresh.memory + 1))
    same = torch.equal(fresh.scores["reachable"], remembering.scores["reachable"])
    assert same != recurrent


def test_a_step_can_be_asked_for_some_signals_only():
    executor, start = executor_for("dijkstra"), batch_of("dijkstra").start
    state = executor.start(start)
    everything, some = executor.step(start, state), executor.step(start, state, only=["next"])
    assert list(everything.decided) == ["distance", "next", "predecessor"]
    assert list(some.decided) == list(some.scores) == ["next"]
    assert torch.equal(some.decided["next"], everything.decided["next"])


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
    steps, misled = side_by_side(batch), side_by_side(batch, reading=blind)
    taught = executor.teach(steps)
    assert list(taught.scores) == ["distance", "predecessor"]
    assert torch.equal(taught.scores["distance"], executor.teach(misled).scores["distance"])
    full = executor_for("bfs+bellman-ford")
    assert not torch.equal(
        full.teach(steps).scores["distance"], full.teach(misled).scores["distance"]
    )
    run = rollout(executor, batch.start, lengths=batch.num_steps)
    assert torch.equal(run.states["reachable"][-1], batch.states["reachable"][0])


@every_processor
def test_everything_is_taught(processor):
    """Every parameter of a recurrent network has a gradient through time."""
    executor = executor_for("dijkstra", processor=processor).train()
    taught = executor.teach(side_by_side(batch_of("dijkstra")))
    total = sum(scores.square().sum() for scores in taught.scores.values())
    (total + taught.termination.square().sum()).backward()
    for name, parameter in executor.named_parameters():
        assert torch.isfinite(parameter.grad).all(), name
