"""Training, validation and test problems, all from one seed, the same on every machine.

Each problem has a random stream of its own, named by seed, split, family, size and index: a
larger split begins with the smaller one, and no family disturbs another.
"""

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from neuralexec.errors import InputError
from neuralexec.graphs.families import draw_graph, families, find_family
from neuralexec.graphs.problem import Problem

PAPER_TEST_SIZES = (20, 50, 100)


@dataclass(frozen=True)
class Split:
    """How many problems of which size and families."""

    name: str
    num_nodes: int
    per_family: int
    families: tuple[str, ...] = ()
    """Which families, all by default."""

    def draw(self, seed: int = 0) -> tuple[Problem, ...]:
        """The problems, family by family."""
        if self.per_family < 1:
            raise InputError(f"a split needs at least one graph a family; got {self.per_family}")
        return tuple(
            draw_problem(family, self.num_nodes, (seed, self.name, index))
            for family in self.families or families()
            for index in range(self.per_family)
        )


def paper_splits(
    *,
    train_nodes: int = 20,
    test_sizes: Sequence[int] = PAPER_TEST_SIZES,
    num_train: int = 100,
    num_validation: int = 5,
    num_test: int = 5,
    families: Iterable[str] = (),
) -> dict[str, Split]:
    """The paper's data by default: "train", "validation", "test-20", "test-50", "test-100"."""
    names = tuple(find_family(name).name for name in families)
    splits = [
        Split("train", train_nodes, num_train, names),
        Split("validation", train_nodes, num_validation, names),
        *(Split(f"test-{size}", size, num_test, names) for size in test_sizes),
    ]
    return {split.name: split for split in splits}


def draw_problem(family: str, num_nodes: int, stream: tuple[int, str, int]) -> Problem:
    """The problem of this family and size that the stream (seed, split name, index) names."""
    rng = random_stream(family, num_nodes, stream)
    graph = draw_graph(family, num_nodes, rng)
    source = int(rng.integers(0, num_nodes))
    return Problem(graph, source, priorities=rng.random(num_nodes), family=family)


def random_stream(family: str, num_nodes: int, stream: tuple[int, str, int]) -> np.random.Generator:
    """Random numbers for one graph, the same whatever else is drawn."""
    seed, split, index = stream
    if seed < 0:
        raise InputError(f"a seed must be 0 or more; got {seed}")
    words = [zlib.crc32(word.encode()) for word in (split, family)]
    return np.random.default_rng([seed, *words, num_nodes, index])


def checksum(problems: Iterable[Problem]) -> str:
    """SHA-256 of the problems: two results with the same one were made on the same data."""
    digest = hashlib.sha256()
    for problem in problems:
        digest.update(f"{problem.graph.checksum()} {problem.source} {problem.infinity!r}".encode())
        digest.update(problem.node_priorities.astype("<f8").tobytes())
    return digest.hexdigest()
