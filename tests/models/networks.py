"""Small networks with random weights, and what they say of a batch, all at once or step by step."""

import pytest
import torch
from torch.testing import assert_close

from neuralexec import Problem, collate, find_task
from neuralexec.batches import Batch, Steps, longest_first
from neuralexec.models.architecture import Architecture
from neuralexec.models.executor import NeuralExecutor, Taught
from neuralexec.models.rollout import Moment
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
recurrent_or_not = pytest.mark.parametrize("recurrent", [True, False], ids=["recurrent", "not"])


def executor_for(*tasks: str, seed: int = 0, **options) -> NeuralExecutor:
    architecture = Architecture(**{"latent": LATENT, **options})
    if architecture.processor.startswith("pyg:"):
        pytest.importorskip("torch_geometric")
    torch.manual_seed(seed)
    return NeuralExecutor(architecture, map(find_task, tasks)).eval()


def batch_of(task: str, several: list[Problem] | None = None) -> Batch:
    return longest_first(collate(several or three_problems(), find_task(task)))


def check_taught(taught: Taught, steps: Steps, moments: list[Moment]) -> None:
    """Of every step, what is said of the graphs that still run: they are the first."""
    running = [steps.edges.first(num_graphs) for num_graphs in steps.graphs_at]
    nodes, edges = [now.num_nodes for now in running], [now.num_edges for now in running]
    ends = taught.termination.sigmoid().split(steps.graphs_at, dim=-1)
    for said, num_graphs, moment in zip(ends, steps.graphs_at, moments, strict=True):
        assert_close(said, moment.terminated[..., :num_graphs])
    for name, scores in taught.scores.items():
        sizes = edges if name == "predecessor" else nodes
        parts = scores.split(sizes, dim=-1)
        for said, size, moment in zip(parts, sizes, moments, strict=True):
            assert_close(said, moment.scores[name][..., :size])
