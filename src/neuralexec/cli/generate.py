"""neuralexec generate: draw graphs of a family and write them."""

from pathlib import Path
from typing import Annotated

import typer

from neuralexec.cli.arguments import FormatName


def command(
    family: Annotated[str, typer.Argument(help="Which family; `neuralexec families` lists them.")],
    out: Annotated[
        Path,
        typer.Option(
            help="A file, whose extension sets the format, or a folder for .json files.",
            show_default=False,
        ),
    ],
    nodes: Annotated[int, typer.Option(help="Nodes of each graph, exactly.")] = 20,
    count: Annotated[int, typer.Option(help="How many graphs; more than one are numbered.")] = 1,
    seed: Annotated[int, typer.Option(help="Where the random numbers start.")] = 0,
    self_edges: Annotated[
        bool, typer.Option(help="A self-edge at every node, as in the paper.")
    ] = True,
    format_name: FormatName = None,
) -> None:
    """Draw graphs of a family, with weights uniform in [0.2, 1].

    [bold]neuralexec generate ladder --nodes 20 --out ladder.json[/bold]

    [bold]neuralexec generate tree --nodes 50 --count 10 --seed 7 --out trees/tree.csv[/bold]
    writes trees/tree-0.csv to trees/tree-9.csv.
    """
    from neuralexec.errors import InputError
    from neuralexec.graphs.families import draw_graph, find_family
    from neuralexec.graphs.formats import check_writable, find_format, write_graph
    from neuralexec.graphs.graph import counted
    from neuralexec.graphs.splits import random_stream

    find_family(family).check_size(nodes)
    if count < 1:
        raise InputError(f"--count must be at least 1; got {count}")
    if out.is_dir():
        out /= family + find_format(format_name or "json")[1]
    paths = _numbered(out, count)
    for path in paths:  # all or nothing
        check_writable(path, format=format_name)
    for index, path in enumerate(paths):
        rng = random_stream(family, nodes, (seed, "generate", index))
        graph = draw_graph(family, nodes, rng, self_edges=self_edges)
        write_graph(graph, path, format=format_name)
        print(f"{path}: {counted(graph.num_nodes, 'node')}, {counted(graph.num_edges, 'edge')}")


def _numbered(path: Path, count: int) -> list[Path]:
    """tree.csv.gz -> tree-00.csv.gz, tree-01.csv.gz, ...; a single one keeps its name."""
    if count == 1:
        return [path]
    zipped = ".gz" if path.suffix.lower() == ".gz" else ""
    inner = path.with_suffix("") if zipped else path
    digits = len(str(count - 1))
    return [
        path.with_name(f"{inner.stem}-{index:0{digits}}{inner.suffix}{zipped}")
        for index in range(count)
    ]
