"""What checks have in common: when a number is the one expected, and how findings are told."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-5
"""Relative: networks compute in single precision, and this is some hundred of its roundings."""

Findings = dict[str, Any]
"""What a check finds, by the names of a certificate's fields; `exact` is always among them."""


def close(found: NDArray[Any], expected: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Is each number found the one expected? NaN never is, infinity only where it is expected.

    Nothing but 0 is within a relative tolerance of 0, so there the smallest of the other numbers
    expected sets the scale.
    """
    sizes = np.abs(expected)
    smallest = np.min(sizes, where=sizes > 0, initial=np.inf)
    scales = np.maximum(sizes, smallest if np.isfinite(smallest) else 0)
    with np.errstate(invalid="ignore", over="ignore"):  # infinity less infinity; huge nonsense
        near = np.abs(found - expected) <= TOLERANCE * scales
    same: NDArray[np.bool_] = (found == expected) | (near & np.isfinite(expected))
    return same


def share(right: NDArray[np.bool_]) -> float:
    """How much of it is right: exactly 1 if all is, as it is where there is nothing."""
    return int(np.count_nonzero(right)) / len(right) if len(right) else 1.0
