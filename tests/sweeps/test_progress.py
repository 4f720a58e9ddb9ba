"""Counts and the time left, by a clock of our own."""

import pytest

from neuralexec.sweeps import InProcess, Job, Progress, sweep
from tests.sweeps.performing import misbehave


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


JOBS = [Job("a", None, 4.0), Job("b", None, 2.0), Job("c", None, 2.0), Job("d", None, 1.0)]
A, B, C, D = JOBS


def counts(progress: Progress) -> tuple[int, int, int, int]:
    return (progress.num_waiting, progress.num_running, progress.num_done, progress.num_failed)


def test_every_job_is_somewhere() -> None:
    progress = Progress()
    progress.begins(JOBS)
    assert counts(progress) == (4, 0, 0, 0)
    progress.started(A)
    progress.started(B)
    assert counts(progress) == (2, 2, 0, 0)
    progress.retried(A, "died")
    assert (counts(progress), progress.num_retries) == ((3, 1, 0, 0), 1)
    progress.started(A)
    progress.failed(A, "broke")
    progress.finished(B, 1.0)
    assert counts(progress) == (2, 0, 1, 1)
    assert progress.num_jobs == 4


def test_the_time_left_is_by_cost_and_by_workers() -> None:
    clock = Clock()
    progress = Progress(clock=clock)
    progress.begins(JOBS)
    progress.started(A)
    progress.started(B)
    assert progress.seconds_left() is None
    clock.now += 6
    progress.finished(B, 6.0)  # 3 seconds a unit
    progress.started(C)
    clock.now += 1
    # a: 12 - 7, c: 6 - 1, d: 3; two at once
    assert progress.seconds_left() == pytest.approx((5 + 5 + 3) / 2)
    clock.now += 100
    assert progress.seconds_left() == pytest.approx(3)  # d alone cannot be shared out
    progress.finished(A, 18.0)  # 24 seconds for 6 units
    assert progress.seconds_left() == pytest.approx(4)
    progress.failed(C, "broke")
    progress.started(D)
    progress.finished(D, 4.0)
    assert progress.seconds_left() == 0


def test_a_retried_job_takes_its_whole_time_again() -> None:
    clock = Clock()
    progress = Progress(clock=clock)
    progress.begins([A, B])
    progress.started(B)
    progress.finished(B, 2.0)
    progress.started(A)
    clock.now += 3
    assert progress.seconds_left() == pytest.approx(1)
    progress.retried(A, "died")
    assert progress.seconds_left() == pytest.approx(4)
    progress.started(A)
    assert progress.seconds_left() == pytest.approx(4)


def test_jobs_without_a_cost_tell_nothing() -> None:
    free = Job("free", None, 0.0)
    progress = Progress()
    progress.begins([A, free])
    progress.started(free)
    progress.finished(free, 1.0)
    assert progress.seconds_left() is None


def test_it_watches_a_sweep_and_tells_of_each_change(tmp_path) -> None:
    seen: list[tuple[int, int, int, int]] = []
    progress = Progress(lambda progress: seen.append(counts(progress)))
    jobs = [Job("good", "good", 2), Job("broken", "break")]
    sweep(jobs, misbehave, tmp_path, InProcess(), watcher=progress)
    assert seen == [(2, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0), (0, 1, 1, 0), (0, 0, 1, 1)]
