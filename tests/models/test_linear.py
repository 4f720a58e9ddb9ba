import pytest
import torch
from torch import nn
from torch.testing import assert_close

from neuralexec.models.linear import Linear
from tests.models.replicas import stacked

every_bias = pytest.mark.parametrize("bias", [True, False], ids=["bias", "no-bias"])


def inputs(*lead: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return tuple(torch.randn(*lead, size, generator=generator) for size in (2, 3, 1))


@every_bias
@pytest.mark.parametrize("lead", [(4,), (3, 4), (2, 3, 4)])
def test_it_is_a_linear_map_of_the_concatenation(bias, lead):
    ours, theirs = Linear((2, 3, 1), 5, bias=bias), nn.Linear(6, 5, bias=bias)
    theirs.load_state_dict(ours.state_dict())
    parts = inputs(*lead)
    assert_close(ours(*parts), theirs(torch.cat(parts, dim=-1)))


@every_bias
def test_it_starts_as_torchs_does(bias):
    torch.manual_seed(3)
    ours = Linear((2, 3, 1), 5, bias=bias)
    torch.manual_seed(3)
    theirs = nn.Linear(6, 5, bias=bias)
    assert ours.state_dict().keys() == theirs.state_dict().keys()
    for name, values in theirs.state_dict().items():
        assert_close(ours.state_dict()[name], values)


@every_bias
@pytest.mark.parametrize("lead", [(4,), (2, 4)])
def test_replicas_are_as_each_alone(bias, lead):
    several = [Linear((2, 3, 1), 5, bias=bias) for _ in range(3)]
    parts = inputs(3, *lead)
    found = stacked(several)(*parts)
    for place, linear in enumerate(several):
        assert_close(found[place], linear(*(part[place] for part in parts)))


def test_every_part_must_be_given():
    with pytest.raises(ValueError, match="argument 2 is longer"):
        Linear((2, 3, 1), 5)(*inputs(4)[:2])
