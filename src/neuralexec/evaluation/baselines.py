"""An executor that has learnt nothing, so that a reader sees what a score is worth.

Everything is reached, every node points along the lightest edge into it, the next node is the one
with the lightest edge from another, numbers stay as they began, and nothing ever ends.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from neuralexec.algorithms import Kind
from neuralexec.batches import Start
from neuralexec.models.decide import decide
from neuralexec.models.executor import State, Step
from neuralexec.models.kernels import segment_max
from neuralexec.models.scope import scope_of


class TrivialExecutor:
    def start(self, start: Start) -> State:
        return State(start.signals)

    def step(self, start: Start, state: State) -> Step:
        signals = start.task.signals
        scores = {
            name: _SCORES[signals[name].kind](start, state.signals[name])
            for name in scope_of(start.task).predicted
        }
        decided = decide(start.task, scores, state.signals, start.edges)
        never = start.edges.weights.new_zeros(start.edges.num_graphs)
        return Step(decided, scores, terminated=never)

    def stop(self, step: Step) -> Tensor:
        return step.terminated > 0.5


def _lightness_of_nodes(start: Start, _: Tensor) -> Tensor:
    edges = start.edges
    lightness = (-edges.weights).masked_fill(edges.senders == edges.receivers, -1e8)
    return segment_max(lightness, edges.offsets)


_SCORES: dict[Kind, Callable[[Start, Tensor], Tensor]] = {
    Kind.MASK: lambda start, now: start.edges.weights.new_ones(start.edges.num_nodes),
    Kind.SCALAR: lambda start, now: now,
    Kind.POINTER: lambda start, now: -start.edges.weights,
    Kind.CHOICE: _lightness_of_nodes,
}
