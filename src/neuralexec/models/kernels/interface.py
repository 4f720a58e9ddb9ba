"""The passes over edges that cost the time: what each must compute, forward and backward.

An implementation gives values and gradients; `operations` makes them differentiable. Rows are the
nodes of all graphs. Where there are replicas, parameters have a row for each, and equal shares of
the nodes, one after the other, belong to them.

The rules every implementation keeps, so that all make the same choices:

- Of several edges that attain a maximum the first counts, and gets all of the gradient.
- A message that is not a number is the largest; a score that is not a number is the lowest.
- A node without edges receives 0; a segment without items has no best item, which is -1.
- A score is added up by halves: the second half of the terms onto the first, until one is left.
- Gradients of parameters are summed at every node, and over nodes in double precision.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol, runtime_checkable

from neuralexec.batches import Course, Edges
from neuralexec.models.shapes import Float, Int, Tensor

Reduce = Literal["max", "mean", "sum"]


class Scoring(NamedTuple):
    """What the scores of edges are made of: `linear` and `hidden` may each be missing (size 0).

    linear: receiver_i + sender_j + w_ji edge
    hidden: out · relu(receiver_i + sender_j + w_ji edge)
    """

    receivers: Float[Tensor, "nodes hidden"]
    senders: Float[Tensor, "nodes hidden"]
    edge: Float[Tensor, "replicas hidden"]
    out: Float[Tensor, "replicas hidden"]
    linear_receivers: Float[Tensor, " nodes_or_none"]
    linear_senders: Float[Tensor, " nodes_or_none"]
    linear_edge: Float[Tensor, " replicas_or_none"]


class Cell(NamedTuple):
    """The parameters of a step of a message-passing network, a row or matrix for each replica.

    z_t = act(read_t + memory h_{t-1})
    h_t = act(own z_t + received ⊕_j act(receiver z_i + sender z_j + edge w_ji + bias) + bias)
    """

    memory: Float[Tensor, "replicas latent latent"] | None
    receiver: Float[Tensor, "replicas latent latent"]
    receiver_bias: Float[Tensor, "replicas latent"]
    sender: Float[Tensor, "replicas latent latent"]
    edge: Float[Tensor, "replicas latent"]
    own: Float[Tensor, "replicas latent latent"]
    received: Float[Tensor, "replicas latent latent"]
    bias: Float[Tensor, "replicas latent"]


class Form(NamedTuple):
    reduce: Reduce
    encoder_relu: bool
    message_relu: bool
    update_relu: bool


class Unrolled(NamedTuple):
    """What many steps came to, a row for each node of each step; and what the way back needs."""

    encoded: Float[Tensor, "rows latent"]
    latent: Float[Tensor, "rows latent"]
    received: Float[Tensor, "rows latent"]
    before: Float[Tensor, "rows latent"] | None = None  # the latent nodes of the step before
    chosen: Int[Tensor, "rows latent"] | None = None
    receivers: Float[Tensor, "rows latent"] | None = None
    senders: Float[Tensor, "rows latent"] | None = None


class Back(NamedTuple):
    """Gradients of many steps: of what they read, of their outputs before the last ReLU, and of
    what was added to messages."""

    read: Float[Tensor, "rows latent"]
    latent: Float[Tensor, "rows latent"]
    receivers: Float[Tensor, "rows latent"]
    senders: Float[Tensor, "rows latent"]
    edge: Float[Tensor, "replicas latent"]


class Feedback(NamedTuple):
    """How a network's outputs become its inputs: numbers or, of bits, whether they are above 0."""

    read: Float[Tensor, "replicas latent fed"]
    read_bias: Float[Tensor, "replicas latent"]
    encoded: Float[Tensor, "replicas outputs latent"]
    latent: Float[Tensor, "replicas outputs latent"]
    bias: Float[Tensor, "replicas outputs"]
    columns: tuple[int, ...]  # which input each output becomes
    bits: tuple[bool, ...]


@runtime_checkable
class Kernels(Protocol):
    def largest(
        self,
        receivers: Float[Tensor, "nodes latent"] | None,
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        keep_chosen: bool,
    ) -> tuple[Float[Tensor, "nodes latent"], Int[Tensor, "nodes latent"] | None]:
        """receiver_i + the largest over edges (j, i) of sender_j + w_ji edge; and which edge.

        Without receivers, what they add is left out.
        """
        ...

    def largest_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        chosen: Int[Tensor, "nodes latent"],
        edges: Edges,
        replicas: int,
    ) -> tuple[Float[Tensor, "nodes latent"], Float[Tensor, "replicas latent"]]:
        """The gradients of senders and edge; that of receivers is `grad`, where there are edges."""
        ...

    def total(
        self,
        receivers: Float[Tensor, "nodes latent"],
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        relu: bool,
    ) -> Float[Tensor, "nodes latent"]:
        """The sum over edges (j, i) of receiver_i + sender_j + w_ji edge, each through a ReLU."""
        ...

    def total_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        receivers: Float[Tensor, "nodes latent"],
        senders: Float[Tensor, "nodes latent"],
        edge: Float[Tensor, "replicas latent"],
        edges: Edges,
        *,
        relu: bool,
    ) -> tuple[
        Float[Tensor, "nodes latent"],
        Float[Tensor, "nodes latent"],
        Float[Tensor, "replicas latent"],
    ]: ...

    def score(self, scoring: Scoring, edges: Edges) -> Float[Tensor, " edges"]: ...

    def score_backward(
        self, grad: Float[Tensor, " edges"], scoring: Scoring, edges: Edges
    ) -> Scoring: ...

    def weighted_sum(
        self,
        coefficients: Float[Tensor, " edges"],
        values: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, "nodes latent"]:
        """At each node i, the sum over edges (j, i) of coefficient_ji value_j."""
        ...

    def weighted_sum_backward(
        self,
        grad: Float[Tensor, "nodes latent"],
        coefficients: Float[Tensor, " edges"],
        values: Float[Tensor, "nodes latent"],
        edges: Edges,
    ) -> tuple[Float[Tensor, " edges"], Float[Tensor, "nodes latent"]]: ...

    def log_softmax(
        self, scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, " items"]:
        """Within each segment of items."""
        ...

    def log_softmax_backward(
        self,
        grad: Float[Tensor, " items"],
        logs: Float[Tensor, " items"],
        offsets: Int[Tensor, " segments_and_one"],
    ) -> Float[Tensor, " items"]: ...

    def segment_sum(
        self, values: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, " segments"]: ...

    def argmax(
        self, scores: Float[Tensor, " items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Int[Tensor, " segments"]:
        """The best item of each segment."""
        ...

    def unroll(
        self,
        read: Float[Tensor, "rows latent"],
        course: Course,
        cell: Cell,
        form: Form,
        *,
        training: bool,
    ) -> Unrolled:
        """Many steps of a message-passing network."""
        ...

    def unroll_backward(
        self,
        to_encoded: Float[Tensor, "rows latent"] | None,
        to_latent: Float[Tensor, "rows latent"],
        unrolled: Unrolled,
        course: Course,
        cell: Cell,
        form: Form,
    ) -> Back: ...

    def roll(
        self,
        inputs: Float[Tensor, "rows fed"],
        course: Course,
        cell: Cell,
        form: Form,
        feedback: Feedback,
    ) -> Float[Tensor, "rows fed"]:
        """What each step reads if the first reads its inputs, and the others what came out."""
        ...
