"""neuralexec algorithms: the paper's table of inputs and supervision signals, from the specs."""

from typing import Annotated

import typer


def command(
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
) -> None:
    """List the algorithms, what a network is fed and what it is taught at each step.

    [bold]neuralexec algorithms --markdown[/bold] makes the table of the documentation.
    """
    from rich.console import Console
    from rich.markup import escape

    from neuralexec.algorithms.summary import markdown_table, rows

    if markdown:
        print(markdown_table())
        return
    console = Console()
    for row in rows():
        console.print(f"[bold]{row.name}[/bold]: {escape(row.title)}")
        for line in row.inputs:
            console.print(f"  fed:    {escape(line)}")
        for line in row.supervision:
            console.print(f"  taught: {escape(line)}")
