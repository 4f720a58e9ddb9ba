"""What a task adds to the processor: encoder f, a decoder g per signal, termination T.

All are linear, as in the paper, but for the scorer of edges; everything follows from the signals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import torch
from torch import nn

from neuralexec.algorithms import Kind, Task
from neuralexec.batches import Edges, Signals
from neuralexec.errors import InputError
from neuralexec.models.architecture import Readout, Scorer
from neuralexec.models.kernels import kernels_for
from neuralexec.models.linear import Linear, align, project
from neuralexec.models.scope import Scope
from neuralexec.models.shapes import Float, Tensor


class Encoder(nn.Module):
    """z_i = f(x_i, h_i), Equation 1; without recurrence, f(x_i)."""

    def __init__(self, num_fed: int, latent: int, *, recurrent: bool, relu: bool) -> None:
        super().__init__()
        self.recurrent = recurrent
        self.relu = relu
        self.linear = Linear((num_fed, latent) if recurrent else (num_fed,), latent)

    def read(self, features: Float[Tensor, "*lead fed"]) -> Float[Tensor, "*lead latent"]:
        """The part that does not wait for the latent of the step before."""
        return self.linear.biased(project(features, self.linear.parts()[0]))

    def forward(
        self,
        read: Float[Tensor, "*lead nodes latent"],
        latent: Float[Tensor, "*lead nodes latent"] | None,
    ) -> Float[Tensor, "*lead nodes latent"]:
        if self.recurrent and latent is not None:
            read = read + project(latent, self.linear.parts()[1])
        return read.relu() if self.relu else read


class NodeReadout(nn.Module):
    """A number per node from (z_i, h_i), Equation 3."""

    def __init__(self, latent: int, scorer: Scorer) -> None:
        super().__init__()
        self.linear = Linear((latent, latent), 1)

    def forward(
        self,
        encoded: Float[Tensor, "*lead nodes latent"],
        latent: Float[Tensor, "*lead nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, "*lead nodes"]:
        out: Tensor = self.linear(encoded, latent)
        return out.squeeze(-1)


class EdgeScorer(nn.Module):
    """A number per edge from (h_i, h_j, e_ij): linear, a network of two layers, or both added."""

    def __init__(self, latent: int, scorer: Scorer) -> None:
        super().__init__()
        parts = (latent, latent, 1)
        self.linear = Linear(parts, 1, bias=False) if scorer != "mlp" else None
        self.hidden = Linear(parts, latent) if scorer != "linear" else None
        self.out = Linear((latent,), 1, bias=False) if scorer != "linear" else None

    def forward(
        self,
        encoded: Float[Tensor, "*lead nodes latent"],
        latent: Float[Tensor, "*lead nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, "*lead edges"]:
        scores = latent.new_zeros(())
        if self.linear is not None:
            scores = scores + _per_edge(self.linear, latent, edges).squeeze(-1)
        if self.hidden is not None and self.out is not None:
            hidden = _per_edge(self.hidden, latent, edges).relu()
            scores = scores + self.out(hidden).squeeze(-1)
        return scores


def _per_edge(
    linear: Linear, latent: Float[Tensor, "*lead nodes latent"], edges: Edges
) -> Float[Tensor, "*lead edges size"]:
    """The linear map of (h_i, h_j, e_ij), projected per node and added per edge."""
    of_receiver, of_sender, of_edge = linear.parts()
    receivers = linear.biased(project(latent, of_receiver)).index_select(-2, edges.receivers)
    senders = project(latent, of_sender).index_select(-2, edges.senders)
    return receivers + senders + edges.weights[:, None] * align(of_edge.mT, latent, 2)


class Termination(nn.Module):
    """τ = σ(T(H, H̄)), Equation 4: a linear map at every node, then the mean, min or max of all."""

    def __init__(self, latent: int, readout: Readout) -> None:
        super().__init__()
        self.readout = readout
        self.linear = Linear((latent, latent), 1)

    def forward(
        self, latent: Float[Tensor, "*lead nodes latent"], edges: Edges
    ) -> Float[Tensor, "*lead graphs"]:
        """The logit of having terminated."""
        kernels = kernels_for(latent.device.type)
        sizes = edges.num_nodes_of_graph
        of_node, of_mean = (project(latent, part).squeeze(-1) for part in self.linear.parts())
        mean = kernels.segment_sum(of_mean, edges.node_offsets) / sizes
        if self.readout == "mean":
            own = kernels.segment_sum(of_node, edges.node_offsets) / sizes
        else:
            # The mean and the bias are the same at all nodes of a graph.
            sign = 1 if self.readout == "max" else -1
            own = sign * kernels.segment_max(sign * of_node, edges.node_offsets)
        return self.linear.biased((own + mean).unsqueeze(-1)).squeeze(-1)


class Heads(nn.Module):
    """Encoder, decoders and termination of one task."""

    def __init__(
        self,
        task: Task,
        scope: Scope,
        latent: int,
        *,
        recurrent: bool,
        encoder_relu: bool,
        scorer: Scorer,
        readout: Readout,
    ) -> None:
        super().__init__()
        self.task = task
        self.scope = scope
        self.encoder = Encoder(len(scope.fed), latent, recurrent=recurrent, relu=encoder_relu)
        self.decoders = nn.ModuleDict(
            {name: DECODERS[task.signals[name].kind](latent, scorer) for name in scope.predicted}
        )
        self.termination = Termination(latent, readout)

    def features(self, signals: Signals, edges: Edges) -> Float[Tensor, "*lead nodes fed"]:
        """x_i: what is fed of the signals; one that is not there is fed as zeros."""
        given = {
            name: FEATURES[self.task.signals[name].kind](signals[name], edges)
            for name in self.scope.fed
            if name in signals
        }
        absent = torch.zeros_like(next(iter(given.values())))
        columns = [given.get(name, absent).to(edges.weights.dtype) for name in self.scope.fed]
        return torch.stack(columns, dim=-1)

    def decode(
        self,
        encoded: Float[Tensor, "*lead nodes latent"],
        latent: Float[Tensor, "*lead nodes latent"],
        edges: Edges,
        only: Collection[str] | None = None,
    ) -> dict[str, Tensor]:
        """y_i: a logit, value or score per node or edge, for every predicted signal."""
        return {
            name: decoder(encoded, latent, edges)
            for name, decoder in self.decoders.items()
            if only is None or name in only
        }


def _no_feature(values: Tensor, edges: Edges) -> Tensor:
    raise InputError("a network cannot be fed a POINTER; feed back a MASK, SCALAR or CHOICE")


FEATURES: dict[Kind, Callable[[Tensor, Edges], Tensor]] = {
    Kind.MASK: lambda values, edges: values,
    Kind.SCALAR: lambda values, edges: values,
    Kind.CHOICE: lambda values, edges: edges.mark(values),
    Kind.POINTER: _no_feature,
}

DECODERS: dict[Kind, Callable[[int, Scorer], nn.Module]] = {
    Kind.MASK: NodeReadout,
    Kind.SCALAR: NodeReadout,
    Kind.CHOICE: NodeReadout,
    Kind.POINTER: EdgeScorer,
}
