"""Where and on how many threads networks compute."""

from collections.abc import Iterator
from contextlib import contextmanager

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
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
