"""Linear maps of several inputs, kept as one matrix but applied part by part.

`W [a, b] = A a + B b`: what is known per node is projected per node, and only added per edge. The
matrix may carry a leading replica axis; what it is applied to then carries the same.
"""

import math

import torch
from torch import nn
from torch.nn import functional

from neuralexec.models.shapes import Float, Tensor


class Linear(nn.Module):
    """Equal to `torch.nn.Linear` on the concatenation of its parts, initial weights included."""

    def __init__(self, parts: tuple[int, ...], size: int, *, bias: bool = True) -> None:
        super().__init__()
        self.sizes = parts
        bound = 1 / math.sqrt(sum(parts))
        self.weight = nn.Parameter(torch.empty(size, sum(parts)).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(size).uniform_(-bound, bound)) if bias else None

    def parts(self) -> tuple[Float[Tensor, "*replicas out _"], ...]:
        """The matrix applied to each part."""
        return torch.split(self.weight, list(self.sizes), dim=-1)

    def forward(self, *inputs: Float[Tensor, "*lead _"]) -> Float[Tensor, "*lead out"]:
        first, *others = [
            project(values, part) for values, part in zip(inputs, self.parts(), strict=True)
        ]
        return self.biased(sum(others, start=first))

    def biased(self, values: Float[Tensor, "*lead out"]) -> Float[Tensor, "*lead out"]:
        return values if self.bias is None else values + align(self.bias, values, 1)


def project(
    values: Float[Tensor, "*lead inputs"], weight: Float[Tensor, "*replicas outputs inputs"]
) -> Float[Tensor, "*lead outputs"]:
    if weight.ndim == 2:
        return functional.linear(values, weight)
    return values @ align(weight, values, 2).mT


def align(
    parameter: Float[Tensor, "*_"], values: Float[Tensor, "*lead _"], own: int
) -> Float[Tensor, "*_"]:
    """The parameter [replicas, own axes] with as many axes as the values, replicas first."""
    replicas = parameter.shape[: parameter.ndim - own]
    between = (1,) * (values.ndim - parameter.ndim)
    return parameter.reshape(*replicas, *between, *parameter.shape[parameter.ndim - own :])
