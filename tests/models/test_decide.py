"""What scores say, and how a state goes on from there."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neuralexec import Graph, Kind, Problem, find_task
from neuralexec.algorithms import UNDEFINED
from neuralexec.batches import Start, begin
from neuralexec.models import decide as module
from neuralexec.models.decide import CLOSED, advance, decide, open_scores

NAN = math.nan
RUNNING, FINISHING = torch.tensor([False]), torch.tensor([True])


def path(task: str, source: int = 0) -> Start:
    """0 - 1 - 2 with self-edges: edges 0->0 1->0 | 0->1 1->1 2->1 | 1->2 2->2."""
    return begin([Problem(Graph.from_edges(3, [0, 1], [1, 2]), source)], find_task(task))


def tree(*nodes: int, of: int = 3) -> torch.Tensor:
    return torch.tensor([node in nodes for node in range(of)])


def test_every_kind_is_covered():
    assert set(module._DECIDE) == set(module._ORDER) == set(Kind)


def test_bits_numbers_and_edges():
    start = path("bfs+bellman-ford")
    scores = {
        "reachable": torch.tensor([-0.1, 0.0, 0.1]),
        "distance": torch.tensor([0.5, -2.0, 3.0]),
        "predecessor": torch.tensor([0.0, 1.0, 5.0, 7.0, 7.0, NAN, -9.0]),
    }
    decided = decide(start.task, scores, start.signals, start.edges)
    assert decided["reachable"].tolist() == [False, False, True]
    assert decided["distance"].tolist() == [0.5, -2, 3]
    assert decided["predecessor"].tolist() == [1, 3, 6]  # a tie: the first; NaN: last of all
    assert {name: values.dtype for name, values in decided.items()} == {
        name: values.dtype for name, values in start.signals.items()
    }


@pytest.mark.parametrize(
    ("taken", "scores", "chosen"),
    [
        ([0], [9.0, 1.0, 2.0], 2),
        ([0], [9.0, 2.0, 2.0], 1),
        ([], [9.0, 1.0, 2.0], 0),
        ([0, 1, 2], [9.0, 1.0, 2.0], UNDEFINED),
        ([0], [9.0, NAN, 2.0], 2),
        ([0], [NAN, NAN, 2.0], 2),
        ([0], [9.0, NAN, NAN], UNDEFINED),
        ([0], [9.0, -1e30, -math.inf], UNDEFINED),
    ],
    ids=["highest", "tie", "all-open", "none-left", "nan", "nan-closed", "only-nan", "too-low"],
)
def test_a_choice_is_the_best_node_that_is_open(taken, scores, chosen):
    start = path("prim")
    inputs = {**start.signals, "in_tree": tree(*taken)}
    decided = decide(start.task, {"next": torch.tensor(scores)}, inputs, start.edges)
    assert decided["next"].tolist() == [chosen]
    assert decided["next"].dtype == torch.int64


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_no_choice_is_ever_taken_twice(data):
    """Two graphs, whatever the scores."""
    graph = Graph.from_edges(4, [0, 1, 2], [1, 2, 3])
    start = begin([Problem(graph, 0), Problem(graph, 3)], find_task("prim"))
    anything = st.one_of(st.sampled_from([NAN, math.inf, -math.inf, CLOSED]), st.floats(width=32))
    scores = torch.tensor(data.draw(st.lists(anything, min_size=8, max_size=8)))
    taken = torch.tensor(data.draw(st.lists(st.booleans(), min_size=8, max_size=8)))
    inputs = {**start.signals, "in_tree": taken}
    chosen = decide(start.task, {"next": scores.float()}, inputs, start.edges)["next"]
    for graph_number, node in enumerate(chosen.tolist()):
        if node != UNDEFINED:
            assert not taken[node]
            assert start.edges.graph_of_node[node] == graph_number


def test_closed_scores_stay_finite_and_open_ones_as_they_are():
    start = path("prim")
    scores = torch.tensor([9.0, 1.0, 2.0])
    inputs = {"in_tree": tree(1)}
    assert open_scores(start.task, "next", scores, inputs).tolist() == [9, CLOSED, 2]
    assert math.isfinite(CLOSED)


def test_a_choice_that_grows_nothing_is_open_everywhere():
    free = find_task("connected-components")
    scores = torch.tensor([9.0, 1.0])
    assert open_scores(free, "label", scores, {}) is scores


def test_a_choice_grows_its_mask_and_points_where_it_chose():
    """Prim: 1 is chosen; its pointer is written, and no other."""
    start = path("prim")
    decided = {"next": torch.tensor([1]), "predecessor": torch.tensor([1, 4, 5]).int()}
    after = advance(start.task, start.signals, decided, RUNNING, start.edges)
    assert after["in_tree"].tolist() == [True, True, False]
    assert after["next"].tolist() == [1]
    assert after["predecessor"].tolist() == [0, 4, UNDEFINED]
    again = {"next": torch.tensor([2]), "predecessor": torch.tensor([1, 3, 5]).int()}
    after = advance(start.task, after, again, RUNNING, start.edges)
    assert after["in_tree"].tolist() == [True, True, True]
    assert after["predecessor"].tolist() == [0, 4, 5]


def test_what_is_decided_first_does_not_depend_on_the_order_of_names():
    start = path("prim")
    decided = {"predecessor": torch.tensor([1, 4, 5]).int(), "next": torch.tensor([1])}
    after = advance(start.task, start.signals, decided, RUNNING, start.edges)
    assert after["predecessor"].tolist() == [0, 4, UNDEFINED]


@pytest.mark.parametrize("task", ["prim", "dijkstra"])
def test_nothing_is_chosen_in_a_last_step(task):
    start = path(task)
    [mask] = {signal.grows for signal in start.task.signals.values()} - {None}
    decided = {"next": torch.tensor([1]), "predecessor": torch.tensor([1, 4, 5]).int()}
    after = advance(start.task, start.signals, decided, FINISHING, start.edges)
    assert after["next"].tolist() == [UNDEFINED]
    for name in (mask, "predecessor"):
        assert torch.equal(after[name], start.signals[name])


def test_only_the_graph_that_finishes_chooses_nothing():
    graph = Graph.from_edges(2, [0], [1])
    start = begin([Problem(graph, 0), Problem(graph, 0)], find_task("prim"))
    decided = {"next": torch.tensor([1, 3])}
    finishing = torch.tensor([True, False])
    after = advance(start.task, start.signals, decided, finishing, start.edges)
    assert after["next"].tolist() == [UNDEFINED, 3]
    assert after["in_tree"].tolist() == [True, False, True, True]


def test_dijkstra_points_from_every_settled_node():
    """The node just settled, and again those settled before; distances go everywhere."""
    start = path("dijkstra")
    before = {**start.signals, "settled": tree(0)}
    decided = {
        "distance": torch.tensor([0.5, 1.0, 2.0]),
        "next": torch.tensor([1]),
        "predecessor": torch.tensor([1, 2, 5]).int(),
    }
    after = advance(start.task, before, decided, RUNNING, start.edges)
    assert after["settled"].tolist() == [True, True, False]
    assert after["predecessor"].tolist() == [1, 2, UNDEFINED]
    assert after["distance"].tolist() == [0.5, 1, 2]


def test_bellman_ford_points_from_everywhere():
    start = path("bellman-ford")
    decided = {"predecessor": torch.tensor([1, 2, 5]).int()}
    after = advance(start.task, start.signals, decided, RUNNING, start.edges)
    assert after["predecessor"].tolist() == [1, 2, 5]
    assert torch.equal(after["distance"], start.signals["distance"])


@pytest.mark.parametrize("task", ["prim", "dijkstra"])
def test_pointers_without_a_choice_are_written_everywhere(task):
    start = path(task)
    decided = {"predecessor": torch.tensor([0, 2, 5]).int()}
    after = advance(start.task, start.signals, decided, FINISHING, start.edges)
    assert after["predecessor"].tolist() == [0, 2, 5]


def test_the_state_before_is_left_as_it_is():
    start = path("prim")
    before = {name: values.clone() for name, values in start.signals.items()}
    decided = {"next": torch.tensor([1]), "predecessor": torch.tensor([1, 4, 5]).int()}
    advance(start.task, start.signals, decided, RUNNING, start.edges)
    for name, values in before.items():
        assert torch.equal(start.signals[name], values)
