"""Scores as a reader sees them in a terminal of 80 columns."""

import io
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from neuralexec.cli.score_table import score_table, shown
from neuralexec.evaluation.scores import TERMINATION, GraphScore, Scores
from neuralexec.reports.rows import Row, rows_of

SHARE = Row("share", lambda one: None)
ERROR = Row("error", lambda one: None, is_error=True)
SIZES = (20, 50, 100)


def graph(share: float | None, error: float, **others) -> GraphScore:
    """Every share and every error is this one."""
    values = {"reachable": share, "distance": error, "predecessor": share}
    score = GraphScore(
        family="tree",
        num_nodes=20,
        true_steps=1,
        steps_taken=1,
        stopped_itself=True,
        per_step={**{name: (value,) for name, value in values.items()}, TERMINATION: (share,)},
        last=values,
    )
    return replace(score, **others)


def shortest(num_nodes: int, share: float | None, error: float) -> Scores:
    graphs = (graph(share, error),)
    return Scores("some", "bfs+bellman-ford", "true-length", num_nodes, "", ("distance",), graphs)


def rendered(table: Table) -> list[str]:
    console = Console(file=io.StringIO(), width=80, force_terminal=False, color_system=None)
    console.print(table)
    return console.file.getvalue().splitlines()


def cells(table: Table, column: int) -> dict[str, str]:
    """What stands in one column, by the label of its line."""
    labels = [str(cell) for cell in table.columns[0].cells]
    return dict(zip(labels, map(str, table.columns[column].cells), strict=True))


def headings(table: Table) -> list[str]:
    return [str(column.header).replace("\n", " ") for column in table.columns]


def words(lines: Sequence[str], label: str) -> list[str]:
    """What a reader finds beside a label."""
    [line] = [line for line in lines if line.strip().startswith(label)]
    return line.strip().removeprefix(label).split()


# ---- numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "100.0"),
        (0.9999, "99.9"),
        (1 - 1e-8, "99.9"),  # one node of a hundred million
        (0.9995, "99.9"),
        (0.999, "99.9"),
        (0.29, "29.0"),
        (2 / 3, "66.6"),
        (0.0009, "0.0"),
        (0.0, "0.0"),
        (None, "–"),
        (float("nan"), "–"),
    ],
)
def test_a_share_is_rounded_down(value, text):
    assert shown(SHARE, value) == text


def test_what_needs_no_rounding_is_shown_as_it_is():
    """Also where averaging left it a last bit too small."""
    for thousandths in range(1001):
        text = f"{thousandths / 10:.1f}"
        assert shown(SHARE, thousandths / 1000) == text
        if 0 < thousandths < 1000:
            assert shown(SHARE, math.nextafter(thousandths / 1000, 0)) == text


def test_only_all_is_all():
    for parts in (2, 3, 700, 35 * 100 * 20, 10**8):
        assert shown(SHARE, (parts - 1) / parts) != "100.0"
        assert shown(SHARE, parts / parts) == "100.0"


def test_the_papers_shares_are_rounded_as_usual():
    assert shown(SHARE, 0.9091, of_paper=True) == "90.9"
    assert shown(SHARE, 0.9998, of_paper=True) == "100.0"
    assert shown(SHARE, 0.6477, of_paper=True) == "64.8"
    assert shown(SHARE, None, of_paper=True) == "–"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.005, "0.005"),
        (0.238, "0.24"),
        (1.0, "1"),
        (43.49, "43"),
        (99.0, "99"),
        (99.7, "100"),
        (100.0, "100"),
        (183.6, "184"),
        (12345.6, "12346"),
        (1e5, "1e+05"),
        (3.2e12, "3e+12"),
        (0.00096, "1e-03"),
        (0.0000123, "1e-05"),
        (float("inf"), "inf"),
        (float("nan"), "–"),
        (None, "–"),
    ],
)
def test_an_error_is_a_number(value, text):
    assert shown(ERROR, value) == text
    assert shown(ERROR, value, of_paper=True) == text


# ---- the table


def test_a_line_per_metric_and_a_column_per_size():
    scores = [shortest(20, 1.0, 0.0), shortest(50, 0.5, 0.25), shortest(100, None, 3.5)]
    table = score_table(scores, title="of the test")
    assert headings(table) == ["nodes", "20 ours", "50 ours", "100 ours"]
    assert [str(cell) for cell in table.columns[0].cells] == [
        row.label for row in rows_of(scores[0])
    ]
    assert [cells(table, column)["reachable, mean"] for column in (1, 2, 3)] == [
        "100.0",
        "50.0",
        "–",
    ]
    assert [cells(table, column)["distance error, last"] for column in (1, 2, 3)] == [
        "0",
        "0.25",
        "3.5",
    ]
    lines = rendered(table)
    assert "of the test" in lines[0]
    assert words(lines, "distance error, last") == ["0", "0.25", "3.5"]
    assert words(lines, "predecessor, mean") == ["100.0", "50.0", "–"]


