"""What the paper says in words, held against the cells: orderings, and what teaches what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from neuralexec.reports.cells import ResultCell
from neuralexec.reports.paper import PREDECESSOR, SPANNING_TREE, STEPS
from neuralexec.reports.records import Claim

REGULAR = ("ladder", "grid", "tree")
"""Families of regular local structure, in the paper's words."""


class Numbers:
    """Cells of networks trained as in the paper, by where they stand."""

    def __init__(self, cells: Sequence[ResultCell]) -> None:
        self.cells = [cell for cell in cells if cell.preset == "paper" and cell.graphs == 5]

    def __call__(
        self, table: str, row: str, metric: str, column: str = "100 nodes"
    ) -> float | None:
        found = [
            cell.mean
            for cell in self.cells
            if (cell.table, cell.row, cell.metric, cell.column) == (table, row, metric, column)
        ]
        return found[0] if len(found) == 1 else None

    def across(self, trained: str, metric: str) -> tuple[float, float] | None:
        """Table 5: on families of regular structure, and on the others."""
        found = {
            cell.test_family: cell.mean
            for cell in self.cells
            if (cell.table, cell.train_family, cell.metric) == ("table5", trained, metric)
        }
        if not found:
            return None
        regular = [value for family, value in found.items() if family in REGULAR]
        others = [value for family, value in found.items() if family not in REGULAR]
        return fmean(regular), fmean(others)


def claims_of(cells: Sequence[ResultCell]) -> Iterator[Claim]:
    """Those that these cells can say something about."""
    number = Numbers(cells)
    for title, table, metric, better, worse in _ORDERINGS:
        ours, theirs = number(table, better, metric), number(table, worse, metric)
        if ours is not None and theirs is not None:
            yield Claim(
                title, f"{better} {ours:.2f}, {worse} {theirs:.2f} ({metric})", holds=ours > theirs
            )
    yield from _regularity(number)
    yield from _transfer(number)


def _regularity(number: Numbers) -> Iterator[Claim]:
    """Learning from one kind of local structure generalises better to the same kind."""
    from_tree, from_random = (
        number.across(name, PREDECESSOR[1]) for name in ("tree", "erdos-renyi")
    )
    if from_tree is None or from_random is None:
        return
    yield Claim(
        "Regular families teach regular families (Appendix D)",
        f"predecessors at the last step, trained on trees {from_tree[0]:.2f} on ladders, grids and "
        f"trees and {from_tree[1]:.2f} on the others; trained on Erdős–Rényi graphs "
        f"{from_random[0]:.2f} and {from_random[1]:.2f}",
        holds=from_tree[0] > from_random[0] and from_random[1] > from_tree[1],
    )


def _transfer(number: Numbers) -> Iterator[Claim]:
    """Appendix B: a simpler algorithm that shares its subroutine reduces what is uncertain."""
    joint, alone = (number("table2", row, STEPS[1]) for row in ("MPNN-max", "MPNN-max (no-reach)"))
    if joint is None or alone is None:
        return
    reach, reach_alone = (
        number("table1", row, STEPS[1]) for row in ("MPNN-max", "MPNN-max (BFS alone)")
    )
    text = (
        f"predecessors at the last step {joint:.2f} with reachability learnt beside them, "
        f"{alone:.2f} without"
    )
    if reach is not None and reach_alone is not None:
        text += f"; reachability {reach:.2f} beside shortest paths, {reach_alone:.2f} alone"
    yield Claim(
        "Knowing reachability makes shortest paths easier (Appendix B)", text, holds=joint > alone
    )


_ORDERINGS = [
    *(
        (
            f"MPNN-max finds better shortest paths than {other}",
            "table2",
            STEPS[1],
            "MPNN-max",
            other,
        )
        for other in ("MPNN-mean", "MPNN-sum", "GAT*", "GAT-full*", "LSTM")
    ),
    *(
        (
            f"MPNN-max finds better spanning trees than {other}",
            "table6",
            SPANNING_TREE[1],
            "MPNN-max",
            other,
        )
        for other in ("MPNN-mean", "MPNN-sum", "GAT*", "GAT-full*", "LSTM")
    ),
    *(
        (
            f"learning all at once beats {variant}",
            "table2",
            STEPS[1],
            "MPNN-max",
            f"MPNN-max ({variant})",
        )
        for variant in ("curriculum", "no-reach", "no-algo")
    ),
    (
        "node by node beats no-algo on spanning trees",
        "table6",
        SPANNING_TREE[1],
        "MPNN-max",
        "MPNN-max (no-algo)",
    ),
]
"""Title, table, metric, the row that should be better, the row that should be worse."""
