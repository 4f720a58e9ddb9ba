"""What a trained network is examined on: test graphs that no training and no choice has seen."""

from __future__ import annotations

from dataclasses import dataclass

from neuralexec.graphs.problem import Problem
from neuralexec.graphs.splits import PAPER_TEST_SIZES, Split

PAPER_GRAPHS = 5
"""Of each family and size; rows of more graphs say so."""


@dataclass(frozen=True)
class Exam:
    """Test graphs of one size; the same for all seeds."""

    num_nodes: int
    per_family: int = PAPER_GRAPHS

    @property
    def name(self) -> str:
        return f"{self.num_nodes}-nodes-{self.per_family}-graphs"

    @property
    def column(self) -> str:
        """Above which column of a table its scores stand."""
        return f"{self.num_nodes} nodes"

    def draw(self) -> tuple[Problem, ...]:
        return Split(f"test-{self.num_nodes}", self.num_nodes, self.per_family).draw()


PAPER_EXAMS = tuple(map(Exam, PAPER_TEST_SIZES))
MANY_GRAPHS = tuple(Exam(size, 50) for size in PAPER_TEST_SIZES)
"""Ten times as many: what the paper's few graphs leave to chance."""
LARGE = tuple(map(Exam, (500, 1000, 1500)))
