"""What runs an algorithm: start, step, stop; and its neural form, encode-process-decode.

signals x ──► f ──► z ──► P ──► h ──► g ──► scores ──► decisions, the next x
              ▲                 │
              └──── h, if ◄─────┼──► T ──► has it terminated?
                  recurrent
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import torch
from torch import nn

from neuralexec.algorithms import Kind, Task
from neuralexec.batches import Signals, Start, Steps
from neuralexec.errors import InputError
from neuralexec.models.architecture import Architecture
from neuralexec.models.decide import decide
from neuralexec.models.heads import Heads
from neuralexec.models.infinity import readable, restored
from neuralexec.models.processors import Options, Processed, find_processor
from neuralexec.models.scope import scope_of
from neuralexec.models.shapes import Bool, Float, Tensor


@dataclass(frozen=True, eq=False)
class State:
    """What a step reads."""

    signals: Signals
    memory: Any = None
    """What the executor carries along beside the signals; nobody else looks inside."""


@dataclass(frozen=True, eq=False)
class Step:
    """What a step says, before it is applied."""

    decided: Signals
    scores: Signals
    """Where the decisions come from: logits, values, and scores of edges and nodes."""
    terminated: Float[Tensor, "*lead graphs"]
    """The probability that the algorithm has terminated."""
    memory: Any = None


@runtime_checkable
class Executor(Protocol):
    """`max_steps`, how long it may run, is the caller's business: see `rollout`."""

    def start(self, start: Start) -> State: ...

    def step(self, start: Start, state: State) -> Step: ...

    def stop(self, step: Step) -> Bool[Tensor, "*lead graphs"]: ...


@dataclass(frozen=True, eq=False)
class Taught:
    """What a network says at every step of a batch, time side by side as in `Steps`."""

    scores: dict[str, Tensor]
    termination: Float[Tensor, "*replicas graphs"]  # logits
    penalty: Float[Tensor, "*replicas nodes"] | None


class NeuralExecutor(nn.Module):
    """One processor for all tasks; encoder, decoders and termination for each."""

    def __init__(self, architecture: Architecture, tasks: Iterable[Task]) -> None:
        super().__init__()
        self.architecture = architecture
        self.tasks = tuple(tasks)
        self.processor = build_processor(architecture)
        self.heads = nn.ModuleDict(
            {
                task.name: Heads(
                    task,
                    scope_of(task, architecture.variant),
                    architecture.latent,
                    recurrent=architecture.recurrent,
                    encoder_relu=architecture.encoder_relu,
                    scorer=architecture.scorer,
                    readout=architecture.readout,
                )
                for task in self.tasks
            }
        )

    def heads_of(self, task: Task) -> Heads:
        if task.name not in self.heads:
            known = ", ".join(self.heads)
            raise InputError(f"this executor was trained for {known}, not for {task.name}")
        heads: Heads = self.heads[task.name]  # type: ignore[assignment]
        return heads

    @property
    def replicas(self) -> tuple[int, ...]:
        """The leading axes of every parameter and latent: none, or the number of replicas."""
        any_heads: Heads = next(iter(self.heads.values()))  # type: ignore[assignment]
        return tuple(any_heads.termination.linear.weight.shape[:-2])

    @property
    def num_parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())

    def start(self, start: Start) -> State:
        self.heads_of(start.task)
        signals = {
            name: values.expand(*self.replicas, *values.shape)
            for name, values in start.signals.items()
        }
        return State(signals)

    def step(
        self,
        start: Start,
        state: State,
        *,
        gate: Float[Tensor, " edges"] | None = None,
        only: Collection[str] | None = None,
    ) -> Step:
        """One step; `gate` takes edges away by degrees, `only` limits what is predicted."""
        heads, edges = self.heads_of(start.task), start.edges
        inputs = start.signals if heads.scope.feeds_start_only else state.signals
        stand_ins = {}
        if endless := _endless(start):
            inputs = dict(inputs)
            for name in endless:
                inputs[name], stand_ins[name] = readable(inputs[name], edges)
        read = heads.encoder.read(self._replicated(heads.features(inputs, edges)))
        encoded = heads.encoder(read, state.memory)
        processed: Processed = self.processor(encoded, edges, gate)
        scores = heads.decode(encoded, processed.latent, edges, only)
        decided = decide(start.task, scores, state.signals, edges)
        for name, stand_in in stand_ins.items():
            if name in decided:
                decided[name] = restored(decided[name], state.signals[name], stand_in)
        terminated = heads.termination(processed.latent, edges).sigmoid()
        return Step(decided, scores, terminated, processed.latent)

    def stop(self, step: Step) -> Bool[Tensor, "*lead graphs"]:
        return step.terminated > 0.5

    def teach(self, steps: Steps) -> Taught:
        """What it says at every step; only the processor has to go through time in order."""
        heads = self.heads_of(steps.task)
        read = heads.encoder.read(self._replicated(heads.features(steps.inputs, steps.edges)))
        if self.architecture.recurrent:
            encoded, latent, penalty = self._through_time(heads, read, steps)
        else:
            encoded = heads.encoder(read, None)
            latent, _, penalty = self.processor(encoded, steps.edges)
        return Taught(
            scores=heads.decode(encoded, latent, steps.edges),
            termination=heads.termination(latent, steps.edges),
            penalty=penalty,
        )

    def _through_time(
        self, heads: Heads, read: Float[Tensor, "*replicas nodes latent"], steps: Steps
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        edges = steps.edges.first(steps.graphs_at[0])
        encodings: list[Tensor] = []
        moments: list[Processed] = []
        latent: Tensor | None = None
        first = 0
        for num_graphs in steps.graphs_at:
            if num_graphs < edges.num_graphs:  # runs that have ended are the last ones
                edges = edges.first(num_graphs)
            last = first + edges.num_nodes
            before = None if latent is None else latent[..., : edges.num_nodes, :]
            encodings.append(heads.encoder(read[..., first:last, :], before))
            moments.append(self.processor(encodings[-1], edges))
            latent = moments[-1].latent
            first = last
        penalties = [moment.penalty for moment in moments if moment.penalty is not None]
        return (
            torch.cat(encodings, dim=-2),
            torch.cat([moment.latent for moment in moments], dim=-2),
            torch.cat(penalties, dim=-1) if penalties else None,
        )

    def _replicated(
        self, features: Float[Tensor, "*lead nodes fed"]
    ) -> Float[Tensor, "*replicas nodes fed"]:
        lead = self.replicas
        return features if features.shape[:-2] == lead else features.expand(*lead, *features.shape)


def _endless(start: Start) -> list[str]:
    """The scalars that begin infinite."""
    return [
        name
        for name, values in start.signals.items()
        if start.task.signals[name].kind is Kind.SCALAR and bool(values.isinf().any())
    ]


def build_processor(architecture: Architecture) -> nn.Module:
    kind = find_processor(architecture.processor)
    kind.check(architecture.sharpening)
    return kind.build(
        Options(
            latent=architecture.latent,
            message_relu=architecture.message_relu,
            update_relu=architecture.update_relu,
            sharpening=architecture.sharpening,
        )
    )
