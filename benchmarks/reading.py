"""Peak memory of reading a large file, against the arrays of the graph that it yields."""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measure import Line, in_fresh_process, no_more, peak_memory

NUM_NODES, NUM_EDGES = 1_000_000, 10_000_000


def write(path: Path, kind: str) -> None:
    rng = np.random.default_rng(0)
    ends = rng.integers(1, NUM_NODES + 1, (2, NUM_EDGES))
    weights = rng.integers(1, 1000, NUM_EDGES)
    if kind == "symmetric":
        ends = np.sort(ends, axis=0)[::-1]
    head = f"%%MatrixMarket matrix coordinate real {kind}\n{NUM_NODES} {NUM_NODES} {NUM_EDGES}\n"
    if kind == "dimacs":
        head = f"p sp {NUM_NODES} {NUM_EDGES}\n"
    start = "a " if kind == "dimacs" else ""
    with path.open("w", encoding="ascii") as file:
        file.write(head)
        file.writelines(
            f"{start}{sender} {receiver} {weight / 8}\n"
            for sender, receiver, weight in zip(*ends.tolist(), weights.tolist(), strict=True)
        )


def reading(kind: str) -> Line:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.gr" if kind == "dimacs" else "large.mtx")
        write(path, kind)
        measured = in_fresh_process("benchmarks.reading", str(path))
    title = {
        "general": "Matrix Market file, general",
        "symmetric": "Matrix Market file, symmetric",
        "dimacs": "DIMACS .gr file",
    }[kind]
    return no_more(
        f"memory to read a {title}, {NUM_EDGES:,} edges",
        measured["peak"] / 1e6,
        measured["arrays"] / 1e6,
        at_most=3,
        names=("MB", "the graph's arrays"),
    )


def main() -> None:
    import warnings

    from neuralexec import InputWarning, read_graph

    warnings.simplefilter("ignore", InputWarning)  # random edges repeat now and then
    small = Path(sys.argv[1]).with_name("small" + Path(sys.argv[1]).suffix)
    head = (
        "p sp 2 1\na 1 2 1\n"
        if small.suffix == ".gr"
        else ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 1\n")
    )
    small.write_text(head, encoding="ascii")
    read_graph(small)  # everything imported and compiled: what is left is the graph
    before = peak_memory()
    graph = read_graph(sys.argv[1])
    arrays = graph.offsets.nbytes + graph.senders.nbytes + graph.weights.nbytes
    print(json.dumps({"peak": peak_memory() - before, "arrays": arrays}))


if __name__ == "__main__":
    main()
