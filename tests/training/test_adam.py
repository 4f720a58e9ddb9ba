"""Adam on rows of parameters, against torch's."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec.training.adam import Adam, Moments, clipped

NUM_UPDATES = 20


def drawn(*size, dtype, seed=0):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def gradients(rows, seed=1):
    """Of every size, and some that are 0 throughout."""
    grads = drawn(NUM_UPDATES, *rows.shape, dtype=rows.dtype, seed=seed)
    sizes = 10.0 ** torch.linspace(-6, 3, rows.shape[1], dtype=rows.dtype)
    return grads * sizes * (torch.arange(rows.shape[1]) % 5 > 0)


def by_torch(row, grads, rates):
    row = row.clone().requires_grad_()
    optimiser = torch.optim.Adam([row])
    for grad, rate in zip(grads, rates, strict=True):
        optimiser.param_groups[0]["lr"] = rate
        row.grad = grad.clone()
        optimiser.step()
    return row.detach(), optimiser.state[row]


def by_us(rows, grads, rates, moments=None):
    rows = rows.clone()
    adam = Adam(rows, moments or [Moments.of(row) for row in rows])
    for grad, plan in zip(grads, adam.plan(rates), strict=True):
        adam.update(grad, *plan)
    return rows, adam.moments()


@pytest.mark.parametrize(("dtype", "error"), [(torch.float64, 1e-13), (torch.float32, 1e-6)])
def test_every_row_moves_as_torch_would_move_it(dtype, error):
    """Each with a learning rate of its own, which changes."""
    rows = drawn(3, 40, dtype=dtype)
    grads = gradients(rows)
    rates = [[1e-3, 0.1 / number, 5e-4 * number] for number in range(1, NUM_UPDATES + 1)]
    found, moments = by_us(rows, grads, rates)
    assert not torch.equal(found, rows)
    for place in range(3):
        expected, state = by_torch(rows[place], grads[:, place], [own[place] for own in rates])
        assert_close(found[place], expected, rtol=error, atol=error)
        assert_close(moments[place].first, state["exp_avg"], rtol=error, atol=error)
        assert_close(moments[place].second, state["exp_avg_sq"], rtol=error, atol=error)
        assert moments[place].count == state["step"] == NUM_UPDATES


def test_it_goes_on_from_its_moments():
    rows = drawn(2, 7, dtype=torch.float32)
    grads, rates = gradients(rows), [[1e-2, 1e-3]] * NUM_UPDATES
    whole, _ = by_us(rows, grads, rates)
    half, moments = by_us(rows, grads[:8], rates[:8])
    found, _ = by_us(half, grads[8:], rates[8:], moments)
    assert torch.equal(found, whole)


def test_rows_may_have_come_differently_far():
    rows = drawn(2, 7, dtype=torch.float64)
    grads, rates = gradients(rows), [[1e-2, 1e-2]] * NUM_UPDATES
    ahead, [moments, _] = by_us(rows, grads[:8], rates[:8])
    mixed = torch.stack([ahead[0], rows[1]])
    found, after = by_us(mixed, grads[8:], rates[8:], [moments, Moments.of(rows[1])])
    whole, _ = by_torch(rows[0], grads[:, 0], [1e-2] * NUM_UPDATES)
    late, _ = by_torch(rows[1], grads[8:, 1], [1e-2] * (NUM_UPDATES - 8))
    assert_close(found, torch.stack([whole, late]), rtol=1e-13, atol=1e-13)
    assert [own.count for own in after] == [NUM_UPDATES, NUM_UPDATES - 8]


def test_moments_do_not_change_afterwards():
    rows = drawn(1, 7, dtype=torch.float32)
    adam = Adam(rows, [Moments.of(rows[0])])
    [kept] = adam.moments()
    [plan] = adam.plan([[0.1]])
    adam.update(torch.ones_like(rows), *plan)
    assert not kept.first.any()
    assert not kept.second.any()


@pytest.mark.parametrize("largest", [1e-3, 1.0, 1e3, torch.inf])
def test_clipping_is_torchs_on_every_row(largest):
    grads = drawn(4, 30, dtype=torch.float32) * torch.tensor([[1e-4], [0.1], [1.0], [1e5]])
    found = clipped(grads, torch.full((4, 1), largest))
    for before, after in zip(grads, found, strict=True):
        parameter = torch.nn.Parameter(torch.zeros_like(before))
        parameter.grad = before.clone()
        torch.nn.utils.clip_grad_norm_([parameter], largest)
        assert_close(after, parameter.grad, rtol=1e-6, atol=0)


def test_every_row_has_a_limit_of_its_own():
    grads = torch.full((3, 4), 2.0)
    found = clipped(grads, torch.tensor([[1.0], [torch.inf], [2.0]]))
    assert_close(found.norm(dim=1), torch.tensor([1.0, 4.0, 2.0]))


def test_gradients_that_are_all_zero_stay_so():
    assert torch.equal(clipped(torch.zeros(1, 4), torch.ones(1, 1)), torch.zeros(1, 4))
