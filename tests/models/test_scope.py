import pytest

from neuralexec import InputError, find_task
from neuralexec.models.scope import Scope, scope_of


@pytest.mark.parametrize(
    ("task", "fed", "predicted"),
    [
        ("bfs", ("reachable",), ("reachable",)),
        ("bellman-ford", ("distance",), ("distance", "predecessor")),
        (
            "bfs+bellman-ford",
            ("reachable", "distance"),
            ("reachable", "distance", "predecessor"),
        ),
        ("prim", ("in_tree",), ("next", "predecessor")),
        ("dijkstra", ("distance", "settled"), ("distance", "next", "predecessor")),
        ("connected-components", ("label",), ("label",)),
    ],
)
def test_all_that_is_fed_back_is_fed_and_a_mask_that_grows_is_not_predicted(task, fed, predicted):
    assert scope_of(find_task(task)) == Scope(fed, predicted)
    assert scope_of(find_task(task), "full") == scope_of(find_task(task))


@pytest.mark.parametrize("task", ["bfs+bellman-ford", "bellman-ford+bfs"])
def test_no_reach_leaves_the_signals_of_bfs_out(task):
    expected = Scope(("distance",), ("distance", "predecessor"))
    assert scope_of(find_task(task), "no-reach") == expected


@pytest.mark.parametrize("task", ["bfs", "bellman-ford", "prim"])
def test_no_reach_needs_bfs_and_another(task):
    with pytest.raises(InputError, match=f"{task} is not that: choose bfs\\+bellman-ford"):
        scope_of(find_task(task), "no-reach")


@pytest.mark.parametrize(
    ("task", "fed"),
    [
        ("bfs+bellman-ford", ("reachable", "distance")),
        ("prim", ("in_tree",)),
        ("dijkstra", ("distance", "settled")),
    ],
)
def test_no_algo_learns_predecessors_from_the_first_input(task, fed):
    scope = scope_of(find_task(task), "no-algo")
    assert scope == Scope(fed, ("predecessor",), feeds_start_only=True, teaches_end_only=True)


@pytest.mark.parametrize("task", ["bfs", "connected-components"])
def test_no_algo_needs_predecessors(task):
    with pytest.raises(InputError, match=f"{task} has none"):
        scope_of(find_task(task), "no-algo")


def test_an_unknown_variant_is_refused():
    with pytest.raises(InputError, match=r"unknown variant 'no-reech'.*'no-reach'"):
        scope_of(find_task("bfs"), "no-reech")
