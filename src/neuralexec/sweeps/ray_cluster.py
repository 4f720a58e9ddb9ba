"""Jobs on a Ray cluster, whose machines need neuralexec installed but share no disk.

A job travels with the files its folder holds, and its files travel back when it ends: then, and not
before, they appear in its folder. Files appear in the order the job last wrote them, so one that it
writes last still says that the others are there.
"""

import hashlib
import importlib
import logging
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neuralexec.errors import InputError
from neuralexec.sweeps.job import Died, Done, Ending, Job, Perform, Raised, attempt, raised
from neuralexec.sweeps.parcel import Parcel, pack, unpack
from neuralexec.sweeps.ray_address import AUTO, LOCAL, resolve
from neuralexec.sweeps.threads import ONE_THREAD
from neuralexec.sweeps.workspace import workspace

POLL_SECONDS = 5.0
GRACE_SECONDS = 3.0


@dataclass(frozen=True)
class RayCluster:
    """One job per core of the cluster. In a process that is connected to Ray already, that one."""

    address: str = AUTO
    """`auto` for the cluster this machine belongs to, `local` for one of this machine alone, or
    `host:port` (from a machine of the cluster), or `ray://host:port` (from any)."""

    @contextmanager
    def hire(self, perform: Perform) -> Iterator["_RayCrew"]:
        ray = _import_ray()
        connected_before = ray.is_initialized()
        if not connected_before:
            _connect(ray, resolve(self.address))
        crew = _RayCrew(ray, perform)
        try:
            with _hushed():
                try:
                    yield crew
                finally:
                    crew.stop()
        finally:
            if not connected_before:
                ray.shutdown()


class _RayCrew:
    def __init__(self, ray: Any, perform: Perform) -> None:
        self._ray = ray
        self._perform = perform
        self._sweep = secrets.token_hex(8)
        self._running: dict[Any, tuple[Job, Path, list[str]]] = {}
        # A retry is the driver's decision; Ray's own would count for nothing there.
        options = {"num_cpus": 1, "max_retries": 0, "runtime_env": {"env_vars": ONE_THREAD}}
        self._remote = ray.remote(**options)(_perform_away)

    @property
    def free(self) -> int:
        num_cores = int(self._ray.cluster_resources().get("CPU", 0))
        return max(num_cores, 1) - len(self._running)

    def begin(self, job: Job, folder: Path) -> None:
        parcel = pack(folder)
        key = f"{self._sweep}-{hashlib.sha256(job.name.encode()).hexdigest()[:16]}"
        task = self._remote.remote(self._perform, job.work, key, parcel)
        self._running[task] = (job, folder, list(parcel))

    def wait(self) -> Sequence[tuple[Job, Ending]]:
        # Not for ever: machines that join the cluster meanwhile are of use at once.
        ended, _ = self._ray.wait(list(self._running), timeout=POLL_SECONDS)
        return [(self._running[task][0], self._collect(task)) for task in ended]

    def _collect(self, task: Any) -> Ending:
        _, folder, sent = self._running.pop(task)
        errors = self._ray.exceptions
        try:
            ending, parcel = self._ray.get(task)
        except errors.RayTaskError as error:  # what the job raises comes back as an ending
            return raised(error.cause if isinstance(error.cause, BaseException) else error)
        except errors.RayError as error:
            return Died(_death(error))
        try:
            unpack(parcel, folder, sent)
        except OSError as error:
            return raised(error)
        assert isinstance(ending, Done | Raised)
        return ending

    def stop(self) -> None:
        """Cancel what runs: gently, so that temporary folders are removed, then for certain."""
        tasks = list(self._running)
        with suppress(Exception):  # the cluster may be what failed
            for task in tasks:
                self._ray.cancel(task)
            if tasks:
                _, tasks = self._ray.wait(tasks, num_returns=len(tasks), timeout=GRACE_SECONDS)
            for task in tasks:
                self._ray.cancel(task, force=True)


def _perform_away(
    perform: Perform, work: Any, key: str, parcel: Parcel
) -> tuple[Done | Raised, Parcel]:
    """On a machine of the cluster."""
    with workspace(key, parcel) as folder:
        ending = attempt(perform, work, folder)
        return ending, pack(folder)


def _death(error: Exception) -> str:
    return f"its process or its machine was lost ({type(error).__name__}: {_gist(error)})"


def _gist(error: Exception) -> str:
    """Ray explains at length; its first sentence says what happened."""
    return re.split(r"\.\s|\n", str(error).strip())[0].rstrip(".:")


def _import_ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise InputError(
            "Ray is not installed; pip install 'neuralexec[distributed]', here and on every "
            "machine of the cluster"
        ) from None


def _connect(ray: Any, address: str) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a sweep reports to nobody
    options = {"include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        advice = "start one with `ray start --head`, or use local"
        if address != AUTO:
            advice = "check the port, and the token of a cluster that asks for one"
        message = f"the Ray cluster {address!r} cannot be used: {_gist(error)}; {advice}"
        raise InputError(message) from None


@contextmanager
def _hushed() -> Iterator[None]:
    """Ray prints a paragraph for each process that dies and has no setting against it; the watcher
    is told."""
    printer = importlib.import_module("ray._private.worker")
    before = getattr(printer, "print_to_stdstream", None)
    if before is None:
        yield
        return
    vars(printer)["print_to_stdstream"] = lambda *arguments, **options: None
    try:
        yield
    finally:
        vars(printer)["print_to_stdstream"] = before
