"""Adam (Kingma and Ba, 2015) on rows of parameters, each with its own learning rate and clipping.

Equal to `torch.optim.Adam`, which has one learning rate for all.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from neuralexec.models.shapes import Float, Tensor

BETAS = (0.9, 0.999)
EPSILON = 1e-8


@dataclass
class Moments:
    """What Adam remembers of one row."""

    first: Float[Tensor, " parameters"]
    second: Float[Tensor, " parameters"]
    count: int = 0

    @classmethod
    def of(cls, row: Float[Tensor, " parameters"]) -> Moments:
        return cls(torch.zeros_like(row), torch.zeros_like(row))


class Adam:
    def __init__(self, rows: Float[Tensor, "replicas parameters"], moments: list[Moments]) -> None:
        self.rows = rows
        self.first = torch.stack([own.first for own in moments]).to(rows.device)
        self.second = torch.stack([own.second for own in moments]).to(rows.device)
        self.counts = [own.count for own in moments]

    def plan(self, rates: list[list[float]]) -> list[tuple[Tensor, Tensor]]:
        """What the next updates need, made at once: of each, the size of the step, and how far
        the second moments are from their mean, [replicas, 1] each. `rates[update][replica]`."""
        numbers = []
        for number, of_replicas in enumerate(rates, start=1):
            counts = [count + number for count in self.counts]
            steps = [
                rate / (1 - BETAS[0] ** count)
                for rate, count in zip(of_replicas, counts, strict=True)
            ]
            roots = [(1 - BETAS[1] ** count) ** 0.5 for count in counts]
            numbers.append([steps, roots])
        self.counts = [count + len(rates) for count in self.counts]
        found = torch.tensor(numbers, dtype=self.rows.dtype, device=self.rows.device).unsqueeze(-1)
        return [(steps, roots) for steps, roots in found]

    def update(
        self, grads: Float[Tensor, "replicas parameters"], step: Tensor, root: Tensor
    ) -> None:
        self.first.lerp_(grads, 1 - BETAS[0])
        self.second.mul_(BETAS[1]).addcmul_(grads, grads, value=1 - BETAS[1])
        spread = self.second.sqrt().div_(root).add_(EPSILON)
        self.rows.sub_(self.first.div(spread).mul_(step))

    def moments(self) -> list[Moments]:
        return [
            Moments(first.clone(), second.clone(), count)
            for first, second, count in zip(self.first, self.second, self.counts, strict=True)
        ]


def clipped(
    grads: Float[Tensor, "replicas parameters"], largest: Float[Tensor, "replicas one"]
) -> Float[Tensor, "replicas parameters"]:
    """Shortened to a norm of at most `largest`, each row by itself."""
    norms = torch.linalg.vector_norm(grads, dim=1, keepdim=True)
    shortened: Tensor = grads * (largest / (norms + 1e-6)).clamp(max=1)
    return shortened
