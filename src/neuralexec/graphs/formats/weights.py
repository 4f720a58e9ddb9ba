"""A weight from text, or what is wrong with it."""

import math
import re

from neuralexec.errors import InputError
from neuralexec.graphs.formats.complaints import quoted

NUMBER = r"[+-]?+(?>\d++\.?+\d*+|\.\d++)(?>[eE][+-]?+\d++)?+"
"""As other programs see it; Python alone also takes 1_000 and ٣. Never gives back what it took."""
_NUMBER = re.compile(rf"{NUMBER}|[+-]?(nan|inf|infinity)", re.IGNORECASE | re.ASCII)
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")


def is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def has_decimal_comma(text: str) -> bool:
    return _DECIMAL_COMMA.fullmatch(text) is not None


def parse_weight(text: str) -> float:
    if has_decimal_comma(text):
        raise InputError(f"weight {quoted(text)} is not a number; write it with a decimal point")
    if not is_number(text):
        raise InputError(f"weight {quoted(text)} is not a number")
    weight = float(text)
    if not 0 <= weight < math.inf:
        raise InputError(f"weight {quoted(text)} cannot be used: weights must be finite, 0 or more")
    return weight
