"""GAT-full with the Transformer's score: attention over the edges and over the non-edges."""

from neuralexec.models.processors.full import FullGraph
from neuralexec.models.processors.gat_transformer import GatTransformer
from neuralexec.models.processors.processor import ProcessorType

processor = ProcessorType(
    name="gat-full-transformer",
    summary="attention over edges and non-edges, the Transformer's score",
    build=lambda options: FullGraph.build(options, GatTransformer),
    attends=True,
)
