"""What is measured where an executor errs in a known place, worked out by hand."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Batch, Kind, Problem, collate, find_task
from neuralexec.algorithms import UNDEFINED
from neuralexec.evaluation.evaluate import run_under
from neuralexec.evaluation.metrics import MEASURES, first_true, mean_steps, measure
from neuralexec.evaluation.scores import PROTOCOLS, TERMINATION, GraphScore, Scores
from neuralexec.models.executor import Executor, Step
from neuralexec.models.rollout import Rollout
from neuralexec.models.scope import scope_of
from tests.evaluation.executors import (
    TASKS,
    Erratic,
    Fault,
    Faulty,
    PerfectExecutor,
    alone,
    bypass,
    on_a_grid,
    trail,
)
from tests.problem_strategies import problems

TRUE, OWN, FORCED = PROTOCOLS
every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)
every_task = pytest.mark.parametrize("task", TASKS)


def measured(task: str, problem: Problem, executor: Executor, protocol: str) -> GraphScore:
    return all_measured(task, [problem], executor, protocol)[0]


def all_measured(
    task: str, several: list[Problem], executor: Executor, protocol: str
) -> list[GraphScore]:
    batch = collate(several, find_task(task))
    run = run_under(protocol, executor, batch)
    return measure(run, batch, scope_of(batch.task).predicted)


def check(score: GraphScore, expected: dict[str, list[float | None]]) -> None:
    """The scores at each step; whatever is not named is right at every step."""
    for metric, values in score.per_step.items():
        wanted = expected.get(metric)
        if wanted is None:
            perfect = 0 if metric in ("distance", "label") else 1
            assert set(values) <= {perfect, None}, metric
        else:
            assert len(values) == len(wanted), metric
            for found, value in zip(values, wanted, strict=True):
                assert found == value or found == pytest.approx(value, rel=1e-12), metric


def ended(score: GraphScore) -> tuple[int, bool]:
    return score.steps_taken, score.stopped_itself


def exact(score: GraphScore) -> tuple[float, float]:
    """Is it right in the end, and throughout?"""
    scores = Scores("", "", TRUE, 0, "", ("distance", "label"), (score,))
    return scores.exact, scores.exact_throughout


def test_every_kind_is_measured():
    assert set(MEASURES) == set(Kind)


# ---- bits


HARDLY_REACHED = Fault(1, "reachable", 1, False)


@pytest.mark.parametrize(
    ("protocol", "reachable", "termination", "end"),
    [
        # All comes a step late, and so the true last step still changes something.
        (TRUE, [4 / 5, 4 / 5, 4 / 5, 1], [1, 1, 1, 0], (4, False)),
        # It notices a step later; by then the true run repeats its last state.
        (OWN, [4 / 5, 4 / 5, 4 / 5, 1, 1], [1, 1, 1, 0, 1], (5, True)),
        (FORCED, [4 / 5, 1, 1, 1], [1, 1, 1, 1], (4, True)),
    ],
)
def test_a_bit_wrong_at_one_step(protocol, reachable, termination, end):
    score = measured("bfs", trail(), Faulty(HARDLY_REACHED), protocol)
    check(score, {"reachable": reachable, TERMINATION: termination})
    assert score.last == {"reachable": 1}
    assert ended(score) == end
    assert score.stopped_exactly == (protocol == FORCED)
    assert exact(score) == (1, 0)


@every_protocol
def test_a_bit_wrong_at_the_last_step(protocol):
    score = measured("bfs", trail(), Faulty(Fault(4, "reachable", 4, True)), protocol)
    check(score, {"reachable": [1, 1, 1, 4 / 5]})
    assert score.last == {"reachable": 4 / 5}
    assert score.stopped_exactly
    assert exact(score) == (0, 0)


# ---- numbers


@pytest.mark.parametrize(
    ("protocol", "distance", "termination", "end"),
    [
        # 2 says 1 instead of 0.75; a step later 2 is right, and 3 says 2 instead of 1.75.
        (TRUE, [0, 1 / 80, 1 / 80, 0], [1, 1, 1, 0], (4, False)),
        (OWN, [0, 1 / 80, 1 / 80, 0, 0], [1, 1, 1, 0, 1], (5, True)),
        (FORCED, [0, 1 / 80, 0, 0], [1, 1, 1, 1], (4, True)),
    ],
)
def test_a_distance_off_at_one_step(protocol, distance, termination, end):
    executor = Faulty(Fault(2, "distance", 2, 1.0))
    score = measured("bfs+bellman-ford", trail(), executor, protocol)
    check(score, {"distance": distance, TERMINATION: termination})
    assert score.last == {"reachable": 1, "distance": 0, "predecessor": 1}
    assert ended(score) == end
    assert exact(score) == (1, 1), "distances are no bits, pointers or choices"


@every_protocol
def test_a_label_off_at_one_step(protocol):
    """3 forgets its own; its neighbour gives it back at the next step."""
    executor = Faulty(Fault(1, "label", 3, 0.5))
    score = measured("connected-components", trail(), executor, protocol)
    check(score, {"label": [1 / 20, 0, 0, 0]})
    assert score.mean("label") == pytest.approx(1 / 80, rel=1e-12)
    assert score.last == {"label": 0}
    assert score.stopped_exactly


@every_protocol
def test_an_infinite_number_is_infinitely_wrong(protocol):
    executor = Faulty(Fault(4, "distance", 4, torch.inf))
    score = measured("bfs+bellman-ford", trail(), executor, protocol)
    check(score, {"distance": [0, 0, 0, torch.inf]})
    assert score.last["distance"] == score.mean("distance") == torch.inf


@every_protocol
def test_what_is_not_a_number_is_not_nothing(protocol):
    executor = Faulty(Fault(4, "distance", 4, torch.nan))
    score = measured("bfs+bellman-ford", trail(), executor, protocol)
    assert score.last["distance"] is not None
    assert not score.last["distance"] < torch.inf


# ---- pointers


@every_protocol
def test_a_pointer_wrong_at_the_last_step(protocol):
    executor = Faulty(Fault(4, "predecessor", 3, 3))
    score = measured("bfs+bellman-ford", trail(), executor, protocol)
    check(score, {"predecessor": [1, 1, 1, 4 / 5]})
    assert score.mean("predecessor") == pytest.approx(19 / 20, rel=1e-12)
    assert score.last == {"reachable": 1, "distance": 0, "predecessor": 4 / 5}
    assert score.stopped_exactly
    assert exact(score) == (0, 0)


@every_protocol
def test_predecessors_of_shortest_paths_count_everywhere(protocol):
    """The source's, and those of nodes not reached yet, or never."""
    for node, wrong in [(0, 1), (3, 2)]:
        executor = Faulty(Fault(1, "predecessor", node, wrong))
        score = measured("bfs+bellman-ford", trail(), executor, protocol)
        check(score, {"predecessor": [4 / 5, 1, 1, 1]})


