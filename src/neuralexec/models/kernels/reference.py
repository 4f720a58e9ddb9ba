"""The kernels in plain torch, one array per formula: what the others are compared with."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from neuralexec.batches import Edges
from neuralexec.models.kernels.interface import Feedback, Scoring
from neuralexec.models.kernels.stepwise import Stepwise, by_the_same_library
from neuralexec.models.linear import per_row
from neuralexec.models.shapes import Float, Int, Tensor


class ReferenceKernels(Stepwise):
    product = staticmethod(by_the_same_library)

    def outputs(
        self,
        encoded: Float[Tensor, "nodes latent"],
        latent: Float[Tensor, "nodes latent"],
        feedback: Feedback,
    ) -> Float[Tensor, "nodes outputs"]:
        num_outputs = feedback.encoded.shape[1]
        found = [
            _by_halves(
                per_row(feedback.encoded[:, output], len(encoded)) * encoded
                + per_row(feedback.latent[:, output], len(encoded)) * latent
            )
            for output in range(num_outputs)
        ]
        return torch.stack(found, dim=1) + per_row(feedback.bias, len(encoded))

    def largest(
        self,
        receivers: Float[Tensor, "nodes latent"] | None,
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        keep_chosen: bool,
    ) -> tuple[Float[Tensor, "nodes latent"], Int[Tensor, "nodes latent"] | None]:
        messages = senders[edges.senders] + edges.weights[:, None] * _at_edges(edge, edges)
        nothing = (edges.offsets.diff() == 0)[:, None]
        largest = torch.segment_reduce(messages, "max", offsets=edges.offsets, axis=0)
        out = largest if receivers is None else receivers + largest
        out = out.masked_fill(nothing, 0)
        if not keep_chosen:
            return out, None
        largest = largest[edges.receivers]
        attains = (messages == largest) | (messages.isnan() & largest.isnan())
        numbers = torch.arange(edges.num_edges, device=edges.device)[:, None].expand_as(messages)
        chosen = torch.full_like(senders, edges.num_edges, dtype=torch.int64)
        places = edges.receivers.long()[:, None].expand_as(messages)
        chosen = chosen.scatter_reduce(
            0, places, numbers.masked_fill(~attains, edges.num_edges), "amin"
        )
        return out, chosen.masked_fill(nothing, -1).to(torch.int32)

    def largest_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        chosen: Int[Tensor, "nodes latent"],
        edges: Edges,
        replicas: int,
    ) -> tuple[Float[Tensor, "nodes latent"], Float[Tensor, "replicas latent"]]:
        if not edges.num_edges:
            return torch.zeros_like(grad), grad.new_zeros(replicas, grad.shape[1]).double()
        grad = grad.masked_fill(chosen < 0, 0)
        edge = chosen.clamp(min=0).long()
        to_senders = torch.zeros_like(grad).scatter_add(0, edges.senders[edge].long(), grad)
        terms = grad.double() * edges.weights[edge].double()
        return to_senders, terms.unflatten(0, (replicas, -1)).sum(1)

    def total(
        self,
        receivers: Float[Tensor, "nodes latent"],
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        relu: bool,
    ) -> Float[Tensor, "nodes latent"]:
        messages = _messages(receivers, senders, edge, edges)
        messages = messages.relu() if relu else messages
        return _into_nodes(messages, edges)

    def total_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        receivers: Float[Tensor, "nodes latent"],
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        relu: bool,
    ) -> tuple[
        Float[Tensor, "nodes latent"],
        Float[Tensor, "nodes latent"],
        Float[Tensor, "replicas latent"],
    ]:
        along = grad[edges.receivers]
        if relu:
            messages = _messages(receivers, senders, edge, edges)
            along = along.masked_fill(messages <= 0, 0)
        return _to_parts(along, edges, len(edge))

    def score(self, scoring: Scoring, edges: Edges) -> Float[Tensor, " edges"]:
        hidden = _messages(scoring.receivers, scoring.senders, scoring.edge, edges).relu()
        scores = _by_halves(hidden * _at_edges(scoring.out, edges))
        if len(scoring.linear_receivers):
            of_edge = _at_edges(scoring.linear_edge[:, None], edges).squeeze(-1)
            scores = scores + (
                scoring.linear_receivers[edges.receivers]
                + scoring.linear_senders[edges.senders]
                + edges.weights * of_edge
            )
        return scores

    def score_backward(
        self, grad: Float[Tensor, " edges"], scoring: Scoring, edges: Edges
    ) -> Scoring:
        replicas = len(scoring.edge)
        hidden = _messages(scoring.receivers, scoring.senders, scoring.edge, edges).relu()
        along = (grad[:, None] * _at_edges(scoring.out, edges)).masked_fill(hidden <= 0, 0)
        parts = _to_parts(along, edges, replicas)
        out = _to_replicas(grad[:, None] * hidden, edges, replicas)
        linear: Iterable[Tensor] = scoring[4:]
        if len(scoring.linear_receivers):
            linear = [part.squeeze(-1) for part in _to_parts(grad[:, None], edges, replicas)]
        return Scoring(*(part.to(grad.dtype) for part in (*parts, out, *linear)))

    def weighted_sum(
        self,
        coefficients: Float[Tensor, " edges"],
        values: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, "nodes latent"]:
        return _into_nodes(coefficients[:, None] * values[edges.senders], edges)

    def weighted_sum_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        coefficients: Float[Tensor, " edges"],
        values: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> tuple[Float[Tensor, " edges"], Float[Tensor, "nodes latent"]]:
        along = grad[edges.receivers]
        to_values = torch.zeros_like(values)
        to_values.index_add_(0, edges.senders, coefficients[:, None] * along)
        return _by_halves(along * values[edges.senders]), to_values

    def log_softmax(
        self, scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, " items"]:
        best = self.argmax(scores, offsets)
        owners = _owners(offsets, len(scores))
        if not len(scores):
            return scores.clone()
        highest = scores[best.clamp(min=0)]
        highest = torch.where(highest > -torch.inf, highest, 0)  # nothing is possible there
        shifted = scores - highest[owners]
        total = self.segment_sum(shifted.exp(), offsets)
        return shifted - total.clamp(min=torch.finfo(total.dtype).tiny).log()[owners]

    def log_softmax_backward(
        self,
        grad: Float[Tensor, " items"],
        logs: Float[Tensor, " items"],
        offsets: Int[Tensor, " segments_and_one"],
    ) -> Float[Tensor, " items"]:
        total = self.segment_sum(grad, offsets)
        return grad - logs.exp() * total[_owners(offsets, len(grad))]

    def segment_sum(
        self, values: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, " segments"]:
        return values.new_zeros(len(offsets) - 1).index_add(
            0, _owners(offsets, len(values)), values
        )

    def argmax(
        self, scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Int[Tensor, " segments"]:
        scores = torch.where(scores.isnan(), -torch.inf, scores)
        highest = torch.segment_reduce(scores[:, None], "max", offsets=offsets, axis=0).squeeze(-1)
        owners, none = _owners(offsets, len(scores)), len(scores)
        numbers = torch.arange(none, device=scores.device)
        attains = torch.where(scores == highest[owners], numbers, none)
        first = torch.full_like(highest, none, dtype=torch.int64)
        first = first.scatter_reduce(0, owners, attains, "amin")
        return torch.where(first == none, -1, first)


def _at_edges(
    parameter: Float[Tensor, "replicas size"], edges: Edges
) -> Float[Tensor, "edges_or_one size"]:
    """Each edge's replica's row."""
    if len(parameter) == 1:
        return parameter
    return parameter[edges.receivers // (edges.num_nodes // len(parameter))]


def _messages(receivers: Tensor, senders: Tensor, edge: Tensor, edges: Edges) -> Tensor:
    along = receivers[edges.receivers] + senders[edges.senders]
    return along + edges.weights[:, None] * _at_edges(edge, edges)


def _into_nodes(messages: Tensor, edges: Edges) -> Tensor:
    into = messages.new_zeros(edges.num_nodes, messages.shape[1])
    return into.index_add_(0, edges.receivers, messages)


def _to_parts(along: Tensor, edges: Edges, replicas: int) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients along the edges, brought to what the receiver, the sender and the edge added."""
    to_senders = along.new_zeros(edges.num_nodes, along.shape[1])
    to_senders.index_add_(0, edges.senders, along)
    to_edge = _to_replicas(along * edges.weights[:, None], edges, replicas)
    return _into_nodes(along, edges), to_senders, to_edge


def _to_replicas(terms: Float[Tensor, "edges size"], edges: Edges, replicas: int) -> Tensor:
    """Summed at every node, then, in double precision, over the nodes of each replica."""
    shares: Tensor = _into_nodes(terms, edges).double().unflatten(0, (replicas, -1))
    return shares.sum(1)


def _by_halves(terms: Float[Tensor, "rows size"]) -> Float[Tensor, " rows"]:
    """The sum of each row: an order that any implementation can keep."""
    size = terms.shape[1]
    if not size:
        return terms.new_zeros(len(terms))
    while size > 1:
        half = (size + 1) // 2
        rest = terms[:, half:size]
        terms = torch.cat((terms[:, : size - half] + rest, terms[:, size - half : half]), dim=1)
        size = half
    return terms[:, 0]


def _owners(offsets: Int[Tensor, " segments_and_one"], num_items: int) -> Int[Tensor, " items"]:
    numbers = torch.arange(len(offsets) - 1, device=offsets.device)
    return numbers.repeat_interleave(offsets.diff(), output_size=num_items)
