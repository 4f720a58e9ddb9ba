"""Executing BFS with Bellman-Ford on large graphs: time, memory, and a billion edges."""

import json
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache

import torch

from benchmarks.measure import Line, no_more, on_device, peak_memory
from benchmarks.random_edges import random_edges
from neuralexec import find_task, load
from neuralexec.batches import Edges, Start
from neuralexec.models.executor import NeuralExecutor
from neuralexec.models.rollout import execute

MODEL = "best-bfs-bellman-ford"
LATENT = 32


def start_on(edges: Edges) -> Start:
    """From node 0, whose own edge is the first into it."""
    nodes, device = edges.num_nodes, edges.device
    source = torch.zeros(nodes, dtype=torch.bool, device=device)
    source[0] = True
    distance = torch.full((nodes,), torch.inf, device=device)
    distance[0] = 0
    predecessor = torch.full((nodes,), -1, dtype=torch.int32, device=device)
    predecessor[0] = 0
    signals = {"reachable": source, "distance": distance, "predecessor": predecessor}
    return Start(find_task("bfs+bellman-ford"), edges, signals)


@cache
def executor_on(device: str) -> NeuralExecutor:
    return load(MODEL, device).executor


def run(start: Start, device: str, max_steps: int) -> tuple[int, bool, torch.Tensor]:
    """Steps taken, whether it stopped itself, and the last distances; nothing else is kept."""
    steps = 0
    with torch.no_grad():
        for moment in execute(executor_on(device), start, max_steps=max_steps):
            steps, last = steps + 1, moment
    return steps, bool(last.stopped_itself.all()), last.signals["distance"]


def exponent(device: str, sizes: Sequence[int], steps: int = 3) -> Line:
    """Time grows like edges to this power: the slope of a line through the logarithms."""
    times = []
    for num_edges in sizes:
        start = start_on(random_edges(num_edges // 10, num_edges, device))
        repeats = 5 if num_edges < 10_000_000 else 2
        times.append(on_device(lambda start=start: run(start, device, steps), device, repeats))
        del start
    logs = [(math.log(size), math.log(own)) for size, own in zip(sizes, times, strict=True)]
    means = [sum(column) / len(logs) for column in zip(*logs, strict=True)]
    slope = sum((x - means[0]) * (y - means[1]) for x, y in logs) / sum(
        (x - means[0]) ** 2 for x, _ in logs
    )
    spelt = ", ".join(f"{own:.3g} s" for own in times)
    return Line(
        f"growth of time, {sizes[0]:.0e} to {sizes[-1]:.0e} edges, {steps} steps",
        f"edges to the power {slope:.2f}",
        f"measured: {spelt}",
        slope,
        "exponent at most 1.1",
        slope <= 1.1,
    )


def memory(device: str, num_nodes: int, num_edges: int) -> Line:
    """Beyond the graph as the network sees it, in rows of latent features of all nodes."""
    command = [sys.executable, "-m", "benchmarks.scale", device, str(num_nodes), str(num_edges)]
    found = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    unit = num_nodes * LATENT * 4
    return no_more(
        f"memory to execute beyond the graph, {num_nodes:,} nodes, {num_edges:,} edges",
        found["peak"] / unit,
        1,
        at_most=6,
        names=("latent arrays", "nodes x features x 4 bytes"),
    )


def measure_memory(device: str, num_nodes: int, num_edges: int) -> int:
    run(start_on(random_edges(100, 1_000, device)), device, 2)  # everything compiled and loaded
    if device == "cuda":
        start = start_on(random_edges(num_nodes, num_edges, device))
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        run(start, device, 3)
        return torch.cuda.max_memory_allocated() - before
    start = start_on(random_edges(num_nodes, num_edges, device))
    _forget_peak()
    before = peak_memory()
    run(start, device, 3)
    return peak_memory() - before


def _forget_peak() -> None:
    """Let Linux count the peak of this process from now on."""
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def billion(device: str, num_nodes: int = 10**8, num_edges: int = 10**9) -> Line:
    """Executed until it stops by itself, or for 60 steps; time and memory are reported."""
    begun = time.perf_counter()
    start = start_on(random_edges(num_nodes, num_edges, device))
    torch.cuda.synchronize()
    drawn = time.perf_counter() - begun
    run(start, device, 1)
    torch.cuda.reset_peak_memory_stats()
    held = torch.cuda.memory_allocated()
    begun = time.perf_counter()
    steps, stopped, distance = run(start, device, 60)
    torch.cuda.synchronize()
    taken = time.perf_counter() - begun
    peak = torch.cuda.max_memory_allocated()
    how = "stopped by itself" if stopped else "cut at max_steps"
    reached = float(distance.isfinite().float().mean())
    beyond = (peak - held) / (num_nodes * LATENT * 4)
    return Line(
        f"BFS with Bellman-Ford executed, {num_nodes:,} nodes, {num_edges:,} edges",
        f"{steps} steps ({how}), {taken:.1f} s, {reached:.1%} of nodes reached",
        f"peak {peak / 1e9:.1f} GB, of which {held / 1e9:.1f} GB graph and signals; drawn in "
        f"{drawn:.1f} s; memory beyond the graph in latent arrays",
        beyond,
        "executed, at most 6",
        beyond <= 6,
    )


if __name__ == "__main__":
    print(json.dumps({"peak": measure_memory(sys.argv[1], *map(int, sys.argv[2:]))}))
