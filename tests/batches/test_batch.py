"""Parts of a batch are batches, and so is a batch whose numbers are moved."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Problem, Problems, collate, find_task
from neuralexec.graphs.dress import with_self_edges
from tests.models.small_graphs import TASKS, three_problems
from tests.problem_strategies import problems

several_problems = st.lists(problems(directed=False), min_size=1, max_size=4)
MOVING = [
    name for name in TASKS if any(signal.translates for signal in find_task(name).signals.values())
]


def assert_same(found, expected) -> None:
    assert found.families == expected.families
    assert torch.equal(found.num_steps, expected.num_steps)
    for part in ("node_offsets", "senders", "receivers", "offsets", "weights"):
        assert torch.equal(getattr(found.edges, part), getattr(expected.edges, part)), part
    assert found.states.keys() == expected.states.keys()
    for name, values in expected.states.items():
        assert found.states[name].dtype == values.dtype
        assert torch.equal(found.states[name], values), name


@pytest.mark.parametrize("name", TASKS)
@given(several=several_problems, data=st.data())
@settings(deadline=None, max_examples=20)
def test_selected_graphs_are_the_batch_of_their_problems(name, several, data):
    """In any order, left out or more than once."""
    several = [replace(problem, family=str(place)) for place, problem in enumerate(several)]
    graph = st.integers(0, len(several) - 1)
    graphs = data.draw(st.lists(graph, min_size=1, max_size=5))
    task = find_task(name)
    found = collate(several, task).select(torch.tensor(graphs))
    assert_same(found, collate([several[graph] for graph in graphs], task))


@pytest.mark.parametrize("name", MOVING)
@given(several=several_problems, seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=20)
def test_a_run_that_is_translated_is_still_a_run(name, several, seed):
    """Every step of the algorithms leads from each state to the next, infinity moved along."""
    task = find_task(name)
    finite = [replace(problem, infinity=99.0) for problem in several]
    by = np.random.default_rng(seed).integers(-8, 9, len(several)).astype(float)
    moved = collate(finite, task).translated(torch.tensor(by, dtype=torch.float32))
    together = Problems(tuple(_moved(one, shift) for one, shift in zip(finite, by, strict=True)))
    names = [name for name in moved.states if task.signals[name].kind.name != "POINTER"]
    nowhere = np.full(moved.num_nodes, -1, dtype=np.int32)
    for t in range(moved.most_steps):
        for algorithm in task.algorithms:
            state = {
                name: moved.states[name][t].numpy() if name in names else nowhere
                for name in algorithm.signals
            }
            after = algorithm.step(together, state)
            for name in set(names) & set(after):
                np.testing.assert_allclose(
                    after[name], moved.states[name][t + 1].numpy(), rtol=1e-5, err_msg=name
                )


def _moved(problem: Problem, by: float) -> Problem:
    graph = with_self_edges(problem.graph)
    return replace(problem, graph=graph, infinity=problem.infinity + by)


def test_only_scalars_that_commute_with_it_are_translated():
    batch = collate(three_problems(), find_task("bfs+bellman-ford"))
    moved = batch.translated(torch.tensor([1.0, 0.0, 10.0]))
    added = moved.states["distance"] - batch.states["distance"]
    assert added.tolist() == [[1.0] * 4 + [0.0] * 4 + [10.0]] * (batch.most_steps + 1)
    for name in ("reachable", "predecessor"):
        assert torch.equal(moved.states[name], batch.states[name])
    assert moved.edges is batch.edges


def test_a_batch_knows_its_start():
    batch = collate(three_problems(), find_task("prim"))
    assert batch.start.task is batch.task
    assert batch.start.edges is batch.edges
    for name, values in batch.start.signals.items():
        assert torch.equal(values, batch.states[name][0])
