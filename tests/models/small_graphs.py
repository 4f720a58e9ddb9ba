"""Graphs to run networks on, small enough to draw, and features for their nodes."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

import torch
from hypothesis import strategies as st
from torch import Tensor

from neuralexec import Graph, Problem, find_task
from neuralexec.batches import Edges, begin
from tests.problem_strategies import problems

Arc = tuple[int, int, float]
LATENT = 5
TASKS = ["bfs", "bfs+bellman-ford", "prim", "dijkstra", "connected-components"]


def edges_from(
    sizes: Sequence[int], arcs: Iterable[Arc], dtype: torch.dtype = torch.float32
) -> Edges:
    """Graphs of these sizes side by side, by their (sender, receiver, weight)."""
    ordered = sorted(arcs, key=lambda arc: (arc[1], arc[0]))
    receivers = [receiver for _, receiver, _ in ordered]
    return Edges(
        node_offsets=torch.tensor([0, *accumulate(sizes)]),
        senders=torch.tensor([sender for sender, _, _ in ordered], dtype=torch.int32),
        offsets=torch.tensor([0, *accumulate(map(receivers.count, range(sum(sizes))))]),
        weights=torch.tensor([weight for _, _, weight in ordered], dtype=dtype),
    )


def arcs_of(edges: Edges) -> list[Arc]:
    return list(
        zip(edges.senders.tolist(), edges.receivers.tolist(), edges.weights.tolist(), strict=True)
    )


def without_padding(edges: Edges) -> Edges:
    """Without what is left over at the end, where edges have room for more."""
    return edges.up_to(edges.num_graphs, edges.num_nodes, int(edges.offsets[-1]))


def kite(dtype: torch.dtype = torch.float32) -> Edges:
    """A triangle 0-1-2 with a tail 2-3, a self-edge at each node, no two weights alike."""
    pairs = [(0, 1, 0.3), (1, 2, 0.7), (0, 2, 0.9), (2, 3, 0.5)]
    loops = [(node, node, 0.2 + 0.11 * node) for node in range(4)]
    return edges_from([4], [*pairs, *((j, i, w + 0.05) for i, j, w in pairs), *loops], dtype)


def uneven(dtype: torch.dtype = torch.float32) -> Edges:
    """Two graphs: 0 -> 1 <- 2 with a self-edge at 2 only, so that 0 hears nothing; and 3 <-> 4."""
    arcs = [(0, 1, 0.4), (2, 1, 0.8), (2, 2, 0.6), (3, 4, 0.5), (4, 3, 0.25)]
    return edges_from([3, 2], arcs, dtype)


def three_problems() -> list[Problem]:
    """A path, whose run is the longest; a triangle with a node out of reach; a node alone."""
    path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [0.5, 0.25, 0.75])
    apart = Graph.from_edges(4, [0, 1, 0], [1, 2, 2], [0.25, 0.5, 1.0])
    alone = Graph.from_edges(1, [], [])
    return [Problem(apart, 1), Problem(path, 0), Problem(alone, 0)]


def hubs() -> list[Problem]:
    """The source is next to all in reach, and no two weights are alike: nor are two messages."""
    weights = [0.2, 0.9, 1.0, 0.25, 0.3, 0.41, 0.52, 0.63, 0.74]
    hub = Graph.from_edges(4, [0, 0, 0, 1, 2, 0, 1, 2, 3], [1, 2, 3, 2, 3, 0, 1, 2, 3], weights)
    pair = Graph.from_edges(3, [0, 0, 1, 2], [1, 0, 1, 2], [0.35, 0.45, 0.55, 0.65])
    alone = Graph.from_edges(1, [0], [0], [0.85])
    return [Problem(pair, 1), Problem(hub, 0), Problem(alone, 0)]


def as_many_each() -> list[Problem]:
    """Nine graphs, three for each of three replicas: of different sizes, but 9 nodes in all."""
    ring = Graph.from_edges(5, [0, 1, 2, 3, 4], [1, 2, 3, 4, 0], [0.3, 0.6, 0.9, 0.45, 0.55])
    pair = Graph.from_edges(2, [0], [1], [0.35])
    star = Graph.from_edges(4, [0, 0, 0], [1, 2, 3], [0.75, 0.5, 0.25])
    line = Graph.from_edges(3, [0, 1], [1, 2], [0.65, 0.15])
    return [
        *three_problems(),
        Problem(pair, 1),
        Problem(pair, 0),
        Problem(ring, 2),
        Problem(line, 0),
        Problem(star, 3),
        Problem(pair, 1),
    ]


def union(*several: Edges) -> Edges:
    """All side by side, in this order."""
    sizes, arcs, first = [], [], 0
    for edges in several:
        sizes += edges.num_nodes_of_graph.tolist()
        arcs += [(j + first, i + first, weight) for j, i, weight in arcs_of(edges)]
        first += edges.num_nodes
    return edges_from(sizes, arcs, several[0].weights.dtype)


def features(edges: Edges, seed: int = 0, latent: int = LATENT) -> Tensor:
    """Random [nodes, latent], of the type of the edges."""
    generator = torch.Generator().manual_seed(seed)
    size = (edges.num_nodes, latent)
    return torch.randn(size, generator=generator, dtype=edges.weights.dtype)


def edges_of(several: Sequence[Problem]) -> Edges:
    """What a network sees of the problems, self-edges included."""
    return begin(several, find_task("bfs")).edges


one_graph = problems(distinct=True).map(lambda problem: edges_of([problem]))
many_problems = st.lists(problems(distinct=True), min_size=1, max_size=4)
