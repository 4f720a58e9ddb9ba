"""Refuse what cannot fit, before the machine starts to swap or kills the process."""

import os
from functools import cache
from pathlib import Path

from neuralexec.errors import InputError

UNLIMITED = 1 << 62
CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")


@cache
def physical_memory() -> int:
    """Bytes of memory in this machine or container; unlimited where it cannot be asked."""
    try:
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        machine = UNLIMITED
    try:
        return min(machine, int(CONTAINER_LIMIT.read_text(encoding="ascii")))
    except (ValueError, OSError):
        return machine


def refuse_if_too_large(num_bytes: float, what: str) -> None:
    """At most half of the memory: whatever then runs on it needs about as much again."""
    total = physical_memory()
    if num_bytes > total / 2:
        raise InputError(
            f"{what} needs about {num_bytes / 1e9:,.1f} GB, too much for this machine with "
            f"{total / 1e9:,.1f} GB of memory; use a smaller graph or a larger machine"
        )
