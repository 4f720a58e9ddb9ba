"""Every number of the paper's tables 1 to 6, 8 and 9, and of its Appendix E, as data.

Accuracies and shares are percentages. Table 7 has no numbers: it lists the supervision signals.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

STEPS = ("mean-step accuracy", "last-step accuracy")
"""Of what the table is about: averaged over all steps, and at the last step, the answer."""

REACHABILITY = ("reachability mean-step accuracy", "reachability last-step accuracy")
"""The same of BFS, in tables that are about more than that."""

PREDECESSOR = ("predecessor mean-step accuracy", "predecessor last-step accuracy")
"""The same of Bellman-Ford's shortest paths."""

DISTANCE = ("mean squared error", "termination accuracy")
"""Of Bellman-Ford: its distances, and whether it ends here, both averaged over all steps."""

SPANNING_TREE = ("next accuracy", "predecessor accuracy")
"""Of Prim: the node each step adds, in the algorithm's order, and the predecessors of the tree."""

EXPLANATION = ("faultless path explanations", "correct predecessor explanations")
"""Of reachability on the training graphs: shares that agree with the true predecessors."""


@dataclass(frozen=True)
class Cell:
    """One number, and where the paper has it."""

    table: str
    """Such as "table1"; "appendixE" for the explanations."""
    row: str
    """The model; also where the paper's rows are metrics or families, which are all MPNN-max."""
    column: str
    """The size of the graphs that were executed, such as "100 nodes"."""
    metric: str
    value: float
    train_family: str | None = None
    """The one family trained on; all seven if None."""
    test_family: str | None = None
    """The one family tested on; all seven if None."""


@dataclass(frozen=True)
class _Heading:
    """What stands above a column of pairs."""

    metrics: tuple[str, str]
    column: str
    train_family: str | None = None


_Pairs = tuple[tuple[float | None, float], ...]
_Rows = Mapping[str, _Pairs]

_TABLE_1: _Rows = {
    "LSTM": ((81.97, 82.29), (88.35, 91.49), (68.19, 63.37)),
    "GAT*": ((93.28, 99.86), (93.97, 100.0), (92.34, 99.97)),
    "GAT-full*": ((78.40, 77.86), (85.76, 91.83), (88.98, 91.51)),
    "MPNN-mean": ((100.0, 100.0), (61.05, 57.89), (27.17, 21.40)),
    "MPNN-sum": ((99.66, 100.0), (94.25, 100.0), (94.72, 98.63)),
    "MPNN-max": ((100.0, 100.0), (100.0, 100.0), (99.92, 99.80)),
}

_TABLE_2: _Rows = {
    "LSTM": ((47.20, 47.04), (36.34, 35.24), (27.59, 27.31)),
    "GAT*": ((64.77, 60.37), (52.20, 49.71), (47.23, 44.90)),
    "GAT-full*": ((67.31, 63.99), (50.54, 48.51), (43.12, 41.80)),
    "MPNN-mean": ((93.83, 93.20), (58.60, 58.02), (44.24, 43.93)),
    "MPNN-sum": ((82.46, 80.49), (54.78, 52.06), (37.97, 37.32)),
    "MPNN-max": ((97.13, 96.84), (94.71, 93.88), (90.91, 88.79)),
    "MPNN-max (curriculum)": ((95.88, 95.54), (91.00, 88.74), (84.18, 83.16)),
    "MPNN-max (no-reach)": ((82.40, 78.29), (78.79, 77.53), (81.04, 81.06)),
    "MPNN-max (no-algo)": ((78.97, 95.56), (83.82, 85.87), (79.77, 78.84)),
}

_TABLE_3: _Rows = {
    "LSTM": ((3.857, 83.43), (11.92, 86.74), (74.36, 83.55)),
    "GAT*": ((43.49, 85.33), (123.1, 84.88), (183.6, 82.16)),
    "GAT-full*": ((7.189, 77.14), (28.89, 75.51), (58.08, 77.30)),
    "MPNN-mean": ((0.021, 98.57), (23.73, 89.29), (91.58, 86.81)),
    "MPNN-sum": ((0.156, 98.09), (4.745, 88.11), (math.inf, 87.71)),
    "MPNN-max": ((0.005, 98.89), (0.013, 98.58), (0.238, 97.82)),
    "MPNN-max (curriculum)": ((0.021, 98.99), (0.351, 96.34), (3.650, 92.34)),
    "MPNN-max (no-reach)": ((0.452, 80.18), (2.512, 91.77), (2.628, 85.22)),
}

_TABLE_4: _Rows = {
    "MPNN-max": (
        (97.13, 96.84),
        (94.71, 93.88),
        (90.91, 88.79),
        (83.08, 76.46),
        (77.53, 72.74),
        (74.90, 67.66),
    ),
}

