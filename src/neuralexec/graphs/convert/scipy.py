"""SciPy sparse matrices: entry (i, j) is the weight of the edge from i to j."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from neuralexec.errors import InputError
from neuralexec.graphs.graph import Graph


def to_scipy(graph: Graph) -> "sparse.csr_array[np.float64, tuple[int, int]]":
    """The matrix of arcs, an explicit entry for each, zero weights too."""
    shape = (graph.num_nodes, graph.num_nodes)
    by_receiver = sparse.csr_array((graph.weights, graph.senders, graph.offsets), shape=shape)
    return by_receiver if not graph.directed else by_receiver.T.tocsr()


def from_scipy(matrix: Any, *, directed: bool | None = None) -> Graph:
    """A square sparse matrix; symmetric ones are undirected unless `directed` says otherwise."""
    if not sparse.issparse(matrix) or matrix.ndim != 2:
        raise InputError(f"expected a SciPy sparse matrix; got {type(matrix).__name__}")
    if matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"an adjacency matrix is square; got {matrix.shape}")
    entries = matrix.tocoo()
    return from_arcs(matrix.shape[0], entries.row, entries.col, entries.data, directed=directed)


def from_arcs(
    num_nodes: int,
    senders: NDArray[Any],
    receivers: NDArray[Any],
    weights: NDArray[Any],
    *,
    directed: bool | None,
    names: Any = None,
    coordinates: Any = None,
) -> Graph:
    """Arcs as a matrix holds them: an undirected graph has both of every edge.

    `directed=None` lets the arcs decide; `False` takes the lighter where the two differ.
    """
    if np.iscomplexobj(weights):
        raise InputError("weights must be real; got complex numbers")
    arcs = Graph.from_edges(
        num_nodes,
        senders,
        receivers,
        weights,
        directed=True if directed else None,
        names=names,
        coordinates=coordinates,
    )
    if directed is not False or not arcs.directed:
        return arcs
    return Graph.from_edges(
        num_nodes,
        arcs.senders,
        arcs.receivers,
        arcs.weights,
        directed=False,
        names=names,
        coordinates=coordinates,
    )


def distances_from(graph: Graph, sources: NDArray[np.int64]) -> NDArray[np.float64]:
    """The shortest path length from the nearest of the sources, by SciPy's Dijkstra."""
    distances: NDArray[np.float64] = csgraph.dijkstra(
        to_scipy(graph), indices=sources, min_only=True
    )
    return distances
