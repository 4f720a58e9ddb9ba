"""Ours against the paper's: which numbers are as good, and how far the others are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from neuralexec.reports.cells import ResultCell
from neuralexec.reports.paper import PAPER

CLOSE = 2.0
"""In standard deviations of ours over seeds: a distance that chance explains."""


class Verdict(Enum):
    AS_GOOD = "as good or better"
    CLOSE = "worse, by at most two standard deviations"
    WORSE = "worse, by more than that"
    NO_PAPER = "not in the paper"


def z_score(cell: ResultCell) -> float | None:
    """(ours - the paper's) / standard deviation over seeds, where that is a number."""
    if cell.paper is None or not cell.std > 0:
        return None
    z = (cell.mean - cell.paper) / cell.std
    return z if math.isfinite(z) else None


def verdict(cell: ResultCell) -> Verdict:
    """By the mean over seeds, unrounded; what is no number is worse."""
    if cell.paper is None:
        return Verdict.NO_PAPER
    ahead = cell.mean < cell.paper if cell.is_error else cell.mean > cell.paper
    if ahead or math.isclose(cell.mean, cell.paper, rel_tol=1e-9):
        return Verdict.AS_GOOD
    z = z_score(cell)
    return Verdict.CLOSE if z is not None and abs(z) <= CLOSE else Verdict.WORSE


@dataclass(frozen=True)
class Tally:
    """Of one table of the paper: how many numbers were measured here, and came out how."""

    as_good: int
    close: int
    measured: int
    in_paper: int


_IN_PAPER = Counter(cell.table for cell in PAPER)


def tally(cells: Iterable[ResultCell], table: str | None = None) -> Tally:
    """Of one table, or of all."""
    verdicts = Counter(verdict(cell) for cell in cells if table in (None, cell.table))
    as_good, close = verdicts[Verdict.AS_GOOD], verdicts[Verdict.CLOSE]
    return Tally(
        as_good=as_good,
        close=close,
        measured=as_good + close + verdicts[Verdict.WORSE],
        in_paper=_IN_PAPER.total() if table is None else _IN_PAPER[table],
    )
