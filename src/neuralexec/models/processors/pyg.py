"""A layer of PyTorch Geometric as processor, by its name: `pyg:GATv2Conv`.

The edge weight is given to layers that take edge attributes or weights, and the layer's own
self-loops are switched off, since the graphs have theirs.
"""

import inspect
from typing import Any

import torch
from torch import nn

from neuralexec.batches import Edges
from neuralexec.errors import InputError
from neuralexec.models.processors.processor import Options, Processed, ProcessorType
from neuralexec.models.shapes import Float, Tensor


class PygLayer(nn.Module):
    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer
        self.takes = set(inspect.signature(layer.forward).parameters)

    def forward(
        self,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed:
        if gate is not None:
            raise InputError("a PyTorch Geometric layer cannot be gated; use another processor")
        features: dict[str, Any] = {}
        if "edge_attr" in self.takes:
            features["edge_attr"] = edges.weights[:, None]
        elif "edge_weight" in self.takes:
            features["edge_weight"] = edges.weights
        if "edge_index" not in self.takes:
            raise InputError(f"{type(self.layer).__name__} does not take edges")
        pairs = torch.stack((edges.senders, edges.receivers)).long()
        return Processed(self.layer(encoded, edge_index=pairs, **features).relu())


def pyg_processor(layer: str) -> ProcessorType:
    try:
        from torch_geometric.nn import conv
    except ImportError:
        raise InputError(
            f"pyg:{layer} needs PyTorch Geometric: pip install 'neuralexec[pyg]'"
        ) from None
    found = getattr(conv, layer, None)
    if not (inspect.isclass(found) and issubclass(found, conv.MessagePassing)):
        names = ", ".join(name for name in conv.__all__ if name.endswith("Conv"))
        raise InputError(f"PyTorch Geometric has no layer {layer!r}; choose one of {names}")
    return ProcessorType(
        name=f"pyg:{layer}",
        summary=f"{layer} of PyTorch Geometric",
        build=lambda options: PygLayer(_built(found, options)),
        gates=False,
    )


def _built(layer: Any, options: Options) -> nn.Module:
    known = inspect.signature(layer.__init__).parameters
    wanted = {"edge_dim": 1, "add_self_loops": False}
    given = {name: value for name, value in wanted.items() if name in known}
    try:
        built: nn.Module = layer(options.latent, options.latent, **given)
        latent = PygLayer(built)(torch.zeros(2, options.latent), _two_nodes()).latent
        if latent.shape != (2, options.latent):
            raise ValueError(f"it makes {latent.shape[-1]} features of {options.latent}")
    except InputError:
        raise
    except Exception as error:  # whatever a layer that wants something else may raise
        reason = " ".join(str(error).split())
        raise InputError(
            f"pyg:{layer.__name__} cannot be built from a number of features, and run on nodes "
            f"and weighted edges, alone: {reason}"
        ) from None
    return built


def _two_nodes() -> Edges:
    return Edges(
        node_offsets=torch.tensor([0, 2]),
        senders=torch.tensor([0, 1, 0, 1], dtype=torch.int32),
        offsets=torch.tensor([0, 2, 4]),
        weights=torch.ones(4),
    )
