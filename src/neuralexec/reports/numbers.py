"""How numbers are written: percentages rounded down, so that 100.00 is all; errors to 3 digits."""

import math

from neuralexec.reports.cells import ResultCell

NOTHING = "–"


def shown(value: float | None, *, is_error: bool = False) -> str:
    """
    >>> shown(99.9999), shown(100.0), shown(0.00123456, is_error=True)
    ('99.99', '100.00', '0.00123')
    """
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if is_error:
        return f"{float(f'{value:.3g}'):g}"
    # To nine digits first: what is 88.79 but for the rounding of doubles stays 88.79.
    return f"{math.floor(round(100 * value, 7)) / 100:.2f}"


def shown_spread(cell: ResultCell) -> str:
    """The standard deviation with its sign before it; nothing where it says nothing."""
    if cell.seeds == 1 or not math.isfinite(cell.std):
        return ""
    return f" ± {shown(cell.std, is_error=True) if cell.is_error else format(cell.std, '.2f')}"


def shown_paper(cell: ResultCell) -> str:
    """With every digit that the paper prints."""
    if cell.paper is None or not math.isfinite(cell.paper):
        return shown(cell.paper)
    return f"{cell.paper:g}" if cell.is_error else f"{cell.paper:.2f}"


def shown_values(cell: ResultCell) -> str:
    return ", ".join(shown(value, is_error=cell.is_error) for value in cell.values)


def shown_z(z: float | None) -> str:
    """
    >>> shown_z(-1.26), shown_z(0.0), shown_z(None)
    ('−1.3', '+0.0', '–')
    """
    return NOTHING if z is None else f"{z:+.1f}".replace("-", "−")
