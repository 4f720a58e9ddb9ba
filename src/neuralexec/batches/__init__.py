"""Problems and their traces as tensors."""

from neuralexec.batches.batch import Batch
from neuralexec.batches.collate import collate

__all__ = ["Batch", "collate"]
