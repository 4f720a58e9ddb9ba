"""SciPy sparse matrices: entry (i, j) is the weight of the edge from i to j."""

from typing import Any

import numpy as np
from scipy import sparse

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
    return Graph.from_arcs(
        matrix.shape[0], entries.row, entries.col, entries.data, directed=directed
    )
