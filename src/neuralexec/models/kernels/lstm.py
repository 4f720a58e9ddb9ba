"""Lists of edges through an LSTM as one differentiable operation.

Token by token, torch spends its time on calls: each multiplies a few rows of 32 numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from neuralexec.batches import Edges
from neuralexec.models.kernels import lstm_loops
from neuralexec.models.kernels.choice import kernels_for
from neuralexec.models.kernels.reference import ReferenceKernels
from neuralexec.models.shapes import Float, Tensor


class ListReader(NamedTuple):
    """The parameters of an LSTM over tokens (z_i, z_j, w_ji), as torch has them."""

    of_token: Float[Tensor, "replicas gates token"]
    recurrent: Float[Tensor, "replicas gates latent"]
    token_bias: Float[Tensor, "replicas gates"]
    recurrent_bias: Float[Tensor, "replicas gates"]


class Kept(NamedTuple):
    """What the way back needs of each token; without one, nothing."""

    gates: Float[Tensor, "edges_or_none gates"]
    tanh_cells: Float[Tensor, "edges_or_none latent"]
    cells_before: Float[Tensor, "edges_or_none latent"]
    hidden_before: Float[Tensor, "edges_or_none latent"]


def can_read_lists(values: Tensor) -> bool:
    """Are there loops for such numbers, and is there something to compile them?"""
    if values.device.type != "cpu" or values.dtype != torch.float32:
        return False
    return not isinstance(kernels_for("cpu"), ReferenceKernels)


def read_lists(
    encoded: Float[Tensor, "nodes latent"], edges: Edges, reader: ListReader
) -> Float[Tensor, "nodes latent"]:
    """What the LSTM says at the self-edge of each node, having read its graph's edges up to it."""
    if not torch.is_grad_enabled():
        return _read(encoded, edges, reader, training=False)[0]
    out: Tensor = _ReadLists.apply(edges, encoded, *reader)  # type: ignore[no-untyped-call]
    return out


class _ReadLists(Function):
    @staticmethod
    def forward(ctx: Any, edges: Edges, encoded: Tensor, *parameters: Tensor) -> Tensor:
        out, kept = _read(encoded, edges, ListReader(*parameters), training=True)
        ctx.edges = edges
        ctx.save_for_backward(encoded, *parameters[:2], *kept)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> Any:
        encoded, of_token, recurrent, *kept = ctx.saved_tensors
        to_encoded = torch.empty(encoded.shape)
        to_token, to_recurrent = torch.empty(of_token.shape), torch.empty(recurrent.shape)
        to_bias = torch.empty(recurrent.shape[:2])
        lstm_loops.read_lists_backward(
            *_lists(ctx.edges),
            *map(_array, (*grads, encoded, of_token, recurrent, *kept)),
            *map(_array, (to_encoded, to_token, to_recurrent, to_bias)),
        )
        return None, to_encoded, to_token, to_recurrent, to_bias, to_bias


def _read(
    encoded: Tensor, edges: Edges, reader: ListReader, *, training: bool
) -> tuple[Tensor, Kept]:
    out = torch.empty(encoded.shape)
    rows, latent = edges.num_edges if training else 0, encoded.shape[1]
    kept = Kept(torch.empty(rows, 4 * latent), *(torch.empty(rows, latent) for _ in range(3)))
    complete = lstm_loops.read_lists(
        *_lists(edges),
        *map(_array, (encoded, *reader)),
        training,
        *map(_array, (out, *kept)),
    )
    if not complete:
        raise ValueError("every node needs exactly one self-edge; collate adds them")
    return out, kept


def _lists(edges: Edges) -> tuple[Any, ...]:
    parts = edges.node_offsets, edges.offsets, edges.senders, edges.weights
    return tuple(part.numpy() for part in parts)


def _array(values: Tensor) -> Any:
    return values.detach().contiguous().numpy()
