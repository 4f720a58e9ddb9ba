"""Uniform random directed graphs as a network sees them, drawn where they are used."""

import torch

from neuralexec.batches import Edges
from neuralexec.batches.edges import starting_at_zero

AT_ONCE = 100_000_000


def random_edges(num_nodes: int, num_edges: int, device: str = "cpu", seed: int = 0) -> Edges:
    """Both ends of every edge uniform, weights between 0.2 and 1; and a self-edge at every node."""
    generator = torch.Generator(device).manual_seed(seed)
    degrees = torch.zeros(num_nodes, dtype=torch.int64, device=device)
    for first in range(0, num_edges, AT_ONCE):  # in parts: a billion indices are 8 GB
        count = min(AT_ONCE, num_edges - first)
        receivers = torch.randint(num_nodes, (count,), generator=generator, device=device)
        degrees += receivers.bincount(minlength=num_nodes)
        del receivers
    offsets = starting_at_zero(degrees.add_(1))
    del degrees
    total = num_edges + num_nodes
    senders = torch.randint(
        num_nodes, (total,), dtype=torch.int32, generator=generator, device=device
    )
    nodes = torch.arange(num_nodes, dtype=torch.int32, device=device)
    senders[offsets[:-1]] = nodes  # the first edge into each node is its own
    weights = torch.rand(total, generator=generator, device=device).mul_(0.8).add_(0.2)
    ends = torch.tensor([0, num_nodes], device=device)
    return Edges(node_offsets=ends, senders=senders, offsets=offsets, weights=weights)
