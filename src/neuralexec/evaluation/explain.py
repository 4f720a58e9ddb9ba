"""Which edges a network's decisions rest on: Appendix E of the paper, walked back to the source.

Every node is explained at the step in which it becomes what it is, with the memory of the run up to
there: by default the run that reads the true states, so that each step is judged by itself; on
request the network's own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor

from neuralexec.algorithms import Task
from neuralexec.batches import Batch, collate
from neuralexec.errors import InputError
from neuralexec.evaluation.explain_masks import Masks, Scene, Search, find_masks
from neuralexec.evaluation.explain_steps import NEVER, TO_EXPLAIN, ToExplain, to_explain
from neuralexec.evaluation.explanations import Explanation, Explanations, GraphExplanations
from neuralexec.graphs.problem import Problem
from neuralexec.graphs.splits import checksum
from neuralexec.models.decide import advance
from neuralexec.models.device import one_thread
from neuralexec.models.executor import NeuralExecutor, State

SPARSITY = 0.3
ITERATIONS = 300
LEARNING_RATE = 0.1


def explain(
    executor: NeuralExecutor,
    problems: Sequence[Problem],
    task: Task,
    signal: str = "reachable",
    *,
    forced: bool = True,
    sparsity: float = SPARSITY,
    iterations: int = ITERATIONS,
    learning_rate: float = LEARNING_RATE,
    model: str = "",
    device: str | torch.device = "cpu",
) -> Explanations:
    """Explain a MASK or a POINTER at every node it reaches.

    `forced` steps read the true states, others the network's own. `sparsity` weighs the edges that
    are left against the network's loss. Memory is about that of one step of all problems together.
    """
    if not problems:
        raise InputError("there are no problems to explain; give at least one")
    _check_signal(executor, task, signal)
    search = Search(sparsity, iterations, learning_rate)
    _check_search(search)
    batch = collate(problems, task).to(device)
    asked = to_explain(batch, signal)
    with torch.no_grad(), one_thread():
        found = _walk(executor, batch, signal, asked, search, forced=forced)
    return Explanations(
        model=model,
        task=task.name,
        signal=signal,
        forced=forced,
        sparsity=sparsity,
        iterations=iterations,
        learning_rate=learning_rate,
        data=checksum(problems),
        graphs=_as_results(batch, asked, found),
    )


def _check_signal(executor: NeuralExecutor, task: Task, signal: str) -> None:
    predicted = executor.heads_of(task).scope.predicted
    choices = [name for name in predicted if task.signals[name].kind in TO_EXPLAIN]
    if not choices:
        raise InputError(f"this network predicts no MASK and no POINTER of {task.name} to explain")
    if signal not in choices:
        raise InputError(
            f"{signal!r} is no MASK or POINTER that this network predicts; "
            f"choose one of {', '.join(choices)}"
        )


def _check_search(search: Search) -> None:
    if search.iterations < 1:
        raise InputError(f"iterations must be at least 1; got {search.iterations}")
    if not 0 <= search.sparsity < math.inf:
        raise InputError(f"sparsity must be 0 or more; got {search.sparsity}")
    if not 0 < search.learning_rate < math.inf:
        raise InputError(f"learning_rate must be above 0; got {search.learning_rate}")


def _walk(
    executor: NeuralExecutor,
    batch: Batch,
    signal: str,
    asked: ToExplain,
    search: Search,
    *,
    forced: bool,
) -> Masks:
    """Run, and stop at every step to explain the nodes that are due."""
    edges = batch.edges
    weights = torch.ones_like(edges.weights)
    converged = torch.zeros(edges.num_nodes, dtype=torch.bool, device=edges.device)
    state = executor.start(batch.start)
    for number in range(int(asked.step.max()) + 1):
        if forced:
            true = {name: values[number] for name, values in batch.states.items()}
            state = State(true, state.memory)
        due = asked.step == number
        if due.any():
            target = batch.targets(signal)[number]
            scene, nodes, arcs = _scene(executor, batch, signal, state, target, due).of(
                edges.graph_of_node[due].unique()
            )
            masks = find_masks(scene, search)
            # What other steps have found at these graphs stays.
            free = scene.explained[scene.edges.receivers]
            weights[arcs[free]] = masks.weights[free]
            converged[nodes[scene.explained]] = masks.converged[scene.explained]
        step = executor.step(batch.start, state)
        finishing = batch.num_steps == number + 1
        signals = advance(batch.task, state.signals, step.decided, finishing, edges)
        state = State(signals, step.memory)
    return Masks(weights, converged)


def _scene(
    executor: NeuralExecutor, batch: Batch, signal: str, state: State, target: Tensor, due: Tensor
) -> Scene:
    heads = executor.heads_of(batch.task)
    inputs, _ = executor.read(batch.start, state)
    read = heads.encoder.read(heads.features(inputs, batch.edges))
    encoded = heads.encoder(read, state.memory)
    return Scene(executor, heads, signal, batch.edges, encoded, target, due)


def _as_results(batch: Batch, asked: ToExplain, found: Masks) -> tuple[GraphExplanations, ...]:
    """Nodes numbered as in each graph, the first reached first."""
    edges = batch.edges
    steps, converged = asked.step.tolist(), found.converged.tolist()
    senders, offsets = edges.senders.tolist(), edges.offsets.tolist()
    weights, right = found.weights.tolist(), asked.right.tolist()

    def explanation(node: int, first: int) -> Explanation:
        into = range(*offsets[node : node + 2])
        return Explanation(
            node=node - first,
            step=steps[node] + 1,
            senders=tuple(senders[edge] - first for edge in into),
            weights=tuple(weights[edge] for edge in into),
            right=tuple(senders[edge] - first for edge in into if right[edge]),
            converged=converged[node],
        )

    graphs = []
    bounds = pairwise(edges.node_offsets.tolist())
    for family, (first, stop) in zip(batch.families, bounds, strict=True):
        reached = [node for node in range(first, stop) if steps[node] != NEVER]
        own = (explanation(node, first) for node in sorted(reached, key=steps.__getitem__))
        graphs.append(GraphExplanations(family, stop - first, tuple(own)))
    return tuple(graphs)
