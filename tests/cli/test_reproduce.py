"""neuralexec reproduce: what it prints, how it leaves, what it refuses."""

import io

import pytest
from rich.console import Console

from neuralexec.cli import reproduce as command
from neuralexec.cli.sweep_progress import SweepProgress
from neuralexec.reports.cells import read_cells
from neuralexec.reproduction import reproduce as module
from neuralexec.reproduction.reproduce import PARTS, Plan
from neuralexec.reproduction.work import Work, perform
from neuralexec.sweeps import InProcess, Job, LocalPool, Outcome, RayCluster
from tests.reproduction.archived import finish
from tests.reproduction.tiny import DIVERGING, EXPLAINED, GAT, MPNN_MAX, NOTHING, put, row_of

HOME = Work("paper", MPNN_MAX, "bfs+bellman-ford", (0,), ()).home


@pytest.fixture
def asked(monkeypatch):
    """What would be reproduced, and how; nothing is."""
    calls = []

    def note(plan, out, backend, watcher):
        calls.append((plan, out, backend))
        return module.Reproduced(Outcome())

    monkeypatch.setattr(module, "reproduce", note)
    return calls


@pytest.mark.parametrize(
    ("flags", "plan", "backend"),
    [
        ([], Plan(), InProcess()),
        (["all"], Plan(), InProcess()),
        (["table2", "all"], Plan(("table2", *(p for p in PARTS if p != "table2"))), InProcess()),
        (["table2", "figure3", "table2"], Plan(("table2", "figure3")), InProcess()),
        (["table1", "--seeds=2"], Plan(("table1",), 2), InProcess()),
        (["table1", "--variant-seeds=1"], Plan(("table1",), variant_seeds=1), InProcess()),
        (["table1", "--together"], Plan(("table1",), together=True), InProcess()),
        (["table1", "--apart"], Plan(("table1",)), InProcess()),
        (["table1", "--workers=3"], Plan(("table1",)), LocalPool(3)),
        (["table1", "--ray=local"], Plan(("table1",)), RayCluster("local")),
    ],
)
def test_what_the_flags_ask_for(neuralexec, asked, tmp_path, flags, plan, backend):
    assert neuralexec("reproduce", *flags, "--out", tmp_path) == (0, "", "")
    assert asked == [(plan, tmp_path, backend)]


