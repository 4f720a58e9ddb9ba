"""The same message-passing step as one would write it with PyTorch Geometric."""

import torch
from torch import Tensor, nn
from torch_geometric.nn import MessagePassing

from neuralexec.models.processors.mpnn import Mpnn


class PygMpnn(MessagePassing):
    """h_i = relu(U [z_i, max_j M [z_i, z_j, e_ij]])"""

    def __init__(self, latent: int) -> None:
        super().__init__(aggr="max")
        self.of_message = nn.Linear(2 * latent + 1, latent)
        self.of_update = nn.Linear(2 * latent, latent)

    @classmethod
    def with_weights_of(cls, ours: Mpnn) -> "PygMpnn":
        step = cls(ours.message.weight.shape[0])
        with torch.no_grad():
            for theirs, linear in ((step.of_message, ours.message), (step.of_update, ours.update)):
                theirs.weight.copy_(linear.weight)
                theirs.bias.copy_(linear.bias)
        return step

    def forward(self, encoded: Tensor, edge_index: Tensor, weights: Tensor) -> Tensor:
        received = self.propagate(edge_index, x=encoded, weights=weights[:, None])
        return self.of_update(torch.cat((encoded, received), dim=-1)).relu()

    def message(self, x_i: Tensor, x_j: Tensor, weights: Tensor) -> Tensor:
        return self.of_message(torch.cat((x_i, x_j, weights), dim=-1))