@pytest.mark.parametrize(
    ("protocol", "predecessor", "last"),
    [
        # Written once, when its node is added: it stays wrong, as one of 1, 2, 3 and 3 nodes.
        (TRUE, [0, 1 / 2, 2 / 3, 2 / 3], 2 / 3),
        (OWN, [0, 1 / 2, 2 / 3, 2 / 3], 2 / 3),
        (FORCED, [0, 1, 1, 1], 1),
    ],
)
def test_a_predecessor_of_prim_counts_at_every_node_added_so_far(protocol, predecessor, last):
    score = measured("prim", bypass(), Faulty(Fault(1, "predecessor", 1, 2)), protocol)
    check(score, {"predecessor": predecessor})
    assert score.last == {"in_tree": 1, "next": 1, "predecessor": last}
    assert exact(score) == (last == 1, 0)


@every_protocol
@pytest.mark.parametrize(("node", "wrong"), [(0, 1), (3, 3)], ids=["source", "not added yet"])
def test_a_predecessor_of_prim_counts_nowhere_else(protocol, node, wrong):
    """Of the source it is given, and of a node not yet in the tree it is not asked."""
    score = measured("prim", bypass(), Faulty(Fault(1, "predecessor", node, wrong)), protocol)
    check(score, {})
    assert exact(score) == (1, 1)


@every_protocol
def test_a_predecessor_of_dijkstra_counts_at_the_settled_nodes_but_the_source(protocol):
    """Said anew at every step; in the first the source is settled, and nothing is to be said."""
    faults = [Fault(2, "predecessor", 1, 2), Fault(4, "predecessor", 0, 1)]
    score = measured("dijkstra", trail(), Faulty(*faults), protocol)
    check(score, {"predecessor": [None, 0, 1, 1, 1], "next": [1, 1, 1, 1, None]})
    assert score.mean("predecessor") == 3 / 4


