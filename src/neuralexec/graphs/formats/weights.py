"""A weight from text, or what is wrong with it."""

import math
import re

from neuralexec.errors import InputError
from neuralexec.graphs.formats.complaints import quoted

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf|infinity)", re.I | re.A)


def is_number(text: str) -> bool:
    """As other programs see it; Python alone also takes 1_000 and ٣."""
    return _NUMBER.fullmatch(text) is not None


def parse_weight(text: str) -> float:
    if not is_number(text):
        raise InputError(f"weight {quoted(text)} is not a number")
    weight = float(text)
    if not 0 <= weight < math.inf:
        raise InputError(f"weight {quoted(text)} cannot be used: weights must be finite, 0 or more")
    return weight
