"""MPNN-max: each node keeps the largest, feature by feature, of the messages it receives."""

from neuralexec.models.processors.mpnn import Mpnn
from neuralexec.models.processors.processor import ProcessorType

processor = ProcessorType(
    name="mpnn-max",
    summary="message passing, the largest of the messages",
    build=lambda options: Mpnn.build(options, "max"),
)
