"""All true steps of some graphs side by side, each a graph of its own: what networks learn from.

Heads and losses see all of time at once; only a processor that remembers has to go through it in
order. Replicas, networks of one shape that learn together, each have graphs of their own: as many
graphs of as many nodes, so that equal shares of all rows belong to them, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import Tensor

from neuralexec.algorithms import Task
from neuralexec.batches.batch import Batch, covered, renumbered
from neuralexec.batches.edges import Edges, Selection


@dataclass(frozen=True, eq=False)
class Course:
    """How rows, one for each node of each step, are laid out: each replica's share is its first
    step's nodes, then those of its second, and so on. Later steps may have fewer, the first ones.
    """

    moments: tuple[Edges, ...]  # the edges of each step, of all replicas
    replicas: int = 1

    @cached_property
    def sizes(self) -> list[int]:
        """How many nodes all replicas together have at each step."""
        return [moment.num_nodes for moment in self.moments]

    def split(self, rows: Tensor) -> list[Tensor]:
        """The rows of each step."""
        sizes = [size // self.replicas for size in self.sizes]
        shares = rows.unflatten(0, (self.replicas, -1)).split(sizes, dim=1)
        return [share.flatten(end_dim=1) for share in shares]

    def join(self, of_each_step: Sequence[Tensor]) -> Tensor:
        """The rows of all steps."""
        if self.replicas == 1:
            return torch.cat(tuple(of_each_step))
        shares = [rows.unflatten(0, (self.replicas, -1)) for rows in of_each_step]
        return torch.cat(shares, dim=1).flatten(end_dim=1)


@dataclass(frozen=True, eq=False)
class Steps:
    """Within a replica, the graphs of step t follow those of step t - 1, the longest runs first.

    A single network computes nothing for graphs that have finished: there are fewer and fewer.
    Replicas keep all of theirs until the last has finished, so that their shares stay equal.
    """

    task: Task
    place: Tensor  # [graphs, over all steps]: which of the graphs this is
    nodes: Tensor  # [nodes, over all steps]: which node of the batch this is
    edges: Edges  # of all steps
    course: Course
    inputs: dict[str, Tensor]  # [nodes or graphs, over all steps]: what each step reads
    targets: dict[str, Tensor]  # the same shape: what it must produce
    terminated: Tensor  # [graphs, over all steps]
    last: Tensor  # [graphs, over all steps]: is this the last step of the true run?
    counts: Tensor | None  # [graphs, over all steps]: is it of the run? None: all are

    @property
    def replicas(self) -> int:
        return self.course.replicas

    @property
    def graphs_at(self) -> tuple[int, ...]:
        """How many graphs of each replica run at each step, never more than before."""
        return tuple(moment.num_graphs // self.replicas for moment in self.course.moments)

    @property
    def settled(self) -> Tensor:
        """[nodes, over all steps]: does the step leave this node as it reads it? A run ends when
        it does so at all nodes."""
        same = [
            self.inputs[name] == self.targets[name]
            for name, signal in self.task.signals.items()
            if signal.fed_back and signal.kind.per_node and name in self.inputs
        ]
        return torch.stack(same).all(0)

    def supervised(self, signal: str) -> Tensor:
        """[nodes or graphs, over all steps]: where the target is defined and counts."""
        defined = covered(self.task, signal, self.targets, self.edges)
        if self.counts is None:
            return defined
        per_node = self.task.signals[signal].kind.per_node
        return defined & (self.counts[self.edges.graph_of_node] if per_node else self.counts)

    def of_nodes(self, per_graph: Tensor) -> Tensor:
        """[nodes, over all steps], of one value for each graph."""
        return per_graph[self.place.index_select(0, self.edges.graph_of_node)]

    def translated(self, by: Tensor) -> Steps:
        """The same runs with `by`, one number for each graph, added to every scalar that a step
        commutes with."""
        moved = self.of_nodes(by)

        def after(values: dict[str, Tensor]) -> dict[str, Tensor]:
            signals = self.task.signals
            return {
                name: own + moved if signals[name].translates else own
                for name, own in values.items()
            }

        return replace(self, inputs=after(self.inputs), targets=after(self.targets))


def side_by_side(
    batch: Batch,
    graphs: Tensor | None = None,
    *,
    extra: int = 0,
    replicas: int = 1,
    start_only: bool = False,
) -> Steps:
    """Every step of these graphs of a batch, all by default, and `extra` more after each run's end.

    A run does not go beyond the longest of these. The graphs come in equal shares, one for each
    replica. With `start_only` every step reads the first input.
    """
    graphs = torch.arange(batch.num_graphs) if graphs is None else graphs
    graphs = graphs.unflatten(0, (replicas, -1))
    graphs = graphs.gather(1, _longest_first(batch.lengths[graphs]))
    ends = _ends(batch.lengths[graphs], extra)
    step, place, counts = _pairs(ends)
    chosen = batch.edges.select(graphs.flatten()[place])
    moments = _moments(batch, graphs, chosen.edges, ends)
    device = batch.edges.device
    step, place = (values.to(device, non_blocking=True) for values in (step, place))
    counts = None if counts is None else counts.to(device, non_blocking=True)
    course = Course(moments, replicas)
    return _steps(batch, course, chosen, step, place, counts, start_only=start_only)


def side_by_side_of_one_shape(
    batch: Batch,
    graphs: Tensor,
    *,
    extra: int = 0,
    replicas: int = 1,
    start_only: bool = False,
) -> Steps:
    """The same, in arrays whose shapes are those of any other graphs of the batch.

    All graphs go on until the longest of the batch has finished, and edges have room for the
    largest. Nothing waits for the device, on which `graphs` is: the whole can be recorded.
    """
    num_graphs, num_steps = len(graphs), batch.most_steps
    share = num_graphs // replicas
    device = graphs.device
    by_replica: Tensor = graphs.unflatten(0, (replicas, -1))
    graphs = by_replica.gather(1, _longest_first(batch.num_steps[by_replica])).flatten()
    ends = _ends(batch.num_steps[graphs].unflatten(0, (replicas, -1)), extra).flatten()
    step = torch.arange(num_steps, device=device).repeat_interleave(share).repeat(replicas)
    numbers = torch.arange(num_graphs, device=device).view(replicas, 1, share)
    place = numbers.expand(replicas, num_steps, share).flatten()
    chosen = batch.edges.select_padded(graphs[place])
    counts = step < ends[place]
    moment = batch.edges.select_padded(graphs).edges
    course = Course((moment,) * num_steps, replicas)
    return _steps(batch, course, chosen, step, place, counts, start_only=start_only)


def _steps(
    batch: Batch,
    course: Course,
    chosen: Selection,
    step: Tensor,
    place: Tensor,
    counts: Tensor | None,
    *,
    start_only: bool,
) -> Steps:
    per_node = step.index_select(0, chosen.edges.graph_of_node) * batch.num_nodes + chosen.nodes
    per_graph = step * batch.num_graphs + chosen.graphs
    first = {True: chosen.nodes, False: chosen.graphs}

    def values(name: str, shift: int) -> Tensor:
        kind, states = batch.task.signals[name].kind, batch.states[name]
        rows = per_node if kind.per_node else per_graph
        if start_only and not shift:
            rows = first[kind.per_node]
        # One row of states later is the state after the step.
        found = states[shift:].flatten().index_select(0, rows)
        return renumbered(kind, found, chosen)

    ends = batch.num_steps[chosen.graphs] - 1
    return Steps(
        task=batch.task,
        place=place,
        nodes=chosen.nodes,
        edges=chosen.edges,
        course=course,
        inputs={name: values(name, 0) for name in batch.states},
        targets={name: values(name, 1) for name in batch.states},
        terminated=step >= ends,
        last=step == ends,
        counts=counts,
    )


def _longest_first(lengths: Tensor) -> Tensor:
    """The order of each replica's graphs [replicas, graphs of each] by the length of their runs."""
    return lengths.argsort(dim=1, descending=True, stable=True)


