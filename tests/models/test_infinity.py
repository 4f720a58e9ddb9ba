import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from neuralexec import Graph, Problem, Split, collate, find_task
from neuralexec.batches import side_by_side
from neuralexec.models.infinity import (
    MARGIN,
    SLACK,
    SLACK_AT_THE_TOP,
    Reading,
    read,
    read_steps,
    restored,
)
from tests.models.small_graphs import edges_from, three_problems

INFINITY = math.inf
HEAVIEST = 1.0  # of the weights that networks are trained on

path_lengths = st.floats(0.125, 100, width=32)
distances = st.one_of(st.just(INFINITY), path_lengths)
graphs = st.lists(st.lists(distances, min_size=1, max_size=6), min_size=1, max_size=4)


def all_infinite_at_first(graphs: list[list[float]]) -> torch.Tensor:
    """But for the source, the first node of each graph."""
    return torch.tensor(
        [0.0 if place == 0 else INFINITY for own in graphs for place in range(len(own))]
    )


def reading(values: list[float], first: list[float], sizes: list[int] | None = None) -> Reading:
    edges = edges_from(sizes or [len(values)], [])
    return read(torch.tensor(values), torch.tensor(first), edges)


# ---- what is read


def test_infinity_reads_as_the_largest_so_far_and_a_margin():
    """Three graphs: each has its own largest; where nothing is finite, that is 0."""
    values = [0.0, 1.5, INFINITY, INFINITY, 7.0, INFINITY]
    first = [0.0, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY]
    found = reading(values, first, [3, 2, 1])
    assert found.values.tolist() == [0, 1.5, 1.5 + MARGIN, 7 + MARGIN, 7, MARGIN]
    assert found.stand_in[1:].tolist() == [1.5 + MARGIN] * 2 + [7 + MARGIN] * 2 + [MARGIN]
    assert found.no_path.tolist() == [False, False, True, True, False, True]
    assert found.infinity.tolist() == first


def test_a_finite_infinity_reads_as_the_same_but_never_as_more_than_it_is():
    """In the first graph it is 9; in the second 4, to which the largest comes close."""
    found = reading([0.0, 1.5, 9.0, 0.0, 3.5, 4.0], [0.0, 9.0, 9.0, 0.0, 4.0, 4.0], [3, 3])
    assert found.no_path.tolist() == [False, False, True] * 2
    assert found.values.tolist() == [0, 1.5, 1.5 + MARGIN, 0, 3.5, 4]
    assert found.stand_in[[1, 2, 4, 5]].tolist() == [1.5 + MARGIN] * 2 + [4] * 2


def test_the_source_has_a_path_from_the_beginning():
    found = reading([0.0, 6.0], [0.0, 6.0])
    assert found.no_path.tolist() == [False, True]
    assert found.values.tolist() == [0, MARGIN]


def test_what_is_predicted_below_0_does_not_lower_the_stand_in():
    found = reading([-3.0, INFINITY], [0.0, INFINITY])
    assert found.values.tolist() == [-3, MARGIN]


@given(graphs)
@settings(deadline=None, max_examples=50)
def test_what_is_read_is_finite_and_comes_back(graphs):
    edges, first = edges_from([len(own) for own in graphs], []), all_infinite_at_first(graphs)
    values = torch.tensor(np.concatenate(graphs), dtype=torch.float32).minimum(first)
    found = read(values, first, edges)
    assert torch.isfinite(found.values).all()
    assert torch.equal(restored(found.values, found), values)


# ---- what becomes of a prediction


@pytest.mark.parametrize(
    ("before", "predicted", "after"),
    [
        (INFINITY, 5.0, INFINITY),
        (INFINITY, 4.6, INFINITY),
        (INFINITY, 6.0, INFINITY),
        (INFINITY, 4.0, 4.0),
        (INFINITY, 0.3, 0.3),
        (4.0, 5.0, 5.0),
        (2.0, 1.0, 1.0),
    ],
    ids=["exact", "near", "above", "reached", "low", "finite-stays-finite", "improved"],
)
def test_what_comes_out_near_the_stand_in_is_infinite_still(before, predicted, after):
    """The largest was 3, so that 5 stands in for infinity."""
    found = reading([0.0, 3.0, before], [0.0, INFINITY, INFINITY])
    stand_in = torch.tensor([0.0, 3.0, predicted])
    expected = torch.tensor([0.0, 3.0, after])
    assert_close(restored(stand_in, found._replace(stand_in=torch.full((3,), 5.0))), expected)


