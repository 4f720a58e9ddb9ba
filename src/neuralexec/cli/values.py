"""Signal values as a person or a JSON file reads them: node names, and null for nothing."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from neuralexec.algorithms import UNDEFINED, Kind

Names = Sequence[str]


def _node(node: int, names: Names) -> str | None:
    return None if node == UNDEFINED else names[node]


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


_AS_JSON: dict[Kind, Callable[[Any, Names], Any]] = {
    Kind.MASK: lambda values, _: values,
    Kind.SCALAR: lambda values, _: [_number(value) for value in values],
    Kind.POINTER: lambda values, names: [_node(node, names) for node in values],
    Kind.CHOICE: lambda nodes, names: _node(nodes[0], names),  # one graph is shown at a time
}

_AS_TEXT: dict[Kind, Callable[[Any, Names], str]] = {
    Kind.MASK: lambda value, _: "yes" if value else "no",
    Kind.SCALAR: lambda value, _: f"{value:.6g}" if math.isfinite(value) else "∞",
    Kind.POINTER: lambda node, names: _node(node, names) or "–",
    Kind.CHOICE: lambda node, names: _node(node, names) or "–",
}


def as_json_values(kind: Kind, values: NDArray[Any], names: Names) -> Any:
    return _AS_JSON[kind](values.tolist(), names)


def as_text(kind: Kind, value: Any, names: Names) -> str:
    return _AS_TEXT[kind](value, names)
