"""What every algorithm must keep, whichever file it came from."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import (
    InputError,
    Kind,
    Problem,
    Problems,
    iterate,
    run_to_end,
    trace,
    trace_all,
    with_paper_infinity,
)
from neuralexec.algorithms import UNDEFINED, Algorithm, algorithms
from neuralexec.algorithms.trace import Trace
from tests.problem_strategies import problems

every_algorithm = pytest.mark.parametrize("algorithm", algorithms().values(), ids=algorithms())
EXPECTED_TYPES = {
    Kind.MASK: np.dtype(bool),
    Kind.SCALAR: np.dtype(np.float64),
    Kind.POINTER: np.dtype(np.int32),
    Kind.CHOICE: np.dtype(np.int64),
}


def problems_for(algorithm: Algorithm, **kind) -> st.SearchStrategy[Problem]:
    return problems(directed=False if algorithm.undirected_only else None, **kind)


def test_the_five_algorithms_are_discovered():
    assert set(algorithms()) >= {"bfs", "bellman-ford", "prim", "dijkstra", "connected-components"}


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=60)
def test_last_state_equals_the_oracle(algorithm, data):
    problem = data.draw(problems_for(algorithm, distinct=True))
    last, _ = run_to_end(algorithm, problem)
    for name, expected in algorithm.oracle(problem).items():
        np.testing.assert_array_equal(last[name], expected, err_msg=name)


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=60)
def test_with_ties_all_but_pointers_equal_the_oracle(algorithm, data):
    problem = data.draw(problems_for(algorithm))
    last, _ = run_to_end(algorithm, problem)
    for name, expected in algorithm.oracle(problem).items():
        if algorithm.signals[name].kind is not Kind.POINTER:
            np.testing.assert_array_equal(last[name], expected, err_msg=name)


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=60)
def test_with_a_finite_infinity_reached_nodes_equal_the_oracle(algorithm, data):
    problem = data.draw(problems_for(algorithm, distinct=True))
    [problem] = with_paper_infinity([problem])
    last, _ = run_to_end(algorithm, problem)
    for name, expected in algorithm.oracle(problem).items():
        defined = expected != UNDEFINED
        np.testing.assert_array_equal(last[name][defined], expected[defined], err_msg=name)


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=60)
def test_every_run_keeps_the_rules(algorithm, data):
    problem = data.draw(problems_for(algorithm))
    run = trace(algorithm, problem)
    assert 1 <= run.num_steps <= problem.graph.num_nodes + 1
    _check_types(run)
    _check_end(run)
    for name, signal in algorithm.signals.items():
        if signal.kind is Kind.POINTER:
            _check_pointers(run, name)
        if signal.grows is not None:
            _check_growth(run, name, signal.grows)


def _check_types(run: Trace) -> None:
    for name, signal in run.algorithm.signals.items():
        values = run.states[name]
        assert values.dtype == EXPECTED_TYPES[signal.kind]
        size = run.problem.graph.num_nodes if signal.kind.per_node else 1
        assert values.shape == (run.num_steps + 1, size)


def _check_end(run: Trace) -> None:
    """The last step is the first in which nothing fed back changes."""
    changed = [
        any((run.after(t - 1)[name] != run.after(t)[name]).any() for name in run.algorithm.fed_back)
        for t in range(1, run.num_steps + 1)
    ]
    assert changed == [True] * (run.num_steps - 1) + [False]


def _check_pointers(run: Trace, name: str) -> None:
    graph = run.problem.graph
    edges = set(zip(graph.senders.tolist(), graph.receivers.tolist(), strict=True))
    for pointers in run.states[name]:
        for node, pointer in enumerate(pointers.tolist()):
            is_source = node == pointer == run.problem.source
            assert pointer == UNDEFINED or is_source or (pointer, node) in edges
    # Followed from any node they lead to the source, however many edges weigh nothing.
    last = run.last[name].tolist()
    for node in range(graph.num_nodes):
        if last[node] != UNDEFINED:
            for _ in range(graph.num_nodes):
                node = last[node]
            assert node == run.problem.source


def _check_growth(run: Trace, choice: str, mask: str) -> None:
    """Each choice explains exactly how its mask grew; the last step chooses nothing."""
    for t in range(1, run.num_steps + 1):
        grown = np.flatnonzero(run.states[mask][t] != run.states[mask][t - 1]).tolist()
        chosen = run.states[choice][t].item()
        assert grown == ([] if chosen == UNDEFINED else [chosen])
    assert run.last[choice] == UNDEFINED


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=20)
def test_a_step_is_pure(algorithm, data):
    problem = data.draw(problems_for(algorithm))
    together = Problems((problem,))
    state = algorithm.start(together)
    copies = {name: values.copy() for name, values in state.items()}
    once, again = algorithm.step(together, state), algorithm.step(together, state)
    for name in algorithm.signals:
        np.testing.assert_array_equal(state[name], copies[name])
        np.testing.assert_array_equal(once[name], again[name])


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=20)
def test_keeping_every_state_or_the_last_agree(algorithm, data):
    problem = data.draw(problems_for(algorithm))
    run = trace(algorithm, problem)
    last, num_steps = run_to_end(algorithm, problem)
    assert num_steps == run.num_steps
    for t, state in enumerate(iterate(algorithm, problem)):
        for name in algorithm.signals:
            np.testing.assert_array_equal(state[name], run.states[name][t])
    for name in algorithm.signals:
        np.testing.assert_array_equal(last[name], run.last[name])


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=40)
def test_problems_run_together_as_they_do_alone(algorithm, data):
    many = data.draw(st.lists(problems_for(algorithm), min_size=1, max_size=5))
    together = trace_all(algorithm, many)
    assert len(together) == len(many)
    for problem, run in zip(many, together, strict=True):
        alone = trace(algorithm, problem)
        assert run.problem is problem
        for name in algorithm.signals:
            assert run.states[name].dtype == alone.states[name].dtype
            np.testing.assert_array_equal(run.states[name], alone.states[name], err_msg=name)


@every_algorithm
@given(problems(directed=True))
@settings(deadline=None, max_examples=5)
def test_what_an_algorithm_is_not_defined_on_is_refused(algorithm, problem):
    if algorithm.undirected_only:
        with pytest.raises(InputError, match="undirected"):
            trace(algorithm, problem)
    if algorithm.needs_source:
        with pytest.raises(InputError, match="source"):
            trace(algorithm, replace(problem, graph=problem.graph, source=None))


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=30)
def test_a_step_commutes_with_what_it_says_it_commutes_with(algorithm, data):
    """`translates`: one number added to a scalar, and to infinity, is added to the outcome."""
    problem = data.draw(problems_for(algorithm, distinct=True))
    [problem] = with_paper_infinity([problem])
    translating = {name for name, signal in algorithm.signals.items() if signal.translates}
    by = 8.0
    moved = Problems((replace(problem, infinity=problem.infinity + by),))
    for state in iterate(algorithm, problem):
        shifted = {n: v + by if n in translating else v for n, v in state.items()}
        expected = algorithm.step(Problems((problem,)), state)
        found = algorithm.step(moved, shifted)
        for name, values in expected.items():
            wanted = values + by if name in translating else values
            np.testing.assert_allclose(found[name], wanted, rtol=1e-9, err_msg=name)


def test_only_scalars_translate():
    for algorithm in algorithms().values():
        for signal in algorithm.signals.values():
            assert signal.kind is Kind.SCALAR or not signal.translates


@every_algorithm
@given(st.data())
@settings(deadline=None, max_examples=20)
def test_what_begins_infinite_does_and_nothing_else(algorithm, data):
    """Or with the problem's stand-in for that: everywhere but at the source."""
    problem = data.draw(problems_for(algorithm))
    for infinity in (np.inf, 77.0):
        start = algorithm.start(Problems((replace(problem, infinity=infinity),)))
        for name, signal in algorithm.signals.items():
            elsewhere = np.arange(problem.graph.num_nodes) != problem.source
            if signal.begins_infinite:
                assert ((start[name] == infinity) == elsewhere).all()
            elif signal.kind is Kind.SCALAR:
                assert not (start[name] == infinity).any()


def test_only_scalars_begin_infinite():
    infinite = {
        (algorithm.name, name): signal.kind
        for algorithm in algorithms().values()
        for name, signal in algorithm.signals.items()
        if signal.begins_infinite
    }
    assert set(infinite) >= {("bellman-ford", "distance"), ("dijkstra", "distance")}
    assert set(infinite.values()) == {Kind.SCALAR}
