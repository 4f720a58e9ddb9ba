"""Run a suite of benchmarks: measure, write results/benchmarks-SUITE.json and the tables.

python -m benchmarks.run [data|cpu|gpu|clrs ...]
"""

import json
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.console import Console

from benchmarks import tables
from benchmarks.measure import Line
from neuralexec import checksum, paper_splits

RESULTS = Path(__file__).parents[1] / "results"
Benchmark = Callable[[], Line]


def data() -> list[Benchmark]:
    from benchmarks import data, reading, tracing

    return [
        data.data_set,
        data.together,
        partial(data.large_graph, "barabasi-albert"),
        partial(data.large_graph, "erdos-renyi"),
        partial(data.growth, "barabasi-albert"),
        partial(data.growth, "erdos-renyi"),
        tracing.bellman_ford,
        partial(reading.reading, "general"),
        partial(reading.reading, "symmetric"),
        partial(reading.reading, "dimacs"),
    ]


def cpu() -> list[Benchmark]:
    from benchmarks import network_step, scale, training

    return [
        partial(network_step.forward, "cpu", 100_000, 1_000_000, at_least=15),
        partial(network_step.forward_backward, "cpu", 100_000, 1_000_000, at_least=8),
        partial(network_step.bandwidth, "cpu", 100_000, 1_000_000, at_least=0),
        training.paper_preset,
        partial(training.replicas, "cpu", 8),
        partial(scale.exponent, "cpu", (10_000, 100_000, 1_000_000, 10_000_000)),
        partial(scale.memory, "cpu", 1_000_000, 10_000_000),
    ]


def gpu() -> list[Benchmark]:
    from benchmarks import network_step, scale, training

    return [
        partial(network_step.forward, "cuda", 1_000_000, 10_000_000, at_least=25),
        partial(network_step.forward_backward, "cuda", 1_000_000, 10_000_000, at_least=8),
        partial(network_step.bandwidth, "cuda", 1_000_000, 10_000_000, at_least=0.5),
        partial(training.replicas, "cuda", 32),
        partial(training.replicas_agree, "cuda", 32),
        partial(scale.exponent, "cuda", (10**6, 10**7, 10**8, 10**9)),
        partial(scale.memory, "cuda", 1_000_000, 10_000_000),
        partial(scale.billion, "cuda"),
    ]


def clrs() -> list[Benchmark]:
    from benchmarks.clrs import compare

    return compare.benchmarks()


SUITES = {"data": data, "cpu": cpu, "gpu": gpu, "clrs": clrs}


def main(names: list[str]) -> None:
    console = Console()
    if unknown := set(names) - set(SUITES):
        raise SystemExit(f"unknown suite {', '.join(unknown)}; choose from {', '.join(SUITES)}")
    for name in names:
        lines = []
        for benchmark in SUITES[name]():
            with console.status("measuring"):
                lines.append(benchmark())
            what, ours, other, ratio, target, reached = tables.cells(asdict(lines[-1]))
            console.print(f"[bold]{what}[/bold]: {ratio} (target: {target}; reached: {reached})")
            console.print(f"  ours: {ours}; {other}")
            write(name, lines)  # one by one: a long suite may be cut short


def write(suite: str, lines: list[Line]) -> None:
    problems = (problem for split in paper_splits().values() for problem in split.draw())
    results = {
        "machine": machine(suite),
        "data": checksum(problems),
        "lines": [asdict(line) for line in lines],
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"benchmarks-{suite}.json"
    path.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    tables.write()


def machine(suite: str) -> str:
    here = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    if suite != "gpu":
        return here
    import torch

    return f"{torch.cuda.get_device_name()}, {here}, torch {torch.__version__}"


if __name__ == "__main__":
    main(sys.argv[1:] or ["data", "cpu"])
