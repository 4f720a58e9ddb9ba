"""Arguments that several verbs take, so that they read and behave alike."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from neuralexec.graphs.graph import Graph

GraphFile = Annotated[
    Path,
    typer.Argument(
        help="A graph file: edge list (.txt .csv .tsv), .mtx, .gr, .graphml, .json or .npz, "
        "gzipped or not.",
        show_default=False,
    ),
]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="The file's format, where its name and content do not tell."),
]
Directed = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected",
        help="Take edges one way or both ways. By default the file decides; "
        "edge lists are undirected.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]


def load_graph(path: Path, format_name: str | None, directed: bool | None) -> "Graph":
    from neuralexec.graphs.formats import read_graph

    return read_graph(path, format=format_name, directed=directed)
