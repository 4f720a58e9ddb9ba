"""A table of results in HTML: ours and the paper's in one cell, with a sign for which is better."""

from __future__ import annotations

from itertools import groupby

from neuralexec.reports.cells import ResultCell
from neuralexec.reports.comparison import Verdict, verdict, z_score
from neuralexec.reports.layout import Layout, Line
from neuralexec.reports.markup import Markup, element, join
from neuralexec.reports.numbers import (
    NOTHING,
    shown,
    shown_paper,
    shown_spread,
    shown_values,
    shown_z,
)
from neuralexec.reports.tables import line_headings, line_name, range_of

SIGNS = {
    Verdict.AS_GOOD: ("▲", "as-good"),
    Verdict.CLOSE: ("▽", "close"),
    Verdict.WORSE: ("▼", "worse"),
    Verdict.NO_PAPER: ("", "alone"),
}


def html_table(layout: Layout) -> Markup:
    names = line_headings(layout)
    groups = [
        (group, len(list(columns)))
        for group, columns in groupby(layout.columns, key=lambda column: column.group)
    ]
    first = element(
        "tr",
        *(element("th", name, rowspan=2, scope="col") for name in names),
        *(
            element("th", group, colspan=width, scope="colgroup", class_="group")
            for group, width in groups
        ),
        *(element("th", name, rowspan=2, scope="col") for name in ("seeds", "parameters")),
    )
    second = element(
        "tr", *(element("th", column.metric, scope="col") for column in layout.columns)
    )
    bodies = [
        element("tbody", *(_line(layout, line) for line in lines))
        for _, lines in groupby(layout.lines, key=lambda line: _block(layout, line))
    ]
    table = element("table", element("thead", first, second), *bodies, class_="results")
    return element("div", table, class_="wide")


def _block(layout: Layout, line: Line) -> object:
    """Lines between which no rule is drawn."""
    return (line.row, line.preset, line.graphs) if layout.by_family else line.row


def _line(layout: Layout, line: Line) -> Markup:
    cells = layout.of_line(line)
    first, *others = line_name(layout, line)
    return element(
        "tr",
        element("th", first, scope="row"),
        *(element("td", other, class_="name") for other in others),
        *(_cell(layout.cells.get((line, column))) for column in layout.columns),
        element("td", range_of(cell.seeds for cell in cells), class_="count"),
        element("td", range_of(cell.parameters for cell in cells), class_="count"),
        class_=f"preset-{line.preset}" if line.preset == "none" else None,
    )


def _cell(cell: ResultCell | None) -> Markup:
    if cell is None:
        return element("td", NOTHING, class_="absent")
    sign, kind = SIGNS[verdict(cell)]
    ours = join(
        element("span", sign, class_="sign") if sign else "",
        element("b", shown(cell.mean, is_error=cell.is_error)),
        element("span", shown_spread(cell), class_="spread"),
    )
    return element(
        "td",
        element("span", ours, class_="ours"),
        element("span", _theirs(cell), class_="theirs") if cell.paper is not None else "",
        class_=kind,
        title=_hover(cell),
    )


def _theirs(cell: ResultCell) -> str:
    z = z_score(cell)
    return f"paper {shown_paper(cell)}" + ("" if z is None else f" · z {shown_z(z)}")


def _hover(cell: ResultCell) -> str:
    """Everything that is known of it, the seeds one by one."""
    about = [
        f"{cell.row}, preset {cell.preset}, {cell.column}, {cell.metric}",
        f"by seed: {shown_values(cell)}",
        f"{cell.graphs} test graphs per family",
    ]
    if cell.paper is not None:
        about.append(verdict(cell).value)
    if cell.note:
        about.append(cell.note)
    return "\n".join(about)
