import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from neuralexec.models.linear import Linear, matrices, num_replicas, per_replica, per_row
from tests.models.replicas import stacked

every_bias = pytest.mark.parametrize("bias", [True, False], ids=["bias", "no-bias"])


def inputs(rows: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return tuple(torch.randn(rows, size, generator=generator) for size in (2, 3, 1))


@every_bias
def test_it_is_a_linear_map_of_the_concatenation(bias):
    ours, theirs = Linear((2, 3, 1), 5, bias=bias), nn.Linear(6, 5, bias=bias)
    theirs.load_state_dict(ours.state_dict())
    parts = inputs(4)
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
def test_sharpened_its_weights_are_multiplied_and_its_bias_is_not(bias):
    torch.manual_seed(3)
    sharp = Linear((2, 3, 1), 1, bias=bias, sharp=True)
    torch.manual_seed(3)
    plain, parts = Linear((2, 3, 1), 1, bias=bias), inputs(4)
    assert torch.equal(sharp(*parts), plain(*parts))
    sharp.sharpness.data.fill_(math.log(5))
    offset = plain.bias if bias else 0
    assert_close(sharp(*parts) - offset, 5 * (plain(*parts) - offset))
    assert_close(torch.cat(sharp.parts(), dim=-1), 5 * plain.weight)
    sharp(*parts).sum().backward()
    assert_close(sharp.sharpness.grad, (sharp(*parts) - offset).detach().sum()[None])


@every_bias
def test_each_replica_is_as_sharp_as_it_is_alone(bias):
    several = [Linear((2, 3, 1), 1, bias=bias, sharp=True) for _ in range(3)]
    for number, linear in enumerate(several):
        linear.sharpness.data.fill_(number - 0.5)
    parts = inputs(12)
    found = stacked(several)(*parts)
    shares = zip(*(part.chunk(3) for part in parts), strict=True)
    for linear, own, share in zip(several, found.chunk(3), shares, strict=True):
        assert_close(own, linear(*share))


@every_bias
def test_each_replica_maps_its_share_of_the_rows(bias):
    several = [Linear((2, 3, 1), 5, bias=bias) for _ in range(3)]
    parts = inputs(12)
    found = stacked(several)(*parts)
    assert found.shape == (12, 5)
    shares = zip(*(part.chunk(3) for part in parts), strict=True)
    for linear, own, share in zip(several, found.chunk(3), shares, strict=True):
        assert_close(own, linear(*share))


@every_bias
def test_each_replica_learns_from_its_share_of_the_rows(bias):
    several = [Linear((2, 3, 1), 5, bias=bias) for _ in range(3)]
    together, parts = stacked(several), inputs(12)
    together(*parts).square().sum().backward()
    shares = zip(*(part.chunk(3) for part in parts), strict=True)
    for place, (linear, share) in enumerate(zip(several, shares, strict=True)):
        linear(*share).square().sum().backward()
        for name, values in linear.named_parameters():
            assert_close(together.get_parameter(name).grad[place], values.grad)


def test_rows_that_cannot_be_shared_equally_are_refused():
    with pytest.raises(RuntimeError):
        stacked([Linear((2, 3, 1), 5) for _ in range(3)])(*inputs(10))


def test_a_network_alone_is_one_replica():
    alone = Linear((2, 3), 5)
    several = stacked([Linear((2, 3), 5) for _ in range(3)])
    assert (num_replicas(None), num_replicas(alone), num_replicas(several)) == (1, 1, 3)
    assert matrices(alone.weight).shape == (1, 5, 5)
    assert matrices(several.weight).shape == (3, 5, 5)
    assert per_replica(alone.bias).shape == (1, 5)
    assert per_replica(several.bias).shape == (3, 5)


def test_each_row_has_the_row_of_its_replica():
    assert per_row(torch.tensor([7.0]), 4).tolist() == [[7]]
    assert per_row(torch.tensor([[7.0], [8.0]]), 4).tolist() == [[7], [7], [8], [8]]


def test_every_part_must_be_given():
    with pytest.raises(ValueError, match="argument 2 is longer"):
        Linear((2, 3, 1), 5)(*inputs(4)[:2])
