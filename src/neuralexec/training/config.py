"""Everything a training depends on: the paper's by default. The text under a field is its help."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin, get_type_hints

from neuralexec.errors import InputError
from neuralexec.models.architecture import Architecture, Readout, Scorer, Sharpening

if TYPE_CHECKING:
    from neuralexec.algorithms import Task

Variant = Literal["full", "no-reach", "no-algo", "curriculum"]
Schedule = Literal["constant", "cosine"]


@dataclass(frozen=True)
class Config:
    tasks: tuple[str, ...] = ("bfs+bellman-ford",)
    """What to learn: algorithms joined by + run together; several tasks share one processor."""
    seed: int = 0
    """Sets the initial weights, the order of the graphs, and the training graphs."""

    processor: str = "mpnn-max"
    """The network that passes messages; `pyg:GATv2Conv` takes a layer of PyTorch Geometric."""
    variant: Variant = "full"
    """no-reach leaves reachability out; no-algo learns predecessors only, from the first input;
    curriculum learns reachability first."""
    latent: int = 32
    """How many features each node has (K in the paper)."""
    sharpening: Sharpening = "none"
    """How attention is made sharp: an entropy penalty, or Gumbel softmax."""
    encoder_relu: bool = False
    """A ReLU after the encoder."""
    message_relu: bool = False
    """A ReLU on every message."""
    update_relu: bool = True
    """A ReLU after the update."""
    scorer: Scorer = "mlp"
    """The network that scores edges: linear, of two layers, or both added."""
    readout: Readout = "min"
    """How termination reads the nodes of a graph: the mean, minimum or maximum of all."""
    sharp: bool = False
    """Do the heads that decide learn how sharp they are, apart from what they read?"""
    relative: bool = False
    """Do distances count relative to each other only? Then adding a number to all of them adds
    it to the results and changes nothing else, and "no path yet" reads as the largest so far,
    plus 2."""
    recurrent: bool = True
    """Does a step read the latent features of the one before?"""

    num_nodes: int = 20
    """Nodes of every training and validation graph."""
    num_train: int = 100
    """Training graphs of each family."""
    num_validation: int = 5
    """Validation graphs of each family."""
    families: tuple[str, ...] = ()
    """The families to train on; all by default."""
    fresh_graphs: bool = False
    """Draw new training graphs for every epoch."""
    infinity_spread: float = 0.0
    """Infinity is the longest shortest path + 1, as in the paper, plus up to this much."""
    infinity_low: float = 1.0
    """... times a number between this and 1. Below 1, nodes that are reached may stay infinite."""
    offset: float = 0.0
    """Add up to this much to all distances of a graph..."""
    offset_share: float = 0.5
    """... in this share of the graphs of a batch."""

    learning_rate: float = 5e-4
    """Of Adam, at the start."""
    schedule: Schedule = "constant"
    """How the learning rate goes on: as it is, or down to 0 along a cosine."""
    batch_size: int = 5
    """Graphs per update."""
    max_epochs: int = 500
    """The most passes over the training graphs."""
    patience: int = 10
    """Stop after so many epochs without a better validation score and keep the best weights;
    0: train for all epochs and keep the last."""
    clip: float = 0.0
    """The largest norm of a gradient; 0: no limit."""
    own_outputs: float = 0.0
    """The share of graphs that are trained on the network's own outputs, not the true inputs;
    none in a task that chooses nodes one by one, where a wrong choice leaves no true next one."""
    own_outputs_ramp: int = 0
    """Over how many epochs that share grows from 0."""
    extra_steps: int = 0
    """Go on training for so many steps after a graph has finished."""
    penalty_weight: float = 0.1
    """Weight of the entropy penalty."""
    number_weight: float = 100.0
    """Weight of the squared error of numbers, such as distances."""
    written_only: bool = True
    """Is a pointer learnt only where a step writes it, such as at the node that Prim just added,
    and not wherever it is defined?"""
    settled_weight: float = 0.0
    """Weight of a further loss: every node tells whether the step leaves it as it is."""
    curriculum_epochs: int = 50
    """The most epochs of the first phase of a curriculum."""

    def __post_init__(self) -> None:
        _check_values(self)
        _check_together(self)

    @property
    def parsed_tasks(self) -> tuple[Task, ...]:
        from neuralexec.algorithms import find_task

        return tuple(find_task(name) for name in self.tasks)

    @property
    def architecture(self) -> Architecture:
        shared = {field.name for field in fields(Architecture)} - {"variant"}
        return Architecture(
            variant="full" if self.variant == "curriculum" else self.variant,
            **{name: getattr(self, name) for name in shared},
        )

    def to_json(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> Config:
        known = {field.name for field in fields(cls)}
        if unknown := set(saved) - known:
            raise InputError(f"unknown setting {', '.join(sorted(unknown))}")
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in saved.items()
        }
        return cls(**values)

    def but(self, **changes: Any) -> Config:
        return replace(self, **changes)


_LEAST: dict[str, float] = {
    "seed": 0,
    "latent": 1,
    "num_nodes": 1,
    "num_train": 1,
    "num_validation": 1,
    "infinity_spread": 0,
    "offset": 0,
    "batch_size": 1,
    "max_epochs": 0,
    "patience": 0,
    "clip": 0,
    "own_outputs_ramp": 0,
    "extra_steps": 0,
    "penalty_weight": 0,
    "number_weight": 0,
    "settled_weight": 0,
    "curriculum_epochs": 0,
}
_MOST: dict[str, int] = {"seed": 2**63 - 1, "latent": 10_000, "extra_steps": 1_000_000}
_MOST_OF_ANYTHING = 1_000_000_000
_SHARES = ("offset_share", "own_outputs", "infinity_low")
_COMMUTE_WITH_SHIFTS = ("mpnn-max", "mpnn-mean")  # a sum adds what is added once for each edge


def _check_values(config: Config) -> None:
    kinds = get_type_hints(Config)
    for name, value in config.to_json().items():
        flag = name.replace("_", "-")
        kind = kinds[name]
        if get_origin(kind) is Literal and value not in get_args(kind):
            choices = ", ".join(get_args(kind))
            raise InputError(f"unknown {flag} {value!r}; choose one of {choices}")
        if kind in (int, float, bool, str) and not _fits(value, kind):
            raise InputError(f"{flag} must be of type {kind.__name__}; got {value!r}")
        if name in _LEAST and not value >= _LEAST[name]:
            raise InputError(f"{flag} must be at least {_LEAST[name]}; got {value}")
        most = _MOST.get(name, _MOST_OF_ANYTHING)
        if kind is int and value > most:
            raise InputError(f"{flag} must be at most {most:,}; got {value:,}")
        if name in _SHARES and not 0 <= value <= 1:
            raise InputError(f"{flag} must be between 0 and 1; got {value}")
        if kind is float and not math.isfinite(value):
            raise InputError(f"{flag} must be a finite number; got {value}")
    if not config.learning_rate > 0:
        raise InputError(f"learning-rate must be above 0; got {config.learning_rate}")


def _fits(value: object, kind: type) -> bool:
    if kind is float:
        return isinstance(value, float | int) and not isinstance(value, bool)
    return type(value) is kind


def _check_together(config: Config) -> None:
    if not all(isinstance(name, str) for name in (*config.tasks, *config.families)):
        raise InputError("tasks and families must be named by text")
    # Loaded here, so that the command line can show these settings without loading torch.
    from neuralexec.graphs.families import families, find_family
    from neuralexec.models.processors import find_processor
    from neuralexec.models.scope import scope_of

    if not config.tasks:
        raise InputError("no task to learn; name at least one, such as bfs+bellman-ford")
    if len(set(config.tasks)) < len(config.tasks):
        raise InputError(f"a task is named twice: {', '.join(config.tasks)}")
    for name in config.families or families():
        find_family(name).check_size(config.num_nodes)
    find_processor(config.processor).check(config.sharpening)
    for task in config.parsed_tasks:
        scope = scope_of(task, config.architecture.variant)
        if config.relative and any(task.signals[name].translates for name in scope.fed):
            _check_relative(config)
        if config.variant == "curriculum" and "bfs" not in task.name.split("+")[:-1]:
            raise InputError(
                f"a curriculum learns reachability first, and {task.name} is not BFS with another "
                "algorithm; choose bfs+bellman-ford"
            )
    if config.variant == "no-algo" and not config.recurrent:
        raise InputError("no-algo has only its latent features to remember by; use recurrent")


def _check_relative(config: Config) -> None:
    """A number added to all distances must be lost on the latent nodes, and reach the scorer."""
    wanted = {
        "processor mpnn-max or mpnn-mean": config.processor in _COMMUTE_WITH_SHIFTS,
        "no-recurrent": not config.recurrent,
        "no-encoder-relu": not config.encoder_relu,
        "no-message-relu": not config.message_relu,
        "scorer linear or both": config.scorer in ("linear", "both"),
        "own-outputs 0": not config.own_outputs,
    }
    if missing := [setting for setting, is_met in wanted.items() if not is_met]:
        raise InputError(
            f"distances that count relatively need {', '.join(missing)}; "
            "change that, or use no-relative"
        )
