"""Everything a folder of results holds, as it was saved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from neuralexec.reports.cells import ResultCell, read_cells
from neuralexec.reports.fields import Record, read_records
from neuralexec.reports.records import Claim, Curve, Explanation, Training


@dataclass(frozen=True)
class Results:
    cells: tuple[ResultCell, ...]
    curves: tuple[Curve, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    trainings: tuple[Training, ...] = ()
    claims: tuple[Claim, ...] = ()


def read_results(folder: Path) -> Results:
    """The cells must be there; what else is missing is left out."""
    return Results(
        cells=tuple(read_cells(folder / "cells.json")),
        curves=_if_there(folder / "curves.json", Curve),
        explanations=_if_there(folder / "explanations.json", Explanation),
        trainings=_if_there(folder / "trainings.json", Training),
        claims=_if_there(folder / "claims.json", Claim),
    )


def _if_there(path: Path, kind: type[Record]) -> tuple[Record, ...]:
    return tuple(read_records(path, kind)) if path.exists() else ()
