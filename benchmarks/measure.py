"""One line of a benchmark: two things measured in the same run, and their ratio."""

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Line:
    """`ratio` is what counts; the two measurements are printed for scale only."""

    what: str
    ours: str
    other: str
    ratio: float
    target: str
    reached: bool


def seconds(run: Callable[[], Any], repeats: int = 3) -> float:
    """The fastest of several runs: what is left when other work on the machine pauses."""
    times = []
    for _ in range(repeats):
        gc.collect()
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def on_device(run: Callable[[], Any], device: str, repeats: int = 7) -> float:
    """The same, after a warm-up; on a GPU by its own clock."""
    run()
    if device != "cuda":
        return seconds(run, repeats)
    import torch

    times = []
    for _ in range(repeats):
        begun, ended = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        begun.record()
        run()
        ended.record()
        torch.cuda.synchronize()
        times.append(begun.elapsed_time(ended) / 1000)
    return min(times)


def portion(
    what: str, ours: float, other: float, at_least: float, unit: str, other_name: str
) -> Line:
    """Ours should be at least that part of the other; without a target it is only reported."""
    ratio = ours / other
    target = f"at least {at_least:g} of it" if at_least else "none"
    return Line(
        what,
        f"{ours:.4g} {unit}",
        f"{other_name}: {other:.4g} {unit}",
        ratio,
        target,
        ratio >= at_least,
    )


def faster(what: str, ours: float, other: float, at_least: float, other_name: str) -> Line:
    """Ours should take at most 1 / `at_least` of the other's time."""
    ratio = other / ours
    return Line(
        what,
        f"{ours:.3g} s",
        f"{other_name}: {other:.3g} s",
        ratio,
        f"at least {at_least:g}x faster",
        ratio >= at_least,
    )


def no_more(what: str, ours: float, other: float, at_most: float, names: tuple[str, str]) -> Line:
    """Ours should be at most `at_most` times the other; both in the unit named first."""
    unit, other_name = names
    ratio = ours / other
    return Line(
        what,
        f"{ours:.3g} {unit}",
        f"{other_name}: {other:.3g} {unit}",
        ratio,
        f"at most {at_most:g}x",
        ratio <= at_most,
    )


def in_fresh_process(module: str, *arguments: str) -> Any:
    """The JSON that `python -m module arguments` prints: memory is measured from a clean start."""
    command = [sys.executable, "-m", module, *arguments]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def peak_memory() -> int:
    """Bytes this process has held at most so far, as Linux counts them.

    Not `getrusage`, whose figure begins with what the parent held when it started this process.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])
