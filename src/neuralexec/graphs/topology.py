"""Which nodes are joined, before anything weighs anything."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Topology(NamedTuple):
    """Undirected edges, each once, no self-edges; coordinates where the shape has natural ones."""

    senders: NDArray[Any]
    receivers: NDArray[Any]
    coordinates: NDArray[np.float64] | None = None
