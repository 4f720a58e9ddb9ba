"""How far a sweep is: jobs waiting, running, done and failed, and the time left."""

import time
from collections.abc import Callable, Sequence

from neuralexec.sweeps.job import Job


class Progress:
    """A watcher that keeps count, and calls `changed` with itself after each change."""

    def __init__(
        self,
        changed: Callable[["Progress"], None] = lambda progress: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.num_done = 0
        self.num_failed = 0
        self.num_retries = 0
        self._changed = changed
        self._clock = clock
        self._waiting: dict[str, Job] = {}
        self._running: dict[str, tuple[Job, float]] = {}
        self._most_at_once = 1
        self._cost_done = 0.0
        self._seconds_done = 0.0

    @property
    def num_jobs(self) -> int:
        return self.num_waiting + self.num_running + self.num_done + self.num_failed

    @property
    def num_waiting(self) -> int:
        return len(self._waiting)

    @property
    def num_running(self) -> int:
        return len(self._running)

    def seconds_left(self) -> float | None:
        """By what a unit of cost has taken so far; None until a job is done."""
        if self._cost_done <= 0:
            return None
        pace = self._seconds_done / self._cost_done
        now = self._clock()
        lefts = [job.cost * pace for job in self._waiting.values()]
        lefts += [max(job.cost * pace - (now - begun), 0) for job, begun in self._running.values()]
        # No number of workers makes one job shorter.
        return max(sum(lefts) / self._most_at_once, max(lefts, default=0.0))

    def begins(self, jobs: Sequence[Job]) -> None:
        self._waiting = {job.name: job for job in jobs}
        self._changed(self)

    def started(self, job: Job) -> None:
        del self._waiting[job.name]
        self._running[job.name] = (job, self._clock())
        self._most_at_once = max(self._most_at_once, self.num_running)
        self._changed(self)

    def finished(self, job: Job, seconds: float) -> None:
        del self._running[job.name]
        self.num_done += 1
        self._cost_done += job.cost
        self._seconds_done += seconds
        self._changed(self)

    def failed(self, job: Job, message: str) -> None:
        del self._running[job.name]
        self.num_failed += 1
        self._changed(self)

    def retried(self, job: Job, why: str) -> None:
        del self._running[job.name]
        self._waiting[job.name] = job
        self.num_retries += 1
        self._changed(self)
