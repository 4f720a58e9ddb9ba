"""The sweep itself: which job starts next, and what becomes of one that ends.

A job whose process dies is tried again; one that raises is not, and the others go on. What is done
is on disk by the time it is called done, so an interrupted sweep loses only what was running.
"""

from collections import Counter, deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from neuralexec.errors import InputError
from neuralexec.graphs.formats.writing import replacing
from neuralexec.sweeps.backend import Backend
from neuralexec.sweeps.job import Died, Done, Ending, Job, Perform, Raised
from neuralexec.sweeps.watcher import Silent, Watcher

FAILURE = "failure.txt"
"""In a job's folder: the traceback of what it raised."""


@dataclass(frozen=True)
class Outcome:
    done: list[str] = field(default_factory=list)
    """The names, in the order they finished."""
    failed: dict[str, str] = field(default_factory=dict)
    """The name of each that failed, and why in one line."""


def sweep(
    jobs: Iterable[Job],
    perform: Perform,
    folder: Path,
    backend: Backend,
    *,
    retries: int = 2,
    watcher: Watcher | None = None,
) -> Outcome:
    """Perform every job in `folder / job.name`, the dearest first.

    One whose process dies is started again, up to `retries` times. One that raises an `InputError`
    fails with its message; one that raises anything else leaves the traceback in `FAILURE`, too.
    Ctrl-C stops those that run and is raised again. Which jobs were finished by an earlier sweep
    is for the caller to know.
    """
    waiting = deque(sorted(jobs, key=lambda job: -job.cost))
    _check_names([job.name for job in waiting])
    watcher = watcher or Silent()
    outcome = Outcome()
    if not waiting:
        watcher.begins([])
        return outcome
    folder = Path(folder).absolute()
    deaths: Counter[str] = Counter()
    num_running = 0
    with backend.hire(perform) as crew:
        watcher.begins(list(waiting))
        while waiting or num_running:
            while waiting and crew.free > 0:
                job = waiting.popleft()
                (folder / job.name / FAILURE).unlink(missing_ok=True)
                crew.begin(job, folder / job.name)
                num_running += 1
                watcher.started(job)
            for job, ending in crew.wait():
                num_running -= 1
                if isinstance(ending, Died):
                    deaths[job.name] += 1
                    if deaths[job.name] <= retries:
                        waiting.appendleft(job)
                        watcher.retried(job, ending.why)
                        continue
                _record(job, ending, folder / job.name, outcome, watcher)
    return outcome


def _record(job: Job, ending: Ending, folder: Path, outcome: Outcome, watcher: Watcher) -> None:
    if isinstance(ending, Done):
        outcome.done.append(job.name)
        watcher.finished(job, ending.seconds)
        return
    if isinstance(ending, Raised):
        message = ending.message
        if ending.traceback is not None:
            with suppress(OSError, InputError):  # a full disk must not end the others
                _keep(ending.traceback, folder)
    else:
        message = f"{ending.why}; it was started too often to try again"
    outcome.failed[job.name] = message
    watcher.failed(job, message)


def _keep(traceback: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / FAILURE) as stream:
        stream.write(traceback.encode())


def _check_names(names: list[str]) -> None:
    """Refuse those whose folders would be shared, or outside the sweep's."""
    for name, count in Counter(names).items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or str(path) != name or name == ".":
            raise InputError(f"a job cannot be named {name!r}: it is no folder below the sweep's")
        if count > 1:
            raise InputError(f"{count} jobs are named {name!r}; give each a name of its own")
        for parent in path.parents:
            if str(parent) in names:
                raise InputError(f"the folder of job {name!r} would lie in that of {str(parent)!r}")
