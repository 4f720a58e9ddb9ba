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

from torch import nn

from neuralexec.algorithms import Kind, Task
from neuralexec.batches import Edges, Signals, Start, Steps
from neuralexec.errors import InputError
from neuralexec.models.architecture import Architecture
from neuralexec.models.decide import decide
from neuralexec.models.heads import Heads, Said
from neuralexec.models.infinity import Reading, read, restored
from neuralexec.models.linear import num_replicas
from neuralexec.models.processors import Options, Processed, Unrolls, find_processor
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
    terminated: Float[Tensor, " graphs"]
    """The probability that the algorithm has terminated."""
    memory: Any = None


@runtime_checkable
class Executor(Protocol):
    """`max_steps`, how long it may run, is the caller's business: see `rollout`."""

    def start(self, start: Start) -> State: ...

    def step(self, start: Start, state: State) -> Step: ...

    def stop(self, step: Step) -> Bool[Tensor, " graphs"]: ...


@dataclass(frozen=True, eq=False)
class Taught:
    """What a network says at every step of a batch, time side by side as in `Steps`."""

    scores: dict[str, Tensor]
    termination: Float[Tensor, " graphs"]  # logits
    penalty: Float[Tensor, " nodes"] | None
    settled: Float[Tensor, " nodes"] | None = None  # logits: does a node see nothing left to do?


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
                    sharp=architecture.sharp,
                    relative=architecture.relative,
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
    def replicas(self) -> int:
        """How many networks of one shape these parameters are: equal shares of all rows belong
        to them, one after the other."""
        any_heads: Heads = next(iter(self.heads.values()))  # type: ignore[assignment]
        return num_replicas(any_heads.termination.linear)

    @property
    def num_parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.parameters())

    def start(self, start: Start) -> State:
        self.heads_of(start.task)
        return State(start.signals)

    def step(
        self,
        start: Start,
        state: State,
        *,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Step:
        """One step; `gate` takes edges away by degrees."""
        inputs, readings = self.read(start, state)
        said, latent = self.say(start.task, inputs, state.memory, start.edges, gate=gate)
        decided = decide(start.task, said.scores, state.signals, start.edges)
        for name, reading in readings.items():
            if name in decided:
                decided[name] = restored(decided[name], reading)
        assert said.termination is not None
        memory = latent if self.architecture.recurrent else None
        return Step(decided, said.scores, said.termination.sigmoid(), memory)

    def read(self, start: Start, state: State) -> tuple[Signals, dict[str, Reading]]:
        """What a step is fed, and how it read what may be infinite."""
        inputs = (
            start.signals if self.heads_of(start.task).scope.feeds_start_only else state.signals
        )
        endless = start.unbounded if self.architecture.relative else start.endless
        readings = {name: read(inputs[name], start.signals[name], start.edges) for name in endless}
        return {**inputs, **{name: one.values for name, one in readings.items()}}, readings

    def process(
        self,
        heads: Heads,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed:
        """What the processor makes of nodes that a task's heads have encoded."""
        along = heads.along
        options = {} if along is None else {"along": along}
        processed: Processed = self.processor(encoded, edges, gate, **options)
        return processed

    def say(
        self,
        task: Task,
        inputs: Signals,
        memory: Float[Tensor, "nodes latent"] | None,
        edges: Edges,
        *,
        gate: Float[Tensor, " edges"] | None = None,
        only: Collection[str] | None = None,
    ) -> tuple[Said, Float[Tensor, "nodes latent"]]:
        """What it makes of an input and of what it remembers, and its latent nodes."""
        heads = self.heads_of(task)
        encoded = heads.encoder(heads.encoder.read(heads.features(inputs, edges)), memory)
        processed = self.process(heads, encoded, edges, gate)
        return heads(encoded, processed.latent, edges, only), processed.latent

    def stop(self, step: Step) -> Bool[Tensor, " graphs"]:
        return step.terminated > 0.5

    def teach(self, steps: Steps, *, at_nodes: bool = False) -> Taught:
        """What it says at every step; only a processor that remembers has to go in order.

        `at_nodes` also asks how every node sees termination.
        """
        heads = self.heads_of(steps.task)
        encoded, latent, penalty = self._process(heads, steps)
        said: Said = heads(encoded, latent, steps.edges, at_nodes=at_nodes)
        assert said.termination is not None
        return Taught(said.scores, said.termination, penalty, said.settled)

    def can_roll(self, task: Task) -> bool:
        """Can many steps, each on the outputs of the last, be one call?

        Not where nodes are chosen one by one: a choice is one node a graph, and grows a mask.
        """
        scope = self.heads_of(task).scope
        kinds = {task.signals[name].kind for name in scope.predicted}
        feeds = any(name in scope.predicted for name in scope.fed) and not scope.feeds_start_only
        if self.architecture.relative and self.heads_of(task).moving is not None:
            return False  # what is read of a number depends on those of other nodes
        return feeds and Kind.CHOICE not in kinds and isinstance(self.processor, Unrolls)

    def roll(self, steps: Steps) -> dict[str, Tensor]:
        """What each step reads of the signals it predicts, if the first reads its inputs and each
        of the others what came out of the last."""
        heads = self.heads_of(steps.task)
        assert isinstance(self.processor, Unrolls)
        _, *memory = heads.encoder.linear.parts()
        rolled = self.processor.roll(
            heads.features(steps.inputs, steps.edges),
            steps.course,
            memory[0] if memory else None,
            heads.feedback(steps.inputs),
            encoder_relu=heads.encoder.relu,
        )
        return {
            name: values > 0 if steps.task.signals[name].kind is Kind.MASK else values
            for name, values in zip(heads.scope.fed, rolled.unbind(1), strict=True)
            if name in heads.scope.predicted and name in steps.inputs
        }

    def _process(self, heads: Heads, steps: Steps) -> tuple[Tensor, Tensor, Tensor | None]:
        """The encoded and the latent nodes of all steps, and a penalty where there is one."""
        encoder, along = heads.encoder, heads.along
        read = encoder.read(heads.features(steps.inputs, steps.edges))
        recurrent, course = self.architecture.recurrent, steps.course
        options = {} if along is None else {"along": along}
        if isinstance(self.processor, Unrolls):
            memory = encoder.linear.parts()[1] if recurrent else None
            encoded, latents = self.processor.unroll(
                read, course, memory, encoder_relu=encoder.relu, **options
            )
            return encoded, latents, None
        if not recurrent:
            encoded = encoder(read, None)
            latents, _, penalty = self.processor(encoded, steps.edges)
            return encoded, latents, penalty
        encodings, moments = [], []
        latent: Tensor | None = None
        for own, edges in zip(course.split(read), course.moments, strict=True):
            # Runs that have ended are the last ones.
            before = None if latent is None else latent[: edges.num_nodes]
            encodings.append(encoder(own, before))
            moments.append(self.processor(encodings[-1], edges))
            latent = moments[-1].latent
        penalties = [moment.penalty for moment in moments if moment.penalty is not None]
        return (
            course.join(encodings),
            course.join([moment.latent for moment in moments]),
            course.join(penalties) if penalties else None,
        )


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
