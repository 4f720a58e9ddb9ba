"""GAT-full with the original score: attention over the edges and over the non-edges."""

from neuralexec.models.processors.full import FullGraph
from neuralexec.models.processors.gat import Gat
from neuralexec.models.processors.processor import ProcessorType

processor = ProcessorType(
    name="gat-full",
    summary="attention over edges and non-edges, the original score",
    build=lambda options: FullGraph.build(options, Gat),
    attends=True,
)
