"""Doing nothing: what it says, and what that scores, found without torch."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from neuralexec import Graph, Problem, Split, Trace, collate, find_algorithm, find_task, trace
from neuralexec import with_paper_infinity as with_infinity
from neuralexec.algorithms import UNDEFINED
from neuralexec.evaluation.baselines import TrivialExecutor
from neuralexec.evaluation.evaluate import evaluate, run_under
from neuralexec.evaluation.scores import PROTOCOLS, TERMINATION, Scores
from neuralexec.graphs.dress import with_self_edges
from tests.evaluation.executors import TASKS, trail

TRUE, OWN, FORCED = PROTOCOLS
every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


def hub() -> Problem:
    """0 to all others, 3 the lightest; 1 - 2 is light too; 1 is nearest to itself; 4 is apart."""
    graph = Graph.from_edges(
        5,
        [0, 0, 0, 1, 0, 1, 2, 3, 4],
        [1, 2, 3, 2, 0, 1, 2, 3, 4],
        [0.5, 0.75, 0.25, 0.375, 1.0, 0.125, 1.0, 1.0, 0.0625],
    )
    return Problem(graph, 0, priorities=np.array([0.5, 0.25, 0.125, 1.0, 0.75]))


def drawn() -> list[Problem]:
    return [*Split("check", 12, 1).draw(), trail()]


def as_in_batch(problem: Problem) -> Problem:
    """With a self-edge at every node, and a finite infinity."""
    return with_infinity([replace(problem, graph=with_self_edges(problem.graph))])[0]


def arcs_into(problem: Problem, node: int) -> list[tuple[float, int]]:
    """(weight, sender), the lightest first."""
    graph = problem.graph
    into = slice(*graph.offsets[node : node + 2].tolist())
    return sorted(zip(graph.weights[into].tolist(), graph.senders[into].tolist(), strict=True))


def lightest(problem: Problem) -> list[int]:
    """For every node, where its lightest edge comes from."""
    return [arcs_into(problem, node)[0][1] for node in range(problem.graph.num_nodes)]


def by_lightness(problem: Problem) -> list[int]:
    """Nodes by the lightest edge from another node, those without any last."""

    def weight(node: int) -> float:
        return min((w for w, sender in arcs_into(problem, node) if sender != node), default=9.0)

    return sorted(range(problem.graph.num_nodes), key=weight)


# ---- what it says


@every_protocol
def test_everything_is_reached(protocol):
    run = run_under(protocol, TrivialExecutor(), collate([hub()], find_task("bfs")))
    start, *others = run.states["reachable"].tolist()
    assert start == [True, False, False, False, False]
    assert others == [[True] * 5] * len(others)


@every_protocol
def test_numbers_stay_as_they_began(protocol):
    for task, signal in [("bfs+bellman-ford", "distance"), ("connected-components", "label")]:
        batch = collate([hub()], find_task(task))
        run = run_under(protocol, TrivialExecutor(), batch)
        start = batch.states[signal]
        # Forced, a step begins with the true numbers, and so ends with them.
        expected = start[:-1] if protocol == FORCED else start[:1].expand(len(run.terminated), -1)
        assert run.states[signal][1:].tolist() == expected.tolist()


@every_protocol
def test_pointers_go_along_the_lightest_edge(protocol):
    batch = collate([hub()], find_task("bfs+bellman-ford"))
    run = run_under(protocol, TrivialExecutor(), batch)
    for pointers in run.states["predecessor"][1:]:
        assert batch.edges.senders[pointers.long()].tolist() == [3, 1, 1, 0, 4]
        assert batch.edges.receivers[pointers.long()].tolist() == [0, 1, 2, 3, 4]
    assert lightest(hub()) == [3, 1, 1, 0, 4]


@pytest.mark.parametrize(
    ("protocol", "chosen"),
    [
        # 3 by 0.25, 1 and 2 both by 0.375. True: 3, 1, 2. In the last step nothing is chosen.
        (TRUE, [3, 1, 2, UNDEFINED]),
        # Unless told so, it does not know that 4 cannot be reached.
        (OWN, [3, 1, 2, 4, UNDEFINED]),
        (FORCED, [3, 1, 2, UNDEFINED]),
    ],
)
def test_the_lightest_node_is_next(protocol, chosen):
    """By an edge from another node; and no node twice."""
    run = run_under(protocol, TrivialExecutor(), collate([hub()], find_task("prim")))
    assert run.states["next"][1:, 0].tolist() == chosen
    assert by_lightness(hub()) == [0, 3, 1, 2, 4]


@pytest.mark.parametrize("task", TASKS)
def test_it_never_stops(task):
    for scores in evaluate(TrivialExecutor(), drawn(), find_task(task), protocols=PROTOCOLS):
        assert scores.stopped_exactly == 0
        for graph in scores.graphs:
            assert not graph.stopped_itself
            cap = graph.num_nodes + (task == "dijkstra")
            limit = cap if scores.protocol == OWN else graph.true_steps
            assert graph.steps_taken == limit
            # Wrong from the true end on.
            right = [float(step < graph.true_steps) for step in range(1, limit + 1)]
            assert graph.per_step[TERMINATION] == tuple(right)


# ---- what that scores


def scored(task: str, protocol: str) -> Iterator[tuple[Scores, int, list[Trace]]]:
    """The scores, and for each graph its place in them and its true traces."""
    problems = drawn()
    [scores] = evaluate(TrivialExecutor(), problems, find_task(task), protocols=[protocol])
    for place, problem in enumerate(map(as_in_batch, problems)):
        yield (
            scores,
            place,
            [trace(find_algorithm(name), problem) for name in task.split("+")],
        )


def steps_of(run: Trace, taken: int) -> list[int]:
    """Which true state each step is compared with: the last stands for the rest."""
    return [min(step, run.num_steps) for step in range(1, taken + 1)]


def compare(scores: Scores, place: int, metric: str, expected: list[float]) -> None:
    assert scores.graphs[place].per_step[metric] == pytest.approx(expected, rel=1e-12), metric


@pytest.mark.parametrize("protocol", [TRUE, OWN])
def test_shortest_paths(protocol):
    for scores, place, [bfs, bellman_ford] in scored("bfs+bellman-ford", protocol):
        problem = bellman_ford.problem
        size = problem.graph.num_nodes
        true_steps = max(bfs.num_steps, bellman_ford.num_steps)
        taken = size if protocol == OWN else true_steps
        reachable = bfs.states["reachable"][steps_of(bfs, taken)]
        compare(scores, place, "reachable", reachable.mean(1).tolist())
        then = steps_of(bellman_ford, taken)
        pointers = bellman_ford.states["predecessor"][then] == np.array(lightest(problem))
        compare(scores, place, "predecessor", pointers.mean(1).tolist())
        distance = bellman_ford.states["distance"].astype(np.float32).astype(np.float64)
        errors = np.square(distance[then] - distance[0]).mean(1)
        compare(scores, place, "distance", errors.tolist())


def test_shortest_paths_on_true_inputs():
    """Numbers are then a step behind the truth."""
    for scores, place, [bfs, bellman_ford] in scored("bfs+bellman-ford", FORCED):
        taken = max(bfs.num_steps, bellman_ford.num_steps)
        distance = bellman_ford.states["distance"].astype(np.float32).astype(np.float64)
        distance = distance[[0, *steps_of(bellman_ford, taken)]]
        compare(scores, place, "distance", np.square(np.diff(distance, axis=0)).mean(1).tolist())
        reachable = bfs.states["reachable"][steps_of(bfs, taken)]
        compare(scores, place, "reachable", reachable.mean(1).tolist())


@pytest.mark.parametrize("protocol", [TRUE, OWN])
def test_components(protocol):
    for scores, place, [run] in scored("connected-components", protocol):
        taken = run.problem.graph.num_nodes if protocol == OWN else run.num_steps
        label = run.states["label"].astype(np.float32).astype(np.float64)
        errors = np.square(label[steps_of(run, taken)] - label[0]).mean(1)
        compare(scores, place, "label", errors.tolist())


def test_spanning_trees():
    for scores, place, [run] in scored("prim", TRUE):
        problem, graph = run.problem, scores.graphs[place]
        order = [node for node in by_lightness(problem) if node != problem.source]
        choices = run.states["next"][1:, 0].tolist()
        assert graph.per_step["next"] == tuple(
            None if true == UNDEFINED else float(true == order[step])
            for step, true in enumerate(choices)
        )
        points, true_points = lightest(problem), run.last["predecessor"].tolist()
        for step, score in enumerate(graph.per_step["predecessor"]):
            true_tree = [node for node in choices[: step + 1] if node != UNDEFINED]
            found = order[: min(step + 1, len(choices) - 1)]  # the last step chooses nothing
            right = [node in found and points[node] == true_points[node] for node in true_tree]
            assert score == (pytest.approx(sum(right) / len(right)) if right else None)


def test_it_is_right_somewhere_but_not_everywhere():
    """Else the comparisons above would show nothing."""
    for task, metric in [("bfs+bellman-ford", "predecessor"), ("prim", "next")]:
        [scores] = evaluate(TrivialExecutor(), drawn(), find_task(task))
        assert 0 < scores.mean_step(metric) < 1
    [scores] = evaluate(TrivialExecutor(), drawn(), find_task("bfs+bellman-ford"))
    assert 0 < scores.mean_step("distance") < math.inf
    assert scores.last_step("reachable") < 1
    assert scores.exact == 0
