"""Networks for which distances count relative to each other only.

A step of Bellman-Ford commutes with adding one number to all distances. Larger graphs have larger
distances, so a network that commutes with that as well has seen more of them than it was shown.
Along the direction v in which the encoder writes the distance, the message-passing network answers
nothing, and a decoder 1 for the distance itself, 0 for all else: each a correction of rank one,
taken off its matrix. As a node sees its neighbours only, what holds of a number added everywhere
holds of one added around the node.
"""

from neuralexec.models.shapes import Float, Tensor


def answering(
    row: Float[Tensor, "*replicas one latent"],
    along: Float[Tensor, "*replicas latent"],
    answer: float,
) -> Float[Tensor, "*replicas one latent"]:
    """The row, but its product with the direction is the answer."""
    unit = along / along.square().sum(-1, keepdim=True)
    said = (row * along.unsqueeze(-2)).sum(-1, keepdim=True)
    return row + (answer - said) * unit.unsqueeze(-2)


def answering_nothing(
    own: Float[Tensor, "replicas latent latent"],
    received: Float[Tensor, "replicas latent latent"],
    message: Float[Tensor, "replicas latent latent"],
    along: Float[Tensor, "replicas latent"],
) -> Float[Tensor, "replicas latent latent"]:
    """What an update applies to a node itself, such that a shift of all nodes along the direction
    cancels with what it does to the messages."""
    column = along.unsqueeze(-1)
    said = own @ column + received @ (message @ column)
    return own - said @ (column / along.square().sum(-1)[:, None, None]).mT
