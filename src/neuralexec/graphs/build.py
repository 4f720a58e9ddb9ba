"""From a list of edges in any order to edges sorted by receiver, then sender, each once.

The arrays of a graph are the only ones this makes (beside row counts), so that building a graph
costs what it holds and its edge list, and nothing more.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from neuralexec.compiled import compiled

Rows = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]


def offsets_of(sizes: ArrayLike) -> NDArray[np.int64]:
    """Where each of several runs begins, and where the last one ends.

    >>> offsets_of([2, 1, 3]).tolist()
    [0, 2, 3, 6]
    """
    return np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)))


def sort_by_receiver(
    num_nodes: int,
    senders: NDArray[np.int32],
    receivers: NDArray[np.int32],
    weights: NDArray[np.float64],
    *,
    mirror: bool,
) -> tuple[Rows, int]:
    """Row offsets, senders and weights; and how many edges were dropped as duplicates.

    With `mirror` every edge is also entered the other way (a self-edge is not doubled). Of edges
    with the same ends the lightest stays.
    """
    offsets = _count_rows(num_nodes, senders, receivers, mirror)
    placed = np.empty(int(offsets[-1]), dtype=np.int32)
    placed_weights = np.empty(len(placed), dtype=np.float64)
    _place(offsets, senders, receivers, weights, mirror, placed, placed_weights)
    num_kept, num_dropped = _sort_rows(offsets, placed, placed_weights, mirror)
    # Given back in place: a copy would hold the edges twice for the sake of a few duplicates.
    placed.resize(num_kept, refcheck=False)
    placed_weights.resize(num_kept, refcheck=False)
    return (offsets, placed, placed_weights), num_dropped


@compiled
def is_symmetric(
    offsets: NDArray[np.int64], senders: NDArray[np.int32], weights: NDArray[np.float64]
) -> bool:
    """Does every edge have its reverse with the same weight?"""
    for receiver in range(len(offsets) - 1):
        for edge in range(offsets[receiver], offsets[receiver + 1]):
            sender = senders[edge]
            first, stop = offsets[sender], offsets[sender + 1]
            back = first + np.searchsorted(senders[first:stop], receiver)
            if back == stop or senders[back] != receiver or weights[back] != weights[edge]:
                return False
    return True


@compiled
def _count_rows(
    num_nodes: int, senders: NDArray[np.int32], receivers: NDArray[np.int32], mirror: bool
) -> NDArray[np.int64]:
    offsets = np.zeros(num_nodes + 1, dtype=np.int64)
    for edge in range(len(senders)):
        offsets[receivers[edge] + 1] += 1
        if mirror and senders[edge] != receivers[edge]:
            offsets[senders[edge] + 1] += 1
    for node in range(num_nodes):
        offsets[node + 1] += offsets[node]
    return offsets


@compiled
def _place(
    offsets: NDArray[np.int64],
    senders: NDArray[np.int32],
    receivers: NDArray[np.int32],
    weights: NDArray[np.float64],
    mirror: bool,
    placed: NDArray[np.int32],
    placed_weights: NDArray[np.float64],
) -> None:
    next_free = offsets.copy()
    for edge in range(len(senders)):
        sender, receiver = senders[edge], receivers[edge]
        place = next_free[receiver]
        next_free[receiver] += 1
        placed[place] = sender
        placed_weights[place] = weights[edge]
        if mirror and sender != receiver:
            place = next_free[sender]
            next_free[sender] += 1
            placed[place] = receiver
            placed_weights[place] = weights[edge]


@compiled
def _sort_rows(
    offsets: NDArray[np.int64],
    placed: NDArray[np.int32],
    placed_weights: NDArray[np.float64],
    mirror: bool,
) -> tuple[int, int]:
    """Sort each row by sender, keep the lightest of equal senders, close the gaps, in place."""
    write = 0
    num_dropped = 0
    start = offsets[0]
    for receiver in range(len(offsets) - 1):
        stop = offsets[receiver + 1]
        gap = 1  # Shell sort: insertion sort on short rows, and no slower than n^1.5 on hubs
        while 3 * gap < stop - start:
            gap = 3 * gap + 1
        while gap > 0:
            for unsorted in range(start + gap, stop):
                sender, weight = placed[unsorted], placed_weights[unsorted]
                hole = unsorted
                while hole >= start + gap and placed[hole - gap] > sender:
                    placed[hole] = placed[hole - gap]
                    placed_weights[hole] = placed_weights[hole - gap]
                    hole -= gap
                placed[hole], placed_weights[hole] = sender, weight
            gap //= 3
        first = write
        for edge in range(start, stop):
            sender, weight = placed[edge], placed_weights[edge]
            if write > first and placed[write - 1] == sender:
                placed_weights[write - 1] = min(placed_weights[write - 1], weight)
                # A mirrored duplicate is met at both of its ends; count it at one.
                if not mirror or sender <= receiver:
                    num_dropped += 1
            else:
                placed[write], placed_weights[write] = sender, weight
                write += 1
        start = stop
        offsets[receiver + 1] = write
    return write, num_dropped
