import pytest
import torch

from neuralexec.errors import InputError
from neuralexec.models.device import check_device, one_thread


def test_devices_are_checked(monkeypatch):
    with pytest.raises(InputError, match="choose one of cpu, cuda"):
        check_device("tpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="use --device cpu"):
        check_device("cuda")


def test_one_thread_inside_and_as_before_outside():
    before = torch.get_num_threads()
    with one_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before
