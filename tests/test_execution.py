"""What a user holds."""

import sys

import numpy as np
import pytest

import neuralexec as ne
from neuralexec.execution import load
from neuralexec.graphs.splits import draw_problem
from neuralexec.training.run import train
from tests.training.tiny import tiny

SMALL = ne.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [0.5, 0.25, 1.0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "both"
    train(tiny(tasks=("bfs+bellman-ford", "prim"), max_epochs=1), folder)
    return folder


@pytest.mark.parametrize("name", ["best-bfs-bellman-ford", "paper-bfs-bellman-ford"])
def test_a_pretrained_executor_finds_shortest_paths(name):
    execution = load(name).run(SMALL, 0)
    assert execution.signals["reachable"].tolist() == [True] * 4
    assert execution.signals["predecessor"].tolist() == [0, 0, 1, 2]
    error = 0.1 if name.startswith("best") else 0.4
    np.testing.assert_allclose(execution.signals["distance"], [0, 0.5, 0.75, 1.75], atol=error)
    assert execution.stopped_by == "termination"
    checked = execution.check()
    assert checked["bfs"].exact
    assert checked["bellman-ford"].optimal_predecessors == 1.0


def test_a_pretrained_executor_finds_a_spanning_tree():
    problem = draw_problem("grid", 16, (1, "example", 0))
    execution = load("best-prim").run(problem.graph, problem.source)
    assert execution.check()["prim"].tree_weight_ratio == pytest.approx(1.0)
    assert execution.stopped_by == "termination"
    assert execution.exact


def test_a_source_is_an_index_or_a_name():
    named = ne.Graph.from_edges(3, [0, 1], [1, 2], [0.5, 0.5], names=["x", "y", "z"])
    model = load("best-bfs-bellman-ford")
    by_name, by_index = model.run(named, "y"), model.run(named, 1)
    assert by_name.signals["predecessor"].tolist() == by_index.signals["predecessor"].tolist()
    with pytest.raises(ne.InputError, match="'w'"):
        model.run(named, "w")
    with pytest.raises(ne.InputError, match="out of range"):
        model.run(named, 3)
    with pytest.raises(ne.InputError, match="index of a node"):
        model.run(named, True)
    with pytest.raises(ne.InputError, match="starts from a source"):
        model.run(named)


def test_what_cannot_be_reached_has_no_distance_and_no_predecessor():
    apart = ne.Graph.from_edges(5, [0, 1, 3], [1, 2, 4], [0.5, 0.5, 0.5])
    execution = load("best-bfs-bellman-ford").run(apart, 0)
    assert execution.signals["reachable"].tolist() == [True, True, True, False, False]
    assert execution.signals["distance"][3:].tolist() == [np.inf, np.inf]
    assert execution.signals["predecessor"][3:].tolist() == [-1, -1]
    assert execution.check()["bfs"].exact


def test_directed_graphs_run_as_directed():
    one_way = ne.Graph.from_arcs(3, [0, 2], [1, 1], [0.5, 0.5], directed=True)
    execution = load("best-bfs-bellman-ford").run(one_way, 0)
    assert execution.signals["reachable"].tolist() == [True, True, False]
    with pytest.raises(ne.InputError, match="undirected"):
        load("best-prim").run(one_way, 0)


def test_nothing_derived_from_the_answer_enters_a_run(monkeypatch):
    def forbidden(*arguments, **options):
        raise AssertionError("the answer was computed")

    model = load("best-bfs-bellman-ford")
    collating = sys.modules["neuralexec.batches.collate"]
    monkeypatch.setattr(collating, "with_paper_infinity", forbidden)
    monkeypatch.setattr(collating, "trace_all", forbidden)
    monkeypatch.setattr("scipy.sparse.csgraph.dijkstra", forbidden)
    assert model.run(SMALL, 0).signals["predecessor"].tolist() == [0, 0, 1, 2]


def test_steps_are_kept_when_asked():
    model = load("best-bfs-bellman-ford")
    execution = model.run(SMALL, 0, keep_steps=True)
    assert len(execution.steps) == execution.num_steps
    assert execution.steps[0]["reachable"].tolist() == [True, True, False, False]
    for name, values in execution.signals.items():
        np.testing.assert_array_equal(values, execution.steps[-1][name])
    assert model.run(SMALL, 0).steps == ()


def test_a_cap_stops_it():
    execution = load("best-bfs-bellman-ford").run(SMALL, 0, max_steps=2)
    assert (execution.num_steps, execution.stopped_by) == (2, "cap")
    assert execution.signals["reachable"].tolist() == [True, True, True, False]
    for wrong in (0, 1.5):
        with pytest.raises(ne.InputError, match="at least 1"):
            load("best-bfs-bellman-ford").run(SMALL, 0, max_steps=wrong)


def test_one_node_alone():
    execution = load("best-bfs-bellman-ford").run(ne.Graph.from_edges(1, [], []), 0)
    assert execution.signals["predecessor"].tolist() == [0]


def test_weights_it_never_saw_are_pointed_out():
    heavy = ne.Graph.from_edges(3, [0, 1], [1, 2], [465.0, 225.0])
    with pytest.warns(ne.InputWarning, match="between 0.2 and 1.0; these go from 225 to 465"):
        load("best-bfs-bellman-ford").run(heavy, 0)


def test_an_executor_of_your_own_by_folder_or_file(folder):
    model = load(folder)
    assert load(folder / "model.safetensors").tasks == model.tasks
    assert [task.name for task in model.tasks] == ["bfs+bellman-ford", "prim"]
    assert set(model.run(SMALL, 0, algorithm="bfs").signals) == {
        "reachable",
        "distance",
        "predecessor",
    }
    assert set(model.run(SMALL, 0, algorithm="prim").signals) == {
        "in_tree",
        "next",
        "predecessor",
    }
    with pytest.raises(ne.InputError, match="was trained for bfs\\+bellman-ford, prim, not for"):
        model.run(SMALL, 0, algorithm="dijkstra")


def test_a_part_of_an_answer_cannot_be_checked(tmp_path):
    train(tiny(variant="no-algo", max_epochs=1), tmp_path / "run")
    execution = load(tmp_path / "run").run(SMALL, 0)
    assert set(execution.signals) == {"predecessor"}
    with pytest.raises(ne.InputError, match="predecessor only"):
        execution.check()


def test_what_is_neither_a_name_nor_a_file(tmp_path):
    with pytest.raises(ne.InputError, match="those are best-bfs-bellman-ford, best-prim"):
        load("worst")
    with pytest.raises(ne.InputError, match="those are"):
        load(tmp_path)


def test_it_says_what_it_is():
    model = load("best-prim")
    assert repr(model) == "Model('best-prim', for prim)"
    assert "prim on Graph(4 nodes" in repr(model.run(SMALL, 0))
