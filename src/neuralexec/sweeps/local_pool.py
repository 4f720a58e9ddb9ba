"""A pool of processes on this machine; one that dies is replaced, and costs only its own job."""

import multiprocessing
import os
import pickle
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, resource_tracker
from pathlib import Path

from neuralexec.errors import InputError
from neuralexec.sweeps.job import Died, Ending, Job, Perform
from neuralexec.sweeps.threads import ONE_THREAD
from neuralexec.sweeps.worker import serve

POLL_SECONDS = 1.0
GRACE_SECONDS = 3.0


@dataclass(frozen=True)
class LocalPool:
    """Processes of one thread each, started when first needed and used for many jobs.

    A script that uses it starts its work below `if __name__ == "__main__":`, as the processes
    import the script.
    """

    workers: int

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise InputError(f"a pool needs at least 1 worker; got {self.workers}")

    @contextmanager
    def hire(self, perform: Perform) -> Iterator["_Pool"]:
        pool = _Pool(self.workers, perform)
        try:
            yield pool
            pool.dismiss()
        finally:
            pool.stop()


class _Worker:
    """A process, our end of its pipe, and the job it performs."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.pipe, theirs = multiprocessing.Pipe()
        # Forked processes would inherit torch's threads half; these begin from nothing.
        self.process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,))
        with theirs, _environment(ONE_THREAD), _without_interruptions():
            self.process.start()

    @property
    def alive(self) -> bool:
        return self.process.exitcode is None

    def ending(self) -> Ending | None:
        """How its job ended, or None while it goes on."""
        try:
            if self.pipe.poll():
                ending: Ending = self.pipe.recv()
                return ending
        except (EOFError, OSError):
            self.process.join()
        return None if self.alive else Died(self._death())

    def _death(self) -> str:
        status = self.process.exitcode
        if status is None or status >= 0:
            return f"its process ended with status {status}"
        name = signal.Signals(-status).name
        hint = " (out of memory?)" if -status == signal.SIGKILL else ""
        return f"its process was ended by {name}{hint}"


class _Pool:
    def __init__(self, num_workers: int, perform: Perform) -> None:
        self._num_workers = num_workers
        self._perform = perform
        self._workers: list[_Worker] = []

    @property
    def free(self) -> int:
        return self._num_workers - len(self._busy)

    @property
    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.job is not None]

    def begin(self, job: Job, folder: Path) -> None:
        order = pickle.dumps((self._perform, job.work, str(folder)))
        worker = self._find_idle()
        worker.job = job
        with suppress(BrokenPipeError):  # it just died, as `wait` will find
            worker.pipe.send_bytes(order)

    def _find_idle(self) -> _Worker:
        for worker in [worker for worker in self._workers if worker.job is None]:
            if worker.alive:
                return worker
            worker.pipe.close()
            worker.process.close()
            self._workers.remove(worker)
        self._workers.append(_Worker())
        return self._workers[-1]

    def wait(self) -> Sequence[tuple[Job, Ending]]:
        busy = self._busy
        # A pipe stays open where a dead worker's own children hold it: so not for ever.
        connection.wait([worker.pipe for worker in busy], POLL_SECONDS)
        endings: list[tuple[Job, Ending]] = []
        for worker in busy:
            ending = worker.ending()
            if ending is not None and worker.job is not None:
                endings.append((worker.job, ending))
                worker.job = None
        return endings

    def dismiss(self) -> None:
        """Let idle workers leave by themselves: they do when their pipe closes."""
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join(GRACE_SECONDS)

    def stop(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(GRACE_SECONDS)
            worker.process.kill()
            worker.process.join()
            worker.process.close()
            worker.pipe.close()
        self._workers.clear()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """A process inherits the environment of the moment it is started in."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _without_interruptions() -> Iterator[None]:
    """A process inherits that Ctrl-C is held back, until it says what to do with it."""
    resource_tracker.getfd()  # starting it, as the first process does, would let Ctrl-C through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
