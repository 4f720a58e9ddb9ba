"""Messages by compiled loops: of one step, or of many steps of a network in one call.

Inner loops run over features, which lie side by side, so that they become vector instructions.
What is written per receiver is split between threads by nodes; what is added up per sender by
features, rows being [parts, features of each]: no two threads write to one place, and every sum
keeps its order.

Rows of nodes are multiplied with matrices by the BLAS that SciPy brings, called from machine code.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from neuralexec.compiled import compiled

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

MAX, SUM, MEAN = 0, 1, 2


@compiled
def largest(
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    receivers: Floats,
    senders: Floats,
    shift: int,
    edge: Floats,
    share: int,
    first: int,
    stop: int,
    out: Floats,
    out_shift: int,
) -> None:
    """Node i is row i + shift of receivers and senders, and i + out_shift of what comes out."""
    size = edge.shape[1]
    for i in range(first, stop):
        row = i + out_shift
        start, end = offsets[i], offsets[i + 1]
        if start == end:
            for k in range(size):
                out[row, k] = 0
            continue
        r = i // share
        j, w = arcs[start] + shift, weights[start]
        for k in range(size):
            out[row, k] = senders[j, k] + w * edge[r, k]
        for e in range(start + 1, end):
            j, w = arcs[e] + shift, weights[e]
            for k in range(size):
                message = senders[j, k] + w * edge[r, k]
                better = out[row, k] == out[row, k] and not (message <= out[row, k])
                out[row, k] = message if better else out[row, k]
        if len(receivers) > 0:
            own = i + shift
            for k in range(size):
                out[row, k] = receivers[own, k] + out[row, k]


@compiled
def largest_and_chosen(
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    receivers: Floats,
    senders: Floats,
    shift: int,
    edge: Floats,
    share: int,
    first: int,
    stop: int,
    out: Floats,
    out_shift: int,
    chosen: Ints,
) -> None:
    """The same, and which edges the largest messages came along."""
    size = edge.shape[1]
    for i in range(first, stop):
        row = i + out_shift
        start, end = offsets[i], offsets[i + 1]
        if start == end:
            for k in range(size):
                out[row, k] = 0
                chosen[row, k] = -1
            continue
        r = i // share
        j, w = arcs[start] + shift, weights[start]
        for k in range(size):
            out[row, k] = senders[j, k] + w * edge[r, k]
            chosen[row, k] = start
        for e in range(start + 1, end):
            j, w = arcs[e] + shift, weights[e]
            for k in range(size):
                message = senders[j, k] + w * edge[r, k]
                better = out[row, k] == out[row, k] and not (message <= out[row, k])
                out[row, k] = message if better else out[row, k]
                chosen[row, k] = e if better else chosen[row, k]
        if len(receivers) > 0:
            own = i + shift
            for k in range(size):
                out[row, k] = receivers[own, k] + out[row, k]


@compiled
def largest_backward(
    arcs: Ints,
    weights: Floats,
    grad: Floats,
    chosen: Ints,
    share: int,
    part: int,
    to_senders: Floats,
    to_edge: NDArray[np.float64],
) -> None:
    size = grad.shape[2]
    for i in range(len(grad)):
        r = i // share
        for k in range(size):
            e = chosen[i, part, k]
            if e >= 0:
                to_senders[arcs[e], part, k] += grad[i, part, k]
                to_edge[r, part, k] += np.float64(grad[i, part, k]) * np.float64(weights[e])


@compiled
def total(
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    receivers: Floats,
    senders: Floats,
    shift: int,
    edge: Floats,
    share: int,
    relu: bool,
    first: int,
    stop: int,
    out: Floats,
    out_shift: int,
) -> None:
    size = edge.shape[1]
    zero = edge.dtype.type(0)
    for i in range(first, stop):
        r, own, row = i // share, i + shift, i + out_shift
        for k in range(size):
            out[row, k] = 0
        for e in range(offsets[i], offsets[i + 1]):
            j, w = arcs[e] + shift, weights[e]
            if relu:
                for k in range(size):
                    message = (receivers[own, k] + senders[j, k]) + w * edge[r, k]
                    out[row, k] += zero if message <= 0 else message
            else:
                for k in range(size):
                    out[row, k] += (receivers[own, k] + senders[j, k]) + w * edge[r, k]


@compiled
def total_backward(
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    grad: Floats,
    receivers: Floats,
    senders: Floats,
    edge: Floats,
    share: int,
    relu: bool,
    part: int,
    to_receivers: Floats,
    to_senders: Floats,
    to_edge: NDArray[np.float64],
) -> None:
    size = edge.shape[2]
    zero = edge.dtype.type(0)
    along = np.empty(size, edge.dtype)
    of_edge = np.empty(size, edge.dtype)
    for i in range(len(grad)):
        r = i // share
        for k in range(size):
            along[k] = grad[i, part, k]
            of_edge[k] = 0
        for e in range(offsets[i], offsets[i + 1]):
            j, w = arcs[e], weights[e]
            if relu:
                for k in range(size):
                    message = (receivers[i, part, k] + senders[j, part, k]) + w * edge[r, part, k]
                    along[k] = zero if message <= 0 else grad[i, part, k]
            for k in range(size):
                to_receivers[i, part, k] += along[k]
            for k in range(size):
                to_senders[j, part, k] += along[k]
            for k in range(size):
                of_edge[k] += along[k] * w
        for k in range(size):
            to_edge[r, part, k] += np.float64(of_edge[k])


@compiled
def multiply(rows: Floats, matrices: Floats, out: Floats) -> None:
    """out = rows @ matrices, each replica's [inputs, outputs] with its share of the rows."""
    share = len(rows) // len(matrices)
    for r in range(len(matrices)):
        np.dot(rows[r * share : (r + 1) * share], matrices[r], out[r * share : (r + 1) * share])


