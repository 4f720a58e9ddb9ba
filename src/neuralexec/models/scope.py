"""Which signals a network is fed and which it predicts: the paper's ablations are scopes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from neuralexec.algorithms import Kind, Task
from neuralexec.errors import InputError
from neuralexec.models.architecture import Variant
from neuralexec.plugins import choose


@dataclass(frozen=True)
class Scope:
    fed: tuple[str, ...]
    predicted: tuple[str, ...]
    feeds_start_only: bool = False
    """Is the input of every step that of the first?"""
    teaches_end_only: bool = False
    """Are the predictions of the last step alone supervised (termination excepted)?"""


def scope_of(task: Task, variant: Variant | str = "full") -> Scope:
    """What a network for this task is fed and predicts."""
    return choose(_SCOPES, variant, "variant")(task)


def _full(task: Task) -> Scope:
    """Everything the algorithms feed back, and everything but masks that a choice grows."""
    grown = {signal.grows for signal in task.signals.values()}
    return Scope(
        fed=tuple(name for name, signal in task.signals.items() if signal.fed_back),
        predicted=tuple(name for name in task.signals if name not in grown),
    )


def _no_reach(task: Task) -> Scope:
    """Without the signals of BFS, which runs beside another algorithm."""
    reach = {name for part in task.algorithms if part.name == "bfs" for name in part.signals}
    full = _full(task)
    left = Scope(
        fed=tuple(name for name in full.fed if name not in reach),
        predicted=tuple(name for name in full.predicted if name not in reach),
    )
    if not reach or not left.predicted:
        raise InputError(
            f"no-reach leaves reachability out of BFS with another algorithm; {task.name} is not "
            "that: choose bfs+bellman-ford, or the variant full"
        )
    return left


def _no_algo(task: Task) -> Scope:
    """Predecessors straight from the first input, with no intermediate values to learn from."""
    pointers = tuple(name for name, signal in task.signals.items() if signal.kind is Kind.POINTER)
    if not pointers:
        raise InputError(
            f"no-algo learns predecessors only, and {task.name} has none; "
            "choose bfs+bellman-ford or prim, or the variant full"
        )
    return Scope(_full(task).fed, pointers, feeds_start_only=True, teaches_end_only=True)


_SCOPES: dict[str, Callable[[Task], Scope]] = {
    "full": _full,
    "no-reach": _no_reach,
    "no-algo": _no_algo,
}
