"""Problems and their traces as tensors."""

from neuralexec.batches.batch import Batch
from neuralexec.batches.collate import begin, collate
from neuralexec.batches.edges import Edges
from neuralexec.batches.start import Signals, Start
from neuralexec.batches.steps import Steps, longest_first, side_by_side

__all__ = [
    "Batch",
    "Edges",
    "Signals",
    "Start",
    "Steps",
    "begin",
    "collate",
    "longest_first",
    "side_by_side",
]
