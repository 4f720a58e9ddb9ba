"""The LSTM baseline: each graph is read as its list of edges, by receiver, then sender.

A token is (z_i, z_j, e_ij). Node i's latent is the output at its self-edge, so that its place in
the list is all that ties an output to a node.
"""

import torch
from torch import nn
from torch.func import functional_call
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from neuralexec.batches import Edges
from neuralexec.errors import InputError
from neuralexec.models.kernels.lstm import ListReader, can_read_lists, read_lists
from neuralexec.models.linear import matrices, per_replica
from neuralexec.models.processors.processor import Options, Processed, ProcessorType
from neuralexec.models.shapes import Float, Int, Tensor


class Lstm(nn.Module):
    def __init__(self, latent: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(2 * latent + 1, latent, batch_first=True)

    def forward(
        self,
        encoded: Float[Tensor, "nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed:
        if gate is not None:
            raise InputError("the lstm has no messages to gate; explain another processor")
        if can_read_lists(encoded):
            return Processed(read_lists(encoded, edges, self._reader()))
        return Processed(self._read_by_torch(encoded, edges))

    def _reader(self) -> ListReader:
        of_token, recurrent, *biases = self.lstm.parameters()
        return ListReader(matrices(of_token), matrices(recurrent), *map(per_replica, biases))

    def _read_by_torch(
        self, encoded: Float[Tensor, "nodes latent"], edges: Edges
    ) -> Float[Tensor, "nodes latent"]:
        tokens = torch.cat(
            (
                encoded.index_select(0, edges.receivers),
                encoded.index_select(0, edges.senders),
                edges.weights[:, None],
            ),
            dim=-1,
        )
        lengths = edges.sizes[1]
        lists = pad_sequence(tokens.split(lengths.tolist()), batch_first=True)
        replicas = self._replicas()
        shares = zip(
            lists.chunk(len(replicas)), lengths.chunk(len(replicas)), replicas, strict=True
        )
        outputs = torch.cat([self._read(*share) for share in shares])
        graphs = edges.graph_of_node
        return outputs[graphs, edges.self_edges - edges.edge_offsets[graphs]]

    def _replicas(self) -> list[dict[str, Tensor]]:
        """The weights of each replica."""
        weights: dict[str, Tensor] = dict(self.lstm.named_parameters())
        if weights["bias_ih_l0"].ndim == 1:
            return [weights]
        names, values = weights.keys(), zip(*weights.values(), strict=True)
        return [dict(zip(names, own, strict=True)) for own in values]

    def _read(
        self,
        lists: Float[Tensor, "graphs longest token"],
        lengths: Int[Tensor, " graphs"],
        weights: dict[str, Tensor],
    ) -> Float[Tensor, "graphs longest latent"]:
        packed = pack_padded_sequence(lists, lengths, batch_first=True, enforce_sorted=False)
        # cuDNN keeps a copy of the weights, which does not follow those of a training.
        with torch.backends.cudnn.flags(enabled=False):
            outputs, _ = functional_call(self.lstm, weights, (packed,))
        padded: Tensor
        padded, _ = pad_packed_sequence(outputs, batch_first=True, total_length=lists.shape[1])
        return padded


def _build(options: Options) -> Lstm:
    return Lstm(options.latent)


processor = ProcessorType(
    name="lstm",
    summary="an LSTM over the serialised edge list",
    build=_build,
    equivariant=False,
    gates=False,
)
