"""Many steps of a message-passing network, one after the other, on kernels for each part.

The way of GPUs and of large graphs, where a call costs little beside what it does. `product` says
how rows are multiplied with matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Protocol

import torch

from neuralexec.batches import Course, Edges
from neuralexec.models.kernels.interface import Back, Cell, Feedback, Form, Kernels, Unrolled
from neuralexec.models.linear import per_row, product
from neuralexec.models.shapes import Float, Int, Tensor

Product = Callable[[Tensor, Tensor, Tensor | None], Tensor]
"""Rows [rows, inputs], matrices [replicas, outputs, inputs], bias -> [rows, outputs]."""


class Stepwise(Kernels, Protocol):
    """The methods of kernels that take many steps, for those that take them one by one."""

    product: Product
    folds: bool = False
    """May what a receiver adds to its messages be added to its own part of the update instead?"""

    def unroll(
        self,
        read: Float[Tensor, "rows latent"],
        course: Course,
        cell: Cell,
        form: Form,
        *,
        training: bool,
    ) -> Unrolled:
        steps: list[Unrolled] = []
        latent = None
        for own, edges in zip(course.split(read), course.moments, strict=True):
            before = None
            encoded = own
            if cell.memory is not None:
                before = torch.zeros_like(own) if latent is None else latent[: edges.num_nodes]
                if latent is not None:
                    encoded = self.product(before, cell.memory, None) + own
            if form.encoder_relu:
                encoded = encoded.relu()
            if self.folds and not training and _can_fold(form, edges):
                latent = _folded(self, encoded, edges, cell, form)
                steps.append(Unrolled(encoded, latent, latent[:0], before))
                continue
            receivers = self.product(encoded, cell.receiver, cell.receiver_bias)
            senders = self.product(encoded, cell.sender, None)
            received, chosen = messages(
                self, receivers, senders, cell.edge, edges, form, training=training
            )
            kept = (receivers, senders) if training and form.reduce != "max" else (None, None)
            del receivers, senders  # a large graph has no room for what is done with
            latent = self.product(encoded, cell.own, cell.bias)
            latent = self.onto(latent, received, cell.received)
            latent = latent.relu_() if form.update_relu else latent
            received = received if training else latent[:0]
            steps.append(Unrolled(encoded, latent, received, before, chosen, *kept))
        return Unrolled._make(_joined(course, parts) for parts in zip(*steps, strict=True))

    def unroll_backward(
        self,
        to_encoded: Float[Tensor, "rows latent"] | None,
        to_latent: Float[Tensor, "rows latent"],
        unrolled: Unrolled,
        course: Course,
        cell: Cell,
        form: Form,
    ) -> Back:
        given = [
            [None] * len(course.moments) if rows is None else course.split(rows)
            for rows in (to_encoded, to_latent, *unrolled)
        ]
        back: list[tuple[Tensor, ...]] = []
        to_edge = torch.zeros_like(cell.edge, dtype=torch.float64)
        carried: Tensor | None = None
        for edges, (to_own, to_out, *parts) in reversed(
            list(zip(course.moments, zip(*given, strict=True), strict=True))
        ):
            step = Unrolled._make(parts)
            if carried is not None:
                to_out = to_out.clone()
                to_out[: len(carried)] += carried
            if form.update_relu:
                to_out = to_out.masked_fill(step.latent <= 0, 0)
            to_receivers, to_senders, of_edge = messages_backward(
                self, self.product(to_out, cell.received.mT, None), step, cell.edge, edges, form
            )
            to_edge += of_edge
            to_read = self.product(to_out, cell.own.mT, None)
            if to_own is not None:
                to_read = to_read + to_own
            to_read = to_read + self.product(to_receivers, cell.receiver.mT, None)
            to_read = to_read + self.product(to_senders, cell.sender.mT, None)
            if form.encoder_relu:
                to_read = to_read.masked_fill(step.encoded <= 0, 0)
            back.append((to_read, to_out, to_receivers, to_senders))
            if cell.memory is not None:
                carried = self.product(to_read, cell.memory.mT, None)
        back.reverse()
        return Back._make((*(course.join(parts) for parts in zip(*back, strict=True)), to_edge))

    def roll(
        self,
        inputs: Float[Tensor, "rows fed"],
        course: Course,
        cell: Cell,
        form: Form,
        feedback: Feedback,
    ) -> Float[Tensor, "rows fed"]:
        now = course.split(inputs)[0]
        rolled = [now]
        latent = None
        for edges, after in zip(course.moments, course.moments[1:], strict=False):
            encoded = self.product(now, feedback.read, feedback.read_bias)
            if latent is not None and cell.memory is not None:
                encoded = self.product(latent, cell.memory, None) + encoded
            if form.encoder_relu:
                encoded = encoded.relu()
            receivers = self.product(encoded, cell.receiver, cell.receiver_bias)
            senders = self.product(encoded, cell.sender, None)
            received, _ = messages(self, receivers, senders, cell.edge, edges, form, training=False)
            latent = self.product(encoded, cell.own, cell.bias)
            latent = self.onto(latent, received, cell.received)
            latent = latent.relu_() if form.update_relu else latent
            found = self.outputs(encoded, latent, feedback)
            now = now.clone()
            for column, bit, values in zip(
                feedback.columns, feedback.bits, found.unbind(1), strict=True
            ):
                now[:, column] = (values > 0).to(now.dtype) if bit else values
            now, latent = now[: after.num_nodes], latent[: after.num_nodes]
            rolled.append(now)
        return course.join(rolled)

    def onto(self, sums: Tensor, rows: Tensor, matrices: Tensor) -> Tensor:
        """Sums, with a product added to them."""
        return sums.add_(self.product(rows, matrices, None))

    def outputs(self, encoded: Tensor, latent: Tensor, feedback: Feedback) -> Tensor:
        """[rows, outputs]: what is read off the nodes."""
        found = self.product(encoded, feedback.encoded, feedback.bias)
        return found + self.product(latent, feedback.latent, None)


def _can_fold(form: Form, edges: Edges) -> bool:
    """A maximum, without a ReLU, at nodes that all receive something."""
    return form.reduce == "max" and not form.message_relu and edges.reach_every_node


def _folded(kernels: Stepwise, encoded: Tensor, edges: Edges, cell: Cell, form: Form) -> Tensor:
    """U z + V (A z + m) = (U + V A) z + V m: one product and one array less."""
    senders = kernels.product(encoded, cell.sender, None)
    received, _ = kernels.largest(None, senders, cell.edge, edges, keep_chosen=False)
    del senders
    own = cell.own + cell.received @ cell.receiver
    bias = cell.bias + (cell.received @ cell.receiver_bias[:, :, None]).squeeze(-1)
    latent = kernels.onto(kernels.product(encoded, own, bias), received, cell.received)
    return latent.relu_() if form.update_relu else latent


def _joined(course: Course, of_each_step: tuple[Tensor | None, ...]) -> Tensor | None:
    found = [rows for rows in of_each_step if rows is not None]
    if not found:
        return None
    return course.join(found) if len(found) > 1 else found[0]


def messages(
    kernels: Kernels,
    receivers: Float[Tensor, "nodes latent"],
    senders: Float[Tensor, "nodes latent"],
    edge: Float[Tensor, "replicas latent"],
    edges: Edges,
    form: Form,
    *,
    training: bool,
) -> tuple[Float[Tensor, "nodes latent"], Int[Tensor, "nodes latent"] | None]:
    """What each node receives; in training also which edges a maximum chose."""
    if form.reduce == "max":
        # What the receiver adds is the same on all its edges, and ReLU keeps their order.
        out, chosen = kernels.largest(receivers, senders, edge, edges, keep_chosen=training)
        return (out.relu_() if form.message_relu else out), chosen
    out = kernels.total(receivers, senders, edge, edges, relu=form.message_relu)
    return (out.mul_(edges.shares) if form.reduce == "mean" else out), None


def messages_backward(
    kernels: Kernels,
    grad: Float[Tensor, "nodes latent"],
    step: Unrolled,
    edge: Float[Tensor, "replicas latent"],
    edges: Edges,
    form: Form,
) -> tuple[
    Float[Tensor, "nodes latent"],
    Float[Tensor, "nodes latent"],
    Float[Tensor, "replicas latent"],
]:
    """Gradients of what receivers, senders and the edge added."""
    if form.reduce == "max":
        assert step.chosen is not None
        if form.message_relu:
            grad = grad.masked_fill(step.received <= 0, 0)
        grad = grad.masked_fill(step.chosen < 0, 0)
        return (grad, *kernels.largest_backward(grad, step.chosen, edges, len(edge)))
    assert step.receivers is not None
    assert step.senders is not None
    if form.reduce == "mean":
        grad = grad * edges.shares
    return kernels.total_backward(
        grad, step.receivers, step.senders, edge, edges, relu=form.message_relu
    )


def by_matrix_library(rows: Tensor, matrices: Tensor, bias: Tensor | None) -> Tensor:
    if len(matrices) > 1:
        return product(rows, matrices, bias)
    return product(rows, matrices[0], None if bias is None else bias[0])


def onto_by_matrix_library(sums: Tensor, rows: Tensor, matrices: Tensor) -> Tensor:
    """The product is never an array of its own."""
    if len(matrices) == 1:
        return sums.addmm_(rows, matrices[0].mT)
    replicas = len(matrices)
    sums.unflatten(0, (replicas, -1)).baddbmm_(rows.unflatten(0, (replicas, -1)), matrices.mT)
    return sums


def by_the_same_library(rows: Tensor, matrices: Tensor, bias: Tensor | None) -> Tensor:
    """As the compiled loops multiply, to the last bit; elsewhere as torch does."""
    if rows.device.type != "cpu" or find_spec("numba") is None:
        return by_matrix_library(rows, matrices, bias)
    from neuralexec.models.kernels.message_loops import multiply

    out = rows.new_empty(len(rows), matrices.shape[1])
    multiply(
        rows.detach().contiguous().numpy(),
        matrices.detach().mT.contiguous().numpy(),
        out.numpy(),
    )
    return out if bias is None else out + per_row(bias.detach(), len(rows))
