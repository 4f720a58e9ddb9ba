"""How a sweep is shown while it runs: a bar, or a line per event where none can move."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from neuralexec.sweeps import Job
from neuralexec.sweeps.progress import Progress as Counts


class SweepProgress(Counts):
    """A watcher and a context: the bar goes away when it ends."""

    def __init__(self, console: Console | None = None) -> None:
        super().__init__(changed=self._show)
        self.console = console or Console(stderr=True)
        self.progress = Progress(
            TextColumn("{task.fields[told]}"),
            BarColumn(),
            TimeElapsedColumn(),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self.bar = self.progress.add_task("", total=None, told="")

    def __enter__(self) -> SweepProgress:
        self.progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.progress.stop()

    def begins(self, jobs: Sequence[Job]) -> None:
        super().begins(jobs)
        self.console.print(f"{len(jobs)} jobs to do")

    def finished(self, job: Job, seconds: float) -> None:
        super().finished(job, seconds)
        self.console.print(f"done: {job.name}, {seconds:.0f} s; {self.told}", soft_wrap=True)

    def failed(self, job: Job, message: str) -> None:
        super().failed(job, message)
        self.console.print(f"failed: {job.name}: {message}", markup=False, soft_wrap=True)

    def retried(self, job: Job, why: str) -> None:
        super().retried(job, why)
        self.console.print(f"again: {job.name}: {why}", markup=False, soft_wrap=True)

    @property
    def told(self) -> str:
        left = self.seconds_left()
        failed = f", {self.num_failed} failed" if self.num_failed else ""
        time = "" if left is None else f", about {_duration(left)} left"
        return f"{self.num_done} of {self.num_jobs} done, {self.num_running} running{failed}{time}"

    def _show(self, counts: Counts) -> None:
        self.progress.update(
            self.bar, total=self.num_jobs, completed=self.num_done + self.num_failed, told=self.told
        )


def _duration(seconds: float) -> str:
    """
    >>> _duration(59), _duration(3600)
    ('1 min', '60 min')
    """
    return f"{max(1, round(seconds / 60))} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
