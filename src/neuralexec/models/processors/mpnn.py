"""The message-passing network of Equation 5, right: h_i = U(z_i, ⊕_j M(z_i, z_j, e_ij)).

M and U are linear maps with an optional ReLU. M is applied factored: A z_i + B z_j + c e_ij.
"""

from __future__ import annotations

from torch import nn

from neuralexec.batches import Course, Edges
from neuralexec.models.kernels import Cell, Feedback, Form, Reduce, kernels_for, unrolled
from neuralexec.models.kernels.gated import gated_messages
from neuralexec.models.linear import Linear, matrices, num_replicas, per_replica, project
from neuralexec.models.processors.processor import Options, Processed
from neuralexec.models.shapes import Float, Tensor
from neuralexec.models.translation import answering_nothing


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
    def build(cls, options: Options, reduce: Reduce) -> Mpnn:
        return cls(
            options.latent,
            reduce,
            message_relu=options.message_relu,
            update_relu=options.update_relu,
        )

    def forward(
        self,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
        *,
        along: Float[Tensor, "*replicas latent"] | None = None,
    ) -> Processed:
        if gate is not None:
            return Processed(self._gated(encoded, edges, gate, along))
        course = Course((edges,), num_replicas(self.update))
        return Processed(self.unroll(encoded, course, None, encoder_relu=False, along=along)[1])

    def unroll(
        self,
        read: Float[Tensor, "rows latent"],
        course: Course,
        memory: Float[Tensor, "*replicas latent latent"] | None,
        *,
        encoder_relu: bool,
        along: Float[Tensor, "*replicas latent"] | None = None,
    ) -> tuple[Float[Tensor, "rows latent"], Float[Tensor, "rows latent"]]:
        cell, form = self.cell(memory, along), self.form(encoder_relu=encoder_relu)
        return unrolled(read, course, cell, form)

    def roll(
        self,
        inputs: Float[Tensor, "rows fed"],
        course: Course,
        memory: Float[Tensor, "*replicas latent latent"] | None,
        feedback: Feedback,
        *,
        encoder_relu: bool,
    ) -> Float[Tensor, "rows fed"]:
        cell, form = self.cell(memory), self.form(encoder_relu=encoder_relu)
        return kernels_for(inputs.device.type).roll(inputs, course, cell, form, feedback)

    def form(self, *, encoder_relu: bool) -> Form:
        return Form(self.reduce, encoder_relu, self.message_relu, self.update_relu)

    def cell(
        self,
        memory: Float[Tensor, "*replicas latent latent"] | None = None,
        along: Float[Tensor, "*replicas latent"] | None = None,
    ) -> Cell:
        """All parameters, with what is applied to the latent nodes of the step before; blind to
        shifts of all nodes `along` a direction."""
        assert self.message.bias is not None
        assert self.update.bias is not None
        of_receiver, of_sender, of_edge = self.message.parts()
        own, received = map(matrices, self.update.parts())
        if along is not None:
            message = matrices(of_receiver + of_sender)
            own = answering_nothing(own, received, message, per_replica(along))
        return Cell(
            memory=None if memory is None else matrices(memory),
            receiver=matrices(of_receiver),
            receiver_bias=per_replica(self.message.bias),
            sender=matrices(of_sender),
            edge=per_replica(of_edge.squeeze(-1)),
            own=own,
            received=received,
            bias=per_replica(self.update.bias),
        )

    def _gated(
        self,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"],
        along: Float[Tensor, "*replicas latent"] | None,
    ) -> Float[Tensor, "nodes latent"]:
        of_receiver, of_sender, of_edge = self.message.parts()
        received = gated_messages(
            project(encoded, of_receiver, self.message.bias),
            project(encoded, of_sender),
            of_edge.mT,
            edges,
            gate,
            reduce=self.reduce,
            relu=self.message_relu,
        )
        cell = self.cell(along=along)
        lead = self.update.weight.shape[:-2]
        own, of_received = (part.view(*lead, *part.shape[1:]) for part in (cell.own, cell.received))
        latent = project(encoded, own, self.update.bias) + project(received, of_received)
        return latent.relu() if self.update_relu else latent
