"""Signal values as a person or a JSON file reads them: node names, and null for nothing."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from neuralexec.algorithms import UNDEFINED, Kind

Names = Sequence[str]


def printable(name: str) -> str:
    """A name as a terminal may show it: control characters escaped.

    >>> printable("a\\x1b[31m")
    'a\\\\x1b[31m'
    """
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in name)


def _node(node: int, names: Names) -> str | None:
    return None if node == UNDEFINED else names[node]


def _shown_node(node: int, names: Names) -> str:
    return "–" if node == UNDEFINED else printable(names[node])


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
    Kind.POINTER: _shown_node,
    Kind.CHOICE: _shown_node,
}

_AS_CHANGE: dict[Kind, Callable[[str, str], str]] = {
    Kind.MASK: lambda name, _: name,
    Kind.SCALAR: lambda name, value: f"{name}: {value}",
    Kind.POINTER: lambda name, value: f"{name} ← {value}",
    Kind.CHOICE: lambda _, value: value,
}


def as_json_values(kind: Kind, values: NDArray[Any], names: Names) -> Any:
    return _AS_JSON[kind](values.tolist(), names)


def as_text(kind: Kind, value: Any, names: Names) -> str:
    return _AS_TEXT[kind](value, names)


def as_change(kind: Kind, node: int, value: Any, names: Names) -> str:
    """What a step did to a node: its name, and its new value where that says more."""
    return _AS_CHANGE[kind](printable(names[node]), as_text(kind, value, names))
