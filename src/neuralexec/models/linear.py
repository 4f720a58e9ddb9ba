"""Linear maps of several inputs, kept as one matrix but applied part by part.

`W [a, b] = A a + B b`: what is known per node is projected per node, and only added per edge. The
matrix may carry a leading replica axis: each replica's applies to its share of the rows.
"""

import math
from typing import Any

import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional

from neuralexec.models.shapes import Float, Tensor


class Linear(nn.Module):
    """Equal to `torch.nn.Linear` on the concatenation of its parts, initial weights included."""

    def __init__(
        self, parts: tuple[int, ...], size: int, *, bias: bool = True, sharp: bool = False
    ) -> None:
        super().__init__()
        self.sizes = parts
        bound = 1 / math.sqrt(sum(parts))
        self.weight = nn.Parameter(torch.empty(size, sum(parts)).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(size).uniform_(-bound, bound)) if bias else None
        # To tell a hundredth from nothing takes logits that are hundreds of times steeper than
        # weights grow in a training; a logarithm gets there.
        self.sharpness = nn.Parameter(torch.zeros(1)) if sharp else None

    def parts(self) -> tuple[Float[Tensor, "*replicas out _"], ...]:
        """The matrix applied to each part."""
        weight: Tensor = self.weight
        if self.sharpness is not None:
            weight = weight * self.sharpness.exp().unsqueeze(-1)
        return torch.split(weight, list(self.sizes), dim=-1)

    def forward(self, *inputs: Float[Tensor, "rows _"]) -> Float[Tensor, "rows out"]:
        first, *others = zip(inputs, self.parts(), strict=True)
        out = project(*first, self.bias)
        for values, part in others:
            out = out + project(values, part)
        return out


def project(
    values: Float[Tensor, "rows inputs"],
    weight: Float[Tensor, "*replicas outputs inputs"],
    bias: Float[Tensor, "*replicas outputs"] | None = None,
) -> Float[Tensor, "rows outputs"]:
    if weight.is_cuda and torch.is_grad_enabled():
        projected: Tensor = _Project.apply(values, weight, bias)  # type: ignore[no-untyped-call]
        return projected
    return product(values, weight, bias)


def product(values: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if weight.ndim == 2:
        return functional.linear(values, weight, bias)
    shares = values.unflatten(0, (len(weight), -1))
    if bias is None:
        return torch.bmm(shares, weight.mT).flatten(end_dim=1)
    return torch.baddbmm(bias[:, None], shares, weight.mT).flatten(end_dim=1)


class _Project(Function):
    """A product whose sums over rows have double precision, which costs a GPU next to nothing.

    Adam divides gradients by their size: where they nearly cancel, the order of a sum in single
    precision would decide, and a network would not learn among others what it learns alone.
    """

    @staticmethod
    def forward(ctx: Any, values: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(values, weight)
        ctx.has_bias = bias is not None
        return product(values, weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> Any:
        values, weight = ctx.saved_tensors
        [grad] = grads
        to_values = product(grad, weight.mT) if ctx.needs_input_grad[0] else None
        lead = weight.shape[:-2]
        shares, of_values = (rows.view(*lead, -1, rows.shape[1]) for rows in (grad, values))
        to_bias = summed(shares) if ctx.has_bias else None
        return to_values, over_rows(shares, of_values), to_bias


def over_rows(
    left: Float[Tensor, "*replicas rows outputs"], right: Float[Tensor, "*replicas rows inputs"]
) -> Float[Tensor, "*replicas outputs inputs"]:
    """The sum over rows of their outer products; on a GPU in double precision."""
    if not left.is_cuda:
        return left.mT @ right
    return (left.mT.double() @ right.double()).to(left.dtype)


def summed(rows: Float[Tensor, "*replicas rows size"]) -> Float[Tensor, "*replicas size"]:
    """The sum of the rows; on a GPU in double precision."""
    if not rows.is_cuda:
        return rows.sum(-2)
    return rows.sum(-2, dtype=torch.float64).to(rows.dtype)


def num_replicas(linear: Linear | None) -> int:
    """As many as it has matrices."""
    return len(linear.weight) if linear is not None and linear.weight.ndim == 3 else 1


def per_replica(parameter: Float[Tensor, "*replicas size"]) -> Float[Tensor, "replicas size"]:
    """One row for each replica; a network that has none is one."""
    return parameter if parameter.ndim == 2 else parameter[None]


def matrices(
    weight: Float[Tensor, "*replicas outputs inputs"],
) -> Float[Tensor, "replicas outputs inputs"]:
    """One for each replica."""
    return weight if weight.ndim == 3 else weight[None]


def per_row(
    parameter: Float[Tensor, "*replicas size"], num_rows: int
) -> Float[Tensor, "rows_or_one size"]:
    """Each row's replica's row."""
    if parameter.ndim == 1:
        return parameter[None]
    share = num_rows // len(parameter)
    return parameter[:, None].expand(-1, share, -1).flatten(end_dim=1)
