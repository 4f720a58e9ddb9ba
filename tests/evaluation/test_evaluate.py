"""Whole evaluations: the always right one scores full marks, whatever way it is run."""

from dataclasses import replace

import numpy as np
import pytest

from neuralexec import Graph, Problem, Split, checksum, find_task
from neuralexec.batches import Start
from neuralexec.evaluation.baselines import TrivialExecutor
from neuralexec.evaluation.evaluate import evaluate
from neuralexec.evaluation.scores import PROTOCOLS, TERMINATION
from neuralexec.models.executor import State
from tests.evaluation.executors import (
    TASKS,
    Fault,
    Faulty,
    PerfectExecutor,
    alone,
    bypass,
    on_a_grid,
    trail,
)

SCALARS = {"distance", "label"}
every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


def of_every_family() -> list[Problem]:
    """Eight nodes each."""
    return [on_a_grid(problem) for problem in Split("check", 8, 1).draw()]


def with_a_node_apart(problem: Problem) -> Problem:
    graph = problem.graph
    larger = Graph.from_edges(graph.num_nodes + 1, *graph.edges())
    return replace(problem, graph=larger, priorities=np.append(problem.node_priorities, 0.5))


def check_full_marks(problems: list[Problem], task: str, protocol: str) -> None:
    [scores] = evaluate(PerfectExecutor(), problems, find_task(task), protocols=[protocol])
    assert scores.errors == tuple(name for name in scores.metrics if name in SCALARS)
    assert set(scores.metrics) == {*find_task(task).signals, TERMINATION}
    for metric in scores.metrics:
        perfect = 0 if metric in SCALARS else 1
        assert scores.mean_step(metric) == perfect, metric
        assert {value for graph in scores.graphs for value in graph.per_step[metric]} <= {
            perfect,
            None,
        }
        if metric != TERMINATION:
            assert scores.last_step(metric) == perfect, metric
    assert scores.stopped_exactly == 1
    assert scores.exact == 1
    assert scores.exact_throughout == 1


@pytest.mark.parametrize(
    ("task", "protocol"),
    [(task, protocol) for task in TASKS for protocol in PROTOCOLS],
)
def test_always_right_on_every_family(task, protocol):
    check_full_marks(of_every_family(), task, protocol)


@pytest.mark.parametrize("task", TASKS)
@every_protocol
def test_always_right_with_a_node_out_of_reach(task, protocol):
    problems = [trail(), *map(with_a_node_apart, of_every_family()), bypass()]
    check_full_marks(problems, task, protocol)


def test_an_evaluation_says_what_it_is_of():
    problems = [replace(trail(), family="tree"), alone()]
    task = find_task("bfs+bellman-ford")
    several = evaluate(
        PerfectExecutor(), problems, task, protocols=reversed(PROTOCOLS), model="right"
    )
    assert [scores.protocol for scores in several] == [*reversed(PROTOCOLS)]
    for scores in several:
        assert scores.model == "right"
        assert scores.task == "bfs+bellman-ford"
        assert scores.num_nodes == 5
        assert scores.errors == ("distance",)
        assert [graph.family for graph in scores.graphs] == ["tree", None]
        assert [graph.num_nodes for graph in scores.graphs] == [5, 1]
        assert [graph.true_steps for graph in scores.graphs] == [4, 1]


def test_the_true_length_is_the_paper_s_way():
    [scores] = evaluate(PerfectExecutor(), [trail()], find_task("bfs"))
    assert scores.protocol == "true-length"


def test_data_is_the_checksum_of_the_problems():
    task = find_task("bfs")
    for problems in ([trail(), bypass()], [bypass(), trail()], [trail()]):
        [scores] = evaluate(PerfectExecutor(), problems, task)
        assert scores.data == checksum(problems)
    assert checksum([trail()]) != checksum([bypass()])


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("nodes_at_once", [1, 20])
def test_in_parts_as_all_at_once(task, nodes_at_once):
    problems = [alone(), *of_every_family(), trail()]
    together = evaluate(
        TrivialExecutor(), problems, find_task(task), protocols=PROTOCOLS, nodes_at_once=10**9
    )
    in_parts = evaluate(
        TrivialExecutor(),
        problems,
        find_task(task),
        protocols=PROTOCOLS,
        nodes_at_once=nodes_at_once,
    )
    assert in_parts == together
    # Its own termination: never, so as many steps as the task can need on 1, 5 and 8 nodes.
    more = task == "dijkstra"
    assert {graph.steps_taken for graph in together[1].graphs} == {1 + more, 5 + more, 8 + more}


class Watched(PerfectExecutor):
    """Keeps the sizes of the graphs that it is given at once."""

    def __init__(self) -> None:
        self.given: list[list[int]] = []

    def start(self, start: Start) -> State:
        sizes = start.edges.num_nodes_of_graph.tolist()
        if sizes not in self.given:
            self.given.append(sizes)
        return super().start(start)


@pytest.mark.parametrize(
    ("nodes_at_once", "parts"),
    [
        (1, [[5], [1], [7], [2]]),
        (5, [[5], [1], [7], [2]]),
        (6, [[5, 1], [7], [2]]),
        (9, [[5, 1], [7, 2]]),
        (13, [[5, 1, 7], [2]]),
        (15, [[5, 1, 7, 2]]),
    ],
)
def test_a_part_has_at_most_so_many_nodes_or_one_graph(nodes_at_once, parts):
    problems = [Problem(Graph.from_edges(size, [], []), 0) for size in (5, 1, 7, 2)]
    executor = Watched()
    evaluate(executor, problems, find_task("bfs"), nodes_at_once=nodes_at_once)
    assert executor.given == parts


@pytest.mark.parametrize(
    ("task", "predicted", "metrics"),
    [
        ("bfs+bellman-ford", ("predecessor",), ["predecessor"]),
        ("bfs+bellman-ford", ("distance", "predecessor"), ["distance", "predecessor"]),
        ("prim", ("predecessor",), ["predecessor"]),
        ("prim", ("next",), ["in_tree", "next"]),
    ],
)
def test_only_what_is_predicted_is_scored(task, predicted, metrics):
    [scores] = evaluate(PerfectExecutor(), [bypass()], find_task(task), predicted=predicted)
    assert [*scores.metrics] == [*metrics, TERMINATION]
    assert [*scores.graphs[0].last] == metrics
    assert scores.errors == (("distance",) if "distance" in predicted else ())


def test_what_is_not_scored_spoils_nothing():
    executor = Faulty(Fault(4, "reachable", 4, True))
    task = find_task("bfs+bellman-ford")
    [everything] = evaluate(executor, [trail()], task)
    [pointers] = evaluate(executor, [trail()], task, predicted=("predecessor",))
    assert (everything.exact, everything.exact_throughout) == (0, 0)
    assert (pointers.exact, pointers.exact_throughout) == (1, 1)


@every_protocol
def test_one_graph_of_two_is_wrong(protocol):
    """3 of the second trail, the ninth node of all, points at itself in the end."""
    executor = Faulty(Fault(4, "predecessor", 8, 8))
    [scores] = evaluate(
        executor, [trail(), trail()], find_task("bfs+bellman-ford"), protocols=[protocol]
    )
    assert scores.mean_step("predecessor") == pytest.approx((1 + 19 / 20) / 2, rel=1e-12)
    assert scores.last_step("predecessor") == pytest.approx((1 + 4 / 5) / 2, rel=1e-12)
    assert scores.exact == scores.exact_throughout == 1 / 2
    assert scores.stopped_exactly == 1
    assert scores.mean_step("distance") == 0
