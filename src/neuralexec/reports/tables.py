"""A table of results in Markdown: ours, its spread over seeds, and the paper's number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from neuralexec.reports.cells import ResultCell
from neuralexec.reports.comparison import Verdict, verdict, z_score
from neuralexec.reports.layout import Column, Layout, Line, lay_out
from neuralexec.reports.numbers import NOTHING, shown, shown_paper, shown_spread, shown_z
from neuralexec.reports.titles import title_of

LEGEND = (
    "Each number is the mean over seeds ± their standard deviation, and in brackets the paper's; "
    "in **bold** where ours is as good or better. Percentages are rounded down; of errors, lower "
    "is better. Preset paper keeps to everything the paper states, best improves on the rest, and "
    "none has learnt nothing."
)
Z_LEGEND = (
    "How far from the paper, in standard deviations over seeds: (ours − the paper's) / standard "
    "deviation. Without a number: one seed, no spread, or nothing to compare with."
)


def markdown_table(cells: Iterable[ResultCell], table: str) -> str:
    """The whole file: title, numbers, what they mean, distances from the paper, remarks."""
    layout, title = lay_out(cells, table), title_of(table)
    parts = [f"# {title.name}: {title.about}", title.caption, _numbers(layout), LEGEND]
    if any(z_score(cell) is not None for cell in layout.cells.values()):
        parts += ["## Standard deviations from the paper", _distances(layout), Z_LEGEND]
    remarks = remarks_of(layout)
    if remarks:
        parts += ["## Remarks", "\n".join(f"- {escape(remark)}" for remark in remarks)]
    return "\n\n".join(part for part in parts if part) + "\n"


def line_name(layout: Layout, line: Line) -> list[str]:
    """What stands before the numbers: graph type if there is one, model, preset, and so on."""
    family = [line.test_family or "all"] if layout.by_family else []
    graphs = [str(line.graphs)] if layout.by_graphs else []
    return [*family, line.row, line.preset, *graphs]


def line_headings(layout: Layout) -> list[str]:
    family = ["graph type"] if layout.by_family else []
    graphs = ["test graphs per family"] if layout.by_graphs else []
    return [*family, "model", "preset", *graphs]


def remarks_of(layout: Layout) -> list[str]:
    """The number of test graphs, and the notes of cells; each once, with whose they are."""
    whose: dict[str, dict[str, None]] = {}
    for line in layout.lines:
        for cell in layout.of_line(line):
            if cell.note:
                whose.setdefault(cell.note, {})[f"{line.row}, {line.preset}"] = None
    counts = sorted({line.graphs for line in layout.lines})
    graphs = [] if layout.by_graphs else [f"{counts[0]} test graphs per family and size."]
    return graphs + [f"{'; '.join(names)}: {note}" for note, names in whose.items()]


def range_of(numbers: Iterable[int | None]) -> str:
    """
    >>> range_of([5, 5]), range_of([5, 3]), range_of([None])
    ('5', '3–5', '–')
    """
    known = {number for number in numbers if number is not None}
    if not known:
        return NOTHING
    low, high = min(known), max(known)
    return str(low) if low == high else f"{low}–{high}"


def escape(text: str) -> str:
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", " ".join(text.split()))


def _numbers(layout: Layout) -> str:
    headings = [
        *line_headings(layout),
        *map(_heading, layout.columns),
        "seeds",
        "parameters",
    ]
    lines = [
        [
            *map(escape, line_name(layout, line)),
            *(_number(layout.cells.get((line, column))) for column in layout.columns),
            range_of(cell.seeds for cell in layout.of_line(line)),
            range_of(cell.parameters for cell in layout.of_line(line)),
        ]
        for line in layout.lines
    ]
    return _grid(headings, lines, num_names=len(line_headings(layout)))


def _distances(layout: Layout) -> str:
    lines = [
        [
            *map(escape, line_name(layout, line)),
            *(_distance(layout.cells.get((line, column))) for column in layout.columns),
        ]
        for line in layout.lines
        if any(z_score(cell) is not None for cell in layout.of_line(line))
    ]
    headings = [*line_headings(layout), *map(_heading, layout.columns)]
    return _grid(headings, lines, num_names=len(line_headings(layout)))


def _heading(column: Column) -> str:
    return f"{escape(column.group)}<br>{escape(column.metric)}"


def _number(cell: ResultCell | None) -> str:
    if cell is None:
        return NOTHING
    ours = shown(cell.mean, is_error=cell.is_error)
    if verdict(cell) is Verdict.AS_GOOD:
        ours = f"**{ours}**"
    theirs = "" if cell.paper is None else f" ({shown_paper(cell)})"
    return f"{ours}{shown_spread(cell)}{theirs}"


def _distance(cell: ResultCell | None) -> str:
    return NOTHING if cell is None else shown_z(z_score(cell))


def _grid(headings: Sequence[str], lines: Iterable[Sequence[str]], *, num_names: int) -> str:
    rule = ["---"] * num_names + ["---:"] * (len(headings) - num_names)
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, rule, *lines))
