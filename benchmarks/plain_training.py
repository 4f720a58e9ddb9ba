"""The training of the `paper` preset as one would first write it, in plain torch.

Every step of every batch goes through autograd by itself: linear maps per edge, messages as an
array, heads and losses step by step, of the graphs that still run. The same network, draws and
losses as the package's own; a test compares the two.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional

from neuralexec.batches import Edges
from neuralexec.models.executor import NeuralExecutor
from neuralexec.training.group import Group
from neuralexec.training.training import Training, new_network

INPUTS = ("reachable", "distance")


class PlainTraining:
    def __init__(self, training: Training) -> None:
        self.config = training.config
        self.network: NeuralExecutor = new_network(self.config)
        self.heads = next(iter(self.network.heads.values()))
        self.optimiser = torch.optim.Adam(self.network.parameters(), self.config.learning_rate)
        self.group = Group([training], "cpu")  # for its graphs and its draws
        [self.batch] = self.group.train

    def run_epoch(self, most_updates: int | None = None) -> list[float]:
        """The loss of every update."""
        losses = []
        for draws in list(self.group.draws())[:most_updates]:
            loss = self._loss(draws.graphs[0], draws.own[0][0])
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            losses.append(loss.item())
        return losses

    def _loss(self, graphs: Tensor, own: Tensor) -> Tensor:
        batch = self.batch
        graphs = graphs[batch.num_steps[graphs].argsort(descending=True, stable=True)]
        chosen = batch.edges.select(graphs)
        lengths = batch.num_steps[graphs]
        states = {
            name: rows[: lengths.max() + 1, chosen.nodes] for name, rows in batch.states.items()
        }
        moved = chosen.edges_moved[chosen.edges.graph_of_node].to(torch.int32)
        states["predecessor"] = states["predecessor"] + moved
        # The longest runs come first: those that still run are the first graphs.
        running = [
            chosen.edges.first(int((lengths > step).sum())) for step in range(int(lengths.max()))
        ]
        with torch.no_grad():
            inputs = self._own_inputs(states, running, own)
        parts: dict[str, list[Tensor]] = {name: [] for name in (*states, "termination")}
        latent = None
        for step, edges in enumerate(running):
            now = {name: rows[step] for name, rows in inputs.items()}
            numbers, latent = self._step(now, latent, edges)
            scores, termination = self._scores(latent, edges)
            target = {name: rows[step + 1, : edges.num_nodes] for name, rows in states.items()}
            ends = (step >= lengths[: edges.num_graphs] - 1).float()
            reached = target["reachable"].float()
            parts["reachable"].append(_binary(numbers["reachable"], reached))
            errors = (numbers["distance"] - target["distance"]).square()
            parts["distance"].append(self.config.number_weight * errors)
            parts["predecessor"].append(_cross_entropy(scores, target["predecessor"], edges))
            parts["termination"].append(_binary(termination, ends))
        return sum(torch.cat(values).mean() for values in parts.values())

    def _own_inputs(
        self, states: dict[str, Tensor], running: list[Edges], own: Tensor
    ) -> dict[str, list[Tensor]]:
        """What each step reads: in some of the graphs, what came out of the last."""
        now = {name: states[name][0] for name in INPUTS}
        rows = {name: [values] for name, values in now.items()}
        latent = None
        for step, (edges, after) in enumerate(pairwise(running)):
            numbers, latent = self._step(now, latent, edges)
            now = {"reachable": numbers["reachable"] > 0, "distance": numbers["distance"]}
            mine = own[after.graph_of_node]
            for name, values in now.items():
                now[name] = values[: after.num_nodes]
                true = states[name][step + 1, : after.num_nodes]
                rows[name].append(torch.where(mine, now[name], true))
        return rows

    def _step(
        self, now: dict[str, Tensor], latent: Tensor | None, edges: Edges
    ) -> tuple[dict[str, Tensor], Tensor]:
        """What is fed back, and the latent nodes."""
        heads, processor = self.heads, self.network.processor
        features = torch.stack([now[name].float() for name in INPUTS], dim=-1)
        if latent is None:
            latent = features.new_zeros(len(features), self.config.latent)
        encoded = _linear(heads.encoder, features, latent[: edges.num_nodes])
        weights = edges.weights[:, None]
        messages = _linear(
            processor.message, encoded[edges.receivers], encoded[edges.senders], weights
        )
        received = torch.segment_reduce(messages, "max", offsets=edges.offsets, axis=0)
        latent = _linear(processor.update, encoded, received).relu()
        numbers = {
            name: _linear(heads.decoders[name], encoded, latent).squeeze(-1) for name in INPUTS
        }
        return numbers, latent

    def _scores(self, latent: Tensor, edges: Edges) -> tuple[Tensor, Tensor]:
        """Of edges, and of having terminated."""
        scorer, weights = self.heads.decoders["predecessor"], edges.weights[:, None]
        hidden = _linear(scorer.hidden, latent[edges.receivers], latent[edges.senders], weights)
        scores = (hidden.relu() @ scorer.out.weight.T).squeeze(-1)
        mean = torch.segment_reduce(latent, "mean", offsets=edges.node_offsets, axis=0)
        of_nodes = _linear(self.heads.termination, latent, mean[edges.graph_of_node])
        lowest = torch.segment_reduce(of_nodes, "min", offsets=edges.node_offsets, axis=0)
        return scores, lowest.squeeze(-1)


def _linear(module: torch.nn.Module, *parts: Tensor) -> Tensor:
    linear = getattr(module, "linear", module)
    return functional.linear(torch.cat(parts, dim=-1), linear.weight, linear.bias)


def _cross_entropy(scores: Tensor, targets: Tensor, edges: Edges) -> Tensor:
    highest = torch.segment_reduce(scores.detach()[:, None], "max", offsets=edges.offsets, axis=0)
    shifted = scores - highest[edges.receivers].squeeze(-1)
    total = torch.segment_reduce(shifted.exp()[:, None], "sum", offsets=edges.offsets, axis=0)
    logs = shifted - total.log()[edges.receivers].squeeze(-1)
    return -logs[targets[targets >= 0].long()]


def _binary(scores: Tensor, targets: Tensor) -> Tensor:
    return functional.binary_cross_entropy_with_logits(scores, targets, reduction="none")
