"""Where and on how many threads networks compute."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch

from neuralexec.errors import InputError


def check_device(device: str) -> None:
    if device not in ("cpu", "cuda"):
        raise InputError(f"unknown device {device!r}; choose one of cpu, cuda")
    if device == "cuda" and not torch.cuda.is_available():
        raise InputError("no GPU that torch can use was found; use --device cpu")


@contextmanager
def one_thread() -> Iterator[None]:
    """Small graphs are slower on more threads, and sums are the same only on as many."""
    before, blas_before = torch.get_num_threads(), blas_threads()
    torch.set_num_threads(1)
    set_blas_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
        set_blas_threads(blas_before)


def blas_threads() -> int:
    """How many threads the BLAS may use that compiled loops call; 1 where that is not known."""
    return int(_of_blas("get_num_threads")())


def set_blas_threads(number: int) -> None:
    _of_blas("set_num_threads")(number)


@cache
def _of_blas(name: str) -> Callable[..., Any]:
    """A function of the OpenBLAS that SciPy brings and numba calls; another BLAS is left alone."""
    from scipy.linalg import cython_blas

    try:
        library = ctypes.CDLL(cython_blas.__file__)
        function: Callable[..., Any] = getattr(library, f"scipy_openblas_{name}")
    except (OSError, AttributeError):
        return lambda *_: 1
    return function
