"""A pool of processes: reused, replaced when they die, and gone in the end."""

import multiprocessing
import os
import pickle
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from neuralexec.errors import InputError
from neuralexec.sweeps import Job, LocalPool, sweep
from neuralexec.sweeps.job import Died, Done, Raised
from tests.sweeps.performing import RESULT, die_each_time, tell_of_itself, write
from tests.sweeps.watching import Notes


def ending_of(pool, job: Job, folder: Path):
    pool.begin(job, folder)
    while not (endings := pool.wait()):
        pass
    [(ended, ending)] = endings
    assert ended is job
    return ending


def test_a_worker_serves_many_jobs(tmp_path: Path) -> None:
    sweep([Job(name, None) for name in "abc"], tell_of_itself, tmp_path, LocalPool(1))
    processes = {(tmp_path / name / RESULT).read_text() for name in "abc"}
    assert len(processes) == 1


def test_no_more_workers_are_started_than_there_are_jobs(tmp_path: Path) -> None:
    with LocalPool(50).hire(write) as pool:
        assert pool.free == 50
        pool.begin(Job("job", "work"), tmp_path / "job")
        assert pool.free == 49
        assert len(multiprocessing.active_children()) == 1


def test_no_worker_outlives_the_sweep(tmp_path: Path) -> None:
    with LocalPool(2).hire(write) as pool:
        assert isinstance(ending_of(pool, Job("job", "work"), tmp_path), Done)
        [worker] = multiprocessing.active_children()
        assert worker.is_alive()
    assert multiprocessing.active_children() == []


def test_an_idle_worker_that_was_killed_costs_no_job(tmp_path: Path) -> None:
    with LocalPool(1).hire(tell_of_itself) as pool:
        assert isinstance(ending_of(pool, Job("a", None), tmp_path / "a"), Done)
        [worker] = multiprocessing.active_children()
        worker.kill()
        worker.join()
        assert isinstance(ending_of(pool, Job("b", None), tmp_path / "b"), Done)


def test_a_death_is_told_by_its_signal(tmp_path: Path) -> None:
    notes = Notes()
    job = Job("deadly", str(tmp_path / "attempts"))
    sweep([job], die_each_time, tmp_path, LocalPool(1), retries=1, watcher=notes)
    why = "its process was ended by SIGKILL (out of memory?)"
    assert notes.messages == {"deadly": f"{why}; it was started too often to try again"}


def leave_at_once(work: int, folder: Path) -> None:
    os._exit(work)


def test_a_death_without_a_signal_is_told_by_its_status(tmp_path: Path) -> None:
    with LocalPool(1).hire(leave_at_once) as pool:
        for status in (0, 3):
            ending = ending_of(pool, Job(f"{status}", status), tmp_path)
            assert ending == Died(f"its process ended with status {status}")


class Unreadable:
    """Pickles, and cannot be unpickled."""

    def __reduce__(self):
        return (_refuse, ())


def _refuse():
    raise LookupError("no such thing here")


def test_work_that_cannot_be_unpickled_fails_and_the_worker_lives(tmp_path: Path) -> None:
    with LocalPool(1).hire(write) as pool:
        ending = ending_of(pool, Job("a", Unreadable()), tmp_path)
        assert isinstance(ending, Raised)
        assert ending.message == "LookupError: no such thing here"
        [worker] = multiprocessing.active_children()
        assert isinstance(ending_of(pool, Job("b", "work"), tmp_path), Done)
        assert multiprocessing.active_children() == [worker]


def test_work_that_cannot_be_pickled_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        sweep([Job("job", lambda: None)], write, tmp_path, LocalPool(1))
    assert multiprocessing.active_children() == []


def interrupt(work: None, folder: Path) -> None:
    """What Ctrl-C does to a process of the terminal; then, what a job may do itself."""
    os.kill(os.getpid(), signal.SIGINT)
    write("uninterrupted", folder)
    raise KeyboardInterrupt


def test_a_worker_leaves_interruptions_to_the_driver(tmp_path: Path) -> None:
    outcome = sweep([Job("job", None)], interrupt, tmp_path, LocalPool(1))
    assert outcome.failed == {"job": "KeyboardInterrupt"}
    assert (tmp_path / "job" / RESULT).read_text() == "uninterrupted"


def cling(work: None, folder: Path) -> None:
    """Ignore what asks it to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    write("clinging", folder)
    while True:
        signal.pause()


def test_a_worker_that_will_not_stop_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neuralexec.sweeps.local_pool.GRACE_SECONDS", 0.1)
    with suppress(KeyboardInterrupt), LocalPool(1).hire(cling) as pool:
        pool.begin(Job("job", None), tmp_path)
        while not (tmp_path / RESULT).exists():
            assert pool.wait() == []
        raise KeyboardInterrupt
    assert multiprocessing.active_children() == []


def save_when_asked_to_end(work: None, folder: Path) -> None:
    def save(number: int, frame: object) -> None:
        write("saved", folder)
        os._exit(0)

    signal.signal(signal.SIGTERM, save)
    (folder / "ready").touch()
    while True:
        signal.pause()


def test_a_job_may_save_before_it_is_stopped(tmp_path: Path) -> None:
    with suppress(KeyboardInterrupt), LocalPool(1).hire(save_when_asked_to_end) as pool:
        pool.begin(Job("job", None), tmp_path)
        while not (tmp_path / "ready").exists():
            assert pool.wait() == []
        raise KeyboardInterrupt
    assert (tmp_path / RESULT).read_text() == "saved"


@pytest.mark.parametrize("workers", [0, -1])
def test_a_pool_of_nobody_is_refused(workers: int) -> None:
    with pytest.raises(InputError, match=f"a pool needs at least 1 worker; got {workers}"):
        LocalPool(workers)
