"""The lines of a table: whose number stands where, ours and the paper's."""

import math
from dataclasses import replace

import pytest

from neuralexec import find_task
from neuralexec.evaluation.metrics import with_grown_masks
from neuralexec.evaluation.scores import TERMINATION, GraphScore, Scores
from neuralexec.models.scope import scope_of
from neuralexec.reports.rows import Row, paper_model, rows_of

SHORTEST, PRIM = "bfs+bellman-ford", "prim"
PER_NODE = {"reachable": 0.5, "distance": 2.0, "predecessor": 0.25, "in_tree": 0.75, "next": 0.125}


def scores_of(task: str, variant: str = "full") -> Scores:
    """Two steps, half as much in the last."""
    names = with_grown_masks(find_task(task), scope_of(find_task(task), variant).predicted)
    graph = GraphScore(
        family="tree",
        num_nodes=20,
        true_steps=2,
        steps_taken=2,
        stopped_itself=True,
        per_step={
            **{name: (PER_NODE[name], PER_NODE[name] / 2) for name in names},
            TERMINATION: (1.0, 0.0),
        },
        last={name: PER_NODE[name] / 2 for name in names},
    )
    return Scores("some", task, "true-length", 20, "", ("distance",), (graph,))


def row_of(task: str, label: str, variant: str = "full") -> Row:
    [row] = [row for row in rows_of(scores_of(task, variant)) if row.label == label]
    return row


def test_what_there_is_to_show():
    assert {row.label: row.value(scores_of(SHORTEST)) for row in rows_of(scores_of(SHORTEST))} == {
        "reachable, mean": 0.375,
        "reachable, last": 0.25,
        "distance error, mean": 1.5,
        "distance error, last": 1.0,
        "predecessor, mean": 0.1875,
        "predecessor, last": 0.125,
        "termination, mean": 0.5,
        "stops exactly": 1.0,
        "ends all right": 0.0,
    }
    assert {row.label: row.value(scores_of(PRIM)) for row in rows_of(scores_of(PRIM))} == {
        "in_tree, mean": 0.5625,
        "in_tree, last": 0.375,
        "next, mean": 0.09375,
        "predecessor, mean": 0.1875,
        "predecessor, last": 0.125,
        "termination, mean": 0.5,
        "stops exactly": 1.0,
        "ends all right": 0.0,
    }


def test_a_row_reads_any_scores():
    """Those it was made of, and others: of another size, or of doing nothing."""
    row = row_of(SHORTEST, "reachable, mean")
    [graph] = scores_of(SHORTEST).graphs
    others = replace(graph, per_step={**graph.per_step, "reachable": (1.0, 1.0)})
    assert row.value(replace(scores_of(SHORTEST), graphs=(graph, others))) == (0.375 + 1) / 2


def test_only_distances_are_errors():
    errors = [row.label for row in rows_of(scores_of(SHORTEST)) if row.is_error]
    assert errors == ["distance error, mean", "distance error, last"]
    assert not any(row.is_error for row in rows_of(scores_of(PRIM)))


@pytest.mark.parametrize(
    ("task", "label", "model", "num_nodes", "value"),
    [
        (SHORTEST, "reachable, mean", "MPNN-max", 100, 0.9992),
        (SHORTEST, "reachable, last", "MPNN-mean", 50, 0.5789),
        (SHORTEST, "predecessor, mean", "MPNN-max", 100, 0.9091),
        (SHORTEST, "predecessor, last", "MPNN-max", 100, 0.8879),
        (SHORTEST, "predecessor, mean", "GAT*", 20, 0.6477),
        (SHORTEST, "predecessor, last", "MPNN-max (no-algo)", 20, 0.9556),
        (SHORTEST, "distance error, mean", "MPNN-max", 100, 0.238),
        (SHORTEST, "distance error, mean", "MPNN-sum", 100, math.inf),
        (SHORTEST, "termination, mean", "MPNN-max (no-reach)", 50, 0.9177),
        (PRIM, "next, mean", "MPNN-max", 20, 0.8785),
        (PRIM, "predecessor, last", "MPNN-max", 100, 0.9002),
        (PRIM, "predecessor, last", "MPNN-max (no-algo)", 50, 0.4983),
    ],
)
def test_the_papers_number(task, label, model, num_nodes, value):
    assert row_of(task, label).of_paper(model, num_nodes) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("task", "label", "model", "num_nodes"),
    [
        (SHORTEST, "distance error, last", "MPNN-max", 100),
        (SHORTEST, "stops exactly", "MPNN-max", 100),
        (SHORTEST, "ends all right", "MPNN-max", 100),
        (SHORTEST, "predecessor, mean", "MPNN-max", 30),
        (SHORTEST, "reachable, mean", "MPNN-max", 500),
        (SHORTEST, "reachable, last", "MPNN-max", 500),
        (SHORTEST, "predecessor, mean", "pgn", 100),
        (SHORTEST, "reachable, mean", "MPNN-max (no-reach)", 100),
        (SHORTEST, "distance error, mean", "MPNN-max (no-algo)", 100),
        (PRIM, "in_tree, last", "MPNN-max", 100),
        (PRIM, "predecessor, mean", "MPNN-max", 100),
        (PRIM, "termination, mean", "MPNN-max", 100),
        (PRIM, "next, mean", "MPNN-max (no-algo)", 100),
    ],
)
def test_what_the_paper_does_not_say(task, label, model, num_nodes):
    assert row_of(task, label).of_paper(model, num_nodes) is None


