"""The one graph of the whole program: immutable NumPy arrays, edges sorted by receiver."""

from __future__ import annotations

import hashlib
import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from neuralexec.errors import InputError, InputWarning
from neuralexec.graphs.build import is_symmetric, sort_by_receiver
from neuralexec.graphs.memory import refuse_if_too_large
from neuralexec.graphs.names import Names, make_names

MOST_NODES = 2**31 - 1
LARGEST = np.finfo(np.float64).max
"""No path may be longer: its length would read as infinity."""
BYTES_PER_NODE, BYTES_PER_ARC = 16, 12
"""What a graph needs while it is built; half of the bytes of a node are free again after that."""


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """The edges into node i are `offsets[i]:offsets[i + 1]` of `senders` and `weights`.

    An undirected graph holds every edge both ways: those are its arcs. Make one with `from_edges`.

    >>> graph = Graph.from_edges(3, [0, 1], [1, 2], [0.5, 0.25], names=["a", "b", "c"])
    >>> graph
    Graph(3 nodes, 2 edges, undirected)
    >>> graph.senders.tolist(), graph.receivers.tolist()
    ([1, 0, 2, 1], [0, 1, 1, 2])
    """

    num_nodes: int
    offsets: NDArray[np.int64]
    senders: NDArray[np.int32]
    weights: NDArray[np.float64]
    directed: bool
    names: Names
    coordinates: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        for array in (self.offsets, self.senders, self.weights, self.coordinates):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def from_edges(
        cls,
        num_nodes: int,
        senders: ArrayLike,
        receivers: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        directed: bool = False,
        names: Iterable[object] | None = None,
        coordinates: ArrayLike | None = None,
    ) -> Graph:
        """Check, sort and, unless `directed`, mirror a list of edges, each given once.

        Edges without weights weigh 1. Duplicates: the lightest stays, with a warning.
        """
        num_nodes = check_size(num_nodes)
        sending, receiving = _as_nodes(senders, num_nodes), _as_nodes(receivers, num_nodes)
        num_edges = len(sending)
        if len(receiving) != num_edges:
            raise InputError(
                f"{num_edges} senders need {num_edges} receivers; got {len(receiving)}"
            )
        mirror = not directed
        refuse_if_too_large(
            BYTES_PER_NODE * num_nodes + BYTES_PER_ARC * num_edges * (1 + mirror),
            f"a graph of {num_nodes:,} nodes and {num_edges:,} edges",
        )
        rows, num_dropped = sort_by_receiver(
            num_nodes, sending, receiving, _as_weights(weights, num_edges), mirror=mirror
        )
        if num_dropped:
            edges = counted(num_dropped, "duplicate edge")
            warnings.warn(f"{edges}: the lightest of each is kept", InputWarning, stacklevel=2)
        return cls(
            num_nodes,
            *rows,
            directed=directed,
            names=make_names(names, num_nodes),
            coordinates=_as_coordinates(coordinates, num_nodes),
        )

    @classmethod
    def from_arcs(
        cls,
        num_nodes: int,
        senders: ArrayLike,
        receivers: ArrayLike,
        weights: ArrayLike | None = None,
        *,
        directed: bool | None = None,
        names: Iterable[object] | None = None,
        coordinates: ArrayLike | None = None,
    ) -> Graph:
        """From arcs as a matrix holds them: an undirected graph has both of every edge.

        With `directed=None` they decide: undirected if each arc has its reverse with the same
        weight. `False` makes them so, the lighter of two that differ.
        """
        graph = cls.from_edges(
            num_nodes,
            senders,
            receivers,
            weights,
            directed=True,
            names=names,
            coordinates=coordinates,
        )
        if directed:
            return graph
        if is_symmetric(graph.offsets, graph.senders, graph.weights):
            return replace(graph, directed=False)
        return graph if directed is None else graph.as_undirected()

    def as_undirected(self) -> Graph:
        """Every edge both ways; an edge and its reverse become one, the lighter, with a warning."""
        return Graph.from_edges(
            self.num_nodes, *self.edges(), names=self.names, coordinates=self.coordinates
        )

    @cached_property
    def receivers(self) -> NDArray[np.int32]:
        """The receiving end of every arc; follows from `offsets`, so it is made when asked for."""
        nodes = np.arange(self.num_nodes, dtype=np.int32)
        receivers = np.repeat(nodes, np.diff(self.offsets))
        receivers.setflags(write=False)
        return receivers

    @property
    def num_arcs(self) -> int:
        """Edges as a network sees them: an undirected edge counts both ways."""
        return len(self.senders)

    @property
    def num_self_edges(self) -> int:
        return int(np.count_nonzero(self.senders == self.receivers))

    @property
    def num_edges(self) -> int:
        """Edges as a person counts them: an undirected edge counts once."""
        return self.num_arcs if self.directed else (self.num_arcs + self.num_self_edges) // 2

    def edges(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
        """Senders, receivers and weights of every edge once, as `from_edges` takes them."""
        if self.directed:
            return self.senders, self.receivers, self.weights
        once = self.senders <= self.receivers
        return self.senders[once], self.receivers[once], self.weights[once]

    def node(self, name: object) -> int:
        """The index of the node with this name."""
        try:
            return self.names.index(str(name))
        except ValueError:
            first = ", ".join(self.names[:3])
            more = ", ..." if self.num_nodes > 3 else ""
            raise InputError(
                f"no node is named {str(name)!r}; the graph has {self.num_nodes:,} nodes, "
                f"named {first}{more}"
            ) from None

    def checksum(self) -> str:
        """SHA-256 of nodes, edges and weights (not of names), the same on every machine."""
        digest = hashlib.sha256(f"graph {self.num_nodes} {self.directed}".encode())
        digest.update(self.offsets.astype("<i8").tobytes())
        digest.update(self.senders.astype("<i4").tobytes())
        digest.update(self.weights.astype("<f8").tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self.directed == other.directed
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.senders, other.senders)
            and np.array_equal(self.weights, other.weights)
            and self.names == other.names
            and _same_coordinates(self.coordinates, other.coordinates)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        size = f"{counted(self.num_nodes, 'node')}, {counted(self.num_edges, 'edge')}"
        return f"Graph({size}, {kind})"


def counted(number: int, noun: str) -> str:
    """1 node, 2 nodes."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def check_size(num_nodes: int) -> int:
    """The number of nodes, if there can be a graph of so many."""
    try:
        num_nodes = index(num_nodes)
    except TypeError:
        raise InputError(f"a number of nodes is whole; got {num_nodes!r}") from None
    if num_nodes < 1:
        raise InputError(f"a graph needs at least one node; got {num_nodes}")
    if num_nodes > MOST_NODES:
        raise InputError(f"at most {MOST_NODES:,} nodes can be indexed; got {num_nodes:,}")
    return num_nodes


def _as_nodes(nodes: ArrayLike, num_nodes: int) -> NDArray[np.int32]:
    array = np.asarray(nodes)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise InputError("senders and receivers must be one list of whole numbers each")
    if array.size and (array.min() < 0 or array.max() >= num_nodes):
        wrong = array[(array < 0) | (array >= num_nodes)][0]
        raise InputError(f"node {wrong} is out of range: nodes are 0 to {num_nodes - 1}")
    return np.ascontiguousarray(array, dtype=np.int32)


def _as_weights(weights: ArrayLike | None, num_edges: int) -> NDArray[np.float64]:
    if weights is None:
        return np.ones(num_edges)
    array: NDArray[Any] = np.asarray(weights)
    if array.shape != (num_edges,):
        raise InputError(f"{num_edges} edges need {num_edges} weights; got {array.size}")
    if array.dtype.kind not in "buif":
        raise InputError(f"weights must be real numbers; got {array.dtype}")
    array = np.ascontiguousarray(array, dtype=np.float64)
    heaviest = array.max(initial=0)
    if num_edges and not (array.min() >= 0 and heaviest < np.inf):
        wrong = array[~((array >= 0) & (array < np.inf))][0]
        raise InputError(f"weight {wrong:g} cannot be used: weights must be finite, 0 or more")
    if heaviest > LARGEST / max(num_edges, 1) and math.fsum(array / LARGEST) > 1:
        raise InputError("the weights add up to more than a number can hold; scale them down")
    return array


def _as_coordinates(coordinates: ArrayLike | None, num_nodes: int) -> NDArray[np.float64] | None:
    if coordinates is None:
        return None
    array = np.array(coordinates, dtype=np.float64)
    if array.shape != (num_nodes, 2) or not np.isfinite(array).all():
        raise InputError(f"coordinates must be {num_nodes} finite x, y pairs; got {array.shape}")
    return array


def _same_coordinates(ours: NDArray[np.float64] | None, theirs: NDArray[np.float64] | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return np.array_equal(ours, theirs)