def test_beside_it_the_paper_and_doing_nothing():
    ours = [shortest(size, 0.875, 0.5) for size in SIZES]
    nothing = [
        shortest(size, share, 16.0) for size, share in zip(SIZES, (0.3, 0.2, 0.1), strict=True)
    ]
    table = score_table(ours, title="t", paper="MPNN-max", baseline=nothing)
    assert headings(table) == [
        "nodes",
        *(f"{size} {whose}" for size in SIZES for whose in ("ours", "paper", "none")),
    ]
    lines = rendered(table)
    assert " ".join(words(lines, "predecessor, mean")) == (
        "87.5 97.1 30.0 87.5 94.7 20.0 87.5 90.9 10.0"
    )
    assert " ".join(words(lines, "distance error, mean")) == (
        "0.5 0.005 16 0.5 0.013 16 0.5 0.24 16"
    )
    assert words(lines, "stops exactly") == ["100.0", "–", "100.0"] * 3


@pytest.mark.parametrize("intervals", [False, True])
@pytest.mark.parametrize(
    "errors",
    [
        (0.0051, 0.013, 0.24),
        (0.00012, 0.00034, 0.12),
        (99999.4, 99999.4, 99999.4),
        (1.5e30, 1.5e30, 1.5e30),
        (0.00012, 0.00034, 0.0012),
    ],
)
def test_it_fits_into_80_columns(errors, intervals):
    """Three sizes, nine columns, and 100.0 in all of ours and of doing nothing."""
    ours = [shortest(size, 1.0, error) for size, error in zip(SIZES, errors, strict=True)]
    nothing = [shortest(size, 1.0, 12345.0) for size in SIZES]
    table = score_table(ours, title="t", paper="MPNN-max", baseline=nothing, intervals=intervals)
    lines = rendered(table)
    assert max(map(len, lines)) <= 80
    assert not any("…" in line for line in lines)
    for place, error in enumerate(errors):
        there = words(lines, "distance error, last")[3 * place : 3 * place + 3]
        assert there == [shown(ERROR, error), "–", "12345"]
    assert words(lines, "ends all right") == ["100.0", "–", "100.0"] * 3


def test_one_family_beside_table_9():
    scores = [shortest(size, 1.0, 0.0) for size in SIZES]
    table = score_table(scores, title="t", paper="MPNN-max", family="grid")
    # Table 9 is of 100 nodes.
    assert [cells(table, column)["predecessor, mean"] for column in (2, 4, 6)] == ["–", "–", "87.9"]
    assert [cells(table, column)["distance error, mean"] for column in (2, 4, 6)] == ["–"] * 3


# ---- colours


def colour(share: float | None, error: float, label: str) -> str:
    """Of our number at 100 nodes, beside MPNN-max."""
    scores = [shortest(100, share, error)]
    table = score_table(scores, title="t", paper="MPNN-max", baseline=scores)
    place = [str(cell) for cell in table.columns[0].cells].index(label)
    cell = [*table.columns[1].cells][place]
    assert isinstance(cell, Text)
    return str(cell.style)


@pytest.mark.parametrize(
    ("share", "style"),
    [(1.0, "green"), (0.9091, "green"), (0.9090999, "red"), (0.0, "red"), (None, "")],
)
def test_more_than_the_paper_is_better(share, style):
    assert colour(share, 0.0, "predecessor, mean") == style


@pytest.mark.parametrize(
    ("error", "style"),
    [(0.0, "green"), (0.238, "green"), (0.2381, "red"), (float("inf"), "red")],
)
def test_less_error_than_the_paper_is_better(error, style):
    assert colour(1.0, error, "distance error, mean") == style


@pytest.mark.parametrize("label", ["distance error, last", "stops exactly", "ends all right"])
def test_beside_nothing_nothing_is_better(label):
    assert colour(1.0, 0.0, label) == ""


def test_without_the_paper_there_is_no_colour():
    table = score_table([shortest(100, 0.5, 0.5)], title="t")
    assert {str(cell.style) for cell in table.columns[1].cells} == {""}


def test_colours_reach_the_terminal():
    console = Console(
        file=io.StringIO(),
        width=80,
        force_terminal=True,
        color_system="standard",
        no_color=False,
    )
    console.print(score_table([shortest(100, 0.9, 0.1)], title="t", paper="MPNN-max"))
    lines = console.file.getvalue().splitlines()
    [better] = [line for line in lines if "distance error, mean" in line]
    [worse] = [line for line in lines if "predecessor, mean" in line]
    assert "\x1b[32m" in better
    assert "\x1b[31m" in worse


# ---- intervals


def test_an_interval_stands_below_its_number():
    graphs = (graph(1.0, 0.0), graph(0.0, 1.0))
    scores = replace(shortest(20, 1.0, 0.0), graphs=graphs)
    table = score_table([scores], title="t", intervals=True)
    assert cells(table, 1)["reachable, mean"] == "50.0\n0.0\n100.0"
    assert cells(table, 1)["distance error, mean"] == "0.5\n0\n1"
    assert cells(table, 1)["ends all right"] == "50.0\n0.0\n100.0"
    silent = score_table([shortest(20, None, 0.0)], title="t", intervals=True)
    assert cells(silent, 1)["reachable, mean"] == "–"
