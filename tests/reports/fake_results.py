"""Results as a folder would hold them: the paper's numbers with noise, and made-up curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from neuralexec.reports.cells import ResultCell, mean_and_std, write_cells
from neuralexec.reports.fields import write_records
from neuralexec.reports.paper import PAPER, Cell
from neuralexec.reports.records import Claim, Curve, Explanation, Training

MODELS = ("LSTM", "GAT*", "GAT-full*", "MPNN-mean", "MPNN-sum", "MPNN-max")
METRICS = ("reachability accuracy", "distance mean squared error", "predecessor accuracy")


def cell_of(
    values: Sequence[float] = (97.0, 98.0, 99.0),
    *,
    paper: float | None = None,
    **changes: Any,
) -> ResultCell:
    """A cell that the paper has not, unless its place is changed to one that it has."""
    mean, std = mean_and_std(values)
    settings: dict[str, Any] = {
        "table": "table1",
        "row": "ours",
        "preset": "best",
        "column": "100 nodes",
        "metric": "last-step accuracy",
        "train_family": None,
        "test_family": None,
        "paper": paper,
        "mean": mean,
        "std": std,
        "seeds": len(values),
        "values": tuple(values),
        "graphs": 5,
        "parameters": 11_000,
        **changes,
    }
    return ResultCell(**settings)


def fake_cells() -> list[ResultCell]:
    random = np.random.default_rng(0)
    cells = [_noisy(cell, preset, random) for cell in PAPER for preset in ("paper", "best")]
    cells += [
        cell_of([30.0 - i], preset="none", row="none", table="table2", column=f"{size} nodes")
        for i, size in enumerate((20, 50, 100))
    ]
    cells.append(cell_of([51.25, 74.5], table="table1", row="MPNN-max", metric="stops exactly"))
    return cells


def _noisy(cell: Cell, preset: str, random: np.random.Generator) -> ResultCell:
    is_error = cell.metric.endswith("error")
    best = preset == "best"
    if math.isinf(cell.value):
        values = [math.inf, 12.5, math.inf] if not best else [3.25, 4.5, 2.75]
    elif is_error:
        values = [cell.value * math.exp(random.normal(-0.4 if best else 0.2, 0.4)) for _ in "abc"]
    else:
        room = 100 - cell.value
        shift = 0.2 * room if best else 0.0
        values = [min(100.0, cell.value + shift + random.normal(0, 0.1 * room)) for _ in "abc"]
    return cell_of(
        values,
        table=cell.table,
        row=cell.row,
        preset=preset,
        column=cell.column,
        metric=cell.metric,
        train_family=cell.train_family,
        test_family=cell.test_family,
        paper=cell.value,
        note="attention of transformers, sharpened by 4" if cell.row == "GAT*" and best else "",
    )


def fake_curves() -> list[Curve]:
    steps = np.arange(15)
    curves = []
    for preset in ("paper", "best"):
        for number, row in enumerate(MODELS):
            for metric in METRICS:
                fall = 1 - (5 - number) * 0.012 * steps
                error = 0.01 * 3.0 ** (5 - number) * 1.2**steps
                mean = error if metric.endswith("error") else np.clip(99 * fall, 0, 100)
                curves.append(
                    Curve(row, preset, metric, 100, tuple(mean), tuple(0.15 * mean * 0.5), 3)
                )
    return curves


def fake_explanations() -> list[Explanation]:
    graphs = {
        "4-caveman": nx.relaxed_caveman_graph(4, 5, 0.15, seed=3),
        "tree": nx.random_labeled_tree(20, seed=5),
        "ladder": nx.ladder_graph(10),
    }
    found = []
    for family, graph in graphs.items():
        pairs = [*graph.edges, *((b, a) for a, b in graph.edges), *((n, n) for n in graph)]
        lengths, paths = nx.single_source_dijkstra(graph, 0)
        node = max(lengths, key=lambda one: (lengths[one], one))
        steps = list(zip(paths[node][1:], paths[node], strict=False))
        path = tuple((child, parent, place != 1) for place, (child, parent) in enumerate(steps))
        senders, receivers = zip(*pairs, strict=True)
        found.append(
            Explanation(
                f"{family}, node {node}", family, 20, 0, senders, receivers, node, path[::-1]
            )
        )
    return found


def fake_trainings() -> list[Training]:
    return [
        Training(
            name=f"{row.lower()}-{preset}-{seed}",
            row=row,
            preset=preset,
            task="bfs+bellman-ford",
            seed=seed,
            epochs=200,
            best_epoch=150 + seed,
            validation=0.9375 - seed / 100,
            parameters=11_000 + number,
            seconds=90.0 + seed,
            device="CPU, 1 thread",
            config={"processor": row.lower(), "num_latent": 32, "rate": 5e-4},
        )
        for number, row in enumerate(MODELS)
        for preset in ("paper", "best")
        for seed in range(3)
    ]


def fake_claims() -> list[Claim]:
    return [
        Claim("Maximum is the best aggregator.", "MPNN-max beats mean and sum at 100 nodes.", True),
        Claim("Attention does not generalise.", "GAT* falls below 50% at 100 nodes.", False),
        Claim("Subroutines explain why.", "Not measured here."),
    ]


def write_folder(folder: Path) -> None:
    write_cells(folder / "cells.json", fake_cells())
    write_records(folder / "curves.json", fake_curves())
    write_records(folder / "explanations.json", fake_explanations())
    write_records(folder / "trainings.json", fake_trainings())
    write_records(folder / "claims.json", fake_claims())
