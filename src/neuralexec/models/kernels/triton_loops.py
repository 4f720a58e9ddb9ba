"""The loops of the CUDA kernels, in Triton. A program covers a few nodes and all their features.

Edges are taken several at a time, so that enough rows of senders are under way at once to keep the
memory busy. What is added up per sender goes through atomic additions: there, and only there, the
order of a sum is open. Small graphs add up in double precision, where the order does not show.
"""

from typing import Any

import triton
import triton.language as tl

NODES: Any = 4  # of one program
AT_ONCE: Any = 4  # edges of each node


@triton.jit
def _add(sums, places, values, where):
    tl.atomic_add(sums + places, values.to(sums.dtype.element_ty), where, sem="relaxed")


@triton.jit
def _largest(
    offsets,
    arcs,
    weights,
    receivers,
    senders,
    edge,
    out,
    chosen,
    num_nodes,
    share,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    KEEP: tl.constexpr,
    ADDS: tl.constexpr,
    NODES: tl.constexpr,
    AT_ONCE: tl.constexpr,
):
    nodes = tl.program_id(0).to(tl.int64) * NODES + tl.arange(0, NODES)
    here = nodes < num_nodes
    features = tl.arange(0, WIDTH)
    inside = here[:, None] & (features < SIZE)[None, :]
    start = tl.load(offsets + nodes, here, 0)
    end = tl.load(offsets + nodes + 1, here, 0)
    replica = nodes // share
    own = tl.load(edge + replica[:, None] * SIZE + features[None, :], inside, 0.0)
    best = tl.full((NODES, WIDTH), -float("inf"), own.dtype)
    which = tl.full((NODES, WIDTH), -1, tl.int32)
    most = tl.max(end - start, 0)
    for first in range(0, most, AT_ONCE):
        for more in tl.static_range(AT_ONCE):
            e = start + first + more
            there = e < end
            j = tl.load(arcs + e, there, 0).to(tl.int64)
            w = tl.load(weights + e, there, 0.0)
            read = inside & there[:, None]
            message = tl.load(senders + j[:, None] * SIZE + features[None, :], read, 0.0)
            message = message + w[:, None] * own
            # The first message counts even if it is minus infinity, and stays if not a number.
            larger = (best == best) & ~(message <= best)
            better = read & (larger | ((first + more) == 0))
            best = tl.where(better, message, best)
            if KEEP:
                which = tl.where(better, e[:, None].to(tl.int32), which)
    at = nodes[:, None] * SIZE + features[None, :]
    if ADDS:
        best = tl.load(receivers + at, inside, 0.0) + best
    tl.store(out + at, tl.where((end > start)[:, None], best, 0.0), inside)
    if KEEP:
        tl.store(chosen + at, which, inside)


