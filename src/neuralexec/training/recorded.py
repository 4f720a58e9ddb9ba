"""An update recorded once and replayed: on a GPU, launching its small kernels is what costs.

A CUDA graph holds the launches of a whole update, from laying out the graphs to Adam. It needs
arrays of one shape, so all graphs go on until the longest of the training has finished; what goes
beyond a graph's own run does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from neuralexec.batches import side_by_side_of_one_shape
from neuralexec.models.processors import Unrolls

if TYPE_CHECKING:
    from neuralexec.training.group import Draws, Group

MOST_NODES = 1_000  # of a graph; kernels read the sizes of larger ones as they run
WARM_UP = 3  # updates, before recording, in which kernels are compiled and libraries set up


def can_be_recorded(group: Group) -> bool:
    """On a GPU, if no array depends on what is drawn: of networks that look at edges one by one,
    on graphs that stay and have as many nodes each."""
    sizes = [batch.edges.sizes[0] for batch in group.train]
    return (
        group.device == "cuda"
        and isinstance(group.executor.processor, Unrolls)
        and not group.config.fresh_graphs
        and not any(one.config.own_outputs_ramp for one in group.trainings)
        and all(bool((of_graph == of_graph[0]).all()) for of_graph in sizes)
        and max(int(of_graph.max()) for of_graph in sizes) <= MOST_NODES
    )


class Recorded:
    def __init__(self, group: Group) -> None:
        self.group = group
        self.size = group.config.batch_size
        first = next(group.draws())
        self.draws: Draws = first.to(group.device)
        adam = group.adam
        self.step, self.root = torch.zeros_like(adam.rows[:, :1]), torch.ones_like(adam.rows[:, :1])
        kept = [values.clone() for values in (adam.rows, adam.first, adam.second)]
        group.executor.train()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(WARM_UP):
                losses = self._update()
        torch.cuda.current_stream().wait_stream(side)
        self.totals = {name: torch.zeros_like(loss) for name, loss in losses.items()}
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for name, loss in self._update().items():
                self.totals[name] += loss
        for values, before in zip((adam.rows, adam.first, adam.second), kept, strict=True):
            values.copy_(before)  # nothing was learnt by recording

    def fits(self, draws: Draws) -> bool:
        return draws.graphs.shape == self.draws.graphs.shape

    def replay(self, draws: Draws, step: Tensor, root: Tensor) -> None:
        ours = (self.draws.graphs, *self.draws.offsets, *self.draws.own)
        for buffer, values in zip(ours, (draws.graphs, *draws.offsets, *draws.own), strict=True):
            buffer.copy_(values, non_blocking=True)
        self.step.copy_(step)
        self.root.copy_(root)
        self.graph.replay()

    def collect(self) -> dict[str, Tensor]:
        """The losses of all replays since the last time, added up."""
        found = {name: total.clone() for name, total in self.totals.items()}
        for total in self.totals.values():
            total.zero_()
        return found

    def _update(self) -> dict[str, Tensor]:
        group = self.group
        steps = [
            side_by_side_of_one_shape(batch, self.draws.graphs.flatten(), **group.layout_of(batch))
            for batch in group.train
        ]
        return group.update(steps, self.draws, self.step, self.root)