@pytest.mark.parametrize("task", ["bfs", "bellman-ford"])
def test_the_papers_numbers_are_of_both_algorithms_together(task):
    for row in rows_of(scores_of(task)):
        assert row.of_paper("MPNN-max", 100) is None


@pytest.mark.parametrize(
    ("label", "family", "value"),
    [
        ("reachable, mean", "ladder", 0.9557),
        ("reachable, last", "ladder", 0.9863),
        ("predecessor, mean", "grid", 0.8790),
        ("predecessor, last", "4-community", 0.7965),
        ("predecessor, last", "erdos-renyi", 0.8965),
        ("distance error, mean", "tree", None),
        ("termination, mean", "tree", None),
        ("stops exactly", "tree", None),
        ("predecessor, mean", "star", None),
    ],
)
def test_of_one_family_in_table_9(label, family, value):
    found = row_of(SHORTEST, label).of_paper("MPNN-max", 100, family)
    assert found == (value if value is None else pytest.approx(value, rel=1e-12))


def test_table_9_is_of_one_model_and_size():
    row = row_of(SHORTEST, "predecessor, mean")
    assert row.of_paper("MPNN-max", 50, "tree") is None
    assert row.of_paper("MPNN-max (no-reach)", 100, "tree") is None
    assert row_of(PRIM, "predecessor, last").of_paper("MPNN-max", 100, "tree") is None


@pytest.mark.parametrize(("num_nodes", "value"), [(500, 0.8308), (1000, 0.7753), (1500, 0.7490)])
def test_of_larger_graphs_in_table_4(num_nodes, value):
    found = row_of(SHORTEST, "predecessor, mean").of_paper("MPNN-max", num_nodes)
    assert found == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("processor", "variant", "name"),
    [
        ("mpnn-max", "full", "MPNN-max"),
        ("mpnn-max", "no-reach", "MPNN-max (no-reach)"),
        ("mpnn-max", "no-algo", "MPNN-max (no-algo)"),
        ("gat", "full", "GAT*"),
        ("gat-transformer", "full", "GAT*"),
        ("gat-full", "full", "GAT-full*"),
        ("lstm", "full", "LSTM"),
        ("pgn", "full", "pgn"),
    ],
)
def test_what_the_paper_calls_a_model(processor, variant, name):
    assert paper_model(processor, variant) == name


@pytest.mark.parametrize(
    ("task", "variant", "labels"),
    [
        (SHORTEST, "no-algo", ["predecessor, mean", "predecessor, last"]),
        (PRIM, "no-algo", ["predecessor, last"]),
        (
            SHORTEST,
            "no-reach",
            [
                "distance error, mean",
                "predecessor, mean",
                "predecessor, last",
                "termination, mean",
            ],
        ),
    ],
)
def test_which_lines_of_an_ablation_the_paper_has(task, variant, labels):
    model = paper_model("mpnn-max", variant)
    rows = rows_of(scores_of(task, variant))
    assert [row.label for row in rows if row.of_paper(model, 20) is not None] == labels


def test_labels_that_are_all_wrong_do_not_end_all_right():
    graph = GraphScore(
        "tree", 20, 1, 1, True, {"label": (0.5,), TERMINATION: (1.0,)}, {"label": 0.5}
    )
    scores = Scores("none", "connected-components", "true-length", 20, "", ("label",), (graph,))
    [row] = [row for row in rows_of(scores) if row.label == "ends all right"]
    assert row.value(scores) != 1
