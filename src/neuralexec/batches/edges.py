"""The edges of many graphs side by side, sorted by receiver: all that a network sees of them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property

import torch
from torch import Tensor

from neuralexec.batches.taking import take_graphs
from neuralexec.errors import InputError

MOST_NODES_WITH_NON_EDGES = 2_000


@dataclass(frozen=True, eq=False)
class Edges:
    """Nodes and edges count through all graphs: those of graph g follow those of graph g - 1."""

    node_offsets: Tensor  # [graphs + 1]: where the nodes of each graph begin
    senders: Tensor  # [edges], 32-bit: edges outnumber all else, and no graph has more nodes
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
    def receivers(self) -> Tensor:
        """[edges], ascending."""
        nodes = torch.arange(self.num_nodes, dtype=torch.int32, device=self.device)
        return nodes.repeat_interleave(self.offsets.diff(), output_size=self.num_edges)

    @cached_property
    def num_nodes_of_graph(self) -> Tensor:
        """[graphs]"""
        return self.node_offsets.diff()

    @cached_property
    def graph_of_node(self) -> Tensor:
        """[nodes]"""
        graphs = torch.arange(self.num_graphs, device=self.device)
        return graphs.repeat_interleave(self.num_nodes_of_graph, output_size=self.num_nodes)

    @cached_property
    def edge_offsets(self) -> Tensor:
        """[graphs + 1]: where the edges of each graph begin."""
        return self.offsets[self.node_offsets]

    @cached_property
    def sizes(self) -> tuple[Tensor, Tensor]:
        """The nodes and the edges of each graph, where they can be read without waiting."""
        return self.num_nodes_of_graph.cpu(), self.edge_offsets.diff().cpu()

    @cached_property
    def reach_every_node(self) -> bool:
        """Does every node have an edge into it?"""
        return bool((self.offsets.diff() > 0).all())

    @cached_property
    def shares(self) -> Tensor:
        """[nodes, 1]: the part of a mean that each edge into a node makes up."""
        return 1 / self.offsets.diff().clamp(min=1).to(self.weights.dtype)[:, None]

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
            senders=senders.to(torch.int32),
            offsets=starting_at_zero(receivers.bincount(minlength=self.num_nodes)),
            weights=self.weights.new_zeros(len(senders)),
        )

    def select(self, graphs: Tensor) -> Selection:
        """The edges of these graphs, in this order; a graph may come more than once.

        Given graphs on the host, a device is not waited for.
        """
        sizes = [of_graph[graphs.cpu()] for of_graph in self.sizes]
        num_nodes, num_edges = (int(of_graph.sum()) for of_graph in sizes)
        if self.device.type == "cpu":
            return self._select_by_loop(graphs, num_nodes, num_edges)
        graphs, *sizes = (values.to(self.device, non_blocking=True) for values in (graphs, *sizes))
        node_offsets, edge_offsets = map(starting_at_zero, sizes)
        nodes_moved = node_offsets[:-1] - self.node_offsets[graphs]
        edges_moved = edge_offsets[:-1] - self.edge_offsets[graphs]
        graph_of_node, nodes = _taken(node_offsets, nodes_moved, num_nodes)
        graph_of_edge, edges = _taken(edge_offsets, edges_moved, num_edges)
        moved = nodes_moved.to(torch.int32).index_select(0, graph_of_edge)
        first_edges = self.offsets[nodes] + edges_moved.index_select(0, graph_of_node)
        selected = Edges(
            node_offsets=node_offsets,
            senders=self.senders[edges] + moved,
            offsets=torch.cat((first_edges, edge_offsets[-1:])),
            weights=self.weights[edges],
        )
        selected.__dict__["graph_of_node"] = graph_of_node  # known here, and soon asked for
        return Selection(selected, graphs, nodes, nodes_moved, edges_moved)

    def _select_by_loop(self, graphs: Tensor, num_nodes: int, num_edges: int) -> Selection:
        """The same in one pass: of small graphs, a dozen operations cost more than the copying."""
        num_graphs = len(graphs)
        selected = Edges(
            node_offsets=torch.empty(num_graphs + 1, dtype=torch.int64),
            senders=torch.empty(num_edges, dtype=torch.int32),
            offsets=torch.empty(num_nodes + 1, dtype=torch.int64),
            weights=self.weights.new_empty(num_edges),
        )
        taken = [torch.empty(num_nodes, dtype=torch.int64) for _ in range(2)]
        moved = [torch.empty(num_graphs, dtype=torch.int64) for _ in range(2)]
        ours = (self.node_offsets, self.edge_offsets, self.offsets, self.senders, self.weights)
        theirs = (selected.node_offsets, selected.offsets, selected.senders, selected.weights)
        take_graphs(*(values.numpy() for values in (*ours, graphs, *theirs, *taken, *moved)))
        nodes, selected.__dict__["graph_of_node"] = taken
        return Selection(selected, graphs, nodes, *moved)

    @cached_property
    def largest(self) -> tuple[int, int]:
        """The nodes of the graph with most, and the edges of the graph with most."""
        return int(self.sizes[0].max()), int(self.sizes[1].max())

    def select_padded(self, graphs: Tensor) -> Selection:
        """The same as `select`, of graphs of one number of nodes, without waiting for the device.

        There is room for as many edges as so many graphs can have; what is left over at the end
        belongs to no node.
        """
        num_nodes, most_edges = self.largest
        total = len(graphs) * most_edges
        numbers = torch.arange(len(graphs), device=self.device)
        node_offsets = torch.arange(len(graphs) + 1, device=self.device) * num_nodes
        edge_offsets = starting_at_zero(self.edge_offsets.diff()[graphs])
        nodes_moved = node_offsets[:-1] - self.node_offsets[graphs]
        edges_moved = edge_offsets[:-1] - self.edge_offsets[graphs]
        graph_of_node = numbers.repeat_interleave(num_nodes)
        nodes = torch.arange(len(graph_of_node), device=self.device) - nodes_moved[graph_of_node]
        places = torch.arange(total, device=self.device)
        graph_of_edge = torch.searchsorted(edge_offsets[1:], places, right=True)
        graph_of_edge = graph_of_edge.clamp(max=len(graphs) - 1)
        edges = (places - edges_moved[graph_of_edge]).clamp(max=self.num_edges - 1)
        selected = Edges(
            node_offsets=node_offsets,
            senders=self.senders[edges] + nodes_moved.to(torch.int32)[graph_of_edge],
            offsets=torch.cat(
                (self.offsets[nodes] + edges_moved[graph_of_node], edge_offsets[-1:])
            ),
            weights=self.weights[edges],
        )
        selected.__dict__["graph_of_node"] = graph_of_node
        return Selection(selected, graphs, nodes, nodes_moved, edges_moved)

    def first(self, num_graphs: int) -> Edges:
        """The first graphs only; nothing is copied."""
        num_nodes = int(self.node_offsets[num_graphs])
        return self.up_to(num_graphs, num_nodes, int(self.offsets[num_nodes]))

    def up_to(self, num_graphs: int, num_nodes: int, num_edges: int) -> Edges:
        """The first graphs, which have so many nodes and edges."""
        return Edges(
            node_offsets=self.node_offsets[: num_graphs + 1],
            senders=self.senders[:num_edges],
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


def _taken(offsets: Tensor, moved: Tensor, total: int) -> tuple[Tensor, Tensor]:
    """Of each node or edge taken: the number of its graph, and where it was."""
    numbers = torch.arange(len(moved), device=moved.device)
    graphs = numbers.repeat_interleave(offsets.diff(), output_size=total)
    return graphs, torch.arange(total, device=moved.device) - moved.index_select(0, graphs)


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
