"""Whole explanations: against plain loops, and of networks that are known to be right."""

from functools import cache

import pytest
import torch

from neuralexec import Graph, InputError, Model, Problem, Split, checksum, find_task, load
from neuralexec.evaluation.explain import explain
from neuralexec.evaluation.explanations import Explanations, GraphExplanations
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.processors import processors
from tests.evaluation.executors import alone, bypass, trail
from tests.evaluation.explained_by_loops import weights_by_loops
from tests.models.networks import RELATIVE, executor_for

GATED = [name for name, kind in processors().items() if kind.gates]
TASK = find_task("bfs+bellman-ford")
FEW = {"sparsity": 0.003, "iterations": 8, "learning_rate": 0.2}


def diamond() -> Problem:
    """From 0 to 1 and 2, which are joined; from either to 3, and on to 4; 5 is apart."""
    pairs = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 4)]
    weights = [0.25, 0.5, 0.75, 1.0, 0.5, 0.25]
    return Problem(Graph.from_edges(6, *map(list, zip(*pairs, strict=True)), weights), 0)


@cache
def model(name: str) -> Model:
    return load(name)


def check_by_loops(
    executor: NeuralExecutor,
    found: GraphExplanations,
    problem: Problem,
    task: str,
    signal: str,
    **search,
) -> None:
    steps = {one.node: one.step for one in found.nodes}
    expected = weights_by_loops(executor, problem, find_task(task), signal, steps, **search)
    assert expected
    for one in found.nodes:
        assert one.weights == pytest.approx(expected[one.node], abs=2e-4)


@pytest.mark.parametrize("processor", GATED)
@pytest.mark.parametrize("signal", ["reachable", "predecessor"])
def test_masks_are_those_of_each_node_by_itself(processor, signal):
    executor = executor_for("bfs+bellman-ford", processor=processor)
    problems = [trail(), alone(), diamond()]
    found = explain(executor, problems, TASK, signal, **FEW)
    for problem, graph in zip(problems, found.graphs, strict=True):
        if graph.nodes:
            check_by_loops(executor, graph, problem, "bfs+bellman-ford", signal, **FEW)


@pytest.mark.parametrize("signal", ["reachable", "predecessor"])
@pytest.mark.parametrize("scorer", ["linear", "both"])
def test_of_every_scorer(signal, scorer):
    executor = executor_for("bfs+bellman-ford", scorer=scorer)
    [graph] = explain(executor, [diamond()], TASK, signal, **FEW).graphs
    check_by_loops(executor, graph, diamond(), "bfs+bellman-ford", signal, **FEW)


