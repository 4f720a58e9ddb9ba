"""Cells, curves and trainings out of scores that are known."""

import math
from dataclasses import replace

import pytest

from neuralexec import recipes
from neuralexec.graphs.families import families
from neuralexec.reproduction.archive import Archive
from neuralexec.reproduction.collect import cells_of, curves_of, named, trainings_of
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.rows import Row
from neuralexec.reproduction.tables import TABLES, Table
from neuralexec.reproduction.work import Work
from tests.reproduction.archived import PARAMETERS, finish
from tests.reproduction.tiny import EXAM, EXPLAINED, GAT, GATS, MPNN_MAX, NOTHING, tiny

TASK = "bfs+bellman-ford"


def leave(folder, config, seed=0, *, exams=(EXAM,), preset="paper", task=TASK, **changes):
    work = Work(preset, config, task, (seed,), exams)
    finish(work, folder / work.job, **changes)


def cells(folder, *rows, table="table2", **changes):
    found = cells_of(replace(TABLES[table], rows=rows, **changes), Archive(folder))
    return {(cell.row, cell.metric, cell.test_family): cell for cell in found}


def test_a_cell_is_the_mean_and_spread_of_its_seeds(tmp_path):
    for seed, share in enumerate([0.5, 0.6, 0.9]):
        leave(tmp_path, MPNN_MAX, seed, share=share)
    found = cells(tmp_path, EXPLAINED)
    assert list(found) == [
        ("MPNN-max", "mean-step accuracy", None),
        ("MPNN-max", "last-step accuracy", None),
    ]
    cell = found["MPNN-max", "mean-step accuracy", None]
    assert cell.values == pytest.approx((53, 63, 93))  # the mean family has 3 hundredths more
    assert cell.mean == pytest.approx(209 / 3)
    assert cell.std == pytest.approx(math.sqrt(1300 / 3))
    assert (cell.table, cell.preset, cell.column) == ("table2", "paper", "20 nodes")
    assert (cell.paper, cell.seeds, cell.graphs, cell.parameters) == (97.13, 3, 1, PARAMETERS)
    assert cell.train_family is None


def test_rows_of_more_graphs_say_so(tmp_path):
    """So that no two cells share table, row, preset, column and metric."""
    exams = (Exam(20), Exam(20, 50))
    leave(tmp_path, MPNN_MAX, exams=exams, share=0.5)
    found = cells(tmp_path, replace(EXPLAINED, exams=exams))
    few, many = (
        found[row, "mean-step accuracy", None] for row in ("MPNN-max", "MPNN-max, 50 graphs")
    )
    assert (few.graphs, many.graphs) == (5, 50)
    assert few.paper == many.paper == 97.13


def test_a_row_that_was_not_trained_has_no_cells(tmp_path):
    assert cells(tmp_path, EXPLAINED, GAT, NOTHING) == {}


def test_nothing_learnt_stands_beside(tmp_path):
    leave(tmp_path, None, preset="none")
    cell = cells(tmp_path, NOTHING)["nothing learnt", "last-step accuracy", None]
    assert (cell.preset, cell.parameters, cell.paper, cell.seeds) == ("none", None, None, 1)
    assert cell.mean == pytest.approx(54)


def test_the_best_of_several_and_each_of_them(tmp_path):
    leave(tmp_path, GATS[0], share=0.9, validation=0.2)
    leave(tmp_path, GATS[1], share=0.1, validation=0.8)
    found = cells(tmp_path, GAT)
    rows = ("GAT*", "GAT (original attention)", "GAT (Transformer attention)")
    means = {row: found[row, "mean-step accuracy", None].mean for row in rows}
    assert means == pytest.approx(dict(zip(rows, (13, 93, 13), strict=True)))
    assert len(found) == 6
    best = found["GAT*", "mean-step accuracy", None]
    assert best.note == "GAT (Transformer attention), the best of 2 on validation"
    assert best.paper == 64.77
    assert found[rows[1], "mean-step accuracy", None].paper is None


def test_every_candidate_has_a_name_of_its_own():
    names = [named(config) for config in (*recipes.gat(), *recipes.gat_full())]
    assert len(set(names)) == 12
    assert names[4] == "GAT (Transformer attention, entropy penalty)"
    assert names[8] == "GAT-full (original attention, Gumbel softmax)"


def test_each_family_has_its_own_graphs(tmp_path):
    exam = Exam(100, 1)
    config = tiny(recipes.one_family("tree"))
    leave(tmp_path, config, exams=(exam,))
    row = Row("MPNN-max", "paper", TASK, (config,), (exam,), train_family="tree")
    found = cells(tmp_path, row, table="table5")
    assert len(found) == 7 * 4
    for number, family in enumerate(families()):
        cell = found["MPNN-max", "predecessor last-step accuracy", family]
        assert cell.mean == pytest.approx(51 + number)
        assert (cell.train_family, cell.column) == ("tree", "100 nodes")
        assert cell.paper is not None


def test_infinity_is_kept(tmp_path):
    leave(tmp_path, MPNN_MAX, 0, distance=0.5)
    leave(tmp_path, MPNN_MAX, 1, distance=math.inf)
    cell = cells(tmp_path, EXPLAINED, table="table3")["MPNN-max", "mean squared error", None]
    assert (cell.values, cell.mean) == ((0.5, math.inf), math.inf)
    assert math.isnan(cell.std)


