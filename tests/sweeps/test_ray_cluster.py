"""What is Ray's own: processes killed from outside, lost machines, and what users get wrong."""

import os
import signal
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from neuralexec.errors import InputError
from neuralexec.sweeps import InProcess, Job, RayCluster, sweep
from neuralexec.sweeps import ray_cluster as module
from neuralexec.sweeps.job import Died, Done, Raised
from neuralexec.sweeps.parcel import pack
from tests.sweeps.performing import RESULT, run_until_released, wait_for, write
from tests.sweeps.watching import Notes


def test_a_worker_killed_from_outside_changes_no_result(
    tmp_path: Path, ray_address: str, capfd: pytest.CaptureFixture[str]
) -> None:
    release = tmp_path / "released"
    jobs = [Job(name, (str(tmp_path / name), str(release))) for name in "abcd"]

    def kill() -> None:
        wait_for(tmp_path / "b")
        os.kill(int((tmp_path / "b").read_text()), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    notes = Notes(on_retry=release.touch)
    disturbed = tmp_path / "disturbed"
    outcome = sweep(jobs, run_until_released, disturbed, RayCluster(ray_address), watcher=notes)
    killer.join()
    assert sorted(outcome.done) == ["a", "b", "c", "d"]
    assert notes.of("retried") == ["b"]
    assert notes.messages["b"].startswith("its process or its machine was lost (WorkerCrashedError")

    sweep(jobs, run_until_released, tmp_path / "undisturbed", InProcess())
    assert dict(pack(disturbed)) == dict(pack(tmp_path / "undisturbed"))
    assert capfd.readouterr() == ("", "")


def test_a_connection_that_was_there_before_stays(tmp_path: Path, ray_address: str) -> None:
    ray = pytest.importorskip("ray")
    sweep([Job("job", "work")], write, tmp_path, RayCluster("local"))
    assert ray.is_initialized()
    assert ray.get_runtime_context().gcs_address == ray_address


class FakeRay:
    """As much of Ray as the crew calls, with results as they are told."""

    class exceptions:
        class RayError(Exception):
            pass

        class RayTaskError(RayError):
            def __init__(self, cause: Exception) -> None:
                self.cause = cause

        class NodeDiedError(RayError):
            pass

    def __init__(self, cores: float = 2, result: object = None) -> None:
        self.cores, self.result = cores, result
        self.options: dict[str, object] = {}
        self.calls: list[tuple[object, ...]] = []
        self.cancelled: list[tuple[object, bool]] = []
        self.ignores_cancelling: list[object] = []

    def remote(self, **options: object):
        self.options = options
        return lambda function: SimpleNamespace(remote=self.submit)

    def submit(self, *arguments: object) -> str:
        self.calls.append(arguments)
        return f"task {len(self.calls)}"

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.cores} if self.cores else {}

    def wait(self, tasks: list[object], num_returns: int = 1, timeout: float | None = None):
        assert timeout is not None
        if self.cancelled:
            return [], [task for task in tasks if task in self.ignores_cancelling]
        return tasks[:num_returns], tasks[num_returns:]

    def get(self, task: object) -> object:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    def cancel(self, task: object, force: bool = False) -> None:
        self.cancelled.append((task, force))


JOB = Job("job", "work")


def ending_by(ray: FakeRay, folder: Path) -> object:
    crew = module._RayCrew(ray, write)
    crew.begin(JOB, folder)
    [(job, ending)] = crew.wait()
    assert job is JOB
    assert crew.free == 2
    return ending


def test_a_lost_machine_is_a_death(tmp_path: Path) -> None:
    error = FakeRay.exceptions.NodeDiedError("the node 1.2 is gone. Perhaps\nit was")
    assert ending_by(FakeRay(result=error), tmp_path) == Died(
        "its process or its machine was lost (NodeDiedError: the node 1.2 is gone)"
    )


