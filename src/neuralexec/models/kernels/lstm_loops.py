"""Lists of edges through an LSTM, by compiled loops over single-precision numbers.

i, f, o = σ(x), g = tanh(x) of x = receiver_i + sender_j + w_ji edge + R h
c <- f c + i g,  h <- o tanh(c)

Gates lie side by side as torch has them: i, f, g, o; matrices are [gates, inputs]. Only R h waits
for the token before: what receivers and senders add is one product for all nodes, by the BLAS that
SciPy brings. Every replica has as many graphs, and as many nodes.

A library's exponential goes number by number. Here it is made of steps that become vector
instructions: exp(x) - 1 = 2^n (exp(r) - 1) + (2^n - 1), where r = x - n ln 2 is small.
"""

from math import factorial, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.compiled import compiled

Floats = NDArray[np.float32]
Ints = NDArray[np.integer[Any]]

ONE, TWO = np.float32(1), np.float32(2)
LARGEST = np.float32(87)  # 2^n is still a number, and so is 2^-n
PER_LN_2 = np.float32(1 / log(2))
LN_2_ROUGHLY = np.float32(0.693359375)  # 10 bits: its products with n are exact
LN_2_REST = np.float32(log(2) - 0.693359375)
ROUNDING = np.float32(1.5 * 2**23)  # what is added to it loses its fraction
TAYLOR = tuple(np.float32(1 / factorial(power)) for power in range(2, 8))


@compiled
def read_lists(
    node_offsets: Ints,
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    encoded: Floats,
    of_token: Floats,
    recurrent: Floats,
    token_bias: Floats,
    recurrent_bias: Floats,
    training: bool,
    out: Floats,
    gates: Floats,
    tanh_cells: Floats,
    cells_before: Floats,
    hidden_before: Floats,
) -> bool:
    """What comes out at the self-edge of each node; whether each node has one.

    What the way back needs, a row for each edge, is kept in training.
    """
    size = out.shape[1]
    replicas = len(recurrent)
    share, nodes_of_each = (len(node_offsets) - 1) // replicas, len(encoded) // replicas
    projections = np.empty((size, 8 * size), np.float32)
    of_hidden = np.empty((size, 4 * size), np.float32)
    parts = np.empty((nodes_of_each, 8 * size), np.float32)
    edge, of_receiver = np.empty(4 * size, np.float32), np.empty(4 * size, np.float32)
    x, powers = np.empty(4 * size, np.float32), np.empty(4 * size, np.float32)
    cell, hidden = np.empty(size, np.float32), np.empty(size, np.float32)
    tanh_cell = np.empty(size, np.float32)
    complete = True
    for graph in range(len(node_offsets) - 1):
        r = graph // share
        first = r * nodes_of_each
        if graph == r * share:
            for gate in range(4 * size):
                edge[gate] = of_token[r, gate, 2 * size]
                for k in range(size):
                    projections[k, gate] = of_token[r, gate, k]
                    projections[k, 4 * size + gate] = of_token[r, gate, size + k]
                    of_hidden[k, gate] = recurrent[r, gate, k]
            np.dot(encoded[first : first + nodes_of_each], projections, parts)
        for k in range(size):
            cell[k] = 0
            hidden[k] = 0
        for i in range(node_offsets[graph], node_offsets[graph + 1]):
            for k in range(4 * size):
                bias = token_bias[r, k] + recurrent_bias[r, k]
                of_receiver[k] = parts[i - first, k] + bias
            self_edges = 0
            for e in range(offsets[i], offsets[i + 1]):
                j, w = arcs[e], weights[e]
                for k in range(4 * size):
                    x[k] = (of_receiver[k] + parts[j - first, 4 * size + k]) + w * edge[k]
                add_product(hidden, of_hidden, x)
                if training:
                    for k in range(size):
                        cells_before[e, k] = cell[k]
                    for k in range(size):
                        hidden_before[e, k] = hidden[k]
                activate(x, powers)
                for k in range(size):
                    cell[k] = x[size + k] * cell[k] + x[k] * x[2 * size + k]
                for k in range(size):
                    tanh_cell[k] = TWO * cell[k]
                exp_less_one(tanh_cell, powers)
                for k in range(size):
                    tanh_cell[k] = tanh_cell[k] / (tanh_cell[k] + TWO)
                for k in range(size):
                    hidden[k] = x[3 * size + k] * tanh_cell[k]
                if training:
                    for k in range(4 * size):
                        gates[e, k] = x[k]
                    for k in range(size):
                        tanh_cells[e, k] = tanh_cell[k]
                if i == j:
                    self_edges += 1
                    for k in range(size):
                        out[i, k] = hidden[k]
            complete = complete and self_edges == 1
    return complete


