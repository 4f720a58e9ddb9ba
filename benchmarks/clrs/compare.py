"""Training graph-steps per second against CLRS-30's MPNN, which has an environment of its own."""

import json
import os
import subprocess
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from benchmarks.measure import Line
from benchmarks.training import graph_steps_per_second
from neuralexec.training.config import Config

PYTHON = Path(__file__).parents[2] / ".venv-clrs" / "bin" / "python"
TARGETS = {20: 25, 100: 200}


def benchmarks() -> list[Callable[[], Line]]:
    return [partial(against_clrs, size) for size in TARGETS]


@cache
def peer() -> dict[int, dict[str, float]]:
    if not PYTHON.exists():
        raise SystemExit("CLRS-30 is not installed: run `make benchmark-clrs`")
    # It may use every core, whatever ours are limited to.
    environment = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    command = [str(PYTHON), str(Path(__file__).with_name("peer.py")), *map(str, TARGETS)]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return {own["num_nodes"]: own for own in json.loads(found.stdout)["results"]}


def against_clrs(num_nodes: int) -> Line:
    """The same work: Bellman-Ford on Erdos-Renyi graphs, true inputs, 32 features, batches of 32.

    Ours learns distances, predecessors and termination, on one thread.
    """
    config = Config(
        tasks=("bellman-ford",),
        families=("erdos-renyi",),
        num_nodes=num_nodes,
        num_train=320,
        num_validation=1,
        batch_size=32,
        own_outputs=0.0,
    )
    ours = graph_steps_per_second(config)
    theirs = peer()[num_nodes]["graph_steps_per_second"]
    ratio = ours / theirs
    at_least = TARGETS[num_nodes]
    return Line(
        f"training on Bellman-Ford, {num_nodes} nodes",
        f"{ours:,.0f} graph-steps/s",
        f"CLRS-30 MPNN: {theirs:,.0f} graph-steps/s",
        ratio,
        f"at least {at_least}x",
        ratio >= at_least,
    )
