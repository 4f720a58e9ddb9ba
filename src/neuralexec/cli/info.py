"""neuralexec info: what is in a graph file, and what is unusual about it."""

import json

from neuralexec.cli.arguments import AsJson, Directed, FormatName, GraphFile, load_graph


def command(
    graph: GraphFile,
    as_json: AsJson = False,
    directed: Directed = None,
    format_name: FormatName = None,
) -> None:
    """Say what a graph file holds: nodes, edges, components, weights, what is unusual.

    [bold]neuralexec info roads.gr[/bold]

    [bold]neuralexec info friends.csv --directed --json[/bold]
    """
    from dataclasses import asdict

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from neuralexec.cli.values import printable
    from neuralexec.graphs.summary import summarise

    summary = summarise(load_graph(graph, format_name, directed))
    if as_json:
        print(json.dumps({"file": str(graph), **asdict(summary)}))
        return
    table = Table("")
    table.add_column(Text(printable(graph.name)))
    for label, value in summary.lines():
        table.add_row(label, Text(printable(value)))
    console = Console(highlight=False)
    console.print(table)
    for remark in summary.unusual:
        console.print(Text(f"• {printable(remark)}"))
