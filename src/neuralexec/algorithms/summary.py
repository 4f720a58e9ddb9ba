"""Table 7 of the paper, inputs and supervision signals, generated from the specs."""

from collections.abc import Iterator
from typing import NamedTuple

from neuralexec.algorithms import Algorithm, algorithms


class Row(NamedTuple):
    name: str
    title: str
    inputs: tuple[str, ...]
    supervision: tuple[str, ...]


def rows() -> Iterator[Row]:
    """One row per algorithm."""
    for algorithm in algorithms().values():
        yield Row(algorithm.name, algorithm.title, _inputs(algorithm), _supervision(algorithm))


def markdown_table() -> str:
    lines = ["| Algorithm | Inputs | Supervision signals |", "|---|---|---|"]
    for row in rows():
        inputs, supervision = "<br>".join(row.inputs), "<br>".join(row.supervision)
        lines.append(f"| {row.title} (`{row.name}`) | {inputs} | {supervision} |")
    return "\n".join(lines)


def _inputs(algorithm: Algorithm) -> tuple[str, ...]:
    return tuple(f"{name}: {algorithm.signals[name].meaning}" for name in algorithm.fed_back)


def _supervision(algorithm: Algorithm) -> tuple[str, ...]:
    grown = {signal.grows for signal in algorithm.signals.values()}
    lines = []
    for name, signal in algorithm.signals.items():
        if name in grown:
            continue  # the choice that grows a mask is its supervision
        line = f"{name}, after the step" if signal.fed_back else f"{name}: {signal.meaning}"
        where = signal.supervised_where
        if where is not None:
            line += f" [only where {where!r} names the node]"
        lines.append(f"{line} ({signal.kind.name})")
    return (*lines, "termination: has the algorithm terminated?")
