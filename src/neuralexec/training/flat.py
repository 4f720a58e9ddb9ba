"""All parameters of a network as one row of numbers, a row for each replica.

What happens to every parameter alike, an update above all, is then a few operations however many
parameters there are, and networks become replicas by stacking their rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import torch
from torch import nn

from neuralexec.models.shapes import Float, Tensor

Weights = dict[str, Tensor]


class Layout:
    """Where each parameter of a network is in the row."""

    def __init__(self, network: nn.Module) -> None:
        self.shapes = {name: value.shape for name, value in network.named_parameters()}
        self.sizes = [prod(shape) for shape in self.shapes.values()]

    def row(self, weights: Weights) -> Float[Tensor, " parameters"]:
        return torch.cat([weights[name].detach().flatten() for name in self.shapes])

    def weights(self, row: Float[Tensor, " parameters"]) -> Weights:
        """Copies, by their names."""
        parts = zip(self.shapes.items(), row.split(self.sizes), strict=True)
        return {name: part.view(shape).clone() for (name, shape), part in parts}

    def attach(self, network: nn.Module, rows: Float[Tensor, "replicas parameters"]) -> None:
        """Make the rows the network's parameters; of one row, without a replica axis."""
        lead = () if len(rows) == 1 else (len(rows),)
        parts = zip(self.shapes.items(), rows.split(self.sizes, dim=1), strict=True)
        for (name, shape), part in parts:
            home, _, own_name = name.rpartition(".")
            values = part.unflatten(1, shape) if shape else part.squeeze(1)
            values = values if lead else values[0]
            setattr(network.get_submodule(home), own_name, nn.Parameter(values))

    def gradients(
        self, grads: Sequence[Tensor | None], replicas: int
    ) -> Float[Tensor, "replicas parameters"]:
        """Rows of what `torch.autograd.grad` found; what played no part has gradient 0."""
        like = next(grad for grad in grads if grad is not None)
        return torch.cat(
            [
                like.new_zeros(replicas, size) if grad is None else grad.view(replicas, size)
                for grad, size in zip(grads, self.sizes, strict=True)
            ],
            dim=1,
        )
