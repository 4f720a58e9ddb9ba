"""The kernels are fast, and change nothing: a training ends with the same weights to the bit."""

import pytest
import torch

from neuralexec.models.kernels import ReferenceKernels, using
from neuralexec.training.presets import preset
from tests.training.tiny import trained

SMALL = {"num_train": 3, "num_validation": 1, "max_epochs": 2}


@pytest.mark.parametrize("name", ["paper", "best"])
@pytest.mark.parametrize("task", ["bfs+bellman-ford", "prim"])
def test_a_training_is_the_same_to_the_bit_on_plain_torch(name, task):
    config = preset(name, (task,)).but(**SMALL)
    fast, records = trained(config)
    with using(ReferenceKernels()):
        plain, plain_records = trained(config)
    assert torch.equal(fast.now, plain.now)
    assert torch.equal(fast.moments.second, plain.moments.second)
    assert records == plain_records
