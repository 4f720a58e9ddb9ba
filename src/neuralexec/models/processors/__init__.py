"""The networks that pass messages. One file each; a file dropped in here is registered."""

import sys
from functools import cache

from neuralexec.models.processors.processor import (
    Options,
    Processed,
    Processor,
    ProcessorType,
    Unrolls,
)
from neuralexec.models.processors.pyg import pyg_processor
from neuralexec.plugins import choose, discover

__all__ = [
    "Options",
    "Processed",
    "Processor",
    "ProcessorType",
    "Unrolls",
    "find_processor",
    "processors",
]


@cache
def processors() -> dict[str, ProcessorType]:
    """Every processor by its name."""
    return discover(sys.modules[__name__], "processor", ProcessorType)


def find_processor(name: str) -> ProcessorType:
    """The processor of this name; `pyg:GATv2Conv` is that layer of PyTorch Geometric."""
    prefix, colon, layer = name.partition(":")
    if colon and prefix == "pyg":
        return pyg_processor(layer)
    return choose(processors(), name, "processor")
