"""PyTorch Geometric data: `edge_index`, `edge_weight` (or one `edge_attr`), `pos`, `node_names`."""

from typing import Any

import numpy as np

from neuralexec.errors import InputError
from neuralexec.graphs.graph import Graph
from neuralexec.graphs.names import NumberNames


def from_pyg(data: Any, *, directed: bool | None = None) -> Graph:
    """A `Data` object; undirected if every arc has its reverse with the same weight.

    `directed` overrules that. Arcs without weights weigh 1.
    """
    _require_pyg()
    if getattr(data, "edge_index", None) is None or data.num_nodes is None:
        raise InputError("expected torch-geometric Data with edge_index and num_nodes")
    senders, receivers = data.edge_index.cpu().numpy()
    weights = getattr(data, "edge_weight", None)
    if weights is None:
        weights = getattr(data, "edge_attr", None)
    if weights is None:
        values = np.ones(len(senders))
    else:
        values = weights.detach().cpu().numpy()
        if values.ndim == 2 and values.shape[1] != 1:
            raise InputError(f"edges need one weight each; edge_attr has {values.shape[1]} columns")
        values = values.reshape(len(senders))
    position = getattr(data, "pos", None)
    return Graph.from_arcs(
        data.num_nodes,
        senders,
        receivers,
        values,
        directed=directed,
        names=getattr(data, "node_names", None),
        coordinates=None if position is None else position.detach().cpu().numpy(),
    )


def to_pyg(graph: Graph) -> Any:
    """A `Data` object with every arc: an undirected edge both ways."""
    _require_pyg()
    import torch
    from torch_geometric.data import Data

    arcs = np.stack((graph.senders, graph.receivers)).astype(np.int64)
    data = Data(
        edge_index=torch.from_numpy(arcs),
        edge_weight=torch.from_numpy(graph.weights.copy()),
        num_nodes=graph.num_nodes,
    )
    if graph.names != NumberNames(range(graph.num_nodes)):
        data.node_names = list(graph.names)
    if graph.coordinates is not None:
        data.pos = torch.from_numpy(graph.coordinates.copy())
    return data


def _require_pyg() -> None:
    try:
        import torch_geometric  # noqa: F401
    except ImportError:
        raise InputError(
            "torch-geometric is not installed; run: pip install 'neuralexec[pyg]'"
        ) from None