# ---- choices


@pytest.mark.parametrize(
    ("protocol", "next_node", "predecessor"),
    [
        # 2 first, with no pointer, and then 1: two choices in the wrong order.
        (TRUE, [0, 0, 1, None], [0, 1 / 2, 2 / 3, 2 / 3]),
        (OWN, [0, 0, 1, None], [0, 1 / 2, 2 / 3, 2 / 3]),
        (FORCED, [0, 1, 1, None], [0, 1, 1, 1]),
    ],
)
def test_the_wrong_next_node_once(protocol, next_node, predecessor):
    score = measured("prim", bypass(), Faulty(Fault(1, "next", 0, 2)), protocol)
    check(score, {"next": next_node, "in_tree": [3 / 5, 1, 1, 1], "predecessor": predecessor})
    assert score.mean("next") == (2 / 3 if protocol == FORCED else 1 / 3)
    assert score.last == {"in_tree": 1, "next": 1, "predecessor": predecessor[-1]}
    assert score.stopped_exactly
    assert exact(score) == (protocol == FORCED, 0)


@pytest.mark.parametrize(
    ("protocol", "next_node", "in_tree", "predecessor", "termination"),
    [
        # In the true last step no choice is made, so that 3 is missing to the end.
        (TRUE, [1, 1, 0, None], [1, 1, 4 / 5, 4 / 5], [1, 1, 2 / 3, 2 / 3], [1, 1, 1, 0]),
        # Here it is not yet the last: 3 is added, and a fifth step finds nothing new.
        (OWN, [1, 1, 0, None, None], [1, 1, 4 / 5, 1, 1], [1, 1, 2 / 3, 1, 1], [1, 1, 1, 0, 1]),
        (FORCED, [1, 1, 0, None], [1, 1, 4 / 5, 1], [1, 1, 2 / 3, 1], [1, 1, 1, 1]),
    ],
)
def test_the_last_choice_is_the_last_that_was_to_be_made(
    protocol, next_node, in_tree, predecessor, termination
):
    """3 is not chosen when it is its turn."""
    score = measured("prim", bypass(), Faulty(Fault(3, "next", 0, UNDEFINED)), protocol)
    expected = {"next": next_node, "in_tree": in_tree, "predecessor": predecessor}
    check(score, {**expected, TERMINATION: termination})
    assert score.last == {"in_tree": in_tree[-1], "next": 0, "predecessor": predecessor[-1]}
    assert exact(score) == (0, 0)


# ---- when it ends


@pytest.mark.parametrize(
    ("protocol", "reachable", "termination"),
    [
        (TRUE, [1, 1, 1, 1], [1, 0, 1, 1]),
        # It misses 3; what it ended with is compared with the steps it did not take.
        (OWN, [1, 1, 4 / 5, 4 / 5], [1, 0]),
        (FORCED, [1, 1, 1, 1], [1, 0, 1, 1]),
    ],
)
def test_it_ends_too_early(protocol, reachable, termination):
    score = measured("bfs", trail(), Faulty(Fault(2, TERMINATION, 0, 1)), protocol)
    check(score, {"reachable": reachable, TERMINATION: termination})
    assert score.last == {"reachable": reachable[-1]}
    assert ended(score) == (2, True)
    assert score.true_steps == 4
    assert not score.stopped_exactly
    assert exact(score) == ((0, 0) if protocol == OWN else (1, 1))


@pytest.mark.parametrize(
    ("protocol", "termination", "end"),
    [
        (TRUE, [1, 1, 1, 0], (4, False)),
        (OWN, [1, 1, 1, 0, 1], (5, True)),
        (FORCED, [1, 1, 1, 0], (4, False)),
    ],
)
@pytest.mark.parametrize(
    ("task", "problem"), [("bfs", trail), ("prim", bypass), ("bfs+bellman-ford", trail)]
)
def test_it_ends_a_step_late(task, problem, protocol, termination, end):
    score = measured(task, problem(), Faulty(Fault(4, TERMINATION, 0, 0)), protocol)
    check(score, {TERMINATION: termination})
    assert score.per_step[TERMINATION] == tuple(termination)
    assert ended(score) == end
    assert not score.stopped_exactly
    assert exact(score) == (1, 1)
    others = [len(values) for name, values in score.per_step.items() if name != TERMINATION]
    assert set(others) == {len(termination)}


