"""Run an executor step by step: for the true number of steps, until it stops by itself, or forced.

A graph that has finished is frozen: its state repeats, as in a batch of true traces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch

from neuralexec.algorithms import UNDEFINED
from neuralexec.batches import Signals, Start
from neuralexec.errors import InputError
from neuralexec.models.decide import advance
from neuralexec.models.executor import Executor, State
from neuralexec.models.shapes import Bool, Float, Int, Tensor


@dataclass(frozen=True, eq=False)
class Moment:
    """A run after a step."""

    signals: Signals
    terminated: Float[Tensor, " graphs"]  # the probability, as the executor sees it
    stops: Bool[Tensor, " graphs"]  # what it makes of that
    running: Bool[Tensor, " graphs"]  # was this graph still running in this step?
    stopped_itself: Bool[Tensor, " graphs"]
    scores: Signals


@dataclass(frozen=True, eq=False)
class Rollout:
    """Every state of a run, in the form of a `Batch`'s."""

    states: dict[str, Tensor]  # [steps + 1, nodes or graphs]
    terminated: Float[Tensor, "steps graphs"]
    stops: Bool[Tensor, "steps graphs"]
    num_steps: Int[Tensor, " graphs"]
    stopped_itself: Bool[Tensor, " graphs"]


def execute(
    executor: Executor,
    start: Start,
    *,
    lengths: Int[Tensor, " graphs"] | None = None,
    forced: Mapping[str, Tensor] | None = None,
    max_steps: int | None = None,
) -> Iterator[Moment]:
    """One moment per step; only the last two states live at a time.

    With `lengths` every graph runs for that many steps; without, until the executor stops it, but
    at most `max_steps` or as many steps as the algorithms need on so many nodes. With `forced`,
    states [steps + 1, ...], each step reads the true state instead of its own.
    """
    edges = start.edges
    state = executor.start(start)
    if max_steps is not None and max_steps < 1:
        raise InputError(f"max_steps must be at least 1; got {max_steps}")
    cap = edges.num_nodes_of_graph + start.task.more_steps_than_nodes
    if max_steps is not None:
        cap = cap.clamp(max=max_steps)
    last_step = (cap if lengths is None else lengths) - 1
    running = stopped = None
    for step_number in range(int(last_step.max()) + 1):
        if forced is not None:
            true = {name: values[step_number] for name, values in forced.items()}
            state = State({**state.signals, **true}, state.memory)
        step = executor.step(start, state)
        stops = executor.stop(step)
        if running is None or stopped is None:
            running, stopped = torch.ones_like(stops), torch.zeros_like(stops)
        at_the_end = last_step == step_number
        # Cut short by the cap is not finished: the step counts in full.
        finishing = stops if lengths is None else at_the_end
        if lengths is None:
            stopped = stopped | (running & stops)
        after = advance(start.task, state.signals, step.decided, finishing, edges)
        signals = _frozen_where_done(start, running, state.signals, after)
        yield Moment(signals, step.terminated, stops, running, stopped, step.scores)
        running = running & ~(finishing | at_the_end)
        if not running.any():
            return
        state = State(signals, step.memory)


def rollout(
    executor: Executor,
    start: Start,
    *,
    lengths: Int[Tensor, " graphs"] | None = None,
    forced: Mapping[str, Tensor] | None = None,
    max_steps: int | None = None,
) -> Rollout:
    """Run to the end and keep every state."""
    signals: list[Signals] = [executor.start(start).signals]
    moments = []
    for moment in execute(executor, start, lengths=lengths, forced=forced, max_steps=max_steps):
        signals.append(moment.signals)
        moments.append((moment.terminated, moment.stops, moment.running))
    terminated, stops, running = (torch.stack(rows) for rows in zip(*moments, strict=True))
    return Rollout(
        states={name: torch.stack([row[name] for row in signals]) for name in signals[0]},
        terminated=terminated,
        stops=stops,
        num_steps=running.sum(0),
        stopped_itself=moment.stopped_itself,
    )


def _frozen_where_done(
    start: Start, running: Bool[Tensor, " graphs"], before: Signals, after: Signals
) -> Signals:
    if running.all():
        return after
    running_nodes = running.index_select(0, start.edges.graph_of_node)
    frozen = {}
    for name, values in after.items():
        if start.task.signals[name].kind.per_node:
            frozen[name] = torch.where(running_nodes, values, before[name])
        else:  # what has finished chooses nothing
            frozen[name] = torch.where(running, values, UNDEFINED)
    return frozen
