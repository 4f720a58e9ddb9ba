"""Share a pass over the nodes of a large graph between the cores; small graphs stay on one."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from neuralexec.graphs.graph import Graph

SMALLEST_SHARE = 1_000_000
"""Arcs for which starting a thread pays."""


def num_threads() -> int:
    """As many as there are cores, or as OMP_NUM_THREADS allows: a pool of workers sets it to 1."""
    allowed = os.environ.get("OMP_NUM_THREADS", "")
    return int(allowed) if allowed.isdecimal() and int(allowed) > 0 else os.cpu_count() or 1


def in_blocks(graph: Graph, run: Callable[[int, int], None]) -> None:
    """Call `run(first, stop)` for ranges of nodes that cover the graph, equal in arcs.

    `run` must release the interpreter (compiled code does) and write only to its own nodes.
    """
    num_blocks = min(num_threads(), graph.num_arcs // SMALLEST_SHARE)
    if num_blocks <= 1:
        run(0, graph.num_nodes)
        return
    shares = np.linspace(0, graph.num_arcs, num_blocks + 1)[1:-1]
    cuts = [0, *np.searchsorted(graph.offsets, shares).tolist(), graph.num_nodes]
    with ThreadPoolExecutor(num_blocks) as pool:
        list(pool.map(run, cuts[:-1], cuts[1:]))
