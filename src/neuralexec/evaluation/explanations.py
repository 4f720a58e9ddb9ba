"""What an explainer found (Appendix E), node by node: JSON that loads without torch."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from neuralexec.errors import InputError
from neuralexec.evaluation.scores import UNREADABLE
from neuralexec.graphs.formats.writing import replacing

FORMAT = 1


@dataclass(frozen=True)
class Explanation:
    """Why a node is what it is: the edge into it that the network cannot do without.

    >>> one = Explanation(node=2, step=1, senders=(0, 1, 2), weights=(0.1, 0.9, 0.0), right=(0, 1))
    >>> one.sender, one.correct, one.strictly_correct
    (1, True, False)
    """

    node: int
    step: int
    """The step in which the node became what is explained; the first is 1."""
    senders: tuple[int, ...]
    """Of all edges into the node, ascending; the node itself is among them."""
    weights: tuple[float, ...]
    """What is left of each edge, between 0 and 1."""
    right: tuple[int, ...]
    """The senders it can have come from, ascending."""
    converged: bool = True
    """Had the weights stopped moving?"""

    @property
    def sender(self) -> int:
        """Where the edge of the largest weight comes from; of equal ones, the first."""
        return self.senders[self.weights.index(max(self.weights))]

    @property
    def correct(self) -> bool:
        return self.sender in self.right

    @property
    def strictly_correct(self) -> bool:
        """Is it the right sender of the lowest index?"""
        return self.sender == self.right[0]


@dataclass(frozen=True)
class GraphExplanations:
    """One graph: every node that was reached on the way, the source excepted."""

    family: str | None
    num_nodes: int
    nodes: tuple[Explanation, ...]

    @cached_property
    def by_node(self) -> dict[int, Explanation]:
        return {one.node: one for one in self.nodes}

    def path(self, node: int, *, strict: bool = False) -> tuple[Explanation, ...]:
        """The explanations from this node back to the source.

        It goes on from the sender an explanation names where that is right, and from the first
        right one where it is not. A strict path goes on from the first right one always.
        """
        if node not in self.by_node:
            raise InputError(
                f"node {node} has no explanation: it is a source, was never reached, or is not "
                f"one of the nodes 0 to {self.num_nodes - 1}"
            )
        way = []
        while node in self.by_node:
            one = self.by_node[node]
            way.append(one)
            node = one.sender if one.correct and not strict else one.right[0]
        return tuple(way)

    def is_faultless(self, node: int, *, strict: bool = False) -> bool:
        """Is every explanation on the path correct?"""
        way = self.path(node, strict=strict)
        return all(one.strictly_correct if strict else one.correct for one in way)


@dataclass(frozen=True)
class Explanations:
    """A network on a set of graphs. Shares are of all nodes explained; None where there is none."""

    model: str
    task: str
    signal: str
    forced: bool
    """Did each step read the true state, or the network's own?"""
    sparsity: float
    iterations: int
    learning_rate: float
    data: str
    """Checksum of the problems."""
    graphs: tuple[GraphExplanations, ...]

    @property
    def num_explained(self) -> int:
        return sum(len(graph.nodes) for graph in self.graphs)

    @property
    def correct_predecessors(self) -> float | None:
        """The share of nodes explained by a sender that is right (the paper: 93.85%)."""
        return _share(one.correct for graph in self.graphs for one in graph.nodes)

    @property
    def strictly_correct_predecessors(self) -> float | None:
        """The share explained by the right sender of the lowest index."""
        return _share(one.strictly_correct for graph in self.graphs for one in graph.nodes)

    @property
    def faultless_paths(self) -> float | None:
        """The share of nodes with no error on the path to the source (the paper: 82.16%)."""
        return self._faultless(strict=False)

    @property
    def strictly_faultless_paths(self) -> float | None:
        return self._faultless(strict=True)

    @property
    def converged(self) -> float | None:
        return _share(one.converged for graph in self.graphs for one in graph.nodes)

    def path(self, graph: int, node: int, *, strict: bool = False) -> tuple[Explanation, ...]:
        """The explanations from a node of a graph back to the source."""
        if not 0 <= graph < len(self.graphs):
            raise InputError(f"graph {graph} is out of range: there are {len(self.graphs)}")
        return self.graphs[graph].path(node, strict=strict)

    def by_family(self) -> dict[str, Explanations]:
        """The same, each family apart; graphs of none are left out."""
        families = dict.fromkeys(graph.family for graph in self.graphs)
        return {
            family: replace(self, graphs=tuple(one for one in self.graphs if one.family == family))
            for family in families
            if family is not None
        }

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self)}

    @classmethod
    def from_json(cls, saved: dict[str, Any]) -> Explanations:
        if saved.get("format") != FORMAT:
            raise InputError(
                f"explanations of format {saved.get('format')!r}; "
                f"this version reads format {FORMAT}"
            )
        plain = {name: value for name, value in saved.items() if name != "format"}
        return cls(**{**plain, "graphs": tuple(map(_graph_from_json, plain["graphs"]))})

    def _faultless(self, *, strict: bool) -> float | None:
        return _share(
            graph.is_faultless(one.node, strict=strict)
            for graph in self.graphs
            for one in graph.nodes
        )


def save_explanations(explanations: Explanations, path: Path) -> None:
    """As JSON; a path that ends in .gz is compressed."""
    with replacing(path) as file:
        file.write(json.dumps(explanations.to_json(), allow_nan=False).encode())


def load_explanations(path: Path) -> Explanations:
    try:
        data = path.read_bytes()
        return Explanations.from_json(
            json.loads(gzip.decompress(data) if path.suffix.lower() == ".gz" else data)
        )
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except UNREADABLE as error:
        raise InputError(f"{path}: no explanations can be read: {error}") from None


def _graph_from_json(saved: dict[str, Any]) -> GraphExplanations:
    return GraphExplanations(**{**saved, "nodes": tuple(map(_node_from_json, saved["nodes"]))})


def _node_from_json(saved: dict[str, Any]) -> Explanation:
    lists = {name: tuple(saved[name]) for name in ("senders", "weights", "right")}
    return Explanation(**{**saved, **lists})


def _share(flags: Iterable[bool]) -> float | None:
    found = list(flags)
    return sum(found) / len(found) if found else None