def test_an_exam_that_one_seed_lacks_has_the_others(tmp_path):
    leave(tmp_path, MPNN_MAX, 0, share=0.2)
    leave(tmp_path, MPNN_MAX, 1, exams=())
    cell = cells(tmp_path, EXPLAINED)["MPNN-max", "mean-step accuracy", None]
    assert cell.values == pytest.approx((23,))


def test_an_exam_of_another_size_than_the_tables_is_left_out(tmp_path):
    exams = (EXAM, Exam(500, 1))
    leave(tmp_path, MPNN_MAX, exams=exams)
    row = replace(EXPLAINED, exams=exams)
    table2, table4 = (
        {cell.column for cell in cells_of(replace(TABLES[name], rows=(row,)), Archive(tmp_path))}
        for name in ("table2", "table4")
    )
    assert table2 == {"20 nodes"}
    assert table4 == {"20 nodes", "500 nodes"}


@pytest.mark.parametrize("task", [TASK, "prim"])
def test_rows_without_a_signal_have_no_number_of_it(tmp_path, task):
    config = tiny(recipes.no_algo(task))
    leave(tmp_path, config, task=task)
    row = Row("MPNN-max (no-algo)", "paper", task, (config,), (EXAM,))
    found = cells(tmp_path, row, table="table3" if task == TASK else "table6")
    metrics = {metric for _, metric, _ in found}
    assert "termination accuracy" in metrics
    assert not metrics & {"mean squared error", "next accuracy"}


def test_notes_of_the_table_of_larger_training_graphs(tmp_path):
    exam = Exam(1000, 1)
    large, ours = tiny(recipes.on_100_nodes(recipes.gat()[3])), tiny(recipes.best())
    leave(tmp_path, large, exams=(exam,))
    leave(tmp_path, ours, exams=(exam,), preset="best")
    rows = (
        Row("GAT*", "paper", TASK, (large,), (exam,)),
        Row("MPNN-max", "best", TASK, (ours,), (exam,)),
    )
    found = cells(tmp_path, *rows, table="table8")
    notes = {row: cell.note for (row, _, _), cell in found.items()}
    assert notes == {"GAT*": "GAT (Transformer attention)", "MPNN-max": "trained on 20 nodes"}


def test_curves_are_scores_step_by_step(tmp_path):
    for seed, share in enumerate([0.2, 0.4]):
        leave(tmp_path, MPNN_MAX, seed, share=share, distance=1.5)
    found = list(curves_of([NOTHING, GAT, EXPLAINED], Archive(tmp_path), EXAM))
    assert [(curve.row, curve.metric) for curve in found] == [
        ("MPNN-max", "reachability accuracy"),
        ("MPNN-max", "distance mean squared error"),
        ("MPNN-max", "predecessor accuracy"),
    ]
    reach, distance, _ = found
    assert reach.mean == pytest.approx((32, 34))
    assert reach.std == pytest.approx((math.sqrt(200),) * 2)
    assert (reach.seeds, reach.num_nodes, reach.preset) == (2, 20, "paper")
    assert distance.mean == (1.5, 1.5)


def test_a_curve_may_reach_infinity(tmp_path):
    leave(tmp_path, MPNN_MAX, 0, distance=math.inf)
    leave(tmp_path, MPNN_MAX, 1, distance=2.0)
    [distance] = [
        curve
        for curve in curves_of([EXPLAINED], Archive(tmp_path), EXAM)
        if curve.metric == "distance mean squared error"
    ]
    assert distance.mean == (math.inf, math.inf)
    assert all(map(math.isnan, distance.std))


def test_the_curve_of_a_row_is_that_of_its_best_candidate(tmp_path):
    leave(tmp_path, GATS[0], share=0.9, validation=0.2)
    leave(tmp_path, GATS[1], share=0.1, validation=0.8)
    reach, *_ = curves_of([GAT], Archive(tmp_path), EXAM)
    assert reach.mean == pytest.approx((12, 14))


def test_every_training_once_with_its_settings(tmp_path):
    leave(tmp_path, MPNN_MAX, 0, validation=0.75)
    leave(tmp_path, MPNN_MAX, 1)
    leave(tmp_path, GATS[1])
    leave(tmp_path, None, preset="none")
    tables = [
        Table(name, (NOTHING, EXPLAINED, GAT), TABLES[name].metrics)
        for name in ("table1", "table2")
    ]
    found = trainings_of(tables, Archive(tmp_path))
    assert [(one.row, one.seed) for one in found] == [("MPNN-max", 0), ("MPNN-max", 1), ("GAT*", 0)]
    first = found[0]
    assert first.name.startswith("paper-bfs-bellman-ford-mpnn-max")
    assert first.name.endswith("/seed-0")
    assert (first.epochs, first.best_epoch, first.validation) == (3, 2, 0.75)
    assert (first.parameters, first.seconds, first.device) == (PARAMETERS, 1.5, "cpu")
    assert (first.preset, first.task) == ("paper", TASK)
    assert first.config == MPNN_MAX.to_json()
    assert found[1].config == MPNN_MAX.but(seed=1).to_json()
