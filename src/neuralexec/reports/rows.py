"""The lines of a table of scores: a label, the number, and where the paper has the same one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from neuralexec.evaluation.scores import TERMINATION, Scores
from neuralexec.reports.paper import (
    DISTANCE,
    PREDECESSOR,
    REACHABILITY,
    SPANNING_TREE,
    STEPS,
    paper_value,
)


@dataclass(frozen=True)
class Row:
    label: str
    value: Callable[[Scores], float | None]
    table: str | None = None
    metric: str | None = None
    """The table of the paper that has it, and what it is called there."""
    is_error: bool = False
    """Lower is better; else a share, and higher is."""

    def of_paper(self, model: str, num_nodes: int, family: str | None = None) -> float | None:
        """The paper's number for a model, as a share or an error; of one family, in Table 9."""
        if self.table is None or self.metric is None:
            return None
        column = f"{num_nodes} nodes"
        if family is not None:
            metric = _IN_TABLE_9.get((self.table, self.metric), self.metric)
            value = paper_value("table9", model, column, metric, test_family=family)
        else:
            value = paper_value(self.table, model, column, self.metric)
            if value is None and self.table == "table2":  # larger graphs have a table of their own
                value = paper_value("table4", model, column, self.metric)
        return value if value is None or self.is_error else value / 100


_IN_PAPER: dict[tuple[str, str, str], tuple[str, str]] = {
    ("bfs+bellman-ford", "reachable", "mean"): ("table1", STEPS[0]),
    ("bfs+bellman-ford", "reachable", "last"): ("table1", STEPS[1]),
    ("bfs+bellman-ford", "predecessor", "mean"): ("table2", STEPS[0]),
    ("bfs+bellman-ford", "predecessor", "last"): ("table2", STEPS[1]),
    ("bfs+bellman-ford", "distance", "mean"): ("table3", DISTANCE[0]),
    ("bfs+bellman-ford", TERMINATION, "mean"): ("table3", DISTANCE[1]),
    ("prim", "next", "mean"): ("table6", SPANNING_TREE[0]),
    ("prim", "predecessor", "last"): ("table6", SPANNING_TREE[1]),
}
"""Task, metric, mean or last step -> the paper's table and metric."""

_IN_TABLE_9 = {
    **{("table1", one): name for one, name in zip(STEPS, REACHABILITY, strict=True)},
    **{("table2", one): name for one, name in zip(STEPS, PREDECESSOR, strict=True)},
}
"""The table and metric of all families -> the same of one family."""

_MODELS = {
    "mpnn-max": "MPNN-max",
    "mpnn-mean": "MPNN-mean",
    "mpnn-sum": "MPNN-sum",
    "gat": "GAT*",
    "gat-transformer": "GAT*",
    "gat-full": "GAT-full*",
    "gat-full-transformer": "GAT-full*",
    "lstm": "LSTM",
}


def paper_model(processor: str, variant: str = "full") -> str:
    """What the paper's tables call such a model."""
    name = _MODELS.get(processor, processor)
    return name if variant == "full" else f"{name} ({variant})"


def rows_of(scores: Scores) -> list[Row]:
    """Every line there is to show of such scores."""
    rows = [
        _row(scores, metric, way)
        for metric in scores.metrics
        for way in (("mean",) if metric in ONCE else ("mean", "last"))
    ]
    return [
        *rows,
        Row("stops exactly", lambda one: one.stopped_exactly),
        Row("ends all right", lambda one: one.exact),
    ]


ONCE = (TERMINATION, "next")
"""What has no last value that would say more."""


def _row(scores: Scores, metric: str, way: str) -> Row:
    def value(one: Scores) -> float | None:
        return one.mean_step(metric) if way == "mean" else one.last_step(metric)

    is_error = metric in scores.errors
    what = f"{metric} error" if is_error else metric
    table, name = _IN_PAPER.get((scores.task, metric, way), (None, None))
    return Row(f"{what}, {way}", value, table, name, is_error)
