"""What a processor is: encoded nodes and edges in, latent nodes out (Equation 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from torch import nn

from neuralexec.batches import Course, Edges
from neuralexec.errors import InputError
from neuralexec.models.architecture import Sharpening
from neuralexec.models.kernels import Feedback
from neuralexec.models.shapes import Float, Tensor


class Processed(NamedTuple):
    latent: Float[Tensor, "nodes latent"]
    attention: Float[Tensor, " edges"] | None = None
    """How much each node attends to each edge into it, where the processor attends."""
    penalty: Float[Tensor, " nodes"] | None = None
    """To be kept low in training, where the processor asks for that."""


class Processor(Protocol):
    def __call__(
        self,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed: ...


@runtime_checkable
class Unrolls(Protocol):
    """A processor that can take many steps at once, its memory included."""

    def unroll(
        self,
        read: Float[Tensor, "rows latent"],
        course: Course,
        memory: Float[Tensor, "*replicas latent latent"] | None,
        *,
        encoder_relu: bool,
    ) -> tuple[Float[Tensor, "rows latent"], Float[Tensor, "rows latent"]]:
        """The encoded and the latent nodes of every step; `memory` is applied to the latent nodes
        of the step before, and added to what is read."""
        ...

    def roll(
        self,
        inputs: Float[Tensor, "rows fed"],
        course: Course,
        memory: Float[Tensor, "*replicas latent latent"] | None,
        feedback: Feedback,
        *,
        encoder_relu: bool,
    ) -> Float[Tensor, "rows fed"]:
        """What each step reads, if all but the first read what came out of the last."""
        ...


@dataclass(frozen=True)
class Options:
    """What a processor may be told when it is built; each takes what concerns it."""

    latent: int = 32
    message_relu: bool = False
    update_relu: bool = True
    sharpening: Sharpening = "none"


@dataclass(frozen=True)
class ProcessorType:
    name: str
    summary: str
    build: Callable[[Options], nn.Module]
    attends: bool = False
    """Can its attention be sharpened?"""
    equivariant: bool = True
    """Does renumbering the nodes renumber its output and do nothing else?"""
    gates: bool = True
    """Can an edge be taken away by degrees?"""

    def check(self, sharpening: Sharpening) -> None:
        """Refuse to sharpen attention that is not there."""
        if sharpening != "none" and not self.attends:
            raise InputError(
                f"{self.name} has no attention to sharpen; "
                "choose sharpening none, or a processor that attends, such as gat"
            )