def test_on_a_gpu_seeds_train_together_unless_told_otherwise(neuralexec, asked, monkeypatch):
    monkeypatch.setattr("neuralexec.models.device.check_device", lambda device: None)
    for flags in ([], ["--apart"]):
        neuralexec("reproduce", "table1", "--device=cuda", *flags)
    assert [(plan.device, plan.together) for plan, _, _ in asked] == [
        ("cuda", True),
        ("cuda", False),
    ]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["table10"], "there is no 'table10' to reproduce; choose from choices,"),
        (["all", "figure5"], "there is no 'figure5' to reproduce"),
        (["table1", "--seeds=0"], "seeds"),
        (["table1", "--seeds=many"], "seeds"),
        (["table1", "--variant-seeds=0"], "variant-seeds"),
        (["table1", "--workers=-1"], "--workers must be 0 or more; got -1"),
        (["table1", "--workers=2", "--ray=auto"], "leave out --workers or --ray"),
        (["table1", "--device=tpu"], "choose one of cpu, cuda"),
        (["table2", "--only-collect"], "holds no results of table2 yet; reproduce them first"),
        (["--only-collect"], "holds no results of"),
    ],
)
def test_mistakes_are_told_in_one_line_and_nothing_is_written(neuralexec, tmp_path, flags, words):
    assert words in neuralexec.fails("reproduce", *flags, "--out", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_results(neuralexec, tmp_path):
    (tmp_path / "out").touch()
    refused = neuralexec.fails("reproduce", "table2", "--out", tmp_path / "out")
    assert refused.endswith("is a file; name a folder")


def test_one_line_per_event_and_the_files_in_the_end(neuralexec, tmp_path, monkeypatch):
    put(monkeypatch, table2=(NOTHING, EXPLAINED))
    monkeypatch.setattr(module, "perform", finish)
    status, out, err = neuralexec("reproduce", "table2", "--seeds=2", "--out", tmp_path / "out")
    assert status == 0
    assert out.splitlines() == [
        str(tmp_path / "out" / name) for name in ("cells.json", "claims.json", "trainings.json")
    ]
    begun, *events = err.splitlines()
    assert begun == "3 jobs to do"
    names = [event.removeprefix("done: ").split(",")[0] for event in events]
    assert names == [f"{HOME}/seed-0", f"{HOME}/seed-1", "none-bfs-bellman-ford/seed-0"]
    assert all(event.startswith("done: ") for event in events)
    assert "3 of 3 done, 0 running" in events[-1]


def test_what_fails_is_said_and_the_status_is_1(neuralexec, tmp_path, monkeypatch):
    put(monkeypatch, table2=(NOTHING, row_of("MPNN-sum", DIVERGING)))
    status, out, err = neuralexec("reproduce", "table2", "--seeds=1", "--out", tmp_path)
    assert status == 1
    assert str(tmp_path / "cells.json") in out
    assert {one.row for one in read_cells(tmp_path / "cells.json")} == {"nothing learnt"}
    name = Work("paper", DIVERGING, "bfs+bellman-ford", (0,), ()).job
    assert err.splitlines()[-1].startswith(f"failed: {name}: the loss is not finite in epoch 1")
    assert "Traceback" not in err


def test_collecting_trains_nothing(neuralexec, tmp_path, monkeypatch):
    put(monkeypatch, table2=(NOTHING, EXPLAINED, GAT))
    monkeypatch.setattr(module, "perform", finish)
    neuralexec("reproduce", "table2", "--seeds=1", "--out", tmp_path)
    before = (tmp_path / "cells.json").read_bytes()
    (tmp_path / "cells.json").unlink()
    monkeypatch.setattr(module, "perform", None)
    status, out, err = neuralexec("reproduce", "table2", "--only-collect", "--out", tmp_path)
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == str(tmp_path / "cells.json")
    assert (tmp_path / "cells.json").read_bytes() == before


def test_another_process_gives_the_same_cells(neuralexec, tmp_path, monkeypatch):
    put(monkeypatch, table2=(NOTHING, EXPLAINED))
    for flags in (["--out", tmp_path / "here"], ["--workers=1", "--out", tmp_path / "pool"]):
        assert neuralexec("reproduce", "table2", "--seeds=1", *flags).status == 0
    here, pool = (tmp_path / name / "cells.json" for name in ("here", "pool"))
    assert pool.read_bytes() == here.read_bytes()


def test_ctrl_c_says_how_to_go_on(neuralexec, tmp_path, monkeypatch):
    put(monkeypatch, table2=(NOTHING, EXPLAINED))

    def interrupt(work, folder):
        if work.recipe is None:
            raise KeyboardInterrupt
        perform(work, folder)

    monkeypatch.setattr(module, "perform", interrupt)
    status, out, err = neuralexec("reproduce", "table2", "--seeds=1", "--out", tmp_path)
    assert (status, out) == (130, "")
    assert "what is done is kept: go on with the same command" in err
    assert [path.name for path in tmp_path.iterdir()] == ["trainings"]


def test_a_line_is_one_line_however_long_and_brackets_are_kept():
    shown = io.StringIO()
    with SweepProgress(Console(width=20, file=shown)) as progress:
        jobs = [Job("a" * 30, None), Job("b", None)]
        progress.begins(jobs)
        progress.started(jobs[0])
        progress.retried(jobs[0], "its process was lost [bold] in the night")
        progress.started(jobs[0])
        progress.failed(jobs[0], "the loss is not finite [1]")
        progress.started(jobs[1])
        progress.finished(jobs[1], 61.4)
    begun, again, failed, done = shown.getvalue().splitlines()
    assert begun == "2 jobs to do"
    assert again == f"again: {'a' * 30}: its process was lost [bold] in the night"
    assert failed == f"failed: {'a' * 30}: the loss is not finite [1]"
    assert done == "done: b, 61 s; 1 of 2 done, 0 running, 1 failed, about 1 min left"


def test_the_help_shows_a_command():
    assert "neuralexec reproduce table2" in (command.command.__doc__ or "")
