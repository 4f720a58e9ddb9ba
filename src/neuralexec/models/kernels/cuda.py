"""The kernels on a GPU of NVIDIA: Triton, compiled for the device at the first call."""

from __future__ import annotations

from typing import Any

import torch
import triton

from neuralexec.batches import Edges
from neuralexec.models.kernels import triton_loops as loops
from neuralexec.models.kernels.interface import Scoring
from neuralexec.models.kernels.stepwise import Stepwise, by_matrix_library, onto_by_matrix_library
from neuralexec.models.shapes import Float, Int, Tensor

LONG = 4_096
"""Items from which on a segment is worth all of the device."""

MOST_IN_DOUBLE = 1 << 24
"""Numbers that are added up in double precision; beyond, memory counts more than the last bit."""


class CudaKernels(Stepwise):
    product = staticmethod(by_matrix_library)
    onto = staticmethod(onto_by_matrix_library)
    folds = True

    def largest(
        self,
        receivers: Float[Tensor, "nodes latent"] | None,
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        keep_chosen: bool,
    ) -> tuple[Float[Tensor, "nodes latent"], Int[Tensor, "nodes latent"] | None]:
        adds = receivers is not None
        added, senders, edge = _plain(senders if receivers is None else receivers, senders, edge)
        out = torch.empty_like(senders)
        chosen = torch.empty_like(out, dtype=torch.int32) if keep_chosen else None
        given = *_arrays(edges), added, senders, edge, out, out if chosen is None else chosen
        options = {**_sizes(edge), "KEEP": keep_chosen, "ADDS": adds, "AT_ONCE": loops.AT_ONCE}
        _over_nodes(loops._largest, edges, *given, edges.num_nodes, _share(edges, edge), **options)
        return out, chosen

    def largest_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        chosen: Int[Tensor, "nodes latent"],
        edges: Edges,
        replicas: int,
    ) -> tuple[Float[Tensor, "nodes latent"], Float[Tensor, "replicas latent"]]:
        [grad] = _plain(grad)
        to_senders, of_edge = _sums(grad), torch.empty_like(grad)
        if grad.numel():
            _, arcs, weights = _arrays(edges)
            loops._largest_backward[(triton.cdiv(grad.numel(), 1024),)](
                *(arcs, weights, grad, chosen, to_senders, of_edge),
                grad.numel(),
                SIZE=grad.shape[1],
                BLOCK=1024,
            )
        return to_senders.to(grad.dtype), _to_replicas(of_edge, replicas)

    def total(
        self,
        receivers: Float[Tensor, "nodes latent"],
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        relu: bool,
    ) -> Float[Tensor, "nodes latent"]:
        receivers, senders, edge = _plain(receivers, senders, edge)
        out = torch.empty_like(receivers)
        given = *_arrays(edges), receivers, senders, edge, out
        options = {**_sizes(edge), "RELU": relu, "AT_ONCE": loops.AT_ONCE}
        _over_nodes(loops._total, edges, *given, edges.num_nodes, _share(edges, edge), **options)
        return out

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
        parts = _plain(grad, receivers, senders, edge)
        outs = torch.empty_like(grad), _sums(grad), torch.empty_like(grad)
        _over_nodes(
            loops._total_backward,
            edges,
            *(*_arrays(edges), *parts, *outs),
            edges.num_nodes,
            _share(edges, edge),
            **_sizes(edge),
            RELU=relu,
        )
        to_receivers, to_senders, of_edge = outs
        to_edge = _to_replicas(of_edge, len(edge))
        return to_receivers, to_senders.to(grad.dtype), to_edge

    def score(self, scoring: Scoring, edges: Edges) -> Float[Tensor, " edges"]:
        parts = _plain(*scoring)
        scores = parts[0].new_empty(edges.num_edges)
        _over_nodes(
            loops._score,
            edges,
            *(*_arrays(edges), *_any(parts, scores), scores),
            edges.num_nodes,
            _share(edges, scoring.edge),
            **_sizes(scoring.edge),
            LINEAR=len(scoring.linear_receivers) > 0,
            AT_ONCE=loops.AT_ONCE,
        )
        return scores

    def score_backward(
        self, grad: Float[Tensor, " edges"], scoring: Scoring, edges: Edges
    ) -> Scoring:
        replicas, linear = len(scoring.edge), len(scoring.linear_receivers) > 0
        grad, *parts = _plain(grad, *scoring[:4])
        num_nodes = edges.num_nodes if linear else 0
        to_receivers, of_edge, of_out = (torch.empty_like(parts[0]) for _ in range(3))
        to_linear, of_linear = (parts[0].new_empty(num_nodes) for _ in range(2))
        to_senders, to_linear_senders = _sums(parts[0]), _sums(to_linear)
        outs = (to_receivers, to_senders, of_edge, of_out, to_linear, to_linear_senders, of_linear)
        _over_nodes(
            loops._score_backward,
            edges,
            *(*_arrays(edges), grad, *_any((*parts, *outs), grad)),
            edges.num_nodes,
            _share(edges, scoring.edge),
            **_sizes(scoring.edge),
            LINEAR=linear,
        )
        to_linear_edge = of_linear
        if linear:
            to_linear_edge = _to_replicas(of_linear[:, None], replicas).squeeze(-1)
        sums = Scoring(
            to_receivers,
            to_senders,
            _to_replicas(of_edge, replicas),
            _to_replicas(of_out, replicas),
            to_linear,
            to_linear_senders,
            to_linear_edge,
        )
        return Scoring(*(part.to(parts[0].dtype) for part in sums))

    def weighted_sum(
        self,
        coefficients: Float[Tensor, " edges"],
        values: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, "nodes latent"]:
        coefficients, values = _plain(coefficients, values)
        out = torch.empty_like(values)
        given = *_arrays(edges)[:2], coefficients, values, out, edges.num_nodes
        _over_nodes(loops._weighted_sum, edges, *given, **_sizes(values), AT_ONCE=loops.AT_ONCE)
        return out

    def weighted_sum_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        coefficients: Float[Tensor, " edges"],
        values: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> tuple[Float[Tensor, " edges"], Float[Tensor, "nodes latent"]]:
        parts = _plain(grad, coefficients, values)
        to_coefficients, to_values = torch.empty_like(coefficients), _sums(values)
        given = *_arrays(edges)[:2], *parts, to_coefficients, to_values, edges.num_nodes
        _over_nodes(loops._weighted_sum_backward, edges, *given, **_sizes(values))
        return to_coefficients, to_values.to(values.dtype)

    def log_softmax(
        self, scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, " items"]:
        [scores] = _plain(scores)
        if _few_and_long(scores, offsets):
            return torch.cat([part.log_softmax(0) for part in _parts(scores, offsets)])
        logs = torch.empty_like(scores)
        _over_segments(loops._log_softmax, offsets, scores, logs)
        return logs

    def log_softmax_backward(
        self,
        grad: Float[Tensor, " items"],
        logs: Float[Tensor, " items"],
        offsets: Int[Tensor, " segments_and_one"],
    ) -> Float[Tensor, " items"]:
        grad, logs = _plain(grad, logs)
        if _few_and_long(grad, offsets):
            pairs = zip(_parts(grad, offsets), _parts(logs, offsets), strict=True)
            return torch.cat([own - log.exp() * own.sum() for own, log in pairs])
        out = torch.empty_like(grad)
        _over_segments(loops._log_softmax_backward, offsets, grad, logs, out)
        return out

    def segment_sum(
        self, values: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, " segments"]:
        [values] = _plain(values)
        if _few_and_long(values, offsets):
            return torch.stack([part.sum() for part in _parts(values, offsets)])
        out = values.new_empty(len(offsets) - 1)
        _over_segments(loops._segment_sum, offsets, values, out)
        return out

    def argmax(
        self, scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Int[Tensor, " segments"]:
        [scores] = _plain(scores)
        if _few_and_long(scores, offsets):
            best = [_first_of_highest(part) for part in _parts(scores, offsets)]
            return torch.stack(best) + offsets[:-1]
        out = torch.empty(len(offsets) - 1, dtype=torch.int64, device=scores.device)
        _over_segments(loops._argmax, offsets, scores, out)
        return out


def _plain(*several: Tensor) -> list[Tensor]:
    return [values.detach().contiguous() for values in several]


def _sums(like: Tensor) -> Tensor:
    """Zeros that threads add to in any order."""
    small = like.numel() <= MOST_IN_DOUBLE
    return torch.zeros_like(like, dtype=torch.float64 if small else like.dtype)


def _any(several: Any, other: Tensor) -> list[Tensor]:
    """What is empty has no address; it is not read either."""
    return [values if values.numel() else other for values in several]


def _arrays(edges: Edges) -> tuple[Tensor, Tensor, Tensor]:
    return edges.offsets, edges.senders, edges.weights


def _sizes(parameter: Tensor) -> dict[str, Any]:
    size = parameter.shape[1]
    return {"SIZE": size, "WIDTH": triton.next_power_of_2(max(size, 1)), "NODES": loops.NODES}


def _share(edges: Edges, parameter: Tensor) -> int:
    """Nodes of each replica."""
    return max(edges.num_nodes // len(parameter), 1)


def _to_replicas(of_nodes: Float[Tensor, "nodes size"], replicas: int) -> Tensor:
    shares: Tensor = of_nodes.unflatten(0, (replicas, -1))
    return shares.sum(1, dtype=torch.float64)


def _over_nodes(loop: Any, edges: Edges, *arguments: Any, **options: Any) -> None:
    if edges.num_nodes:
        loop[(triton.cdiv(edges.num_nodes, loops.NODES),)](*arguments, num_warps=1, **options)


def _over_segments(loop: Any, offsets: Tensor, *arguments: Tensor) -> None:
    num_segments = len(offsets) - 1
    if num_segments:
        grid = (triton.cdiv(num_segments, 128),)
        loop[grid](offsets, *arguments, num_segments, BLOCK=128, num_warps=4)


def _few_and_long(values: Tensor, offsets: Tensor) -> bool:
    return len(values) >= LONG * (len(offsets) - 1) > 0


def _parts(values: Tensor, offsets: Tensor) -> list[Tensor]:
    return list(values.split(offsets.diff().tolist()))


def _first_of_highest(scores: Float[Tensor, " items"]) -> Tensor:
    return torch.where(scores.isnan(), -torch.inf, scores).argmax()
