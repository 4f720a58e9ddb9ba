"""Appendix E out of explanations that are known, and what Figure 4 shows of them."""

from dataclasses import replace

import pytest

from neuralexec import recipes
from neuralexec.evaluation.explanations import save_explanations
from neuralexec.reproduction.archive import Archive
from neuralexec.reproduction.pictures import FAMILIES, explanation_cells, pictures
from neuralexec.reproduction.work import Work
from neuralexec.training.data import training_problems
from tests.reproduction.archived import PARAMETERS, explanations_of, finish
from tests.reproduction.tiny import EXAM, EXPLAINED, MPNN_MAX, NOTHING, tiny

WORK = Work("paper", MPNN_MAX, "bfs+bellman-ford", (0,), (EXAM,), explained=True)


@pytest.fixture
def archive(tmp_path):
    finish(WORK, tmp_path / WORK.job)
    return Archive(tmp_path)


def test_shares_of_right_explanations(archive):
    found = {cell.metric: cell for cell in explanation_cells([NOTHING, EXPLAINED], archive)}
    assert {name: (cell.mean, cell.paper) for name, cell in found.items()} == {
        "faultless path explanations": (pytest.approx(40), 82.16),
        "correct predecessor explanations": (pytest.approx(80), 93.85),
        "faultless path explanations, lowest index": (pytest.approx(20), None),
        "correct predecessor explanations, lowest index": (pytest.approx(60), None),
    }
    cell = found["faultless path explanations"]
    assert (cell.table, cell.row, cell.preset) == ("appendixE", "MPNN-max", "paper")
    assert (cell.column, cell.seeds, cell.parameters) == ("20 nodes", 1, PARAMETERS)


def test_what_was_not_explained_has_no_cells(archive, tmp_path):
    assert not list(explanation_cells([replace(EXPLAINED, explained=False)], archive))
    (tmp_path / WORK.job / "explanations.json.gz").unlink()
    assert not list(explanation_cells([EXPLAINED], archive))
    assert not list(pictures([EXPLAINED], archive))


def test_where_nothing_was_reached_there_is_nothing_to_say(archive, tmp_path):
    empty = explanations_of(7)
    empty = replace(empty, graphs=tuple(replace(one, nodes=()) for one in empty.graphs))
    save_explanations(empty, tmp_path / WORK.job / "explanations.json.gz")
    assert not list(explanation_cells([EXPLAINED], archive))
    assert not list(pictures([EXPLAINED], archive))


def test_the_longest_path_in_a_graph_of_each_family(archive):
    problems = training_problems(MPNN_MAX)
    found = list(pictures([NOTHING, EXPLAINED], archive))
    assert [one.family for one in found] == list(FAMILIES) == ["4-caveman", "tree"]
    for one in found:
        [problem] = [problem for problem in problems if problem.family == one.family]
        assert one.senders == tuple(problem.graph.senders)
        assert one.receivers == tuple(problem.graph.receivers)
        assert (one.source, one.num_nodes) == (problem.source, 20)
        assert one.node == 5
        assert one.path == ((5, 4, True), (4, 3, True), (3, 3, False), (1, 0, True))


def test_of_the_papers_preset_and_its_first_seed_only(tmp_path):
    ours = tiny(recipes.best())
    for preset, config, seed in [("best", ours, 0), ("paper", MPNN_MAX, 1)]:
        work = Work(preset, config, "bfs+bellman-ford", (seed,), (EXAM,), explained=True)
        finish(work, tmp_path / work.job)
    rows = [replace(EXPLAINED, preset="best", candidates=(ours,)), EXPLAINED]
    found = list(pictures(rows, Archive(tmp_path)))
    problems = training_problems(MPNN_MAX.but(seed=1))
    sources = [problem.source for problem in problems if problem.family in FAMILIES]
    assert sorted(one.source for one in found) == sorted(sources)