@every_protocol
def test_a_choice_in_the_step_that_ends_is_not_made(protocol):
    """Prim ends when it should add 3, which then is missing to the end."""
    score = measured("prim", bypass(), Faulty(Fault(3, TERMINATION, 0, 1)), protocol)
    if protocol == OWN:
        wrong = {
            "next": [1, 1, 0, None],
            "in_tree": [1, 1, 4 / 5, 4 / 5],
            "predecessor": [1, 1, 2 / 3, 2 / 3],
            TERMINATION: [1, 1, 0],
        }
        check(score, wrong)
        assert score.last == {"in_tree": 4 / 5, "next": 0, "predecessor": 2 / 3}
    else:
        check(score, {TERMINATION: [1, 1, 0, 1]})
    assert ended(score) == (3, True)


@every_protocol
def test_it_never_ends(protocol):
    """Of its own accord; after as many steps as nodes it is stopped."""
    faults = [Fault(step, TERMINATION, 0, 0) for step in (4, 5)]
    score = measured("bfs", trail(), Faulty(*faults), protocol)
    assert ended(score) == (5 if protocol == OWN else 4, False)
    assert not score.stopped_exactly


@every_protocol
def test_what_is_said_after_the_end_is_not_heard(protocol):
    """A node alone is done in one step and does not say so; beside it the trail takes four."""
    executor = Faulty(Fault(1, TERMINATION, 1, 0))
    longer, shorter = all_measured("bfs", [trail(), alone()], executor, protocol)
    check(longer, {})
    assert ended(longer) == (4, True)
    assert shorter.per_step == {"reachable": (1,), TERMINATION: (0,)}
    assert ended(shorter) == (1, False)


class Hesitant(PerfectExecutor):
    """Stops only when it is nearly sure, and is never sure enough before the end."""

    def step(self, start, state) -> Step:
        step = super().step(start, state)
        return Step(step.decided, {}, 0.6 + 0.4 * step.terminated, step.memory)

    def stop(self, step: Step) -> torch.Tensor:
        return step.terminated > 0.9


def test_where_it_stops_is_the_executors_decision():
    batch = collate([trail()], find_task("bfs"))
    run = run_under(OWN, Hesitant(), batch)
    assert run.stopped_itself.tolist() == [True]
    assert run.num_steps.tolist() == [4]
    [score] = measure(run, batch, ("reachable",))
    assert ended(score) == (4, True)
    assert score.per_step[TERMINATION] == (1, 1, 1, 1)


# ---- nothing to say


@every_protocol
def test_a_node_alone_has_nothing_to_choose(protocol):
    score = measured("prim", alone(), PerfectExecutor(), protocol)
    assert score.per_step == {
        "in_tree": (1,),
        "next": (None,),
        "predecessor": (None,),
        TERMINATION: (1,),
    }
    assert score.last == {"in_tree": 1, "next": None, "predecessor": None}
    assert score.mean("next") is None
    assert score.mean("in_tree") == 1
    assert exact(score) == (1, 1)


def test_only_what_is_predicted_is_measured_and_the_masks_it_grows():
    batch = collate([bypass()], find_task("prim"))
    run = run_under(TRUE, PerfectExecutor(), batch)
    for predicted, measured_too in [
        (("next",), ["in_tree", "next"]),
        (("predecessor",), ["predecessor"]),
        (("next", "predecessor"), ["in_tree", "next", "predecessor"]),
    ]:
        [score] = measure(run, batch, predicted)
        assert [*score.per_step] == [*measured_too, TERMINATION]
        assert [*score.last] == measured_too


def test_the_first_true_or_as_many_as_there_are():
    flags = torch.tensor([[False, True, False], [True, True, False]])
    assert first_true(flags).tolist() == [1, 0, 2]


# ---- an executor that errs anywhere, measured in plain Python


@every_task
@every_protocol
@given(
    several=st.lists(problems(directed=False).map(on_a_grid), min_size=1, max_size=3),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=12)