_TABLE_5: _Rows = {
    "ladder": ((93.16, 93.98), (99.93, 99.67), (76.63, 65.94), (94.99, 92.55)),
    "grid": ((92.86, 87.05), (99.85, 99.32), (79.50, 70.75), (94.06, 91.39)),
    "tree": ((82.72, 82.07), (99.92, 99.62), (70.16, 63.26), (98.44, 97.33)),
    "erdos-renyi": ((100.0, 100.0), (100.0, 100.0), (96.17, 93.94), (91.11, 85.94)),
    "barabasi-albert": ((100.0, 100.0), (100.0, 100.0), (94.91, 92.90), (83.90, 75.79)),
    "4-community": ((100.0, 100.0), (100.0, 100.0), (90.01, 86.38), (75.88, 64.04)),
    "4-caveman": ((100.0, 100.0), (100.0, 100.0), (91.55, 90.04), (80.02, 72.06)),
}

_TABLE_6: _Rows = {
    "LSTM": ((11.29, 52.81), (3.54, 47.74), (2.66, 40.89)),
    "GAT*": ((27.94, 61.74), (22.11, 58.66), (10.97, 53.80)),
    "GAT-full*": ((29.94, 64.27), (18.91, 53.34), (14.83, 51.49)),
    "MPNN-mean": ((90.56, 93.63), (52.23, 88.97), (20.63, 80.50)),
    "MPNN-sum": ((48.05, 77.41), (24.40, 61.83), (31.60, 43.98)),
    "MPNN-max": ((87.85, 93.23), (63.89, 91.14), (41.37, 90.02)),
    "MPNN-max (no-algo)": ((None, 71.02), (None, 49.83), (None, 23.61)),
}

_TABLE_8: _Rows = {
    "LSTM": ((66.63, 72.62), (33.73, 32.36)),
    "GAT*": ((83.43, 89.15), (37.53, 36.16)),
    "MPNN-max": ((100.0, 99.99), (96.45, 96.25)),
}

_TABLE_9: _Rows = {
    "ladder": ((95.57, 98.63), (94.13, 91.47)),
    "grid": ((95.93, 93.28), (87.90, 83.77)),
    "tree": ((99.55, 98.32), (98.60, 97.83)),
    "erdos-renyi": ((100.0, 100.0), (94.00, 89.65)),
    "barabasi-albert": ((100.0, 100.0), (92.71, 88.60)),
    "4-community": ((100.0, 100.0), (86.25, 79.65)),
    "4-caveman": ((100.0, 100.0), (91.55, 86.96)),
}

_APPENDIX_E: _Rows = {"MPNN-max": ((82.16, 93.85),)}


def _by_size(metrics: tuple[str, str], *sizes: int) -> tuple[_Heading, ...]:
    return tuple(_Heading(metrics, f"{size} nodes") for size in sizes)


def _by_metric(column: str, *train_families: str | None) -> tuple[_Heading, ...]:
    return tuple(
        _Heading(metrics, column, train_family)
        for metrics in (REACHABILITY, PREDECESSOR)
        for train_family in train_families
    )


def _cells(
    table: str, headings: tuple[_Heading, ...], rows: _Rows, *, rows_are_families: bool = False
) -> Iterator[Cell]:
    for name, pairs in rows.items():
        model, test_family = ("MPNN-max", name) if rows_are_families else (name, None)
        for heading, pair in zip(headings, pairs, strict=True):
            for metric, value in zip(heading.metrics, pair, strict=True):
                if value is not None:  # a dash in the paper
                    yield Cell(
                        table,
                        model,
                        heading.column,
                        metric,
                        value,
                        train_family=heading.train_family,
                        test_family=test_family,
                    )


PAPER: tuple[Cell, ...] = (
    *_cells("table1", _by_size(STEPS, 20, 50, 100), _TABLE_1),
    *_cells("table2", _by_size(STEPS, 20, 50, 100), _TABLE_2),
    *_cells("table3", _by_size(DISTANCE, 20, 50, 100), _TABLE_3),
    *_cells("table4", _by_size(STEPS, 20, 50, 100, 500, 1000, 1500), _TABLE_4),
    *_cells(
        "table5",
        _by_metric("100 nodes", "erdos-renyi", "tree"),
        _TABLE_5,
        rows_are_families=True,
    ),
    *_cells("table6", _by_size(SPANNING_TREE, 20, 50, 100), _TABLE_6),
    *_cells("table8", _by_metric("1000 nodes", None), _TABLE_8),
    *_cells("table9", _by_metric("100 nodes", None), _TABLE_9, rows_are_families=True),
    *_cells("appendixE", _by_size(EXPLANATION, 20), _APPENDIX_E),
)
"""All trained on graphs of 20 nodes, except Table 8: on 100."""

_VALUES = {
    (c.table, c.row, c.column, c.metric, c.test_family, c.train_family): c.value for c in PAPER
}


def paper_value(
    table: str,
    row: str,
    column: str,
    metric: str,
    test_family: str | None = None,
    train_family: str | None = None,
) -> float | None:
    """The paper's number, or None where it has none.

    >>> paper_value("table2", "MPNN-max", "100 nodes", "last-step accuracy")
    88.79
    """
    return _VALUES.get((table, row, column, metric, test_family, train_family))
