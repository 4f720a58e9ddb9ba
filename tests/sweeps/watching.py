"""A watcher that writes down what it is told."""

from collections.abc import Callable, Sequence

from neuralexec.sweeps import Job


class Notes:
    def __init__(self, on_retry: Callable[[], object] = lambda: None) -> None:
        self.events: list[tuple[str, ...]] = []
        self.messages: dict[str, str] = {}
        self.seconds: dict[str, float] = {}
        self._on_retry = on_retry

    def of(self, kind: str) -> list[str]:
        """Which jobs it happened to, in order."""
        return [names[0] for event, *names in self.events if event == kind]

    def begins(self, jobs: Sequence[Job]) -> None:
        self.events.append(("begins", *(job.name for job in jobs)))

    def started(self, job: Job) -> None:
        self.events.append(("started", job.name))

    def finished(self, job: Job, seconds: float) -> None:
        self.events.append(("finished", job.name))
        self.seconds[job.name] = seconds

    def failed(self, job: Job, message: str) -> None:
        self.events.append(("failed", job.name))
        self.messages[job.name] = message

    def retried(self, job: Job, why: str) -> None:
        self.events.append(("retried", job.name))
        self.messages[job.name] = why
        self._on_retry()
