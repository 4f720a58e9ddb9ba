"""The adjacency mask of Appendix E: as few edges into a node as it takes to say the same.

With a logit M per edge into an explained node, 1 at first, and the network as it is, minimise

    loss(what it says of the node if each edge has the gate σ(M)) + sparsity · Σ σ(M).

One round of messages: what a node becomes depends on the edges into it and on no other, so the
masks of all nodes are sought at once, and each is what it would be alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor
from torch.nn import functional

from neuralexec.algorithms import Kind
from neuralexec.batches import Edges
from neuralexec.batches.batch import renumbered
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.heads import Heads
from neuralexec.models.kernels import log_softmax

START = 1.0
ROUND = 10
"""Iterations between two looks at what still moves."""
STILL = 0.01
"""A weight that moves less in a round has converged."""
MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8  # Adam's


@dataclass(frozen=True)
class Search:
    """How a mask is sought."""

    sparsity: float
    iterations: int
    learning_rate: float


@dataclass(frozen=True, eq=False)
class Scene:
    """What a network sees in one step, and what is to be explained of it."""

    executor: NeuralExecutor
    heads: Heads
    signal: str
    edges: Edges
    encoded: Tensor  # [nodes, latent]
    targets: Tensor  # [nodes]: what it should say
    explained: Tensor  # [nodes]

    @property
    def kind(self) -> Kind:
        return self.heads.task.signals[self.signal].kind

    def of(self, graphs: Tensor) -> tuple[Scene, Tensor, Tensor]:
        """These graphs only, and which nodes and edges those were."""
        chosen = self.edges.select(graphs)
        graph_of_edge = chosen.edges.graph_of_node[chosen.edges.receivers]
        numbers = torch.arange(chosen.edges.num_edges, device=graph_of_edge.device)
        scene = replace(
            self,
            edges=chosen.edges,
            encoded=self.encoded[chosen.nodes],
            targets=renumbered(self.kind, self.targets[chosen.nodes], chosen),
            explained=self.explained[chosen.nodes],
        )
        return scene, chosen.nodes, numbers - chosen.edges_moved[graph_of_edge]

    def loss(self, gate: Tensor) -> Tensor:
        """[nodes]: the network's own loss, if the edges into each are so far open."""
        latent = self.executor.process(self.heads, self.encoded, self.edges, gate).latent
        return LOSSES[self.kind](self, latent)

    @cached_property
    def open_latent(self) -> Tensor:
        """What nodes become whose edges are all open."""
        with torch.no_grad():
            latent: Tensor = self.executor.process(self.heads, self.encoded, self.edges).latent
        return latent

    @cached_property
    def from_open(self) -> Edges:
        """The same edges between two copies of the nodes, from the first, all open, to the second.

        The mask of a node says nothing of its neighbours, which may have masks of their own;
        only its own end of an edge, and both ends of its self-edge, feel it.
        """
        edges, num_nodes = self.edges, self.edges.num_nodes
        is_self = edges.senders == edges.receivers
        return Edges(
            node_offsets=torch.cat((edges.node_offsets, edges.node_offsets[1:] + num_nodes)),
            senders=edges.senders + num_nodes * is_self.to(edges.senders.dtype),
            offsets=torch.cat((edges.offsets.new_zeros(num_nodes), edges.offsets)),
            weights=edges.weights,
        )


def _of_bits(scene: Scene, latent: Tensor) -> Tensor:
    logits = scene.heads(scene.encoded, latent, scene.edges, {scene.signal}).scores[scene.signal]
    return functional.binary_cross_entropy_with_logits(
        logits, scene.targets.to(logits.dtype), reduction="none"
    )


def _of_pointers(scene: Scene, latent: Tensor) -> Tensor:
    scores = scene.heads(
        torch.cat((scene.encoded, scene.encoded)),
        torch.cat((scene.open_latent, latent)),
        scene.from_open,
        {scene.signal},
    ).scores[scene.signal]
    logs = log_softmax(scores, scene.edges.offsets)
    return -logs.index_select(0, scene.targets.clamp(min=0))


LOSSES: dict[Kind, Callable[[Scene, Tensor], Tensor]] = {
    Kind.MASK: _of_bits,
    Kind.POINTER: _of_pointers,
}


@dataclass(frozen=True, eq=False)
class Masks:
    weights: Tensor  # [edges]: σ(M), and 1 at edges into nodes that are not explained
    converged: Tensor  # [nodes]


def find_masks(scene: Scene, search: Search) -> Masks:
    """Adam, until the weights into a node hardly move; each node by itself stops then."""
    logits = torch.full_like(scene.edges.weights, START)
    means, squares = torch.zeros_like(logits), torch.zeros_like(logits)
    moving = scene.explained
    for begin in range(0, search.iterations, ROUND):
        if not moving.any():
            break
        now = replace(scene, explained=moving)
        part, _, edges = now.of(scene.edges.graph_of_node[moving].unique())
        free = part.explained[part.edges.receivers]
        edges = edges[free]
        own, mean, square = logits[edges], means[edges], squares[edges]
        before = own.sigmoid()
        for iteration in range(begin, min(begin + ROUND, search.iterations)):
            slopes = _slopes(part, free, own, search.sparsity)
            _descend(own, mean, square, slopes, iteration, search.learning_rate)
        logits[edges], means[edges], squares[edges] = own, mean, square
        moved = (own.sigmoid() - before).abs() > STILL
        moving = torch.zeros_like(moving)
        moving[scene.edges.receivers[edges[moved]].long()] = True
    free = scene.explained[scene.edges.receivers]
    return Masks(torch.where(free, logits.sigmoid(), 1), scene.explained & ~moving)


def _slopes(scene: Scene, free: Tensor, logits: Tensor, sparsity: float) -> Tensor:
    with torch.enable_grad():
        logits = logits.detach().requires_grad_()
        weights = logits.sigmoid()
        gate = torch.ones_like(scene.edges.weights).masked_scatter(free, weights)
        total = scene.loss(gate)[scene.explained].sum() + sparsity * weights.sum()
        [slopes] = torch.autograd.grad(total, logits)
    return slopes


def _descend(
    logits: Tensor, mean: Tensor, square: Tensor, slopes: Tensor, iteration: int, rate: float
) -> None:
    """Adam's step, in place."""
    mean.lerp_(slopes, 1 - MEAN_DECAY)
    square.lerp_(slopes.square(), 1 - SQUARE_DECAY)
    unbiased = mean / (1 - MEAN_DECAY ** (iteration + 1))
    scale = (square / (1 - SQUARE_DECAY ** (iteration + 1))).sqrt()
    logits -= rate * unbiased / (scale + EPSILON)
