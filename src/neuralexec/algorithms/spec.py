"""What an algorithm is: named signals, a start, a pure step, and an independent oracle.

Heads, losses and scores are each one mapping from `Kind`; nothing else in the program knows any
algorithm by name, so a file in this folder is all that a new one needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from numpy.typing import NDArray

from neuralexec.errors import InputError
from neuralexec.graphs.problem import NO_NODE, Problem
from neuralexec.graphs.problems import Problems

UNDEFINED = NO_NODE
"""The node a pointer or a choice names when it names none."""

State = Mapping[str, NDArray[Any]]
"""Signal name -> its values, one per node; one per graph for a CHOICE."""


class Kind(Enum):
    """What a signal's values are."""

    MASK = "a bit per node"
    SCALAR = "a real number per node"
    POINTER = "a neighbour per node: an edge into it, named by its sender"
    CHOICE = "one node per graph"

    @property
    def per_node(self) -> bool:
        return self is not Kind.CHOICE


@dataclass(frozen=True)
class Signal:
    kind: Kind
    meaning: str
    """In words, as in the paper's table of inputs and supervision signals."""
    fed_back: bool = False
    """Is it part of the next step's input? The run ends when no such signal changes."""
    supervised_where: str | None = None
    """Which nodes its loss covers: all, those a mask names, or the node a choice just chose."""
    grows: str | None = None
    """The mask a CHOICE adds its node to; that mask has no head and excludes nodes already in."""
    translates: bool = False
    """Does a step commute with adding one number to this SCALAR at every node of a graph?"""
    begins_infinite: bool = False
    """Is this SCALAR infinite, or the problem's stand-in for that, where nothing is known yet?"""


@dataclass(frozen=True)
class Algorithm:
    name: str
    title: str
    signals: Mapping[str, Signal]
    start: Callable[[Problems], State]
    step: Callable[[Problems, State], State]
    """Pure: everything after one step, from everything before it, in all graphs at once."""
    oracle: Callable[[Problem], State]
    """The last state's signals, found another way (by SciPy), for tests and checks."""
    more_steps_than_nodes: int = 0
    """How many more steps than there are nodes a run can take, the last included."""
    needs_source: bool = True
    undirected_only: bool = False

    def __post_init__(self) -> None:
        for name, signal in self.signals.items():
            for other in (signal.supervised_where, signal.grows):
                if other is not None and other not in self.signals:
                    raise ValueError(f"{self.name}: {name!r} refers to unknown signal {other!r}")
        if not any(signal.fed_back for signal in self.signals.values()):
            raise ValueError(f"{self.name}: no signal is fed back, so no run could ever end")

    def check(self, problem: Problem) -> None:
        """Refuse a problem that this algorithm is not defined on."""
        if self.needs_source and problem.source is None:
            raise InputError(f"{self.title} starts from a source; name one")
        if self.undirected_only and problem.graph.directed:
            raise InputError(f"{self.title} is defined on undirected graphs; this one is directed")

    @property
    def fed_back(self) -> tuple[str, ...]:
        return tuple(name for name, signal in self.signals.items() if signal.fed_back)


@dataclass(frozen=True)
class Task:
    """Algorithms run together, step by step; it ends when all have (BFS with Bellman-Ford)."""

    algorithms: tuple[Algorithm, ...]

    def __post_init__(self) -> None:
        names = [name for algorithm in self.algorithms for name in algorithm.signals]
        repeated = {name for name in names if names.count(name) > 1}
        if repeated:
            raise InputError(
                f"{self.name} cannot run as one task: {', '.join(sorted(repeated))} would be "
                "two signals of one name; train them as separate tasks"
            )
        if not self.algorithms:
            raise InputError("a task needs at least one algorithm")

    @property
    def more_steps_than_nodes(self) -> int:
        return max(algorithm.more_steps_than_nodes for algorithm in self.algorithms)

    @property
    def name(self) -> str:
        return "+".join(algorithm.name for algorithm in self.algorithms)

    @property
    def signals(self) -> dict[str, Signal]:
        return {
            name: signal
            for algorithm in self.algorithms
            for name, signal in algorithm.signals.items()
        }
