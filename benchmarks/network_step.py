"""A step of MPNN-max, 32 features, on a uniform random graph, against PyTorch Geometric's.

Both have the same weights, and their results are compared before they are timed.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from benchmarks.measure import Line, faster, on_device, portion
from benchmarks.pyg_step import PygMpnn
from benchmarks.random_edges import random_edges
from neuralexec.batches import Edges
from neuralexec.models.processors.mpnn import Mpnn

LATENT = 32


class Case(NamedTuple):
    ours: Mpnn
    theirs: PygMpnn
    encoded: Tensor
    edges: Edges
    edge_index: Tensor

    def our_step(self) -> Tensor:
        return self.ours(self.encoded, self.edges).latent

    def their_step(self) -> Tensor:
        return self.theirs(self.encoded, self.edge_index, self.edges.weights)


@cache
def case(device: str, num_nodes: int, num_edges: int) -> Case:
    torch.manual_seed(0)
    edges = random_edges(num_nodes, num_edges, device)
    ours = Mpnn(LATENT, "max").to(device)
    theirs = PygMpnn.with_weights_of(ours).to(device)
    encoded = torch.randn(num_nodes, LATENT, device=device)
    edge_index = torch.stack((edges.senders, edges.receivers)).long()
    found = Case(ours, theirs, encoded, edges, edge_index)
    with torch.no_grad():
        torch.testing.assert_close(found.our_step(), found.their_step(), atol=1e-4, rtol=1e-4)
    return found


def forward(device: str, num_nodes: int, num_edges: int, *, at_least: float) -> Line:
    own = case(device, num_nodes, num_edges)
    with torch.no_grad():
        return faster(
            f"MPNN-max step, {num_nodes:,} nodes, {num_edges:,} edges and self-edges",
            on_device(own.our_step, device),
            on_device(own.their_step, device),
            at_least,
            "PyTorch Geometric, linear maps of the concatenation",
        )


def forward_backward(device: str, num_nodes: int, num_edges: int, *, at_least: float) -> Line:
    own = case(device, num_nodes, num_edges)
    own.encoded.requires_grad_()

    def learning(step: Callable[[], Tensor]) -> Callable[[], None]:
        def run() -> None:
            own.encoded.grad = None
            step().square().mean().backward()

        return run

    line = faster(
        "the same, forward and backward",
        on_device(learning(own.our_step), device),
        on_device(learning(own.their_step), device),
        at_least,
        "PyTorch Geometric",
    )
    own.encoded.requires_grad_(False)
    return line


def bandwidth(device: str, num_nodes: int, num_edges: int, *, at_least: float) -> Line:
    """The bytes a step cannot do without, over its time, against copying memory.

    An edge needs its sender and weight and a row of its sender: 8 + 4 K bytes. Node rows: the
    encoded one read to be projected, the projection written, what is received written, that and
    the encoded row read, the latent row written: 6.
    """
    own = case(device, num_nodes, num_edges)
    row = 4 * LATENT
    needed = own.edges.num_edges * (8 + row) + 6 * num_nodes * row
    source = torch.empty(1 << (28 if device == "cuda" else 25), device=device).fill_(1)
    target = torch.empty_like(source)
    with torch.no_grad():
        step = needed / on_device(own.our_step, device)
    copy = 2 * 4 * len(source) / on_device(lambda: target.copy_(source), device)
    return portion(
        "memory bandwidth of that step", step / 1e9, copy / 1e9, at_least, "GB/s", "a copy"
    )
