"""From a plan to a folder of results: resumed, killed, interrupted, on other machines."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from neuralexec.algorithms import find_task
from neuralexec.errors import InputError
from neuralexec.evaluation.evaluate import evaluate
from neuralexec.reports.cells import read_cells
from neuralexec.reports.fields import read_records
from neuralexec.reports.paper import PAPER
from neuralexec.reports.records import Curve, Explanation, Training
from neuralexec.reproduction import reproduce as module
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.reproduce import PARTS, TRAININGS, NothingYet, Plan, collect, reproduce
from neuralexec.reproduction.rows import PARALLEL
from neuralexec.reproduction.tables import TABLES
from neuralexec.reproduction.work import SECONDS, Work, perform, scores_file
from neuralexec.sweeps import InProcess, RayCluster
from neuralexec.training.checkpoint import load_checkpoint
from tests.reproduction.archived import finish
from tests.reproduction.performing import DIED, die_in_the_second_seed
from tests.reproduction.tiny import (
    DIVERGING,
    EXAM,
    EXPLAINED,
    GAT,
    GATS,
    MPNN_MAX,
    NOTHING,
    put,
    row_of,
)
from tests.sweeps.performing import wait_for
from tests.sweeps.watching import Notes

TASK = "bfs+bellman-ford"
TABLE_2 = Plan(("table2",), num_seeds=2)


def home_of(config, preset="paper"):
    return Work(preset, config, TASK, (0,), ()).home


@pytest.fixture
def pretended(monkeypatch):
    """Nothing is trained: every job leaves what it is told; the list of what was performed."""
    performed = []

    def pretend(work, folder):
        performed.append(work)
        finish(work, folder)

    monkeypatch.setattr(module, "perform", pretend)
    return performed


def cells_by_row(out):
    return {(one.row, one.metric): one for one in read_cells(out / "cells.json")}


def bytes_below(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_no_number_of_the_paper_is_out_of_reach(tmp_path, pretended, monkeypatch):
    """All that is planned is performed, and every cell of the paper is there, theirs and ours."""
    monkeypatch.setattr("neuralexec.reports.build.build", lambda folder: [])
    files = reproduce(Plan(num_seeds=1), tmp_path, InProcess()).files
    assert {path.name for path in files} == {
        *("cells.json", "curves.json", "explanations.json", "claims.json", "trainings.json"),
        "table7.md",
    }
    found = {
        (one.table, one.row, one.column, one.metric, one.test_family, one.train_family): one.paper
        for one in read_cells(tmp_path / "cells.json")
        if one.preset == "paper" and one.graphs == (100 if one.table == "appendixE" else 5)
    }
    missing = [
        cell
        for cell in PAPER
        if found.get(
            (cell.table, cell.row, cell.column, cell.metric, cell.test_family, cell.train_family)
        )
        != cell.value
    ]
    assert missing == []
    assert len(PAPER) == 287

    curves = {(one.row, one.preset) for one in read_records(tmp_path / "curves.json", Curve)}
    assert curves == {(row.name, row.preset) for row in PARALLEL if row.candidates}
    pictures = read_records(tmp_path / "explanations.json", Explanation)
    assert [one.family for one in pictures] == ["4-caveman", "tree"]
    trained = {one.name for one in read_records(tmp_path / "trainings.json", Training)}
    assert trained == {
        f"{work.home}/seed-0" for work in Plan(num_seeds=1).work() if work.recipe is not None
    }
    assert len(json.loads((tmp_path / "claims.json").read_text())) == 16
    assert "(`prim`) |" in (tmp_path / "table7.md").read_text()


def test_cells_are_what_the_networks_score(tmp_path, monkeypatch):
    put(monkeypatch, table2=(NOTHING, EXPLAINED, GAT))
    found = reproduce(TABLE_2, tmp_path, InProcess())
    assert len(found.outcome.done) == 7
    assert found.outcome.failed == {}
    cells = cells_by_row(tmp_path)
    values = {"mean-step accuracy": [], "last-step accuracy": []}
    for seed in range(2):
        path = tmp_path / TRAININGS / home_of(MPNN_MAX) / f"seed-{seed}" / "model.safetensors"
        checkpoint = load_checkpoint(path)
        assert checkpoint.config == MPNN_MAX.but(seed=seed)
        [scores] = evaluate(checkpoint.executor(), EXAM.draw(), find_task(TASK))
        values["mean-step accuracy"].append(100 * scores.mean_step("predecessor"))
        values["last-step accuracy"].append(100 * scores.last_step("predecessor"))
    for metric, expected in values.items():
        assert list(cells["MPNN-max", metric].values) == expected
    candidates = {"GAT (original attention)", "GAT (Transformer attention)"}
    assert {row for row, _ in cells} == {"nothing learnt", "MPNN-max", "GAT*", *candidates}
    trainings = read_records(tmp_path / "trainings.json", Training)
    assert len(trainings) == 6
    assert all(one.seconds > 0 for one in trainings)


def test_json_has_the_fields_that_were_agreed_on(tmp_path, monkeypatch):
    put(monkeypatch, table3=(row_of("MPNN-sum", MPNN_MAX, exams=(Exam(100),)),))
    work = Work("paper", MPNN_MAX, TASK, (0,), (Exam(100),))
    finish(work, tmp_path / TRAININGS / work.job, distance=float("inf"))
    collect(Plan(("table3",)), tmp_path)
    cells = json.loads((tmp_path / "cells.json").read_text())
    [error] = [cell for cell in cells if cell["metric"] == "mean squared error"]
    expected = {
        "table": "table3",
        "row": "MPNN-sum",
        "preset": "paper",
        "column": "100 nodes",
        "metric": "mean squared error",
        "train_family": None,
        "test_family": None,
        "paper": "inf",
        "mean": "inf",
        "std": 0.0,
        "seeds": 1,
    }
    assert {name: error[name] for name in expected} == expected


def test_what_is_finished_is_not_performed_again(tmp_path, monkeypatch, pretended):
    put(monkeypatch, table2=(NOTHING, EXPLAINED, GAT))
    reproduce(TABLE_2, tmp_path, InProcess())
    assert len(pretended) == 7
    before = bytes_below(tmp_path)
    assert reproduce(TABLE_2, tmp_path, InProcess()).outcome.done == []
    assert len(pretended) == 7
    assert bytes_below(tmp_path) == before

    lost = tmp_path / TRAININGS / home_of(GATS[1]) / "seed-1" / scores_file(EXAM)
    lost.unlink()
    more = replace(TABLE_2, num_seeds=3)
    reproduce(more, tmp_path, InProcess())
    assert Counter((work.recipe, work.seeds) for work in pretended[7:]) == Counter(
        [(GATS[1], (1,)), (MPNN_MAX, (2,)), (GATS[0], (2,)), (GATS[1], (2,))]
    )
    assert {one.seeds for row, one in cells_by_row(tmp_path).items() if row[0] != NOTHING.name} == {
        3
    }


def test_the_candidate_that_is_chosen_has_all_seeds(tmp_path, monkeypatch):
    """Also where it stands in several tables."""
    put(monkeypatch, table1=(EXPLAINED, GAT), table2=(NOTHING, GAT))
    performed = []

    def pretend(work, folder):
        performed.append(work)
        better = work.recipe == GATS[1]
        finish(work, folder, validation=0.8 if better else 0.7, share=0.1 if better else 0.9)

    monkeypatch.setattr(module, "perform", pretend)
    plan = Plan(("table1", "table2"), num_seeds=3, variant_seeds=1)
    outcome = reproduce(plan, tmp_path, InProcess()).outcome
    seeds = Counter(work.recipe for work in performed)
    assert seeds == {None: 1, MPNN_MAX: 3, GATS[0]: 1, GATS[1]: 3}
    assert len(outcome.done) == 8
    for table in ("table1", "table2"):
        found = {
            one.row: (one.seeds, round(one.mean))
            for one in read_cells(tmp_path / "cells.json")
            if (one.table, one.metric) == (table, "mean-step accuracy")
        }
        assert found["GAT*"] == (3, 13)
        assert found["GAT (Transformer attention)"] == (3, 13)
        assert found["GAT (original attention)"] == (1, 93)


def test_trained_together_the_rows_are_the_same(tmp_path, monkeypatch):
    put(monkeypatch, table2=(NOTHING, EXPLAINED))
    apart, together = tmp_path / "apart", tmp_path / "together"
    assert len(reproduce(TABLE_2, apart, InProcess()).outcome.done) == 3
    plan = replace(TABLE_2, together=True)
    outcome = reproduce(plan, together, InProcess()).outcome
    assert sorted(outcome.done) == ["none-bfs-bellman-ford/seed-0", home_of(MPNN_MAX)]
    ours, theirs = cells_by_row(together), cells_by_row(apart)
    assert ours.keys() == theirs.keys()
    for place, cell in ours.items():
        assert cell.values == pytest.approx(theirs[place].values, abs=2)
        assert (cell.seeds, cell.paper) == (theirs[place].seeds, theirs[place].paper)
    assert reproduce(TABLE_2, together, InProcess()).outcome.done == []


def test_what_fails_is_left_out_and_the_rest_is_there(tmp_path, monkeypatch):
    put(monkeypatch, table2=(EXPLAINED, row_of("MPNN-sum", DIVERGING)))
    notes = Notes()
    found = reproduce(Plan(("table2",), 1), tmp_path, InProcess(), watcher=notes)
    assert found.outcome.done == [f"{home_of(MPNN_MAX)}/seed-0"]
    assert list(found.outcome.failed) == [f"{home_of(DIVERGING)}/seed-0"] == notes.of("failed")
    assert "the loss is not finite" in found.outcome.failed[f"{home_of(DIVERGING)}/seed-0"]
    assert {row for row, _ in cells_by_row(tmp_path)} == {"MPNN-max"}
    assert tmp_path / "cells.json" in found.files


def test_where_all_fails_nothing_is_made(tmp_path, monkeypatch):
    put(monkeypatch, table2=(row_of("MPNN-sum", DIVERGING),))
    found = reproduce(Plan(("table2", "table7"), 1), tmp_path / "out", InProcess())
    assert (len(found.outcome.failed), found.files) == (1, [])
    assert [path.name for path in (tmp_path / "out").iterdir()] == [TRAININGS]


def test_other_settings_are_refused_before_anything_is_trained(tmp_path, monkeypatch, pretended):
    put(monkeypatch, table2=(NOTHING, GAT, EXPLAINED))
    work = Work("paper", MPNN_MAX, TASK, (0,), (EXAM,))
    finish(replace(work, recipe=MPNN_MAX.but(clip=2.0)), tmp_path / TRAININGS / work.job)
    before = bytes_below(tmp_path)
    with pytest.raises(InputError, match="was trained with another clip; move it away"):
        reproduce(TABLE_2, tmp_path, InProcess())
    assert pretended == []
    assert bytes_below(tmp_path) == before


def test_collecting_from_an_empty_folder_is_refused_and_writes_nothing(tmp_path, monkeypatch):
    put(monkeypatch, table2=(EXPLAINED,))
    for out in (tmp_path, tmp_path / "new"):
        with pytest.raises(NothingYet) as caught:
            collect(Plan(), out)
        assert str(caught.value).startswith(f"{out}: holds no results of choices, choices-prim, ")
        assert str(caught.value).endswith("reproduce them first, or name the folder they are in")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_no_folder_for_results(tmp_path, pretended):
    (tmp_path / "out").touch()
    for act in (reproduce, lambda plan, out, backend: collect(plan, out)):
        with pytest.raises(InputError, match="is a file; name a folder"):
            act(Plan(("table2",)), tmp_path / "out", InProcess())
    assert pretended == []


def test_the_table_of_words_needs_no_training(tmp_path):
    out = tmp_path / "new" / "out"
    found = reproduce(Plan(("table7",)), out, InProcess())
    assert found.files == [out / "table7.md"]
    assert [path.name for path in out.iterdir()] == ["table7.md"]


def test_figure_4_alone_has_its_explanations_and_trainings(tmp_path, monkeypatch, pretended):
    put(monkeypatch, table4=(NOTHING, EXPLAINED))
    reproduce(Plan(("figure4",), 2), tmp_path, InProcess())
    cells = read_cells(tmp_path / "cells.json")
    assert {(one.table, one.seeds) for one in cells} == {("appendixE", 2)}
    assert len(read_records(tmp_path / "trainings.json", Training)) == 2
    assert len(read_records(tmp_path / "explanations.json", Explanation)) == 2


def test_figure_3_alone_has_the_rows_of_table_2(tmp_path, monkeypatch, pretended):
    put(monkeypatch, table2=(NOTHING, row_of("MPNN-max", MPNN_MAX, exams=(EXAM, Exam(100)))))
    reproduce(Plan(("figure3",), 1), tmp_path, InProcess())
    curves = read_records(tmp_path / "curves.json", Curve)
    assert {(one.row, one.num_nodes) for one in curves} == {("MPNN-max", 100)}
    assert {one.table for one in read_cells(tmp_path / "cells.json")} == {"table2"}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"parts": ("table2", "table10")}, "there is no 'table10' to reproduce; choose from"),
        ({"num_seeds": 0}, "at least one seed is needed"),
        ({"variant_seeds": 0}, "at least one seed is needed"),
    ],
)
def test_a_plan_that_cannot_be(changes, complaint):
    with pytest.raises(InputError, match=complaint):
        Plan(**changes)


def test_parts_are_those_of_the_paper_and_the_choices():
    numbered = {f"table{number}" for number in range(1, 10)}
    assert set(PARTS) == {*numbered, "figure3", "figure4", "choices", "choices-prim"}
    assert set(TABLES) < set(PARTS)


def test_ray_gives_the_same_cells_also_where_a_worker_is_killed(tmp_path, monkeypatch, ray_address):
    longer = MPNN_MAX.but(max_epochs=2)
    put(monkeypatch, table2=(NOTHING, row_of("MPNN-max", longer)))
    reproduce(TABLE_2, tmp_path / "here", InProcess())
    monkeypatch.setattr(module, "perform", die_in_the_second_seed)
    notes = Notes()
    killed = reproduce(TABLE_2, tmp_path / "ray", RayCluster(ray_address), watcher=notes)
    assert notes.of("retried") == [f"{home_of(longer)}/seed-1"]
    assert len(killed.outcome.done) == 3
    assert killed.outcome.failed == {}
    here, there = bytes_below(tmp_path / "here"), bytes_below(tmp_path / "ray")
    assert there.keys() == here.keys()
    assert not any(DIED in name for name in there)
    own = ("trainings.json", SECONDS, "environment.json", "state.safetensors")  # seconds, versions
    for name, content in here.items():
        if not name.endswith(own):
            assert there[name] == content, name


def test_ctrl_c_keeps_what_is_done(tmp_path, monkeypatch):
    shown, out = tmp_path / "shown", tmp_path / "out"
    with subprocess.Popen(
        [sys.executable, "-m", "tests.reproduction.interrupted", str(out)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "SHOWN": str(shown)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as driver:
        try:
            wait_for(shown)
            os.killpg(driver.pid, signal.SIGINT)
            printed, said = driver.communicate(timeout=60)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(driver.pid, signal.SIGKILL)
    assert (driver.returncode, printed) == (130, "")
    assert said.splitlines()[-2:] == [
        "what is done is kept: go on with the same command",
        "neuralexec: interrupted",
    ]
    assert not (out / "cells.json").exists()
    done = bytes_below(out / TRAININGS / home_of(MPNN_MAX) / "seed-0")
    assert SECONDS in done

    put(monkeypatch, table2=(EXPLAINED,))
    performed = []

    def count(work, folder):
        performed.append(work.seeds)
        perform(work, folder)

    monkeypatch.setattr(module, "perform", count)
    reproduce(TABLE_2, out, InProcess())
    assert performed == [(1,)]
    assert bytes_below(out / TRAININGS / home_of(MPNN_MAX) / "seed-0") == done
    reproduce(TABLE_2, tmp_path / "undisturbed", InProcess())
    assert (out / "cells.json").read_bytes() == (
        tmp_path / "undisturbed" / "cells.json"
    ).read_bytes()


def test_a_damaged_score_file_is_named_and_then_made_anew(tmp_path, monkeypatch):
    put(monkeypatch, table2=(EXPLAINED,))
    plan = Plan(("table2",), 1)
    reproduce(plan, tmp_path, InProcess())
    before = (tmp_path / "cells.json").read_bytes()
    [scores] = (tmp_path / TRAININGS).rglob("scores-*")
    scores.write_bytes(scores.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"scores-20-nodes-1-graphs.json.gz: cannot be read: .*; "):
        reproduce(plan, tmp_path, InProcess())
    scores.unlink()
    reproduce(plan, tmp_path, InProcess())
    assert (tmp_path / "cells.json").read_bytes() == before


def test_trainings_from_elsewhere_are_collected_as_they_are(tmp_path, monkeypatch, pretended):
    put(monkeypatch, table2=(NOTHING, EXPLAINED))
    reproduce(TABLE_2, tmp_path / "there", InProcess())
    shutil.copytree(tmp_path / "there" / TRAININGS, tmp_path / "here" / TRAININGS)
    collect(TABLE_2, tmp_path / "here")
    assert (tmp_path / "here" / "cells.json").read_bytes() == (
        tmp_path / "there" / "cells.json"
    ).read_bytes()


def test_tables_that_are_not_asked_for_stay_as_they_were(tmp_path, monkeypatch):
    """Asking for one table throws away neither the others nor the list of their trainings, even
    where the trainings themselves are gone."""
    put(monkeypatch, table1=(NOTHING, row_of("MPNN-max", MPNN_MAX)), table2=(NOTHING,))
    reproduce(Plan(("table1",), 1), tmp_path, InProcess())
    before = read_cells(tmp_path / "cells.json")
    shutil.rmtree(tmp_path / TRAININGS)
    reproduce(Plan(("table2",), 1), tmp_path, InProcess())
    after = read_cells(tmp_path / "cells.json")
    assert [cell for cell in after if cell.table == "table1"] == before
    assert {cell.table for cell in after} == {"table1", "table2"}
    [training] = read_records(tmp_path / "trainings.json", Training)
    assert training.row == "MPNN-max"
