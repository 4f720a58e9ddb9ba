"""Scores, weighted sums and softmax along edges by compiled loops; see `message_loops`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.compiled import compiled

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]


@compiled
def score(
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    receivers: Floats,
    senders: Floats,
    edge: Floats,
    out: Floats,
    linear_receivers: Floats,
    linear_senders: Floats,
    linear_edge: Floats,
    share: int,
    first: int,
    stop: int,
    scores: Floats,
) -> None:
    size = edge.shape[1]
    linear = len(linear_receivers) > 0
    zero = edge.dtype.type(0)
    terms = np.zeros(max(size, 1), scores.dtype)
    for i in range(first, stop):
        r = i // share
        for e in range(offsets[i], offsets[i + 1]):
            j, w = arcs[e], weights[e]
            for k in range(size):
                hidden = (receivers[i, k] + senders[j, k]) + w * edge[r, k]
                hidden = zero if hidden <= 0 else hidden
                terms[k] = hidden * out[r, k]
            left = size
            while left > 1:
                half = (left + 1) // 2
                for k in range(left - half):
                    terms[k] += terms[half + k]
                left = half
            found = terms[0]
            if linear:
                found += (linear_receivers[i] + linear_senders[j]) + w * linear_edge[r]
            scores[e] = found


@compiled
def score_backward(
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    grad: Floats,
    receivers: Floats,
    senders: Floats,
    edge: Floats,
    out: Floats,
    share: int,
    part: int,
    to_receivers: Floats,
    to_senders: Floats,
    to_edge: NDArray[np.float64],
    to_out: NDArray[np.float64],
) -> None:
    size = edge.shape[2]
    zero = edge.dtype.type(0)
    hidden = np.empty(size, edge.dtype)
    along = np.empty(size, edge.dtype)
    of_edge = np.empty(size, edge.dtype)
    of_out = np.empty(size, edge.dtype)
    for i in range(len(receivers)):
        r = i // share
        for k in range(size):
            of_edge[k] = 0
            of_out[k] = 0
        for e in range(offsets[i], offsets[i + 1]):
            j, w, given = arcs[e], weights[e], grad[e]
            if given == 0:
                continue
            for k in range(size):
                hidden[k] = (receivers[i, part, k] + senders[j, part, k]) + w * edge[r, part, k]
            for k in range(size):
                passed = given * out[r, part, k]
                along[k] = zero if hidden[k] <= 0 else passed
            for k in range(size):
                hidden[k] = zero if hidden[k] <= 0 else hidden[k]
            for k in range(size):
                to_receivers[i, part, k] += along[k]
            for k in range(size):
                to_senders[j, part, k] += along[k]
            for k in range(size):
                of_edge[k] += along[k] * w
            for k in range(size):
                of_out[k] += given * hidden[k]
        for k in range(size):
            to_edge[r, part, k] += np.float64(of_edge[k])
            to_out[r, part, k] += np.float64(of_out[k])


@compiled
def linear_backward(
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    grad: Floats,
    share: int,
    to_receivers: Floats,
    to_senders: Floats,
    to_edge: NDArray[np.float64],
) -> None:
    for i in range(len(to_receivers)):
        r = i // share
        of_edge = grad.dtype.type(0)
        for e in range(offsets[i], offsets[i + 1]):
            to_receivers[i] += grad[e]
            to_senders[arcs[e]] += grad[e]
            of_edge += grad[e] * weights[e]
        to_edge[r] += np.float64(of_edge)


@compiled
def weighted_sum(
    offsets: Ints,
    arcs: Ints,
    coefficients: Floats,
    values: Floats,
    first: int,
    stop: int,
    out: Floats,
) -> None:
    size = values.shape[1]
    for i in range(first, stop):
        for k in range(size):
            out[i, k] = 0
        for e in range(offsets[i], offsets[i + 1]):
            j, coefficient = arcs[e], coefficients[e]
            for k in range(size):
                out[i, k] += coefficient * values[j, k]


@compiled
def to_coefficients(
    offsets: Ints,
    arcs: Ints,
    grad: Floats,
    values: Floats,
    first: int,
    stop: int,
    out: Floats,
) -> None:
    size = values.shape[1]
    terms = np.zeros(max(size, 1), out.dtype)
    for i in range(first, stop):
        for e in range(offsets[i], offsets[i + 1]):
            j = arcs[e]
            for k in range(size):
                terms[k] = grad[i, k] * values[j, k]
            left = size
            while left > 1:
                half = (left + 1) // 2
                for k in range(left - half):
                    terms[k] += terms[half + k]
                left = half
            out[e] = terms[0]


@compiled
def to_values(
    offsets: Ints,
    arcs: Ints,
    coefficients: Floats,
    grad: Floats,
    part: int,
    out: Floats,
) -> None:
    size = grad.shape[2]
    for i in range(len(grad)):
        for e in range(offsets[i], offsets[i + 1]):
            j, coefficient = arcs[e], coefficients[e]
            for k in range(size):
                out[j, part, k] += coefficient * grad[i, part, k]


@compiled
def less_the_highest(offsets: Ints, scores: Floats, first: int, stop: int, out: Floats) -> None:
    for i in range(first, stop):
        start, end = offsets[i], offsets[i + 1]
        highest = -np.inf
        for e in range(start, end):
            highest = max(highest, scores[e]) if scores[e] == scores[e] else highest
        if highest == -np.inf:  # nothing is possible there
            highest = 0.0
        for e in range(start, end):
            out[e] = scores[e] - highest


@compiled
def segment_sum(offsets: Ints, values: Floats, first: int, stop: int, out: Floats) -> None:
    for i in range(first, stop):
        out[i] = 0
        for e in range(offsets[i], offsets[i + 1]):
            out[i] += values[e]


@compiled
def less_of_each(
    offsets: Ints, of_each: Floats, factors: Floats, first: int, stop: int, values: Floats
) -> None:
    """values -= factors x what their segment has; without factors, just that."""
    scaled = len(factors) > 0
    for i in range(first, stop):
        for e in range(offsets[i], offsets[i + 1]):
            values[e] -= factors[e] * of_each[i] if scaled else of_each[i]


@compiled
def argmax(offsets: Ints, scores: Floats, first: int, stop: int, out: Ints) -> None:
    for i in range(first, stop):
        start, end = offsets[i], offsets[i + 1]
        best = start if start < end else -1
        highest = -np.inf
        for e in range(start, end):
            if scores[e] > highest:
                best, highest = e, scores[e]
        out[i] = best
