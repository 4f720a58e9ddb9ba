"""Which step of which graph each of the graphs side by side is."""

from collections import Counter
from collections.abc import Iterator

import torch

from neuralexec import Kind
from neuralexec.batches import Batch, Edges, Steps


def longest_first(batch: Batch, graphs: list[int] | None = None, replicas: int = 1) -> list[int]:
    """The graphs of each replica by the lengths of their runs."""
    graphs = list(range(batch.num_graphs)) if graphs is None else graphs
    share = len(graphs) // replicas
    return [
        graph
        for first in range(0, len(graphs), share)
        for graph in sorted(graphs[first : first + share], key=lambda g: -int(batch.num_steps[g]))
    ]


def in_time(steps: Steps, order: list[int]) -> Iterator[tuple[int, int, int]]:
    """(which of the graphs side by side, its step, its graph of the batch)."""
    seen: Counter[int] = Counter()
    for number, place in enumerate(steps.place.tolist()):
        yield number, seen[place], order[place]
        seen[place] += 1


def nodes_of(edges: Edges, graph: int) -> slice:
    return slice(*edges.node_offsets[graph : graph + 2].tolist())


def edges_of_graph(edges: Edges, graph: int) -> slice:
    return slice(*edges.edge_offsets[graph : graph + 2].tolist())


def of_graph(kind: Kind, values: torch.Tensor, edges: Edges, graph: int) -> list:
    """What a signal says of one graph, its nodes and edges counted from 0."""
    first = {Kind.CHOICE: edges.node_offsets, Kind.POINTER: edges.edge_offsets}
    own = values[nodes_of(edges, graph)] if kind.per_node else values[graph : graph + 1]
    if kind in first:
        own = torch.where(own < 0, own, own - first[kind][graph])
    return own.tolist()