@compiled
def receive(
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    receivers: Floats,
    senders: Floats,
    shift: int,
    edge: Floats,
    reduce: int,
    relu: bool,
    keep_chosen: bool,
    share: int,
    replica: int,
    received: Floats,
    place: int,
    chosen: Ints,
) -> None:
    """What comes in at the nodes of a replica, from `place` on."""
    size = edge.shape[1]
    zero, one = edge.dtype.type(0), edge.dtype.type(1)
    first = replica * share
    stop, out_shift = first + share, place - first
    if reduce != MAX:
        total(
            offsets,
            arcs,
            weights,
            receivers,
            senders,
            shift,
            edge,
            share,
            relu,
            first,
            stop,
            received,
            out_shift,
        )
        if reduce == MEAN:
            for i in range(first, stop):
                fraction = one / edge.dtype.type(max(offsets[i + 1] - offsets[i], 1))
                for k in range(size):
                    received[i + out_shift, k] *= fraction
        return
    if keep_chosen:
        largest_and_chosen(
            offsets,
            arcs,
            weights,
            receivers,
            senders,
            shift,
            edge,
            share,
            first,
            stop,
            received,
            out_shift,
            chosen,
        )
    else:
        largest(
            offsets,
            arcs,
            weights,
            receivers,
            senders,
            shift,
            edge,
            share,
            first,
            stop,
            received,
            out_shift,
        )
    if relu:
        for row in range(place, place + share):
            for k in range(size):
                received[row, k] = zero if received[row, k] <= 0 else received[row, k]


