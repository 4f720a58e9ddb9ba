"""The loop around an executor, shown on executors that are no networks."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Graph, Kind, Problem, collate, find_task, run_to_end, with_paper_infinity
from neuralexec.algorithms import UNDEFINED
from neuralexec.batches import Batch, Start, begin
from neuralexec.graphs.dress import with_self_edges
from neuralexec.models.executor import State, Step
from neuralexec.models.rollout import Rollout, execute, rollout
from tests.models.small_graphs import TASKS, three_problems
from tests.models.true_executor import TrueExecutor
from tests.problem_strategies import problems

several_problems = st.lists(problems(directed=False), min_size=1, max_size=4)


def with_loops(several: list[Problem]) -> list[Problem]:
    return [replace(problem, graph=with_self_edges(problem.graph)) for problem in several]


def true_run(name: str, several: list[Problem]) -> tuple[Batch, TrueExecutor]:
    """The true states, and an executor that knows them."""
    task = find_task(name)
    return collate(several, task), TrueExecutor(with_paper_infinity(with_loops(several)), task)


def check(run: Rollout, batch: Batch) -> None:
    """Every state is the true one; a pointer where its mask covers it."""
    assert run.num_steps.tolist() == batch.num_steps.tolist()
    for name, expected in batch.states.items():
        where = batch.task.signals[name].supervised_where
        found = run.states[name]
        assert found.dtype == expected.dtype
        if where is not None and batch.task.signals[where].kind is Kind.MASK:
            covered = batch.states[where]
            found, expected = found[covered], expected[covered]
        assert torch.equal(found, expected), name


# ---- an executor that is always right is right however it is run


@pytest.mark.parametrize("name", TASKS)
@given(several=several_problems)
@settings(deadline=None, max_examples=15)
def test_true_steps_make_the_true_run_for_the_true_number_of_steps(name, several):
    batch, executor = true_run(name, several)
    run = rollout(executor, batch.start, lengths=batch.num_steps)
    check(run, batch)
    ends = (run.terminated > 0.5) == batch.terminated
    assert ends[batch.running].all()
    assert not run.stopped_itself.any()


@pytest.mark.parametrize("name", TASKS)
@given(several=several_problems)
@settings(deadline=None, max_examples=15)
def test_true_steps_make_the_true_run_when_forced(name, several):
    batch, executor = true_run(name, several)
    check(rollout(executor, batch.start, lengths=batch.num_steps, forced=batch.states), batch)


@pytest.mark.parametrize("name", TASKS)
@given(several=several_problems)
@settings(deadline=None, max_examples=15)
def test_true_steps_make_the_true_run_and_end_it_by_themselves(name, several):
    batch, executor = true_run(name, several)
    run = rollout(executor, batch.start)
    check(run, batch)
    assert run.stopped_itself.all()


@pytest.mark.parametrize("name", TASKS)
@given(several=several_problems)
@settings(deadline=None, max_examples=15)
def test_true_steps_find_the_answer_where_nobody_knows_it(name, several):
    """Infinity is infinite, and how long it takes is not told."""
    task = find_task(name)
    executor = TrueExecutor(with_loops(several), task)
    run = rollout(executor, begin(several, task))
    offsets = np.cumsum([0, *(problem.graph.num_nodes for problem in several)])
    for algorithm in task.algorithms:
        for graph, problem in enumerate(with_loops(several)):
            last, _ = run_to_end(algorithm, problem)
            for signal, values in last.items():
                if algorithm.signals[signal].kind in (Kind.MASK, Kind.SCALAR):
                    own = run.states[signal][-1, offsets[graph] : offsets[graph + 1]]
                    np.testing.assert_allclose(own.numpy(), values, rtol=1e-6)


# ---- the loop itself, on a script


@dataclass
class Scripted:
    """Turns every bit at every step, and says it has terminated from a given step on."""

    ends: list[int]
    """Per graph: the first step, counted from 0, that says so."""
    reads: list[list[bool]] = field(default_factory=list)

    def start(self, start: Start) -> State:
        return State(start.signals, memory=0)

    def step(self, start: Start, state: State) -> Step:
        self.reads.append(state.signals["reachable"].tolist())
        terminated = (torch.tensor(self.ends) <= state.memory).float()
        decided = {"reachable": ~state.signals["reachable"]}
        return Step(decided, {}, terminated, state.memory + 1)

    def stop(self, step: Step) -> torch.Tensor:
        return step.terminated > 0.5


def two_graphs() -> Start:
    """Graphs of 2 and of 3 nodes, the first node of each the source."""
    pair, path = Graph.from_edges(2, [0], [1]), Graph.from_edges(3, [0, 1], [1, 2])
    return begin([Problem(pair, 0), Problem(path, 0)], find_task("bfs"))


T, F = True, False
START = [T, F, T, F, F]


def test_a_graph_that_has_stopped_is_frozen():
    run = rollout(Scripted([0, 2]), two_graphs())
    assert run.num_steps.tolist() == [1, 3]
    assert run.stopped_itself.tolist() == [True, True]
    assert run.states["reachable"].tolist() == [
        START,
        [F, T, F, T, T],
        [F, T, T, F, F],
        [F, T, F, T, T],
    ]
    assert run.terminated.tolist() == [[1, 0], [1, 0], [1, 1]]


def test_a_graph_that_does_not_stop_is_stopped_after_as_many_steps_as_nodes():
    run = rollout(Scripted([9, 9]), two_graphs())
    assert run.num_steps.tolist() == [2, 3]
    assert run.stopped_itself.tolist() == [False, False]


@pytest.mark.parametrize(
    ("max_steps", "num_steps"), [(1, [1, 1]), (2, [2, 2]), (3, [2, 3]), (99, [2, 3])]
)
def test_max_steps_can_only_stop_it_earlier(max_steps, num_steps):
    assert rollout(Scripted([9, 9]), two_graphs(), max_steps=max_steps).num_steps.tolist() == (
        num_steps
    )


def test_stopping_in_the_very_last_step_counts_as_stopping_itself():
    """In the step after, when the other graph still runs, it is too late."""
    in_time = rollout(Scripted([1, 3]), two_graphs())
    too_late = rollout(Scripted([2, 2]), two_graphs())
    assert in_time.num_steps.tolist() == too_late.num_steps.tolist() == [2, 3]
    assert in_time.stopped_itself.tolist() == [True, False]
    assert too_late.stopped_itself.tolist() == [False, True]


def test_a_run_that_is_cut_short_keeps_what_its_last_step_chose():
    """Prim on a path of four nodes, stopped after two steps; nobody had said that it was done."""
    [_, path, _] = three_problems()
    batch, executor = true_run("prim", [path])
    run = rollout(executor, batch.start, max_steps=2)
    assert run.states["next"].tolist() == [[UNDEFINED], [1], [2]]
    assert run.states["in_tree"][-1].tolist() == [True, True, True, False]
    assert not run.stopped_itself.any()


def test_for_given_lengths_nobody_is_asked_whether_to_stop():
    run = rollout(Scripted([0, 0]), two_graphs(), lengths=torch.tensor([4, 1]))
    assert run.num_steps.tolist() == [4, 1]
    assert run.stopped_itself.tolist() == [False, False]
    assert len(run.states["reachable"]) == 5


def test_a_step_reads_what_the_one_before_said():
    executor = Scripted([9, 9])
    run = rollout(executor, two_graphs(), max_steps=2)
    assert executor.reads == run.states["reachable"][:-1].tolist()


def test_a_step_that_is_forced_reads_what_it_is_given():
    executor = Scripted([9, 9])
    given = torch.tensor([START, [T, T, T, T, T], [F, F, F, F, F], START])
    lengths = torch.tensor([3, 3])
    run = rollout(executor, two_graphs(), lengths=lengths, forced={"reachable": given})
    assert executor.reads == given[:-1].tolist()
    assert torch.equal(run.states["reachable"][1:], ~given[:-1])


def test_moments_come_one_by_one_and_say_who_is_running():
    executor = Scripted([0, 2])
    moments = execute(executor, two_graphs())
    assert executor.reads == []
    first = next(moments)
    assert len(executor.reads) == 1
    assert first.running.tolist() == [True, True]
    assert first.stopped_itself.tolist() == [True, False]
    second, third = moments
    assert second.running.tolist() == third.running.tolist() == [False, True]
    assert third.stopped_itself.tolist() == [True, True]


def test_choices_of_a_graph_that_has_finished_are_undefined():
    """Prim on a path, beside a node alone that is done at once."""
    batch, executor = true_run("prim", three_problems())
    run = rollout(executor, batch.start, lengths=torch.tensor([2, 4, 1]))
    assert run.states["next"][:, 2].tolist() == [UNDEFINED] * 5
    assert run.states["next"][:, 1].tolist() == [UNDEFINED, 5, 6, 7, UNDEFINED]
    # cut off after 2 steps, the last of which does not choose
    assert run.states["next"][:, 0].tolist() == [UNDEFINED, 0, *[UNDEFINED] * 3]
