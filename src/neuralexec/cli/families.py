"""neuralexec families: the graph families that can be drawn."""


def command() -> None:
    """List the graph families and the sizes they exist in."""
    from rich.console import Console
    from rich.table import Table

    from neuralexec.graphs.families import families

    table = Table("name", "family", "sizes")
    for name, family in families().items():
        sizes = f"{family.fewest_nodes} nodes or more"
        if family.multiple_of > 1:
            sizes += f", in steps of {family.multiple_of}"
        table.add_row(name, family.title, sizes)
    Console().print(table)