@compiled
def unroll(
    sizes: Ints,
    replicas: int,
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    read: Floats,
    memory: Floats,
    receiver: Floats,
    receiver_bias: Floats,
    sender: Floats,
    edge: Floats,
    own: Floats,
    received_part: Floats,
    bias: Floats,
    reduce: int,
    encoder_relu: bool,
    message_relu: bool,
    update_relu: bool,
    training: bool,
    encoded: Floats,
    latent: Floats,
    received: Floats,
    before: Floats,
    chosen: Ints,
    receivers: Floats,
    senders: Floats,
) -> None:
    """Matrices are [inputs, outputs]. Rows are laid out as a course says; where the way back does
    not need what nodes receive and add to messages, there is room for one replica's step only."""
    size = edge.shape[1]
    zero = edge.dtype.type(0)
    remembers = len(memory) > 0
    keep_parts = training and reduce != MAX
    rows_of_each = len(read) // replicas
    product = np.empty((sizes[0] // replicas, size), edge.dtype)
    first, first_before = 0, 0
    for step in range(len(sizes)):
        share = sizes[step] // replicas
        for r in range(replicas):
            start = r * rows_of_each + first
            stop = start + share
            if remembers and step:
                last = r * rows_of_each + first_before
                before[start:stop] = latent[last : last + share]
                np.dot(before[start:stop], memory[r], encoded[start:stop])
                for row in range(start, stop):
                    for k in range(size):
                        encoded[row, k] = encoded[row, k] + read[row, k]
            elif remembers or encoder_relu:  # otherwise they are the same array
                for row in range(start, stop):
                    for k in range(size):
                        encoded[row, k] = read[row, k]
                if remembers:
                    before[start:stop] = 0
            if encoder_relu:
                for row in range(start, stop):
                    for k in range(size):
                        encoded[row, k] = zero if encoded[row, k] <= 0 else encoded[row, k]
            place = start if keep_parts else 0
            np.dot(encoded[start:stop], receiver[r], receivers[place : place + share])
            np.dot(encoded[start:stop], sender[r], senders[place : place + share])
            for row in range(place, place + share):
                for k in range(size):
                    receivers[row, k] = receivers[row, k] + receiver_bias[r, k]
            kept = start if training else 0
            receive(
                offsets,
                arcs,
                weights,
                receivers,
                senders,
                place - r * share,  # nodes count through all replicas
                edge,
                reduce,
                message_relu,
                training,
                share,
                r,
                received,
                kept,
                chosen,
            )
            np.dot(encoded[start:stop], own[r], latent[start:stop])
            np.dot(received[kept : kept + share], received_part[r], product[:share])
            for i in range(share):
                for k in range(size):
                    new = (latent[start + i, k] + bias[r, k]) + product[i, k]
                    latent[start + i, k] = zero if update_relu and new <= 0 else new
        first_before = first
        first += share


@compiled
def unroll_backward(
    sizes: Ints,
    replicas: int,
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    to_encoded: Floats,
    given: Floats,
    encoded: Floats,
    latent: Floats,
    received: Floats,
    chosen: Ints,
    receivers: Floats,
    senders: Floats,
    memory: Floats,
    receiver: Floats,
    sender: Floats,
    edge: Floats,
    own: Floats,
    received_part: Floats,
    reduce: int,
    encoder_relu: bool,
    message_relu: bool,
    update_relu: bool,
    to_read: Floats,
    to_latent: Floats,
    to_receivers: Floats,
    to_senders: Floats,
    to_edge: NDArray[np.float64],
) -> None:
    """Matrices are [outputs, inputs]: the way back is their transposition."""
    size = edge.shape[1]
    zero, one = edge.dtype.type(0), edge.dtype.type(1)
    remembers, has_encoded = len(memory) > 0, len(to_encoded) > 0
    rows_of_each = len(given) // replicas
    into = np.empty((sizes[0] // replicas, size), edge.dtype)
    product = np.empty((sizes[0] // replicas, size), edge.dtype)
    carried = np.empty((sizes[0], size), edge.dtype)
    along = np.empty(size, edge.dtype)
    of_edge = np.empty(size, edge.dtype)
    share_after = 0
    first = rows_of_each
    for step in range(len(sizes) - 1, -1, -1):
        share = sizes[step] // replicas
        first -= share
        for r in range(replicas):
            start = r * rows_of_each + first
            stop = start + share
            to_latent[start:stop] = given[start:stop]
            for i in range(share_after):
                for k in range(size):
                    to_latent[start + i, k] += carried[r * share + i, k]
            if update_relu:
                for row in range(start, stop):
                    for k in range(size):
                        to_latent[row, k] = zero if latent[row, k] <= 0 else to_latent[row, k]
            np.dot(to_latent[start:stop], received_part[r], into[:share])
            to_senders[start:stop] = 0
            to_receivers[start:stop] = 0
            shift = start - r * share
            for i in range(share):
                row, node = start + i, r * share + i
                begin, end = offsets[node], offsets[node + 1]
                if reduce == MAX:
                    if begin == end:
                        continue
                    if message_relu:
                        for k in range(size):
                            into[i, k] = zero if received[row, k] <= 0 else into[i, k]
                    for k in range(size):
                        to_receivers[row, k] = into[i, k]
                    for k in range(size):
                        e = chosen[row, k]
                        to_senders[shift + arcs[e], k] += into[i, k]
                        to_edge[r, k] += np.float64(into[i, k]) * np.float64(weights[e])
                    continue
                fraction = one / edge.dtype.type(max(end - begin, 1)) if reduce == MEAN else one
                for k in range(size):
                    into[i, k] *= fraction
                    along[k] = into[i, k]
                    of_edge[k] = 0
                for e in range(begin, end):
                    j, w = shift + arcs[e], weights[e]
                    if message_relu:
                        for k in range(size):
                            message = (receivers[row, k] + senders[j, k]) + w * edge[r, k]
                            along[k] = zero if message <= 0 else into[i, k]
                    for k in range(size):
                        to_receivers[row, k] += along[k]
                    for k in range(size):
                        to_senders[j, k] += along[k]
                    for k in range(size):
                        of_edge[k] += along[k] * w
                for k in range(size):
                    to_edge[r, k] += np.float64(of_edge[k])
            np.dot(to_latent[start:stop], own[r], to_read[start:stop])
            if has_encoded:
                for row in range(start, stop):
                    for k in range(size):
                        to_read[row, k] += to_encoded[row, k]
            np.dot(to_receivers[start:stop], receiver[r], product[:share])
            for i in range(share):
                for k in range(size):
                    to_read[start + i, k] += product[i, k]
            np.dot(to_senders[start:stop], sender[r], product[:share])
            for i in range(share):
                for k in range(size):
                    to_read[start + i, k] += product[i, k]
            if encoder_relu:
                for row in range(start, stop):
                    for k in range(size):
                        to_read[row, k] = zero if encoded[row, k] <= 0 else to_read[row, k]
            if remembers:
                place = r * (sizes[max(step - 1, 0)] // replicas)
                np.dot(to_read[start:stop], memory[r], carried[place : place + share])
        share_after = share if remembers else 0


@compiled
def roll(
    sizes: Ints,
    replicas: int,
    offsets: Ints,
    arcs: Ints,
    weights: Floats,
    memory: Floats,
    receiver: Floats,
    receiver_bias: Floats,
    sender: Floats,
    edge: Floats,
    own: Floats,
    received_part: Floats,
    bias: Floats,
    reduce: int,
    encoder_relu: bool,
    message_relu: bool,
    update_relu: bool,
    read: Floats,
    read_bias: Floats,
    of_encoded: Floats,
    of_latent: Floats,
    out_bias: Floats,
    columns: Ints,
    bits: NDArray[np.bool_],
    inputs: Floats,
) -> None:
    """Each step writes what the next one reads; `inputs` begins with what the first reads.

    Matrices are [inputs, outputs], but for those of the outputs."""
    size = edge.shape[1]
    zero = edge.dtype.type(0)
    remembers = len(memory) > 0
    rows_of_each = len(inputs) // replicas
    most = sizes[0] // replicas
    encoded = np.empty((most, size), edge.dtype)
    receivers = np.empty((most, size), edge.dtype)
    senders = np.empty((most, size), edge.dtype)
    received = np.empty((most, size), edge.dtype)
    product = np.empty((most, size), edge.dtype)
    latent = np.empty((sizes[0], size), edge.dtype)
    none = np.empty((0, size), np.int32)
    terms = np.empty(size, edge.dtype)
    first = 0
    for step in range(len(sizes) - 1):
        share, share_after = sizes[step] // replicas, sizes[step + 1] // replicas
        for r in range(replicas):
            start = r * rows_of_each + first
            np.dot(inputs[start : start + share], read[r], encoded[:share])
            for i in range(share):
                for k in range(size):
                    encoded[i, k] = encoded[i, k] + read_bias[r, k]
            mine = r * share
            if remembers and step:
                np.dot(latent[mine : mine + share], memory[r], product[:share])
                for i in range(share):
                    for k in range(size):
                        encoded[i, k] = product[i, k] + encoded[i, k]
            if encoder_relu:
                for i in range(share):
                    for k in range(size):
                        encoded[i, k] = zero if encoded[i, k] <= 0 else encoded[i, k]
            np.dot(encoded[:share], receiver[r], receivers[:share])
            np.dot(encoded[:share], sender[r], senders[:share])
            for i in range(share):
                for k in range(size):
                    receivers[i, k] = receivers[i, k] + receiver_bias[r, k]
            receive(
                offsets,
                arcs,
                weights,
                receivers,
                senders,
                -mine,
                edge,
                reduce,
                message_relu,
                False,
                share,
                r,
                received,
                0,
                none,
            )
            np.dot(encoded[:share], own[r], latent[mine : mine + share])
            np.dot(received[:share], received_part[r], product[:share])
            for i in range(share):
                for k in range(size):
                    new = (latent[mine + i, k] + bias[r, k]) + product[i, k]
                    latent[mine + i, k] = zero if update_relu and new <= 0 else new
            for i in range(share_after):
                row, after = start + i, start + share + i
                for column in range(inputs.shape[1]):
                    inputs[after, column] = inputs[row, column]
                for output in range(len(columns)):
                    for k in range(size):
                        terms[k] = (
                            of_encoded[r, output, k] * encoded[i, k]
                            + of_latent[r, output, k] * latent[mine + i, k]
                        )
                    left = size
                    while left > 1:
                        half = (left + 1) // 2
                        for k in range(left - half):
                            terms[k] += terms[half + k]
                        left = half
                    found = terms[0] + out_bias[r, output]
                    if bits[output]:
                        found = edge.dtype.type(1 if found > 0 else 0)
                    inputs[after, columns[output]] = found
        first += share
