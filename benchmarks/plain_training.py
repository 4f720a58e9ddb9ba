"""The training of the `paper` preset as one would first write it, in plain torch.

Every step of every batch goes through autograd by itself: linear maps per edge, messages as an
array, heads and losses step by step. The same network, draws and losses as the package's own; a
test compares the two.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from neuralexec.batches import Edges
from neuralexec.models.executor import NeuralExecutor
from neuralexec.training.group import Group
from neuralexec.training.loop import Trainer
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
        with torch.no_grad():
            inputs = self._own_inputs(states, chosen.edges, own)
        parts = {name: [] for name in (*states, "termination")}
        counts = []
        latent = None
        for step in range(int(lengths.max())):
            running = step < lengths
            now = {name: rows[step] for name, rows in inputs.items()}
            scores, latent, termination = self._step(now, latent, chosen.edges)
            target = {name: rows[step + 1] for name, rows in states.items()}
            nodes = running[chosen.edges.graph_of_node]
            found = {
                "reachable": functional.binary_cross_entropy_with_logits(
                    scores["reachable"], target["reachable"].float(), reduction="none"
                )[nodes],
                "distance": (scores["distance"] - target["distance"]).square()[nodes],
                "predecessor": _cross_entropy(
                    scores["predecessor"], target["predecessor"], chosen.edges
                )[nodes & (target["predecessor"] >= 0)],
                "termination": functional.binary_cross_entropy_with_logits(
                    termination, (step >= lengths - 1).float(), reduction="none"
                )[running],
            }
            for name, values in found.items():
                parts[name].append(values)
            counts.append(running)
        return sum(torch.cat(values).mean() for values in parts.values())

    def _own_inputs(
        self, states: dict[str, Tensor], edges: Edges, own: Tensor
    ) -> dict[str, Tensor]:
        now = {name: states[name][0] for name in INPUTS}
        rows = {name: [values] for name, values in now.items()}
        latent = None
        for _ in range(len(states["distance"]) - 2):
            scores, latent, _ = self._step(now, latent, edges)
            now = {"reachable": scores["reachable"] > 0, "distance": scores["distance"]}
            for name, values in now.items():
                rows[name].append(values)
        mine = own[edges.graph_of_node]
        return {
            name: torch.where(mine, torch.stack(rows[name]), states[name][:-1]) for name in rows
        }

    def _step(
        self, now: dict[str, Tensor], latent: Tensor | None, edges: Edges
    ) -> tuple[dict[str, Tensor], Tensor, Tensor]:
        heads, processor = self.heads, self.network.processor
        features = torch.stack([now[name].float() for name in INPUTS], dim=-1)
        if latent is None:
            latent = features.new_zeros(len(features), self.config.latent)
        encoded = _linear(heads.encoder, features, latent)
        senders, receivers, weights = edges.senders, edges.receivers, edges.weights[:, None]
        messages = _linear(processor.message, encoded[receivers], encoded[senders], weights)
        received = torch.segment_reduce(messages, "max", offsets=edges.offsets, axis=0)
        latent = _linear(processor.update, encoded, received).relu()
        scorer = heads.decoders["predecessor"]
        hidden = _linear(scorer.hidden, latent[receivers], latent[senders], weights).relu()
        scores = {
            "reachable": _linear(heads.decoders["reachable"], encoded, latent).squeeze(-1),
            "distance": _linear(heads.decoders["distance"], encoded, latent).squeeze(-1),
            "predecessor": (hidden @ scorer.out.weight.T).squeeze(-1),
        }
        mean = torch.segment_reduce(latent, "mean", offsets=edges.node_offsets, axis=0)
        of_nodes = _linear(heads.termination, latent, mean[edges.graph_of_node])
        lowest = torch.segment_reduce(of_nodes, "min", offsets=edges.node_offsets, axis=0)
        return scores, latent, lowest.squeeze(-1)


def _linear(module: torch.nn.Module, *parts: Tensor) -> Tensor:
    linear = getattr(module, "linear", module)
    return functional.linear(torch.cat(parts, dim=-1), linear.weight, linear.bias)


def _cross_entropy(scores: Tensor, targets: Tensor, edges: Edges) -> Tensor:
    highest = torch.segment_reduce(scores.detach()[:, None], "max", offsets=edges.offsets, axis=0)
    shifted = scores - highest[edges.receivers].squeeze(-1)
    total = torch.segment_reduce(shifted.exp()[:, None], "sum", offsets=edges.offsets, axis=0)
    logs = shifted - total.log()[edges.receivers].squeeze(-1)
    return -logs[targets.clamp(min=0).long()]


def plain(trainer: Trainer) -> PlainTraining:
    return PlainTraining(trainer.trainings[0])
