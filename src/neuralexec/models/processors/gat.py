"""Graph attention, Equation 5, left: h_i = ReLU(Σ_j a(z_i, z_j, e_ij) W z_j).

The score is the original one (Veličković et al., 2018), with the edge weight as a third part:
LeakyReLU(a · [W z_i, W z_j, e_ij]).
"""

from torch import nn
from torch.nn import functional

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

NEGATIVE_SLOPE = 0.2


class Gat(nn.Module):
    def __init__(
        self, latent: int, *, sharpening: Sharpening = "none", edge_features: bool = True
    ) -> None:
        super().__init__()
        self.sharpening: Sharpening = sharpening
        self.edge_features = edge_features
        self.values = Linear((latent,), latent, bias=False)
        self.score = Linear(
            (latent, latent, 1) if edge_features else (latent, latent), 1, bias=False
        )

    def forward(
        self,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed:
        values = self.values(encoded)
        of_receiver, of_sender, *of_edge = self.score.parts()
        scores = project(values, of_receiver).squeeze(-1).index_select(0, edges.receivers)
        scores = scores + project(values, of_sender).squeeze(-1).index_select(0, edges.senders)
        if self.edge_features:
            per_weight = per_row(of_edge[0].squeeze(-1), edges.num_nodes).squeeze(-1)
            if len(per_weight) > 1:
                per_weight = per_weight.index_select(0, edges.receivers)
            scores = scores + edges.weights * per_weight
        coefficients, penalty = attend(
            functional.leaky_relu(scores, NEGATIVE_SLOPE),
            edges,
            sharpening=self.sharpening,
            training=self.training,
            gate=gate,
        )
        received = weighted_sum(coefficients, values, edges)
        return Processed(received.relu(), coefficients, penalty)


def _build(options: Options) -> Gat:
    return Gat(options.latent, sharpening=options.sharpening)


processor = ProcessorType(
    name="gat", summary="graph attention, the original score", build=_build, attends=True
)
