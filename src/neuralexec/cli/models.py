"""neuralexec models: the executors that come with the package."""

from typing import Annotated

import typer

from neuralexec.cli.arguments import AsJson


def command(
    name: Annotated[str | None, typer.Argument(help="Show the whole card of this one.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the pretrained executors, what they execute and how well.

    [bold]neuralexec models[/bold]

    [bold]neuralexec models best-prim[/bold]
    """
    import json
    from math import floor

    from rich.console import Console
    from rich.table import Table

    from neuralexec.pretrained import card_of, names

    if name is not None:
        print(json.dumps(card_of(name), indent=2))
        return
    cards = [card_of(each) for each in names()]
    if as_json:
        print(json.dumps(cards))
        return
    table = Table()
    table.add_column("model", no_wrap=True)
    for column in ("executes", "processor", "weights", "right at 100 nodes"):
        table.add_column(column)
    for card in cards:
        right = card["scores"]["100 nodes"]["predecessor, last"]
        table.add_row(
            card["name"],
            ", ".join(card["tasks"]),
            card["processor"],
            f"{card['parameters']:,}",
            f"{floor(1000 * right) / 10:.1f}%",
        )
    Console().print(table)
    Console().print("right: of the predecessors it ends with, on the test graphs")
    Console().print("Run one from Python: neuralexec.load(name).run(graph, source)")
