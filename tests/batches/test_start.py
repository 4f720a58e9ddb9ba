from dataclasses import replace

import pytest

from neuralexec import Problem, collate, find_task
from neuralexec.batches import begin
from tests.models.small_graphs import three_problems

DISTANT = ["bellman-ford", "bfs+bellman-ford", "dijkstra"]


def with_infinity(infinity: float) -> list[Problem]:
    return [replace(problem, infinity=infinity) for problem in three_problems()]


@pytest.mark.parametrize("task", [*DISTANT, "bfs", "prim", "connected-components"])
def test_what_begins_infinite_is_unbounded_also_with_a_stand_in(task):
    expected = ("distance",) if task in DISTANT else ()
    infinite = begin(three_problems(), find_task(task))
    finite = begin(with_infinity(8.0), find_task(task))
    paper = collate(three_problems(), find_task(task)).start
    assert [one.unbounded for one in (infinite, finite, paper)] == [expected] * 3
    assert [one.endless for one in (infinite, finite, paper)] == [expected, (), ()]


def test_a_signal_that_is_not_there_is_not_unbounded():
    """The first phase of a curriculum has no distances."""
    batch = collate(three_problems(), find_task("bfs"))
    assert replace(batch, task=find_task("bfs+bellman-ford")).start.unbounded == ()
