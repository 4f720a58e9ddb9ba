"""Refuse what cannot fit, before the machine starts to swap or kills the process."""

import os
from functools import cache

from neuralexec.errors import InputError


@cache
def physical_memory() -> int:
    """Bytes of memory in this machine; effectively unlimited where it cannot be asked."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 62


def refuse_if_too_large(num_bytes: float, what: str) -> None:
    limit = physical_memory()
    if num_bytes > limit:
        raise InputError(
            f"{what} needs about {num_bytes / 1e9:,.1f} GB but this machine has "
            f"{limit / 1e9:,.1f} GB of memory; use a smaller graph or a larger machine"
        )
