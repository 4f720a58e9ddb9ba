import numpy as np
import pytest

from neuralexec import (
    Graph,
    InputError,
    Problem,
    Task,
    find_algorithm,
    find_task,
    run_to_end,
    trace,
)
from neuralexec.algorithms.spec import Algorithm, Kind, Signal


def counting(**changes) -> Algorithm:
    """An algorithm that never ends, to see the runner stop it."""
    settings = {
        "name": "counting",
        "title": "Counting",
        "signals": {"count": Signal(Kind.SCALAR, "how many steps", fed_back=True)},
        "start": lambda problems: {"count": np.zeros(problems.graph.num_nodes)},
        "step": lambda problems, state: {"count": state["count"] + 1},
        "oracle": lambda problem: {},
    }
    return Algorithm(**{**settings, **changes})


def one_edge() -> Problem:
    return Problem(Graph.from_edges(2, [0], [1]), 0)


def test_an_unknown_algorithm_lists_the_choices():
    with pytest.raises(InputError, match=r"'bellman_ford' \(did you mean 'bellman-ford'\?\)"):
        find_algorithm("bellman_ford")
    with pytest.raises(InputError, match=r"choose one of .*bfs.*prim"):
        find_algorithm("astar")


def test_a_task_joins_the_signals_of_its_algorithms():
    task = find_task("bfs+bellman-ford")
    assert task.name == "bfs+bellman-ford"
    assert list(task.signals) == ["reachable", "distance", "predecessor"]


def test_a_task_refuses_two_signals_of_one_name():
    with pytest.raises(InputError, match="distance, predecessor would be two signals"):
        find_task("bellman-ford+dijkstra")
    with pytest.raises(InputError, match="at least one"):
        Task(())


def test_a_signal_that_refers_to_nothing_is_refused():
    signals = {"count": Signal(Kind.SCALAR, "", fed_back=True, supervised_where="nowhere")}
    with pytest.raises(ValueError, match="unknown signal 'nowhere'"):
        counting(signals=signals)


def test_an_algorithm_that_feeds_nothing_back_is_refused():
    with pytest.raises(ValueError, match="no signal is fed back"):
        counting(signals={"count": Signal(Kind.SCALAR, "")})


def test_a_run_without_end_is_stopped():
    with pytest.raises(RuntimeError, match="still changing after 3 steps"):
        trace(counting(), one_edge())


def test_a_trace_too_large_for_memory_is_refused(monkeypatch):
    problem = one_edge()
    monkeypatch.setattr("neuralexec.graphs.memory.physical_memory", lambda: 10)
    with pytest.raises(InputError, match="every state of Breadth-first search on this graph"):
        trace(find_algorithm("bfs"), problem)
    assert run_to_end(find_algorithm("bfs"), problem)[1] == 2  # the last state alone fits


def test_a_step_that_writes_into_its_input_fails():
    def write(problems, state):
        state["count"][0] += 1
        return state

    with pytest.raises(ValueError, match="read-only"):
        trace(counting(step=write), one_edge())
