import pytest

from neuralexec import (
    InputError,
    Task,
    find_algorithm,
    find_task,
)
from neuralexec.algorithms.spec import Kind, Signal
from tests.algorithms.endless import counting


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