@triton.jit
def _largest_backward(
    arcs,
    weights,
    grad,
    chosen,
    to_senders,
    of_edge,
    num_values,
    SIZE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < num_values
    e = tl.load(chosen + at, inside, -1)
    real = inside & (e >= 0)
    given = tl.load(grad + at, real, 0.0)
    j = tl.load(arcs + e, real, 0).to(tl.int64)
    w = tl.load(weights + e, real, 0.0)
    _add(to_senders, j * SIZE + at % SIZE, given, real)
    tl.store(of_edge + at, given * w, inside)


@triton.jit
def _total(
    offsets,
    arcs,
    weights,
    receivers,
    senders,
    edge,
    out,
    num_nodes,
    share,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    RELU: tl.constexpr,
    NODES: tl.constexpr,
    AT_ONCE: tl.constexpr,
):
    nodes = tl.program_id(0).to(tl.int64) * NODES + tl.arange(0, NODES)
    here = nodes < num_nodes
    features = tl.arange(0, WIDTH)
    inside = here[:, None] & (features < SIZE)[None, :]
    start = tl.load(offsets + nodes, here, 0)
    end = tl.load(offsets + nodes + 1, here, 0)
    replica = nodes // share
    own = tl.load(edge + replica[:, None] * SIZE + features[None, :], inside, 0.0)
    at = nodes[:, None] * SIZE + features[None, :]
    of_receiver = tl.load(receivers + at, inside, 0.0)
    total = tl.zeros((NODES, WIDTH), own.dtype)
    most = tl.max(end - start, 0)
    for first in range(0, most, AT_ONCE):
        for more in tl.static_range(AT_ONCE):
            e = start + first + more
            there = e < end
            j = tl.load(arcs + e, there, 0).to(tl.int64)
            w = tl.load(weights + e, there, 0.0)
            read = inside & there[:, None]
            message = tl.load(senders + j[:, None] * SIZE + features[None, :], read, 0.0)
            message = (of_receiver + message) + w[:, None] * own
            if RELU:
                message = tl.where(message <= 0, 0.0, message)
            total += tl.where(read, message, 0.0)
    tl.store(out + at, total, inside)


@triton.jit
def _total_backward(
    offsets,
    arcs,
    weights,
    grad,
    receivers,
    senders,
    edge,
    to_receivers,
    to_senders,
    of_edge,
    num_nodes,
    share,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    RELU: tl.constexpr,
    NODES: tl.constexpr,
):
    nodes = tl.program_id(0).to(tl.int64) * NODES + tl.arange(0, NODES)
    here = nodes < num_nodes
    features = tl.arange(0, WIDTH)
    inside = here[:, None] & (features < SIZE)[None, :]
    start = tl.load(offsets + nodes, here, 0)
    end = tl.load(offsets + nodes + 1, here, 0)
    replica = nodes // share
    own = tl.load(edge + replica[:, None] * SIZE + features[None, :], inside, 0.0)
    at = nodes[:, None] * SIZE + features[None, :]
    of_receiver = tl.load(receivers + at, inside, 0.0)
    given = tl.load(grad + at, inside, 0.0)
    total = tl.zeros((NODES, WIDTH), own.dtype)
    weighted = tl.zeros((NODES, WIDTH), own.dtype)
    for first in range(tl.max(end - start, 0)):
        e = start + first
        there = e < end
        j = tl.load(arcs + e, there, 0).to(tl.int64)
        w = tl.load(weights + e, there, 0.0)
        read = inside & there[:, None]
        from_sender = j[:, None] * SIZE + features[None, :]
        along = tl.where(read, given, 0.0)
        if RELU:
            message = tl.load(senders + from_sender, read, 0.0)
            message = (of_receiver + message) + w[:, None] * own
            along = tl.where(message <= 0, 0.0, along)
        total += along
        weighted += along * w[:, None]
        _add(to_senders, from_sender, along, read)
    tl.store(to_receivers + at, total, inside)
    tl.store(of_edge + at, weighted, inside)


@triton.jit
def _score(
    offsets,
    arcs,
    weights,
    receivers,
    senders,
    edge,
    out,
    linear_receivers,
    linear_senders,
    linear_edge,
    scores,
    num_nodes,
    share,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    LINEAR: tl.constexpr,
    NODES: tl.constexpr,
    AT_ONCE: tl.constexpr,
):
    nodes = tl.program_id(0).to(tl.int64) * NODES + tl.arange(0, NODES)
    here = nodes < num_nodes
    features = tl.arange(0, WIDTH)
    inside = here[:, None] & (features < SIZE)[None, :]
    start = tl.load(offsets + nodes, here, 0)
    end = tl.load(offsets + nodes + 1, here, 0)
    replica = nodes // share
    of_replica = replica[:, None] * SIZE + features[None, :]
    own = tl.load(edge + of_replica, inside, 0.0)
    factors = tl.load(out + of_replica, inside, 0.0)
    of_receiver = tl.load(receivers + nodes[:, None] * SIZE + features[None, :], inside, 0.0)
    if LINEAR:
        linear = tl.load(linear_receivers + nodes, here, 0.0)
        per_weight = tl.load(linear_edge + replica, here, 0.0)
    for first in range(0, tl.max(end - start, 0), AT_ONCE):
        for more in tl.static_range(AT_ONCE):
            e = start + first + more
            there = here & (e < end)
            j = tl.load(arcs + e, there, 0).to(tl.int64)
            w = tl.load(weights + e, there, 0.0)
            read = inside & there[:, None]
            hidden = tl.load(senders + j[:, None] * SIZE + features[None, :], read, 0.0)
            hidden = (of_receiver + hidden) + w[:, None] * own
            hidden = tl.where(hidden <= 0, 0.0, hidden)
            found = tl.sum(hidden * factors, 1)
            if LINEAR:
                of_sender = tl.load(linear_senders + j, there, 0.0)
                found += (linear + of_sender) + w * per_weight
            tl.store(scores + e, found, there)


@triton.jit
def _score_backward(
    offsets,
    arcs,
    weights,
    grad,
    receivers,
    senders,
    edge,
    out,
    to_receivers,
    to_senders,
    of_edge,
    of_out,
    to_linear_receivers,
    to_linear_senders,
    of_linear_edge,
    num_nodes,
    share,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    LINEAR: tl.constexpr,
    NODES: tl.constexpr,
):
    nodes = tl.program_id(0).to(tl.int64) * NODES + tl.arange(0, NODES)
    here = nodes < num_nodes
    features = tl.arange(0, WIDTH)
    inside = here[:, None] & (features < SIZE)[None, :]
    start = tl.load(offsets + nodes, here, 0)
    end = tl.load(offsets + nodes + 1, here, 0)
    replica = nodes // share
    of_replica = replica[:, None] * SIZE + features[None, :]
    own = tl.load(edge + of_replica, inside, 0.0)
    factors = tl.load(out + of_replica, inside, 0.0)
    at = nodes[:, None] * SIZE + features[None, :]
    of_receiver = tl.load(receivers + at, inside, 0.0)
    total = tl.zeros((NODES, WIDTH), grad.dtype.element_ty)
    weighted = tl.zeros((NODES, WIDTH), grad.dtype.element_ty)
    activated = tl.zeros((NODES, WIDTH), grad.dtype.element_ty)
    linear = tl.zeros((NODES,), grad.dtype.element_ty)
    linear_weighted = tl.zeros((NODES,), grad.dtype.element_ty)
    for first in range(tl.max(end - start, 0)):
        e = start + first
        there = here & (e < end)
        j = tl.load(arcs + e, there, 0).to(tl.int64)
        w = tl.load(weights + e, there, 0.0)
        given = tl.load(grad + e, there, 0.0)
        read = inside & there[:, None]
        from_sender = j[:, None] * SIZE + features[None, :]
        hidden = tl.load(senders + from_sender, read, 0.0)
        hidden = (of_receiver + hidden) + w[:, None] * own
        along = tl.where((hidden <= 0) | ~read, 0.0, given[:, None] * factors)
        hidden = tl.where((hidden <= 0) | ~read, 0.0, hidden)
        total += along
        weighted += along * w[:, None]
        activated += given[:, None] * hidden
        _add(to_senders, from_sender, along, read)
        if LINEAR:
            linear += given
            linear_weighted += given * w
            _add(to_linear_senders, j, given, there)
    tl.store(to_receivers + at, total, inside)
    tl.store(of_edge + at, weighted, inside)
    tl.store(of_out + at, activated, inside)
    if LINEAR:
        tl.store(to_linear_receivers + nodes, linear, here)
        tl.store(of_linear_edge + nodes, linear_weighted, here)


@triton.jit
def _weighted_sum(
    offsets,
    arcs,
    coefficients,
    values,
    out,
    num_nodes,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    NODES: tl.constexpr,
    AT_ONCE: tl.constexpr,
):
    nodes = tl.program_id(0).to(tl.int64) * NODES + tl.arange(0, NODES)
    here = nodes < num_nodes
    features = tl.arange(0, WIDTH)
    inside = here[:, None] & (features < SIZE)[None, :]
    start = tl.load(offsets + nodes, here, 0)
    end = tl.load(offsets + nodes + 1, here, 0)
    total = tl.zeros((NODES, WIDTH), values.dtype.element_ty)
    for first in range(0, tl.max(end - start, 0), AT_ONCE):
        for more in tl.static_range(AT_ONCE):
            e = start + first + more
            there = e < end
            j = tl.load(arcs + e, there, 0).to(tl.int64)
            coefficient = tl.load(coefficients + e, there, 0.0)
            read = inside & there[:, None]
            value = tl.load(values + j[:, None] * SIZE + features[None, :], read, 0.0)
            total += coefficient[:, None] * value
    tl.store(out + nodes[:, None] * SIZE + features[None, :], total, inside)


@triton.jit
def _weighted_sum_backward(
    offsets,
    arcs,
    grad,
    coefficients,
    values,
    to_coefficients,
    to_values,
    num_nodes,
    SIZE: tl.constexpr,
    WIDTH: tl.constexpr,
    NODES: tl.constexpr,
):
    nodes = tl.program_id(0).to(tl.int64) * NODES + tl.arange(0, NODES)
    here = nodes < num_nodes
    features = tl.arange(0, WIDTH)
    inside = here[:, None] & (features < SIZE)[None, :]
    start = tl.load(offsets + nodes, here, 0)
    end = tl.load(offsets + nodes + 1, here, 0)
    given = tl.load(grad + nodes[:, None] * SIZE + features[None, :], inside, 0.0)
    for first in range(tl.max(end - start, 0)):
        e = start + first
        there = here & (e < end)
        j = tl.load(arcs + e, there, 0).to(tl.int64)
        coefficient = tl.load(coefficients + e, there, 0.0)
        read = inside & there[:, None]
        at = j[:, None] * SIZE + features[None, :]
        value = tl.load(values + at, read, 0.0)
        tl.store(to_coefficients + e, tl.sum(given * value, 1), there)
        _add(to_values, at, coefficient[:, None] * given, read)


@triton.jit
def _log_softmax(offsets, scores, logs, num_segments, BLOCK: tl.constexpr):
    segments = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    here = segments < num_segments
    start = tl.load(offsets + segments, here, 0)
    end = tl.load(offsets + segments + 1, here, 0)
    most = tl.max(end - start, 0)
    highest = tl.full((BLOCK,), -float("inf"), scores.dtype.element_ty)
    for place in range(most):
        there = start + place < end
        score = tl.load(scores + start + place, there, -float("inf"))
        highest = tl.where(score > highest, score, highest)
    highest = tl.where(highest > -float("inf"), highest, 0.0)  # nothing is possible there
    total = tl.zeros((BLOCK,), scores.dtype.element_ty)
    for place in range(most):
        there = start + place < end
        score = tl.load(scores + start + place, there, -float("inf"))
        total += tl.where(there, tl.exp(score - highest), 0.0)
    log_total = tl.log(tl.where(total > 1e-38, total, 1e-38))
    log_total = tl.where(total != total, total, log_total)
    for place in range(most):
        there = start + place < end
        score = tl.load(scores + start + place, there, 0.0)
        tl.store(logs + start + place, score - highest - log_total, there)


@triton.jit
def _log_softmax_backward(offsets, grad, logs, out, num_segments, BLOCK: tl.constexpr):
    segments = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    here = segments < num_segments
    start = tl.load(offsets + segments, here, 0)
    end = tl.load(offsets + segments + 1, here, 0)
    most = tl.max(end - start, 0)
    total = tl.zeros((BLOCK,), grad.dtype.element_ty)
    for place in range(most):
        total += tl.load(grad + start + place, start + place < end, 0.0)
    for place in range(most):
        there = start + place < end
        given = tl.load(grad + start + place, there, 0.0)
        log = tl.load(logs + start + place, there, 0.0)
        tl.store(out + start + place, given - tl.exp(log) * total, there)


@triton.jit
def _segment_sum(offsets, values, out, num_segments, BLOCK: tl.constexpr):
    segments = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    here = segments < num_segments
    start = tl.load(offsets + segments, here, 0)
    end = tl.load(offsets + segments + 1, here, 0)
    total = tl.zeros((BLOCK,), values.dtype.element_ty)
    for place in range(tl.max(end - start, 0)):
        total += tl.load(values + start + place, start + place < end, 0.0)
    tl.store(out + segments, total, here)


@triton.jit
def _argmax(offsets, scores, out, num_segments, BLOCK: tl.constexpr):
    segments = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    here = segments < num_segments
    start = tl.load(offsets + segments, here, 0)
    end = tl.load(offsets + segments + 1, here, 0)
    highest = tl.full((BLOCK,), -float("inf"), scores.dtype.element_ty)
    best = tl.where(start < end, start, -1)
    for place in range(tl.max(end - start, 0)):
        score = tl.load(scores + start + place, start + place < end, -float("inf"))
        better = score > highest
        best = tl.where(better, start + place, best)
        highest = tl.where(better, score, highest)
    tl.store(out + segments, best, here)
