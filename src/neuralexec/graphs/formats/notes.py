"""What a text format has no place for, kept in its comments, so that a graph reads back equal.

One line tells whether edges are directed, and how nodes are numbered where they are; names that are
not consecutive numbers take a line each:

    # neuralexec directed=false nodes=3
    # node "Paris"
    # node "Lyon"
    # node "Lille"
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from neuralexec.errors import InputError
from neuralexec.graphs.graph import Graph, check_size
from neuralexec.graphs.names import NumberNames

_HEAD = re.compile(r"neuralexec directed=(true|false) nodes=(\d{1,10})(?: first=(-?\d{1,18}))?")
_NAME = re.compile(r'node (".*")')


@dataclass
class Notes:
    """What the comments of a file said; nothing, in most files."""

    directed: bool | None = None
    num_nodes: int | None = None
    first: int | None = None
    names: list[str] = field(default_factory=list)

    def take(self, comment: str) -> None:
        """Read one comment, without the characters that mark it as one."""
        comment = comment.strip()
        if head := _HEAD.fullmatch(comment):
            self.directed = head[1] == "true"
            self.num_nodes = int(head[2])
            self.first = None if head[3] is None else int(head[3])
        elif self.num_nodes is not None and (name := _NAME.fullmatch(comment)):
            try:
                self.names.append(json.loads(name[1]))
            except ValueError:
                raise InputError(f"{name[1]} is not a quoted name") from None

    @property
    def node_names(self) -> range | list[str] | None:
        """The names of all nodes in order, where the file tells."""
        if self.num_nodes is None:
            return None
        check_size(self.num_nodes)
        if self.first is not None:
            return range(self.first, self.first + self.num_nodes)
        if len(self.names) != self.num_nodes:
            raise InputError(
                f"its first line promises {self.num_nodes} names; found {len(self.names)}"
            )
        return self.names


def notes_of(graph: Graph) -> Iterator[str]:
    """The comments to write; any number of lines."""
    head = f"neuralexec directed={str(graph.directed).lower()} nodes={graph.num_nodes}"
    if isinstance(graph.names, NumberNames) and isinstance(graph.names.numbers, range):
        yield f"{head} first={graph.names.numbers.start}"
        return
    yield head
    for name in graph.names:
        yield f"node {json.dumps(name)}"
