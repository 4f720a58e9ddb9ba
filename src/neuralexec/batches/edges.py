"""The edges of many graphs side by side, sorted by receiver: all that a network sees of them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import torch
from torch import Tensor

from neuralexec.errors import InputError

MOST_NODES_WITH_NON_EDGES = 2_000


@dataclass(frozen=True, eq=False)
class Edges:
    """Nodes and edges count through all graphs: those of graph g follow those of graph g - 1."""

    node_offsets: Tensor  # [graphs + 1]: where the nodes of each graph begin
    senders: Tensor  # [edges]
    receivers: Tensor  # [edges], ascending
    offsets: Tensor  # [nodes + 1]: where the edges into each node begin
    weights: Tensor  # [edges]

    @property
    def num_graphs(self) -> int:
        return len(self.node_offsets) - 1

    @property
    def num_nodes(self) -> int:
        return len(self.offsets) - 1

    @property
    def num_edges(self) -> int:
        return len(self.senders)

    @property
    def device(self) -> torch.device:
        return self.senders.device

    @cached_property
    def num_nodes_of_graph(self) -> Tensor:
        """[graphs]"""
        return self.node_offsets.diff()

    @cached_property
    def graph_of_node(self) -> Tensor:
        """[nodes]"""
        graphs = torch.arange(self.num_graphs, device=self.device)
        return graphs.repeat_interleave(self.num_nodes_of_graph)

    @cached_property
    def edge_offsets(self) -> Tensor:
        """[graphs + 1]: where the edges of each graph begin."""
        return self.offsets[self.node_offsets]

    @cached_property
    def reach_every_node(self) -> bool:
        """Does every node have an edge into it?"""
        return bool((self.offsets.diff() > 0).all())

    @cached_property
    def self_edges(self) -> Tensor:
        """[nodes]: the edge from each node to itself."""
        found = (self.senders == self.receivers).nonzero().squeeze(-1)
        if not torch.equal(self.receivers[found], torch.arange(self.num_nodes, device=self.device)):
            raise ValueError("every node needs exactly one self-edge; collate adds them")
        return found

    @cached_property
    def non_edges(self) -> Edges:
        """Every pair of nodes of one graph that no edge joins, as edges of weight 0."""
        most = int(self.num_nodes_of_graph.max())
        if most > MOST_NODES_WITH_NON_EDGES:
            raise InputError(
                f"attention over all pairs of nodes is limited to graphs of "
                f"{MOST_NODES_WITH_NON_EDGES:,} nodes; this one has {most:,}: "
                "use a processor that follows the edges, such as gat or mpnn-max"
            )
        sizes = self.num_nodes_of_graph[self.graph_of_node]  # pairs into each node
        receivers = torch.arange(self.num_nodes, device=self.device).repeat_interleave(sizes)
        starts = self.node_offsets[self.graph_of_node]
        senders = ranges(starts, sizes)
        first_pair = sizes.cumsum(0) - sizes  # of each receiver
        joined = first_pair[self.receivers] + self.senders - starts[self.receivers]
        apart = torch.ones(len(senders), dtype=torch.bool, device=self.device)
        apart[joined] = False
        receivers, senders = receivers[apart], senders[apart]
        return Edges(
            node_offsets=self.node_offsets,
            senders=senders,
            receivers=receivers,
            offsets=starting_at_zero(receivers.bincount(minlength=self.num_nodes)),
            weights=self.weights.new_zeros(len(senders)),
        )

    def select(self, graphs: Tensor) -> Selection:
        """The edges of these graphs, in this order; a graph may come more than once."""
        num_nodes = self.num_nodes_of_graph[graphs]
        num_edges = self.edge_offsets.diff()[graphs]
        nodes = ranges(self.node_offsets[graphs], num_nodes)
        edges = ranges(self.edge_offsets[graphs], num_edges)
        node_offsets = starting_at_zero(num_nodes)
        moved = node_offsets[:-1] - self.node_offsets[graphs]
        of_edge = moved.repeat_interleave(num_edges)
        selected = Edges(
            node_offsets=node_offsets,
            senders=self.senders[edges] + of_edge,
            receivers=self.receivers[edges] + of_edge,
            offsets=starting_at_zero(self.offsets.diff()[nodes]),
            weights=self.weights[edges],
        )
        edges_moved = selected.edge_offsets[:-1] - self.edge_offsets[graphs]
        return Selection(selected, graphs, nodes, moved, edges_moved)

    def first(self, num_graphs: int) -> Edges:
        """The first graphs only; nothing is copied."""
        num_nodes = int(self.node_offsets[num_graphs])
        num_edges = int(self.offsets[num_nodes])
        return Edges(
            node_offsets=self.node_offsets[: num_graphs + 1],
            senders=self.senders[:num_edges],
            receivers=self.receivers[:num_edges],
            offsets=self.offsets[: num_nodes + 1],
            weights=self.weights[:num_edges],
        )

    def mark(self, chosen: Tensor) -> Tensor:
        """[..., nodes]: is this the node its graph chose? `chosen` is [..., graphs]."""
        nodes = torch.arange(self.num_nodes, device=self.device)
        return chosen[..., self.graph_of_node] == nodes

    def to(self, device: str | torch.device) -> Edges:
        """The same edges on another device."""
        return replace(
            self, **{field.name: getattr(self, field.name).to(device) for field in fields(self)}
        )


@dataclass(frozen=True, eq=False)
class Selection:
    """Graphs taken out of a larger union, and where everything in them came from and went."""

    edges: Edges
    graphs: Tensor  # [graphs]: which graph each was
    nodes: Tensor  # [nodes]: which node each was
    nodes_moved: Tensor  # [graphs]: new index of a node minus the old one
    edges_moved: Tensor  # [graphs]


def ranges(starts: Tensor, lengths: Tensor) -> Tensor:
    """Count up from each start.

    >>> ranges(torch.tensor([5, 0]), torch.tensor([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = lengths.cumsum(0)
    shifts = starts - (ends - lengths)
    count = torch.arange(int(ends[-1]) if len(ends) else 0, device=starts.device)
    return count + shifts.repeat_interleave(lengths)


def starting_at_zero(lengths: Tensor) -> Tensor:
    """Where segments of these lengths begin, and where the last ends."""
    offsets = torch.zeros(len(lengths) + 1, dtype=torch.int64, device=lengths.device)
    torch.cumsum(lengths, 0, out=offsets[1:])
    return offsets
