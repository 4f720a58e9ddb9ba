"""The kernels as differentiable operations, on whichever implementation fits the device."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from neuralexec.batches import Course, Edges
from neuralexec.models.kernels.choice import kernels_for
from neuralexec.models.kernels.interface import Cell, Form, Scoring, Unrolled
from neuralexec.models.linear import over_rows, summed
from neuralexec.models.shapes import Float, Int, Tensor


def unrolled(
    read: Float[Tensor, "rows latent"], course: Course, cell: Cell, form: Form
) -> tuple[Float[Tensor, "rows latent"], Float[Tensor, "rows latent"]]:
    """Many steps of a message-passing network: the encoded and the latent nodes of each.

    Through autograd, step by step, a small graph's training is mostly the cost of keeping books.
    Here all steps are one operation, and the gradient of a matrix is one product for all.
    """
    if not torch.is_grad_enabled():
        kernels = kernels_for(read.device.type)
        found = kernels.unroll(read, course, cell, form, training=False)
        return found.encoded, found.latent
    encoded, latent = _Unrolled.apply(course, form, read, *cell)  # type: ignore[no-untyped-call]
    return encoded, latent


class _Unrolled(Function):
    @staticmethod
    def forward(
        ctx: Any, course: Course, form: Form, read: Tensor, *parameters: Any
    ) -> tuple[Tensor, Tensor]:
        ctx.set_materialize_grads(False)
        ctx.course, ctx.form = course, form
        kernels = kernels_for(read.device.type)
        found = kernels.unroll(read, course, Cell(*parameters), form, training=True)
        if found.encoded.data_ptr() == read.data_ptr():  # an output may not be an input itself
            found = found._replace(encoded=read.view_as(read))
        ctx.save_for_backward(*parameters, *found)
        return found.encoded, found.latent

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor | None) -> Any:
        size = len(Cell._fields)
        cell, found = Cell(*ctx.saved_tensors[:size]), Unrolled(*ctx.saved_tensors[size:])
        to_encoded, to_latent = grads
        if to_latent is None:
            to_latent = torch.zeros_like(found.latent)
        kernels = kernels_for(found.latent.device.type)
        back = kernels.unroll_backward(to_encoded, to_latent, found, ctx.course, cell, ctx.form)
        encoded, received, latent, receivers, senders, read = (
            rows.unflatten(0, (len(cell.own), -1))
            for rows in (
                found.encoded,
                found.received,
                back.latent,
                back.receivers,
                back.senders,
                back.read,
            )
        )
        to_memory = None
        if found.before is not None:
            to_memory = over_rows(read, found.before.unflatten(0, (len(cell.own), -1)))
        to_cell = Cell(
            memory=to_memory,
            receiver=over_rows(receivers, encoded),
            receiver_bias=summed(receivers),
            sender=over_rows(senders, encoded),
            edge=back.edge.to(back.read.dtype),
            own=over_rows(latent, encoded),
            received=over_rows(latent, received),
            bias=summed(latent),
        )
        return None, None, back.read, *to_cell


def score_edges(scoring: Scoring, edges: Edges) -> Float[Tensor, " edges"]:
    """On a GPU, in training, as double-precision numbers, so that their gradients are.

    What a receiver adds to the scores of its edges changes nothing in a softmax over them, so its
    gradients cancel but for rounding; and Adam would make steps of what rounding leaves.
    """
    precise = torch.is_grad_enabled() and edges.device.type == "cuda"
    scores: Tensor = _Score.apply(edges, precise, *scoring)  # type: ignore[no-untyped-call]
    return scores


class _Score(Function):
    @staticmethod
    def forward(ctx: Any, edges: Edges, precise: bool, *parts: Tensor) -> Tensor:
        ctx.edges = edges
        ctx.save_for_backward(*parts)
        scores = kernels_for(edges.device.type).score(Scoring(*parts), edges)
        return scores.double() if precise else scores

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> Any:
        scoring = Scoring(*ctx.saved_tensors)
        kernels = kernels_for(ctx.edges.device.type)
        return None, None, *kernels.score_backward(grads[0], scoring, ctx.edges)


def weighted_sum(
    coefficients: Float[Tensor, " edges"], values: Float[Tensor, "nodes latent"], edges: Edges
) -> Float[Tensor, "nodes latent"]:
    out: Tensor = _WeightedSum.apply(coefficients, values, edges)  # type: ignore[no-untyped-call]
    return out


class _WeightedSum(Function):
    @staticmethod
    def forward(ctx: Any, coefficients: Tensor, values: Tensor, edges: Edges) -> Tensor:
        ctx.edges = edges
        ctx.save_for_backward(coefficients, values)
        return kernels_for(edges.device.type).weighted_sum(coefficients, values, edges)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> Any:
        kernels = kernels_for(ctx.edges.device.type)
        coefficients, values = ctx.saved_tensors
        return *kernels.weighted_sum_backward(grads[0], coefficients, values, ctx.edges), None


def log_softmax(
    scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
) -> Float[Tensor, " items"]:
    """Within each segment of items."""
    logs: Tensor = _LogSoftmax.apply(scores, offsets)  # type: ignore[no-untyped-call]
    return logs


class _LogSoftmax(Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, offsets: Tensor) -> Tensor:
        logs = kernels_for(scores.device.type).log_softmax(scores, offsets)
        ctx.save_for_backward(logs, offsets)
        return logs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> Any:
        kernels = kernels_for(grads[0].device.type)
        return kernels.log_softmax_backward(grads[0], *ctx.saved_tensors), None


def segment_sum(
    values: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
) -> Float[Tensor, " segments"]:
    total: Tensor = _SegmentSum.apply(values, offsets)  # type: ignore[no-untyped-call]
    return total


class _SegmentSum(Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, offsets: Tensor) -> Tensor:
        ctx.save_for_backward(offsets)
        ctx.num_items = len(values)
        return kernels_for(values.device.type).segment_sum(values, offsets)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> Any:
        [offsets] = ctx.saved_tensors
        return grads[0].repeat_interleave(offsets.diff(), output_size=ctx.num_items), None


def segment_max(
    values: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
) -> Float[Tensor, " segments"]:
    """The highest of each segment; minus infinity where it is empty."""
    best = segment_argmax(values, offsets)
    if not len(values):
        return values.new_full(best.shape, -torch.inf)
    return values.index_select(0, best.clamp(min=0)).masked_fill(best < 0, -torch.inf)


def segment_argmax(
    scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
) -> Int[Tensor, " segments"]:
    """The first of the highest of each segment, -1 where it is empty."""
    return kernels_for(scores.device.type).argmax(scores.detach(), offsets)