@pytest.mark.parametrize(
    ("infinity", "slack"), [(INFINITY, SLACK), (60.0, SLACK), (7.0, SLACK_AT_THE_TOP)]
)
def test_only_what_is_within_the_slack_of_the_stand_in_is_infinite_still(infinity, slack):
    """A node just reached is at least 1 below it, as no weight is above 1; but where the stand-in
    is infinity itself, the longest path is."""
    first = torch.full((4,), infinity)
    nowhere = Reading(first, torch.ones(4, dtype=torch.bool), torch.full((4,), 7.0), first)
    found = restored(torch.tensor([6.0, 7 - 1.1 * slack, 7 - 0.9 * slack, 7.2]), nowhere)
    assert found.tolist() == pytest.approx([6.0, 7 - 1.1 * slack, infinity, infinity])


@given(st.lists(distances, min_size=2, max_size=6), st.floats(0, HEAVIEST, width=32))
@settings(deadline=None, max_examples=50)
def test_a_node_just_reached_is_not_taken_for_infinite(graph, weight):
    """One edge beyond the furthest node so far."""
    values = torch.tensor([0.0, *graph, INFINITY], dtype=torch.float32)
    first = torch.tensor([0.0, *[INFINITY] * (len(values) - 1)])
    found = read(values, first, edges_from([len(values)], []))
    reached = values.clone()
    reached[-1] = values[values.isfinite()].max() + weight
    assert torch.equal(restored(reached, found), reached)


# ---- the steps of a training


def steps_read(problems: list[Problem], **layout):
    batch = collate(problems, find_task("bfs+bellman-ford"))
    steps = side_by_side(batch, **layout)
    first = batch.start.signals["distance"].index_select(0, steps.nodes)
    return steps, read_steps(steps, {"distance": first})


def test_steps_are_read_and_targets_too_where_nothing_changes():
    """0 - 1 - 2 and 3 apart, with an infinity of 9: in the first step 1 is reached, then 2."""
    graph = Graph.from_edges(4, [0, 1], [1, 2], [0.5, 0.75])
    steps, found = steps_read([Problem(graph, 0, infinity=9.0)])
    assert steps.inputs["distance"].tolist()[:8] == [0, 9, 9, 9, 0, 0.5, 9, 9]
    assert found.inputs["distance"].tolist() == [
        *(0, 2, 2, 2),
        *(0, 0.5, 2.5, 2.5),
        *(0, 0.5, 1.25, 3.25),
    ]
    assert found.targets["distance"].tolist() == [
        *(0, 0.5, 2, 2),
        *(0, 0.5, 1.25, 2.5),
        *(0, 0.5, 1.25, 3.25),
    ]


@pytest.mark.parametrize("replicas", [1, 2])
def test_steps_are_read_as_an_executor_reads_the_states(replicas):
    problems = [*Split("train", 8, 2).draw(), *three_problems() * 2]
    batch = collate(problems, find_task("bfs+bellman-ford"))
    graphs = torch.arange(14)
    steps, found = steps_read(problems, graphs=graphs, replicas=replicas)
    first = batch.start.signals["distance"]
    expected = [read(states, first, batch.edges).values for states in batch.states["distance"]]
    rows = steps.course.split(found.inputs["distance"])
    nodes = steps.course.split(steps.nodes)
    assert len(rows) > 3
    for own, where, values in zip(rows, nodes, expected, strict=False):
        assert torch.equal(own, values[where])


def test_nothing_else_of_steps_is_touched():
    steps, found = steps_read(three_problems())
    for before, after in ((steps.inputs, found.inputs), (steps.targets, found.targets)):
        assert after.keys() == before.keys()
        assert all(after[name] is before[name] for name in ("reachable", "predecessor"))
        assert not torch.equal(after["distance"], before["distance"])
    assert torch.equal(found.settled, steps.settled)
    assert (found.edges, found.course) == (steps.edges, steps.course)
