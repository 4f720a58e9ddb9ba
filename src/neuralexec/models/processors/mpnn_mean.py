"""MPNN-mean: each node keeps the average, feature by feature, of the messages it receives."""

from neuralexec.models.processors.mpnn import Mpnn
from neuralexec.models.processors.processor import ProcessorType

processor = ProcessorType(
    name="mpnn-mean",
    summary="message passing, the average of the messages",
    build=lambda options: Mpnn.build(options, "mean"),
)
