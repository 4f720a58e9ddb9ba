"""Graphs with the path that explains why a node is reachable, after the paper's Figure 4."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from neuralexec.reports.figures.style import (
    BLUE,
    INK,
    ORANGE,
    PAPER_WHITE,
    PURPLE,
    YELLOW,
    drawing,
    new_panels,
)
from neuralexec.reports.records import Explanation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SEED = 1
_PER_ROW = 3
_FLAT = ("ladder", "grid")
"""Families that lie flat when they start from their eigenvectors, and twist when from a circle."""

_Places = dict[int, tuple[float, float]]


def draw_explanations(explanations: Sequence[Explanation]) -> Figure:
    """A panel each: purple the path that was found (dashed where it is wrong), yellow the rest."""
    num_columns = min(_PER_ROW, len(explanations))
    num_rows = math.ceil(len(explanations) / num_columns)
    with drawing():
        figure, grid = new_panels(num_rows, num_columns, (3.8 * num_columns, 4.0 * num_rows + 0.5))
        panels = [panel for panels in grid for panel in panels]
        for panel in panels:
            panel.set_axis_off()
        for panel, explanation in zip(panels, explanations, strict=False):
            _draw(panel, explanation)
            panel.set_title(explanation.title)
        _legend(figure)
    return figure


def place_nodes(explanation: Explanation) -> _Places:
    """Where nodes are drawn: distances on paper follow distances in the graph."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(explanation.num_nodes))
    graph.add_edges_from(zip(explanation.senders, explanation.receivers, strict=True))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    # Distances between parts of a disconnected graph are infinite, so its nodes are sprung apart.
    if nx.is_connected(graph):
        flat = explanation.family in _FLAT
        places = nx.kamada_kawai_layout(graph, pos=nx.spectral_layout(graph) if flat else None)
    else:
        places = nx.spring_layout(graph, seed=_SEED, k=0.9 / math.sqrt(explanation.num_nodes))
    return {node: (float(x), float(y)) for node, (x, y) in places.items()}


def _draw(panel: Axes, explanation: Explanation) -> None:
    places = place_nodes(explanation)
    on_path = {frozenset(edge[:2]) for edge in explanation.path}
    edges = zip(explanation.senders, explanation.receivers, strict=True)
    for edge in sorted({tuple(sorted(edge)) for edge in edges}):
        if edge[0] != edge[1] and frozenset(edge) not in on_path:
            (from_x, from_y), (to_x, to_y) = (places[end] for end in edge)
            panel.plot([from_x, to_x], [from_y, to_y], color=YELLOW, linewidth=1.3, zorder=1)
    for child, parent, correct in explanation.path:
        if child != parent:
            _arrow(panel, places[parent], places[child], correct=correct)
    for node, (x, y) in sorted(places.items()):
        is_end = node in (explanation.source, explanation.node)
        colour = {explanation.node: BLUE, explanation.source: ORANGE}.get(node, PAPER_WHITE)
        size = 190 if is_end else 110
        panel.scatter([x], [y], s=size, color=colour, edgecolors=INK, linewidths=1, zorder=4)
        panel.annotate(
            str(node),
            (x, y),
            ha="center",
            va="center",
            fontsize=6.5,
            color="#fffffe" if is_end else INK,
            zorder=5,
        )
    panel.set_aspect("equal", adjustable="datalim")
    panel.margins(0.1)


def _arrow(
    panel: Axes, start: tuple[float, float], end: tuple[float, float], *, correct: bool
) -> None:
    panel.annotate(
        "",
        end,
        start,
        arrowprops={
            "arrowstyle": "-|>",
            "color": PURPLE,
            "linewidth": 2.2,
            "linestyle": "-" if correct else "--",
            "shrinkA": 6,
            "shrinkB": 6,
        },
        zorder=3,
    )


def _legend(figure: Figure) -> None:
    from matplotlib.lines import Line2D

    def dot(colour: str, label: str) -> Line2D:
        return Line2D([], [], color=colour, marker="o", linestyle="", markersize=8, label=label)

    handles = [
        dot(ORANGE, "source"),
        dot(BLUE, "explained node"),
        Line2D([], [], color=PURPLE, linewidth=2.2, label="path found"),
        Line2D([], [], color=PURPLE, linewidth=2.2, linestyle="--", label="not the predecessor"),
        Line2D([], [], color=YELLOW, label="other edges"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=5)
