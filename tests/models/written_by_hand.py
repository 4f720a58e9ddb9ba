"""A network whose weights are written by hand: it takes every step of BFS and Bellman-Ford exactly.

Of a node it encodes (distance, reachable, 0). Its latent features are how much shorter a path
through a neighbour would be, whether a neighbour is reachable, and whether the node itself was not.
"""

import torch

from neuralexec.models.executor import NeuralExecutor
from tests.models.networks import RELATIVE, executor_for

STEEP = 1e4  # a path that is shorter by a ten-thousandth is shorter


@torch.no_grad()
def written_by_hand() -> NeuralExecutor:
    executor = executor_for("bfs+bellman-ford", latent=3, **{**RELATIVE, "scorer": "linear"})
    for parameter in executor.parameters():
        parameter.zero_()
    write(executor, "processor.message.weight", {(0, 3): -1, (0, 6): -1, (1, 4): 1})
    shorter, reached, new = {(0, 0): 1, (0, 3): 1}, {(1, 4): 1}, {(2, 4): 1, (2, 1): -1}
    write(executor, "processor.update.weight", {**shorter, **reached, **new})
    heads = "heads.bfs+bellman-ford"
    write(executor, f"{heads}.encoder.linear.weight", {(0, 1): 1, (1, 0): 1})
    write(executor, f"{heads}.decoders.distance.linear.weight", {(0, 0): 1, (0, 3): -1})
    write(executor, f"{heads}.decoders.reachable.linear.weight", {(0, 4): 2})
    write(executor, f"{heads}.decoders.reachable.linear.bias", {(0,): -1})
    write(executor, f"{heads}.decoders.predecessor.encoded.weight", {(0, 0): -1})
    write(executor, f"{heads}.decoders.predecessor.linear.weight", {(0, 6): -1})
    write(executor, f"{heads}.termination.linear.weight", {(0, 0): -STEEP, (0, 2): -STEEP})
    write(executor, f"{heads}.termination.linear.bias", {(0,): 1})
    return executor


def write(executor: NeuralExecutor, name: str, values: dict[tuple[int, ...], float]) -> None:
    parameter = executor.get_parameter(name)
    for place, value in values.items():
        parameter[place] = value
