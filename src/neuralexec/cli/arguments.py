"""Arguments that several verbs take, so that they read and behave alike."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from neuralexec.errors import InputError

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


def numbers(text: str, flag: str) -> list[int]:
    """Whole numbers with commas between them.

    >>> numbers("20, 50", "--sizes")
    [20, 50]
    """
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"{flag} must be whole numbers with commas between; got {text!r}"
        ) from None
    if min(found) < 1:
        raise InputError(f"{flag} must be at least 1; got {min(found)}")
    return list(dict.fromkeys(found))


def names(text: str) -> list[str]:
    """Names with commas between them.

    >>> names("tree, ladder")
    ['tree', 'ladder']
    """
    return [name for part in text.split(",") if (name := part.strip())]


def print_json(content: Any) -> None:
    print(json.dumps(content, allow_nan=False))
