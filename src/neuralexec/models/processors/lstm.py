"""The LSTM baseline: each graph is read as its list of edges, by receiver, then sender.

A token is (z_i, z_j, e_ij). Node i's latent is the output at its self-edge, so that its place in
the list is all that ties an output to a node.
"""

from collections.abc import Mapping

import torch
from torch import nn
from torch.func import functional_call
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from neuralexec.batches import Edges
from neuralexec.errors import InputError
from neuralexec.models.processors.processor import Options, Processed, ProcessorType
from neuralexec.models.shapes import Float, Tensor


class Lstm(nn.Module):
    def __init__(self, latent: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(2 * latent + 1, latent, batch_first=True)

    def forward(
        self,
        encoded: Float[Tensor, "*lead nodes latent"],
        edges: Edges,
        gate: Float[Tensor, " edges"] | None = None,
    ) -> Processed:
        if gate is not None:
            raise InputError("the lstm has no messages to gate; explain another processor")
        weights = dict(self.lstm.named_parameters())
        if next(iter(weights.values())).ndim == 2:
            return Processed(self._read(encoded, edges, weights))
        replicas = [
            self._read(one, edges, {name: weight[place] for name, weight in weights.items()})
            for place, one in enumerate(encoded)
        ]
        return Processed(torch.stack(replicas))

    def _read(
        self,
        encoded: Float[Tensor, "*lead nodes latent"],
        edges: Edges,
        weights: Mapping[str, Tensor],
    ) -> Float[Tensor, "*lead nodes latent"]:
        lead = encoded.shape[:-2]
        encoded = encoded.flatten(end_dim=-3) if len(lead) else encoded[None]
        tokens = torch.cat(
            (
                encoded.index_select(1, edges.receivers),
                encoded.index_select(1, edges.senders),
                edges.weights[:, None].expand(len(encoded), -1, 1),
            ),
            dim=-1,
        )
        lengths = edges.edge_offsets.diff().tolist()
        lists = pad_sequence(
            [part for one in tokens for part in one.split(lengths)], batch_first=True
        )
        packed = pack_padded_sequence(
            lists, torch.tensor(lengths * len(tokens)), batch_first=True, enforce_sorted=False
        )
        outputs, _ = functional_call(self.lstm, dict(weights), (packed,))
        padded, _ = pad_packed_sequence(outputs, batch_first=True, total_length=max(lengths))
        graphs = edges.graph_of_node
        places = edges.self_edges - edges.edge_offsets[graphs]
        of_copies = padded.reshape(len(tokens), len(lengths), *padded.shape[1:])
        return of_copies[:, graphs, places].reshape(*lead, edges.num_nodes, padded.shape[-1])


def _build(options: Options) -> Lstm:
    return Lstm(options.latent)


processor = ProcessorType(
    name="lstm",
    summary="an LSTM over the serialised edge list",
    build=_build,
    equivariant=False,
    gates=False,
)