@compiled
def read_lists_backward(
    node_offsets: Ints,
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    grad: Floats,
    encoded: Floats,
    of_token: Floats,
    recurrent: Floats,
    gates: Floats,
    tanh_cells: Floats,
    cells_before: Floats,
    hidden_before: Floats,
    to_encoded: Floats,
    to_token: Floats,
    to_recurrent: Floats,
    to_bias: Floats,
) -> None:
    size = grad.shape[1]
    replicas = len(recurrent)
    share, nodes_of_each = (len(node_offsets) - 1) // replicas, len(encoded) // replicas
    to_gates = np.empty(gates.shape, np.float32)  # before their activation
    projections = np.empty((8 * size, size), np.float32)
    to_projections = np.empty((8 * size, size), np.float32)
    to_parts = np.empty((nodes_of_each, 8 * size), np.float32)
    for r in range(replicas):
        first, stop = r * nodes_of_each, (r + 1) * nodes_of_each
        to_parts[:] = 0
        to_edge = np.zeros(4 * size, np.float64)
        lists = node_offsets[r * share : (r + 1) * share + 1]
        lists_backward(
            lists,
            offsets,
            arcs,
            weights,
            grad,
            recurrent[r],
            gates,
            tanh_cells,
            cells_before,
            to_gates,
            to_parts,
            to_edge,
        )
        for gate in range(4 * size):
            for k in range(size):
                projections[gate, k] = of_token[r, gate, k]
                projections[4 * size + gate, k] = of_token[r, gate, size + k]
        np.dot(to_parts, projections, to_encoded[first:stop])
        np.dot(to_parts.T, encoded[first:stop], to_projections)
        for gate in range(4 * size):
            for k in range(size):
                to_token[r, gate, k] = to_projections[gate, k]
                to_token[r, gate, size + k] = to_projections[4 * size + gate, k]
            to_token[r, gate, 2 * size] = to_edge[gate]
        edges = slice(offsets[first], offsets[stop])
        np.dot(to_gates[edges].T, hidden_before[edges], to_recurrent[r])
        total = np.zeros(4 * size, np.float64)
        for i in range(nodes_of_each):
            for gate in range(4 * size):
                total[gate] += np.float64(to_parts[i, gate])
        for gate in range(4 * size):
            to_bias[r, gate] = total[gate]


