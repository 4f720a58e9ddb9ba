"""neuralexec report: draw saved results anew, without training or torch."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    results: Annotated[
        Path, typer.Argument(help="The folder that `reproduce` wrote: cells.json and the like.")
    ] = Path("results"),
) -> None:
    """Make the tables, figures and the page of a folder of results from its JSON."""
    from neuralexec.reports.build import build

    for path in build(results):
        print(path)
