import pytest
import torch
from torch.testing import assert_close

from neuralexec.models.translation import answering, answering_nothing

every_lead = pytest.mark.parametrize("lead", [(), (1,), (3,)], ids=str)


def drawn(*size: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*size, generator=generator, dtype=torch.float64)


def across(values: torch.Tensor, along: torch.Tensor) -> torch.Tensor:
    """Without what is along the direction."""
    unit = along / along.norm(dim=-1, keepdim=True)
    return values - (values * unit).sum(-1, keepdim=True) * unit


def test_by_hand():
    row, along = torch.tensor([[5.0, 7.0]]), torch.tensor([0.0, 2.0])
    assert answering(row, along, 1.0).tolist() == [[5, 0.5]]
    assert answering(row, along, 0.0).tolist() == [[5, 0]]


@every_lead
@pytest.mark.parametrize("answer", [0.0, 1.0, -3.0])
def test_a_row_answers_as_told_and_across_as_before(lead, answer):
    row, along, other = drawn(*lead, 1, 4), drawn(*lead, 4, seed=1), drawn(*lead, 4, seed=2)
    found = answering(row, along, answer)
    assert found.shape == row.shape
    assert_close((found.squeeze(-2) * along).sum(-1), torch.full(lead, answer).double())
    other = across(other, along)
    assert_close((found.squeeze(-2) * other).sum(-1), (row.squeeze(-2) * other).sum(-1))


@every_lead
def test_what_answers_as_told_already_is_left_alone(lead):
    row, along = drawn(*lead, 1, 4), drawn(*lead, 4, seed=1)
    once = answering(row, along, 1.0)
    assert_close(answering(once, along, 1.0), once)


@pytest.mark.parametrize("replicas", [1, 3])
def test_own_and_messages_cancel_along_the_direction_and_own_stays_across_it(replicas):
    own, received, message = (drawn(replicas, 4, 4, seed=seed) for seed in range(3))
    along, other = drawn(replicas, 4, seed=3), drawn(replicas, 4, seed=4)
    found = answering_nothing(own, received, message, along)
    column = along.unsqueeze(-1)
    total = found @ column + received @ message @ column
    assert_close(total, torch.zeros_like(total))
    beside = across(other, along).unsqueeze(-1)
    assert_close(found @ beside, own @ beside)
    assert not torch.allclose(found, own)
