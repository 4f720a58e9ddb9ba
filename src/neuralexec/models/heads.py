"""What a task adds to the processor: encoder f, a decoder g per signal, termination T.

All are linear, as in the paper, but for the scorer of edges; everything follows from the signals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import torch
from torch import nn

from neuralexec.algorithms import Kind, Task
from neuralexec.batches import Edges, Signals
from neuralexec.errors import InputError
from neuralexec.models.architecture import Readout, Scorer
from neuralexec.models.kernels import Feedback, Scoring, score_edges, segment_max, segment_sum
from neuralexec.models.linear import Linear, matrices, num_replicas, per_replica, per_row, project
from neuralexec.models.scope import Scope
from neuralexec.models.shapes import Float, Tensor
from neuralexec.models.translation import answering


class Encoder(nn.Module):
    """z_i = f(x_i, h_i), Equation 1; without recurrence, f(x_i)."""

    def __init__(self, num_fed: int, latent: int, *, recurrent: bool, relu: bool) -> None:
        super().__init__()
        self.recurrent = recurrent
        self.relu = relu
        self.linear = Linear((num_fed, latent) if recurrent else (num_fed,), latent)

    def read(self, features: Float[Tensor, "nodes fed"]) -> Float[Tensor, "nodes latent"]:
        """The part that does not wait for the latent of the step before."""
        return project(features, self.linear.parts()[0], self.linear.bias)

    def forward(
        self,
        read: Float[Tensor, "nodes latent"],
        latent: Float[Tensor, "nodes latent"] | None,
    ) -> Float[Tensor, "nodes latent"]:
        if self.recurrent and latent is not None:
            read = read + project(latent, self.linear.parts()[1])
        return read.relu() if self.relu else read


class Number(NamedTuple):
    """A number at every node, linear in its encoded (or not) and its latent features."""

    encoded: Float[Tensor, "*replicas one latent"] | None
    latent: Float[Tensor, "*replicas one latent"]
    bias: Float[Tensor, "*replicas one"] | None = None


class NodeReadout(nn.Module):
    """A number per node from (z_i, h_i), Equation 3."""

    def __init__(
        self, latent: int, scorer: Scorer, *, sharp: bool = False, sees_encoded: bool = False
    ) -> None:
        super().__init__()
        self.linear = Linear((latent, latent), 1, sharp=sharp)

    def numbers(self) -> list[Number]:
        of_encoded, of_latent = self.linear.parts()
        return [Number(of_encoded, of_latent, self.linear.bias)]

    def forward(
        self,
        numbers: Sequence[Float[Tensor, " nodes"]],
        latent: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, " nodes"]:
        return numbers[0]


class EdgeScorer(nn.Module):
    """A number per edge from (h_i, h_j, e_ij): linear, a network of two layers, or both added.

    Where latent features do not tell how large a distance is, the linear part also sees z_j: a
    number added to all distances adds the same to all edges into a node, and decides nothing.
    """

    def __init__(
        self, latent: int, scorer: Scorer, *, sharp: bool = False, sees_encoded: bool = False
    ) -> None:
        super().__init__()
        parts = (latent, latent, 1)
        self.encoded = Linear((latent,), 1, bias=False, sharp=sharp) if sees_encoded else None
        self.linear = Linear(parts, 1, bias=False, sharp=sharp) if scorer != "mlp" else None
        self.hidden = Linear(parts, latent) if scorer != "linear" else None
        self.out = Linear((latent,), 1, bias=False, sharp=sharp) if scorer != "linear" else None

    def numbers(self) -> list[Number]:
        """Of the linear part, what a receiver and what a sender adds."""
        if self.linear is None:
            return []
        of_receiver, of_sender, _ = self.linear.parts()
        of_encoded = None if self.encoded is None else self.encoded.parts()[0]
        return [Number(None, of_receiver), Number(of_encoded, of_sender)]

    def forward(
        self,
        numbers: Sequence[Float[Tensor, " nodes"]],
        latent: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, " edges"]:
        none = latent.new_empty(0)
        linear: tuple[Tensor, ...] = (none, none, none)
        if self.linear is not None:
            linear = (*numbers, self.linear.parts()[-1].flatten())
        return score_edges(Scoring._make((*self._hidden(latent), *linear)), edges)

    def _hidden(self, latent: Float[Tensor, "nodes latent"]) -> tuple[Tensor, ...]:
        if self.hidden is None or self.out is None:
            nodes, replicas = latent[:, :0], latent.new_empty(num_replicas(self.linear), 0)
            return nodes, nodes, replicas, replicas
        of_receiver, of_sender, of_edge = self.hidden.parts()
        return (
            project(latent, of_receiver, self.hidden.bias),
            project(latent, of_sender),
            per_replica(of_edge.squeeze(-1)),
            per_replica(self.out.parts()[0].squeeze(-2)),
        )


class Termination(nn.Module):
    """τ = σ(T(H, H̄)), Equation 4: a linear map at every node, then the mean, min or max of all."""

    def __init__(self, latent: int, readout: Readout, *, sharp: bool = False) -> None:
        super().__init__()
        self.readout = readout
        self.linear = Linear((latent, latent), 1, sharp=sharp)

    def numbers(self) -> list[Number]:
        """Of the node itself, and of the mean."""
        return [Number(None, part) for part in self.linear.parts()]

    def forward(
        self, numbers: Sequence[Float[Tensor, " nodes"]], edges: Edges
    ) -> Float[Tensor, " graphs"]:
        """The logit of having terminated."""
        of_node, of_mean = numbers
        if self.readout == "mean":
            own = segment_sum(of_node, edges.node_offsets) / edges.num_nodes_of_graph
        else:
            sign = 1 if self.readout == "max" else -1
            own = sign * segment_max(sign * of_node, edges.node_offsets)
        mean, bias = self._shared(of_mean, edges)
        return own + mean + bias

    def of_nodes(
        self, numbers: Sequence[Float[Tensor, " nodes"]], edges: Edges
    ) -> Float[Tensor, " nodes"]:
        """The same logit as every node alone sees it."""
        of_node, of_mean = numbers
        mean, bias = self._shared(of_mean, edges)
        return of_node + (mean + bias).index_select(0, edges.graph_of_node)

    def _shared(
        self, of_mean: Float[Tensor, " nodes"], edges: Edges
    ) -> tuple[Float[Tensor, " graphs"], Float[Tensor, " _"]]:
        """The mean and the bias, which are the same at all nodes of a graph."""
        mean = segment_sum(of_mean, edges.node_offsets) / edges.num_nodes_of_graph
        assert self.linear.bias is not None
        return mean, per_row(self.linear.bias, edges.num_graphs).squeeze(-1)


class Said(NamedTuple):
    """What the heads make of the nodes: a logit, value or score per node or edge for every signal,
    and, where they are asked for, the logits of having terminated and, at every node, of having
    settled."""

    scores: dict[str, Tensor]
    termination: Float[Tensor, " graphs"] | None
    settled: Float[Tensor, " nodes"] | None = None


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
        sharp: bool = False,
        relative: bool = False,
    ) -> None:
        super().__init__()
        self.task = task
        self.scope = scope
        moving = [name for name in scope.fed if task.signals[name].translates]
        self.moving = moving[0] if relative and moving else None
        self.encoder = Encoder(len(scope.fed), latent, recurrent=recurrent, relu=encoder_relu)
        self.decoders = nn.ModuleDict(
            {
                name: DECODERS[task.signals[name].kind](
                    latent,
                    scorer,
                    sharp=sharp and task.signals[name].kind is not Kind.SCALAR,
                    sees_encoded=self.moving is not None,
                )
                for name in scope.predicted
            }
        )
        self.termination = Termination(latent, readout, sharp=sharp)

    @property
    def along(self) -> Float[Tensor, "*replicas latent"] | None:
        """The direction in which the encoder writes what counts relatively, if anything does."""
        if self.moving is None:
            return None
        return self.encoder.linear.parts()[0][..., self.scope.fed.index(self.moving)]

    def _numbers_of(self, signal: str) -> list[Number]:
        """What its decoder asks for, blind to shifts of what counts relatively: but for that."""
        along, numbers = self.along, self._reader(signal).numbers()
        if along is None or self.task.signals[signal].kind is Kind.POINTER:
            return numbers
        answer = 1.0 if signal == self.moving else 0.0
        [(encoded, latent, bias)] = numbers
        assert encoded is not None
        return [Number(answering(encoded, along, answer), latent, bias)]

    def features(self, signals: Signals, edges: Edges) -> Float[Tensor, "nodes fed"]:
        """x_i: what is fed of the signals; one that is not there is fed as zeros."""
        given = {
            name: FEATURES[self.task.signals[name].kind](signals[name], edges)
            for name in self.scope.fed
            if name in signals
        }
        absent = torch.zeros_like(next(iter(given.values())))
        columns = [given.get(name, absent).to(edges.weights.dtype) for name in self.scope.fed]
        return torch.stack(columns, dim=-1)

    def feedback(self, signals: Collection[str]) -> Feedback:
        """How what is predicted of these signals becomes what is fed."""
        fed = [name for name in self.scope.fed if name in self.decoders and name in signals]
        numbers = [self._numbers_of(name)[0] for name in fed]
        encoded = [one.encoded.squeeze(-2) for one in numbers if one.encoded is not None]
        biases = [one.bias for one in numbers if one.bias is not None]
        assert self.encoder.linear.bias is not None
        return Feedback(
            read=matrices(self.encoder.linear.parts()[0]),
            read_bias=per_replica(self.encoder.linear.bias),
            encoded=torch.stack(list(map(per_replica, encoded)), dim=1),
            latent=torch.stack([per_replica(one.latent.squeeze(-2)) for one in numbers], dim=1),
            bias=torch.cat(list(map(per_replica, biases)), dim=1),
            columns=tuple(self.scope.fed.index(name) for name in fed),
            bits=tuple(self.task.signals[name].kind is Kind.MASK for name in fed),
        )

    def _reader(self, signal: str) -> NodeReadout | EdgeScorer:
        reader = self.decoders[signal]
        assert isinstance(reader, NodeReadout | EdgeScorer)
        return reader

    def forward(
        self,
        encoded: Float[Tensor, "nodes latent"],
        latent: Float[Tensor, "nodes latent"],
        edges: Edges,
        only: Collection[str] | None = None,
        *,
        at_nodes: bool = False,
    ) -> Said:
        """y_i and τ, and how each node sees τ; or the scores of some signals `only`."""
        readers = {
            name: self._reader(name) for name in self.decoders if only is None or name in only
        }
        wanted = [self._numbers_of(name) for name in readers]
        if only is None:
            wanted.append(self.termination.numbers())
        found = iter(_numbers([number for own in wanted for number in own], encoded, latent))
        numbers = [[next(found) for _ in own] for own in wanted]
        return Said(
            {
                name: one(own, latent, edges)
                for (name, one), own in zip(readers.items(), numbers, strict=False)
            },
            self.termination(numbers[-1], edges) if only is None else None,
            self.termination.of_nodes(numbers[-1], edges) if at_nodes else None,
        )


def _numbers(
    wanted: Sequence[Number],
    encoded: Float[Tensor, "nodes latent"],
    latent: Float[Tensor, "nodes latent"],
) -> list[Float[Tensor, " nodes"]]:
    """All in two products, since each alone would read every node again."""
    if not wanted:
        return []
    biases = [
        number.latent.new_zeros(number.latent.shape[:-1]) if number.bias is None else number.bias
        for number in wanted
    ]
    matrix = torch.cat([number.latent for number in wanted], dim=-2)
    found = list(project(latent, matrix, torch.cat(biases, dim=-1)).unbind(1))
    places = [place for place, number in enumerate(wanted) if number.encoded is not None]
    parts = [number.encoded for number in wanted if number.encoded is not None]
    if parts:
        of_encoded = project(encoded, torch.cat(parts, dim=-2)).unbind(1)
        for place, values in zip(places, of_encoded, strict=True):
            found[place] = found[place] + values
    return found


def _no_feature(values: Tensor, edges: Edges) -> Tensor:
    raise InputError("a network cannot be fed a POINTER; feed back a MASK, SCALAR or CHOICE")


FEATURES: dict[Kind, Callable[[Tensor, Edges], Tensor]] = {
    Kind.MASK: lambda values, edges: values,
    Kind.SCALAR: lambda values, edges: values,
    Kind.CHOICE: lambda values, edges: edges.mark(values),
    Kind.POINTER: _no_feature,
}

DECODERS: dict[Kind, Callable[..., nn.Module]] = {
    Kind.MASK: NodeReadout,
    Kind.SCALAR: NodeReadout,
    Kind.CHOICE: NodeReadout,
    Kind.POINTER: EdgeScorer,
}
