"""The backends, and one small Ray cluster for all tests of this folder."""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuralexec.sweeps import Backend, InProcess, LocalPool, RayCluster

BACKENDS = ["in-process", "local-pool", "ray"]


@pytest.fixture(scope="package")
def ray_folder() -> Iterator[Path]:
    """Where the workers of the cluster have their temporary folders."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(scope="package")
def ray_address(ray_folder: Path) -> Iterator[str]:
    """Where the cluster answers; this process is connected to it."""
    ray = pytest.importorskip("ray")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", tempfile.gettempdir())
        patch.setenv("TMPDIR", str(ray_folder))
        ray.init(
            "local",
            num_cpus=2,
            object_store_memory=100 * 2**20,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


def _backend(request: pytest.FixtureRequest) -> Backend:
    if request.param == "ray":
        request.getfixturevalue("ray_address")
    return {"in-process": InProcess(), "local-pool": LocalPool(2), "ray": RayCluster()}[
        request.param
    ]


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Backend:
    return _backend(request)


@pytest.fixture(params=BACKENDS[1:])
def apart(request: pytest.FixtureRequest) -> Backend:
    """Those that perform jobs in other processes."""
    return _backend(request)