@pytest.mark.parametrize("forced", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_on_the_true_states_or_the_network_s_own(forced, seed):
    executor = executor_for("bfs+bellman-ford", seed=seed)
    found = explain(executor, [diamond()], TASK, forced=forced, **FEW)
    assert found.forced == forced
    check_by_loops(
        executor, found.graphs[0], diamond(), "bfs+bellman-ford", "reachable", forced=forced, **FEW
    )


def test_the_two_differ():
    executor = executor_for("bfs+bellman-ford", seed=1)
    true, own = (explain(executor, [diamond()], TASK, forced=forced, **FEW) for forced in (1, 0))
    assert true.graphs != own.graphs


@pytest.mark.parametrize("task", ["prim", "dijkstra", "bellman-ford"])
@pytest.mark.parametrize("forced", [True, False])
def test_pointers_of_other_algorithms(task, forced):
    executor = executor_for(task)
    search = {"forced": forced, **FEW}
    [graph] = explain(executor, [bypass()], find_task(task), "predecessor", **search).graphs
    check_by_loops(executor, graph, bypass(), task, "predecessor", **search)


@pytest.mark.parametrize(
    "options", [{"recurrent": False}, {"variant": "no-algo"}, RELATIVE, {**RELATIVE, "sharp": True}]
)
def test_networks_that_read_other_things(options):
    executor = executor_for("bfs+bellman-ford", **options)
    [graph] = explain(executor, [diamond()], TASK, "predecessor", **FEW).graphs
    check_by_loops(executor, graph, diamond(), "bfs+bellman-ford", "predecessor", **FEW)


@pytest.mark.parametrize(
    "search",
    [
        {**FEW, "sparsity": 0.0},
        {**FEW, "sparsity": 2.0},
        {**FEW, "iterations": 1},
        {**FEW, "learning_rate": 0.02},
    ],
)
def test_every_setting_counts(search):
    executor = executor_for("bfs+bellman-ford")
    found = explain(executor, [diamond()], TASK, **search)
    check_by_loops(executor, found.graphs[0], diamond(), "bfs+bellman-ford", "reachable", **search)
    assert {name: getattr(found, name) for name in search} == search


@pytest.mark.parametrize("name", ["paper-bfs-bellman-ford", "best-bfs-bellman-ford"])
def test_what_a_trained_network_rests_on_is_right(name):
    found = explain(model(name).executor, [diamond(), trail()], TASK, model=name)
    first, second = found.graphs
    assert [(one.node, one.step) for one in first.nodes] == [(1, 1), (2, 1), (3, 2), (4, 3)]
    assert [one.senders for one in first.nodes] == [
        (0, 1, 2, 3),
        (0, 1, 2, 3),
        (1, 2, 3, 4),
        (3, 4),
    ]
    assert [one.right for one in first.nodes] == [(0,), (0,), (1, 2), (3,)]
    assert [one.sender for one in second.nodes] == [0, 1, 2]
    assert found.correct_predecessors == found.faultless_paths == 1
    assert (found.model, found.task, found.signal) == (name, "bfs+bellman-ford", "reachable")
    assert found.data == checksum([diamond(), trail()])


@pytest.mark.parametrize("forced", [True, False])
def test_most_paths_on_new_graphs_have_no_error(forced):
    """The paper has 82.16% and 93.85% on the graphs of training."""
    problems = Split("explained", 20, 1).draw(0)
    found = explain(model("paper-bfs-bellman-ford").executor, problems, TASK, forced=forced)
    assert found.num_explained > 75
    assert found.faultless_paths >= 0.98
    assert found.correct_predecessors >= 0.98
    assert found.converged >= 0.98
    assert [graph.family for graph in found.graphs] == [problem.family for problem in problems]


def test_a_network_that_has_learnt_nothing_may_rest_on_anything():
    problems = Split("explained", 20, 1).draw(0)
    found = explain(executor_for("bfs+bellman-ford"), problems, TASK, iterations=50)
    assert found.faultless_paths < 0.5


def test_of_many_as_of_one():
    problems = [trail(), diamond(), *Split("explained", 10, 1, ("tree", "4-community")).draw(0)]
    executor = model("paper-bfs-bellman-ford").executor
    together = explain(executor, problems, TASK)
    for place, problem in enumerate(problems):
        [graph] = explain(executor, [problem], TASK).graphs
        whole = together.graphs[place]
        assert len(whole.nodes) == len(graph.nodes)
        for one, other in zip(whole.nodes, graph.nodes, strict=True):
            assert (one.node, one.step, one.senders) == (other.node, other.step, other.senders)
            assert one.right == other.right
            assert one.weights == pytest.approx(other.weights, abs=0.02)


def test_the_network_stays_as_it_was():
    executor = executor_for("bfs+bellman-ford")
    before = {name: value.clone() for name, value in executor.state_dict().items()}
    explain(executor, [diamond()], TASK, **FEW)
    for name, parameter in executor.named_parameters():
        assert torch.equal(parameter, before[name])
        assert parameter.grad is None
        assert parameter.requires_grad


def test_it_can_be_asked_for_where_gradients_are_off():
    executor = executor_for("bfs+bellman-ford")
    usual = explain(executor, [diamond()], TASK, **FEW)
    with torch.no_grad():
        assert explain(executor, [diamond()], TASK, **FEW) == usual


def test_a_node_alone_has_nothing_to_explain():
    found = explain(executor_for("bfs+bellman-ford"), [alone()], TASK)
    assert found.graphs == (GraphExplanations(None, 1, ()),)
    assert found.faultless_paths is None


def test_a_result_goes_through_json():
    found = explain(executor_for("bfs+bellman-ford"), [diamond()], TASK, **FEW)
    assert Explanations.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"problems": []}, "there are no problems to explain"),
        ({"signal": "distance"}, "'distance' is no MASK or POINTER .* reachable, predecessor"),
        ({"signal": "next"}, "choose one of reachable, predecessor"),
        ({"task": find_task("prim")}, "trained for bfs.bellman-ford, not for prim"),
        ({"iterations": 0}, "iterations must be at least 1; got 0"),
        ({"sparsity": -0.1}, "sparsity must be 0 or more; got -0.1"),
        ({"sparsity": float("nan")}, "sparsity must be 0 or more; got nan"),
        ({"learning_rate": 0.0}, "learning_rate must be above 0; got 0.0"),
        ({"learning_rate": float("inf")}, "learning_rate must be above 0; got inf"),
    ],
)
def test_what_cannot_be_explained_is_said(options, message):
    given = {"problems": [trail()], "task": TASK, **options}
    with pytest.raises(InputError, match=message):
        explain(executor_for("bfs+bellman-ford"), **given)


def test_a_mask_that_choices_grow_has_no_head_to_explain():
    with pytest.raises(InputError, match=r"'in_tree' is no MASK .*choose one of predecessor"):
        explain(executor_for("prim"), [bypass()], find_task("prim"), "in_tree")


def test_numbers_alone_cannot_be_explained():
    task = find_task("connected-components")
    with pytest.raises(InputError, match="predicts no MASK and no POINTER of connected-comp"):
        explain(executor_for(task.name), [trail()], task)


def test_a_processor_without_messages_says_so():
    with pytest.raises(InputError, match="explain another processor"):
        explain(executor_for("bfs+bellman-ford", processor="lstm"), [trail()], TASK)
