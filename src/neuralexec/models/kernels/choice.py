"""Which implementation of the kernels runs where."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from neuralexec.errors import InputWarning
from neuralexec.models.kernels.interface import Kernels
from neuralexec.models.kernels.reference import ReferenceKernels

_chosen: list[Kernels] = []


def kernels_for(device_type: str) -> Kernels:
    """The fastest there are for this kind of device, unless others are being used."""
    return _chosen[-1] if _chosen else _fastest(device_type)


@contextmanager
def using(kernels: Kernels) -> Iterator[None]:
    """Compute with these kernels, to compare them with others."""
    _chosen.append(kernels)
    try:
        yield
    finally:
        _chosen.pop()


@cache
def _fastest(device_type: str) -> Kernels:
    try:
        if device_type == "cuda":
            from neuralexec.models.kernels.cuda import CudaKernels

            return CudaKernels()
        if device_type == "cpu":
            from neuralexec.models.kernels.cpu import CpuKernels

            return CpuKernels()
    except ImportError as error:
        warnings.warn(
            f"{error.name} is not installed: networks run on plain torch, several times slower",
            InputWarning,
            stacklevel=2,
        )
    return ReferenceKernels()