def _ends(lengths: Tensor, extra: int) -> Tensor:
    """When each run ends, [replicas, graphs of each]; none goes beyond the replica's longest."""
    return (lengths + extra).minimum(lengths.amax(1, keepdim=True))


def _pairs(ends: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
    """The step and the place, among all graphs, of each graph at each step; and which count."""
    num_replicas, num_graphs = ends.shape
    runs = torch.arange(int(ends.max()))[:, None] < ends[:, None, :]
    if num_replicas == 1:
        step, place = runs[0].nonzero(as_tuple=True)
        return step, place, None
    num_steps = runs.shape[1]
    step = torch.arange(num_steps)[None, :, None].expand_as(runs).flatten()
    places = torch.arange(num_replicas * num_graphs).unflatten(0, (num_replicas, 1, num_graphs))
    return step, places.expand_as(runs).flatten(), runs.flatten()


def _moments(batch: Batch, graphs: Tensor, edges: Edges, ends: Tensor) -> tuple[Edges, ...]:
    """The edges of each step alone."""
    num_steps = int(ends.max())
    if len(graphs) > 1:
        return (batch.edges.select(graphs.flatten()).edges,) * num_steps
    nodes, arcs = (of_graph[graphs[0]].cumsum(0).tolist() for of_graph in batch.edges.sizes)
    running = (torch.arange(num_steps)[:, None] < ends).sum(1).tolist()
    moments: list[Edges] = []
    for number in running:
        if moments and moments[-1].num_graphs == number:
            moments.append(moments[-1])
        else:
            moments.append(edges.up_to(number, nodes[number - 1], arcs[number - 1]))
    return tuple(moments)
