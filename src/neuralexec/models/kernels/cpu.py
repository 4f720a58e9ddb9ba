"""The kernels on a CPU: compiled loops, shared between the threads torch may use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numba  # noqa: F401  (what compiles the loops: without it there are other kernels)
import numpy as np
import torch
from numpy.typing import NDArray

from neuralexec.batches import Course, Edges
from neuralexec.models.kernels import edge_loops, message_loops
from neuralexec.models.kernels.interface import (
    Back,
    Cell,
    Feedback,
    Form,
    Reduce,
    Scoring,
    Unrolled,
)
from neuralexec.models.kernels.stepwise import Stepwise, by_matrix_library, onto_by_matrix_library
from neuralexec.models.shapes import Float, Int, Tensor

SMALLEST_SHARE = 100_000
"""Edges for which another thread pays."""

MOST_NODES_IN_ONE_CALL = 20_000
"""Beyond, what a step does costs more than its calls, and is better shared between threads."""

REDUCES: dict[Reduce, int] = {
    "max": message_loops.MAX,
    "sum": message_loops.SUM,
    "mean": message_loops.MEAN,
}

Array = NDArray[Any]


class CpuKernels(Stepwise):
    product = staticmethod(by_matrix_library)
    onto = staticmethod(onto_by_matrix_library)
    folds = True

    def largest(
        self,
        receivers: Float[Tensor, "nodes latent"] | None,
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        keep_chosen: bool,
    ) -> tuple[Float[Tensor, "nodes latent"], Int[Tensor, "nodes latent"] | None]:
        out = torch.empty_like(senders)
        added = senders[:0] if receivers is None else receivers
        rows = _array(added), _array(senders), 0
        given = *_arrays(edges), *rows, _array(edge), _share(edges, edge)
        written = out.numpy()
        if not keep_chosen:
            _by_nodes(edges.offsets, lambda a, b: message_loops.largest(*given, a, b, written, 0))
            return out, None
        chosen = torch.empty(senders.shape, dtype=torch.int32)
        numbers = chosen.numpy()
        _by_nodes(
            edges.offsets,
            lambda a, b: message_loops.largest_and_chosen(*given, a, b, written, 0, numbers),
        )
        return out, chosen

    def largest_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        chosen: Int[Tensor, "nodes latent"],
        edges: Edges,
        replicas: int,
    ) -> tuple[Float[Tensor, "nodes latent"], Float[Tensor, "replicas latent"]]:
        to_senders = torch.zeros_like(grad)
        to_edge = torch.zeros(replicas, grad.shape[1], dtype=torch.float64)
        parts = _num_parts(edges, grad)
        _, arcs, weights = _arrays(edges)
        given = arcs, weights, *_cut((grad, chosen), parts), _share(edges, to_edge)
        outs = _cut((to_senders, to_edge), parts)
        _in_parts(parts, lambda part: message_loops.largest_backward(*given, part, *outs))
        return to_senders, to_edge

    def total(
        self,
        receivers: Float[Tensor, "nodes latent"],
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        relu: bool,
    ) -> Float[Tensor, "nodes latent"]:
        out = torch.empty_like(receivers)
        rows = _array(receivers), _array(senders), 0
        given = *_arrays(edges), *rows, _array(edge), _share(edges, edge), relu
        written = out.numpy()
        _by_nodes(edges.offsets, lambda a, b: message_loops.total(*given, a, b, written, 0))
        return out

    def total_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        receivers: Float[Tensor, "nodes latent"],
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        relu: bool,
    ) -> tuple[
        Float[Tensor, "nodes latent"],
        Float[Tensor, "nodes latent"],
        Float[Tensor, "replicas latent"],
    ]:
        parts = _num_parts(edges, grad)
        rows = _cut((grad, receivers, senders, edge), parts)
        given = *_arrays(edges), *rows, _share(edges, edge), relu
        to_receivers, to_senders = torch.zeros_like(grad), torch.zeros_like(grad)
        to_edge = torch.zeros(edge.shape, dtype=torch.float64)
        outs = _cut((to_receivers, to_senders, to_edge), parts)
        _in_parts(parts, lambda part: message_loops.total_backward(*given, part, *outs))
        return to_receivers, to_senders, to_edge

    def score(self, scoring: Scoring, edges: Edges) -> Float[Tensor, " edges"]:
        scores = scoring.receivers.new_empty(edges.num_edges)
        given = *_arrays(edges), *map(_array, scoring), _share(edges, scoring.edge)
        written = scores.numpy()
        _by_nodes(edges.offsets, lambda a, b: edge_loops.score(*given, a, b, written))
        return scores

    def score_backward(
        self, grad: Float[Tensor, " edges"], scoring: Scoring, edges: Edges
    ) -> Scoring:
        parts = _num_parts(edges, scoring.receivers)
        share = _share(edges, scoring.edge)
        arrays = *_arrays(edges), _array(grad)
        rows = [torch.zeros_like(part) for part in scoring[:2]]
        sums = [torch.zeros(part.shape, dtype=torch.float64) for part in scoring[2:4]]
        given = *arrays, *_cut(scoring[:4], parts), share
        outs = _cut((*rows, *sums), parts)
        _in_parts(parts, lambda part: edge_loops.score_backward(*given, part, *outs))
        linear = [torch.zeros_like(part) for part in scoring[4:6]]
        linear_edge = torch.zeros(scoring.linear_edge.shape, dtype=torch.float64)
        if len(scoring.linear_receivers):
            edge_loops.linear_backward(*arrays, share, *map(_array, (*linear, linear_edge)))
        kind = grad.dtype
        edge, out = (part.to(kind) for part in sums)
        return Scoring._make((*rows, edge, out, *linear, linear_edge.to(kind)))

    def weighted_sum(
        self,
        coefficients: Float[Tensor, " edges"],
        values: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, "nodes latent"]:
        out = torch.empty_like(values)
        given = *_arrays(edges)[:2], _array(coefficients), _array(values)
        written = out.numpy()
        _by_nodes(edges.offsets, lambda a, b: edge_loops.weighted_sum(*given, a, b, written))
        return out

    def weighted_sum_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        coefficients: Float[Tensor, " edges"],
        values: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> tuple[Float[Tensor, " edges"], Float[Tensor, "nodes latent"]]:
        arrays = _arrays(edges)[:2]
        to_coefficients, to_values = torch.empty_like(coefficients), torch.zeros_like(values)
        to_edges, along = (*arrays, _array(grad), _array(values)), to_coefficients.numpy()
        _by_nodes(edges.offsets, lambda a, b: edge_loops.to_coefficients(*to_edges, a, b, along))
        parts = _num_parts(edges, grad)
        to_nodes = *arrays, _array(coefficients), *_cut((grad,), parts)
        [back] = _cut((to_values,), parts)
        _in_parts(parts, lambda part: edge_loops.to_values(*to_nodes, part, back))
        return to_coefficients, to_values

    def log_softmax(
        self, scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, " items"]:
        logs = torch.empty_like(scores)
        given, written = (offsets.numpy(), _array(scores)), logs.numpy()
        _by_nodes(offsets, lambda a, b: edge_loops.less_the_highest(*given, a, b, written))
        total = self.segment_sum(logs.exp(), offsets)
        # Exponential and logarithm are torch's, so that results are those of the reference.
        log_total = total.clamp_(min=torch.finfo(total.dtype).tiny).log_().numpy()
        none = written[:0]
        _by_nodes(
            offsets, lambda a, b: edge_loops.less_of_each(given[0], log_total, none, a, b, written)
        )
        return logs

    def log_softmax_backward(
        self,
        grad: Float[Tensor, " items"],
        logs: Float[Tensor, " items"],
        offsets: Int[Tensor, " segments_and_one"],
    ) -> Float[Tensor, " items"]:
        total = self.segment_sum(grad, offsets).numpy()
        out = grad.clone()
        arrays = offsets.numpy(), total, logs.exp().numpy()
        written = out.numpy()
        _by_nodes(offsets, lambda a, b: edge_loops.less_of_each(*arrays, a, b, written))
        return out

    def segment_sum(
        self, values: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, " segments"]:
        out = values.new_empty(len(offsets) - 1)
        given, written = (offsets.numpy(), _array(values)), out.numpy()
        _by_nodes(offsets, lambda a, b: edge_loops.segment_sum(*given, a, b, written))
        return out

    def argmax(
        self, scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Int[Tensor, " segments"]:
        out = torch.empty(len(offsets) - 1, dtype=torch.int64)
        given, written = (offsets.numpy(), _array(scores)), out.numpy()
        _by_nodes(offsets, lambda a, b: edge_loops.argmax(*given, a, b, written))
        return out

    def unroll(
        self,
        read: Float[Tensor, "rows latent"],
        course: Course,
        cell: Cell,
        form: Form,
        *,
        training: bool,
    ) -> Unrolled:
        if course.sizes[0] > MOST_NODES_IN_ONE_CALL:
            return super().unroll(read, course, cell, form, training=training)
        one_step = course.sizes[0] // course.replicas, read.shape[1]
        kept = read.shape if training else one_step
        parts = read.shape if training and form.reduce != "max" else one_step
        none = read.new_empty(0, read.shape[1])
        choices = read.shape if training and form.reduce == "max" else none.shape
        read = read.detach().contiguous()
        as_read = cell.memory is None and not form.encoder_relu
        found = Unrolled(
            encoded=read if as_read else torch.empty_like(read),
            latent=torch.empty_like(read),
            received=read.new_empty(kept),
            before=none if cell.memory is None else torch.empty_like(read),
            chosen=torch.empty(choices, dtype=torch.int32),
            receivers=read.new_empty(parts),
            senders=read.new_empty(parts),
        )
        message_loops.unroll(
            *_layout(course),
            _array(read),
            *_turned(cell),
            *_form(form),
            training,
            *(_array(part) for part in found if part is not None),
        )
        return found._replace(before=None) if cell.memory is None else found

    def unroll_backward(
        self,
        to_encoded: Float[Tensor, "rows latent"] | None,
        to_latent: Float[Tensor, "rows latent"],
        unrolled: Unrolled,
        course: Course,
        cell: Cell,
        form: Form,
    ) -> Back:
        if course.sizes[0] > MOST_NODES_IN_ONE_CALL:
            return super().unroll_backward(to_encoded, to_latent, unrolled, course, cell, form)
        memory, receiver, _, sender, edge, own, received, _ = _cell(cell)
        rows = [torch.empty_like(to_latent) for _ in range(4)]
        to_edge = torch.zeros(cell.edge.shape, dtype=torch.float64)
        message_loops.unroll_backward(
            *_layout(course),
            _array(to_latent[:0] if to_encoded is None else to_encoded),
            *(
                _array(part)
                for part in (to_latent, *unrolled[:3], *unrolled[4:])
                if part is not None
            ),
            *(memory, receiver, sender, edge, own, received),
            *_form(form),
            *(part.numpy() for part in rows),
            to_edge.numpy(),
        )
        return Back._make((*rows, to_edge))

    def roll(
        self,
        inputs: Float[Tensor, "rows fed"],
        course: Course,
        cell: Cell,
        form: Form,
        feedback: Feedback,
    ) -> Float[Tensor, "rows fed"]:
        rolled = inputs.clone()
        *parameters, columns, bits = feedback
        message_loops.roll(
            *_layout(course),
            *_turned(cell),
            *_form(form),
            *map(_array, (parameters[0].mT, *parameters[1:])),
            np.array(columns),
            np.array(bits),
            rolled.numpy(),
        )
        return rolled


def _layout(course: Course) -> tuple[Any, ...]:
    return np.array(course.sizes), course.replicas, *_arrays(course.moments[0])


def _cell(cell: Cell) -> tuple[Array, ...]:
    """Matrices as [outputs, inputs]."""
    memory = cell.own[:0] if cell.memory is None else cell.memory
    return tuple(_array(part) for part in cell._replace(memory=memory) if part is not None)


def _turned(cell: Cell) -> tuple[Array, ...]:
    """Matrices as [inputs, outputs]."""
    turned = (part.mT if part is not None and part.ndim == 3 else part for part in cell)
    return _cell(Cell._make(turned))


def _form(form: Form) -> tuple[Any, ...]:
    return REDUCES[form.reduce], form.encoder_relu, form.message_relu, form.update_relu


def _array(values: Tensor) -> Array:
    if values.requires_grad:  # asked first: most do not, and each call of torch costs
        values = values.detach()
    if not values.is_contiguous():
        values = values.contiguous()
    array: Array = values.numpy()
    return array


def _arrays(edges: Edges) -> tuple[Array, Array, Array]:
    return edges.offsets.numpy(), edges.senders.numpy(), edges.weights.numpy()


def _share(edges: Edges, parameter: Tensor) -> int:
    """Nodes of each replica."""
    return max(edges.num_nodes // len(parameter), 1)


def _by_nodes(offsets: Tensor, run: Callable[[int, int], None]) -> None:
    """Call `run` for ranges of nodes that cover all, equal in edges."""
    num_nodes, num_edges = len(offsets) - 1, int(offsets[-1])
    parts = min(torch.get_num_threads(), num_edges // SMALLEST_SHARE)
    if parts <= 1:
        run(0, num_nodes)
        return
    shares = np.linspace(0, num_edges, parts + 1)[1:-1]
    cuts = [0, *np.searchsorted(offsets.numpy(), shares).tolist(), num_nodes]
    list(_threads(parts).map(run, cuts[:-1], cuts[1:]))


def _num_parts(edges: Edges, values: Tensor) -> int:
    """Into how many equal parts features are cut, one for each thread."""
    size = values.shape[1]
    parts = min(torch.get_num_threads(), edges.num_edges // SMALLEST_SHARE, size // 16)
    return max(part for part in range(1, max(parts, 1) + 1) if not size % part)


def _cut(several: Iterable[Tensor], parts: int) -> list[Array]:
    """As [rows, parts, features of each]."""
    return [_array(rows).reshape(len(rows), parts, rows.shape[1] // parts) for rows in several]


def _in_parts(parts: int, run: Callable[[int], None]) -> None:
    if parts == 1:
        run(0)
    else:
        list(_threads(parts).map(run, range(parts)))


@cache
def _threads(number: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(number)


if hasattr(os, "register_at_fork"):  # a child has none of its parent's threads
    os.register_at_fork(after_in_child=_threads.cache_clear)
