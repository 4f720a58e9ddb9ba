"""Every table and figure that is asked for: train what is missing, examine, collect, draw."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from neuralexec.algorithms.summary import markdown_table as signals_table
from neuralexec.errors import InputError
from neuralexec.graphs.formats.writing import replacing
from neuralexec.reports.cells import ResultCell, read_cells, write_cells
from neuralexec.reports.fields import read_records, write_records
from neuralexec.reports.records import Training
from neuralexec.reproduction.archive import Archive
from neuralexec.reproduction.claims import claims_of
from neuralexec.reproduction.collect import cells_of, curves_of, trainings_of
from neuralexec.reproduction.exams import Exam
from neuralexec.reproduction.pictures import explanation_cells, pictures
from neuralexec.reproduction.plan import all_work, jobs_left, merged, rest_of
from neuralexec.reproduction.rows import PARALLEL, mpnn_max
from neuralexec.reproduction.tables import TABLES, Table, find_tables
from neuralexec.reproduction.work import Work, perform
from neuralexec.sweeps import Backend, Outcome, Watcher, sweep

TRAININGS = "trainings"
"""The folder, below that of the results, of all that was trained."""

SIGNALS, STEPS, EXPLANATIONS = "table7", "figure3", "figure4"
PARTS = (*sorted({*TABLES, SIGNALS}), STEPS, EXPLANATIONS)
"""Everything there is to reproduce; table 7 has words, not numbers."""


@dataclass(frozen=True)
class Plan:
    """What is asked for."""

    parts: tuple[str, ...] = PARTS
    num_seeds: int = 5
    variant_seeds: int | None = None
    """Seeds of each candidate for GAT* and GAT-full*, all by default; the one that is chosen has
    all."""
    device: str = "cpu"
    together: bool = False
    """Do the seeds of a recipe train together, in one job? They cost less so, but one process
    does all of them."""

    def __post_init__(self) -> None:
        unknown = [part for part in self.parts if part not in PARTS]
        if unknown:
            raise InputError(
                f"there is no {unknown[0]!r} to reproduce; choose from {', '.join(PARTS)}, or all"
            )
        if self.num_seeds < 1 or (self.variant_seeds is not None and self.variant_seeds < 1):
            raise InputError("at least one seed is needed")

    @property
    def tables(self) -> list[Table]:
        """Those that are shown; Figure 3 shows rows of Table 2."""
        names = [part for part in self.parts if part in TABLES]
        return find_tables(list(dict.fromkeys([*names, *(["table2"] if self.has(STEPS) else [])])))

    @property
    def trained_tables(self) -> list[Table]:
        """Those whose trainings are needed; Figure 4 explains what Table 4 trains."""
        needed = find_tables(["table4"]) if self.has(EXPLANATIONS) else []
        return [*self.tables, *(table for table in needed if table not in self.tables)]

    def has(self, part: str) -> bool:
        return part in self.parts

    def work(self) -> list[Work]:
        return all_work(
            self.trained_tables,
            self.num_seeds,
            variant_seeds=self.variant_seeds,
            explained=self.has(EXPLANATIONS),
        )

    def rest(self, archive: Archive) -> list[Work]:
        """The candidates that were chosen, with the seeds they lack."""
        return merged(
            rest_of(row, chosen, table, self.num_seeds)
            for table in self.tables
            for row in table.rows
            if len(row.candidates) > 1 and (chosen := archive.chosen(row)) is not None
        )


class NothingYet(InputError):
    """Of what is asked for, nothing was trained."""


@dataclass
class Reproduced:
    outcome: Outcome
    files: list[Path] = field(default_factory=list)


def reproduce(
    plan: Plan,
    out: Path,
    backend: Backend,
    *,
    watcher: Watcher | None = None,
) -> Reproduced:
    """Do what is left to do, and make the results anew from all there is.

    What failed is left out of them, and said.
    """
    folder = out / TRAININGS
    _require_folder(out)
    Archive(folder).require_same_settings(
        row for table in plan.trained_tables for row in table.rows
    )
    outcome = _sweep(plan.work(), folder, backend, plan, watcher)
    if plan.variant_seeds is not None:
        more = _sweep(plan.rest(Archive(folder)), folder, backend, plan, watcher)
        outcome = Outcome([*outcome.done, *more.done], {**outcome.failed, **more.failed})
    try:
        return Reproduced(outcome, collect(plan, out))
    except NothingYet:
        if not outcome.failed:
            raise
        return Reproduced(outcome)  # all of it failed, which the outcome says


def _sweep(
    work: Iterable[Work], folder: Path, backend: Backend, plan: Plan, watcher: Watcher | None
) -> Outcome:
    jobs = jobs_left(work, folder, device=plan.device, together=plan.together)
    return sweep(jobs, perform, folder, backend, watcher=watcher)


def collect(plan: Plan, out: Path) -> list[Path]:
    """Cells, curves, claims and the trainings behind them, as JSON; and what is drawn of it.

    Tables that are not asked for stay as they were there.
    """
    from neuralexec.reports.build import build

    _require_folder(out)
    archive = Archive(out / TRAININGS)
    files: list[Path] = []
    cells = [cell for table in plan.tables for cell in cells_of(table, archive)]
    explained = mpnn_max(PARALLEL)
    if plan.has(EXPLANATIONS):
        cells += explanation_cells(explained, archive)
    if not cells and plan.trained_tables:
        raise NothingYet(
            f"{out}: holds no results of {', '.join(plan.parts)} yet; reproduce them first, or "
            "name the folder they are in"
        )
    out.mkdir(parents=True, exist_ok=True)
    if plan.has(SIGNALS):
        files.append(_write_text(out / f"{SIGNALS}.md", f"# Table 7\n\n{signals_table()}\n"))
    if not cells:
        return files
    if plan.has(EXPLANATIONS):
        files.append(_write(out / "explanations.json", list(pictures(explained, archive))))
    cells = _with_other_tables(cells, out / "cells.json")
    write_cells(out / "cells.json", cells)
    files.append(out / "cells.json")
    if plan.has(STEPS):
        curves = list(curves_of(PARALLEL, archive, Exam(100)))
        files.append(_write(out / "curves.json", curves))
    files.append(_write(out / "claims.json", list(claims_of(cells))))
    trainings = {one.name: one for one in trainings_of(plan.trained_tables, archive)}
    if (out / "trainings.json").exists():
        before = {one.name: one for one in read_records(out / "trainings.json", Training)}
        trainings = {**before, **trainings}
    files.append(_write(out / "trainings.json", list(trainings.values())))
    return [*files, *build(out)]


def _require_folder(out: Path) -> None:
    """Before hours of training, not after."""
    if out.exists() and not out.is_dir():
        raise InputError(f"{out}: is a file; name a folder")
    beside = next(parent for parent in (out, *out.absolute().parents) if parent.exists())
    if not beside.is_dir() or not os.access(beside, os.W_OK):
        raise InputError(f"{out}: cannot be written; name another folder")


def _with_other_tables(cells: Sequence[ResultCell], path: Path) -> list[ResultCell]:
    """Each cell once, in the order of the tables; of those not made now, as they were."""
    made = {cell.table for cell in cells}
    before = read_cells(path) if path.exists() else []
    others = [cell for cell in before if cell.table not in made]
    once = {cell.place: cell for cell in (*others, *cells)}
    return sorted(once.values(), key=lambda cell: cell.table)


def _write(path: Path, content: Sequence[object]) -> Path:
    write_records(path, content)
    return path


def _write_text(path: Path, text: str) -> Path:
    with replacing(path) as file:
        file.write(text.encode())
    return path
