"""Small networks with random weights, and what they say of a batch, all at once or step by step."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec import Problem, collate, find_task
from neuralexec.batches import Batch, Steps
from neuralexec.models.architecture import Architecture
from neuralexec.models.executor import NeuralExecutor, Taught
from neuralexec.models.rollout import Moment
from tests.batches.in_time import edges_of_graph, in_time, longest_first, nodes_of
from tests.models.processors.building import EVERY
from tests.models.small_graphs import LATENT, TASKS, three_problems

CHOOSING = ["prim", "dijkstra"]
# Attention over nodes that are alike makes nodes that are alike, and rounding chooses among them.
UNTIED = [
    (task, processor)
    for task in TASKS
    for processor in EVERY
    if task not in CHOOSING or processor in ("mpnn-max", "mpnn-mean", "mpnn-sum", "lstm")
]
every_task = pytest.mark.parametrize("task", TASKS)
every_processor = pytest.mark.parametrize("processor", EVERY)
RELATIVE = {"relative": True, "recurrent": False, "scorer": "both"}
"""Distances count relative to each other only."""
recurrent_or_not = pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not"])


def executor_for(*tasks: str, seed: int = 0, **options) -> NeuralExecutor:
    architecture = Architecture(**{"latent": LATENT, **options})
    if architecture.processor.startswith("pyg:"):
        pytest.importorskip("torch_geometric")
    torch.manual_seed(seed)
    return NeuralExecutor(architecture, map(find_task, tasks)).eval()


def sharpened(executor: NeuralExecutor) -> NeuralExecutor:
    """Each head that learns how sharp it is, sharp in its own way."""
    generator = torch.Generator().manual_seed(3)
    for name, parameter in executor.named_parameters():
        if name.endswith("sharpness"):
            parameter.data.uniform_(0.5, 2, generator=generator)
    return executor


def batch_of(task: str, several: list[Problem] | None = None) -> Batch:
    return collate(several or three_problems(), find_task(task))


def check_taught(taught: Taught, steps: Steps, batch: Batch, moments: list[Moment]) -> None:
    """What is said of every step of every graph is what was said then."""
    for number, t, graph in in_time(steps, longest_first(batch, replicas=steps.replicas)):
        assert_close(taught.termination[number].sigmoid(), moments[t].terminated[graph])
        for name, scores in taught.scores.items():
            part = edges_of_graph if name == "predecessor" else nodes_of
            then = moments[t].scores[name][part(batch.edges, graph)]
            assert_close(scores[part(steps.edges, number)], then)
