"""How every drawing looks: one palette for all readers of colours, few lines, and fixed bytes."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from neuralexec.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, PAPER_WHITE = "#24292f", "#c9d1d9", "#ffffff"
PURPLE, YELLOW = "#8e44ad", "#e3b341"

BLUE, ORANGE, GREEN, SKY, PINK, GREY = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#56b4e9",
    "#cc79a7",
    "#8a8a8a",
)

MODELS = {
    "LSTM": (GREY, "s"),
    "GAT*": (PINK, "D"),
    "GAT-full*": ("#e69f00", "d"),
    "MPNN-mean": (GREEN, "^"),
    "MPNN-sum": (SKY, "v"),
    "MPNN-max": (BLUE, "o"),
    "MPNN-max (curriculum)": (ORANGE, "P"),
    "MPNN-max (no-reach)": ("#7b3294", "X"),
    "MPNN-max (no-algo)": ("#6b4c2a", "*"),
}
"""Okabe and Ito's colours, which colour-blind readers tell apart; and a marker for each."""

PRESETS = {"paper": SKY, "best": BLUE, "none": FAINT}
THEIRS = ORANGE
PRESET_NAMES = {
    "paper": "ours, preset paper",
    "best": "ours, preset best",
    "none": "learnt nothing",
}
THEIRS_NAME = "the paper’s"

_SPARE = (("#44aa99", "<"), ("#882255", ">"), ("#999933", "h"), ("#332288", "p"))

_SETTINGS: Any = {
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "figure.dpi": 100,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "savefig.dpi": 160,
    "svg.fonttype": "none",
    "svg.hashsalt": "neuralexec",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


@contextmanager
def drawing() -> Iterator[None]:
    """Inside, matplotlib draws in this style; what the user has set stays as it was outside."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise InputError(
            "figures need matplotlib; install it with: pip install 'neuralexec[plots]'"
        ) from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def new_panels(
    num_rows: int, num_columns: int, size: tuple[float, float], *, share_y: bool = False
) -> tuple[Figure, list[list[Axes]]]:
    """A figure without pyplot, so that nothing is kept after its last use."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(
        num_rows, num_columns, squeeze=False, sharey="row" if share_y else False
    )
    return figure, [list(row) for row in panels]


def look_of(row: str, rows: list[str]) -> tuple[str, str]:
    """A model's colour and marker, the same in every drawing of the paper's models."""
    if row in MODELS:
        return MODELS[row]
    others = [one for one in rows if one not in MODELS]
    return _SPARE[others.index(row) % len(_SPARE)]


def legend_below(figure: Figure, panels: Iterable[Axes]) -> None:
    """One legend for all panels: what several of them show stands in it once."""
    handles = {
        str(label): handle
        for panel in panels
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
    }
    num_lines = math.ceil(len(handles) / 5)
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower center",
        ncols=math.ceil(len(handles) / max(1, num_lines)),
    )


def limit_percentages(panel: Axes) -> None:
    """After drawing: down to the lowest, or 80, so that what is nearly all right looks so."""
    panel.set_ylim(max(-2.0, min(80.0, panel.get_ylim()[0])), 103)


def png_of(figure: Figure) -> bytes:
    with drawing():
        stream = io.BytesIO()
        figure.savefig(stream, format="png", facecolor=PAPER_WHITE, metadata={"Software": None})
        return stream.getvalue()


def svg_of(figure: Figure) -> str:
    with drawing():
        stream = io.StringIO()
        figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None})
        return stream.getvalue()


def inline_svg(svg: str, name: str) -> str:
    """For a page: without declarations, its names its own, and its ink that of the text around."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # it would hold for the whole page
    svg = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg).replace("xlink:href", "href")
    svg = re.sub(r'\sid="', f' id="{name}-', svg)
    svg = svg.replace('href="#', f'href="#{name}-').replace("url(#", f"url(#{name}-")
    svg = re.sub(r'(<svg[^>]*?)\swidth="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?)\sheight="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r"font-family: [^;\"]*; ?", "", svg)
    return (
        svg.replace(INK, "currentColor")
        .replace(FAINT, "var(--faint)")
        .replace(PAPER_WHITE, "var(--page)")
        .strip()
    )
