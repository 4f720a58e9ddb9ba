"""Drawing and tracing the paper's data, and drawing large graphs, against NetworkX."""

import random

import numpy as np

from benchmarks import networkx_data
from benchmarks.measure import Line, faster, no_more, seconds
from neuralexec import (
    Problems,
    draw_graph,
    find_algorithm,
    paper_splits,
    trace,
    trace_all,
    with_paper_infinity,
)

ALGORITHMS = ("bfs", "bellman-ford", "prim")
LARGE = 100_000


def build() -> int:
    """All 840 problems of the paper with every trace; how many there are."""
    algorithms = [find_algorithm(name) for name in ALGORITHMS]
    built = []
    for split in paper_splits().values():
        problems = Problems(tuple(with_paper_infinity(split.draw())))
        runs = (trace_all(algorithm, problems) for algorithm in algorithms)
        built += list(zip(problems.members, *runs, strict=True))
    return len(built)


def data_set() -> Line:
    random.seed(0)
    assert build() == len(networkx_data.build()) == 840
    return faster(
        "the paper's 840 problems with all traces",
        seconds(build),
        seconds(networkx_data.build),
        at_least=5,
        other_name="NetworkX",
    )


def together() -> Line:
    """Tracing all problems as one graph, against tracing each alone."""
    problems = with_paper_infinity(paper_splits()["train"].draw())
    algorithms = [find_algorithm(name) for name in ALGORITHMS]
    return faster(
        "the traces of the 700 training problems",
        seconds(lambda: [trace_all(algorithm, problems) for algorithm in algorithms]),
        seconds(lambda: [trace(algorithm, p) for algorithm in algorithms for p in problems]),
        at_least=1,
        other_name="one by one",
    )


def large_graph(family: str) -> Line:
    peers = {
        "barabasi-albert": networkx_data.barabasi_albert,
        "erdos-renyi": networkx_data.gnp,
    }
    return faster(
        f"drawing {LARGE:,} nodes of {family}, weighted",
        seconds(lambda: draw_graph(family, LARGE, np.random.default_rng(0))),
        seconds(lambda: networkx_data.dress(peers[family](LARGE)), repeats=1),
        at_least=5,
        other_name="NetworkX",
    )


def growth(family: str) -> Line:
    """A million nodes, which NetworkX is not asked to draw: time per node against 100,000."""
    per_node = [
        seconds(lambda size=size: draw_graph(family, size, np.random.default_rng(0)), 2)
        / size
        * 1e9
        for size in (10 * LARGE, LARGE)
    ]
    return no_more(
        f"drawing {10 * LARGE:,} nodes of {family}, weighted",
        *per_node,
        at_most=5,
        names=("ns a node", f"at {LARGE:,} nodes"),
    )
