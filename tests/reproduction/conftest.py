"""One small Ray cluster for the tests of this folder."""

from tests.sweeps.conftest import ray_address, ray_folder

__all__ = ["ray_address", "ray_folder"]
