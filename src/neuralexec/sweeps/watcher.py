"""Someone who is told how a sweep goes; always in the process that called it."""

from collections.abc import Sequence
from typing import Protocol

from neuralexec.sweeps.job import Job


class Watcher(Protocol):
    def begins(self, jobs: Sequence[Job]) -> None:
        """All of them, in the order they will start."""

    def started(self, job: Job) -> None: ...

    def finished(self, job: Job, seconds: float) -> None:
        """The seconds are those of the attempt that succeeded."""

    def failed(self, job: Job, message: str) -> None: ...

    def retried(self, job: Job, why: str) -> None:
        """Its process died; it waits again, and will be started next."""


class Silent:
    """Does nothing with what it is told."""

    def begins(self, jobs: Sequence[Job]) -> None: ...

    def started(self, job: Job) -> None: ...

    def finished(self, job: Job, seconds: float) -> None: ...

    def failed(self, job: Job, message: str) -> None: ...

    def retried(self, job: Job, why: str) -> None: ...
