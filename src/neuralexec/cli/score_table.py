"""Scores as a table: a line per metric, a column or more per size of graph."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from neuralexec.evaluation.scores import Scores
from neuralexec.reports.rows import Row, rows_of

MEANING = (
    "mean: over the steps of each graph, then over graphs; last: when the run ends. Accuracies are "
    "in percent of nodes; an error is squared. stops exactly, ends all right: in percent of graphs."
)
NONE = """none: everything reached, pointers along the lightest edge, numbers as at the start."""


def score_table(
    scores: Sequence[Scores],
    *,
    title: str,
    paper: str | None = None,
    family: str | None = None,
    baseline: Sequence[Scores] | None = None,
    intervals: bool = False,
) -> Table:
    """One executor at several sizes; beside it the paper's numbers, and those of doing nothing."""
    table = Table(
        title=title,
        title_justify="left",
        min_width=len(title) + 2,
        box=box.SIMPLE_HEAD,
        padding=(0, 0),
    )
    table.add_column("nodes", no_wrap=True)
    for one in scores:
        table.add_column(f"{one.num_nodes}\nours", justify="right", no_wrap=True)
        if paper is not None:
            table.add_column(f"{one.num_nodes}\npaper", justify="right", style="dim", no_wrap=True)
        if baseline is not None:
            table.add_column(f"{one.num_nodes}\nnone", justify="right", style="dim", no_wrap=True)
    for row in rows_of(scores[0]):
        cells: list[str | Text] = [row.label]
        for place, one in enumerate(scores):
            ours = row.value(one)
            theirs = None if paper is None else row.of_paper(paper, one.num_nodes, family)
            cells.append(_ours(row, one, ours, theirs, intervals))
            if paper is not None:
                cells.append(shown(row, theirs, of_paper=True))
            if baseline is not None:
                cells.append(shown(row, row.value(baseline[place])))
        table.add_row(*cells)
    return table


def _ours(
    row: Row, scores: Scores, ours: float | None, theirs: float | None, intervals: bool
) -> Text:
    text = shown(row, ours)
    if intervals and ours is not None:
        text += "".join(f"\n{shown(row, end)}" for end in scores.interval(row.value, resamples=300))
    if ours is None or theirs is None:
        return Text(text)
    better = ours <= theirs if row.is_error else ours >= theirs
    return Text(text, style="green" if better else "red")


def shown(row: Row, value: float | None, *, of_paper: bool = False) -> str:
    """A share in percent, ours rounded down so that 100.0 is all; an error as a number."""
    if value is None or math.isnan(value):
        return "–"
    if row.is_error:
        few_digits = ".2g" if 0.001 <= value < 99.5 else ".0f" if 99.5 <= value < 99_999 else ".0e"
        return "0" if value == 0 else format(value, few_digits)
    return f"{100 * value:.1f}" if of_paper else f"{math.floor(round(1000 * value, 6)) / 10:.1f}"