@compiled
def lists_backward(
    lists: Ints,
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    grad: Floats,
    recurrent: Floats,
    gates: Floats,
    tanh_cells: Floats,
    cells_before: Floats,
    to_gates: Floats,
    to_parts: Floats,
    to_edge: NDArray[np.float64],
) -> None:
    """Of one replica's lists, which begin and end with these nodes."""
    size = grad.shape[1]
    first = lists[0]
    cell, hidden = np.empty(size, np.float32), np.empty(size, np.float32)
    back, of_edge = np.empty(4 * size, np.float32), np.empty(4 * size, np.float32)
    for graph in range(len(lists) - 1):
        for k in range(size):
            cell[k] = 0
            hidden[k] = 0
        for i in range(lists[graph + 1] - 1, lists[graph] - 1, -1):
            for k in range(4 * size):
                of_edge[k] = 0
            for e in range(offsets[i + 1] - 1, offsets[i] - 1, -1):
                j, w = arcs[e], weights[e]
                if i == j:
                    for k in range(size):
                        hidden[k] += grad[i, k]
                for k in range(size):
                    tanh, output = tanh_cells[e, k], gates[e, 3 * size + k]
                    cell[k] += hidden[k] * output * (ONE - tanh * tanh)
                    back[3 * size + k] = hidden[k] * tanh * output * (ONE - output)
                for k in range(size):
                    added, kept, new = gates[e, k], gates[e, size + k], gates[e, 2 * size + k]
                    back[k] = cell[k] * new * added * (ONE - added)
                    back[size + k] = cell[k] * cells_before[e, k] * kept * (ONE - kept)
                    back[2 * size + k] = cell[k] * added * (ONE - new * new)
                for k in range(size):
                    cell[k] *= gates[e, size + k]
                    hidden[k] = 0
                add_product(back, recurrent, hidden)
                for k in range(4 * size):
                    to_gates[e, k] = back[k]
                for k in range(4 * size):
                    to_parts[i - first, k] += back[k]
                for k in range(4 * size):
                    to_parts[j - first, 4 * size + k] += back[k]
                for k in range(4 * size):
                    of_edge[k] += back[k] * w
            for k in range(4 * size):
                to_edge[k] += np.float64(of_edge[k])


@compiled
def add_product(row: Floats, matrix: Floats, out: Floats) -> None:
    """out += row @ matrix, four rows of the matrix at a time: each is read once, `out` less."""
    whole = len(row) // 4 * 4
    for m in range(0, whole, 4):
        a, b, c, d = row[m], row[m + 1], row[m + 2], row[m + 3]
        for k in range(len(out)):
            out[k] += (a * matrix[m, k] + b * matrix[m + 1, k]) + (
                c * matrix[m + 2, k] + d * matrix[m + 3, k]
            )
    for m in range(whole, len(row)):
        for k in range(len(out)):
            out[k] += row[m] * matrix[m, k]


@compiled
def activate(x: Floats, powers: Floats) -> None:
    """σ(x) = 1 / (2 + (exp(-x) - 1)) and, of the third gate, tanh(x) = e / (e + 2) for
    e = exp(2x) - 1: as exact beside 0 as elsewhere."""
    size = len(x) // 4
    for k in range(2 * size):
        x[k] = -x[k]
    for k in range(2 * size, 3 * size):
        x[k] = TWO * x[k]
    for k in range(3 * size, 4 * size):
        x[k] = -x[k]
    exp_less_one(x, powers)
    for k in range(2 * size):
        x[k] = ONE / (TWO + x[k])
    for k in range(2 * size, 3 * size):
        x[k] = x[k] / (x[k] + TWO)
    for k in range(3 * size, 4 * size):
        x[k] = ONE / (TWO + x[k])


@compiled
def exp_less_one(x: Floats, powers: Floats) -> None:
    """x <- exp(x) - 1, what is not a number remaining so; `powers` is room for 2^n."""
    bits = powers.view(np.int32)
    for k in range(len(x)):
        at_most = LARGEST if x[k] > LARGEST else x[k]
        x[k] = -LARGEST if at_most < -LARGEST else at_most
    for k in range(len(x)):
        powers[k] = x[k] * PER_LN_2 + ROUNDING
    for k in range(len(x)):
        n = powers[k] - ROUNDING
        r = (x[k] - n * LN_2_ROUGHLY) - n * LN_2_REST
        tail = TAYLOR[4] + r * TAYLOR[5]
        tail = TAYLOR[2] + r * (TAYLOR[3] + r * tail)
        x[k] = r + r * r * (TAYLOR[0] + r * (TAYLOR[1] + r * tail))
    for k in range(len(x)):
        # The last bits are n: as the exponent of a number, it is 2^n.
        bits[k] = (bits[k] + 127) << 23
    for k in range(len(x)):
        x[k] = powers[k] * x[k] + (powers[k] - ONE)
