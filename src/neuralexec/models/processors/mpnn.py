"""The message-passing network of Equation 5, right: h_i = U(z_i, ⊕_j M(z_i, z_j, e_ij)).

M and U are linear maps with an optional ReLU. M is applied factored: A z_i + B z_j + c e_ij.
"""

from torch import nn

from neuralexec.batches import Edges
from neuralexec.models.kernels import Reduce, kernels_for
from neuralexec.models.linear import Linear, align, project
from neuralexec.models.processors.processor import Options, Processed
from neuralexec.models.shapes import Float, Tensor


class Mpnn(nn.Module):
    def __init__(
        self, latent: int, reduce: Reduce, *, message_relu: bool = False, update_relu: bool = True
    ) -> None:
        super().__init__()
        self.reduce: Reduce = reduce
        self.message_relu = message_relu
        self.update_relu = update_relu
        self.message = Linear((latent, latent, 1), latent)
        self.update = Linear((latent, latent), latent)

    @classmethod
    def build(cls, options: Options, reduce: Reduce) -> "Mpnn":
        return cls(
            options.latent,
            reduce,
            message_relu=options.message_relu,
            update_relu=options.update_relu,
        )

    def forward(
        self,
        encoded: Float[Tensor, "*lead nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed:
        of_receiver, of_sender, of_edge = self.message.parts()
        received = kernels_for(encoded.device.type).pass_messages(
            self.message.biased(project(encoded, of_receiver)),
            project(encoded, of_sender),
            align(of_edge.mT, encoded, 2),
            edges,
            reduce=self.reduce,
            relu=self.message_relu,
            gate=gate,
        )
        latent = self.update(encoded, received)
        return Processed(latent.relu() if self.update_relu else latent)
