import pytest
import torch

from neuralexec.errors import InputError
from neuralexec.models.device import blas_threads, check_device, one_thread, set_blas_threads


def test_devices_are_checked(monkeypatch):
    with pytest.raises(InputError, match="choose one of cpu, cuda"):
        check_device("tpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="use --device cpu"):
        check_device("cuda")


def test_one_thread_inside_and_as_before_outside():
    before, blas_before = torch.get_num_threads(), blas_threads()
    with one_thread():
        assert (torch.get_num_threads(), blas_threads()) == (1, 1)
    assert (torch.get_num_threads(), blas_threads()) == (before, blas_before)


def test_the_threads_of_the_blas_that_loops_call_can_be_set():
    before = blas_threads()
    set_blas_threads(2)
    found = blas_threads()
    set_blas_threads(before)
    assert found in (1, 2)  # 1 where SciPy brings another BLAS, or the machine has one core
