"""Run every benchmark; write results/benchmarks.json and the table of docs/performance.md."""

import json
import os
import platform
import re
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from benchmarks import data, reading, tracing
from benchmarks.measure import Line
from neuralexec import checksum, paper_splits

ROOT = Path(__file__).parents[1]
BENCHMARKS = (
    data.data_set,
    data.together,
    lambda: data.large_graph("barabasi-albert"),
    lambda: data.large_graph("erdos-renyi"),
    lambda: data.growth("barabasi-albert"),
    lambda: data.growth("erdos-renyi"),
    tracing.bellman_ford,
    lambda: reading.reading("general"),
    lambda: reading.reading("symmetric"),
    lambda: reading.reading("dimacs"),
)


def main() -> None:
    console = Console()
    lines = []
    for benchmark in BENCHMARKS:
        with console.status("measuring"):
            lines.append(benchmark())
        what, ours, other, ratio, target, reached = cells(lines[-1])
        console.print(f"[bold]{what}[/bold]: {ratio} (target: {target}; reached: {reached})")
        console.print(f"  ours: {ours}; {other}")
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    problems = (problem for split in paper_splits().values() for problem in split.draw())
    results = {
        "machine": machine,
        "data": checksum(problems),
        "lines": [asdict(line) for line in lines],
    }
    path = ROOT / "results" / "benchmarks.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    page = ROOT / "docs" / "performance.md"
    text = page.read_text(encoding="utf-8")
    rows = [
        "| " + " | ".join(row) + " |" for row in [HEADER, ["---"] * len(HEADER), *map(cells, lines)]
    ]
    page.write_text(re.sub(r"(?ms)^\|.*^\|[^\n]*", "\n".join(rows), text), encoding="utf-8")


HEADER = ["What", "Ours", "Other", "Ratio", "Target", "Reached"]


def cells(line: Line) -> list[str]:
    return [
        line.what,
        line.ours,
        line.other,
        f"{line.ratio:.2f}",
        line.target,
        "yes" if line.reached else "no",
    ]


if __name__ == "__main__":
    main()
