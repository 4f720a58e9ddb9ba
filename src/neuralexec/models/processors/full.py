"""Attention over the full graph: a head on the edges, and one on the pairs no edge joins.

The second has no edge features. The features of both are concatenated and projected.
"""

from collections.abc import Callable

from torch import nn

from neuralexec.batches import Edges
from neuralexec.models.linear import Linear
from neuralexec.models.processors.processor import Options, Processed
from neuralexec.models.shapes import Float, Tensor


class FullGraph(nn.Module):
    def __init__(self, latent: int, on_edges: nn.Module, on_non_edges: nn.Module) -> None:
        super().__init__()
        self.on_edges = on_edges
        self.on_non_edges = on_non_edges
        self.project = Linear((latent, latent), latent)

    @classmethod
    def build(cls, options: Options, head: Callable[..., nn.Module]) -> "FullGraph":
        sharpening = options.sharpening
        return cls(
            options.latent,
            head(options.latent, sharpening=sharpening),
            head(options.latent, sharpening=sharpening, edge_features=False),
        )

    def forward(
        self,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed:
        near: Processed = self.on_edges(encoded, edges, gate)
        far: Processed = self.on_non_edges(encoded, edges.non_edges)
        penalty = None
        if near.penalty is not None and far.penalty is not None:
            penalty = near.penalty + far.penalty
        return Processed(self.project(near.latent, far.latent), near.attention, penalty)
