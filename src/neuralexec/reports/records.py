"""What a folder of results holds beside its cells: curves, explanations, trainings and claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neuralexec.errors import InputError


@dataclass(frozen=True)
class Curve:
    """One model's score at every step of its executions, over seeds."""

    row: str
    preset: str
    metric: str
    num_nodes: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    """One of each per step."""
    seeds: int

    def __post_init__(self) -> None:
        if len(self.mean) != len(self.std):
            raise InputError(
                f"'mean' has {len(self.mean)} steps and 'std' {len(self.std)}; give as many of both"
            )
        if not self.mean:
            raise InputError("'mean' has no steps; give at least one")

    @property
    def is_error(self) -> bool:
        return self.metric.endswith("error")


@dataclass(frozen=True)
class Explanation:
    """Why a node is reachable: the path back to the source, on a picture of the graph."""

    title: str
    family: str
    num_nodes: int
    source: int
    senders: tuple[int, ...]
    receivers: tuple[int, ...]
    node: int
    path: tuple[tuple[int, int, bool], ...]
    """Child, parent, and whether that is the true predecessor."""

    def __post_init__(self) -> None:
        if len(self.senders) != len(self.receivers):
            raise InputError(
                f"has {len(self.senders)} 'senders' and {len(self.receivers)} 'receivers'; "
                "an edge needs both"
            )
        ends = {*self.senders, *self.receivers, self.source, self.node}
        ends.update(end for child, parent, _ in self.path for end in (child, parent))
        wrong = sorted(end for end in ends if not 0 <= end < self.num_nodes)
        if wrong:
            raise InputError(f"node {wrong[0]} is not one of {self.num_nodes} nodes; correct it")


@dataclass(frozen=True)
class Training:
    """What one training cost and came to."""

    name: str
    row: str
    preset: str
    task: str
    seed: int
    epochs: int
    best_epoch: int | None
    validation: float | None
    parameters: int
    seconds: float
    device: str
    config: Mapping[str, object]


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and whether it holds here; None if these results cannot say."""

    title: str
    text: str = ""
    holds: bool | None = None
