"""Every implementation of the kernels, on every device it runs on."""

from importlib.util import find_spec
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from neuralexec.batches import Course, Edges
from neuralexec.models.kernels import Kernels, ReferenceKernels

REFERENCE = ReferenceKernels()
CHECKED: list[tuple[Kernels, str]] = []
"""Those that are compared with the reference on the CPU."""

if find_spec("numba"):
    from neuralexec.models.kernels.cpu import CpuKernels

    CHECKED.append((CpuKernels(), "cpu"))
if torch.cuda.is_available():
    CHECKED.append((REFERENCE, "cuda"))
    if find_spec("neuralexec.models.kernels.cuda"):
        from neuralexec.models.kernels.cuda import CudaKernels

        CHECKED.append((CudaKernels(), "cuda"))

EVERY = [(REFERENCE, "cpu"), *CHECKED]


def _parameter(pairs: list[tuple[Kernels, str]]) -> Any:
    names = [f"{type(kernels).__name__}-{device}" for kernels, device in pairs]
    return pytest.mark.parametrize(("kernels", "device"), pairs, ids=names)


everywhere = _parameter(EVERY)
every_other = _parameter(CHECKED)
every_size = pytest.mark.parametrize("size", [1, 3, 5, 32, 33])
one_or_three = pytest.mark.parametrize("replicas", [1, 3])
every_reduce = pytest.mark.parametrize("reduce", ["max", "mean", "sum"])


def on(device: str, given: Any) -> Any:
    """Tensors, edges and courses, however they are nested, on a device."""
    if isinstance(given, Tensor | Edges):
        return given.to(device)
    if isinstance(given, Course):
        return Course(tuple(on(device, moment) for moment in given.moments), given.replicas)
    if isinstance(given, tuple):
        parts = [on(device, part) for part in given]
        return type(given)(*parts) if hasattr(given, "_fields") else tuple(parts)
    return given


def check_same(found: Any, expected: Any, *, exact: bool = False) -> None:
    """Nested as they may be; to the last bit, as far as both are on the CPU, or closely."""
    if expected is None:
        assert found is None
    elif isinstance(expected, Tensor):
        assert found.dtype == expected.dtype
        if exact and not found.is_cuda:
            assert found.shape == expected.shape
            assert torch.equal(found.nan_to_num(12345), expected.nan_to_num(12345))
        else:
            far = expected.abs().nan_to_num(0, 0, 0).max().item() if expected.numel() else 0
            limits = {torch.float32: (1e-5, 1e-5), torch.float64: (1e-12, 1e-12)}
            rtol, atol = limits.get(expected.dtype, (0, 0))
            atol = atol * max(far, 1)  # what is added up is as exact as its largest part
            assert_close(found.cpu(), expected, rtol=rtol, atol=atol, equal_nan=True)
    else:
        for one, other in zip(found, expected, strict=True):
            check_same(one, other, exact=exact)


def compare(
    kernels: Kernels, device: str, method: str, *given: Any, exact: bool = False, **options: Any
) -> Any:
    """Call a method of these kernels and of the reference; what the reference says."""
    expected = getattr(REFERENCE, method)(*given, **options)
    found = getattr(kernels, method)(*(on(device, part) for part in given), **options)
    check_same(found, expected, exact=exact)
    return expected
