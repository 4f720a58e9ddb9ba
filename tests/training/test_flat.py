"""Parameters as rows and back."""

import pytest
import torch
from torch import nn

from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.processors import processors
from neuralexec.training.flat import Layout
from neuralexec.training.training import Training, new_network
from tests.training.tiny import tiny

every_processor = pytest.mark.parametrize("processor", [*processors()])


def networks(processor: str, number: int) -> list[NeuralExecutor]:
    return [new_network(tiny(seed=seed, processor=processor)) for seed in range(number)]


def rows_of(layout: Layout, several: list[NeuralExecutor]) -> torch.Tensor:
    return torch.stack([layout.row(dict(one.named_parameters())) for one in several])


@every_processor
def test_a_row_becomes_weights_again(processor):
    [network] = networks(processor, 1)
    layout = Layout(network)
    row = layout.row(dict(network.named_parameters()))
    assert row.shape == (network.num_parameters,)
    weights = layout.weights(row)
    assert weights.keys() == network.state_dict().keys()
    for name, value in network.state_dict().items():
        assert torch.equal(weights[name], value), name


def test_weights_are_copies():
    training = Training(tiny())
    next(iter(training.best_weights.values())).fill_(7)
    assert not (training.best == 7).any()


@every_processor
@pytest.mark.parametrize("replicas", [1, 3])
def test_attached_rows_are_the_parameters(processor, replicas):
    several = networks(processor, replicas)
    layout, together = Layout(several[0]), new_network(tiny(seed=9, processor=processor))
    layout.attach(together, rows_of(layout, several))
    assert together.replicas == replicas
    assert [name for name, _ in together.named_parameters()] == [*layout.shapes]
    for name, value in together.named_parameters():
        alone = torch.stack([one.get_parameter(name) for one in several])
        assert torch.equal(value, alone if replicas > 1 else alone[0]), name


@pytest.mark.parametrize("replicas", [1, 3])
def test_what_changes_in_the_rows_changes_in_the_network(replicas):
    several = networks("mpnn-max", replicas)
    layout = Layout(several[0])
    rows = rows_of(layout, several)
    layout.attach(several[0], rows)
    rows.zero_()
    assert not any(value.any() for value in several[0].parameters())


class Odd(nn.Module):
    """A number, and a layer that plays no part."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.unused = nn.Linear(2, 3)
        self.used = nn.Linear(4, 1)


@pytest.mark.parametrize("replicas", [1, 3])
def test_what_plays_no_part_has_no_gradient(replicas):
    network = Odd()
    layout = Layout(network)
    rows = layout.row(dict(network.named_parameters())).repeat(replicas, 1)
    layout.attach(network, rows)
    loss = 5 * network.scale.sum() + (3 * network.used.weight).sum()
    found = torch.autograd.grad(loss, list(network.parameters()), allow_unused=True)
    grads = layout.gradients(found, replicas)
    assert grads.shape == rows.shape
    for row in grads:
        parts = layout.weights(row)
        assert parts["scale"] == 5
        assert (parts["used.weight"] == 3).all()
        assert not any(parts[name].any() for name in ("unused.weight", "unused.bias", "used.bias"))


def test_each_replica_has_the_gradient_of_its_own_loss():
    network = Odd()
    layout = Layout(network)
    rows = layout.row(dict(network.named_parameters())).repeat(2, 1)
    layout.attach(network, rows)
    loss = (network.scale * torch.tensor([1.0, 10.0])).sum()
    found = torch.autograd.grad(loss, list(network.parameters()), allow_unused=True)
    scales = [layout.weights(row)["scale"] for row in layout.gradients(found, 2)]
    assert scales == [1, 10]
