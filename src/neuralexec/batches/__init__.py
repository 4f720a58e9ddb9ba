"""Problems and their traces as tensors."""

from neuralexec.batches.batch import Batch
from neuralexec.batches.collate import begin, collate
from neuralexec.batches.edges import Edges
from neuralexec.batches.start import Signals, Start
from neuralexec.batches.steps import Course, Steps, side_by_side, side_by_side_of_one_shape

__all__ = [
    "Batch",
    "Course",
    "Edges",
    "Signals",
    "Start",
    "Steps",
    "begin",
    "collate",
    "side_by_side",
    "side_by_side_of_one_shape",
]
