"""Jobs one after the other, here: nothing to start, and a debugger can follow.

A job that kills its process takes the sweep with it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from neuralexec.sweeps.job import Ending, Job, Perform, attempt


@dataclass(frozen=True)
class InProcess:
    @contextmanager
    def hire(self, perform: Perform) -> Iterator["_Alone"]:
        yield _Alone(perform)


class _Alone:
    def __init__(self, perform: Perform) -> None:
        self._perform = perform
        self._begun: list[tuple[Job, Path]] = []

    @property
    def free(self) -> int:
        return 1 - len(self._begun)

    def begin(self, job: Job, folder: Path) -> None:
        self._begun.append((job, folder))

    def wait(self) -> Sequence[tuple[Job, Ending]]:
        job, folder = self._begun.pop()
        return [(job, attempt(self._perform, job.work, folder))]
