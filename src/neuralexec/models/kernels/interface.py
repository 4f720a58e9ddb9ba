"""What every kernel implementation offers, and exactly what it must compute."""

from typing import Literal, Protocol, runtime_checkable

from neuralexec.batches import Edges
from neuralexec.models.shapes import Float, Int, Tensor

Reduce = Literal["max", "mean", "sum"]


@runtime_checkable
class Kernels(Protocol):
    def pass_messages(
        self,
        receiver_part: Float[Tensor, "*lead nodes latent"],
        sender_part: Float[Tensor, "*lead nodes latent"],
        edge_part: Float[Tensor, "*lead_or_one one latent"],
        edges: Edges,
        *,
        reduce: Reduce,
        relu: bool,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Float[Tensor, "*lead nodes latent"]:
        """At node i, the reduction over edges (j, i) of act(receiver_i + sender_j + w_ji edge).

        The gate, in [0, 1], takes an edge away by degrees: at 1 nothing changes, at 0 it is as if
        the edge were not there. A node without edges gets 0.
        """
        ...

    def log_softmax(
        self,
        scores: Float[Tensor, "*lead items"],
        offsets: Int[Tensor, " segments_and_one"],
        owners: Int[Tensor, " items"],
    ) -> Float[Tensor, "*lead items"]:
        """Within each segment of items; `owners` is the segment of each item."""
        ...

    def weighted_sum(
        self,
        coefficients: Float[Tensor, "*lead edges"],
        values: Float[Tensor, "*lead nodes latent"],
        edges: Edges,
    ) -> Float[Tensor, "*lead nodes latent"]:
        """At each node i, the sum over edges (j, i) of coefficient_ji value_j."""
        ...

    def segment_sum(
        self, values: Float[Tensor, "*lead items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, "*lead segments"]: ...

    def segment_max(
        self, values: Float[Tensor, "*lead items"], offsets: Int[Tensor, " segments_and_one"]
    ) -> Float[Tensor, "*lead segments"]: ...

    def argmax(
        self,
        scores: Float[Tensor, "*lead items"],
        offsets: Int[Tensor, " segments_and_one"],
        owners: Int[Tensor, " items"],
    ) -> Int[Tensor, "*lead segments"]:
        """The first item of the highest score in each segment, -1 where the segment is empty.

        NaN counts as the lowest score.
        """
        ...
