"""Every processor once more, on one graph, as loops over an N x N matrix: to compare with.

Nothing is shared with the package; `weights` are a processor's parameters by name. Matrices are
[receiver, sender].
"""

from collections.abc import Callable, Mapping
from functools import partial

import torch
from torch import Tensor

Weights = Mapping[str, Tensor]


def matrices(num_nodes: int, arcs: list[tuple[int, int, float]]) -> tuple[Tensor, Tensor]:
    """Which pairs are joined, and the weight of each."""
    joined = torch.zeros(num_nodes, num_nodes, dtype=torch.bool)
    lengths = torch.zeros(num_nodes, num_nodes)
    for sender, receiver, weight in arcs:
        joined[receiver, sender] = True
        lengths[receiver, sender] = weight
    return joined, lengths


def every_pair(z: Tensor, lengths: Tensor) -> Tensor:
    """[receiver, sender, 2 latent + 1]: (z_i, z_j, e_ij)."""
    n = len(z)
    return torch.cat(
        (z[:, None].expand(n, n, -1), z[None].expand(n, n, -1), lengths[:, :, None]), dim=2
    )


def mpnn(
    weights: Weights,
    z: Tensor,
    joined: Tensor,
    lengths: Tensor,
    reduce: str,
    *,
    message_relu: bool = False,
    update_relu: bool = True,
) -> Tensor:
    messages = every_pair(z, lengths) @ weights["message.weight"].T + weights["message.bias"]
    if message_relu:
        messages = torch.clamp(messages, min=0)
    received = []
    for i in range(len(z)):
        own = torch.stack([messages[i, j] for j in range(len(z)) if joined[i, j]])
        received.append({"max": own.max(0).values, "mean": own.mean(0), "sum": own.sum(0)}[reduce])
    both = torch.cat((z, torch.stack(received)), dim=1)
    latent = both @ weights["update.weight"].T + weights["update.bias"]
    return torch.clamp(latent, min=0) if update_relu else latent


def attention(scores: Tensor, joined: Tensor) -> Tensor:
    """[receiver, sender]; rows of a node that nothing is joined to are 0."""
    rows = torch.softmax(scores.masked_fill(~joined, -torch.inf), dim=1)
    return torch.where(joined, rows, 0)


def gat(weights: Weights, z: Tensor, joined: Tensor, lengths: Tensor) -> Tensor:
    values = z @ weights["values.weight"].T
    a = weights["score.weight"][0]
    scores = every_pair(values, lengths)[:, :, : len(a)] @ a
    scores = torch.where(scores > 0, scores, 0.2 * scores)
    return torch.clamp(attention(scores, joined) @ values, min=0)


def gat_transformer(weights: Weights, z: Tensor, joined: Tensor, lengths: Tensor) -> Tensor:
    n, latent = z.shape
    scores = torch.zeros(n, n)
    for i in range(n):
        query = weights["queries.weight"] @ z[i]
        for j in range(n):
            described = torch.cat((z[j], lengths[i, j, None]))
            matrix = weights["keys.weight"]
            scores[i, j] = query @ (matrix @ described[: matrix.shape[1]]) / latent**0.5
    values = z @ weights["values.weight"].T
    return torch.clamp(attention(scores, joined) @ values, min=0)


def full(
    head: Callable[..., Tensor], weights: Weights, z: Tensor, joined: Tensor, lengths: Tensor
) -> Tensor:
    near = head(_of("on_edges.", weights), z, joined, lengths)
    far = head(_of("on_non_edges.", weights), z, ~joined, torch.zeros_like(lengths))
    return torch.cat((near, far), dim=1) @ weights["project.weight"].T + weights["project.bias"]


def lstm(weights: Weights, z: Tensor, joined: Tensor, lengths: Tensor) -> Tensor:
    n, latent = z.shape
    hidden, cell = torch.zeros(latent), torch.zeros(latent)
    at_own_edge = []
    for i in range(n):
        for j in range(n):
            if not joined[i, j]:
                continue
            token = torch.cat((z[i], z[j], lengths[i, j, None]))
            gates = weights["lstm.weight_ih_l0"] @ token + weights["lstm.bias_ih_l0"]
            gates = gates + weights["lstm.weight_hh_l0"] @ hidden + weights["lstm.bias_hh_l0"]
            enter, keep, new, leave = gates.split(latent)
            cell = torch.sigmoid(keep) * cell + torch.sigmoid(enter) * torch.tanh(new)
            hidden = torch.sigmoid(leave) * torch.tanh(cell)
            if i == j:
                at_own_edge.append(hidden)
    return torch.stack(at_own_edge)


def _of(prefix: str, weights: Weights) -> Weights:
    return {
        name.removeprefix(prefix): values
        for name, values in weights.items()
        if name.startswith(prefix)
    }


PROCESSORS: dict[str, Callable[..., Tensor]] = {
    "mpnn-max": partial(mpnn, reduce="max"),
    "mpnn-mean": partial(mpnn, reduce="mean"),
    "mpnn-sum": partial(mpnn, reduce="sum"),
    "gat": gat,
    "gat-transformer": gat_transformer,
    "gat-full": partial(full, gat),
    "gat-full-transformer": partial(full, gat_transformer),
    "lstm": lstm,
}