def test_what_cannot_be_performed_there_is_raised(tmp_path: Path) -> None:
    error = FakeRay.exceptions.RayTaskError(ModuleNotFoundError("No module named 'neuralexec'"))
    ending = ending_by(FakeRay(result=error), tmp_path)
    assert isinstance(ending, Raised)
    assert ending.message == "ModuleNotFoundError: No module named 'neuralexec'"


def test_files_that_cannot_be_written_here_are_raised(tmp_path: Path) -> None:
    (tmp_path / "job").touch()
    ending = ending_by(FakeRay(result=(Done(1), {RESULT: b"work"})), tmp_path / "job")
    assert isinstance(ending, Raised)
    assert ending.message.startswith("FileExistsError")


def test_what_a_failed_job_wrote_comes_back(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"old")
    (tmp_path / "removed").touch()
    result = (Raised("broken"), {"kept": b"new", "log": b"line"})
    assert ending_by(FakeRay(result=result), tmp_path) == Raised("broken")
    assert pack(tmp_path) == {"kept": b"new", "log": b"line"}


def test_a_job_per_core_and_never_none() -> None:
    ray = FakeRay(cores=3)
    crew = module._RayCrew(ray, write)
    assert crew.free == 3
    crew.begin(JOB, Path("nowhere"))
    assert crew.free == 2
    ray.cores = 7
    assert crew.free == 6
    ray.cores = 0
    assert crew.free == 0
    assert module._RayCrew(ray, write).free == 1


def test_ray_does_not_retry_by_itself() -> None:
    ray = FakeRay()
    module._RayCrew(ray, write)
    assert (ray.options["num_cpus"], ray.options["max_retries"]) == (1, 0)


def test_attempts_at_a_job_share_a_key_that_no_other_has(tmp_path: Path) -> None:
    ray = FakeRay(cores=9)
    first, second = module._RayCrew(ray, write), module._RayCrew(ray, write)
    for crew, name in [(first, "a/b"), (first, "a/b"), (first, "a/c"), (second, "a/b")]:
        crew.begin(Job(name, "work"), tmp_path)
    keys = [key for _, _, key, _ in ray.calls]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
    assert not any("/" in str(key) for key in keys)


def test_what_does_not_stop_gently_is_forced() -> None:
    ray = FakeRay(cores=9)
    ray.ignores_cancelling = ["task 2"]
    crew = module._RayCrew(ray, write)
    for _ in range(3):
        crew.begin(JOB, Path("nowhere"))
    crew.stop()
    gently = [(f"task {number}", False) for number in (1, 2, 3)]
    assert ray.cancelled == [*gently, ("task 2", True)]


def test_without_ray_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"pip install 'neuralexec\[distributed\]'"):
        sweep([JOB], write, tmp_path, RayCluster())


@pytest.mark.parametrize("error", [ConnectionError, RuntimeError, ValueError])
def test_a_cluster_that_cannot_be_used_is_told_in_one_line(error: type[Exception]) -> None:
    def init(*arguments: object, **options: object) -> None:
        raise error("Version mismatch:\n  theirs\n  ours")

    with pytest.raises(InputError) as caught:
        module._connect(SimpleNamespace(init=init), "ray://there:10001")
    message = "the Ray cluster 'ray://there:10001' cannot be used: Version mismatch; check the port"
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_where_no_cluster_is_found_local_is_offered() -> None:
    def init(*arguments: object, **options: object) -> None:
        raise ConnectionError("Could not find any running Ray instance. Please specify")

    with pytest.raises(
        InputError,
        match=r"any running Ray instance; start one with `ray start --head`, or use local$",
    ):
        module._connect(SimpleNamespace(init=init), "auto")


def test_only_a_local_cluster_is_told_what_to_start() -> None:
    given: list[dict[str, object]] = []
    ray = SimpleNamespace(init=lambda address, **options: given.append(options))
    for address in ("local", "auto"):
        module._connect(ray, address)
    local, auto = given
    assert local.pop("include_dashboard") is False
    assert local == auto
    assert auto["log_to_driver"] is False
