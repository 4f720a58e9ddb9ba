"""Classical algorithms, one file each, as steps that a network can be taught."""

import sys
from functools import cache

from neuralexec.algorithms.spec import UNDEFINED, Algorithm, Kind, Signal, State, Task
from neuralexec.algorithms.trace import Trace, Traces, iterate, run_to_end, trace, trace_all
from neuralexec.plugins import choose, discover


@cache
def algorithms() -> dict[str, Algorithm]:
    """Every algorithm by name."""
    return discover(sys.modules[__name__], "algorithm", Algorithm)


def find_algorithm(name: str) -> Algorithm:
    return choose(algorithms(), name, "algorithm")


def find_task(name: str) -> Task:
    """A task by the names of its algorithms: "prim", or "bfs+bellman-ford"."""
    return Task(tuple(find_algorithm(part) for part in name.split("+")))


__all__ = [
    "UNDEFINED",
    "Algorithm",
    "Kind",
    "Signal",
    "State",
    "Task",
    "Trace",
    "Traces",
    "algorithms",
    "find_algorithm",
    "find_task",
    "iterate",
    "run_to_end",
    "trace",
    "trace_all",
]
