"""Graph attention with the Transformer's score: (Q z_i) · (K z_j + k e_ij) / √latent."""

import math

from torch import nn

from neuralexec.batches import Edges
from neuralexec.models.architecture import Sharpening
from neuralexec.models.kernels import weighted_sum
from neuralexec.models.linear import Linear, per_row, project
from neuralexec.models.processors.attention import attend
from neuralexec.models.processors.processor import (
    Options,
    Processed,
    ProcessorType,
)
from neuralexec.models.shapes import Float, Tensor


class GatTransformer(nn.Module):
    def __init__(
        self, latent: int, *, sharpening: Sharpening = "none", edge_features: bool = True
    ) -> None:
        super().__init__()
        self.sharpening: Sharpening = sharpening
        self.edge_features = edge_features
        self.queries = Linear((latent,), latent, bias=False)
        self.keys = Linear((latent, 1) if edge_features else (latent,), latent, bias=False)
        self.values = Linear((latent,), latent, bias=False)

    def forward(
        self,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed:
        queries = self.queries(encoded)
        of_sender, *of_edge = self.keys.parts()
        keys = project(encoded, of_sender).index_select(0, edges.senders)
        scores = (queries.index_select(0, edges.receivers) * keys).sum(-1)
        if self.edge_features:
            # What the weight adds to a key meets the query once per node, not once per edge.
            per_weight = (queries * per_row(of_edge[0].squeeze(-1), edges.num_nodes)).sum(-1)
            scores = scores + edges.weights * per_weight.index_select(0, edges.receivers)
        coefficients, penalty = attend(
            scores / math.sqrt(queries.shape[-1]),
            edges,
            sharpening=self.sharpening,
            training=self.training,
            gate=gate,
        )
        received = weighted_sum(coefficients, self.values(encoded), edges)
        return Processed(received.relu(), coefficients, penalty)


def _build(options: Options) -> GatTransformer:
    return GatTransformer(options.latent, sharpening=options.sharpening)


processor = ProcessorType(
    name="gat-transformer",
    summary="graph attention, the Transformer's score",
    build=_build,
    attends=True,
)
