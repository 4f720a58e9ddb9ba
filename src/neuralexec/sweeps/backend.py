"""Where jobs are performed: what a sweep needs of any such place."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from neuralexec.sweeps.job import Ending, Job, Perform


class Crew(Protocol):
    """Those who perform jobs, for the length of one sweep."""

    @property
    def free(self) -> int:
        """How many more jobs could begin now; positive when none is running."""

    def begin(self, job: Job, folder: Path) -> None:
        """Have it performed in its folder. Only while `free` is positive."""

    def wait(self) -> Sequence[tuple[Job, Ending]]:
        """Wait a while for jobs to end. There may be none: `free` may have changed meanwhile."""


class Backend(Protocol):
    def hire(self, perform: Perform) -> AbstractContextManager[Crew]:
        """A crew; when the block is left, also by Ctrl-C, no process of it goes on."""