def test_however_wrong(task, protocol, several, seed):
    batch = collate(several, find_task(task))
    run = run_under(protocol, Erratic(seed), batch)
    names = [*batch.task.signals]
    scores = measure(run, batch, scope_of(batch.task).predicted)
    assert len(scores) == len(several)
    for graph, score in enumerate(scores):
        check_all(score, {name: by_hand(run, batch, graph, name) for name in names})
        taken, true_steps = int(run.num_steps[graph]), int(batch.num_steps[graph])
        said = [p > 0.5 for p in run.terminated[:taken, graph].tolist()]
        assert score.per_step[TERMINATION] == tuple(
            float(stops == (step >= true_steps)) for step, stops in enumerate(said, start=1)
        )
        assert ended(score) == (said.index(True) + 1 if any(said) else taken, any(said))
        assert score.true_steps == true_steps
        assert score.num_nodes == several[graph].graph.num_nodes


@every_task
@every_protocol
@given(
    several=st.lists(problems(directed=False).map(on_a_grid), min_size=1, max_size=4),
    seed=st.integers(0, 2**32),
)
@settings(deadline=None, max_examples=12)
def test_the_means_over_steps_are_those_of_the_scores(task, protocol, several, seed):
    batch = collate(several, find_task(task))
    run = run_under(protocol, Erratic(seed), batch)
    check_means(run, batch, scope_of(batch.task).predicted)


@every_protocol
@pytest.mark.parametrize("value", [torch.inf, torch.nan])
def test_the_mean_with_a_number_that_is_none(protocol, value):
    batch = collate([trail(), alone()], find_task("bfs+bellman-ford"))
    run = run_under(protocol, Faulty(Fault(4, "distance", 4, value)), batch)
    assert check_means(run, batch, ("distance",))["distance"][0] == torch.inf


def test_the_means_of_what_is_predicted_only():
    batch = collate([bypass()], find_task("prim"))
    run = run_under(TRUE, PerfectExecutor(), batch)
    assert [*check_means(run, batch, ("next",))] == ["in_tree", "next", TERMINATION]
    assert [*check_means(run, batch, ("predecessor",))] == ["predecessor", TERMINATION]


def check_means(run: Rollout, batch: Batch, predicted: tuple[str, ...]) -> dict[str, torch.Tensor]:
    means = mean_steps(run, batch, predicted)
    graphs = measure(run, batch, predicted)
    scores = Scores("", batch.task.name, TRUE, 0, "", (), tuple(graphs))
    assert {*means} == {*scores.metrics}
    for name, values in means.items():
        for found, graph in zip(values.tolist(), graphs, strict=True):
            expected = graph.mean(name)
            assert found != found if expected is None else found == pytest.approx(expected), name
        overall = scores.mean_step(name)
        mean = values.nanmean().item()
        assert mean != mean if overall is None else mean == pytest.approx(overall), name
    return means


def check_all(score: GraphScore, expected: dict[str, list[float | None]]) -> None:
    assert set(score.per_step) == {*expected, TERMINATION}
    for name, values in expected.items():
        assert len(score.per_step[name]) == len(values), name
        for found, value in zip(score.per_step[name], values, strict=True):
            assert found == value or found == pytest.approx(value, rel=1e-12), name
        said = [value for value in values if value is not None]
        last = values[-1] if name != "next" else (said[-1] if said else None)
        assert score.last[name] == last or score.last[name] == pytest.approx(last, rel=1e-12)


def by_hand(run: Rollout, batch: Batch, graph: int, name: str) -> list[float | None]:
    """One signal of one graph: lists, loops, and the definitions word for word."""
    taken, true_steps = int(run.num_steps[graph]), int(batch.num_steps[graph])
    first, stop = batch.edges.node_offsets[graph : graph + 2].tolist()
    kind = batch.task.signals[name].kind
    places = range(first, stop) if kind.per_node else [graph]
    added = {"prim": "in_tree", "dijkstra": "settled"}.get(batch.task.name)
    values = []
    for step in range(1, max(taken, true_steps) + 1):
        found = run.states[name][min(step, taken)].tolist()
        then = min(step, true_steps)
        true = batch.states[name][then].tolist()
        counts = [*places]
        if kind in (Kind.POINTER, Kind.CHOICE):
            counts = [place for place in counts if true[place] != UNDEFINED]
        if kind is Kind.POINTER and added is not None:
            given_at_start = batch.states[name][0].tolist()
            counts = [
                node
                for node in counts
                if batch.states[added][then, node] and given_at_start[node] == UNDEFINED
            ]
        if kind is Kind.SCALAR:
            each = [(found[place] - true[place]) ** 2 for place in counts]
        else:
            each = [float(found[place] == true[place]) for place in counts]
        values.append(sum(each) / len(each) if each else None)
    return values
