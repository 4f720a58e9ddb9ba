"""What every backend owes a sweep, and what the sweep decides itself."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import pytest

from neuralexec.errors import InputError
from neuralexec.sweeps import FAILURE, Backend, InProcess, Job, LocalPool, sweep
from neuralexec.sweeps.job import Died, Done, Ending, Perform
from neuralexec.sweeps.parcel import pack
from tests.sweeps.interrupted import INTERRUPTED
from tests.sweeps.performing import (
    RESULT,
    die_each_time,
    die_half_way,
    go_on,
    is_running,
    meet,
    misbehave,
    run_until_released,
    tell_of_itself,
    wait_for,
    wait_for_end_of,
    write,
    write_many,
)
from tests.sweeps.watching import Notes


def files_below(folder: Path) -> dict[str, bytes]:
    return dict(sorted(pack(folder).items()))


def test_every_job_leaves_its_files_in_its_own_folder(tmp_path: Path, backend: Backend) -> None:
    jobs = [Job(f"group/{number}", f"work {number}") for number in range(3)]
    outcome = sweep(jobs, write_many, tmp_path / "new" / "folder", backend)
    assert sorted(outcome.done) == ["group/0", "group/1", "group/2"]
    assert outcome.failed == {}
    expected = tmp_path / "expected"
    for job in jobs:
        (expected / job.name).mkdir(parents=True)
        write_many(job.work, expected / job.name)
    assert files_below(tmp_path / "new" / "folder") == files_below(expected)


def test_the_dearest_start_first(tmp_path: Path, backend: Backend) -> None:
    costs = {"cheap": 1, "dear": 3, "also cheap": 1, "middling": 2, "free": 0}
    notes = Notes()
    sweep([Job(name, name, cost) for name, cost in costs.items()], write, tmp_path, backend,
          watcher=notes)  # fmt: skip
    order = ["dear", "middling", "cheap", "also cheap", "free"]
    assert notes.events[0] == ("begins", *order)
    assert notes.of("started") == order
    assert sorted(notes.of("finished")) == sorted(order)
    assert notes.seconds.keys() == costs.keys()
    assert all(seconds >= 0 for seconds in notes.seconds.values())


def test_a_job_finds_the_files_of_an_earlier_sweep(tmp_path: Path, backend: Backend) -> None:
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "earlier.txt").write_text("once")
    (tmp_path / "job" / FAILURE).write_text("a failure of then")
    assert sweep([Job("job", "upon a time")], go_on, tmp_path, backend).done == ["job"]
    assert files_below(tmp_path) == {f"job/{RESULT}": b"once upon a time"}


def test_a_job_that_raises_fails_alone_and_once(tmp_path: Path, backend: Backend) -> None:
    works = ["wrong", "break", "leave", "exhaust", "good", "fine"]
    notes = Notes()
    outcome = sweep([Job(work, work) for work in works], misbehave, tmp_path, backend,
                    watcher=notes)  # fmt: skip
    assert sorted(outcome.done) == ["fine", "good"]
    assert outcome.failed == {
        "wrong": "the number is odd; give an even one",
        "break": "RuntimeError: first line",
        "leave": "SystemExit: 3",
        "exhaust": "MemoryError",
    }
    assert notes.messages == outcome.failed
    assert sorted(notes.of("started")) == sorted(works)
    assert notes.of("retried") == []


def test_what_a_job_raised_is_kept_but_not_a_users_mistake(
    tmp_path: Path, backend: Backend
) -> None:
    sweep([Job("break", "break"), Job("wrong", "wrong")], misbehave, tmp_path, backend)
    lines = (tmp_path / "break" / FAILURE).read_text().splitlines()
    assert lines[0].startswith("Traceback")
    assert any("misbehave" in line for line in lines)
    assert lines[-2:] == ["RuntimeError: first line", "second line"]
    assert not (tmp_path / "wrong" / FAILURE).exists()


def test_a_killed_job_is_retried_where_it_was(tmp_path: Path, apart: Backend) -> None:
    notes = Notes()
    jobs = [Job("a", "one", 2), Job("b", "two")]
    outcome = sweep(jobs, die_half_way, tmp_path, apart, watcher=notes)
    assert sorted(outcome.done) == ["a", "b"]
    assert files_below(tmp_path) == {
        "a/half.txt": b"one",
        f"a/{RESULT}": b"one and one",
        "b/half.txt": b"two",
        f"b/{RESULT}": b"two and two",
    }
    assert sorted(notes.of("retried")) == ["a", "b"]
    assert sorted(notes.of("started")) == ["a", "a", "b", "b"]


@pytest.mark.parametrize("retries", [0, 2])
def test_a_job_that_is_always_killed_is_given_up(
    tmp_path: Path, apart: Backend, retries: int
) -> None:
    attempts = tmp_path / "attempts"
    jobs = [Job("deadly", str(attempts), 2), *(Job(name, name) for name in "abc")]
    notes = Notes()
    outcome = sweep(jobs, die_each_time, tmp_path, apart, retries=retries, watcher=notes)
    assert sorted(outcome.done) == ["a", "b", "c"]
    assert list(outcome.failed) == ["deadly"]
    assert outcome.failed["deadly"].endswith("; it was started too often to try again")
    assert len(attempts.read_text().splitlines()) == 1 + retries
    assert notes.of("retried") == ["deadly"] * retries
    assert notes.of("failed") == ["deadly"]


def test_jobs_run_at_the_same_time(tmp_path: Path, apart: Backend) -> None:
    place = str(tmp_path)
    jobs = [Job("a", (place, "left", "right")), Job("b", (place, "right", "left"))]
    assert sorted(sweep(jobs, meet, tmp_path, apart).done) == ["a", "b"]


def test_a_worker_has_one_thread_and_the_driver_keeps_its_own(
    tmp_path: Path, apart: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MKL_NUM_THREADS", "7")
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    sweep([Job("job", None)], tell_of_itself, tmp_path, apart)
    process, *threads = (tmp_path / "job" / RESULT).read_text().split()
    assert int(process) != os.getpid()
    assert threads == ["1"] * 4
    assert os.environ["MKL_NUM_THREADS"] == "7"
    assert "NUMBA_NUM_THREADS" not in os.environ


@pytest.mark.parametrize("kind", ["in-process", "local-pool", "ray"])
def test_ctrl_c_keeps_what_is_done_and_leaves_nothing_running(
    tmp_path: Path, kind: str, ray_folder: Path, request: pytest.FixtureRequest
) -> None:
    before = set(ray_folder.iterdir())
    if kind == "ray":
        kind = request.getfixturevalue("ray_address")
    shown, results = tmp_path / "shown", tmp_path / "results"
    with driving(kind, results, shown) as driver:
        wait_for(shown)
        wait_for(results / "quick" / RESULT)
        os.killpg(driver.pid, signal.SIGINT)  # as a terminal does: to every process
        output, _ = driver.communicate(timeout=60)
        assert (driver.returncode, output) == (INTERRUPTED, "")
        wait_for_end_of(int(shown.read_text()))
    assert (results / "quick" / RESULT).read_text() == "result"
    assert not (results / "slow" / RESULT).exists()
    assert set(ray_folder.iterdir()) <= before


@contextmanager
def driving(kind: str, results: Path, shown: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process that drives a sweep, of a group that a failed test does not leave behind."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.sweeps.interrupted", kind, str(results), str(shown)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as driver:
        try:
            yield driver
        finally:
            with suppress(ProcessLookupError):
                os.killpg(driver.pid, signal.SIGKILL)


def test_nothing_to_do_starts_nothing(tmp_path: Path) -> None:
    notes = Notes()
    outcome = sweep([], write, tmp_path / "never", _Unused(), watcher=notes)
    assert (outcome.done, outcome.failed) == ([], {})
    assert notes.events == [("begins",)]
    assert not (tmp_path / "never").exists()


class _Unused:
    def hire(self, perform: Perform) -> "nullcontext[_Scripted]":
        raise AssertionError


class _Scripted:
    """A crew of two whose jobs end as they are told."""

    def __init__(self, endings: dict[str, list[Ending]]) -> None:
        self.endings = endings
        self.begun: list[Job] = []
        self.folders: list[Path] = []

    def hire(self, perform: Perform) -> "nullcontext[_Scripted]":
        return nullcontext(self)

    @property
    def free(self) -> int:
        return 2 - len(self.begun)

    def begin(self, job: Job, folder: Path) -> None:
        assert self.free > 0
        self.begun.append(job)
        self.folders.append(folder)

    def wait(self) -> Sequence[tuple[Job, Ending]]:
        job = self.begun.pop(0)
        return [(job, self.endings[job.name].pop(0))]


def test_one_that_died_starts_before_those_that_never_did(tmp_path: Path) -> None:
    crew = _Scripted({"a": [Died("lost"), Done(4)], "b": [Done(1)], "c": [Done(1)]})
    notes = Notes()
    jobs = [Job("c", None, 1), Job("a", None, 3), Job("b", None, 2)]
    outcome = sweep(jobs, write, tmp_path, crew, watcher=notes)
    assert notes.of("started") == ["a", "b", "a", "c"]
    assert outcome.done == ["b", "a", "c"]
    assert notes.seconds == {"a": 4, "b": 1, "c": 1}
    assert notes.messages == {"a": "lost"}


def test_each_job_has_retries_of_its_own(tmp_path: Path) -> None:
    died = [Died("lost"), Died("lost")]
    crew = _Scripted({"a": [*died, Done(1)], "b": [*died, Died("lost again")]})
    outcome = sweep([Job("a", None), Job("b", None)], write, tmp_path, crew)
    assert outcome.done == ["a"]
    assert outcome.failed == {"b": "lost again; it was started too often to try again"}


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (["a", "b", "a"], "2 jobs are named 'a'; give each a name of its own"),
        (["a/b", "a"], "the folder of job 'a/b' would lie in that of 'a'"),
        (["../a"], "a job cannot be named '../a'"),
        (["/a"], "a job cannot be named '/a'"),
        ([""], "a job cannot be named ''"),
        (["."], "a job cannot be named '.'"),
        (["a//b"], "a job cannot be named 'a//b'"),
    ],
)
def test_folders_that_would_be_shared_are_refused(
    tmp_path: Path, names: list[str], complaint: str
) -> None:
    with pytest.raises(InputError) as caught:
        sweep([Job(name, "work") for name in names], write, tmp_path, InProcess())
    assert str(caught.value).startswith(complaint)
    assert list(tmp_path.iterdir()) == []


def test_names_may_begin_alike(tmp_path: Path) -> None:
    names = ["a/b", "a/c", "ab"]
    jobs = [Job(name, name) for name in names]
    assert sweep(jobs, write, tmp_path, InProcess()).done == names


def test_a_relative_folder_is_that_of_the_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    crew = _Scripted({"job": [Done(1)]})
    sweep([Job("job", "work")], write, Path("results"), crew)
    assert crew.folders == [tmp_path / "results" / "job"]


def test_a_killed_driver_leaves_no_orphans(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    with driving("local-pool", tmp_path / "results", shown) as driver:
        wait_for(shown)
        driver.kill()
        driver.wait()
        wait_for_end_of(int(shown.read_text()), patience=20)


def test_an_error_of_the_watcher_stops_the_workers(tmp_path: Path) -> None:
    shown = tmp_path / "shown"

    class Broken(Notes):
        def finished(self, job: Job, seconds: float) -> None:
            raise RuntimeError("the watcher broke")

    jobs = [  # the second ends once the first runs
        Job("held", (str(shown), str(tmp_path / "never")), 2),
        Job("quick", (str(tmp_path / "other"), str(shown))),
    ]
    with pytest.raises(RuntimeError, match="the watcher broke"):
        sweep(jobs, run_until_released, tmp_path, LocalPool(2), watcher=Broken())
    assert not is_running(int(shown.read_text()))
