"""Graphs, features and parameters to try kernels on; each replica has a graph of its own."""

from functools import cache

import torch
from torch import Tensor

from neuralexec.batches import Course, Edges
from neuralexec.models.kernels import Cell, Feedback, Scoring
from tests.models.small_graphs import edges_from, union

GRAPHS = ["some", "reached", "dense", "tied", "no-edges"]


def numbers(
    *size: int, seed: int, dtype: torch.dtype = torch.float32, tied: bool = False
) -> Tensor:
    """Normal, or whole and few, so that many are alike."""
    generator = torch.Generator().manual_seed(1000 + seed)
    drawn = torch.randn(size, generator=generator, dtype=torch.float64)
    return (drawn.round() if tied else drawn).to(dtype)


@cache
def graph(kind: str, replicas: int = 1, dtype: torch.dtype = torch.float32) -> Edges:
    """Three graphs for each replica, 11 nodes in all; some nodes have no edges, unless reached."""
    sizes = [[6, 4, 1], [2, 5, 4], [3, 3, 5]]
    return union(*(_random(kind, sizes[replica], replica, dtype) for replica in range(replicas)))


def _random(kind: str, sizes: list[int], seed: int, dtype: torch.dtype) -> Edges:
    generator = torch.Generator().manual_seed(seed)
    density = {"some": 0.3, "reached": 0.3, "dense": 0.9, "tied": 0.6, "no-edges": 0.0}[kind]
    arcs, first = [], 0
    for size in sizes:
        drawn = torch.rand((size, size), generator=generator)
        if kind == "reached":
            drawn.diagonal().mul_(density)
        for j, i in (drawn < density).nonzero().tolist():
            weight = 0.5 if kind == "tied" else 0.2 + 0.8 * float(drawn[j, i])
            arcs.append((first + j, first + i, weight))
        first += size
    return edges_from(sizes, arcs, dtype)


def message_parts(
    kind: str, size: int, replicas: int = 1, dtype: torch.dtype = torch.float32
) -> tuple[Tensor, Tensor, Tensor, Edges]:
    """What receivers, senders and the edge add to messages, and the edges."""
    edges = graph(kind, replicas, dtype)
    tied = kind == "tied"
    return (
        numbers(edges.num_nodes, size, seed=1, dtype=dtype, tied=tied),
        numbers(edges.num_nodes, size, seed=2, dtype=dtype, tied=tied),
        numbers(replicas, size, seed=3, dtype=dtype, tied=tied),
        edges,
    )


def scoring(
    scorer: str, kind: str, size: int, replicas: int = 1, dtype: torch.dtype = torch.float32
) -> tuple[Scoring, Edges]:
    edges = graph(kind, replicas, dtype)
    hidden, linear = size if scorer != "linear" else 0, scorer != "mlp"
    nodes = edges.num_nodes
    return Scoring(
        numbers(nodes, hidden, seed=1, dtype=dtype),
        numbers(nodes, hidden, seed=2, dtype=dtype),
        numbers(replicas, hidden, seed=3, dtype=dtype),
        numbers(replicas, hidden, seed=4, dtype=dtype),
        numbers(nodes * linear, seed=5, dtype=dtype),
        numbers(nodes * linear, seed=6, dtype=dtype),
        numbers(replicas * linear, seed=7, dtype=dtype),
    ), edges


def course(kind: str, replicas: int = 1, dtype: torch.dtype = torch.float32) -> Course:
    """Four steps; one network loses the graphs that finish, replicas keep theirs."""
    edges = graph(kind, replicas, dtype)
    if replicas > 1:
        return Course((edges,) * 4, replicas)
    return Course((edges, edges.first(2), edges.first(2), edges.first(1)))


def cell(
    size: int,
    replicas: int = 1,
    dtype: torch.dtype = torch.float32,
    *,
    recurrent: bool = True,
) -> Cell:
    def matrix(seed: int) -> Tensor:
        return numbers(replicas, size, size, seed=seed, dtype=dtype) / size**0.5

    def row(seed: int) -> Tensor:
        return numbers(replicas, size, seed=seed, dtype=dtype)

    return Cell(
        memory=matrix(10) if recurrent else None,
        receiver=matrix(11),
        receiver_bias=row(12),
        sender=matrix(13),
        edge=row(14),
        own=matrix(15),
        received=matrix(16),
        bias=row(17),
    )


def rows(course: Course, size: int, dtype: torch.dtype = torch.float32, seed: int = 20) -> Tensor:
    return numbers(sum(course.sizes), size, seed=seed, dtype=dtype)


def feedback(size: int, replicas: int = 1, dtype: torch.dtype = torch.float32) -> Feedback:
    """Of three inputs the first becomes a number, the last a bit; the second stays."""
    return Feedback(
        read=numbers(replicas, size, 3, seed=30, dtype=dtype),
        read_bias=numbers(replicas, size, seed=31, dtype=dtype),
        encoded=numbers(replicas, 2, size, seed=32, dtype=dtype) / size**0.5,
        latent=numbers(replicas, 2, size, seed=33, dtype=dtype) / size**0.5,
        bias=numbers(replicas, 2, seed=34, dtype=dtype),
        columns=(2, 0),
        bits=(True, False),
    )
