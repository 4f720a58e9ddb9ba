"""Which figures the results of a folder allow, drawn."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuralexec.reports.cells import ResultCell
from neuralexec.reports.figures.explanations import draw_explanations
from neuralexec.reports.figures.families import draw_families, has_families
from neuralexec.reports.figures.sizes import draw_sizes, has_sizes
from neuralexec.reports.figures.steps import draw_steps
from neuralexec.reports.figures.style import png_of, svg_of
from neuralexec.reports.layout import presets_in_order, rows_in_order, tables_of
from neuralexec.reports.results import Results
from neuralexec.reports.titles import title_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS, EXPLANATIONS = "figure3", "figure4"
_SPREAD = "one standard deviation over seeds"


@dataclass(frozen=True)
class Drawing:
    name: str
    """Of its files, without their endings."""
    section: str
    """Where it belongs: a table, or a figure of the paper."""
    caption: str
    svg: str
    png: bytes


def drawings_of(results: Results) -> list[Drawing]:
    return [
        Drawing(slug(name), section, caption, svg_of(figure), png_of(figure))
        for name, section, caption, figure in _figures(results)
    ]


def slug(name: str) -> str:
    """
    >>> slug("table9-families-GAT-full*")
    'table9-families-gat-full'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _figures(results: Results) -> Iterator[tuple[str, str, str, Figure]]:
    for table in tables_of(results.cells):
        cells = [cell for cell in results.cells if cell.table == table]
        if has_sizes(cells):
            caption = f"{title_of(table).name} against the size of the graphs; bars: {_SPREAD}."
            if any(math.inf in (cell.mean, cell.paper) for cell in cells):
                caption += " What is infinite is not drawn."
            yield f"{table}-sizes", table, caption, draw_sizes(cells)
        elif has_families(cells):
            yield from _family_figures(cells, table)
    for preset in presets_in_order(curve.preset for curve in results.curves):
        curves = [curve for curve in results.curves if curve.preset == preset]
        sizes = ", ".join(str(size) for size in sorted({curve.num_nodes for curve in curves}))
        caption = (
            f"Step by step on graphs of {sizes} nodes, preset {preset}; shaded: {_SPREAD}. "
            "Mind the logarithmic scale of the error."
        )
        yield f"{STEPS}-{preset}", STEPS, caption, draw_steps(curves)
    if results.explanations:
        caption = (
            "Paths that explain why a node is reachable: purple what the explainer found, yellow "
            "the other edges."
        )
        yield EXPLANATIONS, EXPLANATIONS, caption, draw_explanations(results.explanations)


def _family_figures(cells: list[ResultCell], table: str) -> Iterator[tuple[str, str, str, Figure]]:
    rows = rows_in_order(cell.row for cell in cells if cell.preset != "none")
    for row in rows:
        of_row = [cell for cell in cells if cell.row == row or cell.preset == "none"]
        name = f"{table}-families" if len(rows) == 1 else f"{table}-families-{row}"
        caption = f"{title_of(table).name}, {row}: each family by itself; lines: {_SPREAD}."
        yield name, table, caption, draw_families(of_row)
