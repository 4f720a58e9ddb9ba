"""MPNN-sum: each node keeps the sum, feature by feature, of the messages it receives."""

from neuralexec.models.processors.mpnn import Mpnn
from neuralexec.models.processors.processor import ProcessorType

processor = ProcessorType(
    name="mpnn-sum",
    summary="message passing, the sum of the messages",
    build=lambda options: Mpnn.build(options, "sum"),
)
