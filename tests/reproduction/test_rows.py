"""Rows: which trainings stand behind them, and in which folders those lie."""

import pytest

from neuralexec import recipes
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.rows import (
    PARALLEL,
    SEQUENTIAL,
    one_family,
    recipe_name,
    trained_on_100_nodes,
)
from neuralexec.reproduction.tables import TABLES

ROWS = [row for table in TABLES.values() for row in table.rows]


def test_no_two_recipes_share_a_folder():
    found = {}
    for row in ROWS:
        for config in row.candidates:
            name = recipe_name(row.preset, config)
            assert found.setdefault(name, config) == config
            assert "/" not in name
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("field", ["latent", "max_epochs", "num_nodes", "num_validation"])
def test_other_settings_have_another_folder(field):
    config = recipes.mpnn_max()
    other = config.but(**{field: getattr(config, field) + 2})
    assert recipe_name("paper", other) != recipe_name("paper", config)


def test_seeds_share_the_folder_of_their_recipe():
    assert recipe_name("paper", recipes.lstm().but(seed=4)) == recipe_name("paper", recipes.lstm())


@pytest.mark.parametrize("rows", [PARALLEL, SEQUENTIAL])
def test_attention_is_the_best_of_all_candidates(rows):
    candidates = {row.name: row.candidates for row in rows if row.name.startswith("GAT")}
    [task] = {row.task for row in rows}
    assert candidates == {"GAT*": recipes.gat(task), "GAT-full*": recipes.gat_full(task)}
    others = [row for row in rows if row.candidates and not row.name.startswith("GAT")]
    assert all(len(row.candidates) == 1 for row in others)


def test_rows_of_one_family_are_trained_on_it():
    rows = one_family("tree")
    assert [row.preset for row in rows] == ["paper", "best"]
    for row in rows:
        assert row.train_family == "tree"
        assert [config.families for config in row.candidates] == [("tree",)]
        assert row.exams == (Exam(100),)


def test_those_trained_on_100_nodes_are_the_papers_and_ours_is_not():
    rows = trained_on_100_nodes()
    sizes = {(row.name, row.preset): [one.num_nodes for one in row.candidates] for row in rows}
    assert sizes == {
        ("LSTM", "paper"): [100],
        ("GAT*", "paper"): [100],
        ("MPNN-max", "paper"): [100],
        ("MPNN-max", "best"): [20],
        ("nothing learnt", "none"): [],
    }
    assert all(Exam(1000) in row.exams for row in rows)


def test_what_is_explained_is_mpnn_max_on_shortest_paths():
    explained = {(row.name, row.preset, row.task) for row in ROWS if row.explained}
    task = "bfs+bellman-ford"
    assert explained == {("MPNN-max", "paper", task), ("MPNN-max", "best", task)}
